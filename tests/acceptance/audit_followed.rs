//! `audit --follow`: a ledger that another process writes, audited as it grows.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::program::{PROGRAM, done};
use crate::witnessed::target;
use crate::{server, shell};

const DAY: &str = include_str!("../../examples/custody-day.jsonl");

/// A run that is fed line by line.
struct Feeding {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Feeding {
    fn start(store: &str) -> Self {
        let mut run = Command::new(PROGRAM);
        run.args(["run", "-", "--store", store]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = run.stderr(Stdio::null()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers }
    }

    /// Gives a line, and waits for its answer.
    fn feed(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        assert!(self.answers.read_line(&mut answer).unwrap() > 0, "{line}");
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// An audit that follows, and the lines that it prints.
struct Following {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Following {
    fn start(store: &str) -> Self {
        let mut audit = Command::new(PROGRAM);
        audit.args(["audit", store, "--follow", "--every", "1"]);
        let mut child = audit.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Waits for a line of the live ledger that says so.
    fn until(&mut self, says: impl Fn(&str) -> bool) -> String {
        self.lines.by_ref().map(Result::unwrap).find(|line| says(line)).expect("it says so")
    }

    fn signal(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// Its exit code, what else it printed, and what it said on standard error.
    fn ended(self) -> (Option<i32>, String, String) {
        let Self { child, lines } = self;
        let rest: Vec<String> = lines.map(Result::unwrap).collect();
        let done = child.wait_with_output().unwrap();
        (done.status.code(), rest.join("\n"), String::from_utf8(done.stderr).unwrap())
    }
}

#[test]
fn a_run_in_progress_is_followed_to_its_end_and_a_changed_table_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ledger.db").display().to_string();
    for store in [file, server::database()] {
        let lines: Vec<&str> = DAY.lines().collect();
        let mut run = Feeding::start(&store);
        lines[..10].iter().for_each(|line| run.feed(line));
        let mut audit = Following::start(&store);
        let first = audit.until(|line| line.starts_with("live: record "));
        assert!(first.contains(" new, verified; "), "{first}");
        lines[10..].iter().for_each(|line| run.feed(line));
        let last = audit.until(|line| line.starts_with("live: record 64, "));
        assert!(last.contains("; link "), "{last}");
        run.end();
        audit.signal();
        let (code, rest, err) = audit.ended();
        assert_eq!((code, &*err), (Some(0), ""), "{rest}");
        assert!(rest.contains("Ledger live: verified\n  head           record 64 link "), "{rest}");
        assert!(rest.contains("Ledger sandbox: verified"), "{rest}");

        done(&["project", &store]);
        let mut audit = Following::start(&store);
        let line = audit.until(|line| line.starts_with("live: record 64, "));
        assert!(line.contains(" rows of tables, equal at record 64"), "{line}");
        let sql = "UPDATE balances SET balance_cents = balance_cents + 1 WHERE ledger = 'live'";
        shell::execute(&target(&store), sql);
        let (code, _, err) = audit.ended();
        assert_eq!(code, Some(1), "{err}");
        assert!(
            err.contains("balance_cents") && err.contains("Ledger live: NOT verified"),
            "{err}"
        );
    }
}
