//! Golden files: every kind of record as the first version wrote it.
//!
//! A file of `tests/golden/v1/` has the record's bytes in hexadecimal, an empty line, and for
//! whoever reads it the record in words. `GOLDEN=write cargo test -p ledger-store --test codec`
//! writes the files that are missing; those that are there are never written again, since journals
//! in use have the same bytes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ledger_core::ledger::Event;
use ledger_core::machine::{charge, hold};
use ledger_core::money::{Bps, Cents};
use ledger_core::terms::{Rate, Switch};
use ledger_store::codec::{self, VERSION};

use super::catalogue::samples;
use super::{decoded, encoded, numbers};

const COMMAND: &str = "GOLDEN=write cargo test -p ledger-store --test codec";

/// The records that the first version wrote without fields that came later.
const GROWN: [&str; 6] = [
    "ledger-opened",
    "policy-adopted",
    "account-opened",
    "account-opened-bare",
    "terms-adopted",
    "terms-adopted-bare",
];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/v{VERSION}"))
}

fn writing() -> bool {
    std::env::var("GOLDEN").is_ok_and(|mode| mode == "write")
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (place, byte) in bytes.iter().enumerate() {
        let end = if place > 0 && place % 48 == 0 { "\n" } else { "" };
        write!(text, "{end}{byte:02x}").unwrap();
    }
    text
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Returns what the golden file of this name holds, written first where it is missing and asked
/// for.
fn golden(name: &str, fresh: &str) -> String {
    let path = folder().join(name);
    if writing() && !path.exists() {
        fs::create_dir_all(folder()).unwrap();
        fs::write(&path, fresh).unwrap();
    }
    let found = fs::read_to_string(&path);
    found.unwrap_or_else(|error| panic!("{}: {error}; write it with {COMMAND}", path.display()))
}

#[test]
fn every_golden_record_is_read_as_its_sample_and_written_again_to_the_same_bytes() {
    for (name, record) in samples() {
        let fresh = format!("{}\n\n{record:#?}\n", hex(&encoded(&record)));
        let text = golden(&format!("{name}.txt"), &fresh);
        let (digits, _words) = text.split_once("\n\n").unwrap();
        let stored = bytes(digits);
        let read = decoded(&stored);
        assert_eq!(read, record, "{name}");
        // What any version has written an audit takes for written.
        let written = codec::assert_as_written(&read, &stored, &mut Vec::new());
        written.unwrap_or_else(|error| panic!("{name}: {error}"));
        if GROWN.contains(&&*name) {
            // It has more fields today: what is written anew is read as the same.
            let anew = encoded(&read);
            assert!(stored.len() < anew.len(), "{name}");
            assert_eq!(decoded(&anew), read, "{name}");
        } else {
            assert_eq!(hex(&encoded(&read)), hex(&stored), "{name}");
        }
    }
}

/// The stored bytes of a golden record.
fn stored(name: &str) -> Vec<u8> {
    let text = golden(&format!("{name}.txt"), "");
    bytes(text.split_once("\n\n").unwrap().0)
}

#[test]
fn a_policy_written_before_it_had_these_fields_is_read_with_what_they_mean_when_absent() {
    for name in ["ledger-opened", "policy-adopted"] {
        let record = decoded(&stored(name));
        let (Event::LedgerOpened { policy, .. } | Event::PolicyAdopted(policy)) = &record.events[0]
        else {
            panic!("{record:?}")
        };
        let spans = [policy.rate_age, policy.precaution, policy.commission_interval];
        assert_eq!((policy.ladder, spans), (None, [None; 3]), "{name}: nothing is limited");
        let switches =
            [policy.interval_before_reference, policy.cash_in_paused, policy.conversions_paused];
        assert_eq!(switches, [Switch::Off; 3], "{name}");
    }
}

#[test]
fn terms_written_before_purchases_existed_have_no_fee_for_them_and_no_daily_ceilings() {
    for name in ["account-opened", "account-opened-bare", "terms-adopted", "terms-adopted-bare"] {
        let record = decoded(&stored(name));
        let (Event::AccountOpened { terms, .. } | Event::TermsAdopted { terms, .. }) =
            &record.events[0]
        else {
            panic!("{record:?}")
        };
        assert_eq!((terms.purchase, terms.purchase_partner), (Rate::default(), Bps::default()));
        assert_eq!(
            (terms.purchase.bps.get(), terms.purchase.fixed, terms.liquid),
            (0, Cents::ZERO, Cents::ZERO)
        );
        assert_eq!((terms.charged_daily, terms.paid_out_daily), (None, None));
    }
}

#[test]
fn charges_and_holds_written_before_purchases_and_ends_existed_have_none() {
    for name in ["charge-requested", "charge-requested-bare"] {
        let record = decoded(&stored(name));
        let Event::Charge { event: charge::Event::Requested(order), .. } = &record.events[0] else {
            panic!("{record:?}")
        };
        assert_eq!(order.purchase, None, "{name}");
    }
    for name in ["hold-placed", "hold-placed-bare"] {
        let record = decoded(&stored(name));
        let Event::Hold { event: hold::Event::Placed { order, .. }, .. } = &record.events[0] else {
            panic!("{record:?}")
        };
        assert_eq!(order.ends_at, None, "{name}");
    }
}

#[test]
fn every_golden_file_is_of_a_sample() {
    let mut known: BTreeSet<_> =
        samples().into_iter().map(|(name, _)| format!("{name}.txt")).collect();
    known.insert("schema.txt".to_owned());
    if writing() {
        fs::create_dir_all(folder()).unwrap();
    }
    let files = fs::read_dir(folder()).unwrap_or_else(|_| panic!("write them with {COMMAND}"));
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name} is of no sample");
    }
}

/// Every number of every variant and field. Lines may be added; none may change or go.
#[test]
fn the_numbers_are_those_of_the_schema() {
    let mut schema = String::new();
    for (name, record) in samples() {
        writeln!(schema, "{name}").unwrap();
        for line in numbers::fields(&encoded(&record)[1..]) {
            writeln!(schema, "  {line}").unwrap();
        }
    }
    schema += &numbers::of_closed_sets();
    let stored = golden("schema.txt", &schema);
    for (number, (now, then)) in schema.lines().zip(stored.lines()).enumerate() {
        assert_eq!(
            now,
            then,
            "line {} of schema.txt; if an event was added, remove the file and \
            run {COMMAND}: the diff may only add lines",
            number + 1
        );
    }
    assert_eq!(schema.lines().count(), stored.lines().count());
}
