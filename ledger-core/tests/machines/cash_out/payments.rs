//! The payment: its tries, its unknown outcomes, a refused key; the liquidation before and beside
//! it.

use ledger_core::machine::Verdict;
use ledger_core::machine::cash_out::{
    Command, Event, Liquidation, Proceeds, ReviewReason, Stage, State,
};
use ledger_core::terms::Switch;

use super::{
    W44, by_dex, by_exchange, completed, confirmed, corrected, decide_refund, depix, of_code,
    of_wallet, on_liquid, operator_refunds, order, pay, paying, pix, progress, sent, sold_for,
    stage, step, step_at, swapped, then, usdt, verdict, verdict_at,
};
use crate::samples::{amount, at};

/// A send that failed at `first`, with the failure of every try reported when it was asked for.
fn failing(state: &State, attempts: u32) -> State {
    (0..attempts).fold(state.clone(), |state, number| {
        let instant = format!("2026-10-20T12:{:02}:00Z", 5 * number);
        let asked = match number {
            0 => state,
            _ => step_at(&state, Command::Retry, &instant).0,
        };
        step_at(&asked, Command::FailSend, &instant).0
    })
}

#[test]
fn w53_a_send_is_tried_again_every_five_minutes_and_refunded_whole_after_forty_five() {
    // COUT-40, P:RetrySchedule: nine tries after the first; gas is ours (COUT-53).
    for number in 1..=9 {
        let state = failing(&paying(order()), number);
        let due = format!("2026-10-20T12:{:02}:00Z", 5 * number);
        assert_eq!(stage(&state), Stage::Paying);
        assert_eq!(progress(&state).attempts.retry_at, Some(at(&due)));
        assert_eq!(progress(&state).attempts.count, number);
    }
    let last = step_at(&failing(&paying(order()), 9), Command::Retry, "2026-10-20T12:45:00Z").0;
    assert_eq!(progress(&last).attempts.count, 10);
    let early = step_at(&last, Command::FailSend, "2026-10-20T12:44:59.999999Z").0;
    assert_eq!(progress(&early).attempts.retry_at, Some(at("2026-10-20T12:45:00Z")));
    let over = step_at(&last, Command::FailSend, "2026-10-20T12:45:00Z").0;
    assert_eq!(stage(&over), Stage::Refunding);
    assert_eq!(progress(&over).to_refund(), Some(usdt(W44)));
    let (refunded, _) = step(&over, sent("0xb1"));
    assert!(refunded.has_ended() && progress(&refunded).counted.is_zero());
}

#[test]
fn a_failure_that_is_reported_late_keeps_the_steps_of_the_schedule() {
    let first = step_at(&paying(order()), Command::FailSend, "2026-10-20T12:00:00Z").0;
    let again = step_at(&first, Command::Retry, "2026-10-20T12:05:00Z").0;
    let late = step_at(&again, Command::FailSend, "2026-10-20T12:17:00Z").0;
    assert_eq!(progress(&late).attempts.retry_at, Some(at("2026-10-20T12:20:00Z")));
    let again = step_at(&first, Command::Retry, "2026-10-20T12:05:00Z").0;
    let at_once = step_at(&again, Command::FailSend, "2026-10-20T12:05:00Z").0;
    assert_eq!(progress(&at_once).attempts.retry_at, Some(at("2026-10-20T12:10:00Z")));
    let very_late = step_at(&again, Command::FailSend, "2026-10-20T13:30:00Z").0;
    assert_eq!(stage(&very_late), Stage::Refunding);
    // Reported twice before the next try, it is one failure.
    assert_eq!(verdict_at(&first, Command::FailSend, "2026-10-20T12:04:00Z"), Verdict::Known);
}

#[test]
fn an_unknown_outcome_never_counts_as_a_failure() {
    // P:RetrySchedule, INV-32: the clock runs from the first failure.
    let lost = step_at(&paying(order()), Command::LosePayment, "2026-10-20T12:00:00Z").0;
    assert_eq!(progress(&lost).attempts.retry_at, None);
    for command in [Command::Retry, Command::Clear(None), decide_refund(), operator_refunds(None)] {
        assert_eq!(verdict_at(&lost, command, "2026-10-20T18:00:00Z"), Verdict::SetAside);
    }
    let failed = step_at(&lost, Command::FailSend, "2026-10-20T18:00:00Z").0;
    assert_eq!(progress(&failed).attempts.first, Some(at("2026-10-20T18:00:00Z")));
    assert_eq!(progress(&failed).attempts.lost, Switch::Off);
    let paid = then(&lost, [pay()]);
    assert_eq!(stage(&paid), Stage::Completed);
}

