//! What a door costs: transfers by types, by the contract's JSON, and by the core's commands, each
//! from 64 tasks that wait for one answer at a time, in turns.
//!
//! ```console
//! $ cargo bench --bench doors
//! ```

#![allow(clippy::cast_precision_loss)] // Counts of a few minutes.

#[path = "workload/funded.rs"]
mod funded;
mod workload;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use custody_ledger::prelude::*;
use custody_ledger::request::transfer::CreateTransfer;
use ledger_core::contract::Line;
use ledger_core::ledger::Origin;
use ledger_store::engine::Engine;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode, SqliteJournal};
use tokio::runtime::Runtime;

const TASKS: u64 = 64;

/// Transfers of one measurement.
const MANY: u64 = 40_000;

const TURNS: usize = 5;

fn main() {
    let runtime = Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("transfers a second, {TASKS} tasks, median of {TURNS} turns");
    for store in ["memory:".to_owned(), format!("sqlite:{}", folder.path().join("a.db").display())]
    {
        let (typed, lines, commands) = (Typed::over(&store), lines(&store), commands(&store));
        let next = AtomicU64::new(0);
        let mut rates = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..TURNS {
            rates[0].push(rate(&runtime, &next, |number| typed.transfer(number)));
            rates[1].push(rate(&runtime, &next, |number| by_line(&lines, number)));
            rates[2].push(rate(&runtime, &next, |number| by_command(&commands, number)));
        }
        let [typed, lines, commands] = rates.map(|mut turns| {
            turns.sort_by(f64::total_cmp);
            turns[TURNS / 2]
        });
        let kind = store.split(':').next().unwrap_or_default();
        println!(
            "{kind}: by types {typed:.0}, by lines {lines:.0}, by commands {commands:.0}; \
             types / lines {:.2}, lines / commands {:.2}",
            typed / lines,
            lines / commands
        );
        let store = store.replace("a.db", "b.db");
        let typed = Typed::over(&store);
        for pace in [Some(1_000_000), None] {
            reads(&runtime, kind, &typed, pace);
        }
    }
}

/// Balances read by two threads beside the writers, so many a second or as many as they can, and
/// what that costs the writers.
fn reads(runtime: &Runtime, kind: &str, typed: &Typed, pace: Option<u32>) {
    let next = AtomicU64::new(u64::from(pace.unwrap_or_default()) << 20);
    let hundredth = pace.map_or(u64::MAX, |pace| u64::from(pace) / 200);
    let reader = typed.0.reader(&Party::House).wait().expect("it runs").expect("it has a house");
    let (mut alone, mut beside, mut read) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TURNS {
        alone.push(rate(runtime, &next, |number| typed.transfer(number)));
        let done = AtomicBool::new(false);
        let clock = Instant::now();
        let (writes, reads) = std::thread::scope(|scope| {
            let readers = [(); 2].map(|()| {
                scope.spawn(|| {
                    let mut count = 0_u64;
                    while !done.load(Ordering::Relaxed) {
                        std::hint::black_box(reader.read().expect("it runs"));
                        count += 1;
                        if count.is_multiple_of(hundredth) {
                            // A hundredth of a second of the pace, for each of the two.
                            let due = Duration::from_millis(count / hundredth * 10);
                            std::thread::sleep(due.saturating_sub(clock.elapsed()));
                        }
                    }
                    count
                })
            });
            let writes = rate(runtime, &next, |number| typed.transfer(number));
            done.store(true, Ordering::Relaxed);
            (writes, readers.map(|it| it.join().expect("it reads")).iter().sum::<u64>())
        });
        beside.push(writes);
        read.push(reads as f64 / clock.elapsed().as_secs_f64());
    }
    let [alone, beside, read] = [alone, beside, read].map(|mut turns| {
        turns.sort_by(f64::total_cmp);
        turns[TURNS / 2]
    });
    println!(
        "{kind}: {read:.0} balances read a second by two threads beside {beside:.0} transfers, \
         {:.2} of the {alone:.0} without readers",
        beside / alone
    );
}

/// How many of `transfer` a second.
fn rate<F: Future<Output = ()> + Send + 'static>(
    runtime: &Runtime,
    next: &AtomicU64,
    transfer: impl Fn(u64) -> F,
) -> f64 {
    let first = next.fetch_add(MANY, Ordering::Relaxed);
    let clock = Instant::now();
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for task in 0..TASKS {
            let own: Vec<F> = (task..MANY).step_by(64).map(|it| transfer(first + it)).collect();
            tasks.push(tokio::spawn(async move {
                for transfer in own {
                    transfer.await;
                }
            }));
        }
        for task in tasks {
            task.await.expect("no transfer panics");
        }
    });
    MANY as f64 / clock.elapsed().as_secs_f64()
}

struct Typed(Client);

impl Typed {
    fn over(store: &str) -> Self {
        Self(funded::client(Ledger::builder(store), 1_000_000_000))
    }

    fn transfer(&self, number: u64) -> impl Future<Output = ()> + Send + use<> {
        let to = Party::customer("ana").expect("a name");
        let id = ExternalId::new(&format!("typed-{number}")).expect("an id");
        let amount = Amount::new(1).expect("above zero");
        let pending = self.0.ask(&CreateTransfer::new(Party::House, to, amount, id));
        async move { drop(pending.await.expect("it is done")) }
    }
}

fn lines(store: &str) -> Arc<Engine> {
    let engine = engine(store, "lines");
    for text in [
        r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a-1","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#,
        r#"{"at":"2026-11-20T12:00:00Z","fact":"fee.adjusted","body":{"id":"a-2","account":"loja","effect_cents":1000000000,"actor":"bench","reason":"money","evidence":"case"}}"#,
    ] {
        let line = Line::parse(text, |_| Ok(String::new())).expect("it is well formed");
        assert_eq!(engine.call(line.call(Origin::Call)).wait().expect("durable").status, 200);
    }
    engine
}

fn by_line(engine: &Arc<Engine>, number: u64) -> impl Future<Output = ()> + Send + use<> {
    let text = format!(
        r#"{{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{{"to_customer_ref":"ana","amount_cents":1,"external_id":"line-{number}"}}}}"#
    );
    let engine = Arc::clone(engine);
    async move {
        let line = Line::parse(&text, |_| Ok(String::new())).expect("it is well formed");
        let call = line.call(Origin::Call);
        let permit = engine.reserve().await.expect("it runs");
        assert_eq!(permit.handle(call).await.expect("durable").response.status, 200);
    }
}

fn commands(store: &str) -> Arc<Engine> {
    let engine = engine(store, "commands");
    for command in workload::opening(1_000) {
        drop(engine.execute(command).wait().expect("durable"));
    }
    engine
}

fn by_command(engine: &Arc<Engine>, number: u64) -> impl Future<Output = ()> + Send + use<> {
    let command = workload::transfers(1_000, number, 1).remove(0);
    let engine = Arc::clone(engine);
    async move {
        let permit = engine.reserve().await.expect("it runs");
        permit.execute(command).await.expect("durable").expect("it is done");
    }
}

fn engine(store: &str, name: &str) -> Arc<Engine> {
    let engine = match store.strip_prefix("sqlite:") {
        Some(path) => {
            let path = format!("{path}.{name}");
            let journal = SqliteJournal::open(path, "live", OpenMode::create());
            Engine::builder("live").start(Box::new(journal.expect("the file opens")))
        }
        None => {
            let journal = MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create());
            Engine::builder("live").start(Box::new(journal.expect("memory opens")))
        }
    };
    Arc::new(engine.expect("a new ledger starts"))
}
