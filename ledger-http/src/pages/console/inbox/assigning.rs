//! Assigning: with whom an operation of the inbox is, the note beside it, and who changes them.

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::{Code, Problem, RouteKind};
use ledger_core::id::OpId;

use crate::operators::OperatorsFailed;
use crate::operators::assigning::{Assigning, Assignment, LONGEST, assign, is_at_hand};
use crate::operators::decided::NotDecided;
use crate::pages::console::deciding::{SignedIn, asking};
use crate::pages::console::frame::{Content, Frame};
use crate::pages::format::local;
use crate::pages::forms::{field, see, with_forms};
use crate::pages::html::{apology, away};
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, Input, Section};
use crate::pages::ledger::viewer::{Viewer, segment};
use crate::pages::ledger::words;
use crate::service::Service;

/// With whom an operation is, in one line: `bia · asks the bank on Monday`.
pub(super) fn in_one_line(assignment: Option<&Assignment>, lang: Lang) -> String {
    let nobody = || lang.t("ninguém", "nobody").to_owned();
    let Some(assignment) = assignment else { return nobody() };
    let with = assignment.with.clone().unwrap_or_else(nobody);
    if assignment.note.is_empty() { with } else { format!("{with} · {}", assignment.note) }
}

/// The page on which an operation is assigned.
pub(in crate::pages::console) fn href(viewer: &Viewer, id: &str) -> String {
    format!("{}/waiting/{}", viewer.base, segment(id))
}

/// With whom an operation of the frame's ledger is; nothing where no operators are kept.
pub(in crate::pages::console) async fn find_assignment(
    frame: &Frame,
    id: &str,
) -> Result<Option<Assignment>, OperatorsFailed> {
    let Some(operators) = frame.service.operators() else { return Ok(None) };
    let all = operators.assignments(frame.ledger().label()).await?;
    Ok(all.into_iter().find(|assignment| assignment.operation == id))
}

/// The same as names and what they are.
pub(in crate::pages::console) fn facts(
    assignment: Option<&Assignment>,
    id: &str,
    viewer: &Viewer,
) -> Section {
    let lang = viewer.lang;
    let with = assignment.and_then(|it| it.with.as_deref());
    let with = with.map_or_else(|| viewer.t("ninguém", "nobody"), str::to_owned);
    let with = Cell::text(with).to(href(viewer, id));
    let mut rows = vec![(viewer.t("Com quem", "With whom"), with)];
    if let Some(assignment) = assignment {
        if !assignment.note.is_empty() {
            rows.push((viewer.t("Nota", "Note"), Cell::text(&*assignment.note)));
        }
        let changed = format!("{}, {}", assignment.by, local(assignment.at, lang));
        rows.push((viewer.t("Mudou por último", "Last changed"), Cell::text(changed)));
    }
    Section::Facts { title: viewer.t("Nas pendências", "In the inbox"), rows }
}

