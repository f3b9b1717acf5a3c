//! What a ledger says of an event: its body as it was sent, and where the account that it is for
//! wants it now.

use std::sync::Arc;

use ledger_core::contract::{Environment, Secret, Vault as _};
use ledger_core::hexadecimal::digits;
use ledger_core::id::{AccountId, Token};
use ledger_core::time::Instant;
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use ledger_store::engine::EngineError;
use serde_json::Value;

use super::tables::delivery::EndpointRecord;
use crate::ledgers::{Ledgers, OpenLedger};

type Views<'a> = ledger_core::contract::Views<'a, JournalArchive, Vault>;

/// Where an account's webhooks go now.
#[derive(Clone)]
pub(super) struct Destination {
    pub(super) url: String,
    /// The secrets in force, the present one first.
    pub(super) secrets: Vec<Secret>,
    /// The endpoint, as it is remembered from now on.
    pub(super) record: EndpointRecord,
}

/// What is sent, and where.
#[derive(Clone)]
pub(super) struct Dispatch {
    /// The event, persons as the vault knows them now.
    pub(super) body: Value,
    /// None while its account has no address.
    pub(super) destination: Option<Destination>,
}

/// Who an event is for, and whether anybody listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Addressee {
    pub(super) account: String,
    pub(super) listens: bool,
}

/// The account of each event; none of an event that the ledger does not know.
pub(super) async fn addressees(
    ledger: &OpenLedger,
    events: Vec<String>,
) -> Result<Vec<Option<Addressee>>, EngineError> {
    read_views(ledger, move |views| {
        let of = |event: &String| {
            let account = views.account_of_event(event)?;
            let name = views.state.account(account)?.name.to_string();
            Some(Addressee { account: name, listens: views.endpoint(account).is_some() })
        };
        events.iter().map(of).collect()
    })
    .await
}

/// Returns what is to be sent for each of these events, and where, in their order; none for one
/// that the ledger does not know. Of an account that moved on, where is what the ledger says that
/// it lives in.
pub(super) async fn dispatches(
    (ledger, home): (&OpenLedger, &OpenLedger),
    events: Vec<String>,
    record: EndpointRecord,
    now: Instant,
) -> Result<Vec<Option<Dispatch>>, EngineError> {
    let lives_there = **ledger.name() == **home.name();
    let its = record.clone();
    let found = read_views(ledger, move |views| {
        let of = |event: &String| {
            let (account, body) = views.event_of(event)?;
            let name = views.state.account(account)?.name.to_string();
            let there =
                lives_there.then(|| destination(views, account, its.clone(), now)).flatten();
            Some((name, Dispatch { body, destination: there }))
        };
        events.iter().map(of).collect::<Vec<_>>()
    });
    let found = found.await?;
    if lives_there {
        return Ok(found.into_iter().map(|found| Some(found?.1)).collect());
    }
    read_views(home, move |views| {
        let there = |name: &str| {
            let account = views.state.account_named(name)?;
            destination(views, account, record.clone(), now)
        };
        let moved = found.into_iter().map(|found| {
            let (name, dispatch) = found?;
            Some(Dispatch { destination: there(&name), ..dispatch })
        });
        moved.collect()
    })
    .await
}

/// Tells whether an account of this name has an address in the ledger that it lives in.
pub(super) async fn listens(home: &OpenLedger, account: String) -> Result<bool, EngineError> {
    read_views(home, move |views| {
        let account = views.state.account_named(&account);
        account.is_some_and(|account| views.endpoint(account).is_some())
    })
    .await
}

/// The ledgers that gave these events of an account, each with those that it gave.
pub(super) async fn givers(
    ledgers: &Ledgers,
    environment: Environment,
    account: &str,
    mut events: Vec<String>,
) -> Result<Vec<(Arc<OpenLedger>, Vec<String>)>, EngineError> {
    let mut givers = Vec::new();
    for ledger in ledgers.beside(environment, account) {
        let found = addressees(&ledger, events.clone()).await?;
        let mut found = found.into_iter();
        let its = |_: &mut String| {
            found.next().flatten().is_some_and(|addressee| addressee.account == account)
        };
        let given = events.extract_if(.., its).collect();
        givers.push((ledger, given));
    }
    givers.push((Arc::clone(ledgers.home(environment, account)), events));
    givers.retain(|(_, events)| !events.is_empty());
    Ok(givers)
}

/// The test event of an account, and where it goes; none while there is no address.
pub(super) async fn test(
    ledger: &OpenLedger,
    account: AccountId,
    record: EndpointRecord,
    now: Instant,
) -> Result<Option<Dispatch>, EngineError> {
    read_views(ledger, move |views| {
        let body = views.test_event(account, now).ok()?;
        Some(Dispatch { body, destination: destination(views, account, record, now) })
    })
    .await
}

/// Bodies of events, in the same order; none of one that the ledger does not know.
pub(super) async fn bodies(
    ledger: &OpenLedger,
    events: Vec<String>,
) -> Result<Vec<Option<Value>>, EngineError> {
    read_views(ledger, move |views| {
        events.iter().map(|event| Some(views.event_of(event)?.1)).collect()
    })
    .await
}

/// Asks the deciding thread, which also finds out whether somebody has taken the ledger over.
async fn read_views<T: Send + 'static>(
    ledger: &OpenLedger,
    ask: impl FnOnce(&Views<'_>) -> T + Send + 'static,
) -> Result<T, EngineError> {
    ledger.engine().reserve().await?.decide(move |sequencer| ask(&sequencer.views())).await
}

fn destination(
    views: &Views<'_>,
    account: AccountId,
    record: EndpointRecord,
    now: Instant,
) -> Option<Destination> {
    let endpoint = views.endpoint(account)?;
    let credentials = views.state.account(account)?.credentials;
    let record = record.with_settings(
        &token_text(credentials.webhook?),
        &token_text(credentials.secret?),
        now,
    );
    let before = record.overlapping(now).and_then(token).and_then(|token| views.vault.value(token));
    let before = before.map(Secret::new);
    let secrets = std::iter::once(endpoint.secret).chain(before).collect();
    Some(Destination { url: endpoint.url, secrets, record })
}

/// A token as it stands in the courier's tables.
pub(crate) fn token_text(token: Token) -> String {
    digits(&token.0)
}

fn token(shown: &str) -> Option<Token> {
    u128::from_str_radix(shown, 16).ok().map(|bits| Token(bits.to_be_bytes()))
}
