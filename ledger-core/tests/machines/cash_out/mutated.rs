//! Events that no order decided: `follows` refuses them, so a journal that holds one is corrupt.

use ledger_core::id::AccountId;
use ledger_core::machine::cash_out::{
    AmountBasis, Command, DepositAccount, Event, Order, RefundSource, ReviewReason, Sale, State,
    follows,
};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::terms::{Deal, Switch};

use super::{
    W44, accepted, by_dex, by_exchange, completed, confirm, confirmed, decide_refund, depix,
    deposit, detected, homeless, noon, now, of_code, of_wallet, on_liquid, operator_refunds, order,
    pay, paying, pix, progress, quoted, see, sold_for, step, then, usdt, weth,
};
use crate::samples::{PARTNER, amount, as_cents, units};

fn refused(state: &State, event: &Event) {
    assert!(!follows(state, event), "{event:?} may follow {state:?}");
}

fn decided(state: &State, command: Command) -> Vec<Event> {
    let events = step(state, command).1;
    assert!(follows(state, &events[0]));
    events
}

#[test]
fn terms_that_nobody_can_carry_out_are_refused() {
    let absent = State::Absent;
    let quoted = |order| Event::Quoted(Box::new(order));
    assert!(follows(&absent, &quoted(order())));
    refused(&absent, &quoted(Order { asked: AmountBasis::Net(amount(9_999)), ..order() }));
    refused(&absent, &quoted(Order { asked: AmountBasis::Units(units(1)), ..order() }));
    refused(&absent, &quoted(Order { range: (amount(2), amount(1)), ..order() }));
    refused(&absent, &quoted(Order { expires_at: order().created_at, ..order() }));
    let deal = Deal { residue: as_cents(i64::MAX), ..order().deal };
    refused(&absent, &quoted(Order { deal, ..order() }));
    refused(&super::quoted(order()), &quoted(order()));
    refused(&absent, &Event::Expired);
}

#[test]
fn deposits_agree_with_their_order() {
    let open = accepted(order());
    let seen = |coins, booked_in| Event::DepositSeen {
        deposit: deposit(coins, "0xa1", noon()),
        booked_in,
        repriced: None,
        counted: None,
        sighting: None,
    };
    assert!(follows(&open, &seen(usdt(W44), DepositAccount::Order)));
    refused(&open, &seen(weth(1), DepositAccount::Order));
    refused(&open, &seen(usdt(W44), DepositAccount::Wallet));
    refused(&quoted(order()), &seen(usdt(W44), DepositAccount::Order));
    refused(&detected(order()), &seen(usdt(1), DepositAccount::Order));
    refused(&paying(order()), &seen(usdt(1), DepositAccount::Order));
    refused(&accepted(of_wallet()), &seen(usdt(W44), DepositAccount::Order));
    let confirmed = |hash: &str, coins| Event::DepositConfirmed { hash: hash.into(), coins };
    let known = detected(order());
    assert!(follows(&known, &confirmed("0xa1", usdt(W44))));
    refused(&known, &confirmed("0xa2", usdt(W44)));
    refused(&known, &confirmed("0xa1", usdt(1)));
    refused(&super::confirmed(order()), &confirmed("0xa1", usdt(W44)));
    let gone = |coins, booked_in| Event::DepositVanished { hash: "0xa1".into(), coins, booked_in };
    assert!(follows(&known, &gone(usdt(W44), DepositAccount::Order)));
    refused(&known, &gone(usdt(1), DepositAccount::Order));
    refused(&known, &gone(usdt(W44), DepositAccount::Suspense));
    refused(&super::confirmed(order()), &gone(usdt(W44), DepositAccount::Order));
}

#[test]
fn a_payment_is_of_all_that_was_deposited_and_confirmed() {
    let state = detected(order());
    let events = step(&state, confirm("0xa1")).1;
    let Event::PaymentBegun { sale, .. } = events[1] else { panic!("{events:?}") };
    let begun = |sale, booked_in| Event::PaymentBegun { sale, booked_in, counted: None };
    refused(&state, &begun(sale, DepositAccount::Order));
    let late = then(&state, [Command::Delay, confirm("0xa1")]);
    assert!(follows(&late, &begun(sale, DepositAccount::Order)));
    refused(&late, &begun(sale, DepositAccount::Suspense));
    refused(&late, &begun(sale, DepositAccount::Wallet));
    refused(&late, &begun(Sale { coins: usdt(1), ..sale }, DepositAccount::Order));
    refused(&late, &Event::Secured { sale, counted: None });
    let dex = confirmed(by_dex());
    let sale = progress(&dex).sale.unwrap();
    assert!(follows(&dex, &begun(sale, DepositAccount::Order)));
    let less = Deal { net: amount(1), ..sale.deal };
    refused(&dex, &begun(Sale { deal: less, ..sale }, DepositAccount::Order));
}

