//! Reservations as the ledger composes them: P:Reservations, RSV-01 to RSV-08.

use ledger_core::accounting::{Account, Control, ProductClass, RowKind};
use ledger_core::id::{KeyHash, OpId, ProductAccount, SubaccountId, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::cell::Step;
use ledger_core::ledger::hold::{Destination, Fact as HoldFact};
use ledger_core::ledger::product::{DeclaredAccount, Holder};
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Archive, Event, Fact, Outcome, SetAsideReason as Reason};
use ledger_core::machine::hold::{self, Kind};
use ledger_core::terms::{Switch, Terms};
use ledger_core::time::Instant;

use super::counter::decided_by;
use super::entries::{Became, declared, op};
use super::{Harness, instant};
use crate::samples::{SOMEBODY, amount, at};

const CLEARING: Token = Token([9; 16]);

fn customer(name: &str) -> Destination {
    let holder = Holder { account: "shop".into(), customer: Some(name.into()) };
    Destination { account: "cust.avail".into(), holder: Some(holder) }
}

pub(super) fn own(name: &str) -> Destination {
    Destination { account: name.into(), holder: None }
}

impl Harness {
    pub(super) fn reserve(&mut self, customer: &str, cents: i64, ends_at: Option<&str>) -> Became {
        self.came_to(Fact::Hold(HoldFact::Reserved {
            account: "shop".into(),
            customer: Some(customer.into()),
            amount: amount(cents),
            ends_at: ends_at.map(at),
            label: Some("card".into()),
            note: Some(SOMEBODY),
            decided_by: decided_by(),
        }))
    }

    pub(super) fn capture(&mut self, hold: OpId, cents: i64, to: Destination) -> Became {
        self.capture_as((hold, cents, to), Switch::Off, None)
    }

    fn capture_as(
        &mut self,
        (hold, cents, to): (OpId, i64, Destination),
        last: Switch,
        note: Option<Token>,
    ) -> Became {
        let (hold, amount, decided_by) = (Some(hold), amount(cents), decided_by());
        let captured = HoldFact::Captured { hold, amount, to, last, note, decided_by };
        self.came_to(Fact::Hold(captured))
    }

    /// Requested, left, released, captured.
    fn sums(&self, hold: OpId) -> [i64; 4] {
        let ended = self.ledger.archive.ended_operation(hold);
        let known = ended.as_ref().or_else(|| self.ledger.state.open(hold)).unwrap();
        let amounts = known.hold().unwrap().amounts().unwrap().clone();
        [
            amounts.order.requested.as_cents(),
            amounts.blocked_cents(),
            amounts.released,
            amounts.settled,
        ]
        .map(ledger_core::money::Cents::cents)
    }
}

/// Ana has 50.00; fees have an account.
fn shop() -> Harness {
    let mut harness = Harness::open(instant());
    harness.deposit(Some("ana"), 5_100);
    harness.declare(declared("taxas.cartao", ProductClass::Income)).unwrap();
    harness
}

const APPLIED: Became = Ok(Outcome::Applied(None));

#[test]
fn what_is_reserved_is_held_and_captured_in_parts() {
    let mut harness = shop();
    let hold = op(harness.reserve("ana", 3_000, None));
    assert_eq!(harness.balances("ana"), [2_000, 0, 3_000]);
    assert_eq!(harness.capture(hold, 1_000, customer("posto")), APPLIED);
    assert_eq!(harness.capture(hold, 200, own("taxas.cartao")), APPLIED);
    assert_eq!(harness.balances("ana"), [2_000, 0, 1_800]);
    assert_eq!(harness.balances("posto"), [1_000, 0, 0]);
    assert_eq!(harness.of_product(Control::ProductIncome), 200);
    assert_eq!(harness.sums(hold), [3_000, 1_800, 0, 1_200]);
    harness.unblock(hold, None);
    assert_eq!(harness.balances("ana"), [3_800, 0, 0]);
    assert_eq!(harness.sums(hold), [3_000, 0, 1_800, 1_200]);
    assert_eq!(harness.unblock(hold, None), Outcome::Known);
    assert_eq!(harness.capture(hold, 1, own("taxas.cartao")), Err(Reason::OutOfTurn));
}

