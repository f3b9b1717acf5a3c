//! The program at a terminal: what it is given by mistake is named and left as it is, what it is
//! asked for is shown.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::killed::{Folder, PROGRAM, finished, run, said};
use crate::program::{called, printed};

const NOON: &str = "2026-11-20T12:00:00Z";

const OPEN: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"account.opened","body":{"id":"a","account":"loja","terms":{"liberacao":"imediata","carencia_horas":0}},"supplied":{"key":"svc_live_loja"}}"#;

const CHARGE: &str = r#"{"at":"2026-11-20T12:00:00Z","as":"c","key":"svc_live_loja","request":"POST /cashin/charge","body":{"amount_cents":5000,"destino":"saldo","customer_ref":"ana","payer_tax_number":"52998224725","payer_name":"Ana Souza","external_id":"$$1"}}"#;

const PAID: &str = r#"{"at":"2026-11-20T12:00:00Z","fact":"pix.received","body":{"cashin_id":"$c.cashin_id","e2e":"E9040088820261120120100000000001","amount_cents":5000}}"#;

/// Returns what a command that must fail says: one sentence, and no more.
fn refusal(arguments: &[&str]) -> String {
    let output = called(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
    assert!(!error.contains("panicked") && !error.contains("because: because"), "{error}");
    error
}

/// A folder with a store in which ana has paid a charge.
fn store(name: &str) -> (Folder, String) {
    let folder = Folder::new(&format!("terminal-{name}"));
    let file = folder.file("", "lines.jsonl", &[OPEN, CHARGE, PAID].join("\n"));
    let store = folder.path().join("ledger.db");
    finished(run(&file, &store));
    (folder, store.display().to_string())
}

#[test]
fn what_is_no_file_of_lines_and_no_store_is_named_with_what_to_do() {
    let (folder, store) = store("names");
    let here = folder.path().display().to_string();
    let error = refusal(&["run", &here, "--store", &store]);
    assert!(error.contains(&here) && error.contains("is a folder: name a file"), "{error}");
    for arguments in [&["audit", &here][..], &["balance", &here, "loja"]] {
        let error = refusal(arguments);
        assert!(error.contains(&format!("{here} is a folder: name the store's file")), "{error}");
    }
    let error = refusal(&["run", "nothing.jsonl", "--store", &store]);
    assert!(error.contains("nothing.jsonl") && error.contains("name a file"), "{error}");
    for command in ["run", "audit"] {
        let file = folder.file("", "lines.jsonl", "");
        let wrong = ["mysql://user:secret@host/books", "http://books"];
        for url in wrong {
            let error = if command == "run" {
                refusal(&["run", file.to_str().unwrap(), "--store", url])
            } else {
                refusal(&[command, url])
            };
            assert!(error.contains("is no kind of store: use PATH"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}

#[test]
fn a_database_of_something_else_is_left_as_it_is() {
    let folder = Folder::new("terminal-foreign");
    let file = folder.file("", "lines.jsonl", OPEN);
    let foreign = folder.path().join("photos.db");
    let made = Command::new("sqlite3")
        .arg(&foreign)
        .arg("create table photo (id integer primary key); insert into photo values (7)")
        .status();
    assert!(made.unwrap().success(), "Debian's package sqlite3");
    let before = fs::read(&foreign).unwrap();
    let output = run(&file, &foreign).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("photos.db") && error.contains("name another file"), "{error}");
    assert_eq!(fs::read(&foreign).unwrap(), before);
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 2, "no log and no lock beside it");
}

#[test]
fn an_export_replaces_a_regular_file_and_nothing_else() {
    let (folder, store) = store("export");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let export = |to: &str| {
        ["export", store.as_str(), "--format", "csv", "--output"]
            .into_iter()
            .chain([to])
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let pipe = at("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let link = at("link");
    std::os::unix::fs::symlink("/dev/null", &link).unwrap();
    fs::create_dir(at("folder")).unwrap();
    for other in [&pipe, &link, &at("folder"), &"/dev/null".to_owned()] {
        let arguments = export(other);
        let error = refusal(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(error.contains(other.as_str()) && error.contains("no regular file"), "{error}");
    }
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());

    let (file, to_file) = (at("legs.csv"), at("to-legs"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &to_file).unwrap();
    let arguments = export(&to_file);
    printed(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(fs::read_to_string(&file).unwrap().lines().count() > 2);
    assert!(fs::symlink_metadata(&to_file).unwrap().is_symlink(), "a link stays a link");
}

#[test]
fn a_pipe_in_the_place_of_a_snapshot_makes_nobody_wait() {
    let (_folder, store) = store("snapshot");
    printed(&["snapshot", &store]);
    let folder = format!("{store}.snapshots");
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!names.is_empty());
    for name in &names {
        fs::remove_file(name).unwrap();
        assert!(Command::new("mkfifo").arg(name).status().unwrap().success());
    }
    printed(&["balance", &store, "loja", "--customer", "ana"]);
    let out = printed(&["snapshot", &store]);
    assert!(out.contains("since the snapshot is foreign: it is no regular file"), "{out}");
}

#[test]
fn a_balance_of_nobody_is_an_error() {
    let (_folder, store) = store("nobody");
    let of = |customer: &str| refusal(&["balance", &store, "loja", "--customer", customer]);
    assert!(of("bia").contains("loja has no customer bia"), "{}", of("bia"));
    assert!(refusal(&["saldo", &store, "feira"]).contains("no live account is named feira"));
    // English and the contract's words say the same.
    let shown = printed(&["balance", &store, "loja", "--customer", "ana", "--json"]);
    assert_eq!(shown, printed(&["saldo", &store, "loja", "--customer", "ana", "--json"]));
    let ours = ["statement", &store, "loja", "--customer", "ana", "--view", "operations", "--json"];
    let theirs = ["extrato", &store, "loja", "--customer", "ana", "--visao", "operacoes", "--json"];
    assert_eq!(printed(&ours), printed(&theirs));
}

#[test]
fn a_person_is_erased_by_a_command_and_every_head_stands() {
    let (_folder, store) = store("erased");
    let audited = printed(&["audit", &store]);
    let who = ["--actor", "bia", "--reason", "asked to be forgotten"];
    let erase = |what: &[&'static str]| [&["erase", &store][..], what, &who].concat();
    let out = printed(&erase(&["--document", "52998224725", "--name", "Ana Souza"]));
    let notes: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(notes.len(), 2, "{out}");
    assert!(notes.iter().all(|note| note["actor"] == "bia" && note["ledger"] == "live"));
    assert!(!out.contains("52998224725") && !out.contains("Ana"), "{out}");
    assert_eq!(fs::read_to_string(format!("{store}.erasures.jsonl")).unwrap(), out);
    assert_eq!(printed(&["audit", &store]), audited, "the heads stand");
    for ending in ["", "-wal"] {
        let bytes = fs::read(format!("{store}{ending}")).unwrap_or_default();
        let holds = |what: &[u8]| bytes.windows(what.len()).any(|window| window == what);
        assert!(!holds(b"52998224725") && !holds(b"Ana Souza"), "the file{ending} holds it yet");
    }
    let again = erase(&["--document", "52998224725"]);
    assert!(refusal(&again).contains("nothing was erased"));
    let wrong = erase(&["--document", "52998224726"]);
    assert!(refusal(&wrong).contains("--document is no CPF or CNPJ"));

    // The lines name the person: executed again they change nothing, and bring nobody back.
    let folder = Path::new(&store).parent().unwrap().join("again");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("lines.jsonl");
    let status = format!(
        r#"{{"at":"{NOON}","key":"svc_live_loja","request":"GET /cashin/$c.cashin_id/status"}}"#
    );
    fs::write(&file, [OPEN, CHARGE, PAID, &status].join("\n")).unwrap();
    let answers = said(&finished(run(&file, Path::new(&store))));
    assert_eq!(answers.keys().collect::<Vec<_>>(), [&4]);
    assert_eq!(answers[&4]["body"]["payer_name"], "[apagado]", "{}", answers[&4]);
    assert_eq!(answers[&4]["body"]["payer_tax_number"], "[apagado]");
    assert!(refusal(&again).contains("nothing was erased"));
}

#[test]
fn a_value_that_begins_with_a_dollar_is_written_with_two() {
    let (folder, store) = store("dollar");
    let lines = [
        format!(
            r#"{{"at":"{NOON}","key":"svc_live_loja","request":"GET /cashin/charges?external_id=$$1"}}"#
        ),
        CHARGE.replace("$$1", "$1"),
    ];
    let file = folder.file("more", "more.jsonl", &lines.join("\n"));
    let answers = said(&finished(run(&file, Path::new(&store))));
    assert_eq!(answers[&1]["body"]["charges"][0]["external_id"], "$1", "{}", answers[&1]);
    let detail = answers[&2]["body"]["detail"].as_str().unwrap();
    assert!(detail.contains("$1: no line has the label 1"), "{detail}");
}

#[test]
fn a_file_walks_the_pages_of_a_statement_by_labels() {
    let (folder, store) = store("pages");
    let page = |label: &str, before: &str| {
        format!(
            r#"{{"at":"{NOON}","as":"{label}","key":"svc_live_loja","request":"GET /saldo/extrato?customer_ref=ana&limit=1{before}"}}"#
        )
    };
    let lines = [
        page("one", ""),
        page("two", "&before=$one.proxima_pagina"),
        page("three", "&before=$two.proxima_pagina"),
        page("four", "&before=$one.items.0.valor_cents"),
        page("five", "&before=$one.items"),
    ];
    let file = folder.file("pages", "pages.jsonl", &lines.join("\n"));
    let answers = said(&finished(run(&file, Path::new(&store))));
    assert_ne!(answers[&1]["body"]["items"], answers[&2]["body"]["items"]);
    let detail = |line: usize| answers[&line]["body"]["detail"].as_str().unwrap().to_owned();
    assert!(detail(3).contains("the answer to line 2 has null there"), "{}", detail(3));
    assert_eq!(answers[&4]["status"], 400, "no cursor, but the label's number was written");
    assert!(detail(5).contains("the label one.items offers 0"), "{}", detail(5));
}

#[test]
fn an_outbox_says_how_many_wait_behind_and_shows_them_when_asked() {
    let folder = Folder::new("terminal-outbox");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/settlement-day.jsonl");
    let store = folder.path().join("ledger.db").display().to_string();
    printed(&["run", example.to_str().unwrap(), "--store", &store]);
    printed(&["project", &store]);
    let shown = |more: &[&str]| -> Vec<Value> {
        let out = printed(&[&["outbox", &store, "--limit", "1000"][..], more].concat());
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let (first, all) = (shown(&[]), shown(&["--all"]));
    let waiting: u64 = first.iter().map(|entry| entry["waiting_behind"].as_u64().unwrap()).sum();
    assert!(waiting > 0);
    assert_eq!(first.len() as u64 + waiting, all.len() as u64);
}

#[test]
fn standard_error_that_cannot_be_written_is_no_panic() {
    let (folder, store) = store("mute");
    let file = folder.file("mute", "more.jsonl", OPEN);
    for arguments in [
        format!("run {} --store {store}", file.display()),
        format!("run {} --store {store}", folder.path().display()),
        format!("export {store} --format records --output {}/x", folder.path().display()),
    ] {
        let program = format!("{PROGRAM} {arguments} 2>/dev/full >/dev/null");
        let status = Command::new("bash").args(["-c", &program]).status().unwrap();
        assert_ne!(status.code(), Some(101), "{arguments}");
    }
}

#[test]
fn every_line_is_counted() {
    let folder = Folder::new("terminal-count");
    let text = format!("{OPEN}\n\nno JSON\n{}\n", "x".repeat((1 << 20) + 1));
    let file = folder.file("", "lines.jsonl", &text);
    let output = finished(run(&file, &folder.path().join("ledger.db")));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("4 lines: 0 answered, 0 refused, 2 malformed; facts: 1 applied"),
        "{error}"
    );
    let answers = said(&output);
    let detail = answers[&4]["body"]["detail"].as_str().unwrap();
    assert!(detail.contains("longer than 1,048,576 bytes"), "{detail}");
}

#[test]
fn long_work_shows_an_example_when_it_is_asked_for_help() {
    for command in ["run", "export", "import", "project", "outbox", "simulate", "erase"] {
        let help = printed(&[command, "--help"]);
        assert!(help.contains(&format!("custody-ledger {command} ")), "{help}");
    }
}

#[test]
fn shells_and_manuals_are_told_every_command() {
    let folder = Folder::new("manual");
    let pages = folder.path().join("man1");
    assert!(printed(&["man", "--to", pages.to_str().unwrap()]).is_empty());
    let bash = printed(&["completions", "bash"]);
    let help = printed(&["--help"]);
    let commands = help.lines().filter(|line| line.starts_with("  ") && !line.contains("--"));
    let mut count = 0;
    let commands = commands.filter_map(|line| line.split_whitespace().next());
    for command in commands.filter(|command| *command != "help") {
        assert!(bash.contains(command), "{command}");
        assert!(pages.join(format!("custody-ledger-{command}.1")).exists(), "{command}");
        count += 1;
    }
    assert!(count > 30, "{help}");
    assert!(printed(&["man"]).contains("custody\\-ledger"));
}
