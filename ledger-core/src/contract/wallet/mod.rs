//! The USDT wallet on the wire (contract 2.5, 2.6, 4.5): routes, bodies, views, refusals, facts.

mod deposits;
pub(super) mod fact;
pub(super) mod payment_fact;
mod payments;
mod refusals;
mod requests;
pub(super) mod routes;
pub(super) mod settings_fact;
mod state;
pub(super) mod wire;
pub(super) mod withdrawal_fact;
pub(super) mod withdrawal_routes;
mod withdrawals;

pub use refusals::problem;

use crate::coin::{Scale, Units, units_text};
use crate::money::Amount;

/// Millionths of USDT of either sign, with all six decimals (WAL-05).
fn signed_usdt(units: i128) -> String {
    let text = units_text(units.unsigned_abs(), Scale::SIX);
    if units < 0 { format!("-{text}") } else { text }
}

/// The field that tells what must be sent to a deposit, to the last decimal (WAL-10).
pub(super) const TO_SEND: &str = "amount_to_send";

/// Units of six decimals as a decimal string (WAL-09, WDR-04).
pub(super) fn six(units: Units) -> String {
    units.text(Scale::SIX)
}

fn six_if(units: Option<Units>) -> Option<String> {
    units.map(six)
}

/// Reais as a decimal string: `10.00`.
fn reais(amount: Amount) -> String {
    let cents = amount.cents();
    format!("{}.{:02}", cents / 100, cents % 100)
}