#[test]
fn a_capture_is_a_row_that_says_what_for_and_a_reservation_is_none() {
    let mut harness = shop();
    let before = harness.rows("ana");
    let hold = op(harness.reserve("ana", 3_000, None));
    assert_eq!(harness.rows("ana"), before);
    harness.capture(hold, 1_000, customer("posto")).unwrap();
    harness.capture_as((hold, 500, customer("posto")), Switch::On, Some(CLEARING)).unwrap();
    let said = "Entry -1000 principal, 4000\nEntry -500 principal, 3500\n";
    assert_eq!(harness.rows("ana"), before + said);
    assert_eq!(harness.rows("posto"), "Entry +1000 principal, 1000\nEntry +500 principal, 1500\n");
    let ana = harness.named("ana");
    let rows = harness.ledger.state.books.subaccount(ana).rows;
    let last = [rows - 1, rows].map(|number| harness.ledger.archive.row(ana, number).unwrap());
    let said = last.map(|row| (row.kind, row.note, row.op));
    let row = |note| (RowKind::Entry, Some(note), hold);
    assert_eq!(said, [row(SOMEBODY), row(CLEARING)]);
}

#[test]
fn the_last_capture_lets_go_of_the_rest() {
    let mut harness = shop();
    let hold = op(harness.reserve("ana", 3_000, None));
    let last = harness.capture_as((hold, 1_000, customer("posto")), Switch::On, None);
    assert_eq!(last, APPLIED);
    assert_eq!(harness.balances("ana"), [4_000, 0, 0]);
    let hold = op(harness.reserve("ana", 1_000, None));
    let last = harness.capture_as((hold, 1_000, customer("posto")), Switch::On, None);
    assert_eq!(last, APPLIED, "nothing is left to let go");
    assert_eq!(harness.balances("ana"), [3_000, 0, 0]);
}

#[test]
fn what_is_not_there_cannot_be_reserved_nor_more_be_captured_than_is_left() {
    let mut harness = shop();
    let hold = op(harness.reserve("ana", 3_000, None));
    assert_eq!(harness.reserve("ana", 2_001, None), Err(Reason::AmountExceeds));
    assert_eq!(harness.reserve("zoe", 1, None), Err(Reason::Unmatched));
    assert_eq!(harness.capture(hold, 3_001, customer("posto")), Err(Reason::AmountExceeds));
    assert_eq!(harness.capture(hold, 1, customer("ana")), Err(Reason::OutOfTurn), "it is hers");
    assert_eq!(harness.capture(hold, 1, own("nunca")), Err(Reason::Unmatched));
    let charge = harness.charge(Some("ana"), 500);
    assert_eq!(harness.capture(charge, 1, customer("posto")), Err(Reason::Unmatched));
    op(harness.reserve("ana", 2_000, None));
    let block = super::created(harness.block("ana", None, Kind::Judicial, 500));
    assert_eq!(harness.capture(block, 1, customer("posto")), Err(Reason::OutOfTurn));
    assert_eq!(harness.balances("ana"), [0, 0, 5_000]);
}

#[test]
fn money_in_its_waiting_period_is_not_reserved() {
    let mut harness = Harness::open(Terms { waiting_hours: 24, ..instant() });
    harness.deposit(Some("ana"), 5_100);
    assert_eq!(harness.reserve("ana", 1, None), Err(Reason::AmountExceeds));
    harness.pass("2026-10-21T12:01:00Z");
    op(harness.reserve("ana", 5_000, None));
}

#[test]
fn it_ends_by_itself_at_its_deadline_and_nothing_is_captured_then() {
    let mut harness = shop();
    let deadline = "2026-10-21T12:00:00.000001Z";
    let hold = op(harness.reserve("ana", 3_000, Some(deadline)));
    harness.capture(hold, 1_000, customer("posto")).unwrap();
    harness.pass("2026-10-21T12:00:00Z");
    assert_eq!(harness.balances("ana"), [2_000, 0, 2_000]);
    harness.pass("2026-10-25T12:00:00Z");
    assert_eq!(harness.balances("ana"), [4_000, 0, 0]);
    let ended = harness.records.iter().find(|record| {
        let released = |event: &Event| {
            matches!(event, Event::Hold { event: hold::Event::Released { .. }, .. })
        };
        record.events.iter().any(released)
    });
    assert_eq!(ended.map(|record| record.at), Some(at(deadline)));
    assert_eq!(harness.capture(hold, 1, customer("posto")), Err(Reason::OutOfTurn));
    // One that has passed already is no deadline.
    let now: Instant = harness.now;
    let passed = harness.reserve("ana", 1, Some(&now.to_string()));
    assert_eq!(passed, Err(Reason::OutOfTurn));
}

