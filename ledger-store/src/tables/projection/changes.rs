//! What records change in the tables, gathered until it is written: of what stands, the last state
//! of a batch wins; of what is added, every row counts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem::take;

use ledger_core::accounting::{Account, Buckets, CoinAccount, Commission, Row};
use ledger_core::hexadecimal::digits;
use ledger_core::id::{AccountId, AssetId, LedgerName, OpId, SubaccountId};
use ledger_core::ledger::{Archive, Event, Record};
use ledger_core::money::Balance;

use super::backend::Step;
use super::operation;
use super::outbox::rows;
use super::schema::extent::Extent;
use super::schema::labels::{instant, nature};
use super::schema::table::{Cell, Cells, Table};
use super::schema::{
    BALANCES, COIN_BALANCES, COMMISSION_ROWS, COMMISSIONS, OPEN_HOLDS, OPERATIONS, OUTBOX,
    STATEMENT_ROWS,
};
use crate::engines::sequencer::Sequencer;
use crate::tables::export::coin_place;

/// What was touched since the last write, each with the record that touched it last.
#[derive(Debug)]
pub(super) struct Changes {
    /// Of which tables.
    extent: Extent,
    records: u64,
    /// The first of them.
    first: u64,
    operations: BTreeMap<OpId, u64>,
    subaccounts: BTreeMap<SubaccountId, u64>,
    partners: BTreeMap<AccountId, u64>,
    coins: BTreeMap<(AssetId, CoinAccount), u64>,
    statement_rows: Vec<Cells>,
    commission_rows: Vec<Cells>,
    outbox: Vec<Cells>,
    /// Where each statement, and each partner's ledger, ends: with what is written or gathered.
    ends: Vec<End>,
    commission_ends: BTreeMap<AccountId, End>,
    /// Whose rows the record being noted may have added to.
    posted: Vec<SubaccountId>,
    posted_commissions: Vec<AccountId>,
}

/// Where a statement ends: how many rows it has, and the balance the last one tells.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    rows: u32,
    balance: Balance,
}

