//! A run that is resumed is executed again, not guessed (rulings 61): what was refused stays
//! refused, labels stand for what they stood for, and another input is not taken for the first.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ledger_core::contract::{Line, Tokens};
use ledger_core::ledger::Origin;
use ledger_store::engine::Engine;
use ledger_store::{Journal as _, OpenMode, SqliteJournal};
use serde_json::Value;

use crate::killed::{Folder, PROGRAM, finished, run, said};

const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#;

/// A charge of ana's, labelled, of so many centavos.
fn charge(label: &str, id: &str, cents: u32) -> String {
    format!(
        r#"{{"at":"2026-11-20T12:01:00Z","as":"{label}","key":"svc_live_loja","request":"POST /cashin/charge","body":{{"amount_cents":{cents},"destino":"saldo","customer_ref":"ana","payer_tax_number":"52998224725","external_id":"{id}"}}}}"#
    )
}

/// The PIX that pays a charge, by what a label offers.
fn paid(charge: &str, number: u32) -> String {
    format!(
        r#"{{"at":"2026-11-20T12:02:00Z","fact":"pix.received","body":{{"cashin_id":"{charge}","e2e":"E904008882026112012001{number:010}","amount_cents":5000}}}}"#
    )
}

fn read(label: &str, target: &str) -> String {
    format!(
        r#"{{"at":"2026-11-20T12:03:00Z","as":"{label}","key":"svc_live_loja","request":"GET {target}"}}"#
    )
}

/// A folder with a store, and files of lines that are all called `lines.jsonl`.
struct RunFolder {
    folder: Folder,
    files: u32,
}

impl RunFolder {
    fn new(name: &str) -> Self {
        Self { folder: Folder::new(&format!("resumed-{name}")), files: 0 }
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("ledger.db")
    }

    fn file(&mut self, name: &str, lines: &[String]) -> PathBuf {
        self.files += 1;
        self.folder.file(&self.files.to_string(), name, &(lines.join("\n") + "\n"))
    }

    fn output(&mut self, name: &str, lines: &[String], more: &[&str]) -> Output {
        let file = self.file(name, lines);
        run(&file, &self.store()).args(more).output().unwrap()
    }

    /// Runs lines of a file of one name to their end; gives the answers and where the ledger ends.
    fn run(&mut self, lines: &[String], more: &[&str]) -> (Vec<Value>, String) {
        self.run_as("lines.jsonl", lines, more)
    }

    fn run_as(&mut self, name: &str, lines: &[String], more: &[&str]) -> (Vec<Value>, String) {
        let file = self.file(name, lines);
        let mut command = run(&file, &self.store());
        command.args(more);
        let output = finished(command);
        let answers = said(&output).into_values().collect();
        (answers, head(&output))
    }

    /// Runs lines that must not be run; gives what it says. The ledger stays where it was.
    fn refused(&mut self, lines: &[String], more: &[&str]) -> String {
        let (_, before) = self.run_as("nothing.jsonl", &[], &[]);
        let output = self.output("lines.jsonl", lines, more);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(self.run_as("nothing.jsonl", &[], &[]).1, before, "nothing was executed");
        String::from_utf8(output.stderr).unwrap()
    }
}

/// Where the live ledger ends.
fn head(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let head = text.lines().find(|line| line.starts_with("live: ") && line.contains(", head "));
    head.unwrap_or_default().to_owned()
}

