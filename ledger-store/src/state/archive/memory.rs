//! The archive in memory: identities, ended operations and statement rows, kept beside the state.
//!
//! Append-only indexes stand here, outside the cloned state, because a persistent map costs several
//! times as much to write (DESIGN.md, "Why does the archive stand outside the state?").

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::ledger::{Archive, ExternalId, Operation, Record};
use ledger_core::machine::transfer;
use ledger_core::money::{Amount, Balance};
use ledger_core::time::Instant;

use super::arena::{Arena, Piece, Slot, Texts};
use super::names::Names;

/// Everything an [`Archive`] keeps, in memory.
///
/// ```
/// use ledger_core::ledger::invariants::check_all;
/// use ledger_core::ledger::{Cause, Command, Fact, Intent, Ledger, Origin, Outcome, Reported};
/// use ledger_core::time::Instant;
/// use ledger_store::archive::MemoryArchive;
///
/// let mut ledger = Ledger::new("live", MemoryArchive::default());
/// let at = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let what = Intent::Fact(Reported { id: None, fact: Fact::TimePassed });
/// let done = ledger.execute(Command { at, cause: Cause::new(Origin::Call), what });
/// assert_eq!(done.answer, Ok(Outcome::Applied(None)));
/// assert_eq!((done.records.len(), ledger.state.now), (1, at));
/// assert_eq!(check_all(&ledger.state, &ledger.archive), Ok(())); // Every invariant holds.
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryArchive {
    hasher: DefaultHashBuilder,
    texts: Texts,
    names: Names,
    identities: Arena<Identity>,
    identity_index: HashTable<Slot>,
    outside: HashMap<ExternalId, Seq>,
    transfers: Arena<Transfer>,
    others: HashMap<OpId, Operation>,
    rows: Arena<Row>,
    commissions: BTreeMap<AccountId, Vec<Row>>,
    statements: Vec<Vec<u32>>,
}

/// A transfer without a string of its own: its external id is its identity's.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    op: OpId,
    at: Instant,
    account: AccountId,
    from: SubaccountId,
    to: SubaccountId,
    amount: Amount,
    external_id: Option<Piece>,
    note: Option<Token>,
}

#[derive(Clone, Copy, Debug)]
struct Identity {
    account: AccountId,
    kind: Kind,
    text: Piece,
    op: OpId,
}

impl MemoryArchive {
    /// An empty archive.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All facts seen, with the record that first brought each, in an order of their own.
    #[must_use]
    pub fn outside_in_order(&self) -> Vec<(&ExternalId, Seq)> {
        let mut all: Vec<_> = self.outside.iter().map(|(outside, seq)| (outside, *seq)).collect();
        all.sort_unstable();
        all
    }

    /// All identities, in the order they were learnt.
    pub fn identities(&self) -> impl Iterator<Item = (AccountId, Kind, &str, OpId)> {
        self.identities.iter().map(|id| (id.account, id.kind, self.texts.get(id.text), id.op))
    }

    /// All ended operations, by id.
    #[must_use]
    pub fn ended_in_order(&self) -> Vec<(OpId, Operation)> {
        let transfers = self.transfers.iter().map(|kept| (kept.op, self.transfer(kept)));
        let others = self.others.iter().map(|(op, operation)| (*op, operation.clone()));
        let mut all: Vec<_> = transfers.chain(others).collect();
        all.sort_unstable_by_key(|(op, _)| *op);
        all
    }

    fn transfer(&self, kept: &Transfer) -> Operation {
        let order = transfer::Order {
            account: kept.account,
            from: kept.from,
            to: kept.to,
            amount: kept.amount,
            external_id: kept.external_id.map(|text| self.texts.get(text).into()),
            note: kept.note,
        };
        Operation::from_transfer(order, kept.at)
    }
}

