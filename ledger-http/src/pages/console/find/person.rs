//! Person: everything that a ledger keeps of one, for a court or for the person, as a page and as
//! JSON. It shows values in clear, so it asks for the role `hold`, and is logged as a search is.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::pix::Document;
use ledger_store::vault::{Mentions, Person};
use serde_json::Value;

use super::json;
use crate::operation::lines::SearchNote;
use crate::operators::persons::acts::PersonAct;
use crate::operators::persons::certificate_path;
use crate::operators::role::{Operator, Right};
use crate::pages::console::deciding::{SignedIn, asking};
use crate::pages::console::frame::{Content, Frame};
use crate::pages::console::guard::operator_of;
use crate::pages::dossier;
use crate::pages::format::local;
use crate::pages::forms::with_forms;
use crate::pages::html::{accepts, apology, away};
use crate::pages::layout::{Cell, Choice, Section, Table};
use crate::pages::ledger::viewer::form_encode;
use crate::search::{Dossier, document};
use crate::service::Service;

/// Answers `GET /{ledger}/person?document=…`: everything kept of a person.
pub(in crate::pages::console) async fn view(
    State(service): State<Service>,
    Path(ledger): Path<String>,
    head: Parts,
) -> Response {
    let (frame, signed_in) = match SignedIn::open_frame((service, &ledger), head, "person").await {
        Ok(opened) => opened,
        Err(response) => return *response,
    };
    let (head, lang) = (frame.head.clone(), frame.viewer.lang);
    let asked = frame.query_value("document");
    let reader = operator_of(&frame.service, &head).await;
    let reader = reader.filter(|operator| operator.has(Right::HoldFunds));
    let Some(asked) = asked else {
        return render_page(frame, (signed_in, reader.is_some()), None).await;
    };
    let Some(reader) = reader else {
        let mut refused = render_page(frame, (signed_in, false), None).await;
        *refused.status_mut() = StatusCode::FORBIDDEN;
        return refused;
    };
    let Some(document) = document(&asked) else {
        // What was mistyped is not repeated: it may be somebody's.
        let title = lang.t("Documento ilegível", "Unreadable document");
        let sentence = lang.t("Não é um CPF nem um CNPJ.", "It is no CPF and no CNPJ.");
        return apology(&head, StatusCode::BAD_REQUEST, title, sentence);
    };
    let Some(found) = read(&frame, document, &reader).await else { return away(&head) };
    if accepts(&head, "application/json") {
        return json(&found);
    }
    render_page(frame, (signed_in, true), Some(found)).await
}

/// Reads a person's dossier, and says in the log who did.
async fn read(frame: &Frame, document: Document, reader: &Operator) -> Option<Value> {
    let ledger = Arc::clone(frame.ledger());
    let text = ledger.tokens().line(document.as_str());
    let engine = Arc::clone(ledger.engine());
    let person = Person::default().document(&document);
    let whose = person.clone();
    let mentions = tokio::task::spawn_blocking(move || {
        Mentions::read(&mut *engine.reader().ok()?, &whose).ok()
    });
    let mut dossier = Dossier::new(mentions.await.ok()??);
    loop {
        let step = ledger.read(move |sequencer| (dossier.go_on(sequencer), dossier));
        let (goes_on, next) = step.await.ok()?;
        dossier = next;
        if !goes_on {
            break;
        }
    }
    if let Some(operators) = frame.service.operators().cloned() {
        let (label, ids) = (ledger.label().to_owned(), dossier.operation_ids());
        let words =
            tokio::task::spawn_blocking(move || operators.words_about(&label, &person, &ids));
        dossier.add_words(words.await.ok()?.ok()?);
    }
    let found = dossier.json();
    frame.service.parts().access_log.note_search(&SearchNote {
        at: frame.service.now(),
        operator: Some(reader.name.clone()),
        text,
        person: true,
        hits: found["operations"].as_array().map_or(0, Vec::len),
    });
    Some(found)
}

