// The routes of pages, as the table of rights has them, which a test holds against the routers.
import { readFileSync } from "node:fs";

// What is kept or read by programs, and is no page; the home of the documents is one of links to them.
export const FILES = /\.(csv|json|txt|svg|png)$|\/certificates\/|^\/(qr|health|mcp|quickstart|webhooks|\.well-known)\b/;

// Each route by GET: of the console or of clients, with what its addresses look like.
export function routes(file) {
  let section = "";
  const found = new Map();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const heading = /^(The console|The world's side|Commits for replicas|Clients, pages)/.exec(line);
    if (heading) section = heading[1];
    const path = /^GET (\/\S*?):? /.exec(line)?.[1];
    const isPage = path && /console|Clients/.test(section) && !FILES.test(path);
    // An address with and without a stroke at its end is one page.
    if (isPage) found.set(`${section}${path.replace(/(.)\/$/, "$1")}`, { section, path });
  }
  return [...found.values()].map(({ section, path }) => {
    const literal = path.replace(/[.]/g, "\\.").replace(/\/$/, "").replace(/\{\w+\}/g, "[^/]+");
    const isOfConsole = section === "The console";
    return { isOfConsole, path, is: new RegExp(`^${literal}/?$`), literals: path.replace(/\{\w+\}/g, "").length };
  });
}

// The route of an address; none for what stands beside the service.
export function routeOf(all, url, isOfConsole) {
  const { pathname } = new URL(url);
  const fitting = all.filter((route) => route.isOfConsole === isOfConsole && route.is.test(pathname));
  // The one with most words of its own is meant: `/painel/enter/…` is no ledger's account.
  return fitting.sort((one, other) => other.literals - one.literals)[0];
}
