//! Counts the instructions of twelve hot paths, and holds them against `counts.txt` beside this
//! file: a count moves with the code alone, where a time moves with the machine.
//!
//! ```text
//! CARGO_INCREMENTAL=0 cargo run -p ledger-tools --bin instructions
//! GOLDEN=write CARGO_INCREMENTAL=0 cargo run -p ledger-tools --bin instructions
//! target/debug/instructions payouts     # one path, for a profiler
//! ```
//!
//! valgrind's callgrind counts what `measured` spends; one build is counted alike within half a
//! hundredth. How the compiler cuts a crate into units moves a count by up to 14 hundredths from
//! tree to tree, so one that moves by a fifth fails, until it is written by a commit that says why.

mod paths;
#[path = "../../../../../benches/workload/mod.rs"]
mod workload;

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread;

use paths::{PATHS, Path};

/// By how many hundredths a count may move.
const TOLERANCE: u64 = 20;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    match env::args().nth(1) {
        None => gate(),
        Some(name) => {
            let path = PATHS.iter().find(|path| path.name == name);
            let path = path.ok_or_else(|| format!("there is no path {name}"))?;
            measured(&mut *(path.prepare)(path.count));
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Does the work that callgrind counts, by this name.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn gate() -> Result<ExitCode, Box<dyn Error>> {
    let file =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/bin/instructions/counts.txt"));
    let counts = counts()?;
    let mut text = String::new();
    for (name, count) in &counts {
        writeln!(text, "{name}: {count}")?;
    }
    if env::var("GOLDEN").is_ok_and(|it| it == "write") {
        fs::write(file, text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let written = fs::read_to_string(file)?;
    let written: BTreeMap<&str, u64> = written
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter_map(|(name, count)| Some((name, count.parse().ok()?)))
        .collect();
    let mut moved = 0;
    for (name, count) in counts {
        let before = *written.get(name).ok_or_else(|| format!("{name} has no count yet"))?;
        let is_moved = before.abs_diff(count) * 100 > before * TOLERANCE;
        moved += usize::from(is_moved);
        let share = count * 1_000 / before;
        let note = if is_moved { "  moved: write it, and say why" } else { "" };
        println!("{name}: {count} instructions, {before} before, {share} in 1,000{note}");
    }
    Ok(ExitCode::from(u8::from(moved > 0)))
}

/// The instructions of each path, an operation; two paths at once.
fn counts() -> Result<BTreeMap<&'static str, u64>, Box<dyn Error>> {
    let (some, others) = PATHS.split_at(PATHS.len() / 2);
    let count_all = |paths: &'static [Path]| -> Result<Vec<_>, String> {
        paths.iter().map(|path| Ok((path.name, count(path)?))).collect()
    };
    let counted = thread::scope(|scope| {
        let beside = scope.spawn(|| count_all(some));
        [count_all(others), beside.join().expect("it ends")]
    });
    let [some, others] = counted;
    Ok(some?.into_iter().chain(others?).collect())
}

fn count(path: &Path) -> Result<u64, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let ended = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--collect-atstart=no", "--toggle-collect=*measured*"])
        .arg(program)
        .arg(path.name)
        .output()
        .map_err(|error| format!("valgrind: {error}: install it"))?;
    let said = String::from_utf8_lossy(&ended.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let spent = collected.and_then(|(_, count)| count.trim().parse::<u64>().ok());
    match spent.filter(|spent| ended.status.success() && *spent > 0) {
        Some(spent) => Ok(spent / path.count),
        None => Err(format!("{}: {said}", path.name)),
    }
}
