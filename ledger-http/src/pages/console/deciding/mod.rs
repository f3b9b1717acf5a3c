//! Decisions from the console: an operator signs in, sees what a decision would book, and confirms.

mod form;
mod person;
mod session;
mod words;

use axum::Router;
use axum::routing::{get, post};
use ledger_core::contract::Field;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::State;

use super::frame::Frame;
use crate::operators::decided::NotDecided;
use crate::operators::persons::shape::Shape;
use crate::operators::second::{DecisionKey, Proposed};
use crate::operators::{confirming, decisions};
use crate::pages::format::local;
use crate::pages::layout::{Cell, Section, Table};
use crate::pages::ledger::viewer::{Viewer, form_encode};
use crate::service::Service;

pub(super) use session::{SignedIn, asking};

/// The pages of decisions, for whoever may look at the console.
pub(super) fn routes() -> Router<Service> {
    Router::new().route("/{ledger}/decide", get(form::view).post(form::send))
}

/// The decisions of a ledger that wait for a second operator now.
pub(super) async fn waiting(frame: &Frame) -> Result<Vec<Proposed>, NotDecided> {
    confirming::waiting(&frame.service, frame.ledger().label()).await
}

/// The table of them, each a link to its form.
pub(super) fn proposals(waiting: &[Proposed], viewer: &Viewer) -> Option<Section> {
    if waiting.is_empty() {
        return None;
    }
    let lang = viewer.lang;
    let table = Table::new(lang.t("Pedem um segundo operador", "Want a second operator"), "")
        .column(lang.t("Decisão", "Decision"))
        .column("ID")
        .column(lang.t("Proposta por", "Proposed by"))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Até, Brasília", "Until, Brasília"));
    let row = |proposed: &Proposed| {
        let DecisionKey { decision, id, .. } = &proposed.key;
        let href =
            format!("{}/decide?decision={decision}&proposal={}", viewer.base, form_encode(id));
        vec![
            Cell { class: "go", ..Cell::text(&**decision).to(href) },
            Cell::code(&**id),
            Cell::text(&*proposed.by),
            Cell::text(local(proposed.at, lang)),
            Cell::text(local(proposed.until(), lang)),
        ]
    };
    Some(Section::Table(table.rows(waiting.iter().map(row))))
}

/// Returns what whoever is not signed in may ask for.
pub(super) fn open_routes() -> Router<Service> {
    Router::new().route("/sign-in", post(session::enter)).route("/sign-out", post(session::leave))
}

/// The decisions that an operation may want, each a link to its form.
pub(super) fn about(op: OpId, id: &str, viewer: &Viewer) -> Vec<Section> {
    let all = decisions::all().map(|(shape, _)| shape);
    let about = all.filter(|shape| decisions::field_for(*shape, op.kind()).is_some());
    let about: Vec<_> = about.collect();
    let rows = about.iter().map(|shape| {
        let href = form_of(viewer, shape.name, (op, id));
        (shape.name.to_owned(), Cell::text(words::meaning(*shape, viewer.lang)).to(href))
    });
    let title = viewer.t("Decidir", "Decide");
    let mut sections = vec![Section::Facts { title, rows: rows.collect() }];
    if about.iter().any(|shape| shape.name == "suspense.returned") {
        sections.push(Section::Note(viewer.t(
            "Espera até ser atribuído ou devolvido: não se dá baixa do que é de alguém.",
            "It waits until attached or returned: what is somebody's is never written off.",
        )));
    }
    sections
}

/// The other decisions about what the form of a decision names, each a link to its form.
fn others(frame: &Frame, shape: Shape, state: &State) -> Option<Section> {
    // The first field that names an operation says which the decision is about.
    let is_of = |field: &&Field| {
        Kind::all().any(|kind| decisions::field_for(shape, kind) == Some(field.name))
    };
    let id =
        decisions::fields(shape).filter(is_of).find_map(|field| frame.query_value(field.name))?;
    let op = OpId::parse(&id, &state.name)?;
    let mut about = about(op, &id, &frame.viewer).into_iter();
    let Some(Section::Facts { mut rows, .. }) = about.next() else { return None };
    rows.retain(|(name, _)| name != shape.name);
    let title = frame.viewer.t("Outras decisões", "Other decisions");
    (!rows.is_empty()).then_some(Section::Facts { title, rows })
}

/// The form of a decision about an operation.
pub(super) fn form_of(viewer: &Viewer, decision: &str, (op, id): (OpId, &str)) -> String {
    let shape = decisions::find_by_name(decision).map(|(shape, _)| shape);
    let field = shape.and_then(|shape| decisions::field_for(shape, op.kind()));
    let base = format!("{}/decide?", viewer.base);
    let mut href = form_urlencoded::Serializer::for_suffix(base.clone(), base.len());
    href.append_pair("decision", decision).append_pair(field.unwrap_or(op.field()), id);
    href.finish()
}
