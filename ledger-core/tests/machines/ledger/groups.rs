//! Groups of transfers in the whole ledger: refused leg by leg in their order, all or nothing, and
//! one row a leg (GRP-01 to GRP-05).

use ledger_core::accounting::RowKind;
use ledger_core::ledger::{
    Archive, Field, GroupRequest, LegRequest, Malformed, Outcome, Refusal, Request, TransferRequest,
};
use ledger_core::terms::Switch;

use super::client::{Client, poor};
use super::created;
use crate::samples::amount;

fn leg(from: &str, to: &str, cents: i64) -> LegRequest {
    let party = |name: &str| Some(name).filter(|name| *name != "casa").map(Into::into);
    LegRequest { from: party(from), to: party(to), amount: amount(cents) }
}

fn group(id: &str, legs: Vec<LegRequest>) -> GroupRequest {
    GroupRequest { legs, note: None, external_id: Some(id.into()) }
}

fn of_leg(leg: usize, refusal: Refusal) -> Refusal {
    Refusal::Leg { leg, refusal: Box::new(refusal) }
}

#[test]
fn grp_02_refusals_of_a_group_come_in_their_order_and_name_the_leg() {
    let mut it = Client::with(2_324);
    let first = group("g-1", vec![leg("casa", "bia", 1)]);
    let original = created(it.ask(Request::Group(first)).unwrap());
    it.adopt(|terms| terms.custody = Switch::Off);
    it.suspend();
    let until = it.waits_until;
    let asked =
        group("g-1", vec![leg("ana", "bia", 2_000), leg("zoe", "zoe", 1), leg("ana", "eva", 325)]);
    let fields = vec![Field::Legs];
    it.walk(
        asked,
        Request::Group,
        [
            (Refusal::IdentityDiverges { original, fields }, |_, asked| asked.external_id = None),
            (Refusal::AgentSuspended, |it, _| it.reinstate()),
            (Refusal::CustodyDisabled, |it, _| it.adopt(|terms| terms.custody = Switch::On)),
            (of_leg(1, Refusal::SameParty), |_, asked| asked.legs[1].to = Some("bia".into())),
            (of_leg(0, Refusal::Waiting { until }), |it, _| {
                it.harness.pass("2026-10-21T13:00:00Z");
            }),
            (of_leg(1, poor(0)), |_, asked| asked.legs[1].from = None),
            (of_leg(2, poor(2_324)), |it, _| it.deposit(1)),
        ],
    );
}

#[test]
fn grp_03_what_a_leg_brings_pays_for_no_other_leg() {
    let mut it = Client::with(1_000);
    it.harness.pass("2026-10-21T13:00:00Z");
    let far = group("g-0", vec![leg("casa", "bia", 100_000_000_000_000)]);
    let Err(Refusal::Leg { leg: 0, refusal }) = it.ask(Request::Group(far)) else { panic!() };
    let Refusal::FundsInsufficient { available } = *refusal else { panic!("{refusal:?}") };
    let more = available.cents() + 500;
    let legs = vec![leg("ana", "casa", 1_000), leg("casa", "bia", more)];
    let short = Refusal::FundsInsufficient { available };
    assert_eq!(it.ask(Request::Group(group("g-1", legs))), Err(of_leg(1, short)));
    let back = vec![leg("ana", "bia", 600), leg("bia", "ana", 600), leg("ana", "bia", 400)];
    assert_eq!(it.ask(Request::Group(group("g-2", back))), Err(of_leg(1, poor(0))));
}

#[test]
fn grp_04_a_name_stands_for_one_subaccount_however_many_legs_pay_it() {
    let mut it = Client::with(1_000);
    it.harness.pass("2026-10-21T13:00:00Z");
    let known = it.harness.ledger.state.books.subaccount_count();
    let legs = vec![leg("ana", "new", 500), leg("ana", "other", 300), leg("ana", "new", 200)];
    let asked = Request::Group(group("g-1", legs));
    let op = created(it.ask(asked.clone()).unwrap());
    let ledger = &it.harness.ledger;
    assert_eq!(ledger.state.books.subaccount_count(), known + 2);
    let of = |name: &str| {
        let account = ledger.state.account_named("ag-1").unwrap();
        let subaccount = ledger.archive.subaccount(account, name).unwrap();
        let rows = ledger.state.books.subaccount(subaccount).rows;
        let rows = (1..=rows).map(|number| ledger.archive.row(subaccount, number).unwrap());
        let rows = rows.filter(|row| row.op == op).map(|row| (row.kind, row.value.cents()));
        rows.collect::<Vec<_>>()
    };
    let (out, r#in) = (RowKind::TransferOut, RowKind::TransferIn);
    assert_eq!(of("ana"), [(out, -500), (out, -300), (out, -200)], "GRP-05");
    assert_eq!((of("new"), of("other")), (vec![(r#in, 500), (r#in, 200)], vec![(r#in, 300)]));
    assert_eq!(it.ask(asked), Ok(Outcome::Repeated(op)));
}

#[test]
fn grp_06_an_id_that_names_a_transfer_names_no_group_and_the_other_way_round() {
    let mut it = Client::with(1_000);
    it.harness.pass("2026-10-21T13:00:00Z");
    let alone = |id: &str| {
        let (from, to) = (Some("ana".into()), Some("bia".into()));
        let external_id = Some(id.into());
        Request::Transfer(TransferRequest {
            from,
            to,
            external_id,
            ..TransferRequest::new(amount(10))
        })
    };
    let together = |id: &str| Request::Group(group(id, vec![leg("ana", "bia", 10)]));
    for (first, second) in [(alone("a"), together("a")), (together("b"), alone("b"))] {
        let original = created(it.ask(first).unwrap());
        let fields = vec![Field::Legs];
        assert_eq!(it.ask(second), Err(Refusal::IdentityDiverges { original, fields }));
    }
    let mut more = group("b", vec![leg("ana", "bia", 10), leg("ana", "bia", 10)]);
    let diverges = it.ask(Request::Group(more.clone()));
    assert!(matches!(diverges, Err(Refusal::IdentityDiverges { .. })), "{diverges:?}");
    more.legs = Vec::new();
    more.external_id = None;
    let none = Refusal::Malformed { field: "pernas", why: Malformed::Legs };
    assert_eq!(it.ask(Request::Group(more)), Err(none));
}
