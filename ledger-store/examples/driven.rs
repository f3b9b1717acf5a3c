//! A process that pays payouts by a driver, and may be killed at any instant: started again with
//! the same arguments, it goes on, and each PIX leaves once.
//!
//! ```console
//! $ cargo run -p ledger-store --example driven -- ledger.db world.txt 20
//! ```
//!
//! The second file is the world: a line for each PIX that left, by its idempotency key.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ledger_core::contract::Line;
use ledger_core::ledger::Origin;
use ledger_store::clock::ManualClock;
use ledger_store::engine::Engine;
use ledger_store::projection::{Tables, Target};
use ledger_store::provider::{Driver, Order, OrderKind, Outcome, PixPaid, Provider, SendPix};
use ledger_store::{OpenMode, SqliteJournal};
use serde_json::{Value, json};

const NOW: &str = "2026-11-20T12:00:00Z";

type Failure = Box<dyn std::error::Error>;

/// A bank that keeps its books in a file, and knows by them what it has paid.
struct Bank(Mutex<File>);

impl Bank {
    fn pay(&self, key: &str) -> std::io::Result<()> {
        let mut file = self.0.lock().map_err(|_| std::io::Error::other("a payment panicked"))?;
        let mut paid = String::new();
        std::io::Seek::rewind(&mut *file)?;
        file.read_to_string(&mut paid)?;
        if !paid.lines().any(|line| line == key) {
            file.write_all(format!("{key}\n").as_bytes())?;
            file.sync_all()?;
        }
        Ok(())
    }
}

impl Provider for Bank {
    fn carries_out(&self, kind: OrderKind) -> bool {
        kind == OrderKind::SendPix
    }

    fn send_pix(&self, order: &Order<SendPix>) -> Outcome<PixPaid> {
        std::thread::sleep(Duration::from_millis(5));
        let paid = self.pay(&order.idempotency_key);
        std::thread::sleep(Duration::from_millis(5));
        match paid {
            Ok(()) => {
                let e2e = format!("E90400888202611201200{:011}", order.seq);
                Outcome::Done(PixPaid::new(e2e))
            }
            Err(_) => Outcome::NotNow,
        }
    }
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [ledger, world, payouts] = &arguments[..] else {
        return Err("usage: driven LEDGER WORLD PAYOUTS".into());
    };
    let (file, payouts) = (PathBuf::from(ledger), payouts.parse::<u32>()?);
    let target = Target::Sqlite(file.clone());
    let journal = SqliteJournal::open(&file, "live", OpenMode::create())?;
    let engine = Engine::builder("live").outbox(target.clone()).start(Box::new(journal))?;
    let engine = Arc::new(engine);

    let books = OpenOptions::new().read(true).append(true).create(true).open(world)?;
    let clock = Arc::new(ManualClock::at(NOW).ok_or("no instant")?);
    let outbox = Tables::open_writing(&target, "live")?.ok_or("the engine made no outbox")?;
    let often = Duration::from_millis(5);
    let driver = Driver::builder(Arc::new(Bank(Mutex::new(books)))).every(often);
    let driver = driver.start(&engine, clock, outbox);

    ask_for(&engine, payouts)?;
    let mut statuses = Vec::new();
    while statuses.len() < payouts as usize || statuses.iter().any(|it| it != "completed") {
        std::thread::sleep(often);
        statuses = (1..=payouts).map(|n| status(&engine, n)).collect::<Result<_, _>>()?;
    }
    driver.stop();
    let head = engine.stop()?;
    println!("{payouts} payouts are paid, at record {}", head.seq);
    Ok(())
}

/// An account with money, and payouts of it: asked again, nothing is done twice.
fn ask_for(engine: &Engine, payouts: u32) -> Result<(), Failure> {
    tell(
        engine,
        &json!({ "at": NOW, "fact": "account.opened",
        "body": { "id": "a-1", "account": "loja", "terms": { "carencia_horas": 0 } },
        "supplied": { "key": "svc_live_loja" } }),
    )?;
    tell(
        engine,
        &json!({ "at": NOW, "fact": "fee.adjusted",
        "body": { "id": "a-2", "account": "loja", "effect_cents": 9_000_000, "actor": "bia",
                  "reason": "a gift", "evidence": "case-1" } }),
    )?;
    for number in 1..=payouts {
        tell(
            engine,
            &json!({ "at": NOW, "key": "svc_live_loja", "request": "POST /payouts",
            "body": { "amount_cents": 1_000, "tax_number": "52998224725",
                      "pix_key": "52998224725", "external_id": format!("p-{number}") } }),
        )?;
    }
    Ok(())
}

fn status(engine: &Engine, number: u32) -> Result<String, Failure> {
    let request = format!("GET /payouts?external_id=p-{number}");
    let line = json!({ "at": NOW, "key": "svc_live_loja", "request": request });
    let answer = tell(engine, &line)?;
    Ok(answer["payouts"][0]["status"].as_str().unwrap_or_default().to_owned())
}

fn tell(engine: &Engine, line: &Value) -> Result<Value, Failure> {
    let line = Line::parse(&line.to_string(), |_| Ok(String::new()));
    let line = line.map_err(|problem| problem.detail)?;
    let answer = engine.call(line.call(Origin::Call)).wait()?;
    if answer.status >= 300 { Err(answer.body.to_string().into()) } else { Ok(answer.body.into()) }
}
