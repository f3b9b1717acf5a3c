//! Audits in pieces: what is kept of one is gone on from by another, which says what an audit from
//! the first record says; and every state that is not to be trusted is refused.

use std::cell::RefCell;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use ledger_store::audit::{
    AuditedState, Expect, Finding, InProgress, Pieces, StateRefused, Stopped, audit_in_pieces,
};
use ledger_store::journal::{Head, Row};
use ledger_store::report::{Report, Section};
use ledger_store::signing::key::{Signer, Verifier};
use tempfile::TempDir;

use super::audited_rows;
use super::journal;
use super::setup::LIVE;
use super::setup::rows_given::{RowsGiven, records_of, rows_of};

fn signer() -> Signer {
    Signer::new("auditor.example.com", [9; 32]).unwrap()
}

fn key() -> Verifier {
    signer().of_ledger(LIVE, LIVE).verifier()
}

/// The rows of the story's first records, in rows of so many.
fn first_rows(count: usize, size: u32) -> Vec<Row> {
    let (_, rows) = journal();
    let records = records_of(&rows);
    rows_of(records.iter().take(count).map(Vec::as_slice), size)
}

fn whole() -> Vec<Row> {
    journal().1
}

/// Audits rows from a state on, and keeps the audit's own in `into`.
fn audited_from(
    rows: &[Row],
    from: Option<&AuditedState>,
    (into, every): (&Path, Option<u64>),
    heads: Vec<Head>,
) -> Result<Report, Stopped<std::io::Error>> {
    let pieces = Pieces { from, every: every.and_then(NonZeroU64::new) };
    let keep = |stands: &InProgress<'_>| {
        // In one piece, as whoever keeps states does: the one begun with may stand there.
        let part = into.with_extension("part");
        stands.write(&mut fs::File::create(&part)?, &signer())?;
        fs::rename(part, into)
    };
    let mut given = RowsGiven::new(rows.to_vec());
    audit_in_pieces(&mut given, LIVE, (Expect { heads }, pieces), |_| (), keep)
}

/// A state of the story's first records, in a folder of its own.
fn kept(count: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.audited");
    audited_from(&first_rows(count, 50), None, (&path, None), Vec::new()).unwrap();
    (folder, path)
}

fn opened(path: &Path, rows: &[Row]) -> Result<AuditedState, StateRefused> {
    AuditedState::open(path, &key(), &mut RowsGiven::new(rows.to_vec()), LIVE)
}

fn sections(report: &Report) -> Vec<Section> {
    let sections = &report.sheet().unwrap().sections;
    sections.iter().filter(|section| section.key != "begun_with").cloned().collect()
}

/// Returns what was kept, without what was signed.
fn body(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let (whole, length) = bytes.split_last_chunk::<8>().unwrap();
    let note = usize::try_from(u64::from_le_bytes(*length)).unwrap();
    whole[..whole.len() - note].to_vec()
}

#[test]
fn an_audit_from_a_state_on_says_what_one_from_the_first_record_says_and_whose_word_it_begins_with()
{
    let rows = whole();
    let last = usize::try_from(rows.last().unwrap().last()).unwrap();
    let from_the_first = tempfile::tempdir().unwrap();
    let at_the_end = from_the_first.path().join("live.audited");
    let full = audited_from(&rows, None, (&at_the_end, None), Vec::new()).unwrap();
    // At the end of a row of the journal and within one, after the first record and at the last.
    for count in [1, 50, 77, 150, last - 1, last] {
        let (folder, path) = kept(count);
        let state = opened(&path, &rows).unwrap();
        assert_eq!(state.head().seq, count as u64);
        assert_eq!(state.signed_by(), "auditor.example.com/live/live");
        let again = folder.path().join("again");
        let report = audited_from(&rows, Some(&state), (&again, None), Vec::new()).unwrap();
        assert_eq!((report.head(), report.state()), (full.head(), full.state()));
        assert_eq!(sections(&report), sections(&full), "from {count}");
        let text = report.to_string();
        assert!(text.starts_with(&format!("Ledger live: verified from record {} on\n", count + 1)));
        assert!(text.contains(&format!(
            "state at record {count} that auditor.example.com/live/live signed"
        )));
        assert!(text.contains(&format!("not proved     records 1 to {count}: they were not read")));
        // The auditor's own books, those of the outcome among them, are the last of the body; what
        // stands before them is in no order.
        let (books, others) = (body(&again), body(&at_the_end));
        let same = books.iter().rev().zip(others.iter().rev()).take_while(|(a, b)| a == b);
        assert!(same.count() > 6_000, "from {count}");
    }
    assert!(full.to_string().starts_with("Ledger live: verified\n"));
    assert!(full.sheet().unwrap().section("begun_with").is_none());
}

