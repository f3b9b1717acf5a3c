//! What an outbox costs: transfers, which tell nobody anything, and payouts, which notify a client
//! and ask for a PIX, with an outbox and without, in turns; each from 64 tasks that wait for one
//! answer at a time.
//!
//! ```console
//! $ cargo bench --bench outbox
//! $ cargo bench --bench outbox -- payouts 'postgres://ledger@/bench?host=/run/postgresql'
//! ```
//!
//! A kind of operation named behind `--` is the only one measured.

#![allow(clippy::cast_precision_loss)] // Counts of a few minutes.

#[path = "workload/funded.rs"]
mod funded;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use custody_ledger::prelude::*;
use custody_ledger::request::payout::CreatePayout;
use custody_ledger::request::transfer::CreateTransfer;
use custody_ledger::{Builder, Pending};
use tokio::runtime::Runtime;

const TASKS: u64 = 64;

/// Operations of one measurement.
const MANY: u64 = 12_800;

const TURNS: usize = 7;

/// The pace of a service over HTTP: each task rests so long, less its answer, between two requests.
const PACE: std::time::Duration = std::time::Duration::from_millis(8);

fn main() {
    let runtime = Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let mut stores = vec![("sqlite", file("with.db"), file("without.db"))];
    let asked: Vec<String> = std::env::args().collect();
    let postgres = asked.iter().find(|argument| argument.starts_with("postgres"));
    stores.extend(postgres.map(|url| ("postgres", url.clone(), url.clone())));
    for (kind, with, without) in stores {
        let with = Ledgers::opened(Ledger::builder(&with).name("with").outbox());
        let without = Ledgers::opened(Ledger::builder(&without).name("without"));
        let kinds = [("transfers", Ledgers::transfer as Ask), ("payouts", Ledgers::payout as Ask)];
        let one = kinds.iter().any(|(what, _)| asked.iter().any(|argument| argument == what));
        for (what, ask) in kinds {
            if !one || asked.iter().any(|argument| argument == what) {
                measure(&runtime, (kind, what), &with, &without, ask);
            }
        }
    }
}

type Ask = fn(&Ledgers, u64) -> Answer;

type Answer = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

fn measure(
    runtime: &Runtime,
    (kind, what): (&str, &str),
    with: &Ledgers,
    without: &Ledgers,
    ask: Ask,
) {
    for paced in [false, true] {
        let mut ratios = Vec::new();
        let mut rates = [Vec::new(), Vec::new()];
        for _ in 0..TURNS {
            let [on, off] = [with, without].map(|ledgers| rate(runtime, ledgers, ask, paced));
            ratios.push(on / off);
            rates[0].push(on);
            rates[1].push(off);
        }
        let [on, off] = rates.map(median);
        let how = if paced { "at a service's pace" } else { "as fast as it goes" };
        println!(
            "{kind}: {what} {how}, {on:.0} a second with an outbox, {off:.0} without: {:.2}",
            median(ratios)
        );
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// How many a second.
fn rate(runtime: &Runtime, ledgers: &Ledgers, ask: Ask, paced: bool) -> f64 {
    let first = ledgers.next.fetch_add(MANY, Ordering::Relaxed);
    let clock = Instant::now();
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for task in 0..TASKS {
            let ledgers = ledgers.clone();
            tasks.push(tokio::spawn(async move {
                for number in (task..MANY).step_by(64) {
                    let clock = Instant::now();
                    ask(&ledgers, first + number).await;
                    if paced {
                        tokio::time::sleep(PACE.saturating_sub(clock.elapsed())).await;
                    }
                }
            }));
        }
        for task in tasks {
            task.await.expect("nothing panics");
        }
    });
    MANY as f64 / clock.elapsed().as_secs_f64()
}

#[derive(Clone)]
struct Ledgers {
    client: Client,
    next: std::sync::Arc<AtomicU64>,
}

impl Ledgers {
    fn opened(builder: Builder) -> Self {
        let client = funded::client(builder, 100_000_000_000);
        Self { client, next: std::sync::Arc::default() }
    }

    fn transfer(&self, number: u64) -> Answer {
        let to = Party::customer("ana").expect("a name");
        let id = ExternalId::new(&format!("transfer-{number}")).expect("an id");
        let amount = Amount::new(1).expect("above zero");
        done(self.client.ask(&CreateTransfer::new(Party::House, to, amount, id)))
    }

    fn payout(&self, number: u64) -> Answer {
        let id = ExternalId::new(&format!("payout-{number}")).expect("an id");
        let amount = Amount::new(1_000).expect("above zero");
        let key = PixKey::new("a@example.com").expect("a key");
        let document = Document::new("52998224725").expect("a document");
        done(self.client.ask(&CreatePayout::new(amount, Party::House, document, key, id)))
    }
}

fn done<T: Send + 'static, E: std::fmt::Debug + Send + 'static>(
    pending: Pending<Result<T, E>>,
) -> Answer {
    Box::pin(async move { drop(pending.await.expect("it is done")) })
}
