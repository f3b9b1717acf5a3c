//! Persons, as the ledger knows them: by the names that clients chose, and never by documents.

use std::fmt;

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::id::{AccountId, OpId, SubaccountId};
use ledger_core::ledger::{Archive as _, Operation};
use ledger_core::machine::conversion::FundingSource;
use ledger_store::sequencer::Sequencer;

use crate::account::{LedgerAccount, Treatment};

/// A person that has money in the ledger, or with whom it is exchanged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Person {
    /// A customer of an API account.
    Customer {
        /// The API account's name.
        account: String,
        /// The customer's name, as the account chose it.
        customer: String,
    },
    /// An API account: its house balance, its wallet and its commission.
    Account(String),
    /// An agent, by its number.
    Agent(u32),
    /// The settlement provider.
    Provider,
    /// Another cell, to which an account moved or from which it came.
    Cells,
    /// The institution itself.
    Institution,
    /// Nobody that the ledger can name, as for money in suspense.
    Unknown,
}

impl Person {
    /// Returns the person that a balance of this account belongs to, as the ledger stands.
    #[must_use]
    pub fn for_account(sequencer: &Sequencer, account: LedgerAccount) -> Self {
        match account.treatment() {
            Treatment::Held | Treatment::Own | Treatment::Exchange => Self::Institution,
            Treatment::Creditors if account.chart() == "cells" => Self::Cells,
            Treatment::Creditors => Self::Provider,
            Treatment::Clients => client_person(sequencer, account),
        }
    }

    /// Returns the person of a subaccount; of a house balance, its API account.
    #[must_use]
    pub fn for_subaccount(sequencer: &Sequencer, id: SubaccountId) -> Self {
        let ledger = sequencer.ledger();
        let Some(known) = ledger.state.subaccount(id) else { return Self::Unknown };
        match (Self::for_api_account(sequencer, known.account), ledger.archive.customer(id)) {
            (Self::Account(account), Some(customer)) => {
                Self::Customer { account, customer: customer.to_owned() }
            }
            (person, _) => person,
        }
    }

    /// Returns the person of an API account.
    #[must_use]
    pub fn for_api_account(sequencer: &Sequencer, id: AccountId) -> Self {
        let known = sequencer.ledger().state.account(id);
        known.map_or(Self::Unknown, |account| Self::Account(account.name.to_string()))
    }

    /// Returns the person of an operation, however it stands.
    #[must_use]
    pub fn for_operation(sequencer: &Sequencer, op: OpId) -> Self {
        let read = |operation: &Operation| operation_person(sequencer, operation);
        with_operation(sequencer, op, read).unwrap_or(Self::Unknown)
    }
}

/// Reads an operation, whether it is open or has ended.
pub(crate) fn with_operation<T>(
    sequencer: &Sequencer,
    op: OpId,
    read: impl FnOnce(&Operation) -> T,
) -> Option<T> {
    let ledger = sequencer.ledger();
    match ledger.state.open(op) {
        Some(operation) => Some(read(operation)),
        None => ledger.archive.ended_operation(op).map(|operation| read(&operation)),
    }
}

fn client_person(sequencer: &Sequencer, account: LedgerAccount) -> Person {
    if let Some(op) = account.op() {
        return Person::for_operation(sequencer, op);
    }
    match account {
        LedgerAccount::Reais(Account::Available(id) | Account::Held(id) | Account::Frozen(id)) => {
            Person::for_subaccount(sequencer, id)
        }
        LedgerAccount::Reais(Account::Commission(id))
        | LedgerAccount::Coins(
            _,
            CoinAccount::WalletAvailable(id)
            | CoinAccount::WalletReserved(id)
            | CoinAccount::WalletConfirming(id),
        ) => Person::for_api_account(sequencer, id),
        LedgerAccount::Reais(Account::Reward(agent)) => Person::Agent(agent.0),
        LedgerAccount::Reais(Account::ProductLiability(of))
        | LedgerAccount::Coins(_, CoinAccount::ProductLiability(of)) => {
            of.holder.map_or(Person::Unknown, |id| Person::for_subaccount(sequencer, id))
        }
        // Money and coins in suspense wait for somebody to say whose they are.
        LedgerAccount::Reais(_) | LedgerAccount::Coins(..) => Person::Unknown,
    }
}

fn operation_person(sequencer: &Sequencer, operation: &Operation) -> Person {
    let charge = operation.charge().and_then(|state| Some(state.order()?.subaccount));
    let payout = operation.payout().and_then(|state| Some(state.order()?.subaccount));
    let conversion =
        operation.conversion().and_then(|state| match state.progress()?.order.source {
            FundingSource::Custody(subaccount) => Some(subaccount),
            FundingSource::Commission => None,
        });
    let hold = operation.hold().and_then(|state| Some(state.amounts()?.order.subaccount));
    match charge.or(payout).or(conversion).or(hold) {
        Some(subaccount) => Person::for_subaccount(sequencer, subaccount),
        None => operation
            .account()
            .map_or(Person::Unknown, |account| Person::for_api_account(sequencer, account)),
    }
}

/// `loja/ana`, and `loja/casa` for an API account itself.
impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Customer { account, customer } => write!(f, "{account}/{customer}"),
            Self::Account(account) => write!(f, "{account}/casa"),
            Self::Agent(number) => write!(f, "agent {number}"),
            Self::Provider => f.write_str("provider"),
            Self::Cells => f.write_str("another cell"),
            Self::Institution => f.write_str("institution"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}
