//! Looking ahead: what a block of commands names is looked up together, so that the waits for
//! memory overlap, and each command is then judged on its own.
//!
//! Only what can never change is kept: a subaccount that has a name keeps it. Everything else is
//! read again when the command's turn comes, for a command may depend on the one before it.

use crate::accounting::Account;
use crate::id::SubaccountId;
use crate::ledger::archive::Archive;
use crate::ledger::command::{Command, Intent};
use crate::ledger::{Ledger, Record};

/// How many commands are looked up together: enough to overlap, few enough to stay in the cache.
pub const BLOCK: usize = 64;

/// The subaccounts that a command names, where they were found; a new one may exist by its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefetched(pub(in crate::ledger) [Option<SubaccountId>; 2]);

impl<A: Archive> Ledger<A> {
    /// Looks up what the first [`BLOCK`] of `commands` name: all subaccounts, then all identities,
    /// then all facts and balances. Changes nothing.
    #[must_use]
    pub fn look_ahead<'c>(
        &self,
        commands: impl IntoIterator<Item = &'c Command>,
    ) -> [Prefetched; BLOCK] {
        let mut prefetched = [Prefetched::default(); BLOCK];
        let (mut sought, mut places) =
            (Vec::with_capacity(2 * BLOCK), Vec::with_capacity(2 * BLOCK));
        let (mut identities, mut facts) = (Vec::with_capacity(BLOCK), Vec::new());
        for (index, command) in commands.into_iter().take(BLOCK).enumerate() {
            let Intent::Request(account, request) = &command.what else {
                facts.extend(command.what.outside());
                continue;
            };
            let named = request.references();
            for (side, balance) in named.balances.into_iter().enumerate() {
                if let Some(name) = balance.and_then(|balance| balance.customer) {
                    sought.push((*account, name));
                    places.push((index, side));
                }
            }
            identities.extend(named.identity.map(|(kind, id)| (*account, kind, id)));
        }
        // Names come first, since rows and balances are found by the subaccounts that they name.
        // Each pass reads for all commands before the next begins: no read of a pass needs another
        // of the same, so the processor waits for many at once.
        let mut places = places.into_iter();
        let mut subaccounts = Vec::with_capacity(2 * BLOCK);
        self.archive.subaccounts(&sought, &mut |found| {
            let (index, side) = places.next().expect("a name was sought for every place");
            prefetched[index].0[side] = found;
            subaccounts.extend(found);
        });
        self.archive.look_ahead(&identities);
        self.archive.look_ahead_facts(&facts.iter().collect::<Vec<_>>());
        // Of whoever pays the rules ask whether it waits, of the other whether a hold watches it.
        let sides = if self.state.holds.is_empty() { 1 } else { 2 };
        let asked = prefetched.iter().flat_map(|Prefetched(found)| found.iter().take(sides));
        for subaccount in asked.flatten() {
            self.state.subaccounts.look_ahead(subaccount.0 as usize, |known| known.account);
        }
        self.look_ahead_of(&subaccounts);
        prefetched
    }

    /// Reads what applying these records will read: first of all identities, then of all facts and
    /// subaccounts. Changes nothing.
    pub fn look_ahead_at(&self, records: &[Record]) {
        let (mut identities, mut subaccounts) = (Vec::new(), Vec::new());
        for event in records.iter().flat_map(|record| &record.events) {
            if let Some((op, account, Some(id))) = event.creation() {
                identities.push((account, op.kind(), id));
            }
            for m in event.entry().moves() {
                subaccounts.extend([m.debit, m.credit].iter().filter_map(Account::subaccount));
            }
        }
        self.archive.look_ahead(&identities);
        let facts = records.iter().filter_map(|record| record.outside.as_ref());
        self.archive.look_ahead_facts(&facts.collect::<Vec<_>>());
        self.look_ahead_of(&subaccounts);
    }

    /// Reads what entries of these subaccounts will read and write, one kind of it after the other,
    /// so that nothing but the reading stands between two waits.
    fn look_ahead_of(&self, subaccounts: &[SubaccountId]) {
        for subaccount in subaccounts {
            self.state.books.look_ahead(*subaccount);
        }
        self.archive.look_ahead_rows(subaccounts);
    }
}
