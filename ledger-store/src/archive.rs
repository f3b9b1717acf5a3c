//! The archive in memory: identities, ended operations and statement rows, kept beside the state.
//!
//! Append-only indexes stand here, outside the cloned state, because a persistent map costs several
//! times as much to write (DESIGN.md, "Why does the archive stand outside the state?").

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, CustodyId, Kind, OpId, Seq, Token};
use ledger_core::ledger::{Archive, Machine, Operation, Outside};
use ledger_core::machine::transfer;
use ledger_core::money::Amount;
use ledger_core::time::Instant;

/// Everything an [`Archive`] keeps, in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryArchive {
    hasher: DefaultHashBuilder,
    text: String,
    customers: Vec<Option<Name>>,
    customer_index: HashTable<u32>,
    identities: Vec<Identity>,
    identity_index: HashTable<u32>,
    outside: HashMap<Outside, Seq>,
    transfers: Vec<Transfer>,
    others: HashMap<OpId, Operation>,
    rows: Vec<Vec<Row>>,
}

/// A piece of the text arena.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: usize,
    length: u32,
}

#[derive(Clone, Copy, Debug)]
struct Name {
    account: AccountId,
    text: Piece,
}

/// A transfer without a string of its own: its external id is its identity's.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    op: OpId,
    at: Instant,
    account: AccountId,
    from: CustodyId,
    to: CustodyId,
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
    pub fn outside_in_order(&self) -> Vec<(&Outside, Seq)> {
        let mut all: Vec<_> = self.outside.iter().map(|(outside, seq)| (outside, *seq)).collect();
        all.sort_unstable();
        all
    }

    /// All identities, in the order they were learnt.
    pub fn identities(&self) -> impl Iterator<Item = (AccountId, Kind, &str, OpId)> {
        self.identities.iter().map(|id| (id.account, id.kind, piece(&self.text, id.text), id.op))
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
            external_id: kept.external_id.map(|text| piece(&self.text, text).into()),
            note: kept.note,
        };
        let machine = Machine::Transfer(transfer::State::Done(order));
        Operation { machine, created_at: kept.at, updated_at: kept.at }
    }

    fn keep_text(&mut self, text: &str) -> Piece {
        let start = self.text.len();
        self.text.push_str(text);
        Piece { start, length: u32::try_from(text.len()).expect("names are at most a few bytes") }
    }
}

impl Archive for MemoryArchive {
    fn subaccount(&self, account: AccountId, customer: &str) -> Option<CustodyId> {
        let hash = self.hasher.hash_one((account, customer));
        let same = |index: &u32| {
            self.customers[*index as usize].is_some_and(|name| {
                name.account == account && piece(&self.text, name.text) == customer
            })
        };
        self.customer_index.find(hash, same).map(|index| CustodyId(*index))
    }

    fn customer(&self, custody: CustodyId) -> Option<&str> {
        let name = self.customers.get(custody.0 as usize).copied().flatten()?;
        Some(piece(&self.text, name.text))
    }

    fn identity(&self, account: AccountId, kind: Kind, external_id: &str) -> Option<OpId> {
        let hash = self.hasher.hash_one((account, kind, external_id));
        let same = |index: &u32| {
            let id = &self.identities[*index as usize];
            (id.account, id.kind) == (account, kind) && piece(&self.text, id.text) == external_id
        };
        let index = self.identity_index.find(hash, same)?;
        Some(self.identities[*index as usize].op)
    }

    fn seen(&self, outside: &Outside) -> Option<Seq> {
        self.outside.get(outside).copied()
    }

    fn ended(&self, op: OpId) -> Option<Operation> {
        if op.kind() == Kind::Transfer {
            let place = self.transfers.binary_search_by_key(&op, |kept| kept.op).ok()?;
            return Some(self.transfer(&self.transfers[place]));
        }
        self.others.get(&op).cloned()
    }

    fn row(&self, custody: CustodyId, number: u32) -> Option<Row> {
        let index = (number as usize).checked_sub(1)?;
        self.rows.get(custody.0 as usize)?.get(index).copied()
    }

    fn name_subaccount(&mut self, custody: CustodyId, account: AccountId, customer: &str) {
        let text = self.keep_text(customer);
        let index = custody.0 as usize;
        if self.customers.len() <= index {
            self.customers.resize(index + 1, None);
        }
        self.customers[index] = Some(Name { account, text });
        let Self { hasher, customers, customer_index, text, .. } = self;
        let hash = hasher.hash_one((account, customer));
        customer_index.insert_unique(hash, custody.0, |index| {
            let name = customers[*index as usize].expect("only named subaccounts are indexed");
            hasher.hash_one((name.account, piece(text, name.text)))
        });
    }

    fn learn_identity(
        &mut self,
        account: AccountId,
        kind: Kind,
        external_id: &str,
        op: OpId,
    ) -> OpId {
        let index = u32::try_from(self.identities.len()).expect("fewer than four billion ids");
        let Self { hasher, identities, identity_index, text, .. } = self;
        let hash = hasher.hash_one((account, kind, external_id));
        let same = |index: &u32| {
            let id = &identities[*index as usize];
            (id.account, id.kind) == (account, kind) && piece(text, id.text) == external_id
        };
        let rehash = |index: &u32| {
            let id = &identities[*index as usize];
            hasher.hash_one((id.account, id.kind, piece(text, id.text)))
        };
        match identity_index.entry(hash, same, rehash) {
            Entry::Occupied(known) => return identities[*known.get() as usize].op,
            Entry::Vacant(free) => free.insert(index),
        };
        let text = self.keep_text(external_id);
        self.identities.push(Identity { account, kind, text, op });
        op
    }

    fn learn_outside(&mut self, outside: &Outside, seq: Seq) -> Seq {
        if let Some(first) = self.outside.get(outside) {
            return *first;
        }
        self.outside.insert(outside.clone(), seq);
        seq
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

    fn push_row(&mut self, custody: CustodyId, number: u32, row: Row) {
        let index = custody.0 as usize;
        if self.rows.len() <= index {
            self.rows.resize_with(index + 1, Vec::new);
        }
        let rows = &mut self.rows[index];
        debug_assert_eq!(rows.len() + 1, number as usize, "rows come in order");
        rows.push(row);
    }
}

fn piece(text: &str, piece: Piece) -> &str {
    &text[piece.start..piece.start + piece.length as usize]
}
