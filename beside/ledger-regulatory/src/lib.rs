#![forbid(unsafe_code)]
//! Reports of a custody ledger to authorities and clients, from its records alone.
//!
//! ```text
//!                        ┌─►  CustodyPosition   a day: total, own, clients', by client
//! ledger at record n ────┼─►  CosifBalance      a month by COSIF accounts: document 4010
//!                        │
//! records of a period ───┼─►  Row               what moved, classified, each unit once
//!                        └─►  ClientReport      one client's, in Portuguese
//! ```
//!
//! In reading order:
//!
//! 1. [`reais_treatment`], [`coin_treatment`]: whose the balance of each account is.
//! 2. [`Person`]: whom the ledger knows, by the names that clients chose.
//! 3. [`Balance`]: every balance by person, held against the trial balance.
//! 4. [`AssetPrice`], [`CustodyPosition`]: what is in custody, and what it is worth.
//! 5. [`Row`], [`record_rows`]: what moved.
//! 6. [`ClientReport`]: assets, movements and quotes of one client.
//! 7. [`CosifMapping`], [`CosifBalance`]: the trial balance by a declared mapping.
//!
//! Nothing is guessed: what the ledger does not know is listed.

mod account;
mod balance;
mod cell;
mod client;
mod cosif;
mod person;
mod position;
mod position_text;
mod price;
mod row;

pub use account::{Commodity, LedgerAccount, Treatment, coin_treatment, reais_treatment};
pub use balance::{Balance, BalanceMismatch};
pub use client::{ClientAsset, ClientReport, ClientReportError, ReportRefused, check_report};
pub use cosif::{CosifAccount, CosifBalance, CosifError, CosifMapping, MappingError, Side};
pub use person::Person;
pub use position::{AssetPosition, CustodyPosition, PositionError};
pub use price::AssetPrice;
pub use row::{
    Counterparty, End, Part, Row, RowClass, RowFormat, RowsError, ledger_rows, record_rows,
    rows_csv, rows_json, sum_parts,
};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
