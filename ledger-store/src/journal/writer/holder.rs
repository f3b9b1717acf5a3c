//! The writer that holds a ledger, as others are told of it.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use ledger_core::time::Instant;
use serde::{Deserialize, Serialize};

/// The writer that took a ledger over last: its process, its host, and since when.
///
/// It stands beside the ledger, so whoever is refused is told who holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    process: u32,
    host: String,
    /// Microseconds since 1970, by the clock of its machine.
    since: i64,
    /// The machine since its last start, with the namespace that its processes are numbered in;
    /// empty where the system does not say.
    place: String,
    /// When the process began, in ticks since the machine did: numbers of processes come again.
    /// 0 where the system did not say.
    began: u64,
    /// Which of the writers of the process.
    writer: u64,
    /// Tells whether it holds a lock that its death releases.
    pub(in crate::journal) locked: bool,
}

impl Holder {
    /// A writer of this process, one of its own with each call, that takes a ledger over now.
    pub(in crate::journal) fn of_this_process() -> Self {
        static WRITERS: AtomicU64 = AtomicU64::new(1);
        let process = std::process::id();
        Self {
            process,
            host: host(),
            since: now(),
            place: place(),
            began: began(process).unwrap_or_default(),
            writer: WRITERS.fetch_add(1, Ordering::Relaxed),
            locked: false,
        }
    }

    /// The same writer, which takes the ledger over now and has a lock of it, or has none.
    pub(in crate::journal) fn taking_over(&self, locked: bool) -> Self {
        Self { since: now(), locked, ..self.clone() }
    }

    /// The number of its process.
    #[must_use]
    pub const fn process(&self) -> u32 {
        self.process
    }

    /// The host that its process runs on.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// When it took the ledger over, by the clock of its host.
    #[must_use]
    pub fn since(&self) -> Instant {
        Instant::from_micros(self.since).unwrap_or_default()
    }

    /// Tells whether this is the same writer of the same process.
    pub(in crate::journal) fn is(&self, other: &Self) -> bool {
        let of = |it: &Self| (it.process, it.began, it.writer);
        self.place == other.place && self.host == other.host && of(self) == of(other)
    }

    /// Tells whether its process has ended, as far as this machine knows: that of another machine
    /// may live.
    pub(in crate::journal) fn has_died(&self) -> bool {
        let is_known = !self.place.is_empty() && self.began > 0;
        is_known && self.place == place() && began(self.process) != Some(self.began)
    }

    /// As it is kept beside the ledger.
    #[cfg(any(feature = "_sql", feature = "object"))]
    pub(in crate::journal) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("texts and numbers are written to memory")
    }

    /// Reads what is kept; nothing where another version has written it in another way.
    #[cfg(any(feature = "_sql", feature = "object"))]
    pub(in crate::journal) fn from_text(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// For a sentence: `process 4711 on host db-1 since 2026-11-28T12:00:00Z`.
impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on host {} since {}", self.process, self.host, self.since())
    }
}

/// The holder in a sentence, known or not.
pub(crate) fn describe_holder(holder: Option<&Holder>) -> String {
    holder.map_or_else(|| "a process that is not named".to_owned(), Holder::to_string)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Whole seconds are enough for a person.
    i64::try_from(since.as_secs()).unwrap_or_default().saturating_mul(1_000_000)
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    let name: String = name.trim().chars().filter(char::is_ascii_graphic).take(255).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// The machine and the namespace of its processes; empty where the system does not say, or where
/// `/proc` is of another namespace, which numbers other processes.
fn place() -> String {
    let own = std::process::id().to_string();
    if fs::read_link("/proc/self").ok().as_deref() != Some(Path::new(&own)) {
        return String::new();
    }
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id");
    let numbered = fs::read_link("/proc/self/ns/pid");
    match (boot, numbered) {
        (Ok(boot), Ok(numbered)) => format!("{} {}", boot.trim(), numbered.display()),
        _ => String::new(),
    }
}

/// When a process of this machine began, in ticks since the machine did; nothing where it has
/// ended.
fn began(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it, in parentheses, may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    // One that has ended and that nobody has asked about yet.
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_process_has_died_once_it_is_killed_although_nobody_has_waited_for_it() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let mut holder = Holder::of_this_process();
        assert!(!holder.has_died(), "this one lives");
        (holder.process, holder.began) = (child.id(), began(child.id()).unwrap());
        assert!(!holder.has_died());
        child.kill().unwrap();
        let patience = std::time::Instant::now();
        while !holder.has_died() {
            assert!(patience.elapsed().as_secs() < 20, "it is a zombie, and dead");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.wait().unwrap();
        assert!(holder.has_died());
    }

    #[test]
    fn a_process_that_has_the_number_of_another_is_not_that_one() {
        let mut holder = Holder::of_this_process();
        holder.began += 1;
        assert!(holder.has_died());
        // Nobody has said when this one began.
        holder.began = 0;
        assert!(!holder.has_died());
        holder.began = 1;
        assert!(holder.has_died());
        // Nobody knows what becomes of processes elsewhere.
        holder.place = "another machine".to_owned();
        assert!(!holder.has_died());
    }
}
