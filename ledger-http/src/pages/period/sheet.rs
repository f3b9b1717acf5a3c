//! The statement as a page that stands for itself and is printed on A4.

use askama::Template;
use ledger_core::contract::Environment;
use ledger_core::time::Instant;

use super::reading::PeriodStatement;
use crate::pages::format::{brl, local, reais};
use crate::pages::lang::Lang;
use crate::pages::layout::as_of_record;

/// The page, as its template `statement.html` takes it.
#[derive(Template)]
#[template(path = "statement.html")]
pub(in crate::pages) struct Page<'a> {
    lang: Lang,
    title: &'a str,
    facts: Vec<(&'static str, String)>,
    rows: Vec<Row<'a>>,
    opening: String,
    closing: String,
    came_in: String,
    went_out: String,
    as_of: String,
}

struct Row<'a> {
    at: String,
    text: &'a str,
    operation: &'a str,
    value: String,
    balance_after: String,
}

impl PeriodStatement {
    pub(in crate::pages) fn page(&self) -> Page<'_> {
        let lang = self.lang;
        let day = |at| local(at, lang).split(' ').next().unwrap_or_default().to_owned();
        let amount = |cents: i64| reais(cents.into(), lang);
        let mut facts = Vec::new();
        if let Some(institution) = &self.institution {
            facts.push((lang.t("Instituição", "Institution"), institution.clone()));
        }
        facts.push((lang.t("Conta", "Account"), self.account.clone()));
        let customer = self.customer.clone();
        let house = || lang.t("Casa", "House").to_owned();
        facts.push((lang.t("Cliente", "Customer"), customer.unwrap_or_else(house)));
        let last = Instant::from_micros(self.span.ends().micros() - 1);
        let period = format!("{} – {}", day(self.span.begins()), day(last.unwrap_or_default()));
        facts.push((lang.t("Período", "Period"), period));
        if self.environment != Environment::Live {
            let test = lang.t("testes, sem dinheiro real", "test, no real money");
            facts.push((lang.t("Ambiente", "Environment"), test.to_owned()));
        }
        let (came, went) = self.sums();
        let rows = self.lines.iter().map(|line| Row {
            at: local(line.at, lang),
            text: &line.text,
            operation: &line.operation,
            value: amount(line.value.cents()),
            balance_after: amount(line.balance_after.cents()),
        });
        Page {
            lang,
            title: lang.t("Extrato", "Statement"),
            facts,
            rows: rows.collect(),
            opening: brl(self.opening.cents().into(), lang),
            closing: brl(self.closing().cents().into(), lang),
            came_in: brl(came, lang),
            went_out: brl(went, lang),
            as_of: as_of_record(self.record, self.as_of, lang),
        }
    }
}
