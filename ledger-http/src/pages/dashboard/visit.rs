//! One request for a page of the dashboard: whose session it is, and which account it looks at.

use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::Environment;
use ledger_core::id::{AccountId, Token};
use ledger_core::ledger::State as Ledger;
use ledger_store::sequencer::Sequencer;

use super::guard::session;
use crate::pages::forms::{see, with_forms};
use crate::pages::html::{away, nothing_here, page};
use crate::pages::lang::Lang;
use crate::pages::layout::{MenuItem, Page, Section, as_of};
use crate::pages::ledger::viewer::{Viewer, segment};
use crate::pages::monitor::{Content, base_path};
use crate::panel::secret;
use crate::panel::tables::Session;
use crate::service::Service;

/// Whoever is signed in.
pub(super) struct SignedIn {
    pub(super) session: Session,
    cookie: String,
}

impl SignedIn {
    /// Whose session the request brings; nothing where it brings none that goes on.
    ///
    /// # Errors
    ///
    /// The page that says that there is no answer now.
    pub(super) async fn from_request(
        service: &Service,
        head: &Parts,
    ) -> Result<Option<Self>, Box<Response>> {
        let (Some(panel), Some(cookie)) = (service.panel(), session(service, &head.headers)) else {
            return Ok(None);
        };
        match panel.session(&cookie, service.now()).await {
            Ok(found) => Ok(found.map(|session| Self { session, cookie })),
            Err(_) => Err(Box::new(away(head))),
        }
    }

    /// The button that ends the session.
    pub(super) fn sign_out(&self, service: &Service, lang: Lang) -> Section {
        Section::Form {
            action: format!("{}/painel/leave", base_path(service)),
            hidden: vec![("token", secret::form_token(&self.cookie))],
            fields: Vec::new(),
            go: lang.t("Sair", "Sign out").to_owned(),
        }
    }
}

/// Tells whether an account was registered by the e-mail of this token.
pub(super) fn is_of(state: &Ledger, account: AccountId, owner: Token) -> bool {
    let known = state.account(account).and_then(|known| known.owner.as_ref());
    known.is_some_and(|known| known.email == Some(owner))
}

/// A request for a page of one account.
pub(super) struct Visit {
    service: Service,
    head: Parts,
    signed_in: SignedIn,
    environment: Environment,
    account: String,
    lang: Lang,
    /// The menu's entry that the page is.
    here: &'static str,
}

/// The pages of an account: their paths and names.
const MENU: [(&str, &str, &str); 6] = [
    ("", "Saldo", "Balance"),
    ("statement", "Extrato", "Statement"),
    ("operations", "Operações", "Operations"),
    ("commission", "Comissão", "Commission"),
    ("terms", "Tarifas", "Fees"),
    ("webhooks", "Webhooks", "Webhooks"),
];

impl Visit {
    /// A visit of whoever is signed in.
    ///
    /// # Errors
    ///
    /// The page that is shown instead: the sign-in, or that there is nothing here.
    pub(super) async fn for_account(
        service: Service,
        head: Parts,
        (ledger, account): (String, String),
        here: &'static str,
    ) -> Result<Self, Box<Response>> {
        let Some(signed_in) = SignedIn::from_request(&service, &head).await? else {
            return Err(Box::new(see(&format!("{}{}", base_path(&service), super::PATH))));
        };
        let mut known = Environment::ALL.into_iter();
        let Some(environment) = known.find(|environment| environment.name() == ledger) else {
            return Err(Box::new(nothing_here(&head)));
        };
        let lang = Lang::from_request(&head);
        Ok(Self { service, head, signed_in, environment, account, lang, here })
    }

    pub(super) const fn service(&self) -> &Service {
        &self.service
    }

    pub(super) const fn environment(&self) -> Environment {
        self.environment
    }

    pub(super) fn account(&self) -> &str {
        &self.account
    }

    /// The account and who looks at it, if it is theirs.
    fn viewer(&self, state: &Ledger) -> Option<(AccountId, Viewer)> {
        let account = state.account_named(&self.account)?;
        let owner = self.signed_in.session.owner.token_in(self.environment);
        if !is_of(state, account, owner) {
            return None;
        }
        let (ledger, account_name) = (self.environment.name(), segment(&self.account));
        let base = format!("{}/painel/{ledger}/{account_name}", base_path(&self.service));
        Some((account, Viewer { lang: self.lang, base, only: Some(account) }))
    }

    /// A page of what the archive or the vault knows.
    pub(super) async fn read(
        self,
        shown: impl FnOnce(&Sequencer, AccountId, &Viewer) -> Option<Content> + Send + 'static,
    ) -> Response {
        let (service, head) = (self.service.clone(), self.head.clone());
        let found =
            service.ledgers().home(self.environment, &self.account).read(move |sequencer| {
                let state = &sequencer.ledger().state;
                let (account, viewer) = self.viewer(state)?;
                let content = shown(sequencer, account, &viewer)?;
                Some(self.page(state, &viewer, content))
            });
        match found.await {
            Ok(Some(found)) => with_forms(page(&head, StatusCode::OK, &found)),
            Ok(None) => nothing_here(&head),
            Err(_) => away(&head),
        }
    }

    /// A page over all of the ledger, computed beside it.
    pub(super) async fn render_committed(
        self,
        shown: impl FnOnce(&Ledger, AccountId, &Viewer) -> Content + Send + 'static,
    ) -> Response {
        let head = self.head.clone();
        let ledger = self.service.ledgers().home(self.environment, &self.account);
        let Ok(state) = ledger.engine().committed_state().await else { return away(&head) };
        let computed = tokio::task::spawn_blocking(move || {
            let (account, viewer) = self.viewer(&state)?;
            let content = shown(&state, account, &viewer);
            Some(self.page(&state, &viewer, content))
        });
        match computed.await {
            Ok(Some(found)) => with_forms(page(&head, StatusCode::OK, &found)),
            Ok(None) => nothing_here(&head),
            Err(_) => away(&head),
        }
    }

    fn page(&self, state: &Ledger, viewer: &Viewer, content: Content) -> Page {
        let (title, subtitle, mut sections) = content;
        let lang = self.lang;
        let home = MenuItem {
            name: lang.t("Contas", "Accounts").to_owned(),
            href: format!("{}{}", base_path(&self.service), super::PATH),
            here: false,
        };
        let items = MENU.into_iter().map(|(path, pt, en)| MenuItem {
            name: lang.t(pt, en).to_owned(),
            href: format!("{}/{path}", viewer.base),
            here: path == self.here,
        });
        let menu = std::iter::once(home).chain(items).collect();
        let site = match self.environment {
            Environment::Live => lang.t("Painel", "Dashboard"),
            Environment::Sandbox => {
                lang.t("Painel · ambiente de testes", "Dashboard · test environment")
            }
        };
        sections.push(self.signed_in.sign_out(&self.service, lang));
        Page {
            lang,
            title,
            subtitle,
            site: site.to_owned(),
            menu,
            other_language: Lang::switch(&self.head),
            search: None,
            refresh: None,
            sections,
            as_of: as_of(state, lang),
        }
    }
}