/// Rows to write and to remove.
#[derive(Debug, Default)]
pub(super) struct Changed {
    /// Rows by table that were not there before.
    pub(super) added: Vec<(&'static Table, Vec<Cells>)>,
    /// Rows by table that may stand there already, otherwise.
    pub(super) rows: Vec<(&'static Table, Vec<Cells>)>,
    /// Keys of rows that are no more.
    pub(super) gone: Vec<(&'static Table, Cells)>,
}

impl Changes {
    /// Of tables of this extent, before the first record.
    pub(super) fn new(extent: Extent) -> Self {
        Self {
            extent,
            records: 0,
            first: 0,
            operations: BTreeMap::new(),
            subaccounts: BTreeMap::new(),
            partners: BTreeMap::new(),
            coins: BTreeMap::new(),
            statement_rows: Vec::new(),
            commission_rows: Vec::new(),
            outbox: Vec::new(),
            ends: Vec::new(),
            commission_ends: BTreeMap::new(),
            posted: Vec::new(),
            posted_commissions: Vec::new(),
        }
    }

    /// Begins where the tables are: the sequencer stands at their checkpoint.
    pub(super) fn begin(&mut self, sequencer: &Sequencer) {
        let books = &sequencer.ledger().state.books;
        let end = |buckets: &Buckets| End { rows: buckets.rows, balance: buckets.total() };
        self.ends = books.subaccounts().map(|(_, buckets)| end(buckets)).collect();
        let commissions = books.commissions();
        self.commission_ends = commissions
            .map(|(account, Commission { rows, balance })| (account, End { rows, balance }))
            .collect();
    }

    /// How many records were noted since the last write.
    pub(super) const fn records(&self) -> u64 {
        self.records
    }

    /// Notes what `record`, just applied to `sequencer`, touched.
    pub(super) fn note(&mut self, sequencer: &Sequencer, record: &Record, check: [u8; 8]) {
        if self.records == 0 {
            self.first = record.seq.0;
        }
        self.records += 1;
        if self.extent.has_outbox() {
            self.outbox.extend(rows::of_record(sequencer.ledger(), record, check));
        }
        if self.extent == Extent::Outbox {
            return;
        }
        for event in &record.events {
            self.note_event(event, record.seq.0);
        }
        self.note_rows(&sequencer.ledger().state.name, record);
    }

    fn note_event(&mut self, event: &Event, seq: u64) {
        if let Some(op) = event.op() {
            self.operations.insert(op, seq);
        }
        // An order lists the unmatched deposits about it.
        if let Some((order, _)) = event.unmatched_about() {
            self.operations.insert(order, seq);
        }
        match event {
            Event::AccountOpened { house: subaccount, .. }
            | Event::SubaccountOpened { subaccount, .. } => {
                self.subaccounts.insert(*subaccount, seq);
            }
            _ => {}
        }
        let entry = event.entry();
        for account in entry.moves().flat_map(|m| [m.debit, m.credit]) {
            if let Some(subaccount) = account.subaccount() {
                self.subaccounts.insert(subaccount, seq);
                self.posted.push(subaccount);
            }
            if let Account::Commission(partner) = account {
                self.partners.insert(partner, seq);
                self.posted_commissions.push(partner);
            }
        }
        for m in entry.coin_moves() {
            for account in [m.debit, m.credit] {
                self.coins.insert((m.asset, account), seq);
            }
        }
    }

    /// Gathers the rows the record posted, derived from the record itself.
    fn note_rows(&mut self, ledger: &LedgerName, record: &Record) {
        self.posted.sort_unstable();
        self.posted.dedup();
        for subaccount in self.posted.drain(..) {
            let place = subaccount.0 as usize;
            if self.ends.len() <= place {
                self.ends.resize(place + 1, End::default());
            }
            let end = &mut self.ends[place];
            for row in record.rows(subaccount, end.balance) {
                *end = End { rows: end.rows + 1, balance: row.balance_after };
                self.statement_rows.push(statement_row(ledger, subaccount, end.rows, &row));
            }
        }
        self.posted_commissions.sort_unstable();
        self.posted_commissions.dedup();
        for partner in self.posted_commissions.drain(..) {
            let end = self.commission_ends.entry(partner).or_default();
            for row in record.commission_rows(partner, end.balance) {
                *end = End { rows: end.rows + 1, balance: row.balance_after };
                self.commission_rows.push(commission_row(ledger, partner, end.rows, &row));
            }
        }
    }

    /// Returns what is to be written, as the sequencer stands now. Outbox rows up to `pruned` are
    /// not written again.
    pub(super) fn pending_writes(&mut self, sequencer: &Sequencer, pruned: u64) -> Changed {
        let mut changed = Changed::default();
        let mut holds = Vec::new();
        let ledger = sequencer.ledger();
        // What no record of before created is in no table yet.
        let (mut created, mut operations) = (Vec::new(), Vec::new());
        for (op, seq) in &self.operations {
            let open = ledger.state.open(*op).cloned();
            let Some(operation) = open.or_else(|| ledger.archive.ended_operation(*op)) else {
                continue;
            };
            if operation.hold().is_some() {
                match operation::hold_row(&ledger.state.name, *op, &operation, *seq) {
                    Some(row) => holds.push(row),
                    None => {
                        let key = vec![op.text(&ledger.state.name).into()];
                        changed.gone.push((&OPEN_HOLDS, key));
                    }
                }
            }
            let rows = if op.seq().0 < self.first { &mut operations } else { &mut created };
            rows.push(operation::row(ledger, *op, &operation, *seq));
        }
        let balances =
            self.subaccounts.iter().map(|(subaccount, seq)| balance(sequencer, *subaccount, *seq));
        let partners =
            self.partners.iter().map(|(partner, seq)| commission(sequencer, *partner, *seq));
        let (balances, partners) = (balances.collect(), partners.collect());
        let coins = self.coins(sequencer, &mut changed);
        let pruned = Cell::from(pruned);
        self.outbox.retain(|row| row[0] > pruned);
        changed.added = vec![
            (&OPERATIONS, created),
            (&STATEMENT_ROWS, take(&mut self.statement_rows)),
            (&COMMISSION_ROWS, take(&mut self.commission_rows)),
        ];
        changed.rows = vec![
            (&OPERATIONS, operations),
            (&BALANCES, balances),
            (&OPEN_HOLDS, holds),
            (&COMMISSIONS, partners),
            (&COIN_BALANCES, coins),
            (&OUTBOX, take(&mut self.outbox)),
        ];
        changed
    }

    fn coins(&self, sequencer: &Sequencer, changed: &mut Changed) -> Vec<Cells> {
        let ledger = sequencer.ledger();
        let mut rows = Vec::new();
        for ((id, account), seq) in &self.coins {
            let (asset, scale) = ledger.state.catalogue.asset_or_number(*id);
            let place = coin_place(sequencer, *account);
            let kept_for = match &place.kept_for[..] {
                // A name alone stands as it is: only among several is a `/` within written apart.
                [name] => name.clone(),
                _ => place.kept_for_text(),
            };
            let mut row: Cells = vec![asset.into(), place.chart.into(), kept_for.into()];
            match ledger.state.books.coin(*id, *account) {
                0 => changed.gone.push((&COIN_BALANCES, row)),
                units => {
                    row.extend(operation::signed_units(units, scale));
                    row.push((*seq).into());
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// Forgets what was written.
    pub(super) fn clear(&mut self) {
        self.records = 0;
        self.operations.clear();
        self.subaccounts.clear();
        self.partners.clear();
        self.coins.clear();
        self.statement_rows.clear();
        self.commission_rows.clear();
        self.outbox.clear();
    }
}

impl Changed {
    /// The steps that write it.
    pub(super) fn steps<'a>(&'a self, ledger: &'a str) -> Vec<Step<'a>> {
        let gone = self.gone.iter().map(|(table, key)| {
            let matches = table.columns[..table.key].iter().zip(2..);
            let matches = matches.map(|(column, place)| format!(" AND {} = ${place}", column.name));
            let matches = matches.collect::<String>();
            let sql = format!("DELETE FROM {} WHERE ledger = $1{matches}", table.name);
            Step::Run(
                sql,
                std::iter::once(ledger.into()).chain(key.iter().cloned()).collect(),
                None,
            )
        });
        let added =
            self.added.iter().map(|(table, rows)| Step::Add(table, ledger, Cow::Borrowed(rows)));
        let rows =
            self.rows.iter().map(|(table, rows)| Step::Put(table, ledger, Cow::Borrowed(rows)));
        gone.chain(added).chain(rows).collect()
    }

    /// How many rows that is.
    pub(super) fn count(&self) -> u64 {
        let rows = self.added.iter().chain(&self.rows);
        rows.map(|(_, rows)| rows.len() as u64).sum()
    }
}

fn statement_row(ledger: &LedgerName, subaccount: SubaccountId, number: u32, row: &Row) -> Cells {
    vec![
        subaccount.0.into(),
        number.into(),
        row.seq.0.into(),
        row.event.into(),
        instant(row.at).into(),
        row.kind.name().into(),
        nature(row.nature).into(),
        row.op.text(ledger).into(),
        row.value.cents().into(),
        row.balance_after.cents().into(),
        row.note.map(|note| digits(&note.0)).into(),
    ]
}

fn commission_row(ledger: &LedgerName, partner: AccountId, number: u32, row: &Row) -> Cells {
    vec![
        partner.0.into(),
        number.into(),
        row.seq.0.into(),
        row.event.into(),
        instant(row.at).into(),
        row.kind.name().into(),
        row.op.text(ledger).into(),
        row.value.cents().into(),
        row.balance_after.cents().into(),
    ]
}

fn balance(sequencer: &Sequencer, subaccount: SubaccountId, last_seq: u64) -> Cells {
    let ledger = sequencer.ledger();
    let buckets = ledger.state.books.subaccount(subaccount);
    let known = ledger.state.subaccount(subaccount).expect("what was touched was opened");
    vec![
        subaccount.0.into(),
        known.account.0.into(),
        account_name(sequencer, known.account).into(),
        ledger.archive.customer(subaccount).into(),
        buckets.available.cents().into(),
        buckets.held.cents().into(),
        buckets.frozen.cents().into(),
        buckets.total().cents().into(),
        buckets.rows.into(),
        known.waiting_until.map(instant).into(),
        last_seq.into(),
    ]
}

fn commission(sequencer: &Sequencer, partner: AccountId, last_seq: u64) -> Cells {
    let known = sequencer.ledger().state.books.commission(partner);
    vec![
        partner.0.into(),
        account_name(sequencer, partner).into(),
        known.balance.cents().into(),
        known.rows.into(),
        last_seq.into(),
    ]
}

fn account_name(sequencer: &Sequencer, account: AccountId) -> &str {
    let known = sequencer.ledger().state.account(account);
    &known.expect("a subaccount belongs to an account that was opened").name
}
