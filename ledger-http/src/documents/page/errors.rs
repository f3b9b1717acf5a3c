//! The errors of the contract, each with its statuses, its meaning, and what to do about it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::fields::Schemas;
use super::route::{Route, codes};
use super::words;

/// Writes every error that the document has an example of, by its code.
pub(super) fn write(page: &mut String, schemas: Schemas<'_>, routes: &[Route<'_>]) {
    let mut statuses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (status, response) in routes.iter().flat_map(Route::responses) {
        for (code, _) in codes(response) {
            statuses.entry(code).or_default().insert(status);
        }
    }
    let title = schemas.lang.t("Erros", "Errors");
    let _ = writeln!(page, "<h2 id=\"errors\">{title}</h2>\n{}", words::actions(schemas.lang));
    page.push_str("<dl class=\"fields\">\n");
    let examples = schemas.document["components"]["examples"].as_object();
    let examples: BTreeMap<_, _> = examples.into_iter().flatten().collect();
    for (code, example) in examples {
        let statuses: Vec<_> = statuses.remove(code.as_str()).into_iter().flatten().collect();
        let _ = writeln!(
            page,
            "<dt id=\"{code}\"><code>{code}</code> <span>{}</span> \
             <em><a href=\"#acao-{action}\">{action}</a></em></dt>\n{}",
            statuses.join(", "),
            words::meaning(schemas.lang, code, example["summary"].as_str().unwrap_or_default()),
            action = example["value"]["acao"].as_str().unwrap_or_default(),
        );
    }
    page.push_str("</dl>\n");
}
