// Opens every page that a link leads to, and the pages named on the command line, in a headless
// browser: no console error, no request that fails, no request elsewhere, no finding of axe, in
// light, dark and narrow, in both languages and on paper; and has an operator act by the keyboard.
// Screenshots of the first page of each kind go to a folder.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MODES, counts, failures, goto, look, lookOnPaper, open, start } from "./browser.mjs";
import { act, signIn, tab } from "./keyboard.mjs";
import { FILES, routeOf, routes } from "./routes.mjs";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // The table of rights, whose routes are all to be opened.
    rights: { type: "string" },
    // Where the console is, and an operator's credential.
    console: { type: "string" },
    credential: { type: "string" },
    // A link that signs in to the dashboard: the page with its button is looked at, and it is used.
    "sign-in": { type: "string" },
    // The page of the API, which is too long for a picture and leads where no pages are.
    docs: { type: "string" },
  },
});
const [folder, ...starts] = positionals;
// How many pages are opened at most, and how many of each kind axe looks at.
const MOST = 900;
const AUDITED = 2;
// What is printed: for a court, a partner, an auditor or whoever was paid.
const PRINTED = /receipts|statement|person|monitor|verify|\.html$/;

const origins = new Set([given.docs, given.console, ...starts].map((url) => new URL(url).origin));
const all = routes(given.rights);
// A report that the program wrote, in a language of its own.
const isFile = (url) => new URL(url).pathname.endsWith(".html");
const isOfConsole = (url) => new URL(url).origin === new URL(given.console).origin;
const openedRoutes = new Set();

// Writes down that the route of an address was opened.
const note = (url) => openedRoutes.add(routeOf(all, url, isOfConsole(url)));

// What a page is one of: its route, and what makes two pages of one route differ.
function kind(url) {
  const { pathname, searchParams } = new URL(url);
  const route = routeOf(all, url, isOfConsole(url));
  const file = pathname.replace("continued", "report");
  const path = route ? `${isOfConsole(url) ? "console" : ""}${route.path}` : file;
  const operation = /\/(\w\w)_[0-9a-f]{24,28}/.exec(pathname)?.[1] ?? "";
  const asked = ["customer", "sql", "decision", "document", "q"].find((name) => searchParams.has(name));
  const parts = [path.replace(/[{}]/g, ""), operation, asked ?? ""].join("/");
  return parts.split("/").filter(Boolean).join("-") || "home";
}

const shot = (name, mode) => join(folder, `${name}-${mode}.png`);

// The page that is open as a desk shows it, and its first stop by the keyboard.
async function onDesk(page, name) {
  await look(page, MODES.light, true, shot(name, "light"));
  await look(page, MODES.dark, true);
  const stop = await tab(page);
  const hasLinks = await page.evaluate(() => document.querySelector("nav a, .skip") !== null);
  if (hasLinks && stop.tag !== "A") failures.push(`${page.url()}: the first stop is ${stop.html}`);
}

// The page that is open as a phone shows it.
async function onPhone(page, name) {
  await look(page, MODES.narrow, true);
  await look(page, MODES.narrowDark, true, shot(name, "narrow-dark"));
}

async function onBoth(page, name) {
  await onDesk(page, name);
  await onPhone(page, name);
}

// The pages of the API: searched by the keyboard, its samples chosen.
async function documented(page, docs) {
  note(docs);
  await goto(page, `${docs}?lang=pt`);
  await look(page, MODES.light, false);
  await goto(page, `${docs}?lang=en`);
  await look(page, MODES.light, true);
  await look(page, MODES.dark, true);
  await look(page, MODES.narrow, false);
  await page.keyboard.press("/");
  await page.keyboard.type("pix_key payout");
  await page.keyboard.press("Enter");
  if (!page.url().endsWith("#createPayout")) failures.push(`${docs}: the search leads to ${page.url()}`);
  const shown = () => page.$$eval("#createCharge .sample pre", (all) => all.filter((one) => one.offsetParent).map((one) => one.className));
  for (const language of ["python", "typescript", "curl"]) {
    await page.check(`#${language}`);
    if (`${await shown()}` !== language) failures.push(`${docs}: ${language} shows ${await shown()}`);
  }
  await page.context().clearCookies({ name: "lang" });
}

