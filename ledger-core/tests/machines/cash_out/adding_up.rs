//! Receipts that add up: a trial first, dust, a foreign token, parts, and what comes too late
//! (rulings 67 and 75).

use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{
    Command, Context, Event, Order, ReviewReason, Stage, State, decide,
};
use ledger_core::machine::refund::Coins;
use ledger_core::terms::Switch;

use super::{
    W44, accepted, by_dex, ceilings, confirm, deposit, now, now_at, of_code, order, progress, see,
    stage, step, step_under, then, usdt, vanish, verdict, weth,
};
use crate::samples::{as_cents, at, quote, units};

const TRIAL: u128 = 1_000_000;

fn sold(state: &State) -> (i64, u128) {
    let sale = progress(state).sale.expect("it was priced");
    (sale.deal.net.cents(), sale.coins.units.get())
}

/// A trial of one USDT, which is too little.
fn tried(order: Order) -> State {
    let trial = Coins { units: units(TRIAL), ..order.coins };
    let tried = then(&accepted(order), [see(trial, "0xt1"), confirm("0xt1")]);
    assert_eq!(stage(&tried), Stage::Review(ReviewReason::Short));
    tried
}

fn late(text: &str, units: u128, hash: &str) -> Command {
    Command::See(deposit(usdt(units), hash, at(text)))
}

fn dear() -> Context {
    Context { quote: Some(quote("6.00")), ..now_at(at("2026-10-21T12:00:00Z")) }
}

#[test]
fn a_trial_and_then_the_rest_pay_the_whole() {
    for order in [order(), by_dex(), of_code()] {
        let paid = if order == by_dex() { Stage::Secured } else { Stage::Paying };
        let rest = Coins { units: units(W44 - TRIAL), ..order.coins };
        let both = then(&tried(order), [see(rest, "0xt2")]);
        assert_eq!(stage(&both), Stage::Review(ReviewReason::Short), "it is not confirmed");
        let (whole, events) = step(&both, confirm("0xt2"));
        assert!(matches!(events[..], [Event::DepositConfirmed { .. }, Event::ReviewEnded, _]));
        assert_eq!((stage(&whole), sold(&whole)), (paid, (10_000, W44)));
        assert_eq!(progress(&whole).counted, as_cents(10_000));
    }
}

#[test]
fn what_may_be_paid_is_paid_at_once_and_nothing_waits_for_the_rest() {
    let two = then(&tried(order()), [see(usdt(W44 - 2 * TRIAL), "0xt2"), confirm("0xt2")]);
    assert_eq!((stage(&two), sold(&two).1), (Stage::Paying, W44 - TRIAL));
    assert_eq!(verdict(&two, see(usdt(TRIAL), "0xt3")), Verdict::SetAside, "it goes back alone");
}

#[test]
fn a_second_that_pays_too_much_is_paid_whole_or_split_off_by_a_code() {
    let over = |state: &State| step(&then(state, [see(usdt(30_000_000), "0xt2")]), confirm("0xt2"));
    assert_eq!(sold(&over(&tried(order())).0).1, 31_000_000);
    let (code, events) = over(&tried(of_code()));
    let split = Event::Split { unmatched: now().unmatched, coins: usdt(31_000_000 - W44) };
    assert_eq!((sold(&code), &events[2]), ((10_000, W44), &split));
}

#[test]
fn three_parts_are_confirmed_in_any_order() {
    let parts = [see(usdt(5), "0xa1"), see(usdt(6), "0xa2"), see(usdt(W44 - 11), "0xa3")];
    let all = then(&accepted(order()), parts);
    for order in [["0xa1", "0xa2", "0xa3"], ["0xa3", "0xa2", "0xa1"], ["0xa2", "0xa3", "0xa1"]] {
        let paid = then(&all, order.map(confirm));
        assert_eq!((stage(&paid), sold(&paid)), (Stage::Paying, (10_000, W44)));
    }
}

#[test]
fn a_part_that_vanishes_leaves_what_is_too_little_to_wait() {
    let both = then(&tried(order()), [see(usdt(W44 - TRIAL), "0xt2")]);
    let gone = then(&both, [vanish("0xt2")]);
    assert_eq!(stage(&gone), Stage::Review(ReviewReason::Short));
    let again = then(&gone, [see(usdt(W44 - TRIAL), "0xt2"), confirm("0xt2")]);
    assert_eq!((stage(&again), sold(&again)), (Stage::Paying, (10_000, W44)));
    // Of three, the two that are left may be paid.
    let three = then(&both, [see(usdt(5), "0xt3"), confirm("0xt2")]);
    let (paid, events) = step(&three, vanish("0xt3"));
    assert!(matches!(events[..], [Event::DepositVanished { .. }, Event::ReviewEnded, _]));
    assert_eq!(sold(&paid), (10_000, W44));
}

