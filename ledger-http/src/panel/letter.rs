//! What is mailed to the owner of an e-mail: a link that signs in, and the links of their accounts'
//! private monitors; in Portuguese, with English below.

use askama::Template;
use ledger_core::contract::{Environment, Secret, Vault as _};
use ledger_core::id::AccountId;

use super::PanelError;
use super::tables::Owner;
use crate::ledgers::Unanswered;
use crate::service::Service;

/// How many monitors one letter names at most; the dashboard shows all accounts.
const MONITORS: usize = 20;

/// A letter that is to be sent.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Letter {
    pub(super) to: String,
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
}

/// The private monitor of an account.
pub(super) struct Monitor {
    account: String,
    test: bool,
    url: String,
}

#[derive(Template)]
#[template(path = "letter.txt", escape = "none")]
struct Text<'a> {
    link: &'a str,
    monitors: &'a [Monitor],
}

#[derive(Template)]
#[template(path = "letter.html")]
struct Html<'a> {
    link: &'a str,
    monitors: &'a [Monitor],
}

/// Whom an e-mail stands for, where it is registered.
pub(super) struct Addressee {
    pub(super) owner: Owner,
    /// The address as the vault holds it: what was typed is only compared.
    pub(super) to: String,
    pub(super) monitors: Vec<Monitor>,
}

/// Finds out whether an e-mail is registered, and what is to be written to it; nothing where it is
/// not, or was erased.
///
/// # Errors
///
/// [`Unanswered`] while a ledger takes no calls.
pub(super) async fn addressee(
    service: &Service,
    base: &str,
    email: &str,
) -> Result<Option<Addressee>, Unanswered> {
    let token =
        |environment| service.ledgers().for_environment(environment).tokens().email(email).token;
    let owner = Owner { live: token(Environment::Live), sandbox: token(Environment::Sandbox) };
    let (mut to, mut monitors) = (None, Vec::new());
    let ledgers = service.ledgers();
    for ledger in ledgers.all() {
        let token = owner.token_in(ledger.environment());
        // Every account is looked at, beside the ledger, whether or not one is found.
        let state = ledger.engine().committed_state().await?;
        let registered = |email: Option<_>| email == Some(token);
        let found: Vec<AccountId> = state
            .accounts()
            .filter(|(_, known)| registered(known.owner.as_ref().and_then(|owner| owner.email)))
            .filter(|(_, known)| ledgers.lives_in(ledger, &known.name))
            .map(|(account, _)| account)
            .collect();
        if found.is_empty() {
            continue;
        }
        let read = ledger.read(move |sequencer| {
            let views = sequencer.views();
            let named = found.into_iter().take(MONITORS).filter_map(|account| {
                let name = views.state.account(account)?.name.to_string();
                Some((name, views.monitor(account)?))
            });
            let named: Vec<(String, Secret)> = named.collect();
            (views.vault.value(token).map(str::to_owned), named)
        });
        let (address, named) = read.await?;
        to = to.or(address);
        let test = ledger.environment() == Environment::Sandbox;
        monitors.extend(named.into_iter().map(|(account, token)| Monitor {
            account,
            test,
            url: format!("{base}/monitor/{}", token.expose()),
        }));
    }
    monitors.truncate(MONITORS);
    Ok(to.map(|to| Addressee { owner, to, monitors }))
}

/// The letter to an addressee, with a link of their own.
pub(super) fn letter(base: &str, link: &str, addressee: &Addressee) -> Result<Letter, PanelError> {
    let link = format!("{base}/painel/enter/{link}");
    let monitors = &addressee.monitors;
    let subject = "Seu acesso ao painel / Your access to the dashboard".to_owned();
    let text = Text { link: &link, monitors }.render()?;
    let html = Html { link: &link, monitors }.render()?;
    Ok(Letter { to: addressee.to.clone(), subject, text, html })
}
