//! Deliveries whose outcome depends on which attempt is reported, and when.

use ledger_core::machine::Verdict;
use ledger_core::machine::delivery::{
    DeliveryReport, DeliveryTerms, Earned, Event, State, decide, follows,
};

use super::{after, confirm, earned, failed, for_attempt, noon, now, step};
use crate::samples::{ANA, amount, as_cents, delivery_terms, fees, units};

fn judged(state: &State, command: super::Command) -> Verdict<Vec<Event>> {
    decide(state, command, delivery_terms(), earned())
}

#[test]
fn attempts_are_numbered_from_one_without_a_gap() {
    let mut state = State::Waiting;
    for attempt in 1..=5 {
        state = step(&state, now(DeliveryReport::Begin)).0;
        assert_eq!((state.attempt(), &state), (attempt, &State::Sending(attempt)));
        state = step(&state, for_attempt(attempt, DeliveryReport::Fail)).0;
        assert_eq!((state.attempt(), &state), (attempt, &State::Retrying(attempt)));
        assert_eq!(
            judged(&state, for_attempt(attempt + 2, DeliveryReport::Begin)),
            Verdict::SetAside
        );
    }
}

#[test]
fn the_last_attempt_there_can_be_has_no_next() {
    let last = State::Retrying(u32::MAX);
    for report in [DeliveryReport::Begin, DeliveryReport::Fail] {
        assert_eq!(judged(&last, for_attempt(0, report)), Verdict::Known);
    }
    assert!(!follows(&last, &Event::BegunAgain { attempt: 0 }, (delivery_terms(), earned())));
}

#[test]
fn late_news_of_an_attempt_that_is_over_is_known() {
    // Rulings 8.
    let again = step(&failed(), now(DeliveryReport::Begin)).0;
    for report in
        [DeliveryReport::Begin, DeliveryReport::Accept, DeliveryReport::Fail, DeliveryReport::Lose]
    {
        assert_eq!(judged(&again, for_attempt(1, report.clone())), Verdict::Known, "{report:?}");
        assert_eq!(judged(&failed(), for_attempt(1, report.clone())), Verdict::Known, "{report:?}");
    }
}

#[test]
fn what_was_delivered_was_delivered_whichever_attempt_it_was() {
    // INV-35: `sent` is reached once.
    let again = step(&failed(), now(DeliveryReport::Begin)).0;
    let unknown = after([now(DeliveryReport::Begin), now(DeliveryReport::Lose)]);
    for state in [State::Waiting, failed(), again, unknown] {
        let (sent, events) = step(&state, for_attempt(1, confirm("0xa1")));
        let made = sent.sent_delivery().unwrap();
        assert_eq!((&*made.hash, made.at), ("0xa1", noon()));
        let sends = events.iter().filter(|event| matches!(event, Event::Sent { .. })).count();
        assert_eq!(sends, 1);
        assert_eq!(judged(&sent, now(confirm("0xa1"))), Verdict::Known);
        assert_eq!(judged(&sent, now(confirm("0xb2"))), Verdict::SetAside);
    }
}

#[test]
fn only_evidence_ends_an_unknown_outcome() {
    // INV-32, CIN-58: no new attempt, no giving up.
    let unknown = after([now(DeliveryReport::Begin), now(DeliveryReport::Lose)]);
    assert!(!unknown.can_stop());
    assert_eq!(judged(&unknown, now(DeliveryReport::Begin)), Verdict::Known);
    assert_eq!(judged(&unknown, for_attempt(2, DeliveryReport::Begin)), Verdict::SetAside);
    assert_eq!(judged(&unknown, now(DeliveryReport::Accept)), Verdict::Known);
    assert_eq!(step(&unknown, now(DeliveryReport::Fail)).0, State::Retrying(1));
    assert!(step(&unknown, now(confirm("0xa1"))).0.sent_delivery().is_some());
}

#[test]
fn a_delivery_stops_only_before_anything_was_sent_or_after_a_definite_failure() {
    // Rulings 36; an attempt under way counts as unknown (rulings 28).
    let stops: Vec<_> = super::states()
        .iter()
        .filter(|(_, state)| state.can_stop())
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(stops, ["Waiting", "Retrying"]);
    assert_eq!(State::Waiting.bought_terms(delivery_terms()), None);
    assert_eq!(failed().bought_terms(delivery_terms()), Some(delivery_terms()));
}