#[test]
fn an_operator_stops_an_unknown_payment_and_evidence_ends_it() {
    // A7: nothing is reversed before the outcome is known (INV-32).
    assert_eq!(verdict(&paying(order()), Command::Stop), Verdict::SetAside);
    let stopped = then(&paying(order()), [Command::LosePayment, Command::Stop]);
    assert_eq!(stage(&stopped), Stage::Review(ReviewReason::Stopped));
    for command in [decide_refund(), operator_refunds(Some("0xhome")), Command::Clear(None)] {
        assert_eq!(verdict(&stopped, command), Verdict::SetAside);
    }
    assert_eq!(stage(&then(&stopped, [pay()])), Stage::Completed);
    assert_eq!(stage(&then(&stopped, [Command::FailSend])), Stage::Paying);
    assert_eq!(stage(&then(&stopped, [Command::GiveUpPayment])), Stage::Refunding);
    let refused = then(&stopped, [Command::RefuseKey(amount(9_900))]);
    assert_eq!(stage(&refused), Stage::Review(ReviewReason::KeyRefused));
}

#[test]
fn one_pix_pays_one_order() {
    // COUT-37, INV-30, rulings 2.
    let done = completed(order());
    assert_eq!(verdict(&done, pay()), Verdict::Known);
    assert_eq!(verdict(&done, Command::Pay(pix("E2"))), Verdict::SetAside);
    for command in [Command::FailSend, Command::GiveUpPayment, Command::RefuseKey(amount(1))] {
        assert_eq!(verdict(&done, command), Verdict::SetAside);
    }
    let refunded = then(&done, [Command::Reverse(amount(10_000)), sent("0xb1")]);
    assert_eq!(verdict(&refunded, pay()), Verdict::Known);
    let refunding = then(&paying(order()), [Command::GiveUpPayment]);
    assert_eq!(verdict(&refunding, pay()), Verdict::SetAside);
}

#[test]
fn w54_a_refused_key_refunds_what_the_provider_gave_back() {
    // COUT-39.
    let refused = then(&paying(order()), [Command::RefuseKey(amount(9_900))]);
    assert_eq!(stage(&refused), Stage::Review(ReviewReason::KeyRefused));
    assert_eq!(verdict(&refused, Command::RefuseKey(amount(9_900))), Verdict::Known);
    assert_eq!(verdict(&refused, Command::RefuseKey(amount(9_899))), Verdict::SetAside);
    let refunding = then(&refused, [decide_refund()]);
    assert_eq!(progress(&refunding).to_refund(), Some(usdt(18_333_333)));
    assert_eq!(progress(&refunding).in_flight().cents(), 500);
    let refunded = then(&refunding, [sent("0xb1")]);
    assert_eq!(progress(&refunded).in_flight().cents(), 0);
    assert!(refunded.has_ended());
    assert_eq!(
        verdict(&paying(order()), Command::RefuseKey(amount(10_001))),
        Verdict::SetAside,
        "never more than was paid in"
    );
}

#[test]
fn a_corrected_key_is_paid_in_full_and_may_be_refused_again() {
    // A7, W54, rulings 32.
    let refused = then(&paying(order()), [Command::RefuseKey(amount(9_900))]);
    let (resumed, events) = step(&refused, Command::Clear(Some(corrected())));
    assert!(matches!(events[..], [Event::PaymentResumed { .. }]));
    assert_eq!((stage(&resumed), progress(&resumed).attempts.count), (Stage::Paying, 2));
    assert_eq!(progress(&resumed).in_flight().cents(), 10_500);
    let again = then(&resumed, [Command::RefuseKey(amount(5_000)), decide_refund()]);
    // What the first refusal cost was the house's loss: 50.00 at 5.40.
    assert_eq!(progress(&again).to_refund(), Some(usdt(9_259_259)));
    assert_eq!(stage(&then(&resumed, [pay()])), Stage::Completed);
    // A code names its own recipient.
    let code = then(&paying(of_code()), [Command::RefuseKey(amount(9_900))]);
    assert_eq!(verdict(&code, Command::Clear(Some(corrected()))), Verdict::SetAside);
    assert_eq!(stage(&then(&code, [Command::Clear(None)])), Stage::Paying);
}

#[test]
fn an_order_swapped_first_is_paid_from_the_proceeds() {
    // A9.
    let secured = confirmed(by_dex());
    assert_eq!(verdict(&secured, Command::StartPayment), Verdict::SetAside);
    let sold = then(&secured, [Command::StartSale, swapped()]);
    assert_eq!((stage(&sold), progress(&sold).liquidation), (Stage::Secured, Liquidation::Done));
    assert_eq!(stage(&then(&sold, [Command::StartPayment])), Stage::Paying);
    // On a network there are no reais to be had.
    assert_eq!(verdict(&secured, sold_for(10_000)), Verdict::SetAside);
    // That it was sold implies that selling began (rulings 8).
    let (skipped, events) = step(&secured, swapped());
    assert!(matches!(events[..], [Event::SellingBegun(_), Event::SaleFilled { .. }]));
    assert_eq!(skipped, sold);
}