#[test]
fn a_state_is_kept_after_each_so_many_records_and_can_be_gone_on_from() {
    let rows = whole();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.audited");
    let at: RefCell<Vec<u64>> = RefCell::default();
    let keep = |stands: &InProgress<'_>| {
        at.borrow_mut().push(stands.head().seq);
        stands.write(&mut fs::File::create(&path)?, &signer())?;
        // The audit is interrupted after the third.
        if at.borrow().len() == 3 { Err(std::io::Error::other("killed")) } else { Ok(()) }
    };
    let pieces = Pieces { from: None, every: NonZeroU64::new(60) };
    let mut given = RowsGiven::new(rows.clone());
    let stopped = audit_in_pieces(&mut given, LIVE, (Expect::default(), pieces), |_| (), keep);
    assert!(matches!(stopped, Err(Stopped::Keep(_))), "{stopped:?}");
    assert_eq!(*at.borrow(), [60, 120, 180]);
    let state = opened(&path, &rows).unwrap();
    assert_eq!(state.head().seq, 180);
    let report = audited_from(&rows, Some(&state), (&path, Some(60)), Vec::new()).unwrap();
    assert_eq!(report.state(), audited_rows(&rows).unwrap().state());
    assert_eq!(opened(&path, &rows).unwrap().head(), report.head().unwrap());
}

#[test]
fn whatever_byte_of_a_state_is_changed_it_is_refused() {
    let rows = whole();
    let (folder, path) = kept(120);
    let bytes = fs::read(&path).unwrap();
    let changed = folder.path().join("changed");
    // Every byte of what is signed, and some of the body.
    let notes = bytes.len() - 700;
    for place in (0..notes).step_by(notes / 200).chain(notes..bytes.len()) {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        fs::write(&changed, bytes).unwrap();
        let state = opened(&changed, &rows);
        assert!(state.is_err(), "byte {place} of {}: {state:?}", path.display());
    }
    for length in [0, 10, 31, 40, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&changed, &bytes[..length]).unwrap();
        assert!(opened(&changed, &rows).is_err(), "{length} bytes");
    }
    let mut longer = bytes;
    longer.push(0);
    fs::write(&changed, longer).unwrap();
    assert!(opened(&changed, &rows).is_err());
    assert!(matches!(opened(folder.path(), &rows), Err(StateRefused::Malformed(_))));
}

#[test]
fn a_state_of_another_key_or_ledger_or_past_the_end_is_refused_by_name() {
    let rows = whole();
    let (_folder, path) = kept(120);
    let other = Signer::new("auditor.example.com", [8; 32]).unwrap().of_ledger(LIVE, LIVE);
    let of = |key: &Verifier, name: &str, rows: &[Row]| {
        AuditedState::open(&path, key, &mut RowsGiven::new(rows.to_vec()), name).unwrap_err()
    };
    assert!(matches!(of(&other.verifier(), LIVE, &rows), StateRefused::Note(_)));
    let sandbox = signer().of_ledger("sandbox", "sandbox").verifier();
    assert!(matches!(of(&sandbox, LIVE, &rows), StateRefused::Note(_)));
    let refused = of(&key(), "sandbox", &rows);
    assert!(matches!(refused, StateRefused::OtherLedger { .. }), "{refused:?}");
    let refused = of(&key(), LIVE, &first_rows(100, 50));
    assert!(matches!(refused, StateRefused::PastTheEnd { records: 120, last: 100 }), "{refused:?}");
}

#[test]
fn what_is_wrong_after_the_state_is_found_and_no_state_is_kept_of_it() {
    let rows = whole();
    let (folder, path) = kept(120);
    let state = opened(&path, &rows).unwrap();
    let mut flipped = rows.clone();
    let row = flipped.iter_mut().find(|row| row.first > 150).unwrap();
    let first = row.first;
    row.payload[12] ^= 1;
    let into = folder.path().join("none");
    let found = audited_from(&flipped, Some(&state), (&into, None), Vec::new()).unwrap_err();
    let Stopped::Finding(finding) = found else { panic!("{found:?}") };
    // Following the chain, or reading back what an earlier record asks for.
    let named = format!("{finding:?}");
    let here = finding.seq() == Some(first) || named.contains(&format!("record {first} "));
    assert!(here, "{named}");
    assert!(!into.exists());
}

#[test]
fn heads_kept_before_and_after_the_state_are_proved() {
    let rows = whole();
    let (folder, path) = kept(120);
    let into = folder.path().join("again");
    let state = opened(&path, &rows).unwrap();
    let heads = |places: [usize; 3]| -> Vec<Head> {
        places.map(|place| Head { seq: rows[place].last(), link: rows[place].link }).to_vec()
    };
    let kept = heads([0, 1, rows.len() - 1]);
    let audited = |heads: Vec<Head>| audited_from(&rows, Some(&state), (&into, None), heads);
    assert!(audited(kept.clone()).unwrap().to_string().contains("verified against 3"));
    for place in 0..3 {
        let mut wrong = kept.clone();
        wrong[place].link.0[3] ^= 1;
        let seq = wrong[place].seq;
        let found = audited(wrong).unwrap_err();
        let named =
            matches!(found, Stopped::Finding(Finding::OtherPast { seq: found }) if found == seq);
        assert!(named, "{found:?}");
    }
}