#[test]
fn the_liquidation_moves_one_step_after_another_and_all_of_it() {
    let secured = confirmed(by_dex());
    let whole = by_dex().coins;
    assert!(follows(&secured, &Event::SellingBegun(whole)));
    refused(&secured, &Event::SellingBegun(Coins { units: units(1), ..whole }));
    refused(&secured, &Event::SaleFailed(whole));
    let selling = then(&secured, [Command::StartSale]);
    refused(&selling, &Event::SellingBegun(whole));
    refused(&selling, &Event::SaleFailed(usdt(W44)));
    refused(&selling, &Event::Forwarding);
    let sold = then(&confirmed(by_exchange()), [Command::StartSale, sold_for(10_480)]);
    let events = decided(&sold, Command::Arrive(amount(1)));
    refused(&secured, &events[0]);
    refused(&then(&sold, [Command::Arrive(amount(1))]), &events[0]);
}

#[test]
fn a_completion_pays_what_was_sold_of_whom_it_was_sold() {
    let state = paying(order());
    let events = decided(&state, pay());
    let Event::Completed { sale, .. } = events[0] else { panic!("{events:?}") };
    let done = |account, sale, booked_in, handed| Event::Completed {
        account,
        sale,
        booked_in,
        handed,
        pix: pix("E1"),
    };
    assert!(follows(&state, &done(PARTNER, sale, DepositAccount::Order, None)));
    refused(&state, &done(AccountId(4), sale, DepositAccount::Order, None));
    refused(&state, &done(PARTNER, sale, DepositAccount::Wallet, None));
    refused(&state, &done(PARTNER, sale, DepositAccount::Order, Some(sale.coins)));
    refused(&state, &done(PARTNER, Sale { coins: usdt(1), ..sale }, DepositAccount::Order, None));
    refused(&detected(order()), &events[0]);
    refused(&completed(order()), &events[0]);
    let handed = then(&paying(on_liquid()), [Command::HandOver]);
    refused(&handed, &decided(&paying(on_liquid()), pay())[0]);
    let part = Event::HandedOver(depix(1));
    refused(&paying(on_liquid()), &part);
    refused(&paying(order()), &Event::HandedOver(order().coins));
    // The provider keeps what it has and was paid from, and gives back no more than it has.
    let whole = on_liquid().coins;
    let kept = Event::TokenKept(Sale { coins: whole, deal: on_liquid().deal });
    refused(&handed, &kept);
    refused(&completed(on_liquid()), &kept);
    let back = |number| Event::TokenRecovered(depix(number));
    refused(&handed, &back(1));
    let late = then(&paying(on_liquid()), [Command::GiveUpPayment, Command::HandOver]);
    assert!(follows(&late, &back(1)));
    assert!(follows(&late, &Event::TokenRecovered(whole)));
    refused(&late, &back(whole.units.get() + 1));
    refused(&late, &kept);
    refused(&late, &Event::HandedOver(whole));
    let paid = then(&completed(on_liquid()), [Command::HandOver]);
    refused(&paid, &kept);
    refused(&paid, &Event::HandedOver(whole));
}

