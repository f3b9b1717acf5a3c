//! The program as it was built: run, killed and audited from outside.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use ledger_store::Head;
use serde_json::Value;

use super::running::Running;

/// The path of the program that cargo built.
const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// All runs have the same tokens, so that their heads can be compared.
pub const VAULT_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Answers by the number of their line.
pub type Answers = BTreeMap<usize, Value>;

/// A run of `file` against `store`, not yet started.
pub fn run(file: &Path, store: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("run").arg(file).args(arguments(store));
    command
}

/// The same under the name of `file`, of lines that are yet to be given ([`Running::start`]).
pub fn typed(file: &Path, store: &str) -> Command {
    naming(Command::new(PROGRAM), file, store)
}

/// The same, in a shell that has done `first`.
pub fn typed_after(first: &str, file: &Path, store: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{first}; exec \"$@\""), "sh", PROGRAM]);
    naming(command, file, store)
}

fn naming(mut command: Command, file: &Path, store: &str) -> Command {
    command.args(["run", "-", "--source"]).arg(file.file_name().unwrap()).args(arguments(store));
    command
}

fn arguments(store: &str) -> [&str; 4] {
    ["--store", store, "--vault-key", VAULT_KEY]
}

/// What a program said, and how it ended.
pub struct ProgramOutput {
    pub out: String,
    pub err: String,
    /// None when a signal ended it.
    pub code: Option<i32>,
}

impl ProgramOutput {
    pub fn from_output(output: Output) -> Self {
        let [out, err] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        Self { out, err, code: output.status.code() }
    }

    /// Returns what a run ends with on standard error: the table of balances and the heads.
    pub fn ending(&self) -> Vec<&str> {
        // Where it begins, and with which line of its own it is first refused, differs.
        let counted =
            |line: &&str| !line.contains("recorded") && !line.starts_with("the first line refused");
        self.err.lines().filter(counted).collect()
    }

    /// A stop that says why, with the words of someone who knows: no success, no panic, no silence.
    pub fn assert_clear_stop(&self) {
        assert_eq!(self.code, Some(1), "{}", self.err);
        let said = self.err.lines().any(|line| line.starts_with("custody-ledger: "));
        assert!(said, "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
    }
}

/// Returns what the program said, to its end.
pub fn said(mut command: Command) -> ProgramOutput {
    ProgramOutput::from_output(command.output().unwrap())
}

/// Returns what a run said, to its end, whose lines came in step with its answers.
pub fn said_in_step(command: Command, file: &Path) -> ProgramOutput {
    ProgramOutput::from_output(Running::start(command, Some(file)).finish())
}

/// The same as [`said`], of a program that succeeded.
pub fn finished(command: Command) -> ProgramOutput {
    let asked = format!("{command:?}");
    let said = said(command);
    assert_eq!(said.code, Some(0), "{asked}: {}", said.err);
    said
}

/// The answers on standard output; a line cut short by a kill is none.
pub fn answers(out: &str) -> Answers {
    let whole = out.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let answer = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        (usize::try_from(value["line"].as_u64().unwrap()).unwrap(), value)
    };
    whole.map(answer).collect()
}

/// Kills a run so many answers and a moment after its start; gives what it answered, and whether it
/// still ran.
pub fn killed(running: Running, patience: usize, moment: Duration) -> (Answers, bool) {
    let out = running.next(patience);
    std::thread::sleep(moment);
    let (rest, ran) = running.kill();
    (answers(&(out + &rest)), ran)
}

/// What the audit of one ledger says, with a head that was kept if there is one.
pub fn audit(store: &str, environment: &str, kept: Option<Head>) -> ProgramOutput {
    let mut command = Command::new(PROGRAM);
    command.args(["audit", store, "--environment", environment]);
    if let Some(Head { seq, link }) = kept {
        command.args(["--head", &format!("{seq}:{link}")]);
    }
    said(command)
}
