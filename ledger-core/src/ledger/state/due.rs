//! What operations wait for, if they wait for time.

use super::operation::Machine;
use crate::machine::cash_out::{self, Funding, Stage};
use crate::machine::charge;
use crate::machine::hold::{self, Watch};
use crate::machine::wallet::{deposit, quote};
use crate::time::Instant;

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Due {
    /// What was awaited did not come in time.
    Expiry,
    /// A held credit becomes available.
    Maturity,
    /// A hold stops watching for what it is short of.
    Lapse,
    /// A precautionary hold ends.
    End,
    /// A failed send is tried again.
    Retry,
}

/// What a machine waits for, if it waits for time.
pub(in crate::ledger) fn deadline(machine: &Machine) -> Option<(Instant, Due)> {
    match machine {
        Machine::Charge(charge::State::Pending(order)) => Some((order.expires_at, Due::Expiry)),
        Machine::WalletDeposit(deposit::State::Waiting(order)) => {
            Some((order.expires_at, Due::Expiry))
        }
        Machine::Quote(quote::State::Open(order)) => Some((order.expires_at, Due::Expiry)),
        Machine::Charge(charge::State::Paid(paid)) if paid.settled_at.is_none() => {
            paid.credit.available_at.map(|at| (at, Due::Maturity))
        }
        // The order of a wallet's payment moves with it, and ends with it (rulings 35).
        Machine::CashOut(cash_out::State::Known(known))
            if known.order.funding != Funding::Seller =>
        {
            None
        }
        Machine::CashOut(cash_out::State::Known(known)) => match known.stage {
            Stage::Quoted | Stage::Awaiting => Some((known.order.expires_at, Due::Expiry)),
            Stage::Paying => known.attempts.retry_at.map(|at| (at, Due::Retry)),
            _ => None,
        },
        Machine::Hold(hold::State::Open(open)) => {
            let lapse = watches(open).then_some((open.order.watch_until, Due::Lapse));
            let end = open.order.ends_at.map(|at| (at, Due::End));
            lapse.into_iter().chain(end).min()
        }
        _ => None,
    }
}

/// Whether an open hold looks for more.
pub(in crate::ledger) fn watches(open: &hold::Amounts) -> bool {
    open.watch == Watch::Running && !open.shortfall().is_zero()
}