/// The page: the field that asks whose dossier it is, and the dossier.
async fn render_page(
    frame: Frame,
    (signed_in, may): (Option<SignedIn>, bool),
    found: Option<Value>,
) -> Response {
    let has_operators = frame.service.operators().is_some();
    let (mut acts, mut certified) = (Vec::new(), BTreeSet::new());
    if let Some(operators) = frame.service.operators().filter(|_| may) {
        let label = frame.ledger().label();
        let read = (operators.acts(label, None).await, operators.certified_ids(label).await);
        let (Ok(known), Ok(ids)) = read else { return away(&frame.head) };
        (acts, certified) = (known, ids);
    }
    let page = frame.render_committed(move |frame, _| {
        let viewer = &frame.viewer;
        let mut sections = vec![Section::Filter {
            action: format!("{}/person", viewer.base),
            fields: vec![Choice {
                name: "document",
                label: viewer.t("CPF ou CNPJ", "CPF or CNPJ"),
                value: String::new(),
                options: Vec::new(),
            }],
            go: viewer.t("Ler o dossiê", "Read the dossier"),
        }];
        if may && has_operators {
            sections.extend(decisions_about(frame, found.as_ref(), (&acts, &certified)));
        }
        if !may {
            sections.push(Section::Note(viewer.t(
                "Ler de uma pessoa tudo o que se guarda pede um operador com o papel hold.",
                "Reading everything kept of a person asks for an operator with the role hold.",
            )));
            if has_operators && signed_in.is_none() {
                sections.push(asking(viewer.lang, frame.head.uri.path()));
            }
        }
        if let Some(found) = &found {
            let to = |id: &str| Some(viewer.operation(id));
            sections.extend(dossier::sections(found, viewer.lang, to));
        }
        let subtitle = viewer.t(
            "O que se guarda de uma pessoa, para um juízo ou para ela mesma; cada leitura é anotada.",
            "Everything kept of a person, for a court or for them; each reading is logged.",
        );
        Content { title: viewer.t("Pessoa", "Person"), subtitle, sections }
    });
    let page = page.await;
    if has_operators { with_forms(page) } else { page }
}

/// Returns what may be decided about a person, and what was.
fn decisions_about(
    frame: &Frame,
    found: Option<&Value>,
    (acts, certified): (&[PersonAct], &BTreeSet<String>),
) -> Vec<Section> {
    let (viewer, lang) = (&frame.viewer, frame.viewer.lang);
    // The page's own address names them already.
    let document = frame.query_value("document").filter(|_| found.is_some());
    let document =
        document.map(|text| format!("&document={}", form_encode(&text))).unwrap_or_default();
    let link = |decision: &str, of: &str| format!("{}/decide?decision={decision}{of}", viewer.base);
    let rows = vec![
        (
            viewer.t("Apagar", "Erase"),
            Cell::code("person.erased").to(link("person.erased", &document)),
        ),
        (viewer.t("Guardar", "Hold"), Cell::code("person.held").to(link("person.held", &document))),
        (
            viewer.t("Encerrar uma guarda", "Release a hold"),
            Cell::code("person.released").to(link("person.released", "")),
        ),
    ];
    let mut sections = vec![Section::Facts { title: viewer.t("Decidir", "Decide"), rows }];
    if !acts.is_empty() {
        let table = Table::new(viewer.t("Decididas sobre pessoas", "Decided about persons"), "")
            .column(lang.t("Quando, Brasília", "When, Brasília"))
            .column(lang.t("Quem", "Who"))
            .column(lang.t("O quê", "What"))
            .column(lang.t("Por quê", "Why"))
            .column(lang.t("Resultado", "Outcome"))
            .column(lang.t("Certificado", "Certificate"));
        let row = |act: &PersonAct| {
            let outcome = match &*act.outcome {
                "done" => lang.t("feita", "done"),
                "refused" => lang.t("recusada", "refused"),
                _ => lang.t("não se sabe", "unknown"),
            };
            vec![
                Cell::text(local(act.at, lang)),
                Cell::text(&*act.by),
                Cell::code(act.decision()),
                Cell::text(&*act.reason),
                Cell::text(outcome),
                certificate(act, certified),
            ]
        };
        sections.push(Section::Table(table.rows(acts.iter().map(row))));
    }
    sections
}

/// The link to the certificate of an erasure; nothing where there is none.
fn certificate(act: &PersonAct, certified: &BTreeSet<String>) -> Cell {
    if certified.contains(&act.id) {
        Cell::code(format!("{}.erased", act.id)).to(certificate_path(&act.ledger, &act.id))
    } else {
        Cell::default()
    }
}
