//! Records that no decision made, what a record says of the world, and what is judged apart from a
//! ledger: replay takes none of the first, and reads neither more nor less out of the others.

use ledger_core::coin::Scale;
use ledger_core::id::{AccountId, AgentId, Kind, OpId, Seq};
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::{
    Cause, Event, ExternalId, Fact, Intent, Ledger, Lookup, MapArchive, Record, Request, Scope,
    TransferRequest, decide,
};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::suspense::{self, Direction, Float};
use ledger_core::machine::wallet::deposit;
use ledger_core::terms::{Listing, Mandate, Market, Policy, Stablecoin};

use super::{Harness, SHOP, instant};
use crate::samples::{POLYGON, USDT, WALLET, amount, at, listing, op, units};

fn record(seq: u64, event: Event) -> Record {
    let at = at("2026-10-20T12:00:00Z");
    let (cause, events) = (Cause::default(), vec![event]);
    Record { seq: Seq(seq), at, events, cause, outside: None, original: None }
}

#[test]
fn a_ledger_opens_first_of_all_and_under_its_own_name() {
    let opened = |name: &str, seq| {
        let event = Event::LedgerOpened { name: name.into(), policy: Box::new(Policy::default()) };
        let mut ledger = Ledger::new("live", MapArchive::default());
        if seq > 1 {
            let name = "live".into();
            let policy = Box::new(Policy::default());
            ledger.replay(&record(1, Event::LedgerOpened { name, policy })).unwrap();
        }
        ledger.replay(&record(seq, event))
    };
    assert_eq!(opened("live", 1), Ok(()));
    assert!(opened("other", 1).is_err() && opened("live", 2).is_err());
}

#[test]
fn what_is_judged_over_what_was_gathered_is_what_a_ledger_makes_of_it() {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 5_000);
    let request =
        TransferRequest { from: Some("ana".into()), ..TransferRequest::new(amount(1_000)) };
    let what = Intent::Request(SHOP, Request::Transfer(request));
    let Ledger { state, archive, .. } = &harness.ledger;
    let found = Lookup::gather(state, archive, &what);
    let judged = decide(state, &found, what.clone(), harness.now).unwrap();
    assert_eq!(harness.execute(what), Ok(judged.outcome));
    assert_eq!(harness.records.last().unwrap().events, judged.events);
}

#[test]
fn what_is_listed_keeps_its_decimals_and_what_is_dropped_was_listed() {
    let harness = Harness::trading(instant());
    let update = |scale, dropped: &str| {
        let listing = Listing { scale: Scale::new(scale).unwrap(), ..listing(2, 100_000) };
        let dropped = vec![("usdt".into(), dropped.into())];
        harness.replayed(Event::CatalogueUpdated { listed: vec![listing], dropped })
    };
    assert_eq!(update(6, "polygon"), Ok(()));
    assert!(update(8, "polygon").is_err() && update(6, "tron").is_err());
    let harness = Harness::buying();
    let update = |scale, closed: &str| {
        let known = harness.ledger.state.catalogue.market("usdt", "polygon").unwrap();
        let scale = Scale::new(scale).unwrap();
        let opened = vec![Market { scale, ..Market::clone(known) }];
        let closed = vec![("usdt".into(), closed.into())];
        harness.replayed(Event::MarketsUpdated { opened, closed })
    };
    assert_eq!(update(6, "tron"), Ok(()));
    assert!(update(8, "tron").is_err() && update(6, "liquid").is_err());
}

#[test]
fn open_requests_at_one_address_await_different_amounts() {
    // INV-38.
    let order = |number| deposit::Order {
        account: SHOP,
        chain: POLYGON,
        network: "polygon".into(),
        title: "Polygon".into(),
        accepted: vec![(Stablecoin::Usdt, USDT)],
        address: WALLET.into(),
        requested: units(100_000_000),
        amount: units(number),
        origin: deposit::Origin::Request,
        created_at: at("2026-10-20T12:00:00Z"),
        expires_at: at("2026-10-20T13:00:00Z"),
    };
    let mut harness = Harness::open(instant());
    let requested = |harness: &Harness, order| {
        let op = OpId::new(Kind::WalletDeposit, harness.ledger.state.seq.next());
        Event::WalletDeposit { op, event: deposit::Event::Requested(Box::new(order)) }
    };
    let nobodys = deposit::Order { account: AccountId(9), ..order(100_000_001) };
    assert!(harness.replayed(requested(&harness, nobodys)).is_err());
    let first = requested(&harness, order(100_000_001));
    let seq = harness.ledger.state.seq.next();
    harness.ledger.replay(&Record { at: harness.now, ..record(seq.0, first) }).unwrap();
    assert!(harness.replayed(requested(&harness, order(100_000_001))).is_err());
    assert_eq!(harness.replayed(requested(&harness, order(100_000_002))), Ok(()));
}

#[test]
fn a_reward_is_what_the_volume_lacks_and_no_centavo_else() {
    let mut harness = Harness::open(instant());
    let first = harness.come(1, None, Mandate::default());
    let code = harness.refer(first, "x").unwrap();
    let second = harness.come(2, Some(&code), Mandate::default());
    harness.settle(second, 1_999);
    let accrued = |agent| Event::RewardAccrued { agent: AgentId(agent), reward: amount(1) };
    assert!(harness.replayed(accrued(0)).is_err() && harness.replayed(accrued(9)).is_err());
}

#[test]
fn a_record_takes_over_the_pix_it_names_and_no_other() {
    let order = suspense::Order {
        amount: amount(100),
        direction: Direction::Out,
        float: Float::Payout,
        about: None,
        outside: "E1".into(),
        paid_at: at("2026-10-20T12:00:00Z"),
        recovery: None,
    };
    let event = suspense::Event::TakenOver { order, by: op(Kind::CashOut, 9) };
    let record = record(2, Event::Suspense { op: op(Kind::Suspense, 1), event });
    let pix = |scope, id: &str| ExternalId { scope, id: id.into() };
    assert!(record.takes_over(&pix(Scope::SentPix, "E1")));
    assert!(!record.takes_over(&pix(Scope::SentPix, "E2")));
    assert!(!record.takes_over(&pix(Scope::ReceivedPix, "E1")));
}

#[test]
fn a_record_brings_what_it_tells_of_and_nothing_else() {
    let mut harness = Harness::open(instant());
    let charge = harness.charge(Some("ana"), 5_000);
    let payment = PixPayment { e2e: "E-1".into(), amount: amount(5_000), paid_at: harness.now };
    harness.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment }));
    let record = harness.records.last().unwrap();
    let pix = |scope, id: &str| ExternalId { scope, id: id.into() };
    assert!(record.brings(&pix(Scope::ReceivedPix, "E-1")));
    assert!(!record.brings(&pix(Scope::ReceivedPix, "E-2")));
    assert!(!record.brings(&pix(Scope::SentPix, "E-1")));
}
