//! The form of a decision: filled in, shown as what it would book, and confirmed.

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::{Need, Problem, RouteKind};
use ledger_core::ledger::State as Ledger;
use ledger_store::sequencer::Preview;
use serde_json::{Map, Value};

use super::session::{SignedIn, asking};
use super::{others, waiting, words};
use crate::operators::decided::{Decided, NotDecided, Proposal};
use crate::operators::deciding::decide;
use crate::operators::decisions;
use crate::operators::declining::decline;
use crate::operators::persons::shape::{Shape, is_about_a_person};
use crate::operators::second::{DecisionKey, Proposed};
use crate::pages::console::frame::{Content, Frame};
use crate::pages::forms::{field, forbidden_page, see, with_forms};
use crate::pages::html::{away, nothing_here};
use crate::pages::layout::{Cell, Input, Section, Table};
use crate::pages::ledger::operation::{leg_cells, leg_columns};
use crate::pages::ledger::viewer::{Viewer, segment};
use crate::service::Service;

/// What a person has filled in, by the names of fields.
type Filled = Vec<(&'static str, String)>;

/// `GET /{ledger}/decide`: all decisions, or with `?decision=` the form of one.
pub(super) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let (frame, signed_in) = match SignedIn::open_frame((service, &ledger), head, "decide").await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    let proposed = match (frame.filter_value("decision"), frame.query_value("proposal")) {
        (Some(decision), Some(id)) => {
            let Ok(waiting) = waiting(&frame).await else { return away(&frame.head) };
            let mut waiting = waiting.into_iter();
            waiting.find(|it| it.key.decision == decision && it.key.id == id)
        }
        _ => None,
    };
    let page = frame.render_committed(move |frame, state| {
        form_content((frame, state), signed_in.as_ref(), proposed.as_ref())
    });
    with_forms(page.await)
}

fn form_content(
    (frame, state): (&Frame, &Ledger),
    signed_in: Option<&SignedIn>,
    proposed: Option<&Proposed>,
) -> Content {
    let (viewer, lang) = (&frame.viewer, frame.viewer.lang);
    let named = frame.filter_value("decision").and_then(|name| decisions::find_by_name(&name));
    let mut sections = Vec::new();
    match (frame.service.operators(), signed_in) {
        (None, _) => sections.push(Section::Note(viewer.t(
            "Este serviço não guarda operadores, e por isso ninguém decide por aqui.",
            "This service keeps no operators, so nobody decides from here.",
        ))),
        (Some(_), None) => {
            let to = frame.head.uri.path_and_query().map_or("/", |target| target.as_str());
            sections.push(asking(lang, to));
        }
        (Some(_), Some(signed_in)) => {
            if let Some((shape, right)) = named {
                if signed_in.operator.has(right) {
                    let filled = match proposed {
                        Some(proposed) => {
                            let (by, id) = (&proposed.by, &proposed.key.id);
                            let waits = viewer.t("Proposta de", "Proposed by");
                            sections.push(Section::Note(format!("{waits} {by}: {id}.")));
                            sections.push(declining(shape, id, signed_in, viewer));
                            proposed_fields(shape, &proposed.body)
                        }
                        None => filled_fields(shape, |name| frame.query_value(name)),
                    };
                    sections.push(entry(shape, &filled, signed_in, viewer));
                    sections.extend(others(frame, shape, state));
                } else {
                    sections.push(Section::Note(viewer.t(
                        "Os seus papéis não incluem esta decisão.",
                        "Your roles do not include this decision.",
                    )));
                }
            }
            sections.push(signed_in.sign_out(lang));
        }
    }
    let (title, subtitle) = match named {
        Some((shape, _)) => (shape.name.to_owned(), words::meaning(shape, lang).to_owned()),
        None => {
            sections.insert(0, all(viewer));
            let subtitle = viewer.t(
                "O que uma pessoa decide; antes, cada decisão mostra o que lançaria.",
                "What a person decides; each decision first shows what it would book.",
            );
            (viewer.t("Decisões", "Decisions"), subtitle)
        }
    };
    Content { title, subtitle, sections }
}

