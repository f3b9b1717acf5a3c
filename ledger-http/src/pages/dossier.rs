//! A dossier as a page: everything that a ledger keeps of a person, to be read and printed.

use askama::Template as _;
use serde_json::Value;

use super::format::brl;
use super::lang::Lang;
use super::layout::{Cell, Page, Section, Table};

/// Renders a dossier's JSON as one page that loads nothing, for a court or for the person.
///
/// # Panics
///
/// Never: no filter of the template fails.
#[must_use]
pub fn dossier_page(ledger: &str, dossier: &Value, lang: Lang) -> String {
    let page = Page {
        lang,
        title: lang.t("Dossiê de uma pessoa", "Dossier of a person").to_owned(),
        subtitle: String::new(),
        site: format!("custody-ledger · {ledger}"),
        menu: Vec::new(),
        other_language: String::new(),
        search: None,
        refresh: None,
        sections: sections(dossier, lang, |_| None),
        as_of: format!("{} {}", lang.t("Até o registro", "As of record"), dossier["as_of_record"]),
    };
    page.render().expect("no filter of the template fails")
}

/// A column: the field that it shows, and its name in Portuguese and in English.
type Column = (&'static str, &'static str, &'static str);

const TABLES: [(&str, &str, &str, &[Column]); 9] = [
    (
        "values",
        "O que se guarda da pessoa",
        "Values kept of the person",
        &[
            ("kind", "Tipo", "Kind"),
            ("value", "Valor", "Value"),
            ("erased_after_record", "Apagado após o registro", "Erased after record"),
        ],
    ),
    (
        "customers",
        "Contas e clientes",
        "Accounts and customers",
        &[("account", "Conta", "Account"), ("customer", "Cliente", "Customer")],
    ),
    (
        "operations",
        "Operações",
        "Operations",
        &[
            ("id", "Operação", "Operation"),
            ("kind", "Tipo", "Kind"),
            ("account", "Conta", "Account"),
            ("status", "Situação", "Status"),
            ("created_at", "Criada, UTC", "Created, UTC"),
            ("records", "Registros", "Records"),
        ],
    ),
    (
        "holds",
        "Bloqueios",
        "Holds",
        &[
            ("id", "Bloqueio", "Hold"),
            ("account", "Conta", "Account"),
            ("created_at", "Desde, UTC", "Since, UTC"),
            ("cause", "Causa", "Cause"),
            ("requested_cents", "Pedido", "Requested"),
            ("blocked_cents", "Bloqueado", "Blocked"),
        ],
    ),
    (
        "decisions",
        "Decisões",
        "Decisions",
        &[
            ("record", "Registro", "Record"),
            ("at", "Quando, UTC", "When, UTC"),
            ("actor", "Quem", "Actor"),
            ("reason", "Motivo", "Reason"),
            ("evidence", "Prova", "Evidence"),
            ("operations", "Operações", "Operations"),
        ],
    ),
    (
        "legal_holds",
        "Guarda legal",
        "Legal holds",
        &[
            ("hold", "Nome", "Name"),
            ("placed", "Posta", "Placed"),
            ("released", "Retirada", "Released"),
        ],
    ),
    (
        "notes",
        "Notas das pendências",
        "Notes of the inbox",
        &[
            ("operation", "Operação", "Operation"),
            ("with", "Com quem", "With whom"),
            ("note", "Nota", "Note"),
            ("changed_by", "Escrita por", "Written by"),
            ("changed_at", "Quando, UTC", "When, UTC"),
            ("names_person", "Nomeia a pessoa", "Names the person"),
        ],
    ),
    (
        "proposals",
        "Decisões propostas",
        "Proposed decisions",
        &[
            ("decision", "Decisão", "Decision"),
            ("id", "ID", "ID"),
            ("proposed_by", "Proposta por", "Proposed by"),
            ("proposed_at", "Quando, UTC", "When, UTC"),
            ("body", "O que diz", "What it says"),
            ("names_person", "Nomeia a pessoa", "Names the person"),
        ],
    ),
    (
        "erasures",
        "Apagamentos",
        "Erasures",
        &[
            ("kind", "Tipo", "Kind"),
            ("token", "Token", "Token"),
            ("erased_after_record", "Após o registro", "After record"),
        ],
    ),
];

/// The sections of a dossier, then each operation as its client is answered; `to` gives where an
/// operation's page is.
pub(super) fn sections(
    dossier: &Value,
    lang: Lang,
    to: impl Fn(&str) -> Option<String>,
) -> Vec<Section> {
    let all = |name: &str| dossier[name].as_array().into_iter().flatten();
    let cell = |table: &str, item: &Value, field: &str| {
        let text = match &item[field] {
            Value::Bool(is_so) => {
                if *is_so { lang.t("sim", "yes") } else { lang.t("não", "no") }.to_owned()
            }
            Value::Number(cents) if field.ends_with("_cents") => {
                brl(cents.as_i64().unwrap_or_default().into(), lang)
            }
            other => value_text(other),
        };
        let is_operation = field == "operation" || field == "id" && table != "proposals";
        let href = is_operation.then(|| to(&text)).flatten();
        Cell { href, ..Cell::text(text) }
    };
    let mut sections = Vec::new();
    for (name, pt, en, columns) in TABLES {
        let mut table = Table::new(lang.t(pt, en), lang.t("Nada.", "Nothing."));
        for (_, pt, en) in columns {
            table = table.column(lang.t(pt, en));
        }
        let row = |item| columns.iter().map(|(field, ..)| cell(name, item, field)).collect();
        sections.push(Section::Table(table.rows(all(name).map(row))));
    }
    for operation in all("operations") {
        let fields = operation["answer"].as_object().into_iter().flatten();
        let fields = fields.filter(|(_, value)| !value.is_null());
        let rows =
            fields.map(|(name, value)| (name.clone(), Cell::code(value_text(value)))).collect();
        sections.push(Section::Facts { title: value_text(&operation["id"]), rows });
    }
    sections
}

/// A value in one line: a list with commas, an object by its values.
fn value_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value_text).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields.values().map(value_text).collect::<Vec<_>>().join(" · "),
        other => other.to_string(),
    }
}
