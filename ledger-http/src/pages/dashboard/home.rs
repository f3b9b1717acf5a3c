//! The accounts of whoever is signed in, in both ledgers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use ledger_core::contract::Environment;
use ledger_core::id::AccountId;
use ledger_core::ledger::State as Ledger;

use super::sign_in::asking;
use super::visit::{SignedIn, is_of};
use crate::pages::format::{brl, local, reais};
use crate::pages::forms::with_forms;
use crate::pages::html::{away, page};
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, Figure, MenuItem, Page, Section, Table, as_of};
use crate::pages::ledger::viewer::segment;
use crate::pages::monitor::base_path;
use crate::service::Service;

/// How many accounts of each ledger are shown; an e-mail registers a few.
const MOST: usize = 100;

/// Answers `GET /painel`: the reader's accounts, or the sign-in.
pub(super) async fn view(State(service): State<Service>, head: Parts) -> Response {
    let signed_in = match SignedIn::from_request(&service, &head).await {
        Ok(Some(signed_in)) => signed_in,
        Ok(None) => return asking(&service, &head),
        Err(response) => return *response,
    };
    let lang = Lang::from_request(&head);
    let (mut sections, mut shown_as_of) = (Vec::new(), String::new());
    for ledger in service.ledgers().all() {
        let Ok(state) = ledger.engine().committed_state().await else { return away(&head) };
        let environment = ledger.environment();
        let owner = signed_in.session.owner.token_in(environment);
        let base = format!("{}/painel/{}", base_path(&service), environment.name());
        let live = environment == Environment::Live;
        if live && shown_as_of.is_empty() {
            shown_as_of = as_of(&state, lang);
        }
        let (ledgers, its) = (service.ledgers().clone(), Arc::clone(ledger));
        // Every account is looked at, beside the ledger.
        let listed = tokio::task::spawn_blocking(move || {
            let lives = |name: &str| ledgers.lives_in(&its, name);
            let accounts = state.accounts().filter(|(_, known)| lives(&known.name));
            let accounts = accounts.map(|(account, _)| account);
            let own: Vec<_> =
                accounts.filter(|account| is_of(&state, *account, owner)).take(MOST).collect();
            let of = Some(its.label()).filter(|label| *label != its.environment().name());
            accounts_of(&state, &own, &base, (live, lang, of))
        });
        let Ok(found) = listed.await else { return away(&head) };
        sections.extend(found);
    }
    if sections.is_empty() {
        let note =
            lang.t("Nenhuma conta tem mais este e-mail.", "No account has this e-mail any more.");
        sections.push(Section::Note(note.to_owned()));
    }
    let until = local(signed_in.session.ends_at, lang);
    let note = lang.t("A sessão vai no máximo até", "The session ends at the latest at");
    sections.push(Section::Note(format!("{note} {until}.")));
    sections.push(signed_in.sign_out(&service, lang));
    let shown = Page {
        lang,
        title: lang.t("Suas contas", "Your accounts").to_owned(),
        subtitle: String::new(),
        site: lang.t("Painel", "Dashboard").to_owned(),
        menu: vec![MenuItem {
            name: lang.t("Contas", "Accounts").to_owned(),
            href: format!("{}{}", base_path(&service), super::PATH),
            here: true,
        }],
        other_language: Lang::switch(&head),
        search: None,
        refresh: None,
        sections,
        as_of: shown_as_of,
    };
    with_forms(page(&head, StatusCode::OK, &shown))
}

/// The accounts of one ledger with their sums; nothing where there are none.
fn accounts_of(
    state: &Ledger,
    own: &[AccountId],
    base: &str,
    (live, lang, of): (bool, Lang, Option<&str>),
) -> Vec<Section> {
    if own.is_empty() {
        return Vec::new();
    }
    let title = if live {
        lang.t("Produção", "Production")
    } else {
        lang.t("Ambiente de testes", "Test environment")
    };
    // Of several ledgers each is named.
    let title = of.map_or_else(|| title.to_owned(), |of| format!("{title} · {of}"));
    let mut table = Table::new(&title, "")
        .column(lang.t("Conta", "Account"))
        .column(lang.t("Chave", "Key"))
        .numbers(lang.t("Disponível, R$", "Available, R$"))
        .numbers(lang.t("Bloqueado, R$", "Blocked, R$"))
        .numbers(lang.t("Comissão, R$", "Commission, R$"));
    let (mut available, mut blocked) = (0_i128, 0_i128);
    for account in own {
        let Some(known) = state.account(*account) else { continue };
        let href = format!("{base}/{}/", segment(&known.name));
        // Of a key nothing is known but its hash; of which ledger it is, every key says.
        let key = match (known.key, live) {
            (None, _) => lang.t("revogada", "revoked"),
            (Some(_), true) => "svc_live_…",
            (Some(_), false) => "svc_test_…",
        };
        let (mut free, mut held) = (0_i128, 0_i128);
        for (_, buckets) in state.subaccounts_of(*account, None) {
            free += i128::from(buckets.available.cents());
            held += i128::from(buckets.blocked_balance().cents());
        }
        let commission = state.books.commission(*account).balance.cents();
        table.rows.push(vec![
            Cell::text(&*known.name).to(href.clone()),
            Cell::code(key),
            Cell::number(reais(free, lang)).to(href.clone()),
            Cell::number(reais(held, lang)).to(href.clone()),
            Cell::number(reais(commission.into(), lang)).to(format!("{href}commission")),
        ]);
        available += free;
        blocked += held;
    }
    if !live {
        return vec![Section::Table(table)];
    }
    let figure = |name: &str, cents| Figure {
        name: name.to_owned(),
        value: Cell::number(brl(cents, lang)),
        note: lang.t("todas as contas e clientes", "all accounts and customers").to_owned(),
    };
    let figures = Section::Figures(vec![
        figure(lang.t("Disponível", "Available"), available),
        figure(lang.t("Bloqueado", "Blocked"), blocked),
    ]);
    vec![figures, Section::Table(table)]
}
