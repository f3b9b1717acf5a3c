//! Movements of money or coins on an account outside, as a statement or as the ledger has them.

use std::sync::Arc;

use ledger_core::id::OpId;
use ledger_core::time::Instant;
pub use ledger_reconcile::Direction;

use crate::day::Day;
use crate::quantity::Quantity;

/// Who keeps the account outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The PIX provider.
    Provider,
    /// A network of coins.
    Chain,
    /// An exchange at which coins are bought and sold.
    Exchange,
}

/// An account outside, in one asset: one control account of ours is held against it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    /// Who keeps it.
    pub source: Source,
    /// The network of a chain; nothing of the others.
    pub network: Box<str>,
    /// The asset in lower case; reais are `brl`.
    pub asset: Box<str>,
}

/// The kind of a movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A PIX, in or out, that returns no earlier one.
    Payment,
    /// Money of an earlier PIX that goes back.
    Return,
    /// Own money that is moved between accounts.
    Own,
    /// Coins or reais that arrive on a network or at an exchange.
    Deposit,
    /// Coins or reais that leave from there.
    Withdrawal,
    /// One leg of a trade.
    Fill,
    /// A tariff, gas, or an exchange's fee.
    Fee,
    /// None of these.
    Other,
}

/// How far a movement has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It counts in the account's balance.
    Booked,
    /// It is seen, and does not count yet.
    Pending,
    /// The network took its fee and moved nothing.
    Failed,
    /// It was seen, and its block is none any more.
    Gone,
}

/// Where something stands in the files that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The number of the statement, in the order in which they were read.
    pub statement: u32,
    /// The line, from 1.
    pub line: u64,
    /// The column in it, from 1.
    pub column: u32,
}

/// A movement of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TheirMovement {
    /// Where it stands.
    pub position: Position,
    /// The account outside that the statement is of.
    pub account: Arc<Account>,
    /// Into the account or out of it.
    pub direction: Direction,
    /// How much, above zero.
    pub amount: Quantity,
    /// The kind that the statement says it is.
    pub class: Class,
    /// How far it got.
    pub status: Status,
    /// The id by which both sides call it, in its one spelling.
    pub id: Option<Box<str>>,
    /// The place among several of one id: an output, a log.
    pub index: Option<u32>,
    /// The id of the PIX that a return is of.
    pub returns: Option<Box<str>>,
    /// Our id of the operation or a client's, an order's number.
    pub names: Vec<Box<str>>,
    /// The other side's address, in its one spelling.
    pub address: Option<Box<str>>,
    /// The word that the file has for what it is.
    pub word: Option<Box<str>>,
    /// Taken for it, in the same asset.
    pub fee: Option<Quantity>,
    /// The day on which it counts.
    pub day: Day,
    /// When; noon where the statement has days only.
    pub at: Instant,
}

/// A movement of the ledger on one of the accounts outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OurMovement {
    /// The record that booked it, or that saw it first.
    pub record: u64,
    /// The number among the movements of that record.
    pub leg: u16,
    /// The account outside that it moved.
    pub account: Arc<Account>,
    /// Into the account or out of it.
    pub direction: Direction,
    /// How much, above zero.
    pub amount: Quantity,
    /// The kind that the ledger booked it as.
    pub class: Class,
    /// How far it got.
    pub status: Status,
    /// The id by which both sides call it, in its one spelling.
    pub id: Option<Box<str>>,
    /// The fact's own id, where that is what it was reported by.
    pub fact: Option<Box<str>>,
    /// The address that it goes to, where the ledger knows one.
    pub address: Option<Box<str>>,
    /// The operation that the ledger booked it for, if any.
    pub operation: Option<OpId>,
    /// The day on which it counts.
    pub day: Day,
    /// When it was reported to have happened.
    pub at: Instant,
}

impl Source {
    /// All three sources, in declared order.
    pub const ALL: [Self; 3] = [Self::Provider, Self::Chain, Self::Exchange];

    /// Its name in rules and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Chain => "chain",
            Self::Exchange => "exchange",
        }
    }
}

impl Class {
    /// All eight classes, in declared order.
    pub const ALL: [Self; 8] = [
        Self::Payment,
        Self::Return,
        Self::Own,
        Self::Deposit,
        Self::Withdrawal,
        Self::Fill,
        Self::Fee,
        Self::Other,
    ];

    /// Its name in rules and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Return => "return",
            Self::Own => "own",
            Self::Deposit => "deposit",
            Self::Withdrawal => "withdrawal",
            Self::Fill => "fill",
            Self::Fee => "fee",
            Self::Other => "other",
        }
    }

    /// The class of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl Account {
    /// The name of the account outside: `provider brl`, `chain polygon usdt`.
    #[must_use]
    pub fn name(&self) -> String {
        let parts = [self.source.name(), &self.network, &self.asset];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The control account of ours that is held against it.
    #[must_use]
    pub fn control(&self) -> String {
        match self.source {
            Source::Provider => "prov.pix + prov.pay".to_owned(),
            Source::Chain => format!("treas[{}] {}", self.network, self.asset),
            Source::Exchange => format!("exch {}", self.asset),
        }
    }
}

impl TheirMovement {
    /// The amount with a sign: below zero where it leaves.
    #[must_use]
    pub const fn signed_amount(&self) -> Quantity {
        with_sign(self.direction, self.amount)
    }
}

impl OurMovement {
    /// The amount with a sign: below zero where it leaves.
    #[must_use]
    pub const fn signed_amount(&self) -> Quantity {
        with_sign(self.direction, self.amount)
    }
}

const fn with_sign(direction: Direction, amount: Quantity) -> Quantity {
    match direction {
        Direction::In => amount,
        Direction::Out => amount.opposite(),
    }
}
