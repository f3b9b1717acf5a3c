//! What the test kit draws: every request and fact, and whole histories.

use custody_ledger::Error;
use custody_ledger::fact::account::AccountOpened;
use custody_ledger::prelude::*;
use custody_ledger::testkit::{self, Counts, History, facts, histories, requests};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, TestRunner};

const NOON: &str = "2026-11-20T12:00:00Z";

fn few(cases: u32) -> Config {
    Config { failure_persistence: None, ..Config::with_cases(cases) }
}

proptest! {
    #![proptest_config(few(12))]

    #[test]
    fn whatever_is_drawn_is_answered_or_refused_and_every_invariant_holds(
        asked in prop::collection::vec(requests(), 40),
        reported in prop::collection::vec(facts(), 40),
    ) {
        let shop = testkit::given(NOON);
        let loja = shop.ledger().client(ApiKey::new("svc_live_loja").expect("it is a key"));
        for (request, fact) in asked.iter().zip(&reported) {
            let reported = shop.ledger().report(fact).wait();
            prop_assert!(matches!(reported, Ok(_) | Err(Error::Refused(_))), "{fact:?}: {reported:?}");
            let asked = loja.ask(request).wait();
            prop_assert!(matches!(asked, Ok(_) | Err(Error::Refused(_))), "{request:?}: {asked:?}");
        }
        shop.holds();
    }

    #[test]
    fn every_invariant_holds_after_any_history(history in histories(1..60)) {
        let shop = testkit::given(NOON);
        let counts = history.play(&shop);
        prop_assert_eq!(counts.steps(), history.steps.len());
        shop.holds();
    }
}

/// Histories that meet nothing prove nothing: in fifty of them everything happens.
#[test]
fn histories_meet_every_kind_of_outcome() {
    let mut all = Counts::default();
    for history in fifty() {
        let counts = history.play(&testkit::given(NOON));
        all.answered += counts.answered;
        all.refused += counts.refused;
        all.applied += counts.applied;
        all.known += counts.known;
        all.set_aside += counts.set_aside;
    }
    let met = [all.answered, all.refused, all.applied, all.known, all.set_aside];
    assert!(met.iter().all(|count| *count >= 20), "{all:?}");
}

fn fifty() -> Vec<History> {
    let mut runner = TestRunner::deterministic();
    let strategy = histories(50..60);
    (0..50).map(|_| strategy.new_tree(&mut runner).expect("it is drawn").current()).collect()
}

/// Whatever is answered reads as the type of its own request, and much of what is drawn is answered.
#[test]
fn whatever_is_answered_reads_as_the_type_of_its_request() {
    let account = AccountOpened::new("acc-1".try_into().unwrap(), "loja".try_into().unwrap());
    let account = account.key("svc_live_loja".try_into().unwrap());
    let mut runner = TestRunner::deterministic();
    let mut answered = 0;
    for _ in 0..8 {
        let shop = testkit::given(NOON).fact(&account);
        let loja = shop.ledger().client(ApiKey::new("svc_live_loja").unwrap());
        for _ in 0..100 {
            let fact = facts().new_tree(&mut runner).unwrap().current();
            let _ = shop.ledger().report(&fact).wait();
            let request = requests().new_tree(&mut runner).unwrap().current();
            if let Ok(done) = loja.ask(&request).wait() {
                request.check(&done.answer).unwrap_or_else(|e| panic!("{request:?}: {e}"));
                answered += 1;
            }
        }
    }
    assert!(answered >= 100, "{answered} of 800");
}

#[test]
fn the_same_history_ends_at_the_same_head() {
    for history in fifty().iter().take(3) {
        let heads: Vec<_> = (0..2)
            .map(|_| {
                let shop = testkit::given(NOON);
                history.play(&shop);
                shop.ledger().head().expect("it is open")
            })
            .collect();
        assert_eq!(heads[0], heads[1]);
    }
}
