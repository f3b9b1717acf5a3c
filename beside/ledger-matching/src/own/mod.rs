//! Our movements: what the ledger's records moved on the accounts outside.

mod coins;
mod reais;

use std::collections::HashMap;
use std::sync::Arc;

use ledger_core::id::{LedgerName, OpId};
use ledger_core::ledger::{Record, State};
use ledger_core::time::Instant;
use ledger_reconcile::Ours;
use ledger_store::Journal;
use ledger_store::sequencer::{ReplayError, Sequencer};

use crate::day::Day;
use crate::movement::{Account, OurMovement, Source};
use crate::quantity::Quantity;

/// Every movement of a ledger on accounts outside, in the order of its records.
#[derive(Debug, Default)]
pub struct OwnBooks {
    movements: Vec<OurMovement>,
    /// PIX by their ids, and operations by what they are called.
    pix: Ours,
    /// How many PIX of those are taken over.
    pix_taken: usize,
    accounts: HashMap<(Source, String, String), Arc<Account>>,
    /// Where coins of an operation go.
    addresses: HashMap<OpId, Box<str>>,
    /// Deposits that are seen and do not count yet, by the operation that has them.
    pending: HashMap<OpId, Vec<usize>>,
    name: Option<LedgerName>,
    records: u64,
}

/// The part of a record that its movements share.
#[derive(Clone, Copy)]
struct Context<'a> {
    record: &'a Record,
    state: &'a State,
    at: Instant,
}

/// The part that a movement has of its own.
struct Move {
    account: Arc<Account>,
    direction: crate::movement::Direction,
    amount: Quantity,
    class: crate::movement::Class,
}

impl OwnBooks {
    /// Reads the whole journal of the ledger of this name.
    ///
    /// # Errors
    ///
    /// [`ReplayError`] where the journal cannot be replayed.
    pub fn read(journal: &mut dyn Journal, name: &str) -> Result<Self, ReplayError> {
        let mut books = Self::default();
        Sequencer::open(journal, name, |sequencer, record| {
            books.follow(&sequencer.ledger().state, record);
        })?;
        Ok(books)
    }

    /// Takes in the next record; `state` is the ledger's after it.
    pub fn follow(&mut self, state: &State, record: &Record) {
        if self.name.is_none() {
            self.name = Some(state.name.clone());
        }
        self.records = record.seq.0;
        self.pix.follow(&state.name, record);
        let at = record.original.unwrap_or(record.at);
        let context = Context { record, state, at };
        let first = self.movements.len();
        self.take_reais(context);
        self.take_coins(context);
        for (leg, movement) in self.movements[first..].iter_mut().enumerate() {
            movement.leg = u16::try_from(leg).unwrap_or(u16::MAX);
        }
    }

    /// The movements, in the order of their records.
    #[must_use]
    pub fn movements(&self) -> &[OurMovement] {
        &self.movements
    }

    /// How many records were read.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// The operations that a name is of: an id of ours in any spelling, or a client's.
    #[must_use]
    pub fn operations_named(&self, name: &str) -> Vec<OpId> {
        self.pix.find_by_id(name)
    }

    /// Returns what an operation is called.
    #[must_use]
    pub fn operation_text(&self, op: OpId) -> String {
        self.name.as_ref().map_or_else(String::new, |name| op.text(name))
    }

    /// Adds a movement that no record made: measurements and tests of the matching alone.
    #[doc(hidden)]
    pub fn push(&mut self, movement: OurMovement) {
        self.movements.push(movement);
    }

    /// Returns what an account had before a day: the sum of our movements of all days before.
    #[must_use]
    pub fn balance_before(&self, account: &Account, day: Day) -> Quantity {
        self.sum_of(account, |movement| movement.day < day)
    }

    /// Returns what an account had after a day.
    #[must_use]
    pub fn balance_after(&self, account: &Account, day: Day) -> Quantity {
        self.sum_of(account, |movement| movement.day <= day)
    }

    fn sum_of(&self, account: &Account, counts: impl Fn(&OurMovement) -> bool) -> Quantity {
        let booked = |movement: &&OurMovement| {
            movement.status == crate::movement::Status::Booked && *movement.account == *account
        };
        let own = self.movements.iter().filter(booked).filter(|movement| counts(movement));
        own.map(OurMovement::signed_amount).sum()
    }

    /// The one account of these names.
    fn account(&mut self, source: Source, network: &str, asset: &str) -> Arc<Account> {
        let key = (source, network.to_owned(), asset.to_owned());
        let made = || Account { source, network: network.into(), asset: asset.into() };
        Arc::clone(self.accounts.entry(key).or_insert_with(|| Arc::new(made())))
    }
}

fn new_movement(context: Context<'_>, moved: Move, op: Option<OpId>) -> OurMovement {
    let Move { account, direction, amount, class } = moved;
    let fact = context.record.outside.as_ref();
    let fact = fact.filter(|outside| outside.scope == ledger_core::ledger::Scope::Fact);
    OurMovement {
        record: context.record.seq.0,
        leg: 0,
        account,
        direction,
        amount,
        class,
        status: crate::movement::Status::Booked,
        id: None,
        fact: fact.map(|outside| outside.id.clone()),
        address: None,
        operation: op,
        day: Day::from_instant(context.at),
        at: context.at,
    }
}
