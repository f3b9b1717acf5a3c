//! Operators: accounts, own money, payers and corrections; terms, policy, blocks and suspense each
//! have a file.

mod hold;
mod policy;
mod product;
mod suspense;
mod template;
mod terms;

use ledger_core::id::KeyHash;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{Income, OwnAccount};
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{Review, Terms};

use self::hold::{court, place_hold, release_hold, reserve_or_capture};
use self::policy::{adopt_policy, policy};
use self::suspense::{attach, return_suspense};
use self::terms::adopt_terms;
use super::purchase::market;
use super::sale;
use crate::oracle::Oracle;
use crate::world::World;

pub(super) use self::terms::terms_of_kind;

/// Three integrators open accounts under terms of three kinds, and the floats are funded.
pub(crate) fn open_accounts(world: &mut World) {
    let policy = policy(world);
    world.plan_fact(world.now, "policy".into(), AccountFact::PolicyAdopted(policy));
    market::open(world);
    sale::open(world);
    super::offer(world);
    for _ in 0..30 {
        review(world, Review::Identified);
    }
    for (number, name) in (0..).zip(["loja", "banca", "feira"]) {
        let terms = if number == 0 { None } else { Some(terms_of_kind(number)) };
        open(world, name.into(), number, terms);
    }
    for to in [OwnAccount::ProviderPay, OwnAccount::ProviderPix] {
        let amount = cents(50_000_000);
        world.report(TreasuryFact::Moved { from: OwnAccount::Funding, to, amount });
    }
}

fn open(world: &mut World, name: Box<str>, key: u8, terms: Option<Terms>) {
    world.report(AccountFact::Opened { name, key: KeyHash([key; 32]), terms });
}

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.by_weight(&[30, 18, 14, 10, 10, 4, 5, 7, 2, 5, 3, 16, 20, 5]) {
        13 => template::act(world, oracle),
        12 => reserve_or_capture(world, oracle),
        11 => product::act(world, oracle),
        10 => court(world, oracle),
        9 => {
            let found = [Review::Identified, Review::Identified, Review::Unknown, Review::Blocked];
            let found = *world.rng.pick(&found).unwrap_or(&Review::Unknown);
            review(world, found);
        }
        0 => place_hold(world, oracle),
        1 => release_hold(world, oracle),
        2 => attach(world, oracle),
        3 => return_suspense(world, oracle),
        4 => correct(world, oracle),
        5 => move_treasury(world),
        6 => adopt_policy(world),
        7 => adopt_terms(world, oracle),
        _ => open_again(world),
    }
}

/// A fee corrected, or what a subaccount owes written off.
fn correct(world: &mut World, oracle: &Oracle) {
    let owing = oracle.subaccounts.iter().find(|subaccount| subaccount.available < 0);
    if let Some(subaccount) = owing.filter(|_| world.rng.percent(50)) {
        let owed = -subaccount.available;
        let amount = match world.rng.below(4) {
            0 => owed,
            1 => owed + 1,
            _ => world.rng.within(1, owed),
        };
        let Some(account) = world.client_of(subaccount.account) else { return };
        let account = account.name.clone();
        let (customer, decided_by) = (subaccount.customer.clone(), world.decided_by());
        let amount = cents(amount);
        world.report(AdjustmentFact::BalanceWrittenOff { account, customer, amount, decided_by });
        return;
    }
    let Some(client) = world.client() else { return };
    let (given, charged) = match world.rng.below(10) {
        0 => (0, 0),
        1 => (10, 10),
        2..7 => (world.rng.within(1, 500), 0),
        _ => (0, world.rng.within(1, 2_000)),
    };
    let income = if world.rng.percent(50) { Income::Deposit } else { Income::Payout };
    let customer = world.customer(&client);
    let decided_by = world.decided_by();
    let (account, given, charged) = (client.name.clone(), as_cents(given), as_cents(charged));
    world.report(AdjustmentFact::FeeAdjusted {
        account,
        customer,
        given,
        charged,
        income,
        decided_by,
    });
}

fn move_treasury(world: &mut World) {
    let all = [
        OwnAccount::Funding,
        OwnAccount::ProviderPix,
        OwnAccount::ProviderPay,
        OwnAccount::ProviderClaim,
        OwnAccount::TariffDue,
        OwnAccount::Fx,
    ];
    let from = *world.rng.pick(&all).unwrap_or(&OwnAccount::Funding);
    let to = *world.rng.pick(&all).unwrap_or(&OwnAccount::ProviderPay);
    let amount = cents(world.rng.within(1, 5_000_000));
    world.report(TreasuryFact::Moved { from, to, amount });
}

/// Somebody looks at a payer.
fn review(world: &mut World, found: Review) {
    let (payer, decided_by) = (world.token(4), world.decided_by());
    world.report(ChargeFact::PayerReviewed { payer, review: found, decided_by });
}

/// A fourth account, or one that is open already under the same or another key.
fn open_again(world: &mut World) {
    match world.rng.below(4) {
        0 if world.clients.len() < 5 => {
            let key = u8::try_from(world.clients.len()).unwrap_or(9) + 20;
            open(world, format!("nova-{key}").into(), key, None);
        }
        1 => open(world, "loja".into(), 0, None),
        2 => open(world, "loja".into(), 1, None),
        _ => open(world, "banca".into(), 200, None),
    }
}

fn as_cents(value: i64) -> Cents {
    Cents::new(value).expect("not negative")
}

fn cents(value: i64) -> Amount {
    Amount::new(value).unwrap_or(Amount::CENTAVO)
}
