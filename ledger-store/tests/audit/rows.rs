//! Whole rows: moved, dropped, repeated, cut off, or of another past.

use ledger_store::audit::Finding;
use ledger_store::journal::{Head, Row};

use super::setup::rows_given::{RowsGiven, records_of, rows_of};
use super::{audited, audited_rows, finding_of, journal, verified};

fn named(rows: &[Row]) -> Option<u64> {
    finding_of(rows, "rows that are not as they were").seq()
}

fn end(row: &Row) -> Head {
    Head { seq: row.last(), link: row.link }
}

#[test]
fn rows_in_another_order_are_named_where_the_order_breaks() {
    let (_, mut rows) = journal();
    rows.swap(1, 2);
    assert_eq!(named(&rows), Some(rows[2].first));
}

#[test]
fn rows_that_changed_places_and_numbers_are_named_where_they_do_not_belong() {
    let (_, mut rows) = journal();
    let alike = rows.windows(2).position(|pair| pair[0].count == pair[1].count);
    let at = alike.expect("two rows in succession that hold equally many records");
    let firsts = [rows[at].first, rows[at + 1].first];
    rows.swap(at, at + 1);
    [rows[at].first, rows[at + 1].first] = firsts;
    assert_eq!(named(&rows), Some(firsts[0]));
}

#[test]
fn a_row_that_is_gone_is_named_by_its_first_record() {
    let (_, sound) = journal();
    for at in 0..sound.len() - 1 {
        let mut rows = sound.clone();
        let gone = rows.remove(at);
        assert_eq!(named(&rows), Some(gone.first));
    }
}

#[test]
fn a_row_read_twice_is_named_where_the_next_one_should_begin() {
    let (_, sound) = journal();
    for at in 0..sound.len() {
        let mut rows = sound.clone();
        rows.insert(at, sound[at].clone());
        assert_eq!(named(&rows), Some(sound[at].last() + 1));
    }
}

#[test]
fn a_row_without_records_is_no_row() {
    let (_, sound) = journal();
    for at in 1..=sound.len() {
        let mut rows = sound.clone();
        let before = &sound[at - 1];
        let first = before.last() + 1;
        rows.insert(at, Row { first, count: 0, payload: Vec::new(), link: before.link });
        assert_eq!(named(&rows), Some(first), "after row {}", at - 1);
    }
}

#[test]
fn a_cut_tail_is_seen_by_whoever_kept_a_head() {
    let (sequencer, mut rows) = journal();
    let kept = sequencer.head();
    let whole = rows.len();
    while rows.len() > 1 {
        rows.pop();
        let found = rows.last().unwrap().last();
        // Without a head kept elsewhere, an earlier end is an end like any other.
        let report = audited_rows(&rows).unwrap();
        assert_eq!(report.head().map(|head| head.seq), Some(found));
        let finding = audited(&mut RowsGiven::new(rows.clone()), Some(kept)).unwrap_err();
        assert!(
            matches!(finding, Finding::Truncated { expected, found: end }
                if expected == kept.seq && end == found),
            "{finding:?}"
        );
        assert_eq!(finding.seq(), Some(found + 1));
    }
    assert!(whole > 5);
}

#[test]
fn an_empty_journal_is_seen_by_whoever_kept_a_head() {
    let (sequencer, _) = journal();
    let finding = audited(&mut RowsGiven::new(Vec::new()), Some(sequencer.head())).unwrap_err();
    assert!(matches!(finding, Finding::Truncated { found: 0, .. }), "{finding:?}");
}

#[test]
fn every_head_of_the_chain_is_recognised_and_no_other() {
    let (sequencer, rows) = journal();
    let whole = verified(&audited_rows(&rows).unwrap());
    let mut chain = super::setup::rows_given::genesis();
    let mut heads = vec![Head::from_chain(&chain)];
    heads.extend(records_of(&rows).iter().map(|record| {
        chain.push(record);
        Head::from_chain(&chain)
    }));
    assert_eq!(heads.last(), Some(&sequencer.head()));
    for head in heads.iter().step_by(23).chain(heads.last()) {
        let kept = audited(&mut RowsGiven::new(rows.clone()), Some(*head)).unwrap();
        assert_eq!(verified(&kept), whole);
        let mut other = *head;
        other.link.0[31] ^= 1;
        let finding = audited(&mut RowsGiven::new(rows.clone()), Some(other)).unwrap_err();
        assert!(matches!(finding, Finding::OtherPast { seq } if seq == head.seq), "{finding:?}");
    }
}

#[test]
fn a_whole_journal_of_another_past_is_distinguished_by_the_head_that_was_kept() {
    let (sequencer, rows) = journal();
    let mut records = records_of(&rows);
    // The last record is left out: a shorter history, sound in itself.
    records.pop();
    let other = rows_of(records.iter().map(Vec::as_slice), 50);
    let kept = end(&rows[2]);
    audited(&mut RowsGiven::new(other.clone()), Some(kept)).unwrap();
    let finding = audited(&mut RowsGiven::new(other), Some(sequencer.head())).unwrap_err();
    assert!(matches!(finding, Finding::Truncated { .. }), "{finding:?}");
}

#[test]
fn each_of_many_kept_heads_is_proved_and_the_first_that_is_wrong_is_named() {
    let (sequencer, rows) = journal();
    let mut chain = super::setup::rows_given::genesis();
    let mut heads: Vec<Head> = Vec::new();
    for record in records_of(&rows) {
        chain.push(&record);
        heads.push(Head::from_chain(&chain));
    }
    // Lines of several runs need be in no order, and may say one thing twice.
    heads.reverse();
    heads.push(sequencer.head());
    let kept = |heads: &[Head]| {
        let expect = ledger_store::audit::Expect { heads: heads.to_vec() };
        ledger_store::audit::audit(
            &mut RowsGiven::new(rows.clone()),
            super::setup::LIVE,
            expect,
            |_| (),
        )
    };
    let text = kept(&heads).unwrap().to_string();
    let expected =
        format!("verified against {}, the last of record {}", heads.len(), sequencer.head().seq);
    assert!(text.contains(&expected), "{text}");
    let none = kept(&[]).unwrap().to_string();
    assert!(none.contains("verified against no kept head"), "{none}");
    for seq in [1, 77, sequencer.head().seq] {
        let mut wrong = heads.clone();
        let place = wrong.iter().position(|head| head.seq == seq).unwrap();
        wrong[place].link.0[0] ^= 1;
        let finding = kept(&wrong).unwrap_err();
        assert!(
            matches!(finding, Finding::OtherPast { seq: named } if named == seq),
            "{finding:?}"
        );
    }
    let beyond = Head { seq: sequencer.head().seq + 1, link: sequencer.head().link };
    let finding = kept(&[&heads[..], &[beyond]].concat()).unwrap_err();
    assert!(
        matches!(finding, Finding::Truncated { expected, .. } if expected == beyond.seq),
        "{finding:?}"
    );
}
