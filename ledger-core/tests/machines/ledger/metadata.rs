//! Metadata of what a request or a product creates: attached once, part of what a repeat must agree
//! on, and with the operation for ever.

use ledger_core::id::{Kind, OpId, Seq, Token};
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::product::Fact as ProductFact;
use ledger_core::ledger::{
    Archive, CashOutRequest, ChargeRequest, Corrupt, Destination, Event, Fact, FactDetails, Field,
    GroupRequest, Intent, LegRequest, Operation, Outcome, Ownership, PayoutRequest, Record,
    Refusal, Request, TransferRequest, read_back,
};
use ledger_core::terms::{Policy, Switch};

use super::counter::{decided_by, purchase};
use super::entries::leg;
use super::sales::sale;
use super::{Harness, SHOP, created, unlimited};
use crate::samples::{SOMEBODY, amount};

const ORDER: Token = Token([0xa1; 16]);
const OTHER: Token = Token([0xa2; 16]);

/// One of every kind of request that the contract takes metadata of, under an id of its own; and
/// the same that asks for another amount, or another leg.
fn requests() -> Vec<[Request; 2]> {
    let id = |text: &str| Some(text.into());
    let charge = |cents| {
        let (destination, external_id) = (Destination::Custody, id("c-1"));
        let request = purchase(Some("ana"), cents);
        Request::Charge(ChargeRequest { destination, external_id, ..request })
    };
    let payout = |cents| {
        let request = PayoutRequest::new(amount(cents), SOMEBODY, SOMEBODY, Ownership::Proven);
        Request::Payout(PayoutRequest { external_id: id("p-1"), ..request })
    };
    let transfer = |cents| {
        let (to, external_id) = (id("bia"), id("t-1"));
        let amount = amount(cents);
        Request::Transfer(TransferRequest { to, external_id, ..TransferRequest::new(amount) })
    };
    let group = |cents| {
        let leg = LegRequest { from: None, to: id("eva"), amount: amount(cents) };
        let legs = vec![leg.clone(), LegRequest { to: id("bia"), ..leg }];
        Request::Group(GroupRequest { legs, note: None, external_id: id("g-1") })
    };
    let sale = |cents| {
        let (external_id, request) = (id("s-1"), sale(cents, SOMEBODY));
        Request::CashOut(Box::new(CashOutRequest { external_id, ..request }))
    };
    vec![
        [charge(5_000), charge(5_001)],
        [payout(1_000), payout(1_001)],
        [transfer(100), transfer(101)],
        [group(100), group(101)],
        [sale(10_000), sale(10_001)],
    ]
}

fn rich(policy: Policy) -> Harness {
    let mut harness = Harness::buying_under(policy);
    harness.deposit(None, 100_000);
    harness
}

fn ask(
    harness: &mut Harness,
    request: &Request,
    metadata: Option<Token>,
) -> Result<Outcome, Refusal> {
    let request = request.clone().with_metadata(metadata);
    harness.execute(Intent::Request(SHOP, request))
}

fn known(harness: &Harness, op: OpId) -> Operation {
    let open = harness.ledger.state.open(op).cloned();
    open.or_else(|| harness.ledger.archive.ended_operation(op)).expect("it was created")
}

#[test]
fn a_repeat_agrees_on_metadata_or_is_refused_with_that_field() {
    for [request, changed] in requests() {
        for (first, others) in [(Some(ORDER), [Some(OTHER), None]), (None, [Some(OTHER); 2])] {
            let mut harness = rich(unlimited());
            let op = created(ask(&mut harness, &request, first).unwrap());
            assert_eq!(known(&harness, op).metadata, first, "{request:?}");
            assert_eq!(ask(&mut harness, &request, first), Ok(Outcome::Repeated(op)));
            for other in others {
                let Err(Refusal::IdentityDiverges { original, fields }) =
                    ask(&mut harness, &request, other)
                else {
                    panic!("{request:?}")
                };
                assert_eq!((original, fields), (op, vec![Field::Metadata]), "{request:?}");
                let Err(Refusal::IdentityDiverges { fields, .. }) =
                    ask(&mut harness, &changed, other)
                else {
                    panic!("{changed:?}")
                };
                let [body, Field::Metadata] = fields[..] else { panic!("{fields:?}") };
                assert!(matches!(body, Field::Amount | Field::Legs | Field::BrlAmount), "{body:?}");
            }
            let Err(Refusal::IdentityDiverges { fields, .. }) = ask(&mut harness, &changed, first)
            else {
                panic!("{changed:?}")
            };
            assert!(!fields.contains(&Field::Metadata), "{fields:?}");
        }
    }
}

