//! What a decision about a person would do: what goes, what stays and why.

use serde_json::Value;

use crate::pages::layout::{Cell, Section};
use crate::pages::ledger::viewer::Viewer;

/// What goes and what stays, as names and what they are.
pub(super) fn goes_and_stays(about: &Value, viewer: &Viewer) -> Section {
    let items = |name: &str| about[name].as_array().into_iter().flatten();
    let mut rows = Vec::new();
    if let Some(hold) = about["releases"].as_str() {
        rows.push((viewer.t("Guarda encerrada", "Hold released"), Cell::code(hold)));
    }
    for value in items("values") {
        let (kind, token) = (&value["kind"], &value["token"]);
        let kind = kind.as_str().unwrap_or_default().to_owned();
        rows.push((kind, Cell::code(token.as_str().unwrap_or_default())));
    }
    let count = |name: &str| about[name].as_u64().filter(|count| *count > 0);
    if let Some(words) = count("words_of_operators") {
        let name = viewer.t("Propostas e notas de operadores", "Proposals and notes of operators");
        rows.push((name, Cell::text(words.to_string())));
    }
    if let Some(words) = count("words_that_stay") {
        let why = viewer.t(
            "ficam, ao lado de operações: não nomeiam a pessoa, e somem quando elas terminam",
            "stay, beside operations: they do not name the person, and go when these end",
        );
        let name = viewer.t("Outras propostas e notas", "Other proposals and notes");
        rows.push((name, Cell::text(format!("{words} {why}"))));
    }
    if let Some(records) = count("records_that_stay") {
        let why = viewer.t(
            "ficam, com códigos: o diário não se reescreve e os livros se guardam",
            "stay, with tokens: a journal is never rewritten, and books are kept",
        );
        let name = viewer.t("Registros", "Records");
        rows.push((name, Cell::text(format!("{records} {why}"))));
    }
    for id in items("open_operations").filter_map(Value::as_str) {
        let name = viewer.t("Aberta, e ainda precisa deles", "Open, and still needs them");
        rows.push((name, viewer.operation_cell(id)));
    }
    if let Some(holds) = about["legal_holds"].as_str() {
        rows.push((viewer.t("Guarda legal em vigor", "Legal hold in force"), Cell::mark(holds)));
    }
    if rows.is_empty() {
        let nothing = viewer.t("nada se guarda ainda", "nothing is kept yet");
        rows.push((viewer.t("Da pessoa", "Of the person"), Cell::text(nothing)));
    }
    Section::Facts { title: viewer.t("Do que se trata", "What it is about"), rows }
}