#[test]
fn blocks_and_courts_take_what_is_available_and_never_what_is_reserved() {
    let mut harness = shop();
    let hold = op(harness.reserve("ana", 3_000, None));
    let block = super::created(harness.block("ana", None, Kind::Judicial, 9_000));
    assert_eq!(harness.balances("ana"), [0, 0, 5_000]);
    assert_eq!(harness.sums(block)[1], 2_000);
    let court = |hold| {
        Fact::Suspense(SuspenseFact::CourtOrdered {
            account: "shop".into(),
            customer: Some("ana".into()),
            hold,
            amount: amount(100),
            decided_by: decided_by(),
        })
    };
    assert_eq!(harness.came_to(court(Some(hold))), Err(Reason::OutOfTurn));
    op(harness.came_to(court(None)));
    // She owes; her card is captured as it was authorized.
    assert_eq!(harness.balances("ana"), [-100, 0, 5_000]);
    assert_eq!(harness.capture(hold, 1_000, customer("posto")), APPLIED);
    assert_eq!(harness.balances("ana"), [-100, 0, 4_000]);
    // What is let go comes back, and is what the block is short of.
    harness.unblock(hold, None);
    assert_eq!(harness.balances("ana"), [0, 0, 3_900]);
    assert_eq!(harness.sums(block)[1], 3_900);
}

#[test]
fn a_capture_leaves_no_account_where_it_may_not_stand() {
    let mut harness = shop();
    harness.declare(declared("estoque", ProductClass::Asset)).unwrap();
    let points =
        DeclaredAccount { per_customer: Switch::On, ..declared("pontos", ProductClass::Liability) };
    harness.declare(points).unwrap();
    let hold = op(harness.reserve("ana", 3_000, None));
    assert_eq!(harness.capture(hold, 1, own("estoque")), Err(Reason::AmountExceeds));
    assert_eq!(harness.capture(hold, 1, own("pontos")), Err(Reason::Unmatched));
    let of_ana = Destination { account: "pontos".into(), ..customer("ana") };
    assert_eq!(harness.capture(hold, 40, of_ana), APPLIED);
    let holder = Some(harness.named("ana"));
    let points = Account::ProductLiability(ProductAccount { number: 2, holder });
    assert_eq!(harness.ledger.state.books.flight(points), 40);
}

#[test]
fn the_last_capture_ends_what_a_move_of_its_account_waits_for() {
    let mut harness = shop();
    let [whole, parts, other] =
        [2_000, 1_000, 500].map(|cents| op(harness.reserve("ana", cents, None)));
    harness.step("shop", Step::Leaving);
    // What goes on begins nothing new, and every capture that ends its reservation is taken.
    assert_eq!(harness.capture(parts, 400, customer("posto")), Err(Reason::OutOfTurn));
    assert_eq!(harness.capture_as((parts, 400, customer("posto")), Switch::On, None), APPLIED);
    assert_eq!(harness.capture(whole, 2_000, customer("posto")), APPLIED, "nothing is left of it");
    assert_eq!(harness.balances("ana"), [2_100, 0, 500]);
    assert_eq!(harness.balances("posto"), [2_400, 0, 0]);
    // Its balances are on their way: what is captured now would stay behind.
    harness.carry("posto", -2_400);
    let late = harness.capture_as((other, 500, customer("posto")), Switch::On, None);
    assert_eq!(late, Err(Reason::OutOfTurn));
}

#[test]
fn the_last_capture_goes_to_no_other_account_that_moves() {
    let mut harness = shop();
    let (name, key) = ("loja".into(), KeyHash([2; 32]));
    harness.fact(Fact::Account(AccountFact::Opened { name, key, terms: None }));
    let hold = op(harness.reserve("ana", 1_000, None));
    harness.step("loja", Step::Leaving);
    let holder = Holder { account: "loja".into(), customer: Some("bia".into()) };
    let theirs = Destination { account: "cust.avail".into(), holder: Some(holder) };
    let last = harness.capture_as((hold, 1_000, theirs), Switch::On, None);
    assert_eq!(last, Err(Reason::OutOfTurn), "that one waits for nothing here");
}

#[test]
fn a_journal_that_captures_to_what_nobody_declared_is_refused() {
    let mut harness = shop();
    let hold = op(harness.reserve("ana", 3_000, None));
    let fees = ProductAccount { number: 0, holder: None };
    let captured = |to: Account| {
        let (subaccount, amount) = (harness.named("ana"), amount(5));
        let event = hold::Event::Captured { subaccount, amount, to, note: None };
        harness.replayed(Event::Hold { op: hold, event })
    };
    assert!(captured(Account::ProductIncome(fees)).is_ok());
    for to in [
        Account::ProductExpense(fees),
        Account::ProductIncome(ProductAccount { number: 9, ..fees }),
        Account::ProductIncome(ProductAccount { holder: Some(SubaccountId(0)), ..fees }),
    ] {
        assert!(captured(to).is_err(), "{to}");
    }
}
