//! The connection to the server is cut while a commit is under way: the engine finds out what
//! became of it, and answers the truth.

use std::time::{Duration, Instant};

use ledger_store::engine::Engine;
use ledger_store::journal::{Journal, OpenMode, PostgresJournal, PostgresServer};

use super::proxy::{Cut, Proxy};
use super::setup::server::{self, Session};
use super::setup::{LIVE, mode};
use super::{OPEN, call, charge, count_of, is_not_written, undisturbed};

/// An engine behind a proxy, its account and a first charge, and the database without the proxy.
pub struct Behind {
    pub engine: Engine,
    pub proxy: Proxy,
    pub url: String,
}

impl Behind {
    pub fn a_proxy() -> Self {
        Self::with_timeout(Duration::from_secs(30))
    }

    /// Its statements may take this long.
    pub fn with_timeout(limit: Duration) -> Self {
        let url = server::database();
        let proxy = Proxy::before(server::shared().socket().to_owned());
        let through: PostgresServer = proxy.url(&url).parse().unwrap();
        let through = through.statement_timeout(limit);
        let journal = PostgresJournal::open(&through, LIVE, mode()).unwrap();
        let engine = Engine::start(Box::new(journal), LIVE, |_, _| ()).unwrap();
        assert_eq!(engine.call(call(OPEN)).wait().unwrap().status, 200);
        let behind = Self { engine, proxy, url };
        behind.warm(1);
        behind
    }

    /// From here on an append is one request: its statement is known to the session.
    pub fn warm(&self, number: u64) {
        assert_eq!(self.engine.call(charge(number)).wait().unwrap().status, 200);
    }

    /// Tells whether the charges are all there is, in this order.
    pub fn holds(self, charges: impl IntoIterator<Item = u64>) {
        drop(self.engine);
        let server = self.url.parse().unwrap();
        let mut journal = PostgresJournal::open(&server, LIVE, OpenMode::ReadOnly).unwrap();
        assert_eq!(journal.head().unwrap(), undisturbed(charges));
    }
}

#[test]
fn a_commit_that_landed_before_its_answer_was_cut_is_answered_as_written() {
    let behind = Behind::a_proxy();
    for number in (2..20).step_by(2) {
        behind.proxy.cut(Cut::BeforeTheAnswer);
        let answer = behind.engine.call(charge(number)).wait().unwrap();
        assert_eq!(answer.status, 200);
        assert_eq!(behind.engine.call(charge(number)).wait().unwrap(), answer);
        assert_eq!(count_of(&behind.engine, number), 1);
        behind.warm(number + 1);
    }
    behind.holds(1..20);
}

#[test]
fn a_commit_after_which_the_server_breaks_down_is_answered_as_written() {
    let behind = Behind::a_proxy();
    behind.proxy.cut(Cut::Panic);
    assert_eq!(behind.engine.call(charge(2)).wait().unwrap().status, 200);
    assert_eq!(count_of(&behind.engine, 2), 1);
    behind.warm(3);
    behind.holds(1..4);
}

#[test]
fn a_commit_that_was_cut_on_its_way_is_answered_as_not_written_and_can_be_repeated() {
    let behind = Behind::a_proxy();
    for (number, cut) in [(2, Cut::BeforeTheServer), (3, Cut::HalfWay)] {
        behind.proxy.cut(cut);
        assert!(is_not_written(&behind.engine.call(charge(number)).wait()));
        assert_eq!(count_of(&behind.engine, number), 0);
        assert_eq!(behind.engine.call(charge(number)).wait().unwrap().status, 200);
    }
    behind.holds(1..4);
}

#[test]
fn a_commit_still_under_way_on_a_cut_connection_is_waited_for() {
    let behind = Behind::a_proxy();
    let mut other = Session::open(&behind.url).unwrap();
    other.execute("BEGIN; SELECT 1 FROM ledger FOR UPDATE").unwrap();
    let cut = behind.proxy.cut_when_triggered(Cut::OnceView);
    let ticket = behind.engine.call(charge(2));
    waiting_for_a_lock(&behind.url, 1);
    cut.send(()).unwrap();
    // The new session of the engine stands in line behind the old one's commit.
    waiting_for_a_lock(&behind.url, 2);
    other.execute("COMMIT").unwrap();
    assert_eq!(ticket.wait().unwrap().status, 200);
    assert_eq!(count_of(&behind.engine, 2), 1);
    behind.holds(1..3);
}

#[test]
fn a_commit_that_the_server_hears_late_never_lands() {
    let behind = Behind::a_proxy();
    let trigger = behind.proxy.cut_when_triggered(Cut::HeardLate);
    assert!(is_not_written(&behind.engine.call(charge(2)).wait()));
    trigger.send(()).unwrap();
    // While it is heard, and after.
    for number in 3..10 {
        behind.warm(number);
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(count_of(&behind.engine, 2), 0);
    behind.holds([1].into_iter().chain(3..10));
}

/// Waits until this many sessions of the database wait for a lock.
fn waiting_for_a_lock(url: &str, sessions: i64) {
    let waiting = "SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let start = Instant::now();
    while server::number(url, waiting) < sessions {
        assert!(start.elapsed() < Duration::from_secs(20), "nobody waits");
        std::thread::sleep(Duration::from_millis(5));
    }
}
