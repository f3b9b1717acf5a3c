//! A service's own commands, measured by criterion beside their floor.
//!
//! ```
//! use std::time::Duration;
//!
//! use custody_ledger::fact::account::AccountOpened;
//! use custody_ledger::fact::adjustment::FeeAdjusted;
//! use custody_ledger::prelude::*;
//! use custody_ledger::request::transfer::CreateTransfer;
//! use custody_ledger::testkit::bench::{beside_floor, criterion::Criterion};
//! use custody_ledger::value::DecidedBy;
//!
//! # type Failure = Box<dyn std::error::Error>;
//! // The same shop over two stores: the service's own, and memory.
//! let shop = |store: &str| -> Result<Client, Failure> {
//!     let ledger = Ledger::open(store).wait()?;
//!     let account = AccountName::new("loja")?;
//!     let opened = AccountOpened::new(FactId::new("acc-1")?, account.clone());
//!     ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
//!     let gift = DecidedBy::new("bia", "a gift")?.evidence("case-1")?;
//!     let id = FactId::new("gift-1")?;
//!     let gift = FeeAdjusted::new(id, account, Party::House, 90_000_000, gift);
//!     ledger.report(&gift).wait()?.ensure_applied()?;
//!     Ok(ledger.client(ApiKey::new("svc_live_loja")?))
//! };
//! # let folder = tempfile::tempdir()?;
//! # let store = format!("sqlite:{}", folder.path().join("ledger.db").display());
//! let (own, floor) = (shop(&store)?, shop("memory:")?);
//!
//! let transfer = |number: u64| {
//!     let id = ExternalId::new(&format!("t-{number}")).expect("an id");
//!     let (ana, one) = (Party::customer("ana").expect("a name"), Amount::new(1).expect("one"));
//!     CreateTransfer::new(Party::House, ana, one, id)
//! };
//! let mut criterion = Criterion::default().without_plots().sample_size(10)
//!     .warm_up_time(Duration::from_millis(5)).measurement_time(Duration::from_millis(50));
//! beside_floor(&mut criterion.benchmark_group("shop"), "transfer", [&own, &floor], transfer);
//! # Ok::<(), Failure>(())
//! ```

use std::time::{Duration, Instant};

pub use criterion;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Throughput};

use crate::ledger::Client;
use crate::request::{Account, Request};

/// Measures requests asked one at a time, each until its answer is durable: on a service's own
/// ledger, and on one in memory, which costs what the ledger itself does and nothing of a disk.
///
/// The two clients are of the same account over either store, both of them new. `request` gives the
/// request of a number, each another one: the numbers rise from 1 on either ledger.
///
/// # Panics
///
/// When a request is not answered, or was made before, and so would be measured as a repetition.
pub fn beside_floor<R: Request<By = Account>>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    [own, floor]: [&Client; 2],
    request: impl Fn(u64) -> R,
) {
    group.throughput(Throughput::Elements(1));
    for (client, name) in [(own, name.to_owned()), (floor, format!("floor: {name} in memory"))] {
        let mut asked = 0;
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                let requests: Vec<R> = (1..=rounds).map(|it| request(asked + it)).collect();
                asked += rounds;
                time_requests(client, &requests)
            });
        });
    }
}

/// How long it takes until each of them is answered, one after the other.
fn time_requests<R: Request<By = Account>>(client: &Client, requests: &[R]) -> Duration {
    let clock = Instant::now();
    for request in requests {
        let done = client.ask(request).wait();
        let done = done.unwrap_or_else(|error| panic!("what is measured is answered: {error}"));
        assert!(!done.is_repeated(), "what is measured was not asked before: take a new ledger");
    }
    clock.elapsed()
}
