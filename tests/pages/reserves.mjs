// The page that checks a proof of reserves, opened from its file in a browser without a network: what is
// right is taken, and every byte of these that was changed shows.
//
//     node reserves.mjs FOLDER        with verify.html, day.reserves, carla.proof and key
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { MODES, failures, look, start } from "./browser.mjs";

const folder = resolve(process.argv[2]);
const read = (name) => readFileSync(join(folder, name), "utf8");
const file = read("day.reserves"), proof = read("carla.proof"), key = read("key").trim();
const swap = (text, before, after) => {
  if (!text.includes(before)) throw new Error(`no ${before}`);
  return text.replace(before, after);
};

const browser = await start();
const context = await browser.newContext({ locale: "pt-BR", viewport: MODES.light.viewport, offline: true });
const page = await context.newPage();
page.on("console", (it) => {
  if (["error", "warning"].includes(it.type())) failures.push(`console: ${it.text()}`);
});
page.on("pageerror", (error) => failures.push(`${error}`));
page.on("request", (it) => {
  if (!/^(file|blob):/.test(it.url())) failures.push(`asks elsewhere: ${it.url()}`);
});
await page.goto(pathToFileURL(join(folder, "verify.html")).href);

const done = () => page.waitForSelector('#result:not([hidden])[aria-busy="false"]');

// Hands the page these texts, and tells its verdict and what is not right.
let number = 0;
async function handed(file, proof, key) {
  number += 1;
  await page.reload();
  for (const [id, text] of [["file", file], ["proof", proof]]) {
    const path = join(folder, `handed-${id}`);
    writeFileSync(path, text);
    await page.setInputFiles(`#${id}`, path);
    await done();
  }
  await page.fill("#key", key);
  await done();
  return {
    verdict: await page.getAttribute("#verdict", "class"),
    bad: await page.locator("#checks li.bad").allTextContents(),
    good: await page.locator("#checks li.good").count(),
  };
}

async function expected(what, given, good) {
  const found = await handed(...given);
  const right = good ? found.verdict === "good" && found.good === 8 : found.verdict === "bad" && found.bad.length > 0;
  if (!right) failures.push(`${what}: ${JSON.stringify(found)}`);
}

const other = key.replace(/^[^+]*/, "other.example.com/live/live");
const amount = '"amount": "124000"';
await expected("as it was written", [file, proof, key], true);
mkdirSync("seen", { recursive: true });
for (const mode of [MODES.light, MODES.dark, MODES.narrow]) await look(page, mode, true, `seen/reserves-${mode.name}.png`);
await page.setViewportSize(MODES.light.viewport);
await page.screenshot({ path: "seen/reserves-pt.png", fullPage: true });
await page.click("#lang");
await done();
await page.screenshot({ path: "seen/reserves-en.png", fullPage: true });
const english = await page.textContent("#verdict");
if (!english.startsWith("Your balance is in the sum")) failures.push(`in English: ${english}`);

const unsigned = await handed(file, proof, "");
if (unsigned.verdict !== "open" || unsigned.good !== 7) failures.push(`without a key: ${JSON.stringify(unsigned)}`);
await expected("another amount", [file, swap(proof, amount, '"amount": "124001"'), key], false);
await page.screenshot({ path: "seen/reserves-refused.png", fullPage: true });
await expected("a negative amount", [file, swap(proof, amount, '"amount": "-124000"'), key], false);
await expected("an inner sum", [file, proof.replace(/"sum": "(\d+)"/, (_, sum) => `"sum": "${BigInt(sum) + 1n}"`), key], false);
await expected("an inner overflow", [file, proof.replace(/"sum": "\d+"/, `"sum": "${(1n << 128n) - 1n}"`), key], false);
await expected("another class sum", [swap(file, '"owed": "12345"', '"owed": "12344"'), proof, key], false);
await expected("a class less", [file.replace(/ {8}\{\n {10}"class": "suspense"[^]*?\n {8}\},\n/, ""), proof, key], false);
await expected("another hour", [swap(file, '"within_hours": 24', '"within_hours": 25'), proof, key], false);
await expected("another key", [file, proof, other], false);
await expected("another form", [file + "\n", proof, key], false);
await expected("no file", ["{}", proof, key], false);
await browser.close();
if (failures.length) {
  console.error(failures.join("\n"));
  process.exit(1);
}
console.log(`verify.html: ${number} pairs of files, offline; screenshots in ${resolve("seen")}`);
