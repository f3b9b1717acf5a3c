//! Events that no order decided: `follows` refuses them, so a journal that holds one is corrupt.

use ledger_core::id::AccountId;
use ledger_core::machine::cash_out::{
    Asked, Command, Event, Order, Place, Sale, Source, State, Why, follows,
};
use ledger_core::machine::refund::{Coins, News};
use ledger_core::terms::{Deal, Switch};

use super::{
    W44, accepted, by_dex, by_exchange, completed, confirm, confirmed, decide_refund, depix,
    deposit, detected, homeless, noon, now, of_code, of_wallet, on_liquid, operator_refunds, order,
    pay, paying, pix, quoted, see, sold_for, standing, step, then, usdt, weth,
};
use crate::samples::{PARTNER, amount, share, units};

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
    refused(&absent, &quoted(Order { asked: Asked::Net(amount(9_999)), ..order() }));
    refused(&absent, &quoted(Order { asked: Asked::Units(units(1)), ..order() }));
    refused(&absent, &quoted(Order { range: (amount(2), amount(1)), ..order() }));
    refused(&absent, &quoted(Order { expires_at: order().created_at, ..order() }));
    let deal = Deal { residue: share(i64::MAX), ..order().deal };
    refused(&absent, &quoted(Order { deal, ..order() }));
    refused(&super::quoted(order()), &quoted(order()));
    refused(&absent, &Event::Expired);
}

#[test]
fn deposits_agree_with_their_order() {
    let open = accepted(order());
    let seen = |coins, place| Event::DepositSeen {
        deposit: deposit(coins, "0xa1", noon()),
        place,
        repriced: None,
        counted: None,
        sighting: None,
    };
    assert!(follows(&open, &seen(usdt(W44), Place::Order)));
    refused(&open, &seen(weth(1), Place::Order));
    refused(&open, &seen(usdt(W44), Place::Wallet));
    refused(&quoted(order()), &seen(usdt(W44), Place::Order));
    refused(&detected(order()), &seen(usdt(1), Place::Order));
    refused(&paying(order()), &seen(usdt(1), Place::Order));
    refused(&accepted(of_wallet()), &seen(usdt(W44), Place::Order));
    let confirmed = |hash: &str, coins| Event::DepositConfirmed { hash: hash.into(), coins };
    let known = detected(order());
    assert!(follows(&known, &confirmed("0xa1", usdt(W44))));
    refused(&known, &confirmed("0xa2", usdt(W44)));
    refused(&known, &confirmed("0xa1", usdt(1)));
    refused(&super::confirmed(order()), &confirmed("0xa1", usdt(W44)));
    let gone = |coins, place| Event::DepositVanished { hash: "0xa1".into(), coins, place };
    assert!(follows(&known, &gone(usdt(W44), Place::Order)));
    refused(&known, &gone(usdt(1), Place::Order));
    refused(&known, &gone(usdt(W44), Place::Suspense));
    refused(&super::confirmed(order()), &gone(usdt(W44), Place::Order));
}

#[test]
fn a_payment_is_of_all_that_was_deposited_and_confirmed() {
    let state = detected(order());
    let events = step(&state, confirm("0xa1")).1;
    let Event::PaymentBegun { sale, .. } = events[1] else { panic!("{events:?}") };
    let begun = |sale, place| Event::PaymentBegun { sale, place, counted: None };
    refused(&state, &begun(sale, Place::Order));
    let late = then(&state, [Command::Delay, confirm("0xa1")]);
    assert!(follows(&late, &begun(sale, Place::Order)));
    refused(&late, &begun(sale, Place::Suspense));
    refused(&late, &begun(sale, Place::Wallet));
    refused(&late, &begun(Sale { coins: usdt(1), ..sale }, Place::Order));
    refused(&late, &Event::Secured { sale, counted: None });
    let dex = confirmed(by_dex());
    let sale = standing(&dex).sale.unwrap();
    assert!(follows(&dex, &begun(sale, Place::Order)));
    let less = Deal { net: amount(1), ..sale.deal };
    refused(&dex, &begun(Sale { deal: less, ..sale }, Place::Order));
}

