//! An operation: how it stands, and every entry that it made.

use std::collections::BTreeMap;

use ledger_core::contract::{Words, initials};
use ledger_core::id::{OpId, Seq};
use ledger_core::ledger::{Archive as _, Event, Record, read_back};
use ledger_store::export::{Leg, legs};
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::chart_names::chart_account;
use super::operation_of;
use super::plain::facts;
use super::viewer::Viewer;
use super::words;
use super::{decision, suspense};
use crate::pages::format::{decimal, local};
use crate::pages::layout::{Cell, Section, Table};

/// The states of deliveries by the ids of notifications, each leading to its attempts.
pub(in crate::pages) type Arrivals = BTreeMap<String, Cell>;

/// The sections of an operation's page; none for one that is not the viewer's.
pub(in crate::pages) fn sections(
    sequencer: &Sequencer,
    op: OpId,
    viewer: &Viewer,
    arrivals: &Arrivals,
) -> Option<Vec<Section>> {
    let views = sequencer.views();
    let (operation, records) = operation_of(sequencer, op, viewer)?;
    let owner = views.state.owner_of(&operation);
    let lang = viewer.lang;
    let stands = Words::for_operation(&operation);
    let mut rows = Vec::new();
    let mut fact = |name: String, cell: Cell| rows.push((name, cell));
    if let Some(status) = stands.status {
        fact(viewer.t("Situação", "Status"), Cell::code(status));
    }
    if let Some(settlement) = stands.settlement {
        fact(viewer.t("Liquidação", "Settlement"), Cell::code(settlement));
    }
    if let Some(known) = owner.and_then(|account| views.state.account(account)) {
        let cell = Cell::text(&*known.name).to(viewer.account(&known.name, None));
        fact(viewer.t("Conta", "Account"), cell);
    }
    if let Some(aside) = suspense::find(sequencer, op) {
        rows.extend(aside.rows(sequencer, viewer));
    }
    let answer = views.creation_response(op, &operation);
    rows.extend(facts(&answer, viewer));
    let mut fact = |name: String, cell: Cell| rows.push((name, cell));
    let (created, updated) = (operation.created_at, operation.updated_at);
    fact(viewer.t("Criada", "Created"), Cell::text(local(created, lang)));
    fact(viewer.t("Mudou por último", "Last changed"), Cell::text(local(updated, lang)));
    let mut sections = vec![Section::Facts { title: String::new(), rows }];

    sections.push(Section::Table(entries(sequencer, &records, Some(op), viewer)));
    sections.extend(decision::section(sequencer, &records, viewer));
    if viewer.only.is_none() {
        let table = notifications(sequencer, (&records, op), viewer, arrivals);
        sections.push(Section::Table(table));
    }
    sections.extend(answer_section(&answer, viewer));
    Some(sections)
}

/// The events of records leg by leg, of one operation or of all.
pub(super) fn entries(
    sequencer: &Sequencer,
    records: &[Record],
    only: Option<OpId>,
    viewer: &Viewer,
) -> Table {
    let lang = viewer.lang;
    let mut table = Table::new(viewer.t("Lançamentos", "Entries"), viewer.t("Nenhum.", "None."))
        .numbers(lang.t("Registro", "Record"))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Evento", "Event"));
    table = leg_columns(table, viewer);
    for record in records {
        let events = record.events.iter();
        for event in events.filter(|event| only.is_none_or(|only| event.op() == Some(only))) {
            let shown: Vec<Leg> = legs(sequencer, event)
                .into_iter()
                .filter(|leg| viewer.sees(sequencer, leg))
                .collect();
            let head = [
                viewer.record_cell(record.seq.0),
                Cell::text(local(record.at, lang)),
                Cell::text(words::event(event)),
            ];
            if shown.is_empty() {
                let nothing = std::iter::repeat_n(Cell::default(), 5);
                table.rows.push(head.iter().cloned().chain(nothing).collect());
            }
            for (place, leg) in shown.iter().enumerate() {
                let head = if place == 0 { head.clone() } else { Default::default() };
                table.rows.push(head.into_iter().chain(leg_cells(leg, viewer)).collect());
            }
        }
    }
    table
}

/// The columns that [`leg_cells`] fill.
pub(in crate::pages) fn leg_columns(table: Table, viewer: &Viewer) -> Table {
    let lang = viewer.lang;
    table
        .column(lang.t("Conta do razão", "Ledger account"))
        .column(lang.t("De quem", "Kept for"))
        .numbers(lang.t("Débito", "Debit"))
        .numbers(lang.t("Crédito", "Credit"))
        .column(lang.t("Moeda", "Commodity"))
}

