//! The same lines give the same answers, balances and heads on PostgreSQL, SQLite, as objects and
//! in memory.

use std::path::Path;

use crate::program::{DAY, done, refused};
use crate::server;

/// All runs have the same tokens, so that their heads can be compared.
const VAULT_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/// Returns what the run of a day prints, and prints to standard error.
fn run_day(store: &str) -> (String, String) {
    done(&["run", DAY, "--store", store, "--vault-key", VAULT_KEY])
}

fn file(folder: &Path) -> String {
    folder.join("ledger.db").display().to_string()
}

/// A folder of objects, merged all the time.
fn objects(folder: &Path) -> String {
    format!("file://{}?merge=2", folder.join("objects").display())
}

#[test]
fn led_a_day_ends_with_the_same_answers_and_heads_in_every_store() {
    let folder = tempfile::tempdir().unwrap();
    let (sqlite, postgres) = (file(folder.path()), server::database());
    let objects = objects(folder.path());
    let memory = run_day("memory:");
    assert_eq!(memory.1.lines().filter(|line| line.contains(", head ")).count(), 2);
    for store in [&sqlite, &postgres, &objects] {
        let day = run_day(store);
        assert_eq!(day, memory);
        // Run again, it goes on where the journal ends, and records nothing twice.
        let again = run_day(store);
        let heads = |text: &str| -> Vec<String> {
            text.lines().filter(|line| line.contains(", head ")).map(str::to_owned).collect()
        };
        assert_eq!(heads(&again.1), heads(&memory.1));
    }
    for question in [
        &["audit"][..],
        &["saldo", "loja", "--customer", "ana", "--json"],
        &["saldo", "loja"],
        &["extrato", "loja", "--customer", "ana", "--visao", "operacoes", "--json"],
    ] {
        let ask = |store: &str| {
            let mut arguments = question.to_vec();
            arguments.insert(1, store);
            done(&arguments).0
        };
        assert_eq!(ask(&sqlite), ask(&postgres), "{question:?}");
        if question.contains(&"operacoes") {
            // It is read from tables, and objects keep none.
            let [command, rest @ ..] = question else { unreachable!("it has a command") };
            let error = refused(&[&[*command, &objects][..], rest].concat());
            assert!(error.contains("keeps no tables: use PATH or postgres://"), "{error}");
            continue;
        }
        assert_eq!(ask(&sqlite), ask(&objects), "{question:?}");
    }
}

#[test]
fn reading_commands_take_no_epoch_and_make_nothing() {
    let postgres = server::database();
    assert!(refused(&["audit", &postgres]).contains("it holds no ledger"));
    assert!(server::execute(&postgres, "SELECT 1 FROM ledger").is_err());
    run_day(&postgres);
    for question in [
        vec!["audit", &postgres],
        vec!["saldo", &postgres, "loja"],
        vec!["extrato", &postgres, "loja"],
    ] {
        done(&question);
    }
    assert_eq!(server::number(&postgres, "SELECT max(epoch) FROM ledger"), 1);
}

#[test]
fn a_store_that_cannot_be_used_is_named_with_what_is_wrong() {
    let nowhere = "postgres://loja:secret@/books?host=/nowhere";
    for (store, said) in [
        ("postgres:books", "does not begin with postgres://"),
        ("postgres://loja@/?host=/tmp", "names no database"),
        ("postgres://loja@/books?hots=/tmp", "hots is no parameter"),
        ("postgres://loja@db/books?sslmode=sometimes", "sslmode=sometimes is none"),
        ("s3://", "it names no bucket: s3://BUCKET/PREFIX"),
        ("s3://books/live?endpont=https://store.example", "endpont is no parameter of s3"),
        ("file://books", "it names no folder: file:///PATH/OF/A/FOLDER"),
        ("file:///proc/books?timeout=1", "file:///proc/books"),
        (nowhere, "No such file or directory"),
        ("sqlite:", "sqlite: is no store"),
    ] {
        for command in [vec!["run", DAY, "--store", store], vec!["audit", store]] {
            let error = refused(&command);
            assert!(error.contains(said), "{store}: {error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
    assert!(refused(&["audit", nowhere]).contains("postgres://loja@/books?host=/nowhere"));
}
