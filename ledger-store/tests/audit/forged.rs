//! A forger who knows the format: records rewritten, every check and link recomputed.
//!
//! The chain has nothing to say then; what a record cannot have followed must give it away.

use ledger_core::accounting::DayClose;
use ledger_core::id::Seq;
use ledger_core::ledger::{Cause, Corrupt, Event, Record};
use ledger_core::machine::{charge, payout, transfer};
use ledger_core::money::Amount;
use ledger_core::time::{Instant, Span};
use ledger_store::audit::Finding;
use ledger_store::codec;
use ledger_store::journal::Row;
use ledger_store::sequencer::ReplayError;

use super::setup::rows_given::{self, records_of, rows_of};
use super::{audited_rows, finding_of, journal, verified};

/// The story's records with `change` made, chained as if they had been written so.
pub(super) fn forged(change: impl FnOnce(&mut Vec<Record>)) -> Vec<Row> {
    rows_given::forged(&journal().1, change)
}

fn finding(change: impl FnOnce(&mut Vec<Record>)) -> Finding {
    finding_of(&forged(change), "what contradicts the rest")
}

/// Makes `change` to the first event it applies to, and gives the number of its record.
pub(super) fn first(records: &mut [Record], mut change: impl FnMut(&mut Event) -> bool) -> u64 {
    for record in records {
        if record.events.iter_mut().any(&mut change) {
            return record.seq.0;
        }
    }
    panic!("the story has no such event")
}

fn corrupt(finding: &Finding) -> (u64, &Corrupt) {
    match finding {
        Finding::Broken(ReplayError::Corrupt { seq, source }) => (*seq, source),
        other => panic!("{other:?}"),
    }
}

fn more(amount: &mut Amount, cents: i64) {
    *amount = Amount::new(amount.cents() + cents).unwrap();
}

#[test]
fn rewriting_without_a_change_verifies_to_the_same() {
    let (_, rows) = journal();
    let again = rows_of(records_of(&rows).iter().map(Vec::as_slice), 7);
    let whole = verified(&audited_rows(&rows).unwrap());
    assert_eq!(verified(&audited_rows(&again).unwrap()), whole);
}

#[test]
fn a_payout_completed_with_another_amount_cannot_follow() {
    let mut at = 0;
    let finding = finding(|records| {
        at = first(records, |event| match event {
            Event::Payout { event: payout::Event::Completed { amount, .. }, .. } => {
                more(amount, 1);
                true
            }
            _ => false,
        });
    });
    let (seq, reason) = corrupt(&finding);
    assert!(seq == at && matches!(reason, Corrupt::Follows { .. }), "{finding:?}");
}

#[test]
fn a_transfer_from_a_balance_that_lacks_it_cannot_be_posted() {
    let mut at = 0;
    let finding = finding(|records| {
        at = first(records, |event| match event {
            Event::Transfer { event: transfer::Event::Done(order), .. } => {
                more(&mut order.amount, 10_000_000);
                true
            }
            _ => false,
        });
    });
    let (seq, reason) = corrupt(&finding);
    assert!(seq == at && matches!(reason, Corrupt::Post { .. }), "{finding:?}");
}

#[test]
fn a_credit_above_its_receipt_cannot_follow() {
    let mut at = 0;
    let finding = finding(|records| {
        at = first(records, |event| match event {
            Event::Charge { event: charge::Event::Credited { credit, .. }, .. } => {
                more(&mut credit.gross, 1);
                true
            }
            _ => false,
        });
    });
    let (seq, reason) = corrupt(&finding);
    assert!(seq == at && matches!(reason, Corrupt::Follows { .. }), "{finding:?}");
}

#[test]
fn a_receipt_and_credit_above_what_the_charge_asked_cannot_follow() {
    let mut at = 0;
    let finding = finding(|records| {
        at = first(records, |event| match event {
            Event::Charge { event: charge::Event::Credited { payment, credit }, .. }
                if credit.origin == charge::Origin::Provider =>
            {
                more(&mut payment.amount, 100);
                more(&mut credit.gross, 100);
                true
            }
            _ => false,
        });
    });
    let (seq, reason) = corrupt(&finding);
    assert!(seq == at && matches!(reason, Corrupt::Follows { .. }), "{finding:?}");
}

#[test]
fn a_payout_that_was_never_requested_cannot_complete() {
    let mut requested = None;
    let finding = finding(|records| {
        first(records, |event| match event {
            Event::Payout { op, event: payout::Event::Completed { .. } } => {
                requested = Some(*op);
                true
            }
            _ => false,
        });
        let seq = requested.unwrap().seq();
        let record = records.iter_mut().find(|record| record.seq == seq).unwrap();
        record.events.clear();
    });
    let (seq, reason) = corrupt(&finding);
    assert!(seq > requested.unwrap().seq().0, "{finding:?}");
    assert!(matches!(reason, Corrupt::Follows { .. }), "{finding:?}");
}

/// Leaves out what became of a deadline; gives the number of its record.
pub(super) fn pass_over(records: &mut [Record], due: impl Fn(&Event) -> bool) -> u64 {
    let record = records.iter_mut().find(|record| record.events.iter().any(&due)).unwrap();
    record.events.clear();
    record.seq.0
}

fn names_time(finding: &Finding) -> bool {
    matches!(finding, Finding::Invariant { violation, .. } if violation.invariant == "TIME")
}

#[test]
fn a_deadline_that_was_passed_over_breaks_a_law() {
    let finding = finding(|records| {
        records.reverse();
        // The last charge that expired: nothing happens to it afterwards.
        pass_over(records, |event| {
            matches!(event, Event::Charge { event: charge::Event::Expired, .. })
        });
        records.reverse();
    });
    assert!(names_time(&finding), "{finding:?}");
    assert!(finding.seq().is_some());
}