#[test]
fn a_charge_is_repeated_literally_where_the_policy_says_so() {
    let policy = Policy { divergent_charge_is_refused: Switch::Off, ..unlimited() };
    let mut harness = rich(policy);
    let [charge, _] = &requests()[0];
    let op = created(ask(&mut harness, charge, Some(ORDER)).unwrap());
    assert_eq!(ask(&mut harness, charge, None), Ok(Outcome::Repeated(op)));
    assert_eq!(known(&harness, op).metadata, Some(ORDER));
}

#[test]
fn metadata_stays_with_an_operation_and_in_what_clients_are_notified_of() {
    let mut harness = rich(unlimited());
    let [request, _] = &requests()[1];
    let op = created(ask(&mut harness, request, Some(ORDER)).unwrap());
    harness.fact(Fact::Payout(PayoutFact::Submitted { payout: Some(op) }));
    let (e2e, amount) = ("E1".into(), None);
    harness.fact(Fact::Payout(PayoutFact::Paid { payout: Some(op), e2e, amount }));
    assert_eq!(known(&harness, op).metadata, Some(ORDER));
    let told: Vec<_> = harness.notifications.iter().filter(|told| told.op == op).collect();
    assert_eq!(told.len(), 3, "created, processing, completed");
    assert!(told.iter().all(|told| told.operation.metadata == Some(ORDER)));
    for told in told {
        let record = harness.records.iter().find(|record| record.seq == told.seq).unwrap();
        assert!(read_back(&harness.ledger.archive, record).contains(told));
    }
}

#[test]
fn an_entry_of_a_product_has_the_metadata_that_its_fact_brings() {
    let mut harness = rich(unlimited());
    let posted = |cents: i64| {
        let legs = [leg("cust.avail", Some("casa"), -cents), leg("equity.funding", None, cents)];
        let legs = legs.into();
        let fact = ProductFact::EntryPosted { legs, note: None, decided_by: decided_by() };
        Fact::Product(fact).with(Some(FactDetails::Metadata(ORDER)))
    };
    let entry = created(harness.fact(posted(50)));
    assert_eq!((entry.kind(), known(&harness, entry).metadata), (Kind::Entry, Some(ORDER)));
}

#[test]
fn metadata_that_is_not_of_what_its_record_creates_is_corrupt() {
    let mut harness = rich(unlimited());
    let [request, _] = &requests()[1];
    let earlier = created(ask(&mut harness, request, None).unwrap());
    let metadata = ORDER;
    let misplaced = "metadata is attached once to what its record creates";
    let alone = harness.replayed(Event::MetadataAttached { op: earlier, metadata });
    assert_eq!(alone, Err(Corrupt::Follows { index: 0, what: misplaced }));
    let before = harness.ledger.clone();
    ask(&mut harness, &requests()[2][0], Some(ORDER)).unwrap();
    let record = harness.records.last().unwrap();
    let replayed = |events: Vec<Event>| before.clone().replay(&Record { events, ..record.clone() });
    assert_eq!(replayed(record.events.clone()), Ok(()));
    let mut backwards = record.events.clone();
    backwards.reverse();
    let mut twice = record.events.clone();
    twice.extend(record.events.last().cloned());
    let mut nobody = record.events.clone();
    let stranger = OpId::new(Kind::Payout, Seq(record.seq.0));
    nobody.push(Event::MetadataAttached { op: stranger, metadata });
    for events in [backwards, twice, nobody] {
        let refused = replayed(events.clone());
        assert!(
            matches!(refused, Err(Corrupt::Follows { what, .. }) if what == misplaced),
            "{events:?}: {refused:?}"
        );
    }
}
