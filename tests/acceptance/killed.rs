//! A file of two thousand lines, which a run may be killed over, and what one that is run again
//! refuses (rulings 5); `tests/crash/killed.rs` kills.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

use crate::running::Running;

/// The path of the program that cargo built.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// Both runs have the same tokens, so that their heads can be compared.
const VAULT_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

const CPF: &str = "52998224725";

/// How many lines the file has.
const LINES: usize = 2_000;

/// Refused in every state of the ledger, so that a run afresh refuses them too.
const ALWAYS_REFUSED: [&str; 3] = [
    r#""request":"POST /payouts","body":{"amount_cents":20000000,"customer_ref":"c-0","tax_number":"52998224725","pix_key":"52998224725","external_id":"too-much"}"#,
    r#""request":"POST /saldo/transferir","body":{"from_customer_ref":"c-1","to_customer_ref":"c-1","amount_cents":1}"#,
    r#""request":"POST /cashin/charge","body":{"amount_cents":0,"destino":"saldo","payer_tax_number":"52998224725"}"#,
];

/// Numbers that look random and never change (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) >> 1).unwrap() % bound
    }
}

/// A folder of its own, gone with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("killed-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A file of this name; in a folder below, so that files of one name can differ.
    pub fn file(&self, below: &str, name: &str, text: &str) -> PathBuf {
        let folder = self.0.join(below);
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    }
}

impl Folder {
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every seventh line is of the sandbox's account.
fn key_of(line: usize) -> &'static str {
    if line.is_multiple_of(7) { "svc_test_loja" } else { "svc_live_loja" }
}

/// The lines being written, and which of their labels wait for news.
#[derive(Default)]
struct Author {
    text: String,
    lines: usize,
    charges: Vec<usize>,
    payouts: Vec<usize>,
}

impl Author {
    fn line(&mut self, rest: &str) {
        self.lines += 1;
        // Three lines a second; the last part of the file is another day.
        let day = if self.lines > LINES * 3 / 4 { 21 } else { 20 };
        let (minute, second) = (self.lines / 180, self.lines / 3 % 60);
        let at = format!("2026-11-{day}T12:{minute:02}:{second:02}Z");
        writeln!(self.text, r#"{{"at":"{at}",{rest}}}"#).unwrap();
    }

    fn key(&self) -> &'static str {
        key_of(self.lines + 1)
    }

    fn charge(&mut self, customer: usize, cents: usize) -> usize {
        let (number, key) = (self.lines + 1, self.key());
        self.line(&format!(
            r#""key":"{key}","request":"POST /cashin/charge","as":"p{number}","body":{{"amount_cents":{cents},"destino":"saldo","customer_ref":"c-{customer}","payer_tax_number":"{CPF}","external_id":"x-{number}"}}"#
        ));
        number
    }

    fn received(&mut self, charge: usize, cents: usize) {
        self.line(&format!(
            r#""fact":"pix.received","body":{{"cashin_id":"$p{charge}.cashin_id","e2e":"E90400888202611201200{charge:011}","amount_cents":{cents}}}"#
        ));
    }

    fn transfer(&mut self, dice: &mut Dice) {
        let (number, key, from) = (self.lines + 1, self.key(), dice.below(5));
        let (to, cents) = ((from + 1 + dice.below(4)) % 5, 1 + dice.below(4));
        self.line(&format!(
            r#""key":"{key}","request":"POST /saldo/transferir","body":{{"from_customer_ref":"c-{from}","to_customer_ref":"c-{to}","amount_cents":{cents},"external_id":"x-{number}"}}"#
        ));
    }

    fn payout(&mut self, dice: &mut Dice) {
        let (number, key, customer) = (self.lines + 1, self.key(), dice.below(5));
        let cents = 1 + dice.below(10);
        self.line(&format!(
            r#""key":"{key}","request":"POST /payouts","as":"o{number}","body":{{"amount_cents":{cents},"customer_ref":"c-{customer}","tax_number":"{CPF}","pix_key":"{CPF}","external_id":"x-{number}"}}"#
        ));
        self.payouts.push(number);
    }

    fn report(&mut self, dice: &mut Dice) {
        if dice.below(2) == 0 && !self.payouts.is_empty() {
            let payout = self.payouts.swap_remove(dice.below(self.payouts.len()));
            return self.line(&format!(
                r#""fact":"payout.paid","body":{{"payout_id":"$o{payout}.payout_id","e2e":"E90400888202611201201{payout:011}"}}"#
            ));
        }
        if self.charges.is_empty() {
            return self.transfer(dice);
        }
        let charge = self.charges.swap_remove(dice.below(self.charges.len()));
        // Now and then not what was asked for: it goes to suspense.
        self.received(charge, 5_000 + dice.below(20) / 19);
    }
}