#[test]
fn an_order_sold_at_the_exchange_is_paid_when_its_proceeds_arrive() {
    // A10.
    let sold = then(&confirmed(by_exchange()), [Command::StartSale, sold_for(10_480)]);
    assert_eq!(progress(&sold).liquidation, Liquidation::Sold(Proceeds::Reais(amount(10_480))));
    assert_eq!(verdict(&sold, sold_for(10_480)), Verdict::Known);
    assert_eq!(verdict(&sold, sold_for(10_481)), Verdict::SetAside);
    let forwarding = then(&sold, [Command::Forward]);
    assert_eq!(verdict(&forwarding, Command::Forward), Verdict::Known);
    let arrived = || Command::Arrive(amount(10_470));
    for from in [&sold, &forwarding] {
        let (paying, events) = step(from, arrived());
        assert!(matches!(events[..], [Event::Forwarded { .. }, Event::PaymentBegun { .. }]));
        assert_eq!(
            (stage(&paying), progress(&paying).liquidation),
            (Stage::Paying, Liquidation::Done)
        );
    }
    // The float may pay before they arrive; then only the liquidation moves.
    let early = then(&sold, [Command::StartPayment]);
    let (later, events) = step(&early, arrived());
    assert!(matches!(events[..], [Event::Forwarded { .. }]));
    assert_eq!((stage(&later), progress(&later).liquidation), (Stage::Paying, Liquidation::Done));
}

#[test]
fn a_sale_that_definitely_failed_is_refunded_and_a_lost_one_waits() {
    // A9, INV-32.
    let selling = then(&confirmed(by_dex()), [Command::StartSale]);
    let whole = by_dex().coins;
    let failed = then(&selling, [Command::FailSale]);
    assert_eq!(progress(&failed).to_refund(), Some(whole));
    let lost = then(&selling, [Command::LoseSale]);
    assert_eq!(stage(&lost), Stage::Review(ReviewReason::SaleLost));
    assert_eq!(verdict(&lost, Command::LoseSale), Verdict::Known);
    for command in [decide_refund(), operator_refunds(None), Command::Clear(None)] {
        assert_eq!(verdict(&lost, command), Verdict::SetAside);
    }
    let found = then(&lost, [swapped()]);
    assert_eq!((stage(&found), progress(&found).liquidation), (Stage::Secured, Liquidation::Done));
    let not = then(&lost, [Command::FailSale]);
    assert_eq!((stage(&not), progress(&not).to_refund()), (Stage::Refunding, Some(whole)));
}

#[test]
fn the_liquidation_goes_on_after_the_pix_was_paid() {
    // Rulings 8: paid implies that the payment began.
    let (done, events) = step(&confirmed(by_exchange()), pay());
    assert!(matches!(events[..], [Event::PaymentBegun { .. }, Event::Completed { .. }]));
    assert!(done.has_ended());
    let arrived = Command::Arrive(amount(10_470));
    let sold = then(&done, [Command::StartSale, sold_for(10_480), Command::Forward, arrived]);
    assert_eq!((stage(&sold), progress(&sold).liquidation), (Stage::Completed, Liquidation::Done));
    // A swap that fails after that is no refund: the recipient has its reais.
    let failed = then(&done, [Command::StartSale, Command::FailSale]);
    assert_eq!(
        (progress(&failed).liquidation, progress(&failed).to_refund()),
        (Liquidation::None, None)
    );
    assert_eq!(
        progress(&then(&failed, [Command::StartSale])).liquidation,
        Liquidation::Selling(usdt_abroad())
    );
}

fn usdt_abroad() -> ledger_core::machine::refund::Coins {
    by_exchange().coins
}

