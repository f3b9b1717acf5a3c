//! Statement rows as they stand in tables, read back into the core's own.

use std::collections::BTreeMap;

use ledger_core::accounting::{Row, RowKind};
use ledger_core::contract::{Rows, Vault, Words};
use ledger_core::id::{Environment, LedgerName, OpId, Seq, Token};
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use super::PageError;
use crate::tables::projection::backend::Backend;
use crate::tables::projection::schema::labels::{nature_named, token};
use crate::tables::projection::schema::table::Cell;

/// How many rows are read at once: more than most pages take.
const WINDOW: u32 = 256;

const READ: &str = "\
    SELECT rows.number, rows.seq, rows.event, rows.operation, rows.posted_at, rows.kind, \
        rows.nature, rows.value_cents, rows.balance_after_cents, rows.note_token, \
        operations.status, operations.settlement_status \
    FROM statement_rows AS rows LEFT JOIN operations \
        ON operations.ledger = rows.ledger AND operations.operation = rows.operation \
    WHERE rows.ledger = $1 AND rows.subaccount = $2 AND rows.number <= $3 AND rows.number > $4 \
    ORDER BY rows.number DESC";

/// What stands where a person was erased.
const ERASED: &str = "[apagado]";

/// The rows of one subaccount, read window by window.
pub(in crate::tables::projection) struct Read<'a, V> {
    backend: &'a mut dyn Backend,
    ledger: &'a str,
    subaccount: u32,
    count: u32,
    vault: &'a V,
    /// The ledger's name as one of each environment: tables do not say which it is of.
    names: [LedgerName; 2],
    rows: BTreeMap<u32, Row>,
    operations: BTreeMap<OpId, Operation>,
}

/// What the tables say of an operation.
struct Operation {
    id: String,
    words: Words,
}

impl<'a, V: Vault> Read<'a, V> {
    pub(in crate::tables::projection) fn new(
        backend: &'a mut dyn Backend,
        ledger: &'a str,
        subaccount: u32,
        count: u32,
        vault: &'a V,
    ) -> Self {
        let names = Environment::ALL.map(|environment| LedgerName::new(ledger, environment));
        let (rows, operations) = (BTreeMap::new(), BTreeMap::new());
        Self { backend, ledger, subaccount, count, vault, names, rows, operations }
    }

    /// Reads the rows up to `number`.
    fn fill(&mut self, number: u32) -> Result<(), PageError> {
        let values: [Cell; 4] = [
            self.ledger.into(),
            self.subaccount.into(),
            number.into(),
            number.saturating_sub(WINDOW).into(),
        ];
        for cells in self.backend.read(READ, &values)? {
            let (number, row, operation) = read(&cells, &self.names)
                .ok_or(PageError::Malformed { subaccount: self.subaccount, number })?;
            self.operations.insert(row.op, operation);
            self.rows.insert(number, row);
        }
        Ok(())
    }
}

impl<V: Vault> Rows for Read<'_, V> {
    type Error = PageError;

    fn count(&mut self) -> Result<u32, PageError> {
        Ok(self.count)
    }

    fn row(&mut self, number: u32) -> Result<Row, PageError> {
        if !self.rows.contains_key(&number) {
            self.fill(number)?;
        }
        let missing = PageError::Malformed { subaccount: self.subaccount, number };
        self.rows.get(&number).copied().ok_or(missing)
    }

    fn words(&mut self, op: OpId) -> Result<Words, PageError> {
        // Asked of an operation whose row was just read.
        Ok(self.operations.get(&op).map(|known| known.words.clone()).unwrap_or_default())
    }

    fn id(&mut self, op: OpId) -> String {
        self.operations.get(&op).map(|known| known.id.clone()).unwrap_or_default()
    }

    fn value(&mut self, token: Token) -> String {
        self.vault.value(token).unwrap_or(ERASED).to_owned()
    }
}

fn read(cells: &[Cell], names: &[LedgerName]) -> Option<(u32, Row, Operation)> {
    let [number, seq, event, op, at, kind, nature, value, after, note, status, settlement] = cells
    else {
        return None;
    };
    let note = match note {
        Cell::Null => None,
        note => Some(token(note.text()?)?),
    };
    let id = op.text()?;
    let row = Row {
        seq: Seq(u64::try_from(seq.number()?).ok()?),
        event: u16::try_from(event.number()?).ok()?,
        at: Instant::parse(at.text()?)?,
        op: names.iter().find_map(|ledger| OpId::parse(id, ledger))?,
        kind: RowKind::from_name(kind.text()?)?,
        nature: nature_named(nature.text()?)?,
        value: Balance::new(value.number()?),
        balance_after: Balance::new(after.number()?),
        note,
    };
    let words = Words {
        status: status.text().map(str::to_owned),
        settlement: settlement.text().map(str::to_owned),
    };
    let operation = Operation { id: id.to_owned(), words };
    Some((u32::try_from(number.number()?).ok()?, row, operation))
}
