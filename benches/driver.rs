//! How many payouts a driver pays a second, while they are asked for as fast as they are accepted
//! and the bank answers at once.
//!
//! ```console
//! $ cargo bench --bench driver
//! $ cargo bench --bench driver -- 'postgres://ledger@/bench?host=/run/postgresql'
//! ```

#![allow(clippy::cast_precision_loss)] // Counts of a few minutes.

#[path = "workload/funded.rs"]
mod funded;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use custody_ledger::prelude::*;
use custody_ledger::provider::{
    Answer, KeyHolder, KeyLookup, Order, OrderKind, Outcome, PixKeyToLookUp, PixPaid, Provider,
    SendPix,
};
use custody_ledger::request::payout::CreatePayout;
use tokio::runtime::Runtime;

const TASKS: u64 = 64;

/// Payouts of one turn.
const MANY: u64 = 20_000;

const TURNS: u64 = 3;

/// A bank that pays at once.
struct Bank(Arc<AtomicU64>);

impl Provider for Bank {
    fn key_holder(&self, _: &PixKeyToLookUp<'_>) -> Answer<KeyLookup> {
        let document = Some("52998224725".to_owned());
        Answer::Known(KeyLookup::Held(KeyHolder { document, ..KeyHolder::default() }))
    }

    fn carries_out(&self, kind: OrderKind) -> bool {
        kind == OrderKind::SendPix
    }

    fn send_pix(&self, _: &Order<SendPix>) -> Outcome<PixPaid> {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        Outcome::Done(PixPaid::new(format!("E90400888202611201200{number:011}")))
    }
}

fn main() {
    let runtime = Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = format!("sqlite:{}", folder.path().join("ledger.db").display());
    let postgres = std::env::args().find(|argument| argument.starts_with("postgres"));
    for store in std::iter::once(file).chain(postgres) {
        let paid = Arc::new(AtomicU64::new(0));
        let builder = Ledger::builder(&store).name("driver").provider(Bank(Arc::clone(&paid)));
        let client = funded::client(builder, 100_000_000_000);
        let mut rates = [Vec::new(), Vec::new()];
        for turn in 0..TURNS {
            let began = Instant::now();
            runtime.block_on(ask(&client, turn * MANY));
            rates[0].push(MANY as f64 / began.elapsed().as_secs_f64());
            while paid.load(Ordering::Relaxed) < (turn + 1) * MANY {
                std::thread::sleep(Duration::from_millis(5));
            }
            rates[1].push(MANY as f64 / began.elapsed().as_secs_f64());
        }
        let [accepted, paid] = rates.map(median);
        let kind = store.split(':').next().unwrap_or_default();
        println!("{kind}: {accepted:.0} payouts a second accepted, {paid:.0} paid");
    }
}

/// Asks for payouts from tasks that wait for one answer at a time.
async fn ask(client: &Client, first: u64) {
    let mut tasks = Vec::new();
    for task in 0..TASKS {
        let client = client.clone();
        tasks.push(tokio::spawn(async move {
            for number in (task..MANY).step_by(64) {
                let id = ExternalId::new(&format!("payout-{}", first + number)).expect("an id");
                let (amount, key) = (Amount::new(1_000), PixKey::new("a@example.com"));
                let (amount, key) = (amount.expect("above zero"), key.expect("a key"));
                let document = Document::new("52998224725").expect("a document");
                let payout = CreatePayout::new(amount, Party::House, document, key, id);
                client.ask(&payout).await.expect("it is accepted");
            }
        }));
    }
    for task in tasks {
        task.await.expect("nothing panics");
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
