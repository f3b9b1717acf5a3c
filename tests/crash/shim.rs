//! A disk that fails on command: `shim.c`, built once, put under the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The source of it; what it heeds is written at its head.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crash/shim.c");

/// Without a C compiler there is no program either: SQLite is compiled with it.
const MISSING: &str = "the tests need the C compiler `cc`, as building the program does";

/// Which calls on the store's files fail, and how.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// `write` or `sync`.
    pub call: &'static str,
    /// The first that fails, and the last; from 1.
    pub from: usize,
    pub to: usize,
    /// The system's number for why (errno).
    pub errno: i32,
    /// Tells whether a write that fails has written half.
    pub torn: bool,
}

/// What the system says when a device fails.
pub const EIO: i32 = 5;

/// What the system says when a disk is full.
pub const ENOSPC: i32 = 28;

impl Fault {
    /// No call fails; they are only counted.
    pub fn none(call: &'static str) -> Self {
        Self { call, from: 0, to: 0, errno: EIO, torn: false }
    }

    /// The call of this number fails, and none after it.
    pub fn once(call: &'static str, number: usize) -> Self {
        Self { call, from: number, to: number, errno: EIO, torn: false }
    }

    /// From this call on the disk is gone.
    pub fn ever_after(call: &'static str, number: usize) -> Self {
        Self { to: usize::MAX >> 1, ..Self::once(call, number) }
    }
}

/// Puts the shim under `command`, for files whose path contains `store`.
pub fn under(command: &mut Command, store: &str, fault: Fault, report: &Path) {
    command
        .env("LD_PRELOAD", library())
        .env("SHIM_NAME", store)
        .env("SHIM_CALL", fault.call)
        .env("SHIM_FROM", fault.from.to_string())
        .env("SHIM_TO", fault.to.to_string())
        .env("SHIM_ERRNO", fault.errno.to_string())
        .env("SHIM_REPORT", report);
    if fault.torn {
        command.env("SHIM_TORN", "yes");
    }
}

/// What the shim reports.
pub struct Report {
    /// The files on which a call failed, in order.
    pub failed: Vec<PathBuf>,
    /// How many calls were counted.
    pub counted: usize,
}

/// Reads what the shim reports, once the program has ended.
pub fn read_report(path: &Path) -> Report {
    let text = fs::read_to_string(path).expect("the shim was under the program");
    let mut report = Report { failed: Vec::new(), counted: 0 };
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match words[..] {
            ["failed", _, _, file] => report.failed.push(file.into()),
            ["counted", count] => report.counted = count.parse().unwrap(),
            _ => panic!("the shim says {line}"),
        }
    }
    report
}

/// The shim, built by the first who asks.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let library = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("shim-{}.so", std::process::id()));
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .args([library.as_os_str(), SOURCE.as_ref(), "-ldl".as_ref()])
            .output()
            .expect(MISSING);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        library
    })
}
