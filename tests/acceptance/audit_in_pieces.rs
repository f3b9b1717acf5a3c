//! `audit --keep`, `--from` and `--sample` as an auditor calls them: killed in the midst and gone on
//! from, refused by name, and never saying more than was proved.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{DAY, PROGRAM, printed, refused};

/// A folder with a store that has lived the day, the checkpoints of it, and an auditor's key.
struct Lived {
    folder: TempDir,
    keys: String,
}

impl Lived {
    fn new(lines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut lived = Self { folder, keys: String::new() };
        let [store, key, kept] = ["ledger.db", "key", "checkpoints"].map(|name| lived.path(name));
        lived.keys = printed(&["checkpoint-key", &key, "--name", "auditor.example.com"]);
        let signed = ["--checkpoints", &*kept, "--checkpoint-key", &*key];
        printed(&[&["run", lines, "--store", &store][..], &signed].concat());
        lived
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn key(&self, ledger: &str) -> &str {
        self.keys.lines().find_map(|line| line.strip_prefix(ledger)?.strip_prefix(": ")).unwrap()
    }

    /// The arguments of an audit of the store, and more.
    fn audit(&self, more: &[&str]) -> Vec<String> {
        let given = ["audit".to_owned(), self.path("ledger.db")];
        given.into_iter().chain(more.iter().map(|it| (*it).to_owned())).collect()
    }

    fn audited(&self, more: &[&str]) -> String {
        printed(&self.audit(more).iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn refused(&self, more: &[&str]) -> String {
        refused(&self.audit(more).iter().map(String::as_str).collect::<Vec<_>>())
    }
}

#[test]
fn what_one_audit_keeps_the_next_goes_on_from_in_text_json_and_page() {
    let lived = Lived::new(DAY);
    let (states, key, page) = (lived.path("states"), lived.path("key"), lived.path("page.html"));
    let full = lived.audited(&["--keep", &states, "--keep-key", &key]);
    let from = ["--from", &states, "--key", lived.key("live"), "--key", lived.key("sandbox")];
    let more = [&from[..], &["--html", &page, "--lang", "en"]].concat();
    let text = lived.audited(&more);
    for (ledger, last) in [("live", 64), ("sandbox", 6)] {
        assert!(text.contains(&format!("Ledger {ledger}: verified from record {} on", last + 1)));
        assert!(text.contains(&format!("records 1 to {last}: they were not read")), "{text}");
        assert!(text.contains(&format!("Tables and tree of {ledger}: not proved")), "{text}");
    }
    // All else is what the first audit said.
    let rest = |text: &str| -> Vec<String> {
        let keep = |line: &&str| line.starts_with("    ") || line.starts_with("  head");
        text.lines().filter(keep).map(str::to_owned).collect()
    };
    assert_eq!(rest(&text), rest(&full));
    let page = fs::read_to_string(&page).unwrap();
    for words in
        ["An audit from a kept state on", "Audited from record", "auditor.example.com/live"]
    {
        assert!(page.contains(words), "{words}");
    }
    let json = lived.audited(&[&from[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let begun = &json["sections"]["begun_with"];
    assert_eq!((&begun["from_record"], &begun["not_read"]), (&Value::from(65), &Value::from(64)));
    assert_eq!(begun["signed_by"], "auditor.example.com/live/live");
}

#[test]
fn a_state_that_is_not_to_be_trusted_is_refused_and_named() {
    let lived = Lived::new(DAY);
    let (states, key) = (lived.path("states"), lived.path("key"));
    lived.audited(&["--keep", &states, "--keep-key", &key]);
    let live = ["--environment", "live", "--from", &states, "--key", lived.key("live")];
    lived.audited(&live);
    let missing = lived.refused(&live[2..]);
    assert!(missing.contains("no --key is of ledger sandbox"), "{missing}");
    let other = printed(&["checkpoint-key", &lived.path("other"), "--name", "auditor.example.com"]);
    let other = other.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
    let wrong = lived.refused(&[&live[..4], &["--key", other]].concat());
    assert!(wrong.contains("is not signed by auditor.example.com/live/live"), "{wrong}");
    assert!(wrong.contains("Ledger live: NOT verified"), "{wrong}");
    // The sandbox's state is not the live ledger's.
    fs::copy(lived.path("states/sandbox.audited"), lived.path("states/live.audited")).unwrap();
    let swapped = lived.refused(&live);
    assert!(swapped.contains("live.audited") && swapped.contains("not signed by"), "{swapped}");
    // Another store's journal, and one that is shorter.
    let second = Lived::new(DAY);
    second.audited(&["--keep", &second.path("states"), "--keep-key", &key]);
    fs::copy(second.path("states/live.audited"), lived.path("states/live.audited")).unwrap();
    let foreign = lived.refused(&live);
    assert!(foreign.contains("another past than was audited"), "{foreign}");
    let path = lived.path("states/live.audited");
    let mut bytes = fs::read(&path).unwrap();
    bytes[200] ^= 1;
    fs::write(&path, bytes).unwrap();
    let changed = lived.refused(&live);
    assert!(changed.contains("the state was changed since"), "{changed}");
    assert!(lived.refused(&["--key", lived.key("live")]).contains("--key is for --from"));
}

#[test]
fn an_audit_that_is_killed_in_the_midst_goes_on_from_what_it_kept() {
    let folder = tempfile::tempdir().unwrap();
    let lines = folder.path().join("many.jsonl");
    let mut text: String =
        fs::read_to_string(DAY).unwrap().lines().next().unwrap().to_owned() + "\n";
    for number in 0..3_000 {
        let body = format!(
            r#"{{"destino":"saldo","amount_cents":5000,"payer_tax_number":"39053344705","external_id":"x-{number}"}}"#
        );
        let request = r#""key":"svc_live_loja","request":"POST /cashin/charge""#;
        writeln!(text, r#"{{"at":"2026-11-21T12:00:00Z",{request},"body":{body}}}"#).unwrap();
    }
    fs::write(&lines, text).unwrap();
    let lived = Lived::new(&lines.display().to_string());
    let (states, key, state) =
        (lived.path("states"), lived.path("key"), lived.path("states/live.audited"));
    let keep = ["--environment", "live", "--keep", &states, "--keep-key", &key];
    let arguments = lived.audit(&[&keep[..], &["--keep-every", "20"]].concat());
    let mut audit = Command::new(PROGRAM).args(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while fs::metadata(&state).is_err() {
        assert!(begun.elapsed() < Duration::from_mins(1), "no state was kept");
        std::thread::sleep(Duration::from_millis(1));
    }
    audit.kill().unwrap();
    let killed = audit.wait_with_output().unwrap();
    assert!(
        !killed.status.success() && killed.stdout.is_empty(),
        "it was done before it was killed"
    );
    let live = ["--environment", "live", "--from", &states, "--key", lived.key("live")];
    let text = lived.audited(&[&live[..], &keep[2..]].concat());
    let from = text.lines().next().unwrap();
    let record = from.strip_prefix("Ledger live: verified from record ").unwrap();
    let record: u64 = record.strip_suffix(" on").unwrap().parse().unwrap();
    assert!(record % 20 == 1 && (21..3_000).contains(&record), "{from}");
    let head =
        |text: &str| text.lines().find(|line| line.starts_with("  head")).unwrap().to_owned();
    let state = |text: &str| text.lines().find(|it| it.starts_with("  state")).unwrap().to_owned();
    let full = lived.audited(&["--environment", "live"]);
    assert_eq!((head(&text), state(&text)), (head(&full), state(&full)));
    // What it kept at its end is gone on from in its turn.
    assert!(!lived.audited(&live).starts_with(from));
}

#[test]
fn a_sample_says_what_it_is_of_and_what_it_misses_and_what_is_missing_for_it() {
    let lived = Lived::new(DAY);
    let kept = lived.path("checkpoints");
    let sample =
        ["--environment", "live", "--sample", "20", "--seed", "7", "--checkpoints", &*kept];
    let first = lived.audited(&sample);
    assert!(first.starts_with("Ledger live: a sample, 20 of 64 records, seed 7\n"), "{first}");
    assert!(first.contains("whose signature was not checked"), "{first}");
    assert!(first.contains("operations     not looked at: no snapshot is of record 64"), "{first}");
    printed(&["snapshot", &lived.path("ledger.db")]);
    let signed = lived.audited(&[&sample[..], &["--key", lived.key("live")]].concat());
    assert!(signed.contains("whose signature is of --key"), "{signed}");
    assert!(signed.contains("proved by the tree of balances"), "{signed}");
    assert!(signed.contains("in 44 of 64 samples, 68.750000%"), "{signed}");
    let numbers = |text: &str| text.lines().nth(2).unwrap().to_owned();
    assert_eq!(numbers(&first), numbers(&signed));
    let json = lived.audited(&[&sample[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["sample"], &json["of"]), (&Value::from(20), &Value::from(64)));
    assert_eq!(json["chances"][0]["missed"], "68.750000%");
    // Without a file the checkpoints of the store count.
    let stored = lived.audited(&[&sample[..6], &["--key", lived.key("live")]].concat());
    assert_eq!(stored, signed);
    // Without a tree everything would have to be read: it says what makes one.
    fs::remove_dir_all(lived.path("ledger.db.trees")).unwrap();
    let none = lived.refused(&sample);
    let command = none.split('`').nth(1).unwrap().replace("custody-ledger ", "");
    let made: Vec<&str> = command.split(' ').collect();
    printed(&made);
    assert_eq!(numbers(&lived.audited(&sample)), numbers(&first));
}