/// The file: deposits that fund everybody, then a mixture; its second half is about what the first
/// half created, by label. Gives it with the number of its refused lines.
pub fn day() -> (String, usize) {
    let mut dice = Dice(3);
    let mut author = Author::default();
    let mut refused = 0;
    for (environment, key) in [("live", "svc_live_loja"), ("sandbox", "svc_test_loja")] {
        author.line(&format!(
            r#""fact":"account.opened","environment":"{environment}","body":{{"id":"acc","account":"{environment}","terms":{{"liberacao":"imediata","carencia_horas":0}}}},"supplied":{{"key":"{key}"}}"#
        ));
        // One document pays everything: it stands on no ladder.
        author.line(&format!(
            r#""fact":"policy.adopted","environment":"{environment}","body":{{"id":"pol","payer_ladder":false}}"#
        ));
    }
    // Both accounts fund every customer: of seven charges in a row one is the sandbox's.
    for round in 0..35 {
        let charge = author.charge(round / 7, 5_900);
        author.received(charge, 5_900);
    }
    while author.lines < LINES {
        match dice.below(20) {
            0..4 if author.lines < LINES / 2 => {
                let charge = author.charge(dice.below(5), 5_000);
                author.charges.push(charge);
            }
            0..10 => author.transfer(&mut dice),
            10..12 if author.lines < LINES / 2 => author.payout(&mut dice),
            12..17 => author.report(&mut dice),
            17 => {
                let rest = ALWAYS_REFUSED[author.lines % 3];
                let key = author.key();
                author.line(&format!(r#""key":"{key}",{rest}"#));
                refused += 1;
            }
            18 if author.lines.is_multiple_of(5) => author.line(r#""fact":"time.passed""#),
            _ => {
                let key = author.key();
                author.line(&format!(r#""key":"{key}","request":"GET /saldo/consolidado""#));
            }
        }
    }
    (author.text, refused)
}

pub fn run(file: &Path, store: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("run").arg(file).arg("--store").arg(store).args(["--vault-key", VAULT_KEY]);
    command
}

pub fn finished(mut command: Command) -> Output {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    output
}

/// The answers on standard output, by line number; a line cut short by a kill is none.
fn answers(stdout: &str) -> BTreeMap<usize, Value> {
    let whole = stdout.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let answer = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        (usize::try_from(value["line"].as_u64().unwrap()).unwrap(), value)
    };
    whole.map(answer).collect()
}

pub fn said(output: &Output) -> BTreeMap<usize, Value> {
    answers(std::str::from_utf8(&output.stdout).unwrap())
}

/// Returns what a run ends with on standard error: the table of balances and the heads.
pub fn ending(output: &Output) -> (Vec<String>, Vec<String>) {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let own = |line: &&str| line.contains("recorded") || line.starts_with("the first line refused");
    let lines = text.lines().filter(|line| !own(line)).map(str::to_owned);
    let (heads, table): (Vec<_>, Vec<_>) = lines.partition(|line| line.contains(", head "));
    assert_eq!(heads.len(), 2, "{text}");
    assert!(table.len() > 5, "{text}");
    (table, heads)
}

/// Kills a run whose lines come in step with its answers, some answers and a moment after its
/// start; gives what it said, and whether it still ran.
pub fn killed(file: &Path, store: &Path, dice: &mut Dice) -> (BTreeMap<usize, Value>, bool) {
    let mut command = run(Path::new("-"), store);
    command.arg("--source").arg(file.file_name().unwrap());
    let running = Running::start(command, Some(file));
    // One in four dies before it has said anything.
    let patience = if dice.below(4) > 0 { dice.below(160) + 1 } else { 0 };
    let text = running.next(patience);
    std::thread::sleep(Duration::from_micros(dice.below(5_000) as u64));
    let (rest, was_running) = running.kill();
    (answers(&(text + &rest)), was_running)
}

#[test]
fn a_changed_line_of_a_file_that_is_resumed_is_an_error_naming_it() {
    let folder = Folder::new("changed");
    let (text, _) = day();
    let lines: Vec<&str> = text.lines().collect();
    let store = folder.0.join("ledger.db");
    let half = lines[..300].join("\n");
    finished(run(&folder.file("half", "day.jsonl", &half), &store));

    // A transfer that was recorded, of another sum.
    let at = (101..300).find(|at| lines[*at].contains("POST /saldo/transferir")).unwrap();
    let forged = lines[at].replace(r#""amount_cents":"#, r#""amount_cents":1"#);
    assert_ne!(forged, lines[at]);
    let mut other = lines.clone();
    other[at] = &forged;
    let other = folder.file("other", "day.jsonl", &other.join("\n"));
    let output = run(&other, &store).output().unwrap();
    assert!(!output.status.success());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains(&format!("day.jsonl line {}:", at + 1)), "{errors}");
    assert!(output.stdout.is_empty(), "nothing of the changed file is run");

    finished(run(&folder.file("same", "day.jsonl", &text), &store));
}

#[test]
fn a_read_before_a_deadline_that_is_recorded_is_not_answered_anew_after_it() {
    let folder = Folder::new("deadline");
    let text = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a","account":"loja"},"supplied":{"key":"svc_live_loja"}}
{"at":"2026-11-20T12:00:01Z","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":5000,"destino":"saldo","customer_ref":"ana","payer_tax_number":"52998224725","external_id":"p-1"}}
{"at":"2026-11-20T12:01:00Z","key":"svc_live_loja","request":"GET /saldo?customer_ref=ana"}
{"at":"2026-11-20T14:00:00Z","key":"svc_live_loja","request":"GET /saldo?customer_ref=ana"}
"#;
    let file = folder.file("deadline", "lines.jsonl", text);
    let store = folder.path().join("deadline.db");
    let first = said(&finished(run(&file, &store)));
    assert_eq!(first[&3]["body"]["as_of"], "2026-11-20T12:01:00Z");
    // The charge has expired, and that is the last record.
    let again = said(&finished(run(&file, &store)));
    assert_eq!(again.keys().collect::<Vec<_>>(), [&4]);
    assert_eq!(again[&4], first[&4]);
}