#[test]
fn a_refund_is_of_what_there_is_from_where_it_is() {
    let decision =
        |coins, source| Event::RefundDecided { coins, source, to: None, allowed: Switch::On };
    let short = then(&accepted(order()), [see(usdt(1_000), "0xa1"), confirm("0xa1")]);
    assert!(follows(&short, &decision(usdt(1_000), RefundSource::Deposit)));
    refused(&short, &decision(usdt(1_001), RefundSource::Deposit));
    refused(&short, &decision(usdt(1_000), RefundSource::Suspense));
    refused(&then(&short, [operator_refunds(None)]), &decision(usdt(1_000), RefundSource::Deposit));
    let refusal = then(&paying(order()), [Command::RefuseKey(amount(9_900))]);
    let sale = |back, kept| RefundSource::Sale { back: amount(back), kept: as_cents(kept) };
    assert!(follows(&refusal, &decision(usdt(18_333_333), sale(9_900, 100))));
    refused(&refusal, &decision(usdt(18_333_333), sale(9_900, 99)));
    refused(&refusal, &decision(usdt(18_333_333), sale(10_000, 0)));
    refused(&paying(order()), &decision(usdt(18_333_333), sale(9_900, 100)));
    refused(&refusal, &decision(usdt(18_333_334), sale(9_900, 100)));
    refused(&refusal, &decision(weth(18_333_333), sale(9_900, 100)));
    // What came back buys at 5.40, and no more than that.
    let bought = |cents, units| decision(usdt(units), RefundSource::Reversal(amount(cents)));
    assert!(follows(&completed(order()), &bought(10_000, 18_518_518)));
    refused(&completed(order()), &bought(10_000, 18_518_519));
    let back = |cents| bought(cents, if cents == 1 { 1_851 } else { 18_518_518 });
    refused(&completed(order()), &back(10_001));
    refused(&paying(order()), &back(1));
    refused(&then(&completed(order()), [Command::Reverse(amount(1))]), &back(1));
    assert!(follows(&then(&completed(homeless()), [Command::Reverse(amount(1))]), &back(1)));
    let handed = then(&paying(on_liquid()), [Command::HandOver, Command::GiveUpPayment]);
    let whole = on_liquid().coins;
    refused(&handed, &decision(whole, RefundSource::Deposit));
    assert!(follows(&handed, &decision(whole, RefundSource::Returned { short: None })));
    refused(&handed, &decision(depix(5), RefundSource::Returned { short: None }));
    refused(&paying(of_wallet()), &back(1));
}

#[test]
fn a_refund_is_sent_when_it_may_be_and_earns_what_its_order_earns() {
    let due = then(&paying(order()), [Command::GiveUpPayment]);
    let sent =
        |number, earned| Event::RefundSent { coins: usdt(number), hash: "0xb1".into(), earned };
    let deal = order().deal;
    assert!(follows(&due, &sent(W44, None)));
    refused(&due, &sent(W44 - 1, None));
    refused(&due, &sent(W44, Some((PARTNER, deal))));
    let homeless = then(&paying(homeless()), [Command::GiveUpPayment]);
    refused(&homeless, &sent(W44, None));
    refused(&homeless, &Event::RefundLost);
    refused(&due, &Event::RefundAllowed);
    refused(&due, &Event::RefundAddressed("0xother".into()));
    let earns = then(&paying(order()), [Command::RefuseKey(amount(9_900)), decide_refund()]);
    assert!(follows(&earns, &sent(18_333_333, Some((PARTNER, deal)))));
    refused(&earns, &sent(18_333_333, None));
    refused(&earns, &sent(18_333_333, Some((AccountId(4), deal))));
    let lost = then(&due, [Command::Refund(RefundReport::Lost)]);
    refused(&lost, &Event::RefundLost);
    assert!(follows(&lost, &Event::RefundFailed));
}

#[test]
fn only_of_what_a_code_is_paid_with_a_surplus_is_split_off() {
    let split = |units| Event::Split { unmatched: now().unmatched, coins: usdt(units) };
    let code = detected(of_code());
    assert!(follows(&code, &split(W44 - 1)));
    refused(&code, &split(W44));
    refused(&code, &Event::Split { unmatched: now().unmatched, coins: weth(1) });
    refused(&detected(order()), &split(1));
    refused(&paying(of_code()), &split(1));
    let wallets = Order { asked: of_code().asked, ..of_wallet() };
    refused(&detected(wallets), &split(1));
}

#[test]
fn a_review_is_opened_for_a_reason_there_is() {
    for reason in [ReviewReason::KeyRefused, ReviewReason::ReturnAwaited] {
        refused(&paying(order()), &Event::ReviewOpened(reason));
    }
    refused(&paying(order()), &Event::ReviewOpened(ReviewReason::Stopped));
    refused(&paying(order()), &Event::ReviewOpened(ReviewReason::Short));
    refused(&confirmed(by_dex()), &Event::ReviewOpened(ReviewReason::SaleLost));
    refused(&detected(order()), &Event::ReviewOpened(ReviewReason::SaleLost));
    let clear = |coins| Event::Cleared { coins, repriced: None, scale: None };
    let strange = then(&accepted(order()), [see(weth(7), "0xs1")]);
    refused(&strange, &clear(Some(weth(7))));
    let strange = then(&strange, [confirm("0xs1")]);
    assert!(follows(&strange, &clear(Some(weth(7)))));
    refused(&strange, &clear(None));
    refused(&strange, &clear(Some(weth(6))));
}
