//! What a lease spares: one caller's requests that are refused, which write nothing, and for which
//! an engine without a lease asks the journal whether another has taken over.
//!
//! ```console
//! $ cargo bench --bench leases
//! ```

#[path = "../ledger-store/tests/setup/server.rs"]
mod server;

use std::time::{Duration, Instant};

use ledger_core::contract::{Call, Line};
use ledger_core::ledger::Origin;
use ledger_store::engine::Engine;
use ledger_store::{Journal, OpenMode, PostgresJournal, SqliteJournal};

/// Requests of a turn.
const REQUESTS: u32 = 4_000;

/// Turns of each, one after the other; the median is told.
const TURNS: usize = 5;

const OPEN: &str = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;

const REFUSED: &str = r#"{"at": "2026-11-20T12:00:01Z", "key": "svc_live_loja",
    "request": "POST /saldo/transferir",
    "body": {"from_customer_ref": "ana", "to_customer_ref": "casa", "amount_cents": 10}}"#;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("ledger.db");
    measured("SQLite", || {
        let journal = SqliteJournal::open(&path, "live", OpenMode::create());
        Box::new(journal.expect("the file opens"))
    });
    let place = server::database().parse().expect("the server's URL is one");
    measured("PostgreSQL", || {
        let journal = PostgresJournal::open(&place, "live", OpenMode::create());
        Box::new(journal.expect("the server answers"))
    });
}

/// Says how many refusals a second one caller gets, with a lease and without.
fn measured(keeper: &str, journal: impl Fn() -> Box<dyn Journal>) {
    let (mut asking, mut leased) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        asking.push(rate(&Engine::builder("live").start(journal()).expect("it starts")));
        let engine = Engine::builder("live").lease(Duration::from_secs(10)).start(journal());
        leased.push(rate(&engine.expect("it starts")));
    }
    let [asking, leased] = [asking, leased].map(|mut rates| {
        rates.sort_unstable();
        rates[TURNS / 2]
    });
    let times = f64::from(leased) / f64::from(asking);
    println!("{keeper:12} asked {asking}/s  leased {leased}/s  {times:.2} times");
}

fn rate(engine: &Engine) -> u32 {
    engine.call(call(OPEN)).wait().expect("it is opened, or known to be");
    let start = Instant::now();
    for _ in 0..REQUESTS {
        let answer = engine.call(call(REFUSED)).wait().expect("an answer");
        assert!(answer.status >= 400, "it writes nothing");
    }
    let nanos = start.elapsed().as_nanos() / u128::from(REQUESTS);
    u32::try_from(1_000_000_000 / nanos.max(1)).unwrap_or(u32::MAX)
}

fn call(line: &str) -> Call {
    let line = Line::parse(line, |label| Ok(label.to_owned())).expect("the line is well formed");
    line.call(Origin::Call)
}
