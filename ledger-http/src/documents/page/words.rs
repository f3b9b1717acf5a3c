//! The words of the page that no declaration has: guides, names of routes in Portuguese, and what
//! to do about an error.

use super::{Lang, escape_html, mark_code};
use crate::edge::portuguese;

/// The guides in their order: an anchor, and the name in both languages.
pub(super) const GUIDES: [(&str, &str, &str); 7] = [
    ("first-charge", "A primeira cobrança", "The first charge"),
    ("idempotency", "Idempotência", "Idempotency"),
    ("verification", "Webhooks e assinatura", "Webhooks and their signature"),
    ("pagination", "Paginação", "Pagination"),
    ("rate-limits", "Limites de uso", "Rate limits"),
    ("sandbox", "Sandbox", "Sandbox"),
    ("dry-run", "Ensaio (dry run)", "Dry run"),
];

/// The names of routes and of their groups in Portuguese, a line each: the name, a colon, the text.
const PORTUGUESE: &str = include_str!("portuguese.txt");

/// A name in the page's language; in English where it has no other.
pub(super) fn translate<'a>(lang: Lang, name: &str, english: &'a str) -> &'a str {
    if lang == Lang::En {
        return english;
    }
    let mut lines = PORTUGUESE.lines().filter_map(|line| line.split_once(": "));
    lines.find_map(|(key, text)| (key == name).then_some(text)).unwrap_or(english)
}

/// Returns what an error means, as a definition of a list.
pub(super) fn meaning(lang: Lang, code: &str, english: &str) -> String {
    match portuguese::meaning(code).filter(|_| lang == Lang::Pt) {
        Some(text) => format!("<dd>{}</dd>", escape_html(text)),
        None => format!("<dd lang=\"en\">{}</dd>", mark_code(english)),
    }
}

/// The guides, for a service at this address.
pub(super) fn guides(lang: Lang, base: &str) -> String {
    let text = match lang {
        Lang::Pt => include_str!("guides.pt.html"),
        Lang::En => include_str!("guides.en.html"),
    };
    let text = text.replace("{verification}\n", include_str!("verification.html"));
    text.replace("{base}", &escape_html(base))
}

/// Returns what to do about an error, by its `acao`.
pub(super) fn actions(lang: Lang) -> &'static str {
    match lang {
        Lang::Pt => include_str!("actions.pt.html"),
        Lang::En => include_str!("actions.en.html"),
    }
}