/// Answers `GET /{ledger}/waiting/{id}`: the form to assign one operation.
pub(in crate::pages::console) async fn view(
    State(service): State<Service>,
    Path((ledger, id)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let (frame, signed_in) = match SignedIn::open_frame((service, &ledger), head, "waiting").await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    let Ok(assignment) = find_assignment(&frame, &id).await else { return away(&frame.head) };
    let has_operators = frame.service.operators().is_some();
    let page = frame.read(move |frame, sequencer| {
        let op = OpId::parse(&id, &sequencer.ledger().state.name)?;
        let at_hand = is_at_hand(&sequencer.ledger().state, op);
        at_hand.then(|| content(frame, (op, &id), assignment.as_ref(), signed_in.as_ref()))
    });
    let page = page.await;
    if has_operators { with_forms(page) } else { page }
}

fn content(
    frame: &Frame,
    (op, id): (OpId, &str),
    assignment: Option<&Assignment>,
    signed_in: Option<&SignedIn>,
) -> Content {
    let viewer = &frame.viewer;
    let operation = (viewer.t("Operação", "Operation"), viewer.operation_cell(id));
    let mut sections = vec![
        Section::Facts { title: String::new(), rows: vec![operation] },
        facts(assignment, id, viewer),
    ];
    match (frame.service.operators(), signed_in) {
        (None, _) => sections.push(Section::Note(viewer.t(
            "Este serviço não guarda operadores, e por isso nada fica com alguém.",
            "This service keeps no operators, so nothing is with anybody.",
        ))),
        (Some(_), None) => sections.push(asking(viewer.lang, frame.head.uri.path())),
        (Some(_), Some(signed_in)) if signed_in.operator.may_assign() => {
            sections.extend(forms(assignment, id, signed_in, viewer));
            sections.push(signed_in.sign_out(viewer.lang));
        }
        (Some(_), Some(signed_in)) => {
            sections.push(Section::Note(viewer.t(
                "Os seus papéis não incluem decidir, nem tomar pendências.",
                "Your roles include neither deciding nor taking what waits.",
            )));
            sections.push(signed_in.sign_out(viewer.lang));
        }
    }
    let subtitle = viewer.t(
        "Com quem está e uma nota: não são fatos do livro, e somem quando a operação termina.",
        "With whom it is and a note: no facts of the ledger, gone when the operation ends.",
    );
    Content { title: words::kind(op.kind(), viewer.lang).to_owned(), subtitle, sections }
}

/// The buttons that take it and give it back, and the form that says all.
fn forms(
    assignment: Option<&Assignment>,
    id: &str,
    signed_in: &SignedIn,
    viewer: &Viewer,
) -> Vec<Section> {
    let was = assignment.and_then(|it| it.with.clone()).unwrap_or_default();
    let hidden = || vec![("token", signed_in.token()), ("was", was.clone())];
    let button = |with: &str, go: String| {
        let hidden = [hidden(), vec![("with", with.to_owned())]].concat();
        Section::Form { action: href(viewer, id), hidden, fields: Vec::new(), go }
    };
    let mut forms = Vec::new();
    if was != signed_in.operator.name {
        forms.push(button("me", viewer.t("Ficar com ela", "Take it upon me")));
    }
    if !was.is_empty() {
        forms.push(button("nobody", viewer.t("Devolver", "Give it back")));
    }
    let text = |name, note: String, value: String| Input {
        name,
        note,
        value,
        required: false,
        secret: false,
    };
    let whom =
        viewer.t("o nome de um operador; vazio: ninguém", "an operator's name; empty: nobody");
    let (at_most, letters) =
        (viewer.t("uma linha, até", "a line, up to"), viewer.t("letras", "letters"));
    let longest = format!("{at_most} {LONGEST} {letters}");
    let note = assignment.map(|it| it.note.clone()).unwrap_or_default();
    forms.push(Section::Form {
        action: href(viewer, id),
        hidden: hidden(),
        fields: vec![text("with", whom, was.clone()), text("note", longest, note)],
        go: viewer.t("Anotar", "Write it down"),
    });
    forms
}

/// `POST /{ledger}/waiting/{id}`: takes a form, and leads back to the inbox.
pub(in crate::pages::console) async fn send(
    State(service): State<Service>,
    Path((ledger, id)): Path<(String, String)>,
    request: Request,
) -> Response {
    let (head, signed_in, sent) = match SignedIn::read_form(&service, request).await {
        Ok(sent) => sent,
        Err(response) => return *response,
    };
    let given = |name: &str| {
        let is_sent = sent.iter().any(|(known, _)| known == name);
        is_sent.then(|| field(&sent, name).to_owned())
    };
    let asked = Assigning {
        ledger: ledger.clone(),
        operation: id,
        with: given("with"),
        note: given("note"),
        was: given("was"),
    };
    match assign(&service, &signed_in.operator, asked).await {
        Ok(_) => see(&format!("/{}/waiting", segment(&ledger))),
        Err(NotDecided::Refused(problem)) => refusal_page(&head, &problem),
        Err(NotDecided::Unanswered(_)) => away(&head),
    }
}

fn refusal_page(head: &Parts, problem: &Problem) -> Response {
    let lang = Lang::from_request(head);
    let status = StatusCode::from_u16(problem.code.status(RouteKind::Other));
    let sentence = match problem.code {
        Code::StateInvalid => lang.t(
            "Outra pessoa ficou com ela, ou a operação terminou: veja de novo.",
            "Somebody else took it, or the operation has ended: look again.",
        ),
        Code::RequestInvalid => lang.t(
            "Não há operador desse nome, ou a nota é longa demais ou tem mais de uma linha.",
            "There is no operator of this name, or the note is too long or has several lines.",
        ),
        Code::NotPermitted => {
            lang.t("Os seus papéis não incluem decidir.", "Your roles do not include deciding.")
        }
        _ => lang.t("Não há tal operação.", "There is no such operation."),
    };
    let title = lang.t("Nada mudou", "Nothing changed");
    apology(head, status.unwrap_or(StatusCode::CONFLICT), title, sentence)
}
