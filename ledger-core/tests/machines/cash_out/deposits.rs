//! Deposits: exact, several, short, over, strange, late, vanished.

use ledger_core::coin::Scale;
use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{
    Command, Context, DepositTo, Event, Order, Refusal, Request, ReviewReason, Stage, State,
    decide, request,
};
use ledger_core::terms::Switch;

use super::{
    W44, accept, accepted, by_dex, ceilings, confirm, confirmed, deposit, detected, homeless, noon,
    now, now_at, of_code, of_wallet, order, progress, quoted, refusal, see, stage, step, step_at,
    step_under, then, usdt, vanish, verdict, verdict_at, weth,
};
use crate::samples::{amount, as_cents, at, quote};

/// The net, the units sold, and the residue.
fn sold(state: &State) -> (i64, u128, i64) {
    let sale = progress(state).sale.expect("it was priced");
    (sale.deal.net.cents(), sale.coins.units.get(), sale.deal.residue.cents())
}

fn no_room() -> Context {
    Context { ceilings: ceilings(0), ..now() }
}

#[test]
fn less_than_the_least_payment_waits_for_a_person() {
    // 6.00 net costs 6.00 + 0.12 + 3.00 = 9.12: 1.688889 USDT.
    let least = then(&accepted(order()), [see(usdt(1_688_889), "0xa1"), confirm("0xa1")]);
    assert_eq!((stage(&least), sold(&least).0), (Stage::Paying, 600));
    let less = then(&accepted(order()), [see(usdt(1_688_888), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&less), Stage::Review(ReviewReason::Short));
    // An operator may pay it nevertheless, if anything is left to pay.
    let (cleared, events) = step(&less, Command::Clear(None));
    assert!(matches!(events[..], [Event::Cleared { .. }, Event::PaymentBegun { .. }]));
    assert_eq!(sold(&cleared).0, 599);
    let nothing = then(&accepted(order()), [see(usdt(100), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&nothing), Stage::Review(ReviewReason::Short));
    assert_eq!(verdict(&nothing, Command::Clear(None)), Verdict::SetAside);
}

#[test]
fn when_the_last_deposit_that_was_waited_for_vanishes_the_others_go_on() {
    let two = then(&detected(order()), [see(usdt(10_000_000), "0xa2"), confirm("0xa1")]);
    let (paying, events) = step(&two, vanish("0xa2"));
    assert!(matches!(events[..], [Event::DepositVanished { .. }, Event::PaymentBegun { .. }]));
    assert_eq!(sold(&paying), (10_000, W44, 0));
    // While the exchange is late it goes on when that is over.
    let late = then(&two, [Command::Delay, vanish("0xa2")]);
    assert_eq!(stage(&late), Stage::Detected);
    assert_eq!(stage(&then(&late, [Command::Resume])), Stage::Paying);
}

#[test]
fn a_deposit_that_vanishes_leaves_its_order_as_it_was() {
    let gone = step_at(&detected(order()), vanish("0xa1"), "2026-10-20T12:13:59Z").0;
    assert_eq!(stage(&gone), Stage::Awaiting);
    assert_eq!(progress(&gone).counted, as_cents(10_000), "the day still counts it");
    let late = step_at(&detected(order()), vanish("0xa1"), "2026-10-20T12:14:00Z").0;
    assert_eq!((stage(&late), progress(&late).counted), (Stage::Expired, as_cents(0)));
    let again = then(&gone, [see(usdt(W44), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&again), Stage::Paying);
    // What is confirmed does not vanish.
    assert_eq!(verdict(&confirmed(order()), vanish("0xa1")), Verdict::SetAside);
}

#[test]
fn a_code_is_paid_to_the_centavo_and_its_surplus_is_a_receipt() {
    // P:DepositVariance, rulings 32.
    let over = then(&accepted(of_code()), [see(usdt(25_000_000), "0xa1")]);
    let (paying, events) = step(&over, confirm("0xa1"));
    let unmatched = now().unmatched;
    assert_eq!(events[1], Event::Split { unmatched, coins: usdt(25_000_000 - W44) });
    assert_eq!(sold(&paying), (10_000, W44, 0));
    let short = then(&accepted(of_code()), [see(usdt(W44 - 1), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&short), Stage::Review(ReviewReason::Short));
    assert_eq!(verdict(&short, Command::Clear(None)), Verdict::SetAside);
    assert_eq!(sold(&confirmed(of_code())), (10_000, W44, 0));
}

#[test]
fn the_surplus_of_a_code_is_taken_from_the_latest_deposits_first() {
    let deposits = [see(usdt(W44), "0xa1"), see(usdt(5), "0xa2"), see(usdt(7), "0xa3")];
    let three = then(&accepted(of_code()), deposits);
    let three = then(&three, [confirm("0xa1"), confirm("0xa2")]);
    let (paying, events) = step(&three, confirm("0xa3"));
    assert_eq!(events[1], Event::Split { unmatched: now().unmatched, coins: usdt(12) });
    let split = progress(&paying).split_off.iter().map(|gone| (&*gone.hash, gone.coins));
    assert_eq!(split.collect::<Vec<_>>(), [("0xa3", usdt(7)), ("0xa2", usdt(5))]);
    let kept: Vec<_> = progress(&paying).deposits.iter().map(|held| held.deposit.coins).collect();
    assert_eq!(kept, [usdt(W44)]);
    // Of one deposit that is split, both parts are what it brought.
    let over = then(&accepted(of_code()), [see(usdt(W44 + 3), "0xa1"), confirm("0xa1")]);
    assert_eq!(progress(&over).had("0xa1"), Some(usdt(W44 + 3)));
}

#[test]
fn an_over_deposit_that_would_pass_the_ceiling_waits_and_is_cleared_when_there_is_room() {
    // Rulings 14.
    let over = then(&accepted(order()), [see(usdt(30_000_000), "0xa1")]);
    let room = |cents| Context { ceilings: ceilings(cents), ..now() };
    let (paying, _) = step_under(&over, confirm("0xa1"), &room(15_589));
    assert_eq!(progress(&paying).counted, as_cents(15_589));
    let (held, _) = step_under(&over, confirm("0xa1"), &room(15_588));
    assert_eq!(stage(&held), Stage::Review(ReviewReason::RecipientDay));
    let clear = || Command::Clear(None);
    assert_eq!(decide(&held, clear(), &room(15_588)), Verdict::SetAside);
    assert_eq!(stage(&step_under(&held, clear(), &room(15_589)).0), Stage::Paying);
}

#[test]
fn more_than_the_largest_payment_waits_for_a_person() {
    let capped = Order { range: (amount(600), amount(15_588)), ..order() };
    let over = then(&accepted(capped), [see(usdt(30_000_000), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&over), Stage::Review(ReviewReason::TooMuch));
    assert_eq!(verdict(&over, Command::Clear(None)), Verdict::SetAside);
}

#[test]
fn another_token_waits_in_suspense_until_it_is_cleared_or_rejected() {
    // COUT-43, rulings 33. One token of eighteen decimals at 5.40 is 5.40, not a millionth of it.
    let one = 10_u128.pow(18);
    let seen = then(&accepted(order()), [see(weth(20 * one), "0xs1")]);
    assert_eq!(stage(&seen), Stage::Review(ReviewReason::Strange));
    assert_eq!(progress(&seen).in_suspense(), Some(weth(20 * one)));
    assert_eq!(verdict(&seen, Command::Clear(None)), Verdict::SetAside, "it is not confirmed");
    let seen = then(&seen, [confirm("0xs1")]);
    let now = Context { scale: Scale::new(18), ..now() };
    let unknown = Context { quote: None, ..now.clone() };
    assert_eq!(decide(&seen, Command::Clear(None), &unknown), Verdict::SetAside);
    let (paying, _) = step_under(&seen, Command::Clear(None), &now);
    // 20 are 108.00: 102.95 + 2.05 + 2.00 + 1.00.
    assert_eq!(sold(&paying), (10_295, 20 * one, 0));
    // What comes back of it later is bought anew in the same decimals.
    let (reversed, _) = step(&then(&paying, [super::pay()]), Command::Reverse(amount(5_400)));
    assert_eq!(progress(&reversed).to_refund(), Some(weth(10 * one)));
}

#[test]
fn news_of_a_deposit_in_time_that_comes_late_keeps_the_terms() {
    // Rulings 13: what counts is when the network saw it, its last instant included.
    let expired = then(&accepted(order()), [Command::Expire]);
    let seen = |text| Command::See(deposit(usdt(W44), "0xa1", at(text)));
    let dear = Context { quote: Some(quote("9.99")), ..now_at(at("2026-10-20T13:00:00Z")) };
    let (kept, _) = step_under(&expired, seen("2026-10-20T12:14:00Z"), &dear);
    assert_eq!(
        (progress(&kept).repriced.clone(), progress(&kept).counted),
        (None, as_cents(10_000))
    );
    let (new, _) = step_under(&expired, seen("2026-10-20T12:14:00.000001Z"), &dear);
    assert_eq!(progress(&new).repriced, Some(quote("9.99")));
}

#[test]
fn what_vanished_is_remembered_once_each_as_it_was_seen_last() {
    let two = then(&accepted(order()), [see(usdt(5), "0xa1"), see(usdt(6), "0xa2")]);
    let gone = then(&two, [vanish("0xa1"), vanish("0xa2"), see(usdt(7), "0xa1"), vanish("0xa1")]);
    let vanished = progress(&gone).vanished.iter().map(|gone| (&*gone.hash, gone.coins));
    assert_eq!(vanished.collect::<Vec<_>>(), [("0xa2", usdt(6)), ("0xa1", usdt(7))]);
}

#[test]
fn a_revival_that_vanished_leaves_no_price_behind() {
    let expired = then(&accepted(order()), [Command::Expire]);
    let late = Command::See(deposit(usdt(W44), "0xa1", at("2026-10-20T12:20:00Z")));
    let dear = Context { quote: Some(quote("9.99")), ..now_at(at("2026-10-20T13:00:00Z")) };
    let revived = step_under(&expired, late, &dear).0;
    let gone = step_under(&revived, vanish("0xa1"), &dear).0;
    assert_eq!((stage(&gone), progress(&gone).counted), (Stage::Expired, as_cents(0)));
    let in_time = Command::See(deposit(usdt(W44), "0xa2", at("2026-10-20T12:10:00Z")));
    let paying = step_under(&gone, in_time, &dear).0;
    let paying = step_under(&paying, confirm("0xa2"), &dear).0;
    assert_eq!(sold(&paying), (10_000, W44, 0));
}

#[test]
fn a_revival_without_room_or_price_waits_for_a_person() {
    // P:RevivalTerms, rulings 14.
    let expired = then(&accepted(order()), [Command::Expire]);
    let late = || Command::See(deposit(usdt(W44), "0xa1", at("2026-10-20T12:20:00Z")));
    let full = step_under(&expired, late(), &no_room()).0;
    assert_eq!(stage(&full), Stage::Review(ReviewReason::RecipientDay));
    assert_eq!(progress(&full).counted, as_cents(0));
    let unpriced = step_under(&expired, late(), &Context { quote: None, ..now() }).0;
    assert_eq!(stage(&unpriced), Stage::Review(ReviewReason::Unpriced));
    // Once confirmed it goes on at the price of the day it is cleared, and counts then.
    let unpriced = then(&unpriced, [confirm("0xa1")]);
    assert_eq!(stage(&unpriced), Stage::Review(ReviewReason::Unpriced));
    let dear = Context { quote: Some(quote("6.00")), ..now() };
    let (paying, _) = step_under(&unpriced, Command::Clear(None), &dear);
    assert_eq!((stage(&paying), sold(&paying).0), (Stage::Paying, 11_144));
    assert_eq!(progress(&paying).counted, as_cents(11_144));
}

#[test]
fn an_order_that_was_never_accepted_is_not_revived() {
    let expired = then(&quoted(order()), [Command::Expire]);
    assert_eq!(verdict(&expired, see(usdt(W44), "0xa1")), Verdict::SetAside);
    assert_eq!(refusal(&expired, accept()), Some(Refusal::QuoteExpired));
}

#[test]
fn an_order_is_accepted_before_its_deadline_and_once() {
    // COUT-34, COUT-69, COUT-70.
    let open = quoted(order());
    let accepts = |text| request(&open, accept(), &now_at(at(text)));
    assert!(accepts("2026-10-20T12:13:59.999999Z").is_ok());
    assert_eq!(accepts("2026-10-20T12:14:00Z"), Err(Refusal::QuoteExpired));
    assert_eq!(refusal(&open, Request::Accept(None)), Some(Refusal::NoAddress));
    let room = |cents| Context { ceilings: ceilings(cents), ..now() };
    let full = request(&open, accept(), &room(9_999));
    assert_eq!(full, Err(Refusal::RecipientCeiling { room: as_cents(9_999) }));
    assert!(request(&open, accept(), &room(10_000)).is_ok());
    let other = Request::Accept(Some(DepositTo { address: "0xelsewhere".into(), tag: None }));
    assert_eq!(verdict(&accepted(order()), other), Verdict::Applied(Vec::new()));
}

#[test]
fn an_order_of_the_wallet_waits_where_more_or_less_arrives_than_was_ordered() {
    // Rulings 35: it splits nothing off, and holds nothing that could be refunded here.
    let code = || Order { asked: of_code().asked, ..of_wallet() };
    let over = then(&accepted(code()), [see(usdt(W44 + 1), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&over), Stage::Review(ReviewReason::TooMuch));
    assert_eq!(stage(&then(&over, [Command::Cancel])), Stage::Failed);
    let short = then(&accepted(of_wallet()), [see(usdt(1_000_000), "0xa1"), confirm("0xa1")]);
    assert_eq!(stage(&short), Stage::Review(ReviewReason::Short));
    let (paying, _) = step(&short, Command::Clear(None));
    assert_eq!((stage(&paying), sold(&paying).0), (Stage::Paying, 236));
    let seen = deposit(weth(1), "0xs1", noon());
    assert_eq!(verdict(&accepted(of_wallet()), Command::See(seen)), Verdict::SetAside);
}

#[test]
fn a_deposit_reported_after_the_exchange_was_late_is_still_counted() {
    let late = then(&detected(by_dex()), [Command::Delay, confirm("0xa1")]);
    assert_eq!((stage(&late), progress(&late).delayed), (Stage::Detected, Switch::On));
    let resumed = then(&late, [Command::Resume]);
    assert_eq!((stage(&resumed), progress(&resumed).delayed), (Stage::Secured, Switch::Off));
    assert_eq!(verdict(&resumed, Command::Resume), Verdict::Known);
}

#[test]
fn where_a_deposit_came_from_is_never_where_a_refund_goes() {
    // COUT-20, P:NoRefundAddress.
    let held = then(&accepted(homeless()), [see(usdt(1), "0xa1"), confirm("0xa1")]);
    let (waits, _) = step(&held, super::decide_refund());
    let refund = progress(&waits).refund.as_ref().unwrap();
    assert_eq!(refund.to, None);
    let unnamed = verdict_at(&held, super::operator_refunds(None), "2026-10-20T12:30:00Z");
    let Verdict::Applied(events) = unnamed else { panic!("{unnamed:?}") };
    assert!(matches!(&events[..], [Event::RefundDecided { to: None, .. }]));
}
