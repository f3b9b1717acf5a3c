//! Golden files: every kind of record as the first version wrote it.
//!
//! A file of `tests/golden/v1/` has the record's bytes in hexadecimal, an empty line, and for whoever
//! reads it the record in words.
//! `GOLDEN=write cargo test -p ledger-store --test codec` writes the files that are missing; those
//! that are there are never written again, since journals in use have the same bytes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use ledger_store::codec::VERSION;

use super::catalogue::samples;
use super::{decoded, encoded, numbers};

const COMMAND: &str = "GOLDEN=write cargo test -p ledger-store --test codec";

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

/// What the golden file of this name holds, written first where it is missing and asked for.
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
        assert_eq!(hex(&encoded(&read)), hex(&stored), "{name}");
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