#[test]
fn a_token_at_the_provider_is_refunded_once_and_as_far_as_it_came_back() {
    // COUT-50, rulings 32.
    let handed = then(&paying(on_liquid()), [Command::HandOver]);
    assert_eq!(verdict(&handed, Command::HandOver), Verdict::Known);
    let awaited = then(&handed, [Command::GiveUpPayment]);
    assert_eq!(stage(&awaited), Stage::Review(ReviewReason::ReturnAwaited));
    for command in [decide_refund(), operator_refunds(Some("0xhome"))] {
        assert_eq!(verdict(&awaited, command), Verdict::SetAside);
    }
    let part = || Command::GiveBack(depix(10_000_000_000));
    let refunding = then(&awaited, [part()]);
    assert_eq!(progress(&refunding).to_refund(), Some(depix(10_000_000_000)));
    assert_eq!(verdict(&refunding, part()), Verdict::SetAside);
    let more = Command::GiveBack(depix(10_250_000_001));
    assert_eq!(verdict(&awaited, more), Verdict::SetAside);
    // That it came back implies that it cannot be paid.
    let (at_once, events) = step(&handed, part());
    assert!(matches!(events[..], [Event::PaymentUnwound(_), Event::RefundDecided { .. }]));
    assert_eq!(progress(&at_once).to_refund(), Some(depix(10_000_000_000)));
    // A refused key is the same to a token: it comes back as one.
    let refused = then(&handed, [Command::RefuseKey(amount(10_000))]);
    assert_eq!(stage(&refused), Stage::Review(ReviewReason::ReturnAwaited));
}

#[test]
fn a_token_that_was_not_handed_over_is_refunded_at_once() {
    // A11.
    let refunding = then(&paying(on_liquid()), [Command::GiveUpPayment]);
    assert_eq!(progress(&refunding).to_refund(), Some(on_liquid().coins));
    let back = || Command::GiveBack(depix(1));
    assert_eq!(verdict(&refunding, back()), Verdict::SetAside);
    assert_eq!(verdict(&paying(order()), Command::HandOver), Verdict::SetAside);
    // That it came back says that it was there, and cannot be paid (rulings 8).
    let events = step(&paying(on_liquid()), back()).1;
    assert!(matches!(
        events[..],
        [Event::HandedOver(_), Event::PaymentUnwound(_), Event::RefundDecided { .. }]
    ));
}

#[test]
fn a_token_reported_late_at_the_provider_is_kept_or_claimed() {
    // Rulings 8: what was paid was paid from it, whenever that is reported.
    let (kept, events) = step(&completed(on_liquid()), Command::HandOver);
    assert!(matches!(events[..], [Event::HandedOver(_), Event::TokenKept(_)]));
    assert_eq!((progress(&kept).handed, progress(&kept).kept), (None, Some(on_liquid().coins)));
    assert_eq!(verdict(&kept, Command::HandOver), Verdict::Known);
    let in_time = then(&paying(on_liquid()), [Command::HandOver, super::pay()]);
    assert_eq!(verdict(&in_time, Command::HandOver), Verdict::Known);
    for late in [&kept, &in_time] {
        assert_eq!(verdict(late, Command::GiveBack(depix(1))), Verdict::SetAside);
    }
    // What was to be refunded is refunded all the same, and the token is claimed until it is back.
    let refused = then(&paying(on_liquid()), [Command::RefuseKey(amount(9_900))]);
    for late in [then(&paying(on_liquid()), [Command::GiveUpPayment]), refused] {
        let claimed = then(&late, [Command::HandOver]);
        assert_eq!(stage(&claimed), stage(&late));
        let whole = then(&claimed, [Command::GiveBack(depix(10_250_000_000))]);
        assert_eq!((progress(&whole).handed, stage(&whole)), (None, stage(&late)));
        // In parts only where no payment begins again.
        let part = Command::GiveBack(depix(250_000_000));
        if stage(&late) == Stage::Refunding {
            let rest = then(&claimed, [part]);
            assert_eq!(progress(&rest).handed, Some(depix(10_000_000_000)));
        } else {
            assert_eq!(verdict(&claimed, part), Verdict::SetAside);
        }
    }
}

#[test]
fn an_order_of_the_wallet_fails_where_a_sellers_is_refunded() {
    // Rulings 35: the reserve is adjudicated by the payment.
    for command in [Command::GiveUpPayment, Command::RefuseKey(amount(9_900))] {
        let (failed, events) = step(&paying(of_wallet()), command);
        assert_eq!((events, stage(&failed)), (vec![Event::Failed], Stage::Failed));
        assert!(failed.has_ended());
    }
    let late = then(&paying(of_wallet()), [Command::Delay, Command::GiveUpPayment]);
    assert_eq!(progress(&late).delayed, Switch::Off);
    // Also where it was to be sold first.
    let wallet =
        || ledger_core::machine::cash_out::Order { funding: of_wallet().funding, ..by_dex() };
    let selling = then(&confirmed(wallet()), [Command::StartSale]);
    for from in [selling.clone(), then(&selling, [Command::LoseSale])] {
        let (failed, events) = step(&from, Command::FailSale);
        assert!(matches!(events[..], [Event::SaleFailed(_), Event::Failed]));
        assert_eq!(stage(&failed), Stage::Failed);
    }
}