#[test]
fn a_failure_of_what_was_delivered_is_looked_at() {
    let sent = after([
        now(DeliveryReport::Begin),
        now(DeliveryReport::Fail),
        now(DeliveryReport::Begin),
        now(confirm("0xa1")),
    ]);
    assert_eq!(sent.attempt(), 2);
    assert_eq!(judged(&sent, for_attempt(2, DeliveryReport::Fail)), Verdict::SetAside);
    assert_eq!(judged(&sent, now(DeliveryReport::Fail)), Verdict::SetAside);
    assert_eq!(judged(&sent, for_attempt(1, DeliveryReport::Fail)), Verdict::Known);
}

#[test]
fn what_reaches_the_wallet_is_what_was_bought_less_what_the_network_takes() {
    let delivered = |bought, taken| {
        let network_fee = ledger_core::coin::Units::new(taken);
        DeliveryTerms { units: units(bought), network_fee, ..delivery_terms() }.delivered_units()
    };
    assert_eq!(delivered(17_537_037, 100_000), Some(units(17_437_037)));
    assert_eq!(delivered(17_537_037, 0), Some(units(17_537_037)));
    assert_eq!(delivered(5, 4), Some(units(1)));
    assert_eq!((delivered(5, 5), delivered(5, 6)), (None, None));
}

#[test]
fn events_that_no_delivery_decided_are_refused() {
    let agreed = (delivery_terms(), earned());
    let sending = after([now(DeliveryReport::Begin)]);
    let sent = |delivery_terms, earned| Event::Sent {
        delivery_terms,
        earned,
        hash: "0xa1".into(),
        attempt: None,
    };
    assert!(follows(&sending, &sent(delivery_terms(), earned()), agreed));
    let less = DeliveryTerms { units: units(17_537_036), ..delivery_terms() };
    let cheaper = DeliveryTerms { cost: amount(9_469), ..delivery_terms() };
    let untaken = DeliveryTerms { network_fee: None, ..delivery_terms() };
    for other in [less, cheaper, untaken] {
        assert!(!follows(&sending, &sent(other, earned()), agreed), "{other:?}");
        assert!(!follows(&State::Waiting, &Event::Begun(other), agreed), "{other:?}");
    }
    let stranger = Earned { account: ledger_core::id::AccountId(ANA.0 + 8), ..earned() };
    let mut dearer = fees();
    dearer.house = as_cents(431);
    for other in [stranger, Earned { fees: dearer, ..earned() }] {
        assert!(!follows(&sending, &sent(delivery_terms(), other), agreed), "{other:?}");
    }
    assert!(
        !follows(&State::Waiting, &sent(delivery_terms(), earned()), agreed),
        "it was never begun"
    );
    assert!(!follows(&failed(), &Event::BegunAgain { attempt: 3 }, agreed));
    assert!(!follows(&failed(), &Event::BegunAgain { attempt: 1 }, agreed));
    assert!(!follows(&sending, &Event::Begun(delivery_terms()), agreed));
}

#[test]
fn a_delivery_is_of_the_attempt_reported_and_a_later_one_is_looked_at() {
    let sent = after([
        now(DeliveryReport::Begin),
        now(DeliveryReport::Fail),
        now(DeliveryReport::Begin),
        for_attempt(1, confirm("0xa1")),
    ]);
    assert_eq!(sent.attempt(), 1, "the second is under way");
    for report in [DeliveryReport::Begin, DeliveryReport::Accept, DeliveryReport::Lose] {
        assert_eq!(judged(&sent, for_attempt(2, report.clone())), Verdict::SetAside);
        assert_eq!(judged(&sent, for_attempt(1, report)), Verdict::Known);
    }
    assert_eq!(judged(&sent, for_attempt(1, DeliveryReport::Fail)), Verdict::SetAside);
    assert_eq!(judged(&sent, for_attempt(2, DeliveryReport::Fail)), Verdict::Known);
}
