//! How many webhooks a courier delivers a second, to one endpoint and to 20, and how late; beside
//! many that wait for an endpoint that does not answer, too.
//!
//! ```console
//! $ cargo bench -p ledger-http --bench courier
//! $ cargo bench -p ledger-http --bench courier -- 100000 5000
//! ```
//!
//! The numbers behind `--` are how many events wait, and of how many deposits, two events each, the
//! other accounts are told. The ledger is in an SQLite file, the receiver in the same process.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used, missing_docs)] // The tests' station.
#![allow(clippy::cast_precision_loss)] // Counts of a few minutes.

#[path = "../tests/setup/log.rs"]
mod log;
#[path = "../tests/webhooks/receiver.rs"]
mod receiver;
#[path = "../tests/webhooks/station.rs"]
mod station;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ledger_http::courier::{Patience, WebhookSettings};
use receiver::Reply;
use station::{KEY, Station};

/// How many endpoints there are where there are several.
const ENDPOINTS: usize = 20;

/// How the paths of their endpoints begin.
const TOLD: &str = "/feira/";

/// How many deposits a second are told at a pace, and for how many seconds.
const PACE: (u32, u32) = (50, 20);

fn main() {
    let numbers = std::env::args().filter_map(|argument| argument.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    let [waiting, told] = [numbers.first().unwrap_or(&100_000), numbers.get(1).unwrap_or(&5_000)];
    let mut station = Station::with(|settings| {
        let WebhookSettings { look, .. } = WebhookSettings::default();
        WebhookSettings { look, patience: Patience::default(), ..settings }
    });
    let others: Vec<String> =
        (0..ENDPOINTS).map(|number| format!("svc_live_feira{number}")).collect();
    for (number, key) in others.iter().enumerate() {
        station.open_account(&format!("feira{number}"), key);
        station.listen(key, &format!("/feira/{number}"));
    }
    measure(&mut station, "to 20 endpoints", &others, *told);
    measure(&mut station, "with nothing waiting", &others[..1], *told);
    station.listen(KEY, "/dead");
    let dead = Reply { after: Duration::from_hours(1), ..Reply::with_status(200) };
    station.receiver.always("/dead", dead);
    for number in 0..*waiting {
        deposit(&station, KEY, &format!("dead-{number}"));
    }
    measure(&mut station, &format!("beside {waiting} for a dead endpoint"), &others[..1], *told);
}

/// A deposit by somebody who has paid nothing yet.
fn deposit(station: &Station, key: &str, id: &str) {
    static PAYERS: AtomicU32 = AtomicU32::new(1);
    station.deposit_of(PAYERS.fetch_add(1, Ordering::Relaxed), key, id);
}

/// Measures what was booked while the courier was away, as after an outage, then at a pace.
fn measure(station: &mut Station, what: &str, keys: &[String], deposits: usize) {
    let before = station.receiver.count_on(TOLD);
    station.end();
    for (number, key) in (0..deposits).zip(keys.iter().cycle()) {
        deposit(station, key, &format!("{what}-{number}"));
    }
    let began = Instant::now();
    station.begin();
    let events = 2 * deposits;
    while station.receiver.count_on(TOLD) < before + events {
        std::thread::sleep(Duration::from_millis(5));
    }
    let rate = events as f64 / began.elapsed().as_secs_f64();
    println!("{what}: {rate:.0} deliveries a second");
    let before = before + events;
    let mut booked = Vec::new();
    for (number, key) in (0..PACE.0 * PACE.1).zip(keys.iter().cycle()) {
        deposit(station, key, &format!("{what}-paced-{number}"));
        booked.push(Instant::now());
        std::thread::sleep(Duration::from_secs(1) / PACE.0);
    }
    while station.receiver.count_on(TOLD) < before + 2 * booked.len() {
        std::thread::sleep(Duration::from_millis(50));
    }
    // The first event of each deposit, in the order in which they came: a lower bound of how early
    // each could be told is the order in which they were booked.
    let mut seen = station.receiver.seen();
    seen.retain(|seen| seen.path.starts_with(TOLD));
    let paid = seen[before..].iter().filter(|seen| seen.topic() == "cashin.paid");
    let mut late: Vec<Duration> = paid
        .zip(&booked)
        .map(|(seen, booked)| seen.at.saturating_duration_since(*booked))
        .collect();
    late.sort_unstable();
    let of = |percent: usize| late[(late.len() - 1) * percent / 100];
    println!("{what}: told after {:?} in the median, {:?} at the 99th", of(50), of(99));
}
