//! Deliveries whose outcome depends on which attempt is told of, and when.

use ledger_core::machine::Verdict;
use ledger_core::machine::delivery::{Earned, Event, News, Parcel, State, decide, follows};

use super::{after, confirm, earned, failed, noon, now, of, step};
use crate::samples::{ANA, amount, fees, parcel, share, units};

fn judged(state: &State, command: super::Command) -> Verdict<Vec<Event>> {
    decide(state, command, parcel(), earned())
}

#[test]
fn attempts_are_numbered_from_one_without_a_gap() {
    let mut state = State::Waiting;
    for attempt in 1..=5 {
        state = step(&state, now(News::Begin)).0;
        assert_eq!((state.attempt(), &state), (attempt, &State::Sending(attempt)));
        state = step(&state, of(attempt, News::Fail)).0;
        assert_eq!((state.attempt(), &state), (attempt, &State::Retrying(attempt)));
        assert_eq!(judged(&state, of(attempt + 2, News::Begin)), Verdict::SetAside);
    }
}

#[test]
fn the_last_attempt_there_can_be_has_no_next() {
    let last = State::Retrying(u32::MAX);
    for news in [News::Begin, News::Fail] {
        assert_eq!(judged(&last, of(0, news)), Verdict::Known);
    }
    assert!(!follows(&last, &Event::BegunAgain { attempt: 0 }, (parcel(), earned())));
}

#[test]
fn late_news_of_an_attempt_that_is_over_is_known() {
    // Rulings 8.
    let again = step(&failed(), now(News::Begin)).0;
    for news in [News::Begin, News::Accept, News::Fail, News::Lose] {
        assert_eq!(judged(&again, of(1, news.clone())), Verdict::Known, "{news:?}");
        assert_eq!(judged(&failed(), of(1, news.clone())), Verdict::Known, "{news:?}");
    }
}

#[test]
fn what_was_delivered_was_delivered_whichever_attempt_it_was() {
    // INV-35: `sent` is reached once.
    let again = step(&failed(), now(News::Begin)).0;
    let unknown = after([now(News::Begin), now(News::Lose)]);
    for state in [State::Waiting, failed(), again, unknown] {
        let (sent, events) = step(&state, of(1, confirm("0xa1")));
        let made = sent.sent().unwrap();
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
    let unknown = after([now(News::Begin), now(News::Lose)]);
    assert!(!unknown.can_stop());
    assert_eq!(judged(&unknown, now(News::Begin)), Verdict::Known);
    assert_eq!(judged(&unknown, of(2, News::Begin)), Verdict::SetAside);
    assert_eq!(judged(&unknown, now(News::Accept)), Verdict::Known);
    assert_eq!(step(&unknown, now(News::Fail)).0, State::Retrying(1));
    assert!(step(&unknown, now(confirm("0xa1"))).0.sent().is_some());
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
    assert_eq!(State::Waiting.bought(parcel()), None);
    assert_eq!(failed().bought(parcel()), Some(parcel()));
}

#[test]
fn a_failure_of_what_was_delivered_is_looked_at() {
    let sent = after([now(News::Begin), now(News::Fail), now(News::Begin), now(confirm("0xa1"))]);
    assert_eq!(sent.attempt(), 2);
    assert_eq!(judged(&sent, of(2, News::Fail)), Verdict::SetAside);
    assert_eq!(judged(&sent, now(News::Fail)), Verdict::SetAside);
    assert_eq!(judged(&sent, of(1, News::Fail)), Verdict::Known);
}

#[test]
fn what_reaches_the_wallet_is_what_was_bought_less_what_the_network_takes() {
    let delivered = |bought, taken| {
        let network_fee = ledger_core::coin::Units::new(taken);
        Parcel { units: units(bought), network_fee, ..parcel() }.delivered()
    };
    assert_eq!(delivered(17_537_037, 100_000), Some(units(17_437_037)));
    assert_eq!(delivered(17_537_037, 0), Some(units(17_537_037)));
    assert_eq!(delivered(5, 4), Some(units(1)));
    assert_eq!((delivered(5, 5), delivered(5, 6)), (None, None));
}

#[test]
fn events_that_no_delivery_decided_are_refused() {
    let agreed = (parcel(), earned());
    let sending = after([now(News::Begin)]);
    let sent = |parcel, earned| Event::Sent { parcel, earned, hash: "0xa1".into() };
    assert!(follows(&sending, &sent(parcel(), earned()), agreed));
    let less = Parcel { units: units(17_537_036), ..parcel() };
    let cheaper = Parcel { cost: amount(9_469), ..parcel() };
    let untaken = Parcel { network_fee: None, ..parcel() };
    for other in [less, cheaper, untaken] {
        assert!(!follows(&sending, &sent(other, earned()), agreed), "{other:?}");
        assert!(!follows(&State::Waiting, &Event::Begun(other), agreed), "{other:?}");
    }
    let stranger = Earned { account: ledger_core::id::AccountId(ANA.0 + 8), ..earned() };
    let mut dearer = fees();
    dearer.house = share(431);
    for other in [stranger, Earned { fees: dearer, ..earned() }] {
        assert!(!follows(&sending, &sent(parcel(), other), agreed), "{other:?}");
    }
    assert!(!follows(&State::Waiting, &sent(parcel(), earned()), agreed), "it was never begun");
    assert!(!follows(&failed(), &Event::BegunAgain { attempt: 3 }, agreed));
    assert!(!follows(&failed(), &Event::BegunAgain { attempt: 1 }, agreed));
    assert!(!follows(&sending, &Event::Begun(parcel()), agreed));
}
