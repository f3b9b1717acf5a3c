//! The archive in memory, held against its records.

use ledger_core::accounting::Row;
use ledger_core::ledger::{Archive as _, Ledger, MapArchive, Operation, Record};
use ledger_core::money::Balance;

/// The ended operations, and every row, are as the records say by themselves.
pub fn assert_archive_is_what_its_records_say(ledger: &Ledger<MapArchive>) {
    let Ledger { state, archive, .. } = ledger;
    for (op, ended) in archive.ended_operations() {
        let trail = archive.records_of(op, state.seq.next());
        assert_eq!(Operation::after(op, &trail).as_ref(), Some(ended));
    }
    for (subaccount, _) in state.books.subaccounts() {
        let kept: Vec<Row> = archive.statement(subaccount).copied().collect();
        let rows = |record: &Record, before| record.rows(subaccount, before);
        assert_eq!(rows_by_records(archive, &kept, rows), kept);
    }
    for (partner, _) in state.books.commissions() {
        let kept: Vec<Row> =
            (1..).map_while(|number| archive.commission_row(partner, number)).collect();
        let rows = |record: &Record, before| record.commission_rows(partner, before);
        assert_eq!(rows_by_records(archive, &kept, rows), kept);
    }
}

/// The rows that the records of these rows tell, each from the balance before it.
fn rows_by_records(
    archive: &MapArchive,
    kept: &[Row],
    rows: impl Fn(&Record, Balance) -> Vec<Row>,
) -> Vec<Row> {
    let mut told: Vec<Row> = Vec::new();
    for Row { seq, .. } in kept {
        if told.last().is_none_or(|last| last.seq != *seq) {
            let before = told.last().map_or(Balance::ZERO, |last| last.balance_after);
            told.extend(rows(&archive.record(*seq).unwrap(), before));
        }
    }
    told
}
