//! Payouts whose outcome depends on the source and on what happened before.

use ledger_core::machine::Verdict;
use ledger_core::machine::payout::{Command, Event, Order, State, decide, follows};
use ledger_core::terms::PayoutFees;

use super::{after, generous, give_back, noon, order, pay, step};
use crate::samples::{ANA, BIA, PARTNER, amount, as_cents};

#[test]
fn fees_beyond_counting_are_a_corrupt_event_and_no_panic() {
    let fees = PayoutFees { house: as_cents(i64::MAX), partner: as_cents(1), tariff: as_cents(0) };
    let huge = Order { fees, ..order() };
    assert!(!follows(&State::Absent, &Event::Requested(Box::new(huge))));
}

#[test]
fn the_service_fee_comes_back_with_the_last_part_where_the_switch_says_so() {
    // P:PayoutReturn; the tariff never.
    let given = |order, parts: &[i64]| {
        let mut state = after(order, [pay()]);
        let mut given = Vec::new();
        for part in parts {
            let (next, event) = step(&state, give_back(*part));
            let Event::Returned { fees, .. } = event else { panic!("{event:?}") };
            given.push([fees.house.cents(), fees.partner.cents(), fees.tariff.cents()]);
            state = next;
        }
        given
    };
    assert_eq!(given(order(), &[4_000, 6_000]), [[0, 0, 0], [0, 0, 0]]);
    assert_eq!(given(order(), &[10_000]), [[0, 0, 0]]);
    assert_eq!(given(generous(), &[4_000, 6_000]), [[0, 0, 0], [150, 100, 0]]);
    assert_eq!(given(generous(), &[10_000]), [[150, 100, 0]]);
}

#[test]
fn a_completed_payout_remembers_by_what_and_when_it_was_paid() {
    let State::Completed(paid) = after(order(), [pay()]) else { panic!() };
    assert_eq!((&*paid.e2e, paid.completed_at), ("E1", noon()));
    assert_eq!(paid.returned, as_cents(0));
}

#[test]
fn events_that_no_payout_decided_are_refused() {
    let refused = |state: &State, event: &Event| {
        assert!(!follows(state, event), "{event:?} may follow {state:?}");
    };
    let fees = order().fees;
    let less = PayoutFees { tariff: as_cents(0), ..fees };
    let requested = after(order(), []);
    let completed = |account, cents, fees| Event::Completed {
        account,
        amount: amount(cents),
        fees,
        e2e: "E1".into(),
    };
    assert!(follows(&requested, &completed(PARTNER, 10_000, fees)));
    refused(&requested, &completed(ledger_core::id::AccountId(4), 10_000, fees));
    refused(&requested, &completed(PARTNER, 9_999, fees));
    refused(&requested, &completed(PARTNER, 10_000, less));
    let failed =
        |subaccount, cents, fees| Event::Failed { subaccount, amount: amount(cents), fees };
    assert!(follows(&requested, &failed(ANA, 10_000, fees)));
    refused(&requested, &failed(BIA, 10_000, fees));
    refused(&requested, &failed(ANA, 9_999, fees));
    refused(&requested, &failed(ANA, 10_000, less));
    let paid = after(generous(), [pay()]);
    let back = PayoutFees { tariff: as_cents(0), ..fees };
    let returned = |subaccount, account, cents, fees| Event::Returned {
        subaccount,
        account,
        amount: amount(cents),
        fees,
    };
    assert!(follows(&paid, &returned(ANA, PARTNER, 10_000, back)));
    refused(&paid, &returned(BIA, PARTNER, 10_000, back));
    refused(&paid, &returned(ANA, ledger_core::id::AccountId(4), 10_000, back));
    refused(&paid, &returned(ANA, PARTNER, 10_001, back));
    refused(&paid, &returned(ANA, PARTNER, 10_000, fees));
    refused(&paid, &returned(ANA, PARTNER, 10_000, PayoutFees::default()));
    refused(&paid, &returned(ANA, PARTNER, 9_999, back));
}

#[test]
fn a_stop_comes_before_anything_was_sent_and_ends_by_a_persons_word() {
    // Rulings 36, A6: cleared it goes on as before; the refusal gives everything back.
    let stopped = after(order(), [Command::Stop]);
    assert!(matches!(stopped, State::UnderReview(_)) && !stopped.has_ended());
    let cleared = step(&stopped, Command::Clear).0;
    assert_eq!(cleared, after(order(), []));
    assert!(matches!(step(&stopped, Command::Refuse).0, State::Failed(_)));
    for sent in [
        after(order(), [Command::Submit]),
        after(order(), [Command::Lose]),
        after(order(), [pay()]),
        after(order(), [Command::Refuse]),
    ] {
        assert_eq!(decide(&sent, Command::Stop), Verdict::SetAside, "{sent:?}");
        assert!(!follows(&sent, &Event::Stopped) && !follows(&sent, &Event::Cleared));
    }
}

#[test]
fn what_was_paid_although_it_was_stopped_was_paid() {
    // Rulings 1: a fact is a fact.
    let paid = after(order(), [Command::Stop, pay()]);
    assert!(matches!(paid, State::Completed(_)));
    let stopped = after(order(), [Command::Stop]);
    assert!(!follows(&stopped, &Event::Submitted) && !follows(&stopped, &Event::Uncertain));
}
