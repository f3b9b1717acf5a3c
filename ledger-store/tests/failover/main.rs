//! The server is lost in the midst of its work, and its synchronous standby takes its place.
//!
//! ```text
//! cargo test -p ledger-store --test failover
//! ```
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod load;
mod pair;
#[path = "../setup/mod.rs"]
mod setup;

use ledger_store::audit::{Expect, audit};
use ledger_store::engine::Engine;
use ledger_store::journal::{Journal, OpenMode, PostgresJournal};

use load::{Answers, Load, charge, count_of};
use pair::{Order, Pair};
use setup::{LIVE, mode};

/// How many answers are waited for before a server is lost, and after.
const ANSWERS: usize = 150;

/// An engine at this URL.
fn engine(url: &str) -> Engine {
    let journal = PostgresJournal::open(&url.parse().unwrap(), LIVE, mode()).unwrap();
    Engine::builder(LIVE).take_over().start(Box::new(journal)).unwrap()
}

fn reader(url: &str) -> PostgresJournal {
    PostgresJournal::open(&url.parse().unwrap(), LIVE, OpenMode::ReadOnly).unwrap()
}

/// Every command that was acknowledged is there, as it was answered; every other is repeated and
/// takes effect once; and the audit proves the whole.
fn all_is_there(url: &str, answers: &Answers) {
    let mut journal = reader(url);
    let before = journal.head().unwrap();
    audit(&mut journal, LIVE, Expect::default(), |_| ()).unwrap();

    let engine = engine(url);
    for (number, answer) in &answers.acknowledged {
        assert_eq!(answer.status, 200, "command {number}");
        assert_eq!(&engine.call(charge(*number)).wait().unwrap(), answer, "command {number}");
    }
    for number in &answers.unacknowledged {
        assert!(count_of(&engine, *number) <= 1);
        assert_eq!(engine.call(charge(*number)).wait().unwrap().status, 200);
    }
    for number in answers.acknowledged.keys().chain(&answers.unacknowledged) {
        assert_eq!(count_of(&engine, *number), 1, "command {number}");
    }
    drop(engine);
    audit(&mut reader(url), LIVE, Expect { heads: vec![before] }, |_| ()).unwrap();
}

#[test]
fn an_engine_at_work_goes_on_at_the_standby_and_what_it_acknowledged_is_there() {
    let mut pair = Pair::new();
    load::open(&engine(&pair.url()));
    for (series, order) in [Order::PromotedThenFound, Order::FoundThenPromoted].iter().enumerate() {
        if series > 0 {
            pair.make_a_standby();
        }
        let load = Load::begin(engine(&pair.url()), series as u64);
        load.wait_for(ANSWERS);
        pair.lose_the_primary(*order);
        load.wait_for(2 * ANSWERS);
        all_is_there(&pair.url(), &load.end());
    }
}

#[test]
fn an_engine_that_was_lost_with_its_server_is_replaced_and_nothing_acknowledged_is_lost() {
    let mut pair = Pair::new();
    load::open(&engine(&pair.url()));
    // This engine knows the primary only, and is lost with it.
    let load = Load::begin(engine(&pair.primary_url()), 7);
    load.wait_for(ANSWERS);
    pair.lose_the_primary(Order::PromotedThenFound);
    let answers = load.abandon();
    assert!(!answers.unacknowledged.is_empty(), "somebody was waiting for an answer");
    all_is_there(&pair.url(), &answers);
}

/// How a primary is lost whose address nobody else takes.
const LOSSES: [fn(&mut Pair); 2] =
    [|pair| pair.lose_the_primary(Order::Promoted), Pair::freeze_the_primary];

#[test]
fn an_engine_that_knows_both_servers_goes_on_at_whichever_takes_writes() {
    let mut pair = Pair::new();
    load::open(&engine(&pair.url_of_both()));
    let mut url = pair.url_of_both();
    for (series, lose) in LOSSES.iter().enumerate() {
        if series > 0 {
            pair.make_a_standby();
            url = pair.url_of_both();
        }
        let load = Load::begin(engine(&url), series as u64);
        load.wait_for(ANSWERS);
        lose(&mut pair);
        load.wait_for(2 * ANSWERS);
        all_is_there(&url, &load.end());
    }
}

#[test]
fn where_no_host_takes_writes_each_is_named_with_the_reason() {
    let mut pair = Pair::new();
    load::open(&engine(&pair.url_of_both()));
    let url = pair.url_of_both().replace("=read-write", "=standby");
    // Whoever only reads may read at the standby, and nowhere else.
    let mut standby = reader(&url);
    assert!(standby.head().unwrap().seq > 0);
    let url = pair.url_of_both();
    pair.kill_the_primary();
    let error = PostgresJournal::open(&url.parse().unwrap(), LIVE, mode()).unwrap_err();
    let text = with_causes(&error);
    assert!(text.contains("none of 2 hosts can be used"), "{text}");
    assert!(text.contains("it is read-only, not read-write"), "{text}");
}

/// An error with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
