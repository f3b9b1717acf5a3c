//! What the core posts for every golden record, written down for a second implementation.
//!
//! A line is a golden file's name, the number of an event, and a leg: side, account, commodity,
//! number of smallest units; or `-` for an event that posts nothing, and `impossible` for one that no
//! ledger can have: golden records have every field, and some of these rule one another out.

use std::fmt::Write as _;
use std::fs;

use ledger_core::accounting::Side;
use ledger_core::id::Seq;
use ledger_core::ledger::Event;
use ledger_store::codec;

use super::document::writing;
use super::source::root;

const COMMAND: &str = "GOLDEN=write cargo test -p ledger-tools --test format";

#[test]
fn the_list_of_entries_is_what_the_core_posts_for_every_golden_record() {
    let folder = root().join("ledger-store/tests/golden/v1");
    let files = fs::read_dir(folder).expect("the golden records are there");
    let mut files: Vec<_> = files.map(|file| file.expect("the folder is read").path()).collect();
    files.sort();
    let mut made = String::new();
    for file in files {
        let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        if name == "schema" {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a golden record is read");
        let (digits, _) = text.split_once("\n\n").expect("bytes stand before words");
        let record = codec::decode(Seq(0), &bytes(digits)).expect("a golden record decodes");
        for (index, event) in record.events.iter().enumerate() {
            for leg in legs(event) {
                let _ = writeln!(made, "{name} {index} {leg}");
            }
        }
    }
    let path = root().join("tests/verifier/entries.txt");
    if writing() {
        fs::write(&path, &made).expect("the list is written");
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let differs = made.lines().zip(kept.lines()).find(|(made, kept)| made != kept);
    assert!(made == kept, "{} is not what is posted: {differs:?}; {COMMAND}", path.display());
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let text = |pair: &[u8]| String::from_utf8(pair.to_vec()).expect("digits are text");
    let byte = |pair: &[u8]| u8::from_str_radix(&text(pair), 16).expect("two digits are a byte");
    digits.chunks(2).map(byte).collect()
}

fn legs(event: &Event) -> Vec<String> {
    let Ok(entry) = std::panic::catch_unwind(|| event.entry()) else {
        return vec!["impossible".to_owned()];
    };
    let mut legs = Vec::new();
    for posting in entry.postings() {
        let side = if posting.side == Side::Debit { "Dr" } else { "Cr" };
        legs.push(format!("{side} {} BRL {}", posting.account, posting.amount.cents()));
    }
    for m in entry.coin_moves() {
        for (side, account) in [("Dr", m.debit), ("Cr", m.credit)] {
            legs.push(format!("{side} {account} asset{} {}", m.asset.0, m.units));
        }
    }
    if entry.is_forced() {
        legs.push("forced".to_owned());
    }
    if legs.is_empty() {
        legs.push("-".to_owned());
    }
    legs
}
