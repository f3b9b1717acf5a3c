//! The machine's clock is a witness, not a judge (rulings 69).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use ledger_core::contract::Environment;
use ledger_core::time::{Instant, Span};
use ledger_http::console_router;
use ledger_store::machine_clock::{ClockReading, MachineClock, TimeSource};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::served::{KEY, Served};

/// The clocks of a machine, as a test sets them.
#[derive(Clone, Default)]
struct Machine {
    /// The time of day, in microseconds.
    wall: Arc<AtomicI64>,
    /// The time since the start, in seconds.
    elapsed: Arc<AtomicU64>,
}

impl TimeSource for Machine {
    fn read(&self) -> ClockReading {
        let wall = Instant::from_micros(self.wall.load(Ordering::SeqCst)).unwrap();
        ClockReading { wall, elapsed: Duration::from_secs(self.elapsed.load(Ordering::SeqCst)) }
    }
}

impl Machine {
    fn pass(&self, wall: i64, elapsed: u64) {
        self.wall.fetch_add(wall * 1_000_000, Ordering::SeqCst);
        self.elapsed.fetch_add(elapsed, Ordering::SeqCst);
    }
}

fn served() -> (Machine, Served) {
    let machine = Machine::default();
    let noon = Instant::parse("2026-11-20T12:00:00Z").unwrap();
    machine.wall.store(noon.micros(), Ordering::SeqCst);
    let clock = MachineClock::over(machine.clone(), Span::seconds(120));
    let served = Served::with(64, |service| service.witnessed_by(clock));
    served.open_account();
    (machine, served)
}

fn balance(served: &Served) -> Value {
    served.get("/saldo", &[("x-api-key", KEY)]).body()
}

/// The console's overview of the live ledger.
fn overview(served: &Served) -> String {
    let request =
        Request::get("/live/").header("host", "127.0.0.1").header("accept-language", "en");
    let routes = console_router(&served.service, None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bytes = runtime.block_on(async {
        let answer = routes.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        to_bytes(answer.into_body(), usize::MAX).await.unwrap()
    });
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_fact_dated_ahead_of_the_machine_moves_no_time_and_ends_no_block() {
    let (_, served) = served();
    let world = served.world();
    let adjusted = json!({ "id": "f", "account": "loja", "effect_cents": 10_000, "actor": "bia",
        "reason": "r" });
    assert_eq!(world.post("/facts/fee.adjusted", &adjusted.to_string()).status, 200);
    let placed = json!({ "id": "h", "account": "loja", "kind": "precautionary",
        "amount_cents": 10_000, "actor": "bia", "reason": "suspicion" });
    assert_eq!(world.post("/facts/hold.placed", &placed.to_string()).status, 200);
    for (id, at) in [("g47", "2026-11-22T11:00:00Z"), ("g94", "2026-11-24T10:00:00Z")] {
        let moved = json!({ "id": id, "from": "equity.funding", "to": "prov.pay",
            "amount_cents": 100_000 });
        let path = format!("/facts/treasury.moved?environment=live&at={at}");
        let answer = world.post(&path, &moved.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let balance = balance(&served);
    assert_eq!(balance["bloqueado_cents"], 10_000, "{balance}");
    assert_eq!(balance["as_of"], "2026-11-20T12:00:00Z");
}

#[test]
fn a_clock_that_jumps_ahead_stops_what_writes_until_it_is_back_and_reads_go_on() {
    let (machine, served) = served();
    let world = served.world();
    let fact = |id: &str| {
        json!({ "id": id, "from": "equity.funding", "to": "prov.pay", "amount_cents": 1 })
            .to_string()
    };
    machine.pass(30 * 3_600, 1);
    served.service.tick().unwrap();
    let answer = world.post("/facts/treasury.moved", &fact("a"));
    assert_eq!(answer.status, 503, "{}", answer.text);
    assert_eq!(answer.body()["erro"], "temporariamente_indisponivel");
    assert_eq!(balance(&served)["as_of"], "2026-11-20T12:00:01Z");
    let ready = served.world().get("/health/ready");
    assert_eq!((ready.status, &ready.body()["clock"]["status"]), (503, &json!("not_believed")));
    machine.pass(-30 * 3_600, 1);
    assert_eq!(world.post("/facts/treasury.moved", &fact("a")).status, 200);
    assert_eq!(served.world().get("/health/ready").status, 200);
}

#[test]
fn a_clock_that_is_set_back_is_said_while_the_ledger_goes_on() {
    let (machine, served) = served();
    machine.pass(-3_600, 1);
    let ready = served.world().get("/health/ready");
    assert_eq!((ready.status, &ready.body()["clock"]["status"]), (200, &json!("set_back")));
    let metrics = served.world().get("/metrics").text;
    assert!(metrics.contains("custody_ledger_clock_set_back{} 1\n"), "{metrics}");
    let overview = overview(&served);
    let said = "set back (reads / expected): 2026-11-20T11:00:00Z / 2026-11-20T12:00:01Z";
    assert!(overview.contains(said), "{overview}");
    machine.pass(3_600, 1);
    let ready = served.world().get("/health/ready");
    assert_eq!((ready.status, &ready.body()["clock"]), (200, &json!(null)));
}

#[test]
fn a_person_accepts_a_clock_by_name() {
    let (machine, served) = served();
    let world = served.world();
    machine.pass(30 * 3_600, 1);
    assert_eq!(world.post("/clock/accept", "{}").status, 400);
    let by = json!({ "actor": "bia", "reason": "the host was restored" }).to_string();
    let accepted = world.post("/clock/accept", &by);
    assert_eq!((accepted.status, &accepted.body()["actor"]), (200, &json!("bia")));
    assert_eq!(balance(&served)["as_of"], "2026-11-21T18:00:00Z");
}

#[test]
fn the_sandboxs_clock_goes_on_from_where_it_was_put() {
    let (machine, served) = served();
    let made = served.post("/keys/sandbox", &[], &json!({ "email": "ana@exemplo.com.br" }));
    let key = made.body()["api_key"].as_str().unwrap().to_owned();
    let passed =
        served.world().post("/facts/time.passed?environment=sandbox&at=2026-12-30T12:00:00Z", "");
    assert_eq!(passed.status, 200, "{}", passed.text);
    machine.pass(600, 600);
    let with_key = [("x-api-key", key.as_str())];
    assert_eq!(served.get("/saldo", &with_key).body()["as_of"], "2026-12-30T12:10:00Z");
    assert_eq!(served.get("/carteira-usdt", &with_key).status, 200);
    let live = served.service.ledgers().for_environment(Environment::Live).engine().head().unwrap();
    assert_eq!(live.seq, 1, "real money has a clock of its own");
}
