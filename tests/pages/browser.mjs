// A headless Chromium, and what is looked for on every page: errors, requests elsewhere, findings
// of axe, what is wider than the window or the paper.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";

const require = createRequire(join(process.cwd(), "look.mjs"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const DESK = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
// Colours follow the scheme alone and the layout the width alone: axe looks at each where it differs.
const COLOURS = { runOnly: ["color-contrast"] };
const LAYOUT = { rules: { "color-contrast": { enabled: false } } };
export const MODES = {
  light: { name: "light", colorScheme: "light", viewport: DESK, axe: {} },
  dark: { name: "dark", colorScheme: "dark", viewport: DESK, axe: COLOURS },
  narrow: { name: "narrow", colorScheme: "light", viewport: PHONE, axe: LAYOUT },
  narrowDark: { name: "narrow-dark", colorScheme: "dark", viewport: PHONE, axe: COLOURS },
  // A page of a kind that was looked at.
  another: { name: "light", colorScheme: "light", viewport: DESK, axe: LAYOUT },
};
// Between its margins an A4 sheet is 174 mm wide, at 96 pixels an inch.
const PAPER = { width: 658, height: 1000 };

export const failures = [];
export const counts = { audits: 0 };

export async function start() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

// A window in a language, which writes down every error and every request to none of `origins`.
export async function open(browser, locale, origins, storageState) {
  const context = await browser.newContext({ locale, storageState, viewport: DESK });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      failures.push(`${page.url()}: console: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => failures.push(`${page.url()}: ${error}`));
  page.on("requestfailed", (request) => failures.push(`${page.url()}: failed: ${request.url()}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && !origins.has(url.origin)) {
      failures.push(`${page.url()}: asks elsewhere: ${request.url()}`);
    }
  });
  return page;
}

// Opens an address; whether it is a page, and no text or JSON that is shown as it stands.
export async function goto(page, url) {
  const answer = await page.goto(url);
  if (answer.status() !== 200) failures.push(`${url}: ${answer.status()}`);
  return (await answer.headerValue("content-type") ?? "").startsWith("text/html");
}

const over = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

// Looks at the page that is open in one mode, by axe too where it is to be audited.
export async function look(page, mode, audited, screenshot) {
  const where = `${page.url()} (${mode.name})`;
  await page.setViewportSize(mode.viewport);
  await page.emulateMedia({ media: "screen", colorScheme: mode.colorScheme });
  const pixels = await over(page);
  if (pixels > 0) failures.push(`${where}: ${pixels} pixels wider than the window`);
  if (audited) {
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
    counts.audits += 1;
    const options = { ...mode.axe, resultTypes: ["violations"] };
    const { violations } = await page.evaluate((how) => globalThis.axe.run(document, how), options);
    for (const { id, impact, nodes } of violations) {
      failures.push(`${where}: axe ${impact}: ${id}: ${nodes[0].html.slice(0, 160)}`);
    }
  }
  if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
}

// Looks at the page that is open as it is printed: nothing is cut off at the margin, and nothing is
// there that paper cannot do.
export async function lookOnPaper(page, screenshot, pdf) {
  const where = `${page.url()} (print)`;
  await page.setViewportSize(PAPER);
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  const cut = await page.evaluate(() => {
    const sticks = (element) => element.getBoundingClientRect().right > window.innerWidth + 1;
    const wide = [...document.querySelectorAll("body *")].filter(sticks);
    return wide.map((element) => element.outerHTML.slice(0, 120));
  });
  if (cut.length > 0) failures.push(`${where}: ${cut.length} are cut off: ${cut.at(-1)}`);
  const idle = await page.evaluate(() =>
    [...document.querySelectorAll("nav, button, input, select, textarea")]
      .filter((element) => element.checkVisibility()).map((element) => element.outerHTML.slice(0, 120)));
  if (idle.length > 0) failures.push(`${where}: ${idle.length} are of no use: ${idle[0]}`);
  await page.screenshot({ path: screenshot, fullPage: true });
  await page.pdf({ path: pdf, format: "A4" });
}