#[test]
fn a_deadline_that_was_passed_over_breaks_a_law_though_later_records_make_up_for_it() {
    let mut at = 0;
    // The first charge that expired is paid from suspense later on, as a pending one could be.
    let finding = finding(|records| {
        at = pass_over(records, |event| {
            matches!(event, Event::Charge { event: charge::Event::Expired, .. })
        });
    });
    assert!(names_time(&finding), "{finding:?}");
    assert!(finding.seq().is_some_and(|seq| seq > at), "{finding:?}");
}

#[test]
fn a_record_dated_before_the_one_it_follows_is_named() {
    let finding = finding(|records| {
        let last = records.last_mut().unwrap();
        last.at = Instant::parse("2026-11-20T12:00:00Z").unwrap();
    });
    let (seq, reason) = corrupt(&finding);
    assert!(matches!(reason, Corrupt::Time { .. }), "{finding:?}");
    let (_, rows) = journal();
    assert_eq!(seq, rows.last().unwrap().last());
}

#[test]
fn a_journal_that_does_not_begin_with_its_opening_is_named_at_record_1() {
    let opened = |event: &Event| matches!(event, Event::LedgerOpened { .. });
    let finding = finding(|records| records[0].events.retain(|event| !opened(event)));
    assert_eq!(finding.seq(), Some(1));
}

#[test]
fn a_journal_of_another_ledgers_name_is_named_at_record_1() {
    let finding = finding(|records| {
        first(records, |event| match event {
            Event::LedgerOpened { name, .. } => {
                *name = "sandbox".into();
                true
            }
            _ => false,
        });
    });
    assert_eq!(finding.seq(), Some(1));
}

#[test]
fn a_harmless_forgery_changes_the_head() {
    // Nothing in the books contradicts another instant of the last record: only the chain tells.
    let rows = forged(|records| {
        let last = records.last_mut().unwrap();
        last.at = last.at.after(Span::seconds(1));
    });
    let (sequencer, _) = journal();
    let head = audited_rows(&rows).unwrap().head().unwrap();
    assert_eq!(head.seq, sequencer.head().seq);
    assert_ne!(head, sequencer.head());
}

#[test]
fn no_forged_byte_makes_an_audit_panic_or_keeps_the_head() {
    let (sequencer, rows) = journal();
    let sound = records_of(&rows);
    let (mut found, mut unseen) = (0, 0);
    let mut place = 0;
    for at in 0..sound.len() {
        for byte in 0..sound[at].len() {
            place += 1;
            if place % 11 != 0 {
                continue;
            }
            let mut records = sound.clone();
            records[at][byte] ^= 1 << (place / 11 % 8);
            let changed = codec::decode(Seq(at as u64 + 1), &records[at]);
            let rows = rows_of(records.iter().map(Vec::as_slice), 50);
            match audited_rows(&rows) {
                Ok(report) => {
                    changed.unwrap();
                    assert_ne!(report.head(), Some(sequencer.head()));
                    unseen += 1;
                }
                Err(finding) => {
                    assert!(finding.seq() > Some(at as u64), "byte {byte} of {at}: {finding:?}");
                    found += 1;
                }
            }
        }
    }
    // Ids, tokens, texts and instants can be forged; amounts, steps and shapes cannot.
    assert!(found > 500 && unseen > 500, "{found} found, {unseen} unseen");
}

#[test]
fn an_external_id_that_made_two_transfers_cannot_follow() {
    let mut known = None;
    let finding = finding(|records| {
        first(records, |event| match event {
            Event::Transfer { event: transfer::Event::Done(order), .. } => match &known {
                None => {
                    known = Some((order.account, order.external_id.clone()));
                    false
                }
                Some((account, id)) => {
                    let same = *account == order.account;
                    if same {
                        order.external_id.clone_from(id);
                    }
                    same
                }
            },
            _ => false,
        });
    });
    assert!(matches!(corrupt(&finding).1, Corrupt::Follows { .. }), "{finding:?}");
}

#[test]
fn a_pix_that_paid_two_charges_cannot_follow() {
    let mut known: Option<Box<str>> = None;
    let finding = finding(|records| {
        first(records, |event| match event {
            Event::Charge { event: charge::Event::Credited { payment, credit }, .. }
                if credit.origin == charge::Origin::Provider =>
            {
                match &known {
                    None => {
                        known = Some(payment.e2e.clone());
                        false
                    }
                    Some(e2e) => {
                        payment.e2e.clone_from(e2e);
                        true
                    }
                }
            }
            _ => false,
        });
    });
    assert!(matches!(corrupt(&finding).1, Corrupt::Follows { .. }), "{finding:?}");
}

#[test]
fn a_day_closed_with_other_amounts_than_its_books_had_cannot_follow() {
    let mut at = 0;
    let finding = finding(|records| {
        let last = records.last().unwrap();
        let (begins, ends) = (last.at.day_begins_in_brasilia(), last.at.next_day_in_brasilia());
        let (seq, cause) = (last.seq.next(), Cause::default());
        at = seq.0;
        let (accounts, statements, open) = (Vec::new(), Vec::new(), Vec::new());
        let last = last.seq;
        let close = DayClose { begins, ends, last, accounts, statements, matching: None, open };
        let events = vec![Event::DayClosed(Box::new(close))];
        records.push(Record { seq, at: ends, events, cause, outside: None, original: None });
    });
    let (seq, reason) = corrupt(&finding);
    assert!(seq == at && matches!(reason, Corrupt::Follows { .. }), "{finding:?}");
}
