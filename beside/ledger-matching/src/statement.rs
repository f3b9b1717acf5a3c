//! Statements of accounts outside, whatever file they came from.

use std::fmt;
use std::sync::Arc;

use ledger_core::hexadecimal::digits;
use sha2::{Digest as _, Sha256};

use crate::day::Day;
use crate::movement::{Account, Source, TheirMovement};
use crate::quantity::Quantity;

/// A statement, as it was read of one file.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Who keeps the accounts.
    pub source: Source,
    /// The file, as it was named.
    pub file: String,
    /// Whose statement the file says it is; empty where it says nothing.
    pub origin: String,
    /// The SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
    /// The ledger that it is for, where the file says so: live or sandbox.
    pub environment: Option<String>,
    /// The first day that it is of; the earliest of its movements where it says none.
    pub from: Option<Day>,
    /// The last day that it is of.
    pub to: Option<Day>,
    /// When it was made, where the file says so; else the instant of its last movement.
    pub made: Option<String>,
    /// The block at which its balances are, for a chain.
    pub block: Option<(u64, String)>,
    /// Its movements, in the order of the file.
    pub movements: Vec<TheirMovement>,
    /// The balances that it states.
    pub balances: Vec<AccountBalance>,
    /// Transfers between watched addresses, which move no account of ours.
    pub internal: usize,
    /// Lines that were passed over, as its columns say.
    pub ignored: usize,
    /// Lines that cannot be read.
    pub unreadable: Vec<Fault>,
}

/// The balances of an account at a statement's ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountBalance {
    /// The account outside that the balances are of.
    pub account: Arc<Account>,
    /// Before the first movement.
    pub opening: Option<Quantity>,
    /// After the last.
    pub closing: Option<Quantity>,
    /// The line that states it, from 1.
    pub line: u64,
}

/// A fault at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line, from 1.
    pub line: u64,
    /// The column in it, from 1.
    pub column: u32,
    /// The fault in words.
    pub reason: String,
}

/// Why a file is no statement, or no rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file, as it was named.
    pub file: String,
    /// The places that are wrong.
    pub faults: Vec<Fault>,
}

/// The most faults that are named at once.
const FAULTS: usize = 20;

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, Fault { line, column, reason }) in self.faults.iter().take(FAULTS).enumerate() {
            let gap = if place > 0 { "\n" } else { "" };
            write!(f, "{gap}{}:{line}:{column}: {reason}", self.file)?;
        }
        match self.faults.len().checked_sub(FAULTS) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\nand {more} more places"),
        }
    }
}

impl std::error::Error for FileError {}

impl FileError {
    /// One fault of a file.
    pub(crate) fn one(file: &str, line: u64, column: u32, reason: impl Into<String>) -> Self {
        let fault = Fault { line, column, reason: reason.into() };
        Self { file: file.to_owned(), faults: vec![fault] }
    }
}

impl Statement {
    /// A statement of a file without anything in it yet.
    pub(crate) fn empty(source: Source, file: &str, bytes: &[u8]) -> Self {
        Self {
            source,
            file: file.to_owned(),
            origin: String::new(),
            sha256: digits(&Sha256::digest(bytes)),
            environment: None,
            from: None,
            to: None,
            made: None,
            block: None,
            movements: Vec::new(),
            balances: Vec::new(),
            internal: 0,
            ignored: 0,
            unreadable: Vec::new(),
        }
    }

    /// Says the days that the file does not say: those of its movements.
    pub(crate) fn fill_period(&mut self) {
        let days = || self.movements.iter().map(|movement| movement.day);
        let last = self.movements.iter().map(|movement| movement.at).max();
        let (from, to) = (self.from.or_else(|| days().min()), self.to.or_else(|| days().max()));
        (self.from, self.to) = (from, to);
        if self.made.is_none() {
            self.made = last.map(|at| at.to_string());
        }
    }

    /// Adds what it says of an account's balance, to what it says of the same account already.
    pub(crate) fn add_balance(&mut self, balance: AccountBalance) {
        let same = |known: &&mut AccountBalance| known.account == balance.account;
        match self.balances.iter_mut().find(same) {
            None => self.balances.push(balance),
            Some(known) => {
                known.opening = sum_of(known.opening, balance.opening);
                known.closing = sum_of(known.closing, balance.closing);
            }
        }
    }
}

fn sum_of(first: Option<Quantity>, second: Option<Quantity>) -> Option<Quantity> {
    match (first, second) {
        (Some(first), Some(second)) => Some(first.plus(second)),
        (first, second) => first.or(second),
    }
}
