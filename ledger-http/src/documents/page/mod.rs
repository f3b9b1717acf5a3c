//! Pages for people: the home of the service, and the whole contract.
//!
//! In reading order: `reference` is the page of the contract, made of the `OpenAPI` document by
//! `sidebar`, `route` and `errors`, with `fields` and `samples`; `words` has what no declaration
//! has, `descriptions` the Portuguese of what declarations have.

mod descriptions;
mod errors;
mod fields;
mod reference;
mod route;
mod samples;
mod sidebar;
mod words;

use std::fmt::Write;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ledger_core::contract::CONTRACT_VERSION;
use sha2::{Digest as _, Sha256};

use super::{Config, openapi};
use crate::pages::{Lang, escape_html};

/// How the page of the contract looks.
const STYLE: &str = include_str!("style.css");

/// The one script of the page of the contract, which searches in its sidebar.
const SCRIPT: &str = include_str!("search.js");

/// How the home looks; it loads nothing.
const HOME_STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
background:light-dark(#fff,#16181d);color:light-dark(#16181d,#eceef2)}\
a{color:light-dark(#0b4fb3,#9cc4ff)}a:focus-visible{outline:2px solid;outline-offset:2px}\
code{font-family:ui-monospace,monospace;font-size:.9em}";

/// The home of the service: what it is, and where everything else is.
#[must_use]
pub fn home(config: &Config) -> String {
    let mut body = format!(
        "<main>\n<h1>{}</h1>\n<p>{}</p>\n<p>Contract {CONTRACT_VERSION} at <code>{}</code>.</p>\n<ul>\n",
        Config::TITLE,
        Config::SUMMARY,
        escape_html(&config.base_url),
    );
    for (path, what) in [
        ("/docs", "every route, error and event"),
        ("/quickstart", "the first calls, to be run as they stand"),
        ("/openapi.json", "the contract as OpenAPI 3.1"),
        ("/llms.txt", "an overview for agents"),
        ("/.well-known/api-catalog", "where the API is described"),
    ] {
        let _ = writeln!(body, "<li><a href=\"{path}\">{path}</a>: {what}</li>");
    }
    body.push_str("</ul>\n</main>\n");
    document(Lang::En, HOME_STYLE, &body)
}

/// The whole contract as one page, in English: guides, and every route, error and event, each with
/// an anchor.
///
/// ```
/// use ledger_http::documents::{Config, page::reference};
///
/// let page = reference(&Config::at("https://api.example.com"));
/// assert!(page.contains("id=\"createCharge\""));
/// assert!(page.contains("id=\"saldo_insuficiente\""));
/// ```
#[must_use]
pub fn reference(config: &Config) -> String {
    reference_page(config, Lang::En)
}

/// The same page in Portuguese; names and words of the wire stay as they are.
#[must_use]
pub fn reference_in_portuguese(config: &Config) -> String {
    reference_page(config, Lang::Pt)
}

fn reference_page(config: &Config, lang: Lang) -> String {
    let skip = lang.t("Ir ao conteúdo", "Skip to content");
    let body = reference::body(&openapi::openapi(config), &config.base_url, lang);
    let body = format!(
        "<a class=\"skip\" href=\"#main\">{skip}</a>\n{body}\
         <script type=\"module\">{SCRIPT}</script>\n"
    );
    document(lang, STYLE, &body)
}

/// Returns what a browser lets the page of the contract do: nothing is loaded but the mark, and
/// only its own script runs.
pub(super) fn policy() -> String {
    let [style, script] =
        [STYLE, SCRIPT].map(|text| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; \
         img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
}

fn document(lang: Lang, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <link rel=\"icon\" href=\"/mark.svg\">\n<style>{style}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        lang.tag(),
        Config::TITLE,
    )
}

/// Text in which backquotes mark what is of the wire.
fn mark_code(text: &str) -> String {
    let parts = escape_html(text);
    let parts = parts.split('`').enumerate();
    let tagged = |(place, part): (usize, &str)| match place % 2 {
        1 => format!("<code>{part}</code>"),
        _ => part.to_owned(),
    };
    parts.map(tagged).collect()
}
