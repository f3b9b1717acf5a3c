// Opens every page that a link leads to, and the pages named on the command line, in a headless
// browser: no console error, no request that fails, no request elsewhere, no serious finding of axe,
// in light, dark and narrow. Screenshots of the first page of each kind go to a folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";

const require = createRequire(join(process.cwd(), "look.mjs"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const given = process.argv.slice(2);
// A link that signs in to the dashboard: the page with its button is looked at, and the button used.
const signIn = given[0] === "--sign-in" ? given.splice(0, 2)[1] : undefined;
// The page of the API, which is too long for a picture and leads where no pages are.
const docs = given[0] === "--docs" ? given.splice(0, 2)[1] : undefined;
const [folder, ...starts] = given;
// How many pages are opened at most, and how many of each kind axe looks at.
const MOST = 600;
const AUDITED = 2;
const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const MODES = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { name: "narrow", colorScheme: "light", viewport: { width: 390, height: 844 } },
];

// What a page is one of: its path without what differs between pages of one kind.
function kind(url) {
  const path = new URL(url).pathname
    .replace(/\/monitor\/[^/]+/, "/monitor")
    .replace(/\/painel\/enter\/.*/, "/painel-enter")
    .replace(/\/painel\/(live|sandbox)\/[^/]+/, "/painel-account")
    .replace(/\/(receipts|qr)\/.*/, "/$1")
    .replace(/\/verify\/.*/, "/verify")
    .replace(/\/(\w\w)_[0-9a-f]{24,28}/, "/$1")
    .replace(/\/records\/\d+/, "/record")
    .replace(/\/accounts\/[^/]+/, "/account");
  const asked = new URL(url).searchParams;
  const more = asked.has("customer") ? "-customer" : asked.has("sql") ? "-result" : "";
  return path.replace(/^\/|\/$/g, "").replaceAll("/", "-") + more || "home";
}

const failures = [];
let audited = 0;
const profile = mkdtempSync(join(tmpdir(), "pages-"));
mkdirSync(folder, { recursive: true });
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launchPersistentContext(profile, {
  executablePath, args: ARGUMENTS, locale: "pt-BR", javaScriptEnabled: true,
});
const page = await browser.newPage();
const origins = new Set([docs, ...starts].filter(Boolean).map((start) => new URL(start).origin));
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

// Looks at one page in one mode: by axe where it is one of the first of its kind, and for what is
// wider than the window.
async function look(url, mode, first) {
  await page.setViewportSize(mode.viewport);
  await page.emulateMedia({ colorScheme: mode.colorScheme });
  const answer = await page.goto(url);
  if (answer.status() !== 200) failures.push(`${url}: ${answer.status()}`);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (over > 0) failures.push(`${url} (${mode.name}): ${over} pixels wider than the window`);
  if (!first) return;
  await page.evaluate(axe);
  audited += 1;
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  for (const { id, impact, nodes } of found.violations) {
    failures.push(`${url} (${mode.name}): axe ${impact}: ${id}: ${nodes[0].html.slice(0, 160)}`);
  }
}

// In every mode, with its screenshots.
async function inEveryMode(url, name) {
  for (const mode of MODES) {
    await look(url, mode, true);
    await page.screenshot({ path: join(folder, `${name}-${mode.name}.png`), fullPage: true });
  }
}

if (signIn) {
  await inEveryMode(new URL("/painel", signIn).href, "painel-signed-out");
  await inEveryMode(signIn, "painel-enter");
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => document.activeElement?.tagName);
  if (focused !== "BUTTON") failures.push(`${signIn}: the first stop of the keyboard is ${focused}`);
  await Promise.all([page.waitForURL(/\/painel$/), page.keyboard.press("Enter")]);
}

if (docs) {
  await look(`${docs}?lang=pt`, MODES[0], false);
  for (const mode of MODES) await look(`${docs}?lang=en`, mode, true);
  // By the keyboard alone: the search leads to what it finds, by any of its words.
  await page.keyboard.press("/");
  await page.keyboard.type("pix_key payout");
  await page.keyboard.press("Enter");
  if (!page.url().endsWith("#createPayout")) failures.push(`${docs}: the search leads to ${page.url()}`);
  const shown = () => page.$$eval("#createCharge .sample pre", (all) => all.filter((one) => one.offsetParent).map((one) => one.className));
  for (const language of ["python", "typescript", "curl"]) {
    await page.check(`#${language}`);
    if (`${await shown()}` !== language) failures.push(`${docs}: ${language} shows ${await shown()}`);
  }
}

const todo = [...starts];
const seen = new Set(todo);
const kinds = new Map();
while (todo.length > 0 && seen.size < MOST) {
  const url = todo.shift();
  const [light, ...others] = MODES;
  const known = kinds.get(kind(url)) ?? 0;
  kinds.set(kind(url), known + 1);
  await look(url, light, known < AUDITED);
  const links = await page.$$eval("a[href]", (all) => all.map((link) => link.href));
  for (const link of links.map((link) => link.split("#")[0])) {
    // A file is kept, and is no page.
    if (new URL(link).pathname.endsWith(".csv")) continue;
    if (origins.has(new URL(link).origin) && !link.includes("lang=") && !seen.has(link)) {
      seen.add(link);
      todo.push(link);
    }
  }
  if (known > 0) continue;
  await page.screenshot({ path: join(folder, `${kind(url)}-light.png`), fullPage: true });
  for (const mode of others) {
    await look(url, mode, true);
    await page.screenshot({ path: join(folder, `${kind(url)}-${mode.name}.png`), fullPage: true });
  }
  await page.emulateMedia({ media: "print" });
  if (/receipts|statement/.test(url)) {
    await page.pdf({ path: join(folder, `${kind(url)}.pdf`), format: "A4" });
  }
  await page.emulateMedia({ media: "screen" });
  // By the keyboard alone: the first stop is a link, and it can be seen.
  await page.goto(url);
  await page.keyboard.press("Tab");
  const focused = await page.evaluate(() => document.activeElement?.tagName);
  if (focused !== "A") failures.push(`${url}: the first stop of the keyboard is ${focused}`);
}
await browser.close();
rmSync(profile, { recursive: true });

if (todo.length > 0) failures.push(`${todo.length} pages were not opened: more than ${MOST} links`);
for (const failure of failures) console.error(failure);
console.log(`pages: ${seen.size} opened, of ${kinds.size} kinds, ${audited} audits by axe; ${failures.length} findings`);
process.exit(failures.length > 0 ? 1 : 0);