/// Every decision, each a link to its form.
fn all(viewer: &Viewer) -> Section {
    let row = |shape: Shape| {
        let href = format!("{}/decide?decision={}", viewer.base, shape.name);
        (shape.name.to_owned(), Cell::text(words::meaning(shape, viewer.lang)).to(href))
    };
    let rows = decisions::all().map(|(shape, _)| row(shape)).collect();
    Section::Facts { title: String::new(), rows }
}

/// The fields of a decision that are given; one without an id gets one of its own.
fn filled_fields(shape: Shape, given: impl Fn(&str) -> Option<String>) -> Filled {
    let fields = decisions::fields(shape);
    let fresh = |name| {
        let id = crate::supply::fresh().ok().filter(|_| name == "id")?;
        Some(format!("console-{}", &id[..16]))
    };
    let value = |name: &'static str| {
        let value = given(name).filter(|value| !value.trim().is_empty());
        Some((name, value.or_else(|| fresh(name))?))
    };
    fields.filter_map(|field| value(field.name)).collect()
}

/// The fields of a decision as they were proposed.
fn proposed_fields(shape: Shape, body: &Value) -> Filled {
    filled_fields(shape, |name| match body.get(name)? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    })
}

/// The button that declines a decision that waits for a second operator.
fn declining(shape: Shape, id: &str, signed_in: &SignedIn, viewer: &Viewer) -> Section {
    let mut hidden = vec![("token", signed_in.token()), ("decision", shape.name.to_owned())];
    hidden.extend([("step", "decline".to_owned()), ("id", id.to_owned())]);
    let go = viewer.t("Recusar a proposta", "Decline the proposal");
    Section::Form { action: format!("{}/decide", viewer.base), hidden, fields: Vec::new(), go }
}

