//! Operations: what is open, and one of them entry by entry.

use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::Words;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::State as Ledger;
use ledger_store::sequencer::Sequencer;

use super::frame::{Content, Frame};
use super::inbox::assigning;
use crate::courier::Delivery;
use crate::operators::assigning::is_at_hand;
use crate::pages::format::{age, count, local};
use crate::pages::html::away;
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::operation::{self, Arrivals};
use crate::pages::ledger::viewer::segment;
use crate::pages::ledger::words;
use crate::service::Service;

/// How many operations stand on a page.
const MOST: usize = 100;

/// Answers `GET /{ledger}/operations?kind=…&after=…`: the open operations.
pub(super) async fn list(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    match Frame::for_ledger(service, head, &ledger, "operations") {
        Ok(frame) => frame.refreshing().render_committed(open).await,
        Err(response) => *response,
    }
}

fn open(frame: &Frame, state: &Ledger) -> Content {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let kind = frame.filter_value("kind");
    let after = frame.filter_value("after").and_then(|id| OpId::parse(&id, &state.name));
    let mut found = state
        .open_operations()
        .filter(|(op, _)| kind.as_deref().is_none_or(|kind| op.kind().name() == kind))
        .skip_while(|(op, _)| after.is_some_and(|after| *op <= after));
    let nothing = viewer.t("Nenhuma operação está aberta.", "No operation is open.");
    let mut table = Table::new("", nothing)
        .column(lang.t("Operação", "Operation"))
        .column(lang.t("Tipo", "Kind"))
        .column(lang.t("Conta", "Account"))
        .column(lang.t("Situação", "Status"))
        .column(lang.t("Criada, Brasília", "Created, Brasília"))
        .numbers(lang.t("Idade", "Age"));
    let mut last = None;
    for (op, known) in found.by_ref().take(MOST) {
        let owner = state.owner_of(known);
        let account = owner.and_then(|account| state.account(account));
        let account = account.map_or_else(Cell::default, |known| {
            Cell::text(&*known.name).to(viewer.account(&known.name, None))
        });
        let status = Words::for_operation(known).status.unwrap_or_default();
        table.rows.push(vec![
            viewer.operation_cell(&op.text(&state.name)),
            Cell::text(words::kind(op.kind(), lang)),
            account,
            Cell::code(status),
            Cell::text(local(known.created_at, lang)),
            Cell::number(age(known.created_at, state.now)),
        ]);
        last = Some(op.text(&state.name));
    }
    if let (Some(last), true) = (last, found.next().is_some()) {
        let of = kind.as_deref().map(|kind| format!("&kind={kind}")).unwrap_or_default();
        let href = format!("{}/operations?after={last}{of}", viewer.base);
        table.next = Some((viewer.t("Mais operações", "More operations"), href));
    }
    let filter = kinds(state).into_iter().map(|(kind, open)| {
        let href = format!("{}/operations?kind={}", viewer.base, kind.name());
        (words::kind(kind, lang).to_owned(), Cell::text(count(open, lang)).to(href))
    });
    let filter: Vec<_> = filter.collect();
    let mut sections = Vec::new();
    if !filter.is_empty() {
        let title = viewer.t("Abertas, por tipo", "Open, by kind");
        sections.push(Section::Facts { title, rows: filter });
    }
    sections.push(Section::Table(table));
    let title = viewer.t("Operações abertas", "Open operations");
    Content { title, subtitle: String::new(), sections }
}

/// How many operations are open, by kind.
pub(super) fn kinds(state: &Ledger) -> Vec<(Kind, u64)> {
    let mut all: Vec<(Kind, u64)> = Kind::all().map(|kind| (kind, 0)).collect();
    for (op, _) in state.open_operations() {
        for (_, open) in all.iter_mut().filter(|(kind, _)| *kind == op.kind()) {
            *open += 1;
        }
    }
    all.retain(|(_, open)| *open > 0);
    all
}

/// Answers `GET /{ledger}/operations/{id}`: one operation, entry by entry.
pub(super) async fn one(
    State(service): State<Service>,
    Path((ledger, id)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let frame = match Frame::for_ledger(service, head, &ledger, "operations") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let Ok(assignment) = assigning::find_assignment(&frame, &id).await else {
        return away(&frame.head);
    };
    let Some(arrivals) = arrivals(&frame, &id).await else { return away(&frame.head) };
    let shown = move |frame: &Frame, sequencer: &Sequencer| {
        let op = OpId::parse(&id, &sequencer.ledger().state.name)?;
        let mut sections = operation::sections(sequencer, op, &frame.viewer, &arrivals)?;
        let at_hand = is_at_hand(&sequencer.ledger().state, op);
        if at_hand && frame.service.operators().is_some() {
            sections.insert(1, assigning::facts(assignment.as_ref(), &id, &frame.viewer));
            sections.extend(super::deciding::about(op, &id, &frame.viewer));
        }
        let title = words::kind(op.kind(), frame.viewer.lang).to_owned();
        Some(Content { title, subtitle: id, sections })
    };
    frame.refreshing().read(shown).await
}

/// Reads how the notifications of an operation arrived; none where the service cannot say now.
async fn arrivals(frame: &Frame, id: &str) -> Option<Arrivals> {
    let mut all = Arrivals::new();
    let Some(webhooks) = frame.service.webhooks().cloned() else { return Some(all) };
    let (viewer, asked) = (frame.viewer.clone(), id.to_owned());
    let found = frame.ledger().read(move |sequencer| {
        let op = OpId::parse(&asked, &sequencer.ledger().state.name)?;
        operation::notification_ids(sequencer, op, &viewer)
    });
    let Some((account, ids)) = found.await.ok()? else { return Some(all) };
    let base = format!("{}/webhooks/{}", frame.viewer.base, segment(&account));
    let deliveries = webhooks.deliveries(frame.ledger().environment(), account, ids).await.ok()?;
    for Delivery { event, state, .. } in deliveries {
        let cell = Cell::code(state.name()).to(format!("{base}/{event}"));
        all.insert(event, cell);
    }
    Some(all)
}