/// An account of the chart, whom it is kept for, debit, credit and commodity.
pub(in crate::pages) fn leg_cells(leg: &Leg, viewer: &Viewer) -> [Cell; 5] {
    let text = leg.text();
    let amount = Cell::number(decimal(text.trim_start_matches('-'), viewer.lang));
    let (debit, credit) =
        if leg.amount < 0 { (Cell::default(), amount) } else { (amount, Cell::default()) };
    let kept_for = Cell::text(leg.place.kept_for.join(" / "));
    [
        chart_account(leg.place.chart, viewer.lang),
        kept_for,
        debit,
        credit,
        Cell::text(leg.commodity.clone()),
    ]
}

/// The account that is notified of an operation, and the ids of its notifications.
pub(in crate::pages) fn notification_ids(
    sequencer: &Sequencer,
    op: OpId,
    viewer: &Viewer,
) -> Option<(String, Vec<String>)> {
    let views = sequencer.views();
    let (operation, records) = operation_of(sequencer, op, viewer)?;
    let account = views.state.account(views.state.owner_of(&operation)?)?;
    let archive = &sequencer.ledger().archive;
    let all = records.iter().flat_map(|record| read_back(archive, record));
    let ids = all.filter(|sent| sent.op == op).map(|sent| views.event_id(&sent));
    Some((account.name.to_string(), ids.collect()))
}

/// The notifications of the operation that these records made.
fn notifications(
    sequencer: &Sequencer,
    (records, op): (&[Record], OpId),
    viewer: &Viewer,
    arrivals: &Arrivals,
) -> Table {
    let lang = viewer.lang;
    let table = Table::new(
        viewer.t("Avisos ao cliente", "Notifications"),
        viewer.t("Nenhum aviso.", "No notification."),
    );
    let mut table = table
        .numbers(lang.t("Registro", "Record"))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Aviso", "Notification"))
        .column(lang.t("Entrega", "Delivery"))
        .column(lang.t("Origem do registro", "Origin of the record"));
    let none = || Cell::text(lang.t("nenhuma registrada", "none recorded"));
    for record in records {
        let notifications = read_back(&sequencer.ledger().archive, record);
        for notification in notifications.iter().filter(|sent| sent.op == op) {
            table.rows.push(vec![
                viewer.record_cell(record.seq.0),
                Cell::text(local(notification.at, lang)),
                Cell::code(ledger_core::contract::topic(notification.topic)),
                arrivals
                    .get(&sequencer.views().event_id(notification))
                    .cloned()
                    .unwrap_or_else(none),
                Cell::text(words::cause(record, lang)),
            ]);
        }
    }
    table
}

/// What names a person in an answer: on a page its initials stand.
const NAMES: [&str; 3] = ["payer_name", "recipient_name", "merchant_name"];

/// What holds a name and a key in clear: on no page.
const IN_CLEAR: &str = "br_code";

/// The operation as its client is answered, field by field; persons are masked further, since an
/// address is passed on more easily than a key.
fn answer_section(view: &Value, viewer: &Viewer) -> Option<Section> {
    let fields = view.as_object()?;
    let shown = fields.iter().filter_map(|(name, value)| {
        let text = match value {
            Value::Null => return None,
            _ if name == IN_CLEAR => return None,
            Value::String(text) if NAMES.contains(&name.as_str()) => initials(text)?,
            Value::String(text) => text.clone(),
            Value::Array(items) if items.is_empty() => return None,
            Value::Array(items) => items.iter().map(on_one_line).collect::<Vec<_>>().join("; "),
            other => other.to_string(),
        };
        Some((name.clone(), Cell::code(text)))
    });
    let title = viewer.t("Como a API responde", "As the API answers");
    Some(Section::Facts { title, rows: shown.collect() })
}

/// The values of an object one after the other: `COMPLETED 2026-11-20T13:43:00Z`.
fn on_one_line(item: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match item {
        Value::Object(fields) => fields.values().map(text).collect::<Vec<_>>().join(" "),
        other => text(other),
    }
}

/// Tells whether every operation that a record moved is the viewer's, and there is one.
pub(super) fn is_of(sequencer: &Sequencer, seq: Seq, viewer: &Viewer) -> bool {
    let Some(only) = viewer.only else { return true };
    let views = sequencer.views();
    let Some(record) = views.archive.record(seq) else { return false };
    let ops = record.events.iter().filter_map(Event::op);
    let mut owners = ops.map(|op| views.state.owner_of(&views.operation(op)?)).peekable();
    owners.peek().is_some() && owners.all(|owner| owner == Some(only))
}
