#![forbid(unsafe_code)]
//! The rules of the custody ledger: no I/O, no clock, no randomness, no async.
//!
//! Requests and facts go in, events come out, and events are the only truth: balances, statements,
//! deadlines and views are folds of events. Who embeds this crate brings instants, secrets and a
//! place to keep records, as `ledger-store` does; [`ledger::MapArchive`] keeps them in memory.
//!
//! # What is here
//!
//! - [`money`], [`coin`], [`time`], [`id`]: values that cannot be wrong.
//! - [`accounting`]: the chart of accounts, entries that balance, books they add up to.
//! - [`pix`]: tax numbers, PIX keys, BR Codes.
//! - [`terms`]: fees, limits, and the policy that a ledger runs under.
//! - [`machine`]: one state machine a file, all on one floor plan.
//! - [`ledger`]: what composes the machines: commands, decisions, state, invariants.
//! - [`cbor`]: events through serde, for the frameworks of others.
//! - [`directory`]: which of several ledgers an API account lives in.
//! - [`contract`]: the wire, with the contract's names. Only this module speaks Portuguese.
//!
//! # Ten types, in reading order
//!
//! 1. [`money::Amount`]: centavos above zero; a balance may be below.
//! 2. [`accounting::Entry`]: moves of money, each debiting and crediting one amount.
//! 3. [`machine::payout::Event`]: what may happen to one operation, complete in itself.
//! 4. [`machine::Verdict`]: what a machine makes of a fact.
//! 5. [`ledger::Command`]: a request or a fact, with its instant and its cause.
//! 6. [`ledger::Lookup`]: what the archive holds under the keys that a command names.
//! 7. [`ledger::Refusal`]: why a request is answered with no.
//! 8. [`ledger::Record`]: the events of one command, as they are journaled.
//! 9. [`ledger::Ledger`]: state and archive together; [`ledger::Ledger::execute`] is the whole.
//! 10. [`contract::Call`]: one line of JSON or one HTTP request; [`contract::handle`] answers it.
//!
//! # An example
//!
//! An entry cannot be built out of balance, and the books refuse what would overdraw an account.
//!
//! ```
//! use ledger_core::accounting::{Account, Books, Control, Entry};
//! use ledger_core::money::Amount;
//!
//! let amount = Amount::new(50_000).expect("five hundred reais are above zero");
//! let funded = Entry::NONE.principal(Account::ProviderPay, Account::Funding, amount);
//!
//! let mut books = Books::default();
//! books.post(&funded)?;
//! assert_eq!(books.balance(Control::Funding), 50_000);
//! assert_eq!(books.trial_balance(), 0);
//!
//! // Nothing is in suspense, so nothing can leave it.
//! let from_suspense = Entry::NONE.principal(Account::SuspensePix, Account::ProviderPix, amount);
//! assert!(books.post(&from_suspense).is_err());
//! # Ok::<(), ledger_core::accounting::Fault>(())
//! ```

pub mod accounting;
pub mod cbor;
pub mod coin;
pub mod contract;
mod counted;
pub mod directory;
pub mod hexadecimal;
pub mod id;
pub mod ledger;
pub mod machine;
pub mod money;
pub mod network;
pub mod pix;
pub mod split;
pub mod template;
pub mod terms;
pub mod time;

/// A hash of the sources of these rules: what one version put away, no other takes up.
///
/// ```
/// assert_eq!(ledger_core::SOURCES.len(), 16); // Hexadecimal digits.
/// ```
pub const SOURCES: &str = env!("LEDGER_CORE_SOURCES");

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
