//! The archive: what has ended, remembered by number and read back from the journal.
//!
//! The journal holds everything already. So [`JournalArchive`] keeps no second copy, only where to
//! look: which record brought a key (`keys`), which records moved an operation (`trails`), which
//! records hold a statement's rows (`statements`). What they say is read back by number
//! (`past`), its chain checked again. [`MemoryArchive`] keeps it all as values, for short
//! histories and to check the other by.

mod anchors;
mod arena;
mod index_entry;
mod key_table;
mod keys;
mod memory;
mod names;
mod past;
mod reader;
mod statements;
mod trail;
mod trails;

use std::cell::RefCell;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ledger_core::accounting::Row;
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId};
use ledger_core::ledger::{Archive, Event, ExternalId, Operation, Record};
use ledger_core::machine::transfer;
use ledger_core::money::Balance;
use ledger_core::time::Instant;

use crate::bytes::chain::Chain;
use crate::bytes::codec;
use crate::journal::{Identity, Journal};

pub(crate) use anchors::{Anchors, STRETCH};
use keys::{Absent, Keys};
pub use memory::MemoryArchive;
use names::Names;
use past::Past;
pub(crate) use past::Reading;
use reader::Reader;
pub(crate) use reader::SharedArchive;
use statements::Statements;
use trails::Trails;

/// An index over the journal: a few bytes for every operation that ended, and no operation.
#[derive(Debug)]
pub struct JournalArchive {
    names: Names,
    keys: Keys,
    trails: Trails,
    statements: Statements,
    past: Past,
    /// What ended by the last record that moved anything: no record tells of it while that is
    /// applied, and right after it is asked for once more, by what clients are notified of.
    fresh: Vec<(OpId, Operation)>,
    /// The last record before that one.
    before_fresh: u64,
    /// The rows of one stretch of a statement, as a page asks for them one by one.
    page: RefCell<Option<statements::Page>>,
    /// The identity that was sought last and that nothing has.
    absent: RefCell<Absent>,
    /// Where it looks in the place of its index, if it is a reader's.
    reader: Option<Reader>,
}

impl JournalArchive {
    /// The archive of an empty ledger, which reads nothing back: everything is kept as written.
    pub(crate) fn new(name: &str, identity: Identity) -> Self {
        Self {
            names: Names::default(),
            keys: Keys::new(&identity.vault_key),
            trails: Trails::default(),
            statements: Statements::default(),
            past: Past::new(Chain::genesis(identity.algorithm, name)),
            fresh: Vec::new(),
            before_fresh: 0,
            page: RefCell::new(None),
            absent: RefCell::default(),
            reader: None,
        }
    }

    /// Reads back from `journal` what has left memory, from now on.
    pub(crate) fn read_back_from(&mut self, journal: Box<dyn Journal>) {
        self.past.read_back_from(journal);
    }

    /// Keeps nothing that can be read back, nor what reads it, until it is needed.
    pub(crate) fn rest(&mut self) {
        self.past.rest();
    }

    /// Takes the bytes of a record that was replayed.
    pub(crate) fn push_record(&mut self, record: &[u8]) {
        self.past.push(record);
    }

    /// The bytes of a record among the last.
    pub(crate) fn recent_bytes(&self, seq: Seq) -> Option<&[u8]> {
        self.past.recent(seq.0)
    }

    /// Where the chain stands along the records; whoever links them tells it.
    pub(crate) fn anchors(&self) -> Anchors {
        self.past.anchors()
    }

    /// Up to which record the journal holds what this archive was given; whoever appends raises
    /// it.
    pub(crate) fn durable(&self) -> &Arc<AtomicU64> {
        self.past.durable()
    }

    /// Why something could not be read back, if that happened: what was decided since is void.
    pub(crate) fn fault(&self) -> Option<String> {
        self.past.fault()
    }

    /// The operations that still move, with the records that moved them.
    pub(crate) fn moving(&self) -> impl ExactSizeIterator<Item = (OpId, Vec<Seq>)> {
        self.trails.moving()
    }

    /// The bytes of a record, wherever it is; none where reading back fails.
    pub(crate) fn bytes(&self, seq: Seq) -> Option<Vec<u8>> {
        self.bytes_of_others(seq).map(<[u8]>::to_vec).or_else(|| self.past.bytes(seq.0))
    }

