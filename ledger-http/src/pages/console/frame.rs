//! The frame of every view: which ledger, in which language, the menu, as of which record.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use ledger_core::ledger::State as Ledger;
use ledger_store::engine::EngineStatus;
use ledger_store::sequencer::Sequencer;

use super::filters::{refresh_seconds, unreadable};
use crate::edge::path::requery;
use crate::ledgers::OpenLedger;
use crate::operation::health;
use crate::pages::html::{self, NoAnswer, away, away_because, nothing_here};
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, MenuItem, Page, Refresh, Section, as_of};
use crate::pages::ledger::viewer::{Viewer, segment};
use crate::service::Service;

/// What a view shows: its heading, what it is of, and its sections.
pub(super) struct Content {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) sections: Vec<Section>,
}

/// One request for a view.
pub(super) struct Frame {
    pub(super) service: Service,
    pub(super) head: Parts,
    pub(super) viewer: Viewer,
    ledger: Arc<OpenLedger>,
    /// The menu's entry that the view is.
    here: &'static str,
    /// Tells whether it may be loaded anew by itself, because it changes while it is looked at.
    refreshes: bool,
}

/// After how many seconds a page is loaded anew, unless the address says another number.
const REFRESH: &str = "30";

/// The views of the menu: their paths and names.
const MENU: [(&str, &str, &str); 15] = [
    ("", "Visão geral", "Overview"),
    ("solvency", "Solvência", "Solvency"),
    ("trial-balance", "Balancete", "Trial balance"),
    ("days", "Dias", "Days"),
    ("accounts", "Contas", "Accounts"),
    ("operations", "Operações", "Operations"),
    ("waiting", "Pendências", "Inbox"),
    ("decide", "Decisões", "Decisions"),
    ("person", "Pessoa", "Person"),
    ("records", "Registros", "Records"),
    ("fees", "Tarifas", "Fees"),
    ("limits", "Limites", "Limits"),
    ("webhooks", "Webhooks", "Webhooks"),
    ("requests", "Requisições", "Requests"),
    ("query", "Consulta", "Query"),
];

impl Frame {
    /// The frame for a ledger of this name.
    ///
    /// # Errors
    ///
    /// The page that says that there is none, or what of the address cannot be read.
    pub(super) fn for_ledger(
        service: Service,
        head: Parts,
        ledger: &str,
        here: &'static str,
    ) -> Result<Self, Box<Response>> {
        let Some(ledger) = service.ledgers().by_label(ledger).cloned() else {
            return Err(Box::new(nothing_here(&head)));
        };
        if let Some(response) = unreadable(&head, here, ledger.name()) {
            return Err(Box::new(response));
        }
        let base = format!("/{}", segment(ledger.label()));
        let viewer = Viewer { lang: Lang::from_request(&head), base, only: None };
        Ok(Self { service, head, viewer, ledger, here, refreshes: false })
    }

    /// The same for a view that may be loaded anew by itself.
    pub(super) fn refreshing(self) -> Self {
        Self { refreshes: true, ..self }
    }

    /// Returns what the address says of this name, if it says something.
    pub(super) fn query_value(&self, name: &str) -> Option<String> {
        let query = self.head.uri.query().unwrap_or_default();
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let found = pairs.find_map(|(known, value)| (known == name).then(|| value.into_owned()));
        found.filter(|value| !value.is_empty())
    }

    /// The same without blanks around it, which is how `filters` reads it.
    pub(super) fn filter_value(&self, name: &str) -> Option<String> {
        let value = self.query_value(name)?.trim().to_owned();
        Some(value).filter(|value| !value.is_empty())
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.filter_value(name)?.parse().ok()
    }

    pub(super) const fn ledger(&self) -> &Arc<OpenLedger> {
        &self.ledger
    }

    /// A view over all of the ledger, computed beside it.
    pub(super) async fn render_committed(
        self,
        view: impl FnOnce(&Self, &Ledger) -> Content + Send + 'static,
    ) -> Response {
        let Ok(state) = self.ledger().engine().committed_state().await else {
            return away(&self.head);
        };
        let (asked, computed) = (
            self.head.clone(),
            tokio::task::spawn_blocking(move || {
                let content = view(&self, &state);
                self.page(&state, content)
            }),
        );
        match computed.await {
            Ok((head, found)) => html::view(&head, &found),
            Err(_) => away(&asked),
        }
    }

    /// A view of what the archive or the vault knows; none where there is no such thing.
    pub(super) async fn read(
        self,
        view: impl FnOnce(&Self, &Sequencer) -> Option<Content> + Send + 'static,
    ) -> Response {
        let (ledger, head) = (Arc::clone(self.ledger()), self.head.clone());
        let found = ledger.read(move |sequencer| {
            let content = view(&self, sequencer)?;
            Some(self.page(&sequencer.ledger().state, content).1)
        });
        match found.await {
            Ok(Some(found)) => html::view(&head, &found),
            Ok(None) => nothing_here(&head),
            Err(_) => away(&head),
        }
    }

