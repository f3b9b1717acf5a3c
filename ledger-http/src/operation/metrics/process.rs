//! The process by figures: which build it is, and what it takes of the machine.

use std::fs;

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::family::{Labels, Sums};

/// Ticks in a second, as Linux counts a process's time on all machines that it runs on.
const TICKS: f64 = 100.0;

/// Adds what this build is, under the ledger's prefix.
pub(super) fn build(registry: &mut Registry) {
    let version = ("version", env!("CARGO_PKG_VERSION"));
    registry.register("build", "Which version is running", Info::new(vec![version]));
}

/// Measures the process under the names that every exporter gives; leaves out what the system does
/// not say.
pub(super) fn registry() -> Registry {
    let mut registry = Registry::with_prefix("process");
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // What follows the name, which may hold anything.
    let fields: Vec<&str> =
        stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|text| text.parse::<f64>().ok());
    let whole = |at: usize| fields.get(at).and_then(|text| text.parse::<i64>().ok());
    if let (Some(user), Some(system)) = (number(11), number(12)) {
        let cpu = Sums::default();
        cpu.get_or_create(&Labels::new()).inc_by((user + system) / TICKS);
        let help = "Time on processors";
        registry.register_with_unit("cpu", help, Unit::Seconds, cpu);
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(kibibytes) = number_after(&status, "VmRSS:") {
        let memory: Gauge = Gauge::default();
        memory.set(kibibytes * 1_024);
        let help = "Memory that is resident";
        registry.register_with_unit("resident_memory", help, Unit::Bytes, memory);
    }
    if let Some(number) = whole(17) {
        let threads: Gauge = Gauge::default();
        threads.set(number);
        registry.register("threads", "Threads", threads);
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        let open: Gauge = Gauge::default();
        open.set(i64::try_from(files.count()).unwrap_or(i64::MAX));
        registry.register("open_fds", "Files that are open", open);
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    if let Some(most) = number_after(&limits, "Max open files") {
        let files: Gauge = Gauge::default();
        files.set(most);
        registry.register("max_fds", "Files that may be open", files);
    }
    registry
}

/// The number that follows a label at the beginning of a line.
fn number_after(text: &str, label: &str) -> Option<i64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(label))?;
    rest.split_whitespace().next()?.parse().ok()
}