fn piped(store: &Path, lines: &[String], more: &[&str]) -> Output {
    let mut command = run(Path::new("-"), store);
    command.args(more).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_line_that_was_refused_is_not_executed_by_the_next_run() {
    let mut place = RunFolder::new("refused");
    // The first charge asks too little; the second, of the same id, is made; the PIX named the
    // first.
    let lines = [
        OPEN.to_owned(),
        charge("little", "one", 1),
        charge("enough", "one", 5_000),
        paid("$little.cashin_id", 1),
    ];
    let (first, end) = place.run(&lines, &[]);
    assert_eq!((&first[1]["status"], &first[3]["status"]), (&400.into(), &400.into()));
    for _ in 0..2 {
        let (again, head) = place.run(&lines, &[]);
        assert_eq!(head, end);
        assert!(again.iter().all(|answer| first.contains(answer)), "{again:?}");
    }
}

#[test]
fn a_label_that_a_read_bound_stands_for_the_same_in_a_run_that_is_resumed() {
    let lines = [
        OPEN.to_owned(),
        charge("c", "one", 5_000),
        read("r", "/cashin/$c.cashin_id/status"),
        charge("d", "two", 5_000),
        paid("$r.cashin_id", 1),
        paid("$d.cashin_id", 2),
    ];
    let (undisturbed, end) = RunFolder::new("read-whole").run(&lines, &[]);
    for cut in 1..lines.len() {
        let mut place = RunFolder::new(&format!("read-{cut}"));
        place.run(&lines[..cut], &[]);
        let (rest, head) = place.run(&lines, &[]);
        assert_eq!(head, end, "cut after {cut}");
        assert!(rest.iter().all(|answer| undisturbed.contains(answer)), "{rest:?}");
    }
}

#[test]
fn another_input_of_the_same_name_is_not_taken_for_the_first() {
    let mut place = RunFolder::new("another");
    place.run(&[OPEN.to_owned(), charge("c", "one", 5_000)], &[]);
    let other = [OPEN.to_owned(), charge("c", "two", 7_000), paid("$c.cashin_id", 1)];
    let error = place.refused(&other, &[]);
    assert!(error.contains("lines.jsonl line 2: "), "{error}");
    assert!(error.contains("--again") && error.contains("--source NAME"), "{error}");

    // The line that was changed records nothing; the next one that does tells.
    let changed = [OPEN.to_owned(), read("r", "/saldo"), charge("c", "one", 5_000)];
    let mut place = RunFolder::new("another-read");
    place.run(&changed, &[]);
    let changed = [OPEN.to_owned(), read("r", "/saldo?x=1"), charge("c", "one", 5_000)];
    let error = place.refused(&changed, &[]);
    assert!(error.contains("lines.jsonl line 3: ") && error.contains("after line 1"), "{error}");

    // A name of its own makes it an input of its own.
    let (answers, _) = place.run(&[charge("c", "three", 5_000)], &["--source", "third"]);
    assert_eq!((answers.len(), &answers[0]["status"]), (1, &200.into()));
}

#[test]
fn an_input_that_ends_before_the_recorded_one_is_an_error() {
    let mut place = RunFolder::new("shorter");
    let lines = [OPEN.to_owned(), charge("c", "one", 5_000), charge("d", "two", 5_000)];
    place.run(&lines, &[]);
    let error = place.refused(&lines[..2], &[]);
    assert!(error.contains("ends with line 2") && error.contains("line 3"), "{error}");
    // A longer one goes on.
    let longer = [&lines[..], &[paid("$d.cashin_id", 1)]].concat();
    let (answers, _) = place.run(&longer, &[]);
    assert_eq!((answers.len(), &answers[0]["line"]), (1, &4.into()));
}

#[test]
fn standard_input_without_a_name_is_never_resumed_and_with_one_it_is() {
    let place = RunFolder::new("stdin");
    let first = [OPEN.to_owned(), charge("c", "one", 5_000)];
    let second = [charge("d", "two", 5_000), paid("$d.cashin_id", 1)];
    let answered = |output: &Output| -> Vec<u64> {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        said(output).values().map(|answer| answer["status"].as_u64().unwrap()).collect()
    };
    assert_eq!(answered(&piped(&place.store(), &first, &[])), [200, 200]);
    assert_eq!(
        answered(&piped(&place.store(), &second, &[])),
        [200, 200],
        "its lines are executed"
    );

    let named = ["--source", "till-7"];
    let third = [charge("e", "three", 5_000), paid("$e.cashin_id", 2)];
    assert_eq!(answered(&piped(&place.store(), &third[..1], &named)), [200]);
    let whole = piped(&place.store(), &third, &named);
    assert_eq!(said(&whole).into_keys().collect::<Vec<_>>(), [2], "the first line is recorded");
    let again = piped(&place.store(), &third, &named);
    assert_eq!(head(&again), head(&whole));
    let other = piped(&place.store(), &first, &named);
    assert_eq!(other.status.code(), Some(1), "another input under this name");
}

#[test]
fn answers_from_a_line_on_gives_what_was_given_before() {
    let mut place = RunFolder::new("answers");
    let lines = [
        OPEN.to_owned(),
        charge("c", "one", 5_000),
        read("r", "/cashin/$c.cashin_id/status"),
        paid("$r.cashin_id", 1),
        charge("d", "two", 1),
        "not JSON".to_owned(),
        read("s", "/saldo?customer_ref=ana"),
    ];
    let (first, end) = place.run(&lines, &[]);
    assert_eq!(first.len(), lines.len());
    for from in 1..=lines.len() {
        let (given, head) = place.run(&lines, &["--answers-from", &from.to_string()]);
        assert_eq!(given, first[from - 1..]);
        assert_eq!(head, end);
    }
}

#[test]
fn events_that_are_missing_in_their_file_are_added_by_a_run_that_is_resumed() {
    let lines = [
        OPEN.to_owned(),
        charge("c", "one", 5_000),
        paid("$c.cashin_id", 1),
        charge("d", "two", 5_000),
        paid("$d.cashin_id", 2),
    ];
    let mut place = RunFolder::new("events");
    let events = place.folder.path().join("events.jsonl");
    let more = ["--events", events.to_str().unwrap()];
    place.run(&lines, &more);
    let whole = fs::read_to_string(&events).unwrap();
    assert!(whole.lines().count() > 1, "{whole}");
    place.run(&lines, &more);
    assert_eq!(fs::read_to_string(&events).unwrap(), whole, "nothing is sent twice");
    // Cut anywhere, as a kill may.
    for length in 0..whole.len() {
        fs::write(&events, &whole[..length]).unwrap();
        if length % 97 == 0 {
            place.run(&lines, &more);
            assert_eq!(fs::read_to_string(&events).unwrap(), whole, "cut at {length}");
        }
    }
}

#[test]
fn lines_added_to_a_file_after_others_wrote_are_executed_on_what_they_wrote() {
    let mut place = RunFolder::new("others");
    let mut lines = vec![OPEN.to_owned(), charge("c", "one", 5_000)];
    place.run(&lines, &[]);
    place.run_as("other.jsonl", &[charge("o", "two", 5_000), paid("$o.cashin_id", 1)], &[]);
    lines.push(paid("$c.cashin_id", 2));
    lines.push(read("s", "/saldo?customer_ref=ana"));
    let (answers, end) = place.run(&lines, &[]);
    assert_eq!(answers[0]["body"]["outcome"], "applied");
    assert_eq!(answers[1]["body"]["bloqueado_cents"].as_i64(), Some(9_800), "both deposits");
    place.run_as("other.jsonl", &[charge("o", "two", 5_000), paid("$o.cashin_id", 1)], &[]);
    assert_eq!(place.run(&lines, &[]).1, end, "and nothing is executed twice");
}

#[test]
fn a_line_that_nobody_can_say_was_refused_before_others_wrote_is_an_error() {
    let mut place = RunFolder::new("ambiguous");
    let transfer = r#"{"at":"2026-11-20T12:04:00Z","key":"svc_live_loja","request":"POST /saldo/transferir","body":{"from_customer_ref":"ana","to_customer_ref":"bia","amount_cents":100,"external_id":"t"}}"#;
    let open = OPEN
        .replace(r#""loja"}"#, r#""loja","terms":{"liberacao":"imediata","carencia_horas":0}}"#);
    let lines = [open, charge("c", "one", 5_000), transfer.to_owned()];
    let (answers, _) = place.run(&lines, &[]);
    assert_ne!(answers[2]["status"], 200, "ana has nothing yet");
    place.run_as("charge.jsonl", &[charge("o", "three", 5_000)], &[]);
    let (again, _) = place.run(&lines, &[]);
    assert_eq!(again, answers[2..], "refused before others wrote, and after");
    place.run_as("other.jsonl", &[charge("o", "two", 5_000), paid("$o.cashin_id", 1)], &[]);
    let error = place.refused(&lines, &[]);
    assert!(error.contains("lines.jsonl line 3: "), "{error}");
}

#[test]
fn a_run_that_an_earlier_version_recorded_is_resumed() {
    let place = RunFolder::new("earlier");
    let lines = [
        OPEN.to_owned(),
        charge("c", "one", 5_000).replace("}}", r#"},"supplied":{"qr_copypaste":"code"}}"#),
        read("r", "/saldo"),
        charge("d", "two", 5_000).replace("}}", r#"},"supplied":{"qr_copypaste":"code"}}"#),
    ];
    // That version named the hash of each line alone.
    let mode = OpenMode::Create { vault_key: Some(KEY), algorithm: None, designation: None };
    let journal = SqliteJournal::open(place.store(), "live", mode).unwrap();
    let engine = Engine::builder("live").start(Box::new(journal)).unwrap();
    for (number, text) in (1..).zip(&lines[..3]) {
        let hash = Tokens::new(KEY).line(text);
        let origin = Origin::Line { source: "lines.jsonl".into(), pass: 0, number, hash };
        let line = Line::parse(text, |_| unreachable!()).unwrap();
        assert_eq!(engine.call(line.call(origin)).wait().unwrap().status, 200);
    }
    engine.stop().unwrap();
    let mut place = place;
    let (answers, end) = place.run(&lines, &[]);
    assert_eq!(answers.iter().map(|answer| &answer["line"]).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(place.run(&lines, &[]).1, end);
}

/// The key that runs of these tests are given.
const KEY: [u8; 32] = [
    0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff,
    0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff,
];

#[test]
fn a_run_under_other_options_than_the_recorded_one_is_an_error() {
    let mut place = RunFolder::new("options");
    place.run(&[OPEN.to_owned(), charge("c", "one", 5_000)], &[]);
    let error = place.refused(&[OPEN.to_owned(), charge("c", "one", 5_000)], &["--strict"]);
    assert!(error.contains("lines.jsonl line 2: ") && error.contains("options"), "{error}");
}

/// Starts a run that waits for more lines.
fn waiting(place: &RunFolder, lines: &[String], more: &[&str]) -> std::process::Child {
    use std::io::{BufRead as _, BufReader};
    let mut command = run(Path::new("-"), &place.store());
    command.args(more).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text = lines.join("\n") + "\n";
    child.stdin.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    // The answers come although more lines may.
    let mut out = BufReader::new(child.stdout.as_mut().unwrap());
    for _ in lines {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert!(line.contains(r#""status":200"#), "{line}");
    }
    child
}

#[test]
fn a_signal_ends_a_run_that_says_where_it_stands_and_goes_on_later() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let place = RunFolder::new(&format!("signal-{signal}"));
        let lines = [OPEN.to_owned(), charge("c", "one", 5_000), paid("$c.cashin_id", 1)];
        let named = ["--source", "till"];
        let child = waiting(&place, &lines[..2], &named);
        let mut kill = Command::new("kill");
        assert!(
            kill.arg(format!("-{signal}")).arg(child.id().to_string()).status().unwrap().success()
        );
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains(&format!("stopped by SIG{signal} after line 2")), "{error}");
        let rest = piped(&place.store(), &lines, &named);
        assert_eq!(said(&rest).into_keys().collect::<Vec<_>>(), [3]);
    }
}

#[test]
fn an_output_that_is_closed_ends_a_run_with_a_message() {
    let mut place = RunFolder::new("closed");
    let many: Vec<_> = (0..3_000)
        .map(|number| charge(&format!("c{number}"), &number.to_string(), 5_000))
        .collect();
    let file = place.file("lines.jsonl", &[vec![OPEN.to_owned()], many].concat());
    let program = format!(
        "{PROGRAM} run {} --store {} | head -n 2 >&2; exit ${{PIPESTATUS[0]}}",
        file.display(),
        place.store().display()
    );
    let output = Command::new("bash").args(["-c", &program]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("standard output: ") && error.contains("--answers-from "), "{error}");
}

#[test]
fn a_line_that_refers_to_the_answer_before_it_waits_for_no_commit() {
    let mut place = RunFolder::new("referring");
    let policy = r#"{"at":"2026-11-20T12:00:00Z","fact":"policy.adopted","environment":"live","body":{"id":"p","payer_ladder":false}}"#;
    let mut lines = vec![OPEN.to_owned(), policy.to_owned()];
    for number in 0..400 {
        let label = format!("c{number}");
        lines.push(charge(&label, &format!("venda-{number}"), 5_000));
        lines.push(paid(&format!("${label}.cashin_id"), number));
    }
    let (answers, _) = place.run(&lines, &[]);
    assert_eq!(answers.len(), lines.len());
    let applied = answers.iter().filter(|answer| answer["body"]["outcome"] == "applied");
    assert_eq!(applied.count(), 402, "account, policy, and each PIX to its charge");
    let mut journal = SqliteJournal::open(place.store(), "live", OpenMode::ReadOnly).unwrap();
    let (mut rows, mut next) = (0, 1);
    while let read @ [.., last] = &*journal.read(next, 1_000).unwrap() {
        rows += read.len();
        next = last.first + u64::from(last.count);
    }
    assert_eq!(next, 803, "one record a line");
    assert!(rows < 400, "{rows} commits: each PIX has waited for that of its charge");
}

#[test]
fn a_label_of_a_line_that_was_refused_offers_nothing_to_the_next() {
    let mut place = RunFolder::new("refused-label");
    let mut refused = charge("c", "venda", 5_000);
    refused = refused.replace("52998224725", "52998224726");
    let (answers, _) = place.run(&[OPEN.to_owned(), refused, paid("$c.cashin_id", 1)], &[]);
    let detail = answers[2]["body"]["detail"].as_str().unwrap();
    assert_eq!(answers[1]["status"], 400, "{}", answers[1]);
    assert_eq!(detail, "line 3: $c.cashin_id: line 2, labelled c, was refused");
}