    fn page(self, state: &Ledger, content: Content) -> (Parts, Page) {
        let seconds = self.filter_value("refresh").and_then(|text| refresh_seconds(&text));
        let Self { service, head, viewer, ledger, here, refreshes } = self;
        let lang = viewer.lang;
        let item = |(path, pt, en): (&str, _, _)| MenuItem {
            name: lang.t(pt, en).to_owned(),
            href: format!("{}/{path}", viewer.base),
            here: path == here,
        };
        let mut menu: Vec<MenuItem> = MENU.into_iter().map(item).collect();
        let others = service.ledgers().all().filter(|other| other.label() != ledger.label());
        menu.extend(others.map(|other| MenuItem {
            name: format!("{} →", other.label()),
            href: format!("/{}/{here}", segment(other.label())),
            here: false,
        }));
        let as_of = as_of(state, lang);
        let Content { title, subtitle, mut sections } = content;
        let failing = service.ledgers().all().filter_map(|ledger| banner(&viewer, ledger));
        sections.splice(0..0, failing);
        let site = format!("Console · {}", ledger.label());
        let search = Some(format!("{}/find", viewer.base));
        let other_language = Lang::switch(&head);
        if let Some(seconds) = seconds {
            let links = sections.iter_mut().flat_map(Section::links_mut);
            let links = links.chain(menu.iter_mut().map(|item| &mut item.href));
            links.for_each(|href| remember(href, seconds));
        }
        // What is being filled in is not lost.
        let is_offered = refreshes && !sections.iter().any(Section::is_form);
        let refresh = is_offered.then(|| {
            let query = head.uri.query().unwrap_or_default();
            let other = if seconds.is_none() { Some(REFRESH) } else { None };
            Refresh { seconds, switch: requery(query, "refresh", other) }
        });
        let page = Page {
            lang,
            title,
            subtitle,
            site,
            menu,
            other_language,
            search,
            sections,
            refresh,
            as_of,
        };
        (head, page)
    }
}

/// Adds to a link of the console after how many seconds pages are loaded anew.
fn remember(href: &mut String, seconds: u32) {
    if href.starts_with('/') {
        let mark = if href.contains('?') { '&' } else { '?' };
        *href = format!("{href}{mark}refresh={seconds}");
    }
}

/// Returns what every view says first while a ledger's store takes no commit.
fn banner(viewer: &Viewer, ledger: &OpenLedger) -> Option<Section> {
    let text = fault(ledger, viewer.lang)?;
    Some(Section::Facts {
        title: viewer.t("Gravação falha", "Writing fails"),
        rows: vec![(ledger.label().to_owned(), Cell::mark(text))],
    })
}

/// Returns why a ledger does not write, and the command that says what to do; none where it does.
fn fault(ledger: &OpenLedger, lang: Lang) -> Option<String> {
    let status = ledger.engine().status();
    let advice = health::advice(&status)?;
    let why = match status {
        EngineStatus::Failing(failing) => {
            let said = lang.t(
                "nada é gravado; o que precisa ser gravado é respondido com 503",
                "nothing is written; what needs writing is answered 503",
            );
            format!("{said} ({} s): {}", failing.since.elapsed().as_secs(), failing.why)
        }
        EngineStatus::LeaseLapsed => lang.t("o lease venceu", "its lease has lapsed").to_owned(),
        EngineStatus::Fenced { .. } => {
            lang.t("outro processo assumiu a escrita", "another writer has taken over").to_owned()
        }
        _ => lang.t("a escrita parou", "writing has stopped").to_owned(),
    };
    let what_to_do = lang.t("o que fazer", "what to do");
    Some(format!("{}: {why} ({what_to_do}: {advice})", ledger.label()))
}

/// Says on the page for a ledger that gives no answer why there is none, by what each ledger's
/// engine says of itself.
pub(super) async fn explain_no_answer(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Response {
    let (head, body) = request.into_parts();
    let asked = head.clone();
    let response = next.run(Request::from_parts(head, body)).await;
    if response.extensions().get::<NoAnswer>().is_none() {
        return response;
    }
    let lang = Lang::from_request(&asked);
    let faults: Vec<String> =
        service.ledgers().all().filter_map(|ledger| fault(ledger, lang)).collect();
    away_because(&asked, &faults.join("; "))
}

/// A path that no view has.
pub(super) async fn nowhere(State(_): State<Service>, head: Parts) -> Response {
    nothing_here(&head)
}
