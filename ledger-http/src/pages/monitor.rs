//! The private monitor of an account: what it has, what is blocked and until when, what moved it,
//! and the entries behind every number. Whoever has its address reads, and nothing more (AUTH-10).

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::Secret;
use ledger_core::id::{AccountId, OpId, Seq, SubaccountId};
use ledger_core::ledger::Archive as _;
use ledger_store::sequencer::Sequencer;

use super::format::{brl, count};
use super::html::{away, nothing_here, page};
use super::lang::Lang;
use super::layout::{Cell, Figure, MenuItem, Page, Section, as_of};
use super::ledger::statement::{self, ROWS, Whose, rows};
use super::ledger::viewer::{Viewer, segment};
use super::ledger::{plain, record, words};
use crate::service::Service;

/// What an address asks for besides whose monitor it is.
#[derive(Clone, Default)]
pub(super) struct Filter {
    pub(super) customer: Option<String>,
    pub(super) before: Option<u32>,
    pub(super) after: Option<u32>,
}

impl Filter {
    pub(super) fn from_request(head: &Parts) -> Self {
        let mut filter = Self::default();
        let query = head.uri.query().unwrap_or_default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "customer" if !value.is_empty() => filter.customer = Some(value.into_owned()),
                "before" => filter.before = value.parse().ok(),
                "after" => filter.after = value.parse().ok(),
                _ => {}
            }
        }
        filter
    }
}

/// What a page of a monitor or of the dashboard has: its title, what it is of, its sections.
pub(super) type Content = (String, String, Vec<Section>);

/// Answers `GET /monitor/{token}`: balances and latest rows.
pub(super) async fn overview(
    State(service): State<Service>,
    Path(token): Path<String>,
    head: Parts,
) -> Response {
    let filter = Filter::from_request(&head);
    let shown = move |sequencer: &Sequencer, account, viewer: &Viewer| -> Option<Content> {
        let whose = Whose::find(sequencer, account, filter.customer.clone())?;
        let after = filter.after.map(SubaccountId);
        let mut sections = statement::overview(sequencer, account, &whose, viewer, after);
        if whose.customer.is_none() {
            sections.insert(0, total(sequencer, account, viewer));
        }
        Some((whose.name.clone(), whose.display_name(viewer), sections))
    };
    respond(&service, &head, &token, "", shown).await
}

/// The account as a whole: the house and every customer together, and those below zero.
fn total(sequencer: &Sequencer, account: AccountId, viewer: &Viewer) -> Section {
    let of: serde_json::Value = sequencer.views().consolidated_balance(account).into();
    let (own, clients) = (&of["casa"], &of["clientes"]);
    let cents = |value: &serde_json::Value| i128::from(value.as_i64().unwrap_or_default());
    let both = |name: &str| cents(&own[name]) + cents(&clients[name]);
    let figure = |name: String, amount: i128, note: String| Figure {
        name,
        value: Cell::number(brl(amount, viewer.lang)),
        note,
    };
    let customers = count(clients["quantidade"].as_u64().unwrap_or_default(), viewer.lang);
    let below = cents(&of["total_negativo_cents"]);
    let below = match below {
        0 => String::new(),
        below => {
            format!("{} {}", viewer.t("abaixo de zero:", "below zero:"), brl(below, viewer.lang))
        }
    };
    Section::Figures(vec![
        figure(
            viewer.t("Total da conta", "Total of the account"),
            cents(&of["total_cents"]),
            match viewer.lang {
                Lang::Pt => format!("casa e {customers} clientes"),
                Lang::En => format!("house and {customers} customers"),
            },
        ),
        figure(
            viewer.t("Disponível, no total", "Available in all"),
            both("disponivel_cents"),
            below,
        ),
        figure(
            viewer.t("Bloqueado, no total", "Blocked in all"),
            both("bloqueado_cents"),
            String::new(),
        ),
    ])
}

/// Answers `GET /monitor/{token}/statement`: a page of statement rows.
pub(super) async fn statement(
    State(service): State<Service>,
    Path(token): Path<String>,
    head: Parts,
) -> Response {
    let filter = Filter::from_request(&head);
    let shown = move |sequencer: &Sequencer, account, viewer: &Viewer| -> Option<Content> {
        let whose = Whose::find(sequencer, account, filter.customer.clone())?;
        let table = rows(sequencer, &whose, viewer, (filter.before, ROWS));
        let title = viewer.t("Extrato", "Statement");
        let of = format!("{} · {}", whose.name, whose.display_name(viewer));
        Some((title, of, vec![Section::Table(table)]))
    };
    respond(&service, &head, &token, "statement", shown).await
}