// What is seen before anybody has signed in, and the two ways to do so.
async function enter(page) {
  await goto(page, new URL("/painel", given["sign-in"]).href);
  await onBoth(page, "painel-signed-out");
  await goto(page, new URL("decide", given.console).href);
  await onBoth(page, "console-signed-out");
  note(given["sign-in"]);
  await goto(page, given["sign-in"]);
  await onBoth(page, "painel-enter");
  await goto(page, given["sign-in"]);
  const stop = await tab(page);
  if (stop.tag !== "BUTTON") failures.push(`${given["sign-in"]}: the first stop is ${stop.html}`);
  await Promise.all([page.waitForURL(/\/painel$/), page.keyboard.press("Enter")]);
  await signIn(page, given.console, given.credential);
}

const links = (page) => page.$$eval("a[href]", (found) => found.map((link) => link.href.split("#")[0]));
// A file is kept, and is no page; the other language is looked at beside. A page that loads anew is the
// same page, whose reader asked for that: axe finds fault with whatever does.
const isPage = (link) => origins.has(new URL(link).origin) && !/[?&](lang|refresh)=/.test(link) &&
  !FILES.test(new URL(link).pathname) && !link.startsWith(given.docs);

// Opens every page that a link leads to; the first of each kind is looked at, and passed on.
async function crawl(page, opened) {
  const todo = [...starts];
  const seen = new Set(todo);
  const kinds = new Map();
  while (todo.length > 0 && seen.size < MOST) {
    const url = todo.shift();
    if (!(await goto(page, url))) continue;
    [url, page.url()].forEach(note);
    const name = kind(page.url());
    const known = kinds.get(name) ?? 0;
    kinds.set(name, known + 1);
    if (known === 0) {
      opened(page.url(), name);
      await onDesk(page, name);
      if (PRINTED.test(new URL(url).pathname)) await lookOnPaper(page, shot(name, "print"), join(folder, `${name}.pdf`));
    } else {
      await look(page, MODES.another, known < AUDITED);
    }
    for (const link of (await links(page)).filter(isPage)) {
      if (seen.has(link)) continue;
      seen.add(link);
      todo.push(link);
    }
  }
  if (todo.length > 0) failures.push(`${todo.length} pages were not opened: more than ${MOST} links`);
  return { pages: seen.size, kinds: kinds.size };
}

// The first page of each kind on a phone and in English, while the next ones are opened.
async function beside([phone, english], queue) {
  for await (const { url, name } of queue) {
    await goto(phone, url);
    await onPhone(phone, name);
    if (isFile(url)) continue;
    await goto(english, url);
    const lang = await english.getAttribute("html", "lang");
    if (lang !== "en") failures.push(`${url}: it is in ${lang}`);
    await look(english, MODES.light, true, shot(`${name}-en`, "light"));
    await look(english, MODES.narrow, true);
  }
}

// Hands over what is pushed, one by one, until it is closed.
async function* handedOver(items, state) {
  for (;;) {
    if (items.length > 0) yield items.shift();
    else if (state.isClosed) return;
    else await new Promise((awake) => { state.awake = awake; });
  }
}

mkdirSync(folder, { recursive: true });
// Two browsers: the pages of one that is behind another are not drawn.
const [first, second] = [await start(), await start()];
const page = await open(first, "pt-BR", origins);
await enter(page);
await documented(page, given.docs);
const storage = await page.context().storageState();
const others = [
  await open(second, "pt-BR", origins, storage), await open(second, "en-US", origins, storage),
];
const [items, state] = [[], { isClosed: false, awake: () => {} }];
const rest = beside(others, handedOver(items, state));
const { pages, kinds } = await crawl(page, (url, name) => {
  items.push({ url, name });
  state.awake();
});
state.isClosed = true;
state.awake();
await rest;
await page.setViewportSize(MODES.light.viewport);
await page.emulateMedia({ media: "screen", colorScheme: "light" });
await act(page, given.console);
await Promise.all([first.close(), second.close()]);

for (const route of all.filter((route) => !openedRoutes.has(route))) {
  failures.push(`no page of GET ${route.path} was opened: no link leads there, and run names none`);
}
for (const failure of failures) console.error(failure);
console.log(`pages: ${pages} opened, of ${kinds} kinds, ${counts.audits} audits by axe; ${failures.length} findings`);
process.exit(failures.length > 0 ? 1 : 0);
