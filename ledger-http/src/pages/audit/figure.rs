//! A figure as it is read, and beside it as it stands in JSON.

use ledger_store::report::{Amount, Value};

use super::words;
use crate::pages::format::{brl, count, decimal, local, reais};
use crate::pages::lang::Lang;

/// A figure of the page.
pub(super) struct Figure {
    /// As it is read.
    pub(super) text: String,
    /// As it stands in JSON, where it is read otherwise.
    pub(super) exact: Option<String>,
    /// Tells whether `exact` is an instant.
    pub(super) is_instant: bool,
    /// How it looks.
    pub(super) class: &'static str,
}

impl Figure {
    /// A figure of a row.
    pub(super) fn from_value(value: &Value, lang: Lang) -> Self {
        let exact = match value {
            Value::Nothing | Value::Text(_) | Value::Code(_) => None,
            other => Some(match other.json() {
                serde_json::Value::String(text) => text,
                json => json.to_string(),
            }),
        };
        let (text, class) = match value {
            Value::Nothing => (String::new(), ""),
            Value::Text(text) => (text.clone(), ""),
            Value::Code(text) => (text.clone(), "code"),
            Value::Word(word) => (words::word(word, lang).to_owned(), ""),
            Value::Count(number) => (count(*number, lang), "number"),
            Value::Flag(true) => (lang.t("sim", "yes").to_owned(), ""),
            Value::Flag(false) => (lang.t("não", "no").to_owned(), ""),
            Value::At(at) => (local(*at, lang), ""),
            Value::Hours(hours) => (format!("{} h", count(*hours, lang)), "number"),
            Value::Amount(amount) => (amount_text(amount, lang), "number"),
            Value::Fee { bps, fixed } => (fee(*bps, *fixed, lang), "number"),
        };
        Self { text, exact, is_instant: matches!(value, Value::At(_)), class }
    }

    /// A figure that has a line to itself: an instant in Brasília and in UTC.
    pub(super) fn whole(value: &Value, lang: Lang) -> Self {
        let mut figure = Self::from_value(value, lang);
        if let Value::At(at) = value {
            figure.text = format!("{} · {at}", figure.text);
        }
        if matches!(value, Value::Nothing) {
            figure.text.push('–');
        }
        figure
    }
}

/// A fee as people read it: `3,30 % + R$ 1,00`, without what is nothing.
fn fee(bps: u16, fixed: Option<i64>, lang: Lang) -> String {
    let percent = format!("{}\u{a0}%", reais(bps.into(), lang));
    match fixed {
        None | Some(0) => percent,
        Some(cents) if bps == 0 => brl(cents.into(), lang),
        Some(cents) => format!("{percent} + {}", brl(cents.into(), lang)),
    }
}

/// An amount as people read it: `R$ 1.234,50`, and crypto to its last decimal, `0,000001`.
pub(super) fn amount_text(amount: &Amount, lang: Lang) -> String {
    match &*amount.commodity {
        "BRL" => brl(amount.units, lang),
        _ => decimal(&amount.text(), lang),
    }
}
