//! Invariants at the terminal: listed by id, and checked one by one; and what the program's words
//! are beside the contract's.

use std::path::Path;

use ledger_core::ledger::invariants::INVARIANTS;
use serde_json::Value;

use crate::killed::{Folder, finished, run};
use crate::program::{printed, refused};

const DAY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/custody-day.jsonl");

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A store that has lived the day.
fn store(name: &str) -> (Folder, String) {
    let folder = Folder::new(&format!("one-invariant-{name}"));
    let store = folder.path().join("ledger.db");
    finished(run(Path::new(DAY), &store));
    let store = store.display().to_string();
    (folder, store)
}

#[test]
fn every_invariant_is_listed_with_its_id_and_its_text_in_order() {
    let listed = printed(&["audit", "--list-invariants"]);
    let expected = INVARIANTS.iter().map(|it| format!("{:<7}  {}", it.id, it.text));
    assert_eq!(listed.lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    let listed = lines(&printed(&["audit", "--list-invariants", "--json"]));
    assert_eq!(listed.len(), INVARIANTS.len());
    for (line, known) in listed.iter().zip(INVARIANTS) {
        assert_eq!((&line["id"], &line["text"]), (&known.id.into(), &known.text.into()));
    }
}

#[test]
fn only_the_invariants_asked_for_are_checked_each_once_in_the_order_of_the_list() {
    let (_folder, store) = store("asked");
    let asked = ["audit", &store, "--invariant", "OUT-04", "--invariant", "INV-07"];
    let twice = [&asked[..], &["--invariant", "INV-07", "--environment", "live"]].concat();
    let text = printed(&twice);
    let shown: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(shown.len(), 3, "{text}");
    assert!(shown[0].starts_with("Ledger live: 2 invariants checked on "), "{text}");
    assert!(shown[1].starts_with("  INV-07   holds   no bucket"), "{text}");
    assert!(shown[2].starts_with("  OUT-04   holds   nothing is instructed twice"), "{text}");
    let both = lines(&printed(&[&asked[..], &["--json"]].concat()));
    let named = both.iter().map(|line| (line["ledger"].as_str(), line["id"].as_str()));
    let expected = [("live", "INV-07"), ("live", "OUT-04"), ("sandbox", "INV-07")];
    let expected = [&expected[..], &[("sandbox", "OUT-04")]].concat();
    let expected = expected.into_iter().map(|(ledger, id)| (Some(ledger), Some(id)));
    assert!(named.eq(expected), "{both:?}");
    assert!(both.iter().all(|line| line["holds"] == true && line.get("record").is_none()));
}

#[test]
fn an_unknown_id_is_named_with_how_to_list_those_there_are() {
    let error = refused(&["audit", "ledger.db", "--invariant", "INV-99"]);
    assert!(error.contains("INV-99") && error.contains("--list-invariants"), "{error}");
    let error = refused(&["audit", "ledger.db", "--invariant", "TIME", "--heads", "heads"]);
    assert!(error.contains("--heads"), "{error}");
}

#[test]
fn a_store_that_holds_no_ledger_is_no_success() {
    let folder = Folder::new("one-invariant-none");
    let store = folder.path().join("none.db").display().to_string();
    let error = refused(&["audit", &store, "--invariant", "INV-07"]);
    assert!(error.contains(&store), "{error}");
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "run",
        "audit",
        "balance",
        "statement",
        "explain",
        "export",
        "import",
        "project",
        "outbox",
        "snapshot",
        "erase",
        "facts",
        "simulate",
    ] {
        let help = printed(&[command, "--help"]);
        let (_, examples) = help.split_once("Example").unwrap_or_else(|| panic!("{help}"));
        assert!(examples.contains(&format!("custody-ledger {command} ")), "{help}");
    }
}

#[test]
fn the_contracts_words_are_aliases_that_help_shows() {
    let help = printed(&["--help"]);
    for (name, alias) in [("balance", "saldo"), ("statement", "extrato")] {
        let shown = help.lines().find(|line| line.trim_start().starts_with(name));
        assert!(shown.is_some_and(|line| line.contains(&format!(": {alias}]"))), "{help}");
    }
    let help = printed(&["extrato", "--help"]);
    for word in ["--view", "--visao", "operations", "operacoes", "entries", "lancamentos"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let (_folder, store) = store("aliases");
    let reads = |command, option, value| printed(&[command, &store, "loja", option, value]);
    let english = reads("statement", "--view", "operations");
    assert_eq!(reads("extrato", "--visao", "operacoes"), english);
    assert_eq!(printed(&["saldo", &store, "loja"]), printed(&["balance", &store, "loja"]));
}

#[test]
fn fault_levels_go_by_their_names_and_by_those_they_had() {
    let simulated = |level| {
        let out = printed(&["simulate", "--seed", "3", "--commands", "300", "--faults", level]);
        // The second line says how fast it was.
        let lines = out.lines().enumerate().filter(|(number, _)| *number != 1);
        lines.map(|(_, line)| line.to_owned()).collect::<Vec<_>>()
    };
    let [few, many] = ["few", "many"].map(simulated);
    assert_ne!(few, many);
    assert_eq!((simulated("fair"), simulated("storm")), (few, many));
    let help = printed(&["simulate", "--help"]);
    for word in ["none", "few", "fair", "many", "storm"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}
