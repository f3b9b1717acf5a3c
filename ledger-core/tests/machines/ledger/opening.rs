//! Opening balances: brought one by one, until their account is closed for them
//! (P:OpeningBalances).

use ledger_core::accounting::{Control, ProductClass};
use ledger_core::id::KeyHash;
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::product::{DeclaredAccount, Fact as ProductFact, Holder};
use ledger_core::ledger::{
    Archive, Carried, Event, Fact, Outcome, SetAsideReason as Reason, State,
};
use ledger_core::terms::Terms;

use super::counter::decided_by;
use super::entries::{Became, leg, op};
use super::reservations::own;
use super::templates::sale;
use super::{HOUSE, Harness, SHOP, instant};
use crate::samples::{SOMEBODY, amount};

impl Harness {
    fn bring(&mut self, (account, customer): (&str, Option<&str>), cents: i64) -> Became {
        let holder = Holder { account: account.into(), customer: customer.map(Into::into) };
        let (amount, note, decided_by) = (amount(cents), Some(SOMEBODY), decided_by());
        self.came_to(Fact::Product(ProductFact::BalanceOpened { holder, amount, note, decided_by }))
    }

    fn close(&mut self, account: &str) -> Became {
        let (account, decided_by) = (account.into(), decided_by());
        self.came_to(Fact::Product(ProductFact::OpeningBalancesClosed { account, decided_by }))
    }
}

const ANA: (&str, Option<&str>) = ("shop", Some("ana"));
const APPLIED: Became = Ok(Outcome::Applied(None));

#[test]
fn a_balance_from_elsewhere_is_available_at_once_and_debited_to_equity_opening() {
    let mut harness = Harness::open(Terms::latest());
    let entry = op(harness.bring(ANA, 125_000));
    assert_eq!(harness.balances("ana"), [125_000, 0, 0]);
    assert_eq!(harness.of_product(Control::ProductEquity), -125_000);
    let declared: Vec<_> = harness.ledger.state.product_accounts().cloned().collect();
    let [DeclaredAccount { name, class, .. }] = &declared[..] else { panic!("{declared:?}") };
    assert_eq!((&**name, *class), ("equity.opening", ProductClass::Equity));
    // It is one row of an entry, and no deposit: nothing waits, and no first deposit was made.
    let ana = harness.named("ana");
    let row = harness.ledger.archive.row(ana, 1).unwrap();
    assert_eq!((row.value.cents(), row.note, row.op), (125_000, Some(SOMEBODY), entry));
    let known = harness.ledger.state.subaccount(ana).unwrap();
    assert_eq!((known.waiting_until, known.deposited), (None, false));
    harness.transfer(Some("ana"), Some("bia"), 25_000).unwrap();
    assert_eq!(harness.available("ana"), 100_000);
    // The house brings one too; the account is declared once.
    op(harness.bring(("shop", None), 700));
    assert_eq!(harness.buckets(HOUSE), [700, 0, 0]);
    assert_eq!(harness.ledger.state.product_accounts().count(), 1);
    assert_eq!(harness.of_product(Control::ProductEquity), -125_700);
    assert_eq!(harness.bring(("nobody", Some("ana")), 1), Err(Reason::Unmatched));
}

#[test]
fn an_account_that_is_closed_takes_no_balance_and_others_do() {
    let mut harness = Harness::open(instant());
    op(harness.bring(ANA, 500));
    assert_eq!(harness.close("nobody"), Err(Reason::Unmatched));
    assert_eq!(harness.close("shop"), APPLIED);
    let closed = Event::OpeningBalancesClosed { account: SHOP };
    assert_eq!(harness.records.last().unwrap().events[0], closed);
    assert_eq!(harness.close("shop"), Ok(Outcome::Known));
    for customer in [Some("ana"), Some("new"), None] {
        assert_eq!(harness.bring(("shop", customer), 1), Err(Reason::OpeningClosed));
    }
    assert_eq!((harness.available("ana"), harness.buckets(HOUSE)), (500, [0; 3]));
    assert!(harness.replayed(closed).is_err(), "once");
    let (name, key) = ("other".into(), KeyHash([2; 32]));
    harness.fact(Fact::Account(AccountFact::Opened { name, key, terms: None }));
    op(harness.bring(("other", Some("ana")), 1));
}

#[test]
fn an_account_stays_closed_in_a_snapshot_and_on_its_way_to_another_ledger() {
    let mut harness = Harness::open(instant());
    op(harness.bring(ANA, 500));
    let closed_when_carried = |harness: &Harness| {
        let state = &harness.ledger.state;
        let account = state.account(SHOP).unwrap();
        Carried::from_account(account, state.usage(SHOP)).unwrap().opening_closed
    };
    assert_eq!(closed_when_carried(&harness), None);
    harness.close("shop").unwrap();
    assert_eq!(closed_when_carried(&harness), Some(true));
    let state = &harness.ledger.state;
    let bytes = minicbor::to_vec(state.snapshot()).unwrap();
    let restored = State::restore("live", minicbor::decode(&bytes).unwrap(), []).unwrap();
    assert!(state.opening_is_closed(SHOP) && restored.opening_is_closed(SHOP));
}

#[test]
fn products_move_equity_opening_by_no_leg_template_or_capture() {
    let mut harness = Harness::open(instant());
    op(harness.bring(ANA, 5_000));
    assert!(DeclaredAccount::well_named("equity.opening").is_err());
    let unmatched = Err(Reason::Unmatched);
    let more = vec![leg("equity.opening", None, -5), leg("cust.avail", Some("ana"), 5)];
    assert_eq!(harness.post(more), unmatched);
    let mut template = sale();
    template.legs[1].account = "equity.opening".into();
    assert_eq!(harness.adopt(template), unmatched);
    let hold = op(harness.reserve("ana", 1_000, None));
    assert_eq!(harness.capture(hold, 10, own("equity.opening")), unmatched);
    assert_eq!(harness.of_product(Control::ProductEquity), -5_000);
}

#[test]
fn an_opening_balance_is_taken_back_as_every_entry_even_once_its_account_is_closed() {
    let mut harness = Harness::open(instant());
    let [whole, part] = [300, 1_000].map(|cents| op(harness.bring(ANA, cents)));
    harness.close("shop").unwrap();
    assert_eq!(harness.take_back(whole, None), Ok(Outcome::Applied(Some(whole))));
    assert_eq!(harness.available("ana"), 1_000);
    let back = |cents: i64| {
        Some(vec![leg("cust.avail", Some("ana"), -cents), leg("equity.opening", None, cents)])
    };
    assert_eq!(harness.take_back(part, back(1_001)), Err(Reason::AmountExceeds));
    assert_eq!(harness.take_back(part, back(400)), Ok(Outcome::Applied(Some(part))));
    assert_eq!(harness.available("ana"), 600);
    assert_eq!(harness.of_product(Control::ProductEquity), -600);
}
