//! The commands: a house writes the file, a stranger and a holder check it without the store.

use std::fs;

use custody_ledger::reserves::{Coverage, VERIFY_PAGE};
use ledger_proofs::document::Digits;

use crate::house::{House, fails, public, succeeds};
use crate::statements::{BITCOIN, ETHEREUM, bank, bitcoin, ethereum, signed, unsigned_float};

/// The standard error of a command that must have failed.
fn refused(house: &House, more: &[&str]) -> String {
    let done = house.write(more);
    assert!(!done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn a_stranger_checks_the_file_its_leaves_and_proofs_without_the_store() {
    let house = House::new();
    let done = house.write(&[]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let file = house.file();
    let reais = file.asset("BRL").unwrap();
    let owed = |class: &str| reais.class(class).unwrap().owed;
    assert_eq!(owed("customers"), Digits(158_420));
    assert_eq!(owed("holds"), Digits(80_000));
    assert_eq!(owed("in_flight"), Digits(49_900));
    assert_eq!(owed("suspense"), Digits(12_345));
    assert_eq!(owed("partners"), Digits(1_622));
    assert_eq!(reais.total, Digits(158_420 + 80_000 + 49_900 + 12_345 + 1_622));
    assert_eq!((reais.result, reais.by), (Coverage::Covered, Digits(340_000 - 302_287)));
    assert_eq!(reais.own, Digits(100));
    let usdt = file.asset("usdt").unwrap();
    assert_eq!((usdt.total, usdt.by), (Digits(39_859_693), Digits(0)));
    assert_eq!(file.asset("btc").unwrap().clients, Digits(7));

    let proof = house.proof("carla.proof", &["--account", "loja", "--customer", "carla"]);
    let parts = proof.parts.iter().map(|part| (&*part.class, part.amount.0));
    assert_eq!(parts.collect::<Vec<_>>(), [("customers", 124_000), ("holds", 80_000)]);
    house.proof("loja.proof", &["--account", "loja"]);

    let [path, leaves, carla, loja] =
        ["day.reserves", "leaves", "carla.proof", "loja.proof"].map(|name| house.path(name));
    let (key, signer) = (public(), bank().verifier().to_string());
    let given = ["verify-reserves", &path, "--key", &key, "--leaves", &leaves];
    let given = [&given[..], &["--proof", &carla, "--proof", &loja, "--signer", &signer]].concat();
    let printed = succeeds(&given);
    for line in [
        "BRL: owed 3022.87, held 3400.00 for clients, covered by 377.13; own 1.00",
        "  BRL holds of customer loja carla: 800.00",
        "  suspense 123.45",
    ] {
        assert!(printed.contains(line), "{printed}");
    }
    let other = fails(&["verify-reserves", &path, "--key", &key, "--signer", &key]);
    assert!(other.contains("signer: banco.example+"), "{other}");
    let page = house.path("verify.html");
    succeeds(&["reserves", "page", "--out", &page]);
    assert_eq!(fs::read_to_string(page).unwrap(), VERIFY_PAGE);
}

#[test]
fn a_file_of_the_same_record_is_the_same_bytes_and_has_nobodys_name() {
    let house = House::new();
    house.write(&[]);
    let (first, leaves) = (house.file().text(), house.leaves());
    house.write(&[]);
    assert_eq!((house.file().text(), house.leaves()), (first.clone(), leaves.clone()));
    for name in ["ana", "bia", "carla", "loja", "52998224725"] {
        assert!(!first.contains(&format!("\"{name}\"")) && !leaves.contains(name), "{name}");
    }
    // Nor how many there are: every tree is padded.
    let file = house.file();
    let mut classes = file.assets.iter().flat_map(|asset| &asset.owed);
    assert!(classes.all(|class| class.leaves == 16));
    let more = house.write(&["--leaves-at-least", "64"]);
    assert!(!more.status.success(), "an option stands once");
}

#[test]
fn a_record_between_checkpoints_is_proved_to_begin_the_next_one() {
    let house = House::new();
    // Their assets are not known yet at the first of these records.
    for wallet in ["bitcoin", "ethereum"] {
        fs::remove_file(house.path(&format!("held/{wallet}.json"))).unwrap();
    }
    for record in ["1", "33", "40", "72"] {
        let done = house.write(&["--at", record, "--within-hours", "48"]);
        assert!(done.status.success(), "{record}: {}", String::from_utf8_lossy(&done.stderr));
        let (path, key) = (house.path("day.reserves"), public());
        succeeds(&["verify-reserves", &path, "--key", &key]);
        assert_eq!(house.file().record.to_string(), record);
    }
    let late = refused(&house, &["--at", "4000"]);
    assert!(late.contains("no checkpoint of ledger live at 4000 records or more"), "{late}");
}

#[test]
fn nothing_is_written_of_a_statement_that_would_be_refused() {
    let house = House::new();
    let mut twice = ethereum();
    twice.source = ETHEREUM.to_uppercase().replace("0X", "0x");
    house.state("again", &signed(twice));
    assert!(refused(&house, &[]).contains("twice: "), "a wallet is counted once");
    let mut upper = bitcoin();
    upper.source = BITCOIN.to_uppercase();
    house.state("again", &signed(upper));
    assert!(refused(&house, &[]).contains("twice: "), "however it is spelled");

    let mut changed = ethereum();
    changed.clients = Digits(changed.clients.0 + 1);
    house.state("again", &changed);
    assert!(refused(&house, &[]).contains("its signature is not of this text"));
    let mut elsewhere = ethereum();
    elsewhere.network = Some("matic".to_owned());
    house.state("again", &signed(elsewhere));
    assert!(refused(&house, &[]).contains("the ledger knows no network matic"));
    let mut shown = unsigned_float();
    shown.source = "Banco Outro".to_owned();
    shown.evidence = Some("00".repeat(32).parse().unwrap());
    house.state("again", &signed(shown));
    assert!(refused(&house, &[]).contains("no file beside it has its evidence's hash"));
    let mut old = unsigned_float();
    old.source = "Banco Outro".to_owned();
    old.as_of = "2026-11-19T12:00:00Z".to_owned();
    house.state("again", &signed(old));
    assert!(refused(&house, &[]).contains("is more than 24 h from"));
}