    /// Where the chain stands before a record; none where reading back fails.
    pub(crate) fn chain_before(&self, seq: u64) -> Option<Chain> {
        self.past.chain_before(seq, |seq| self.bytes(Seq(seq)))
    }

    /// The records that moved an operation, if more than one may have.
    pub(crate) fn trail(&self, op: OpId) -> Option<Vec<Seq>> {
        match &self.reader {
            Some(reader) => reader.trail(op),
            None => self.trails.records_of(op).or_else(|| self.trails.still(op)),
        }
    }

    /// The number of the last record.
    pub(crate) const fn last(&self) -> u64 {
        self.past.last()
    }

    /// Puts everything into a snapshot but the operations that still move.
    pub(crate) fn write_to(&self, into: &mut impl io::Write) -> io::Result<()> {
        self.past.write_to(into)?;
        self.names.write_to(into)?;
        self.keys.write_to(into)?;
        self.trails.write_to(into)?;
        self.statements.write_to(into)
    }

    /// Restores what was put, in the same order.
    pub(crate) fn restore(
        name: &str,
        identity: Identity,
        moving: Vec<(OpId, Vec<Seq>)>,
        from: &mut impl Read,
    ) -> io::Result<Self> {
        let mut archive = Self::new(name, identity);
        archive.past.take(from)?;
        archive.names.take(from)?;
        archive.keys.take(from)?;
        archive.trails.take(moving, from)?;
        archive.statements.take(from)?;
        Ok(archive)
    }

    /// Writes all that is kept in an order of its own, never in that of a hash table.
    pub(crate) fn describe(&self, into: &mut impl io::Write) -> io::Result<()> {
        self.names.write_to(into)?;
        self.keys.describe(Seq(self.past.last()), into)?;
        self.trails.describe(into)?;
        self.statements.write_to(into)
    }

    /// Tells whether the record a key leads to is the one that brought it; what is being applied
    /// now is taken at its hash's word.
    fn brought(&self, seq: Seq, is_it: impl FnOnce(&Record) -> bool) -> bool {
        self.past.last() < seq.0 || self.record(seq).is_some_and(|record| is_it(&record))
    }

    fn identity_at(&self, hash: u64, whose: AccountId, kind: Kind, id: &str) -> Option<Seq> {
        self.find(hash, |seq| {
            let op = OpId::new(kind, seq);
            self.brought(seq, |record| {
                let mut created = record.events.iter().filter_map(Event::creation);
                created.any(|known| known == (op, whose, Some(id)))
            })
        })
    }

    fn outside_at(&self, hash: u64, outside: &ExternalId) -> Option<Seq> {
        self.find(hash, |seq| self.brought(seq, |record| record.brings(outside)))
    }

    /// Forgets what ended by records before the one that is being applied: that may move it again,
    /// and by now its records tell of it.
    fn forget_fresh(&mut self) {
        if self.before_fresh != self.past.last() {
            self.before_fresh = self.past.last();
            self.fresh.clear();
        }
    }
}

impl Archive for JournalArchive {
    fn subaccount(&self, account: AccountId, customer: &str) -> Option<SubaccountId> {
        match &self.reader {
            Some(reader) => reader.subaccount(account, customer),
            None => self.names.subaccount(account, customer),
        }
    }

    fn subaccounts(&self, named: &[(AccountId, &str)], each: &mut dyn FnMut(Option<SubaccountId>)) {
        match &self.reader {
            Some(reader) => named.iter().for_each(|name| each(reader.subaccount(name.0, name.1))),
            None => self.names.subaccounts(named, each),
        }
    }

    fn customer(&self, subaccount: SubaccountId) -> Option<&str> {
        match &self.reader {
            Some(reader) => reader.customer(subaccount),
            None => self.names.customer(subaccount),
        }
    }

    fn identity(&self, account: AccountId, kind: Kind, external_id: &str) -> Option<OpId> {
        let hash = self.keys.hash_of_identity(account, kind, external_id);
        let seq = self.identity_at(hash, account, kind, external_id);
        if seq.is_none() {
            self.absent.borrow_mut().keep(hash, (account, kind, external_id));
        }
        Some(OpId::new(kind, seq?))
    }

    fn look_ahead(&self, identities: &[(AccountId, Kind, &str)]) {
        let hashes = identities.iter().map(|(account, kind, id)| {
            self.keys.hash_of_identity(*account, *kind, id) // Before any is looked at.
        });
        let hashes: Vec<u64> = hashes.collect();
        self.keys.look_ahead(&hashes);
    }

