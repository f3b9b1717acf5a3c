//! What entries credited and debited to every subaccount, added up by the auditor's own hand: the
//! other side of "the balance is the sum of entries".

use ledger_core::accounting::{Account, Entry, Nature};
use ledger_core::id::SubaccountId;
use ledger_core::ledger::invariants::Violation;
use ledger_core::ledger::{Event, Record, State};

/// The movements of every subaccount.
#[derive(Clone, Debug, Default)]
pub(crate) struct Movements(pub(crate) Vec<Movement>);

/// The movements of one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Movement {
    /// How many legs were rows of its statement.
    pub(crate) rows: u32,
    /// The sum of credits, in centavos.
    pub(crate) credited: i128,
    /// The sum of debits, in centavos, below zero.
    pub(crate) debited: i128,
}

impl Movements {
    /// The invariant that is found broken where sums differ: a balance is the sum of its rows.
    pub(crate) const INVARIANT: &str = "INV-08";

    /// Adds what `record` moved, and compares what it touched with the books after it.
    ///
    /// # Errors
    ///
    /// INV-08 for the first subaccount whose balance or count of rows is not what entries add up
    /// to.
    pub(crate) fn count(&mut self, record: &Record, state: &State) -> Result<(), Violation> {
        if let [event] = &record.events[..] {
            let entry = event.entry();
            self.add_entry(&entry);
            return self.compare_touched(&entry, state);
        }
        for event in &record.events {
            self.add_entry(&event.entry());
        }
        let mut entries = record.events.iter().map(Event::entry);
        entries.try_for_each(|entry| self.compare_touched(&entry, state))
    }

    /// Returns what moved on a subaccount.
    pub(crate) fn of_subaccount(&self, subaccount: SubaccountId) -> Movement {
        self.0.get(subaccount.0 as usize).copied().unwrap_or_default()
    }

    fn add_entry(&mut self, entry: &Entry) {
        for m in entry.moves().filter(|m| m.nature != Nature::Shift) {
            self.add(m.debit.subaccount(), -m.amount.cents());
            self.add(m.credit.subaccount(), m.amount.cents());
        }
    }

    fn compare_touched(&self, entry: &Entry, state: &State) -> Result<(), Violation> {
        let accounts = entry.moves().flat_map(|m| [&m.debit, &m.credit]);
        let mut touched = accounts.filter_map(Account::subaccount);
        touched.try_for_each(|subaccount| self.compare(subaccount, state))
    }

    fn add(&mut self, subaccount: Option<SubaccountId>, value: i64) {
        let Some(SubaccountId(index)) = subaccount else { return };
        let index = index as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, Movement::default());
        }
        let known = &mut self.0[index];
        known.rows += 1;
        let side = if value < 0 { &mut known.debited } else { &mut known.credited };
        *side += i128::from(value);
    }

    fn compare(&self, subaccount: SubaccountId, state: &State) -> Result<(), Violation> {
        let (moved, known) = (self.of_subaccount(subaccount), state.books.subaccount(subaccount));
        let sum = moved.credited + moved.debited;
        let balance = known.total().cents();
        if sum == i128::from(balance) && moved.rows == known.rows {
            return Ok(());
        }
        let what = format!(
            "{subaccount:?} has {balance} centavos and {} rows, its entries add up to {sum} in {}",
            known.rows, moved.rows
        );
        Err(Violation { invariant: Self::INVARIANT, what })
    }
}