#[test]
fn a_foreign_token_keeps_a_review_of_its_own_and_the_order_goes_on() {
    let odd = then(&accepted(order()), [see(weth(7), "0xs1")]);
    for (odd, confirmed) in
        [(odd.clone(), Switch::Off), (then(&odd, [confirm("0xs1")]), Switch::On)]
    {
        assert_eq!(stage(&odd), Stage::Review(ReviewReason::Strange));
        assert_eq!(progress(&odd).deposits[0].confirmed, confirmed);
        let (seen, events) = step(&odd, see(usdt(W44), "0xa1"));
        let (unmatched, hash) = (now().unmatched, "0xs1".into());
        assert_eq!(events[0], Event::OddParted { unmatched, hash, coins: weth(7) });
        assert_eq!((stage(&seen), progress(&seen).odd("0xs1")), (Stage::Detected, Some(unmatched)));
        let paid = then(&seen, [confirm("0xa1")]);
        assert_eq!((stage(&paid), sold(&paid)), (Stage::Paying, (10_000, W44)));
        // Without its own it waits again.
        assert_eq!(stage(&then(&seen, [vanish("0xa1")])), Stage::Awaiting);
    }
}

#[test]
fn a_review_for_a_ceiling_takes_more_and_stays() {
    let full = Context { ceilings: ceilings(9_999), ..now() };
    let seen = then(&accepted(order()), [see(usdt(W44 + TRIAL), "0xa1")]);
    let held = step_under(&seen, confirm("0xa1"), &full).0;
    assert_eq!(stage(&held), Stage::Review(ReviewReason::RecipientDay));
    let more = then(&held, [see(usdt(TRIAL), "0xa2"), confirm("0xa2")]);
    assert_eq!(stage(&more), Stage::Review(ReviewReason::RecipientDay));
    assert_eq!(progress(&more).in_deposit(), Some(usdt(W44 + 2 * TRIAL)));
    assert_eq!(stage(&then(&more, [Command::Clear(None)])), Stage::Paying);
}

#[test]
fn dust_keeps_no_rate() {
    // COUT-60: what completes the sum after the deadline is priced at its detection.
    let dust = then(&accepted(order()), [see(usdt(5), "0xd1"), confirm("0xd1")]);
    let (seen, _) = step_under(&dust, late("2026-10-21T12:00:00Z", W44, "0xa1"), &dear());
    assert_eq!(progress(&seen).repriced, Some(quote("6.00")));
    assert_eq!(progress(&seen).counted, as_cents(11_144));
    let paid = step_under(&seen, confirm("0xa1"), &dear()).0;
    assert_eq!((stage(&paid), sold(&paid)), (Stage::Paying, (11_144, W44 + 5)));
    // And so does what is added to dust that revived the order.
    let expired = then(&accepted(order()), [Command::Expire]);
    let (dust, _) = step_under(&expired, late("2026-10-20T12:20:00Z", 5, "0xd1"), &now());
    let dust = then(&dust, [confirm("0xd1")]);
    assert_eq!(stage(&dust), Stage::Review(ReviewReason::Short));
    let (seen, _) = step_under(&dust, late("2026-10-21T12:00:00Z", W44, "0xa1"), &dear());
    assert_eq!(sold(&step_under(&seen, confirm("0xa1"), &dear()).0), (11_144, W44 + 5));
}

#[test]
fn what_may_be_paid_in_time_keeps_its_rate_when_dust_follows() {
    let whole = then(&accepted(order()), [see(usdt(W44), "0xa1")]);
    let (both, _) = step_under(&whole, late("2026-10-21T12:00:00Z", 5, "0xd1"), &dear());
    assert_eq!(progress(&both).repriced, None);
    // Told after dust that came later, what was in time has the order's own price.
    let expired = then(&accepted(order()), [Command::Expire]);
    let (dust, _) = step_under(&expired, late("2026-10-21T12:00:00Z", 5, "0xd1"), &dear());
    let (told, _) = step_under(&dust, late("2026-10-20T12:10:00Z", W44, "0xa1"), &dear());
    let paid = step_under(&told, confirm("0xd1"), &dear()).0;
    let paid = step_under(&paid, confirm("0xa1"), &dear()).0;
    assert_eq!(sold(&paid), (10_000, W44 + 5));
}

#[test]
fn nothing_adds_to_an_order_after_its_revival_window() {
    let last = "2026-10-27T12:14:00Z";
    let (seen, _) = step_under(&tried(order()), late(last, W44, "0xa1"), &dear());
    assert_eq!(progress(&seen).deposits.len(), 2);
    let over = late("2026-10-27T12:14:00.000001Z", W44, "0xa1");
    assert_eq!(decide(&tried(order()), over, &dear()), Verdict::SetAside);
}

#[test]
fn what_completes_a_sum_without_room_or_price_waits_for_that() {
    let full = Context { ceilings: ceilings(11_143), ..dear() };
    let seen = || late("2026-10-21T12:00:00Z", W44, "0xa1");
    let (held, events) = step_under(&tried(order()), seen(), &full);
    assert!(matches!(
        events[..],
        [Event::DepositSeen { .. }, Event::ReviewEnded, Event::ReviewOpened(_)]
    ));
    assert_eq!(stage(&held), Stage::Review(ReviewReason::RecipientDay));
    let (unpriced, _) = step_under(&tried(order()), seen(), &Context { quote: None, ..dear() });
    assert_eq!(stage(&unpriced), Stage::Review(ReviewReason::Unpriced));
}