/// The form of a decision, as far as it is filled in.
fn entry(
    shape: Shape,
    filled: &[(&'static str, String)],
    signed_in: &SignedIn,
    viewer: &Viewer,
) -> Section {
    let value = |name: &str| {
        let found = filled.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let mut hidden = vec![("token", signed_in.token()), ("decision", shape.name.to_owned())];
    hidden.push(("id", value("id")));
    let shown = decisions::fields(shape).filter(|field| field.name != "id");
    let fields = shown.map(|field| Input {
        name: field.name,
        note: words::note(field, viewer.lang).to_owned(),
        value: value(field.name),
        required: field.need == Need::Required,
        secret: false,
    });
    Section::Form {
        action: format!("{}/decide", viewer.base),
        hidden,
        fields: fields.collect(),
        go: viewer.t("Mostrar o que lançaria", "Show what it would book"),
    }
}

/// `POST /{ledger}/decide`: tries a decision, or takes it where the form confirms it.
pub(super) async fn send(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    request: Request,
) -> Response {
    let (head, signed_in, sent) = match SignedIn::read_form(&service, request).await {
        Ok(sent) => sent,
        Err(response) => return *response,
    };
    let Some((shape, _)) = decisions::find_by_name(field(&sent, "decision")) else {
        return nothing_here(&head);
    };
    let inbox = format!("/{}/waiting", segment(&ledger));
    if field(&sent, "step") == "decline" {
        let (decision, id) = (shape.name.to_owned(), field(&sent, "id").to_owned());
        let key = DecisionKey { ledger, decision, id };
        return match decline(&service, &signed_in.operator, key).await {
            Ok(_) => see(&inbox),
            Err(NotDecided::Refused(_)) => forbidden_page(&head),
            Err(NotDecided::Unanswered(_)) => away(&head),
        };
    }
    let filled = filled_fields(shape, |name| Some(field(&sent, name).to_owned()));
    let proposal = Proposal {
        name: shape.name.to_owned(),
        ledger: Some(ledger.clone()),
        body: body_of(shape, &filled),
        dry_run: field(&sent, "step") != "confirm",
    };
    let (status, outcome) = match decide(&service, &signed_in.operator, proposal).await {
        Ok(Decided { preview, response: Some(response), .. }) => {
            let record = response.body["record"].as_u64().or(preview.first.map(|seq| seq.0));
            let ledger = segment(&ledger);
            if is_about_a_person(shape.name) {
                return see(&format!("/{ledger}/person"));
            }
            return see(&record.map_or_else(
                || format!("/{ledger}/decide"),
                |record| format!("/{ledger}/records/{record}"),
            ));
        }
        Ok(Decided { wants_second: true, .. }) if field(&sent, "step") == "confirm" => {
            return see(&inbox);
        }
        Ok(decided) => (StatusCode::OK, Ok(decided)),
        Err(NotDecided::Refused(problem)) => {
            let status = StatusCode::from_u16(problem.code.status(RouteKind::Other));
            (status.unwrap_or(StatusCode::CONFLICT), Err(problem))
        }
        Err(NotDecided::Unanswered(_)) => return away(&head),
    };
    let frame = match Frame::for_ledger(service, head, &ledger, "decide") {
        Ok(frame) => frame,
        Err(response) => return *response,
    };
    let tried = frame.render_committed(move |frame, _| {
        let viewer = &frame.viewer;
        let mut sections =
            match outcome {
                Ok(decided) => {
                    let mut sections =
                        would_book(&decided.preview, shape, &filled, (&signed_in, viewer));
                    if let Some(about) = &decided.about {
                        sections[1] = super::person::goes_and_stays(about, viewer);
                    }
                    if decided.wants_second {
                        sections.insert(0, Section::Note(viewer.t(
                        "Pede um segundo operador: confirmada, espera por ele nas pendências.",
                        "It wants a second operator: once confirmed, it waits in the inbox.",
                    )));
                    }
                    sections
                }
                Err(problem) => vec![refusal_section(&problem, viewer)],
            };
        sections.push(entry(shape, &filled, &signed_in, viewer));
        sections.push(signed_in.sign_out(viewer.lang));
        let (title, subtitle) =
            (shape.name.to_owned(), words::meaning(shape, viewer.lang).to_owned());
        Content { title, subtitle, sections }
    });
    let mut response = with_forms(tried.await);
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response
}

fn body_of(shape: Shape, filled: &[(&'static str, String)]) -> Value {
    let read = |(name, text): &(&'static str, String)| {
        let field = shape.field(name)?;
        Some(((*name).to_owned(), decisions::value(field, text)))
    };
    filled.iter().filter_map(read).collect::<Map<_, _>>().into()
}

/// Returns what a decision would book, and the button that takes it.
fn would_book(
    preview: &Preview,
    shape: Shape,
    filled: &[(&'static str, String)],
    (signed_in, viewer): (&SignedIn, &Viewer),
) -> Vec<Section> {
    let title = viewer.t("O que lançaria", "What it would book");
    let nothing = viewer.t("Nada: muda a situação.", "Nothing: it changes how it stands.");
    let mut table = leg_columns(Table::new(title, nothing), viewer);
    let legs = preview.events.iter().flatten();
    table.rows.extend(legs.map(|leg| leg_cells(leg, viewer).to_vec()));
    let mut hidden = vec![("token", signed_in.token()), ("decision", shape.name.to_owned())];
    hidden.push(("step", "confirm".to_owned()));
    hidden.extend(filled.iter().cloned());
    let rows = filled.iter().map(|(name, value)| ((*name).to_owned(), Cell::text(value)));
    let said =
        Section::Facts { title: viewer.t("A decisão", "The decision"), rows: rows.collect() };
    let go = viewer.t("Confirmar a decisão", "Confirm the decision");
    let action = format!("{}/decide", viewer.base);
    vec![said, Section::Table(table), Section::Form { action, hidden, fields: Vec::new(), go }]
}

/// Why a decision is refused.
fn refusal_section(problem: &Problem, viewer: &Viewer) -> Section {
    let why = viewer.t("Recusada; nada mudou", "Refused; nothing changed");
    let rows = vec![(problem.code.name().to_owned(), Cell::mark(&*problem.detail))];
    Section::Facts { title: why, rows }
}
