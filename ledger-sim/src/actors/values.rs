//! Values that several actors draw.

use ledger_core::id::{AccountId, Token};
use ledger_core::ledger::{Fact, FactDetails};
use ledger_core::money::Amount;

use crate::domains::{IntoFact, IntoRequest};
use crate::oracle::Oracle;
use crate::wallets;
use crate::world::{Client, World};

/// Mostly somebody who has something.
pub(crate) fn spender(world: &mut World, oracle: &Oracle, client: &Client) -> Option<Box<str>> {
    let mut customer = world.customer(client);
    for _ in 0..3 {
        if available(oracle, client.id, customer.as_deref()) > 0 || world.rng.percent(15) {
            break;
        }
        customer = world.customer(client);
    }
    customer
}

pub(crate) fn external_id(world: &mut World) -> Option<Box<str>> {
    (!world.rng.percent(15)).then(|| world.fresh("x"))
}

pub(crate) fn available(oracle: &Oracle, account: AccountId, customer: Option<&str>) -> i64 {
    let subaccount = oracle.subaccount_of(account, customer);
    subaccount.map_or(0, |subaccount| oracle.subaccounts[subaccount.0 as usize].available)
}

pub(crate) fn amount(cents: i64) -> Amount {
    Amount::new(cents).unwrap_or(Amount::CENTAVO)
}

/// The key that is this document.
pub(super) fn document_as_key(document: Token) -> Token {
    let mut bytes = document.0;
    bytes[0] = 10;
    Token(bytes)
}

/// A wallet on this network; now and then one with a slip.
pub(super) fn wallet(world: &mut World, chain: &str) -> Box<str> {
    let digit = world.rng.within(1, 9);
    if world.rng.percent(3) {
        wallets::misspell_wallet(chain, digit)
    } else {
        wallets::wallet(chain, digit)
    }
}

/// Asks for something new, which every eighth client describes by metadata.
pub(crate) fn submit(world: &mut World, client: AccountId, request: impl IntoRequest) {
    let metadata = world.rng.percent(12).then(|| world.token(12));
    world.ask(client, request.into_request().with_metadata(metadata));
}

/// A fact that creates an entry, which every eighth product describes by metadata.
pub(crate) fn with_metadata(world: &mut World, fact: impl IntoFact) -> Fact {
    let metadata = world.rng.percent(12).then(|| world.token(12));
    fact.into_fact().with(metadata.map(FactDetails::Metadata))
}
