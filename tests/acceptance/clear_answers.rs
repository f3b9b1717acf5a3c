//! Mistakes at a terminal are answered by what was wrong, where, and what would be right.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use crate::killed::{Folder, finished, run};
use crate::program::{PROGRAM, outcome, refused};

const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a","account":"loja"},"supplied":{"key":"svc_live_loja"}}"#;

const TYPO: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"pix.recieved"}"#;

const MOVED: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"treasury.moved","body":{"id":"float-1","from":"equity.funding","to":"prov.pay","amount_cents":100}}"#;

/// A folder, and in it a store with one account.
fn store(name: &str) -> (Folder, String) {
    let folder = Folder::new(&format!("clear-{name}"));
    let file = folder.file("", "lines.jsonl", OPEN);
    let store = folder.path().join("ledger.db");
    finished(run(&file, &store));
    (folder, store.display().to_string())
}

/// The text that a failed command prints, of these arguments.
fn answer(words: &str) -> String {
    refused(&words.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_mistaken_name_is_answered_by_the_names_there_are() {
    let (_folder, store) = store("names");
    let other = "no sandbox account is named loja: --environment live has one";
    for (words, said) in [
        ("facts pix.recieved".to_owned(), "no fact pix.recieved; the nearest is pix.received"),
        (format!("balance {store} nobody"), "no live account is named nobody: it has loja"),
        (format!("statement {store} loja --environment sandbox"), other),
        (format!("balance {store}"), "is a store: the name of an account stands after it"),
        (format!("prove balance {store}"), "is a store: the name of an account stands after it"),
        (format!("prove balance {store} loja"), "`run` and `serve` make them with --checkpoint"),
        (format!("statement {store} loja --from yesterday"), "a day is 2026-11-20, and a month"),
        (format!("statement {store} loja --from 2026-11"), "so they need its --format: html, csv"),
    ] {
        let answer = answer(&words);
        assert!(answer.contains(said), "{words}: {answer}");
    }
}

#[test]
fn a_console_that_is_not_there_and_an_address_that_is_none_are_answered_by_what_to_say() {
    let folder = Folder::new("clear-addresses");
    let credential = folder.file("", "credential", "x").display().to_string();
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("--url http://{nobody}");
    let start = format!("no console is served there: start `serve --console-listen {nobody}`");
    let decision = format!("--id d-1 --reason r --credential-file {credential}");
    for (words, said) in [
        (format!("look {url}"), start.clone()),
        (format!("find saque {url}"), format!("{start}, or look in a store with --store")),
        (
            format!("decide hold.placed {decision} {url}"),
            format!("{start}, or decide in a store with --store"),
        ),
        (format!("decide hold.plced {decision}"), "; the nearest is hold.placed".to_owned()),
        (
            "listen --key k --forward-to localhost:9000".to_owned(),
            "a URL has a scheme and a host, such as https://example.com or http://127".to_owned(),
        ),
        (
            "serve --store memory: --listen 8080".to_owned(),
            "listen (set by --listen) must be an address with a port, such as 127.0.0.1:8080"
                .to_owned(),
        ),
        (
            "serve --store memory: --listen 127.0.0.1:0 --internal-listen localhost".to_owned(),
            "internal-listen (set by --internal-listen) must be an address with a port".to_owned(),
        ),
    ] {
        let answer = answer(&words);
        assert!(answer.contains(&said) && !answer.contains("because: error"), "{words}: {answer}");
    }
}

#[test]
fn a_setting_of_the_environment_that_needs_another_is_named_by_its_variable() {
    let mut serve = Command::new(PROGRAM);
    serve.args(["serve", "--store", "memory:", "--listen", "127.0.0.1:0"]);
    serve.env("CUSTODY_LEDGER_INSTRUCTIONS_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    let (succeeded, _, answer) = outcome(&mut serve);
    let variable = "instructions-secret (set by CUSTODY_LEDGER_INSTRUCTIONS_SECRET) needs \
                    instructions-to, which is not set";
    assert!(!succeeded && answer.contains(variable), "{answer}");
}

#[test]
fn a_run_with_a_line_that_is_refused_fails_where_that_is_asked_for() {
    let folder = Folder::new("clear-run");
    let lines = folder.file("", "lines.jsonl", &[OPEN, "{broken", TYPO].join("\n"));
    let one = folder.file("", "one.jsonl", OPEN);
    let ran = |file: &std::path::Path, store: &str, options: &[&str]| {
        let store = folder.path().join(store);
        outcome(Command::new(PROGRAM).arg("run").arg(file).arg("--store").arg(store).args(options))
    };
    let (succeeded, _, error) = ran(&lines, "a.db", &[]);
    let last = "the first line refused or malformed is 2: --fail-on-refused exits with 1 for it";
    assert!(succeeded && error.ends_with(&format!("{last}\n")), "{error}");
    let (succeeded, answers, error) = ran(&lines, "b.db", &["--fail-on-refused"]);
    let last = "custody-ledger: lines were not taken: 1 refused and 1 malformed, the first of them \
                line 2\n";
    assert!(!succeeded && error.ends_with(last), "{error}");
    assert!(answers.contains("; the nearest is pix.received"), "{answers}");
    let (succeeded, _, error) = ran(&one, "c.db", &["--fail-on-refused"]);
    assert!(succeeded && error.contains("\n1 line: 0 answered, 0 refused"), "{error}");
}

#[test]
fn a_run_that_goes_on_after_a_line_that_was_refused_before_fails_where_that_is_asked_for() {
    let folder = Folder::new("clear-again");
    let store = folder.path().join("again.db");
    let lines = [OPEN, "{broken", TYPO, MOVED].join("\n");
    let file = folder.file("", "lines.jsonl", &lines);
    let ran = |options: &[&str]| {
        let mut run = Command::new(PROGRAM);
        outcome(run.arg("run").arg(&file).arg("--store").arg(&store).args(options))
    };
    let last = "custody-ledger: lines were not taken: 1 refused and 1 malformed, the first of them \
                line 2\n";
    let (succeeded, _, error) = ran(&["--fail-on-refused"]);
    assert!(!succeeded && error.ends_with(last), "{error}");
    let (succeeded, answers, error) = ran(&["--fail-on-refused"]);
    assert!(!succeeded && error.ends_with(last) && answers.is_empty(), "{answers}{error}");
    assert!(error.contains("0 applied, 0 known, 0 set aside; 4 recorded before"), "{error}");
    // So it is where lines were added since.
    fs::write(&file, format!("{lines}\n{}", MOVED.replace("float-1", "float-2"))).unwrap();
    let (succeeded, answers, error) = ran(&["--fail-on-refused"]);
    assert!(
        !succeeded && error.ends_with(last) && answers.lines().count() == 1,
        "{answers}{error}"
    );
    assert!(ran(&[]).0);
}

#[test]
fn a_file_that_is_there_is_named_with_the_option_that_writes_a_new_one() {
    let folder = Folder::new("clear-new");
    let file = folder.file("", "there", "kept").display().to_string();
    let answer = answer(&format!("checkpoint-key {file} --name ledger.example.com"));
    assert!(answer.contains(&format!("--name writes a new file, and {file} is there")), "{answer}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
}

#[test]
fn operators_are_put_into_no_file_that_holds_no_journal() {
    let (folder, store) = store("operators");
    let own = Command::new(PROGRAM).args(["operator", "add", "bia", "--store", &store]).status();
    assert!(own.unwrap().success());
    let cut = folder.path().join("cut.db");
    fs::write(&cut, &fs::read(&store).unwrap()[..9_000]).unwrap();
    let foreign = folder.path().join("foreign.db");
    let made = Command::new("sqlite3").arg(&foreign).arg("CREATE TABLE notes (text)").status();
    assert!(made.unwrap().success(), "Debian's package sqlite3");
    let empty = folder.file("", "empty.db", "");
    for file in [&cut, &foreign, &empty] {
        let before = fs::read(file).unwrap();
        for asked in ["operator list", "operator add bia"] {
            let said = answer(&format!("{asked} --store {}", file.display()));
            assert!(said.contains(&file.display().to_string()), "{said}");
        }
        assert!(fs::read(file).unwrap() == before, "{}", file.display());
    }
}

#[test]
fn a_key_that_could_not_be_written_is_not_left_empty() {
    let folder = Folder::new("clear-full");
    let key = folder.path().join("k.key");
    let full = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let mut made = Command::new("sh");
    made.args(["-c", full, PROGRAM, "checkpoint-key"]).arg(&key);
    let (succeeded, _, error) = outcome(made.args(["--name", "ledger.example.com"]));
    assert!(!succeeded && error.contains("k.key"), "{error}");
    assert!(!key.exists());
    // There is room again.
    let mut made = Command::new(PROGRAM);
    made.arg("checkpoint-key").arg(&key).args(["--name", "ledger.example.com"]);
    let (succeeded, _, error) = outcome(&mut made);
    assert!(succeeded, "{error}");
}
