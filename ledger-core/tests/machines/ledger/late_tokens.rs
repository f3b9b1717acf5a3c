//! Tokens at the provider of which the news comes late, or never came (rulings 1 and 8).

use ledger_core::accounting::{CoinAccount, Control};
use ledger_core::coin::Units;
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{CashOutRequest, Outcome, SaleReport};
use ledger_core::machine::cash_out::{Command, Payee, Stage};
use ledger_core::machine::unmatched_deposit;

use super::Harness;
use super::sales::{person, sale};

/// An order on Liquid whose payment began.
fn paying(harness: &mut Harness) -> (OpId, u128) {
    let request = sale(10_000, person(1));
    let payee = Payee { tax_number: Some(person(1)), ..request.payee };
    let (asset, network) = ("depix".into(), "liquid".into());
    let order =
        harness.sell(CashOutRequest { asset, network, payee, refund_address: None, ..request });
    let coins = harness.order_of(order).order.coins;
    assert_eq!(harness.see(order, coins, "0xa1"), Outcome::Applied(None));
    assert_eq!(harness.confirm(order, "0xa1"), Outcome::Applied(None));
    (order, coins.units.get())
}

/// Returns what an account has of the order's token, as a net credit.
fn held(harness: &Harness, order: OpId, account: CoinAccount) -> i128 {
    let asset = harness.order_of(order).order.coins.asset;
    let mut all = harness.ledger.state.books.coins();
    all.find(|known| (known.0, known.1) == (asset, account)).map_or(0, |known| known.2)
}

fn hand_over(harness: &mut Harness, order: OpId) -> Outcome {
    harness.report(order, SaleReport::Moved(Command::HandOver))
}

fn give_back(harness: &mut Harness, order: OpId, units: u128) -> Outcome {
    harness.report(order, SaleReport::TokenReturned(Units::new(units).unwrap()))
}

#[test]
fn the_books_are_the_same_whenever_the_token_is_reported_at_the_provider() {
    let books = |late: bool| {
        let mut harness = Harness::buying();
        let (order, units) = paying(&mut harness);
        if !late {
            hand_over(&mut harness, order);
        }
        harness.pay_sale(order, "E1");
        if late {
            assert_eq!(hand_over(&mut harness, order), Outcome::Applied(None));
        }
        assert_eq!(hand_over(&mut harness, order), Outcome::Known);
        assert_eq!(harness.stage(order), Stage::Completed);
        let chain = harness.order_of(order).order.coins.chain;
        let stock = held(&harness, order, CoinAccount::Treasury(chain));
        let claim = held(&harness, order, CoinAccount::ProviderClaim);
        assert_eq!((stock, claim), (0, 0), "{units} came and went");
        (
            held(&harness, order, CoinAccount::Fx),
            harness.total(Control::ProviderPay),
            harness.total(Control::Fx),
        )
    };
    assert_eq!(books(true), books(false));
}

#[test]
fn a_token_that_came_back_and_should_not_have_been_away_waits_for_a_person() {
    let mut harness = Harness::buying();
    let (order, units) = paying(&mut harness);
    hand_over(&mut harness, order);
    harness.pay_sale(order, "E1");
    let Outcome::SetAside(Some(back)) = give_back(&mut harness, order, units) else {
        panic!("the token is in the stock, and nobody's")
    };
    assert!(matches!(harness.receipt_of(back), unmatched_deposit::State::Waiting(..)));
    assert_eq!(held(&harness, order, CoinAccount::Suspense), i128::try_from(units).unwrap());
    // And once more: each is an unmatched deposit of its own.
    assert!(matches!(give_back(&mut harness, order, 7), Outcome::SetAside(Some(_))));
    assert_eq!(held(&harness, order, CoinAccount::Suspense), i128::try_from(units + 7).unwrap());
}

#[test]
fn a_token_that_came_back_is_confirmed_as_it_comes_and_is_booked_once() {
    let mut harness = Harness::buying();
    let (order, units) = paying(&mut harness);
    hand_over(&mut harness, order);
    harness.pay_sale(order, "E1");
    let Outcome::SetAside(Some(back)) = give_back(&mut harness, order, units) else {
        panic!("the token is in the stock, and nobody's")
    };
    let hash = harness.receipt_of(back).order().unwrap().deposit.hash.clone();
    let confirmed = || SaleReport::Confirmed { hash: hash.clone(), deposit: None };
    assert_eq!(harness.report(back, confirmed()), Outcome::Known);
    // What is in the stock by the books and is reported gone is a claim; it does not come again.
    let lost = harness.report(back, SaleReport::Vanished(hash.clone()));
    assert!(
        matches!(lost, Outcome::SetAside(Some(claim)) if claim.kind() == Kind::ErroneousDelivery)
    );
    assert_eq!(harness.report(back, confirmed()), Outcome::Known);
    assert_eq!(harness.report(order, confirmed()), Outcome::Known);
    assert_eq!(held(&harness, order, CoinAccount::Suspense), i128::try_from(units).unwrap());
}

#[test]
fn a_token_that_comes_back_without_news_of_its_going_was_there() {
    let mut harness = Harness::buying();
    let (order, units) = paying(&mut harness);
    assert_eq!(give_back(&mut harness, order, units), Outcome::Applied(None));
    assert_eq!(harness.stage(order), Stage::Refunding);
    assert_eq!(
        held(&harness, order, CoinAccount::RefundDue(order)),
        i128::try_from(units).unwrap()
    );
    assert_eq!(held(&harness, order, CoinAccount::ProviderClaim), 0);
}
