//! The entries of a crypto withdrawal: Part A14, a row an event; rulings 38.

use super::{Event, Sent, Terms};
use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::OpId;
use crate::machine::wallet::{into_usdt, out_of_usdt};

/// Accounts for `event` of withdrawal `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    use CoinAccount::{Fx, Gas, Loss, Treasury, WalletAvailable, WalletReserved};
    let flight_of = CoinAccount::WithdrawalInFlight(op);
    let none = Entry::NONE;
    match event {
        Event::Begun | Event::Questioned(_) | Event::Resumed => none,
        Event::Requested(order) => {
            let Terms { account, usdt, amount, .. } = order.terms;
            none.coins(usdt, WalletAvailable(account), WalletReserved(account), amount)
        }
        Event::Funded(terms) => {
            let from = WalletReserved(terms.account);
            out_of_usdt(none, (terms.asset, terms.usdt), from, flight_of, terms.amount)
        }
        Event::Converted { terms, obtained } => {
            none.coins(terms.asset, flight_of, Fx, terms.amount.minus(Some(*obtained)))
        }
        Event::Completed { terms, flight, sent } => {
            let Split { paid, fee, left, excess } = Split::new(terms, *flight, sent);
            let treasury = Treasury(terms.chain);
            let entry = none
                .coins(terms.asset, flight_of, treasury, paid)
                .coins(terms.asset, flight_of, Gas, fee)
                .coins(terms.asset, Loss, treasury, excess);
            let (pair, to) = ((terms.asset, terms.usdt), WalletAvailable(terms.account));
            into_usdt(entry, pair, flight_of, to, left)
        }
        Event::Failed { terms, flight: None } => {
            let Terms { account, usdt, amount, .. } = **terms;
            none.coins(usdt, WalletReserved(account), WalletAvailable(account), amount)
        }
        Event::Failed { terms, flight: Some(flight) } => {
            let Terms { account, usdt, amount, asset, .. } = **terms;
            if asset == usdt {
                return none.coins(usdt, flight_of, WalletAvailable(account), *flight);
            }
            let entry = none.coins(asset, flight_of, Fx, *flight);
            entry.coins(usdt, Fx, WalletAvailable(account), amount)
        }
    }
}

/// What becomes of what was owed to the address, when it arrived.
pub(super) struct Split {
    paid: Units,
    fee: Option<Units>,
    pub(super) left: Option<Units>,
    excess: Option<Units>,
}

impl Split {
    /// What arrived, then the network's fee, then what is left for the wallet; what arrived beyond
    /// what was owed is our loss.
    pub(super) fn new(terms: &Terms, flight: Units, sent: &Sent) -> Self {
        let paid = sent.received.min(flight);
        let rest = flight.minus(Some(paid));
        let asked = sent.network_fee.or(terms.network_fee);
        let fee = rest.zip(asked).map(|(rest, asked)| rest.min(asked));
        let left = rest.and_then(|rest| rest.minus(fee));
        Self { paid, fee, left, excess: sent.received.minus(Some(flight)) }
    }
}
