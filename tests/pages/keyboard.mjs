// What an operator does by the keyboard alone: Tab, Enter and letters, each stop to be seen.
import { failures, goto } from "./browser.mjs";

// The most stops until something is reached: more, and nobody would get there.
const MOST = 250;

// What has the focus, and whether that is to be seen.
function focused() {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  return {
    tag: element.tagName,
    name: element.getAttribute("name") ?? "",
    text: (element.textContent ?? "").trim(),
    href: element.getAttribute("href") ?? "",
    html: element.outerHTML.slice(0, 120),
    isSeen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 &&
      style.outlineColor !== style.backgroundColor && width > 0 && height > 0 &&
      bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth,
  };
}

export async function tab(page) {
  await page.keyboard.press("Tab");
  const stop = await page.evaluate(focused);
  if (stop.tag !== "BODY" && !stop.isSeen) {
    failures.push(`${page.url()}: the focus is not seen on ${stop.html}`);
  }
  return stop;
}

// Presses Tab until the stop that is looked for, which has the focus then.
async function reach(page, what, is) {
  for (let stops = 0; stops < MOST; stops += 1) {
    const stop = await tab(page);
    if (is(stop)) return stop;
  }
  throw new Error(`${page.url()}: the keyboard does not reach ${what} in ${MOST} stops`);
}

const field = (page, name) =>
  reach(page, `the field ${name}`, (stop) => stop.name === name && stop.tag !== "BUTTON");

async function press(page, what, is) {
  const stop = await reach(page, what, is);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  return stop;
}

const button = (page, text) => press(page, `the button ${text}`, (stop) => stop.tag === "BUTTON" && stop.text === text);
const link = (page, what, part) => press(page, what, (stop) => stop.tag === "A" && stop.href.includes(part));

async function write(page, name, text) {
  await field(page, name);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
}

// Enter in a field sends its form.
async function send(page) {
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

async function shows(page, ...parts) {
  const text = await page.innerText("body");
  for (const part of parts) {
    if (!text.includes(part)) failures.push(`${page.url()}: by the keyboard, and it does not show: ${part}`);
  }
}

export async function signIn(page, console, credential) {
  await goto(page, new URL("decide", console).href);
  await write(page, "credential", credential);
  await send(page);
  await shows(page, "Sair (bia)");
}

// A row of the inbox is taken, and its operation decided, from the inbox on.
async function decide(page) {
  await link(page, "the inbox", "/waiting");
  await link(page, "with whom a payout is", "/waiting/po_");
  await button(page, "Ficar com ela");
  await shows(page, "bia");
  await link(page, "a payout", "/operations/po_");
  await link(page, "its evidence", "decision=payout.evidence");
  await write(page, "outcome", "not_paid");
  await write(page, "reason", "the bank has no such PIX");
  await write(page, "evidence", "extrato-20");
  await send(page);
  await shows(page, "O que lançaria", "the bank has no such PIX");
  await button(page, "Confirmar a decisão");
  await shows(page, "bia", "the bank has no such PIX");
  if (!page.url().includes("/records/")) failures.push(`${page.url()}: the decision leads nowhere`);
}

async function decline(page) {
  await link(page, "the inbox", "/waiting");
  await link(page, "a proposal", "proposal=recusada");
  await button(page, "Recusar a proposta");
  const text = await page.innerText("body");
  if (text.includes("recusada")) failures.push(`${page.url()}: the proposal waits on`);
}

async function sendAgain(page) {
  await link(page, "the webhooks", "/webhooks");
  await link(page, "an endpoint", "/webhooks/loja");
  await button(page, "Ligar de novo");
  await shows(page, "Ligado de novo.");
  await link(page, "an event", "/webhooks/loja/");
  await button(page, "Reenviar este evento");
  await shows(page, "Entregue: HTTP 204.");
}

// All of it, from the overview on; what cannot be reached ends one act and not the others.
export async function act(page, console) {
  for (const one of [decide, decline, sendAgain]) {
    try {
      await goto(page, console);
      await one(page);
    } catch (error) {
      failures.push(`${one.name}: ${error.message}`);
    }
  }
}