/// Answers `GET /monitor/{token}/operations/{id}`: one operation of the account.
pub(super) async fn one_operation(
    State(service): State<Service>,
    Path((token, id)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let shown = move |sequencer: &Sequencer, _, viewer: &Viewer| -> Option<Content> {
        let op = OpId::parse(&id, &sequencer.ledger().state.name)?;
        let sections = plain::sections(sequencer, op, viewer)?;
        Some((words::kind(op.kind(), viewer.lang).to_owned(), id.clone(), sections))
    };
    respond(&service, &head, &token, "operations", shown).await
}

/// Answers `GET /monitor/{token}/records/{seq}`: one record that concerns the account.
pub(super) async fn one_record(
    State(service): State<Service>,
    Path((token, seq)): Path<(String, String)>,
    head: Parts,
) -> Response {
    let shown = move |sequencer: &Sequencer, _, viewer: &Viewer| -> Option<Content> {
        let seq = seq.parse().ok()?;
        let mut sections = record::sections(sequencer, seq, viewer)?;
        // Its entries in words, in the place of those by accounts of the chart.
        let record = sequencer.ledger().archive.record(Seq(seq))?;
        let moved = plain::movements(sequencer, &[record], None, viewer);
        sections[1] = Section::Table(moved);
        Some((format!("{} {seq}", viewer.t("Registro", "Record")), String::new(), sections))
    };
    respond(&service, &head, &token, "records", shown).await
}

/// The page that is shown to whoever brings this token; to anybody else, that there is none.
async fn respond<F>(
    service: &Service,
    head: &Parts,
    token: &str,
    here: &'static str,
    shown: F,
) -> Response
where
    F: Fn(&Sequencer, AccountId, &Viewer) -> Option<Content> + Clone + Send + 'static,
{
    let lang = Lang::from_request(head);
    let base = format!("{}/monitor/{}", base_path(service), segment(token));
    for ledger in service.ledgers().all() {
        let (shown, base, token) = (shown.clone(), base.clone(), Secret::new(token));
        let other_language = Lang::switch(head);
        let (ledgers, its) = (service.ledgers().clone(), Arc::clone(ledger));
        let found = ledger.read(move |sequencer| {
            let account = sequencer.views().monitored_account(sequencer.tokens(), &token).ok()?;
            // Of an account that moved, the ledger that it left knows what was left there.
            let known = sequencer.ledger().state.account(account)?;
            if !ledgers.lives_in(&its, &known.name) {
                return None;
            }
            let viewer = Viewer { lang, base, only: Some(account) };
            let content = shown(sequencer, account, &viewer);
            Some(content.map(|content| Page {
                other_language,
                ..build_page(sequencer, &viewer, here, content)
            }))
        });
        match found.await {
            Ok(None) => {}
            Ok(Some(Some(found))) => return page(head, StatusCode::OK, &found),
            Ok(Some(None)) => return nothing_here(head),
            Err(_) => return away(head),
        }
    }
    nothing_here(head)
}

/// The path that the service's own address has, where it is not served at the root.
pub(super) fn base_path(service: &Service) -> &str {
    let config = service.parts().documents.as_ref();
    let url = config.map_or("", |config| config.base_url.as_str());
    let host = url.find("://").map_or(0, |place| place + 3);
    url[host..].find('/').map_or("", |place| &url[host + place..])
}

fn build_page(
    sequencer: &Sequencer,
    viewer: &Viewer,
    here: &'static str,
    (title, subtitle, sections): Content,
) -> Page {
    let lang = viewer.lang;
    let item = |name, path: &str| MenuItem {
        name,
        href: format!("{}{}{path}", viewer.base, if path.is_empty() { "" } else { "/" }),
        here: path == here,
    };
    let state = &sequencer.ledger().state;
    let site = if state.is_live() {
        viewer.t("Monitor", "Monitor")
    } else {
        viewer.t("Monitor · ambiente de testes", "Monitor · test environment")
    };
    let as_of = as_of(state, lang);
    Page {
        lang,
        title,
        subtitle,
        site,
        menu: vec![
            item(viewer.t("Saldo", "Balance"), ""),
            item(viewer.t("Extrato", "Statement"), "statement"),
        ],
        other_language: String::new(),
        search: None,
        refresh: None,
        sections,
        as_of,
    }
}
