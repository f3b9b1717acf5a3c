//! The sandbox on the wire: its routes, and what it answers before the ledger is asked (contract,
//! 3.3 and 4.8).
//!
//! The ledger of test keys has the rules of every other; only the providers are played (SBX-14).
//! Whoever plays them reads here what a charge or a sale asks for.

mod about;
mod accept;
mod events;
mod pay;
pub(super) mod routes;
mod scenario;
pub(super) mod wire;

use super::error::{Code, Problem};
use crate::id::{LedgerName, OpId};
use crate::time::Instant;
pub use accept::first_accept;
pub use scenario::{Scenario, read_scenario};

/// The institution of the made-up PIX system.
const ISPB: &str = "99999999";

/// Tells that an end-to-end id is one that the made-up PIX system gave ([`pix_id`]).
pub(super) fn is_played_pix(e2e: &str) -> bool {
    let letter = e2e.strip_prefix(['E', 'D']);
    letter.is_some_and(|rest| rest.starts_with(ISPB))
}

/// What only a test key may ask for.
fn test_keys_only(sandbox: bool) -> Result<(), Problem> {
    let refusal = || Problem::new(Code::NotPermitted, "this route is for test keys");
    sandbox.then_some(()).ok_or_else(refusal)
}

/// The id that the made-up PIX system gives to a PIX of this operation: `E` for a payment, `D` for
/// a return. The same operation and minute always give the same.
#[must_use]
pub fn pix_id(letter: char, op: OpId, ledger: &LedgerName, at: Instant) -> String {
    let (minute, name) = (at.to_string(), op.text(ledger));
    let digits: String = minute.chars().filter(char::is_ascii_digit).take(12).collect();
    format!("{letter}{ISPB}{digits}{}", &name[name.len() - 11..])
}
