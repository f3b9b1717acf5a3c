//! This process: what its command line says, what it has in memory, and the size of its files.
#![allow(dead_code)] // Each bench uses its part of it.

use std::fs;
use std::path::Path;

/// Returns what follows `option` on the command line.
pub fn text(option: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != option).nth(1)
}

/// The number after `option`.
pub fn number_after(option: &str, otherwise: u64) -> u64 {
    text(option).map_or(otherwise, |it| it.parse().expect("a number follows the option"))
}

/// Bytes of this process in memory, as Linux counts them: `VmRSS:` now, `VmHWM:` at most.
pub fn memory(count: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("a Linux process has a status");
    let line = status.lines().find_map(|line| line.strip_prefix(count));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    kilobytes.map(|kilobytes: u64| kilobytes << 10).expect("the status says how much it is")
}

/// The bytes of a file.
pub fn size(path: &Path) -> u64 {
    fs::metadata(path).expect("the file is there").len()
}
