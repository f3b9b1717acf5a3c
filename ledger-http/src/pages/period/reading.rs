//! The reading of a statement's rows: those of a period are found by halving, and some are taken
//! in each read, so that none takes long.

use ledger_core::accounting::Nature;
use ledger_core::contract::Environment;
use ledger_core::id::SubaccountId;
use ledger_core::ledger::Archive as _;
use ledger_core::money::Balance;
use ledger_core::time::Instant;
use ledger_store::days::Span;
use ledger_store::sequencer::Sequencer;

use super::StatementOf;
use crate::pages::lang::Lang;
use crate::pages::ledger::words;

/// The statement of a subaccount for a period.
pub(in crate::pages) struct PeriodStatement {
    pub(super) lang: Lang,
    pub(super) environment: Environment,
    pub(super) institution: Option<String>,
    pub(super) account: String,
    pub(super) customer: Option<String>,
    pub(super) span: Span,
    /// The last record that it knows of, and when that was decided.
    pub(super) record: u64,
    pub(super) as_of: Instant,
    pub(super) opening: Balance,
    pub(super) lines: Vec<Line>,
    subaccount: SubaccountId,
    /// The rows that are still to be read: the number before the next, and the last.
    read: u32,
    last: u32,
}

/// A row of the statement, with its number.
pub(super) struct Line {
    pub(super) at: Instant,
    /// Its number in the whole statement, from 1.
    pub(super) number: u32,
    pub(super) operation: String,
    /// What the client called it, or what it is.
    pub(super) text: String,
    pub(super) is_fee: bool,
    pub(super) value: Balance,
    pub(super) balance_after: Balance,
    pub(super) record: u64,
}

impl PeriodStatement {
    /// Finds the rows; none where there is no such account or customer.
    pub(in crate::pages) fn begin(
        sequencer: &Sequencer,
        of: &StatementOf<'_>,
        lang: Lang,
    ) -> Option<Self> {
        let ledger = sequencer.ledger();
        let state = &ledger.state;
        let account = state.account_named(of.account)?;
        let subaccount = sequencer.views().party(account, of.customer)?;
        let rows = state.books.subaccount(subaccount).rows;
        // Rows are dated in their order.
        let dated_before = |at: Instant| {
            let (mut low, mut high) = (0, rows);
            while low < high {
                let middle = low + (high - low) / 2;
                if ledger.archive.row(subaccount, middle + 1)?.at < at {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            Some(low)
        };
        let (read, last) = (dated_before(of.span.begins())?, dated_before(of.span.ends())?);
        let opening = match read {
            0 => Balance::ZERO,
            number => ledger.archive.row(subaccount, number)?.balance_after,
        };
        Some(Self {
            lang,
            environment: state.name.environment(),
            institution: of.institution.map(str::to_owned),
            account: of.account.to_owned(),
            customer: of.customer.map(str::to_owned),
            span: of.span,
            record: state.seq.0,
            as_of: state.now,
            opening,
            lines: Vec::new(),
            subaccount,
            read,
            last,
        })
    }

    /// How many rows it has.
    pub(in crate::pages) fn rows(&self) -> u32 {
        self.last - self.read + u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Reads at most so many rows more; tells whether some are left.
    pub(in crate::pages) fn go_on(&mut self, sequencer: &Sequencer, most: u32) -> bool {
        let ledger = sequencer.ledger();
        let until = self.last.min(self.read.saturating_add(most));
        while self.read < until {
            let number = self.read + 1;
            let Some(row) = ledger.archive.row(self.subaccount, number) else { return false };
            let label = || words::row(row.kind, row.nature, self.lang).to_owned();
            let text = row.note.map_or_else(label, |note| sequencer.views().value(note));
            self.lines.push(Line {
                at: row.at,
                number,
                operation: row.op.text(&ledger.state.name),
                text,
                is_fee: row.nature == Nature::Fee,
                value: row.value,
                balance_after: row.balance_after,
                record: row.seq.0,
            });
            self.read = number;
        }
        self.read < self.last
    }

    /// The balance at the end of the period.
    pub(super) fn closing(&self) -> Balance {
        self.lines.last().map_or(self.opening, |line| line.balance_after)
    }

    /// Returns what came in, and what went out, in centavos.
    pub(super) fn sums(&self) -> (i128, i128) {
        let cents = self.lines.iter().map(|line| i128::from(line.value.cents()));
        cents.fold((0, 0), |(came, went), of| (came + of.max(0), went + of.min(0)))
    }

    /// The end of the period, or the last record's moment where that is earlier.
    pub(super) fn until(&self) -> Instant {
        let last = Instant::from_micros(self.span.ends().micros() - 1).unwrap_or_default();
        self.as_of.min(last)
    }
}
