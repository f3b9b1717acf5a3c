//! Decisions of persons: who decided what, when and why, as far as the vault still says it.

use ledger_core::ledger::{Event, OperatorDecision, Record};
use ledger_store::sequencer::Sequencer;

use super::viewer::Viewer;
use super::words;
use crate::pages::format::local;
use crate::pages::layout::{Cell, Section, Table};

/// The decisions behind these records; none where no person decided, or for the account's own
/// monitor.
pub(super) fn section(
    sequencer: &Sequencer,
    records: &[Record],
    viewer: &Viewer,
) -> Option<Section> {
    if viewer.only.is_some() || !records.iter().any(|record| operator_decision(record).is_some()) {
        return None;
    }
    let (views, lang) = (sequencer.views(), viewer.lang);
    let mut table = Table::new(viewer.t("Decisões", "Decisions"), String::new())
        .numbers(lang.t("Registro", "Record"))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Quem", "Who"))
        .column(lang.t("O quê", "What"))
        .column(lang.t("Por quê", "Why"))
        .column(lang.t("Evidência", "Evidence"));
    for record in records {
        let Some(by) = operator_decision(record) else { continue };
        let done = record.events.iter().filter(|event| decision(event).is_none());
        let done: Vec<_> = done.map(words::event).collect();
        let evidence = by.evidence.map(|evidence| views.value(evidence)).unwrap_or_default();
        table.rows.push(vec![
            viewer.record_cell(record.seq.0),
            Cell::text(local(record.at, lang)),
            Cell::text(views.value(by.actor)),
            Cell::text(done.join(", ")),
            Cell::text(views.value(by.reason)),
            Cell::text(evidence),
        ]);
    }
    Some(Section::Table(table))
}

fn operator_decision(record: &Record) -> Option<&OperatorDecision> {
    record.events.iter().find_map(decision)
}

const fn decision(event: &Event) -> Option<&OperatorDecision> {
    match event {
        Event::Judged(by) => Some(by),
        _ => None,
    }
}
