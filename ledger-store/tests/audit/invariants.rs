//! An audit of some invariants says of each whether it held, and after which record it did not.

use ledger_core::ledger::Event;
use ledger_core::ledger::invariants::{INVARIANTS, Invariant};
use ledger_core::machine::charge;
use ledger_store::audit::Finding;
use ledger_store::invariant_audit::{Checked, audit_invariants};
use ledger_store::journal::Row;

use super::forged::{forged, pass_over};
use super::setup::LIVE;
use super::setup::rows_given::RowsGiven;
use super::{audited_rows, journal};

fn checked(rows: &[Row], ids: &[&str]) -> Result<Checked, Finding> {
    let asked: Vec<&'static Invariant> =
        ids.iter().map(|id| Invariant::by_id(id).expect("it is listed")).collect();
    audit_invariants(&mut RowsGiven::new(rows.to_vec()), LIVE, &asked, |_| ())
}

/// The last charge that expired did not: nothing happens to it afterwards.
fn passed_over() -> Vec<Row> {
    forged(|records| {
        records.reverse();
        pass_over(records, |event| {
            matches!(event, Event::Charge { event: charge::Event::Expired, .. })
        });
        records.reverse();
    })
}

#[test]
fn of_an_untouched_journal_every_invariant_holds_by_itself() {
    let (sequencer, rows) = journal();
    let ids: Vec<&str> = INVARIANTS.iter().map(|it| it.id).collect();
    let checked = checked(&rows, &ids).unwrap();
    assert_eq!(checked.head, sequencer.head());
    let seen: Vec<&str> = checked.verdicts.iter().map(|it| it.invariant.id).collect();
    assert_eq!(seen, ids);
    for verdict in &checked.verdicts {
        assert!(verdict.broken.is_none(), "{verdict:?}");
    }
    assert_eq!(checked.findings().count(), 0);
}

#[test]
fn of_a_forged_journal_the_broken_one_is_named_with_its_record_and_the_others_hold() {
    let rows = passed_over();
    let whole = audited_rows(&rows).expect_err("an audit of everything finds it");
    let checked = checked(&rows, &["INV-07", "TIME", "OUT-04"]).unwrap();
    let broken = checked.verdicts.iter().map(|it| it.broken.as_ref().map(|broken| broken.seq));
    assert_eq!(broken.collect::<Vec<_>>(), [None, whole.seq(), None]);
    let findings: Vec<Finding> = checked.findings().collect();
    assert!(matches!(
        &findings[..],
        [Finding::Invariant { violation, .. }] if violation.invariant == "TIME"
    ));
}

#[test]
fn of_a_journal_that_cannot_be_replayed_nothing_is_said() {
    let (_, mut rows) = journal();
    rows.remove(1);
    assert!(matches!(checked(&rows, &["INV-07"]), Err(Finding::Broken(_))));
}
