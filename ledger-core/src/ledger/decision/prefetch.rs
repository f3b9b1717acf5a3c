//! Looking ahead: what a block of commands names is looked up together, so that the waits for
//! memory overlap, and each command is then judged on its own.
//!
//! Only what can never change is kept: a subaccount that has a name keeps it. Everything else is
//! read again when the command's turn comes, for a command may depend on the one before it.

use crate::accounting::Account;
use crate::id::{AccountId, Kind, SubaccountId};
use crate::ledger::archive::Archive;
use crate::ledger::command::{Command, Intent, Request};
use crate::ledger::conversion::request::FundingRequest;
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
            let Some((account, names, identity)) = named(command) else {
                facts.extend(command.what.outside());
                continue;
            };
            for (side, name) in names.into_iter().enumerate() {
                if let Some(name) = name {
                    sought.push((account, name));
                    places.push((index, side));
                }
            }
            identities.extend(identity.map(|(kind, id)| (account, kind, id)));
        }
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
            if let Some((op, account, Some(id))) = event.created() {
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

/// The account, the subaccounts by name, and the identity that a request names.
#[allow(clippy::type_complexity)] // Three things a request names, for this file alone.
fn named(command: &Command) -> Option<(AccountId, [Option<&str>; 2], Option<(Kind, &str)>)> {
    let Intent::Request(account, request) = &command.what else { return None };
    let (customers, kind, id) = match request {
        Request::Charge(r) => ([&r.customer, &None], Kind::Charge, &r.external_id),
        Request::Transfer(r) => ([&r.from, &r.to], Kind::Transfer, &r.external_id),
        Request::Payout(r) => ([&r.customer, &None], Kind::Payout, &r.external_id),
        Request::Conversion(r) => match &r.source {
            FundingRequest::Custody { customer, .. } => {
                ([customer, &None], Kind::Conversion, &r.external_id)
            }
            FundingRequest::Commission => return None,
        },
        Request::CashOut(_)
        | Request::AcceptCashOut { .. }
        | Request::RefundAddress { .. }
        | Request::Settings(_)
        | Request::RotateKey(_)
        | Request::Wallet(_)
        | Request::Agent(_) => return None,
    };
    let names = customers.map(|customer| customer.as_deref());
    Some((*account, names, id.as_deref().map(|id| (kind, id))))
}