impl Archive for MemoryArchive {
    fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        self.names.subaccount(account, customer)
    }

    fn subaccounts(&self, named: &[(AccountId, &str)], each: &mut dyn FnMut(Option<SubaccountId>)) {
        self.names.subaccounts(named, each);
    }

    fn customer(&self, subaccount: SubaccountId) -> Option<&str> {
        self.names.customer(subaccount)
    }

    fn identity(&self, account: AccountId, kind: Kind, external_id: &str) -> Option<OpId> {
        let sought = Slot::new(self.hasher.hash_one((account, kind, external_id)), 0);
        let known = |slot: &Slot| self.identities.get(slot.index as usize);
        let same = |slot: &Slot| {
            slot.hash == sought.hash
                && known(slot).is_some_and(|id| {
                    (id.account, id.kind) == (account, kind)
                        && self.texts.get(id.text) == external_id
                })
        };
        let slot = self.identity_index.find(Slot::spread(sought.hash), same)?;
        known(slot).map(|id| id.op)
    }

    fn fact_seq(&self, outside: &ExternalId) -> Option<Seq> {
        self.outside.get(outside).copied()
    }

    fn ended_operation(&self, op: OpId) -> Option<Operation> {
        if op.kind() == Kind::Transfer {
            // One of several legs stands among the others.
            let alone = self.transfers.find(&op, |kept| kept.op).map(|kept| self.transfer(kept));
            return alone.or_else(|| self.others.get(&op).cloned());
        }
        self.others.get(&op).cloned()
    }

    fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance> {
        let last = *self.statements.get(subaccount.0 as usize)?.last()?;
        self.rows.get(last as usize).map(|row| row.balance_after)
    }

    fn commission_row(&self, account: AccountId, number: u32) -> Option<Row> {
        let index = usize::try_from(number.checked_sub(1)?).ok()?;
        self.commissions.get(&account)?.get(index).copied()
    }

    fn row(&self, subaccount: SubaccountId, number: u32) -> Option<Row> {
        let place = (number as usize).checked_sub(1)?;
        let index = *self.statements.get(subaccount.0 as usize)?.get(place)?;
        self.rows.get(index as usize).copied()
    }

    fn name_subaccount(&mut self, subaccount: SubaccountId, account: AccountId, customer: &str) {
        self.names.name(subaccount, account, customer);
    }

    fn learn_identity(
        &mut self,
        account: AccountId,
        kind: Kind,
        external_id: &str,
        op: OpId,
    ) -> OpId {
        let Self { hasher, identities, identity_index, texts, .. } = self;
        let slot = Slot::new(hasher.hash_one((account, kind, external_id)), identities.len());
        let known = |slot: &Slot| identities.get(slot.index as usize);
        let same = |other: &Slot| {
            other.hash == slot.hash
                && known(other).is_some_and(|id| {
                    (id.account, id.kind) == (account, kind) && texts.get(id.text) == external_id
                })
        };
        let rehash = |slot: &Slot| Slot::spread(slot.hash);
        match identity_index.entry(Slot::spread(slot.hash), same, rehash) {
            Entry::Occupied(found) => known(found.get()).map_or(op, |id| id.op),
            Entry::Vacant(free) => {
                free.insert(slot);
                let text = texts.keep(external_id);
                identities.push(Identity { account, kind, text, op });
                op
            }
        }
    }

    fn learn_outside(&mut self, outside: &ExternalId, seq: Seq) -> Seq {
        if let Some(first) = self.outside.get(outside) {
            return *first;
        }
        self.outside.insert(outside.clone(), seq);
        seq
    }

    fn remember(&mut self, record: &Record) {
        // What a record says is kept as values.
        let _ = record;
    }

    fn note(&mut self, op: OpId, seq: Seq) {
        // So are operations.
        let _ = (op, seq);
    }

    fn keep_transfer(&mut self, op: OpId, at: Instant, order: &transfer::Order) {
        let identity = self.identities.last().filter(|id| id.op == op);
        let transfer::Order { account, from, to, amount, note, .. } = *order;
        let external_id = identity.map(|id| id.text);
        self.transfers.push(Transfer { op, at, account, from, to, amount, external_id, note });
    }

    fn keep(&mut self, op: OpId, operation: Operation) {
        self.others.insert(op, operation);
    }

    fn push_commission_row(&mut self, account: AccountId, number: u32, row: Row) {
        let rows = self.commissions.entry(account).or_default();
        debug_assert_eq!(rows.len() + 1, number as usize, "rows come in order");
        rows.push(row);
    }

    fn push_row(&mut self, subaccount: SubaccountId, number: u32, row: Row) {
        let index = subaccount.0 as usize;
        if self.statements.len() <= index {
            self.statements.resize_with(index + 1, Vec::new);
        }
        let place = u32::try_from(self.rows.push(row)).expect("fewer than four billion rows");
        let statement = &mut self.statements[index];
        debug_assert_eq!(statement.len() + 1, number as usize, "rows come in order");
        statement.push(place);
    }
}
