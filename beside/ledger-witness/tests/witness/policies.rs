//! Policies: which witnesses are enough, and what is no policy.

use ledger_store::signing::key::Signer;
use ledger_witness::{Policy, PolicyFault, SignedNote, Tally, Witness, WitnessKey};

use crate::log::{Log, ORIGIN, ask, log_key};

/// Five witnesses by the names a to e.
fn keys() -> Vec<(String, WitnessKey)> {
    let key = |place: u8| {
        let name = char::from(b'a' + place).to_string();
        let key = WitnessKey::new(&format!("witness.example/{name}"), [place + 10; 32]).unwrap();
        (name, key)
    };
    (0..5).map(key).collect()
}

fn lines() -> String {
    let lines = keys().into_iter().map(|(name, key)| format!("witness {name} {}\n", key.public()));
    format!("# Ours.\n\nlog {}\n{}", log_key(), lines.collect::<String>())
}

/// A checkpoint that these witnesses cosigned.
fn cosigned(names: &str) -> SignedNote {
    let log = Log::new(4, 0);
    let mut note = log.checkpoint(4);
    for (name, key) in keys().into_iter().filter(|(name, _)| names.contains(&**name)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        ledger_witness::WitnessFolder::create(&path, &key).unwrap();
        let (key, state) = ledger_witness::WitnessFolder::open(&path).unwrap();
        let witness = Witness::new(key, [(ORIGIN.to_owned(), vec![log_key()])], Box::new(state));
        let ledger_witness::Answer::Cosigned(line) = ask(&witness, &log.request(0, 4)).answer
        else {
            panic!()
        };
        note.add(line);
    }
    note
}

#[test]
fn a_quorum_is_met_by_the_groups_that_it_names() {
    let policy = "group two 2 a b c\ngroup one any d e\ngroup both all two one\nquorum both\n";
    let policy: Policy = format!("{}{policy}", lines()).parse().unwrap();
    for (names, enough) in [
        ("", false),
        ("abc", false),
        ("ad", false),
        ("abe", true),
        ("cbd", true),
        ("de", false),
        ("abcde", true),
    ] {
        let Tally { cosigned, missing, is_quorum } = policy.tally(&cosigned(names));
        assert_eq!(is_quorum, enough, "{names}");
        assert_eq!((cosigned.len(), missing.len()), (names.len(), 5 - names.len()));
    }
    let single: Policy = format!("{}quorum c\n", lines()).parse().unwrap();
    assert!(single.tally(&cosigned("c")).is_quorum && !single.tally(&cosigned("ab")).is_quorum);
    let none: Policy = format!("{}\tquorum  none \n", lines()).parse().unwrap();
    assert!(none.tally(&cosigned("")).is_quorum);
    assert_eq!(none.logs(), [log_key()]);
}

#[test]
fn a_line_that_is_none_is_named_with_its_fault() {
    let fault = |text: &str| {
        let malformed = format!("{}{text}", lines()).parse::<Policy>().unwrap_err();
        (malformed.line - lines().lines().count(), malformed.fault)
    };
    let (twice, unknown) = (PolicyFault::Twice, PolicyFault::Unknown);
    let key = keys()[0].1.public();
    let renamed = Signer::new("renamed.example/live/live", [1; 32]).unwrap().verifier();
    for (text, line, expected) in [
        ("", 0, PolicyFault::Quorum),
        ("quorum none\nquorum a\n", 2, PolicyFault::Quorum),
        ("quorum f\n", 1, unknown("f".into())),
        ("group g all a f\n", 1, unknown("f".into())),
        ("group a all b\n", 1, twice("a".into())),
        ("group none all b\n", 1, twice("none".into())),
        ("group g all a a\n", 1, twice("a".into())),
        ("group g all a\ngroup h all a b\n", 2, twice("a".into())),
        ("group g 3 a b\n", 1, PolicyFault::Threshold),
        ("group g 0 a b\n", 1, PolicyFault::Threshold),
        ("group g all\n", 1, PolicyFault::Threshold),
        ("group g\n", 1, PolicyFault::Line),
        ("mirror a\n", 1, PolicyFault::Line),
        (&format!("log {key}\n"), 1, PolicyFault::KeyType),
        (&format!("witness f {}\n", log_key()), 1, PolicyFault::KeyType),
        (&format!("witness f {key}\n"), 1, twice("the key of witness.example/a".into())),
        (&format!("log {}\n", log_key()), 1, twice(format!("the key of {ORIGIN}"))),
        (&format!("log {renamed}\n"), 1, twice(format!("the key of {ORIGIN}"))),
    ] {
        assert_eq!(fault(text), (line, expected), "{text}");
    }
    assert!(matches!(fault("log nothing\n").1, PolicyFault::Key(_)));
}