#[test]
fn the_own_leg_moves_one_step_after_another_and_all_of_it() {
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
    let done = |account, sale, place, handed| Event::Completed {
        account,
        sale,
        place,
        handed,
        pix: pix("E1"),
    };
    assert!(follows(&state, &done(PARTNER, sale, Place::Order, None)));
    refused(&state, &done(AccountId(4), sale, Place::Order, None));
    refused(&state, &done(PARTNER, sale, Place::Wallet, None));
    refused(&state, &done(PARTNER, sale, Place::Order, Some(sale.coins)));
    refused(&state, &done(PARTNER, Sale { coins: usdt(1), ..sale }, Place::Order, None));
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
    assert!(follows(&short, &decision(usdt(1_000), Source::Deposit)));
    refused(&short, &decision(usdt(1_001), Source::Deposit));
    refused(&short, &decision(usdt(1_000), Source::Suspense));
    refused(&then(&short, [operator_refunds(None)]), &decision(usdt(1_000), Source::Deposit));
    let refusal = then(&paying(order()), [Command::RefuseKey(amount(9_900))]);
    let sale = |back, kept| Source::Sale { back: amount(back), kept: share(kept) };
    assert!(follows(&refusal, &decision(usdt(18_333_333), sale(9_900, 100))));
    refused(&refusal, &decision(usdt(18_333_333), sale(9_900, 99)));
    refused(&refusal, &decision(usdt(18_333_333), sale(10_000, 0)));
    refused(&paying(order()), &decision(usdt(18_333_333), sale(9_900, 100)));
    refused(&refusal, &decision(usdt(18_333_334), sale(9_900, 100)));
    refused(&refusal, &decision(weth(18_333_333), sale(9_900, 100)));
    // What came back buys at 5.40, and no more than that.
    let bought = |cents, units| decision(usdt(units), Source::Reversal(amount(cents)));
    assert!(follows(&completed(order()), &bought(10_000, 18_518_518)));
    refused(&completed(order()), &bought(10_000, 18_518_519));
    let back = |cents| bought(cents, if cents == 1 { 1_851 } else { 18_518_518 });
    refused(&completed(order()), &back(10_001));
    refused(&paying(order()), &back(1));
    refused(&then(&completed(order()), [Command::Reverse(amount(1))]), &back(1));
    assert!(follows(&then(&completed(homeless()), [Command::Reverse(amount(1))]), &back(1)));
    let handed = then(&paying(on_liquid()), [Command::HandOver, Command::GiveUpPayment]);
    let whole = on_liquid().coins;
    refused(&handed, &decision(whole, Source::Deposit));
    assert!(follows(&handed, &decision(whole, Source::Returned { short: None })));
    refused(&handed, &decision(depix(5), Source::Returned { short: None }));
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
    let lost = then(&due, [Command::Refund(News::Lost)]);
    refused(&lost, &Event::RefundLost);
    assert!(follows(&lost, &Event::RefundFailed));
}

#[test]
fn only_of_what_a_code_is_paid_with_a_surplus_is_split_off() {
    let split = |units| Event::Split { receipt: now().receipt, coins: usdt(units) };
    let code = detected(of_code());
    assert!(follows(&code, &split(W44 - 1)));
    refused(&code, &split(W44));
    refused(&code, &Event::Split { receipt: now().receipt, coins: weth(1) });
    refused(&detected(order()), &split(1));
    refused(&paying(of_code()), &split(1));
    let wallets = Order { asked: of_code().asked, ..of_wallet() };
    refused(&detected(wallets), &split(1));
}

#[test]
fn a_review_is_opened_for_a_reason_there_is() {
    for why in [Why::KeyRefused, Why::ReturnAwaited] {
        refused(&paying(order()), &Event::ReviewOpened(why));
    }
    refused(&paying(order()), &Event::ReviewOpened(Why::Stopped));
    refused(&paying(order()), &Event::ReviewOpened(Why::Short));
    refused(&confirmed(by_dex()), &Event::ReviewOpened(Why::SaleLost));
    refused(&detected(order()), &Event::ReviewOpened(Why::SaleLost));
    let clear = |coins| Event::Cleared { coins, repriced: None, scale: None };
    let strange = then(&accepted(order()), [see(weth(7), "0xs1")]);
    refused(&strange, &clear(Some(weth(7))));
    let strange = then(&strange, [confirm("0xs1")]);
    assert!(follows(&strange, &clear(Some(weth(7)))));
    refused(&strange, &clear(None));
    refused(&strange, &clear(Some(weth(6))));
}
