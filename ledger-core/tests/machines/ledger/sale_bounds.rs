//! Where a sale's bounds are: of the sale, of its market, of what can be given back of it.

use ledger_core::accounting::Control;
use ledger_core::id::{Kind, OpId, Token};
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::{Bounds, CashOutRequest, Fact, Outcome, Refusal, SaleReport};
use ledger_core::machine::cash_out::{AmountBasis, Command};
use ledger_core::terms::{Market, Policy, Route, SaleLimits};

use super::sales::{W44, market, person, sale, usdt};
use super::{Harness, unlimited};
use crate::samples::{amount, units};

#[test]
fn a_sale_may_be_as_little_and_as_much_as_its_bounds_and_no_unit_beyond() {
    let harness_of = |least: Option<u128>, most: Option<u128>| {
        let mut harness = Harness::buying();
        let (least, most) = (least.map(units), most.map(units));
        let opened = vec![Market { least, most, ..market("usdt", "polygon", Route::Fast, 6) }];
        harness.fact(Fact::Purchase(PurchaseFact::MarketsUpdated { opened, closed: Vec::new() }));
        harness
    };
    let bound = |mut harness: Harness, cents| match harness.ask_to_sell(sale(cents, person(1))) {
        Ok(_) => None,
        Err(Refusal::SaleOutOfRange { bound, .. }) => Some(bound),
        Err(other) => panic!("{other:?}"),
    };
    assert_eq!(bound(harness_of(Some(W44), Some(W44)), 10_000), None);
    assert_eq!(bound(harness_of(Some(W44 + 1), None), 10_000), Some(Bounds::Below));
    assert_eq!(bound(harness_of(None, Some(W44 - 1)), 10_000), Some(Bounds::Above));
    assert_eq!(bound(Harness::buying(), 600), None);
    assert_eq!(bound(Harness::buying(), 599), Some(Bounds::Below));
    let most = |cents| {
        let limits = SaleLimits { most: amount(10_000), ..SaleLimits::default() };
        let policy = Policy { sales: Some(limits), ..unlimited() };
        bound(Harness::buying_under(policy), cents)
    };
    assert_eq!((most(10_000), most(10_001)), (None, Some(Bounds::Above)));
}

#[test]
fn what_is_split_off_after_another_deposit_vanished_is_of_the_latest_that_is_left() {
    let mut harness = Harness::buying();
    let asked = AmountBasis::Code(Token([9; 16]));
    let code = CashOutRequest { asked, code_amount: Some(amount(10_000)), ..sale(1, person(1)) };
    let order = harness.sell(code);
    for hash in ["0xa1", "0xa2", "0xa3"] {
        assert_eq!(harness.see(order, usdt(W44), hash), Outcome::Applied(None));
    }
    harness.confirm(order, "0xa1");
    harness.confirm(order, "0xa2");
    assert_eq!(harness.vanish(order, "0xa3"), Outcome::Applied(None));
    let split = OpId::new(Kind::UnmatchedDeposit, harness.ledger.state.seq);
    let unmatched = harness.receipt_of(split);
    let deposit = &unmatched.order().unwrap().deposit;
    assert_eq!((&*deposit.hash, deposit.coins), ("0xa2", usdt(W44)));
}

#[test]
fn more_given_back_than_was_paid_is_put_aside_however_often_it_is_reported() {
    let mut harness = Harness::buying();
    let order = harness.funded_sale(person(1), "0xa1");
    let refused = |harness: &mut Harness, cents| {
        harness.report(order, SaleReport::Moved(Command::RefuseKey(amount(cents))));
        harness.ledger.state.books.balance(Control::SuspensePix)
    };
    assert_eq!(refused(&mut harness, 12_000), 2_000, "the order takes what it had");
    assert_eq!(refused(&mut harness, 10_000), 2_000, "reported again, it is known");
    assert_eq!(refused(&mut harness, 12_000), 14_000, "and what it cannot have had is nobody's");
}