    fn look_ahead_facts(&self, facts: &[&ExternalId]) {
        let hashes = facts.iter().map(|fact| self.keys.hash_of_outside(fact));
        let hashes: Vec<u64> = hashes.collect();
        self.keys.look_ahead(&hashes);
    }

    fn fact_seq(&self, outside: &ExternalId) -> Option<Seq> {
        self.outside_at(self.keys.hash_of_outside(outside), outside)
    }

    fn record(&self, seq: Seq) -> Option<Record> {
        match self.bytes_of_others(seq) {
            Some(bytes) => Some(past::decode_recent(seq.0, bytes)),
            None => self.past.record(seq.0),
        }
    }

    fn records_of(&self, op: OpId, seq: Seq) -> Vec<Record> {
        // What ended as it began has no trail: one record tells all of it.
        let trail = self.trail(op).unwrap_or_else(|| vec![op.seq()]);
        trail
            .into_iter()
            .filter(|moved| *moved < seq)
            .filter_map(|moved| self.record(moved))
            .collect()
    }

    fn ended_operation(&self, op: OpId) -> Option<Operation> {
        if let Some((_, operation)) = self.fresh.iter().rev().find(|(known, _)| *known == op) {
            return Some(operation.clone());
        }
        if self.past.last() < op.seq().0 {
            return None; // It is being created.
        }
        let trail = match op.kind() {
            // They end as they begin, so one record tells all.
            Kind::Transfer | Kind::Adjustment => vec![op.seq()],
            _ => match &self.reader {
                Some(reader) => reader.ended_trail(op)?,
                None => self.trails.records_of(op)?,
            },
        };
        let records: Option<Vec<_>> = trail.into_iter().map(|seq| self.record(seq)).collect();
        Operation::after(op, &records?)
    }

    fn row(&self, subaccount: SubaccountId, number: u32) -> Option<Row> {
        self.page_row(statements::Whose::Custody(subaccount), number)
    }

    fn balance_after(&self, subaccount: SubaccountId) -> Option<Balance> {
        match &self.reader {
            Some(reader) => Some(self.row(subaccount, reader.rows(subaccount))?.balance_after),
            None => self.statements.balance_after(subaccount),
        }
    }

    fn look_ahead_rows(&self, subaccounts: &[SubaccountId]) {
        self.statements.look_ahead(subaccounts);
    }

    fn balance_at(&self, subaccount: SubaccountId, _: u32, at: Instant) -> Option<Balance> {
        self.balance_by_blocks(statements::Whose::Custody(subaccount), at)
    }

    fn commission_row(&self, account: AccountId, number: u32) -> Option<Row> {
        self.page_row(statements::Whose::Partner(account), number)
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
        // Whoever decided on it has just sought it.
        if let Some(hash) = self.absent.get_mut().take((account, kind, external_id)) {
            self.keys.insert(hash, op.seq());
            return op;
        }
        let hash = self.keys.hash_of_identity(account, kind, external_id);
        match self.identity_at(hash, account, kind, external_id) {
            Some(first) => OpId::new(kind, first),
            None => {
                self.keys.insert(hash, op.seq());
                op
            }
        }
    }

    fn learn_outside(&mut self, outside: &ExternalId, seq: Seq) -> Seq {
        let hash = self.keys.hash_of_outside(outside);
        let known = self.outside_at(hash, outside);
        known.unwrap_or_else(|| {
            self.keys.insert(hash, seq);
            seq
        })
    }

    fn remember(&mut self, record: &Record) {
        self.past.write(|into| codec::encode(record, into));
    }

    fn note(&mut self, op: OpId, seq: Seq) {
        self.forget_fresh();
        self.trails.note(op, seq);
    }

    fn keep_transfer(&mut self, op: OpId, at: Instant, order: &transfer::Order) {
        // The record that made it tells of it; no event of the same record asks for it.
        let _ = (op, at, order);
    }

    fn keep(&mut self, op: OpId, operation: Operation) {
        self.forget_fresh();
        self.trails.end(op);
        self.fresh.push((op, operation));
    }

    fn push_row(&mut self, subaccount: SubaccountId, number: u32, row: Row) {
        self.statements.push(statements::Whose::Custody(subaccount), number, &row);
    }

    fn push_commission_row(&mut self, account: AccountId, number: u32, row: Row) {
        self.statements.push(statements::Whose::Partner(account), number, &row);
    }
}
