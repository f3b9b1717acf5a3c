//! Where a wallet deposit stands.

use std::sync::Arc;

use super::{Event, Mark, Order, Transfer};
use crate::coin::Units;
use crate::id::{AccountId, OpId};
use crate::time::Instant;

/// Where the deposit stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was requested or found under this id.
    #[default]
    Absent,
    /// `waiting`: nothing was seen yet.
    Waiting(Arc<Order>),
    /// `expired`: nothing came in time.
    Expired(Arc<Order>),
    /// `confirming`: exactly what was asked for was seen, and is not confirmed.
    Confirming(Arc<Arrival>),
    /// `under_review`: an operator decides what becomes of it.
    UnderReview(Arc<Arrival>),
    /// `available`: credited to the wallet.
    Available(Arc<Arrival>),
    /// `reversed`: kept out, or its credit undone.
    Reversed(Arc<Arrival>),
}

/// A deposit for which something arrived.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// The request, where there is one.
    pub order: Option<Arc<Order>>,
    /// The request that what was found had named.
    pub about: Option<OpId>,
    /// What arrived on the network.
    pub transfer: Transfer,
    /// Tells whether it came before the request expired.
    pub timing: Timing,
    /// Tells whether the network confirmed it.
    pub chain: OnChain,
    /// Whose wallet was credited, with how much and when.
    pub credit: Option<(AccountId, Units, Instant)>,
}

/// Tells whether a transfer came before its request expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// Before the request expired.
    InTime,
    /// After, or there was no request.
    Late,
}

/// What the network says of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnChain {
    /// Seen in a transaction that is not confirmed.
    Seen,
    /// Confirmed, as the world reports it.
    Confirmed,
    /// No longer there; it may be mined again.
    Vanished,
}

impl Arrival {
    /// Whose wallet it is for, where anybody said.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        let credited = self.credit.map(|(account, _, _)| account);
        credited.or_else(|| self.order.as_ref().map(|order| order.account))
    }

    /// Returns what was credited.
    #[must_use]
    pub fn credited_units(&self) -> Option<Units> {
        self.credit.map(|(_, credited, _)| credited)
    }

    /// Returns what letting it in is: once it is confirmed, of a token worth one USDT, for one
    /// account, and at most what arrived.
    pub(super) fn clearing_event(
        &self,
        account: Option<AccountId>,
        credited: Option<Units>,
    ) -> Option<Event> {
        let account = match (self.account(), account) {
            (Some(known), Some(named)) if known != named => return None,
            (known, named) => known.or(named)?,
        };
        let credited = credited.unwrap_or(self.transfer.units);
        let fits = self.chain == OnChain::Confirmed && credited <= self.transfer.units;
        let transfer = self.transfer.clone();
        let event = Event::Cleared { account, transfer, credited };
        (fits && self.transfer.usdt.is_some()).then_some(event)
    }
}

impl State {
    /// The request, once made.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Waiting(order) | Self::Expired(order) => Some(order),
            Self::Confirming(arrival)
            | Self::UnderReview(arrival)
            | Self::Available(arrival)
            | Self::Reversed(arrival) => arrival.order.as_ref(),
        }
    }

    /// Returns what arrived, once something did.
    #[must_use]
    pub fn arrival(&self) -> Option<&Arc<Arrival>> {
        match self {
            Self::Absent | Self::Waiting(_) | Self::Expired(_) => None,
            Self::Confirming(arrival)
            | Self::UnderReview(arrival)
            | Self::Available(arrival)
            | Self::Reversed(arrival) => Some(arrival),
        }
    }

    /// Whose wallet it is for, where anybody said.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        let ordered = self.order().map(|order| order.account);
        ordered.or_else(|| self.arrival().and_then(|arrival| arrival.account()))
    }

    /// The request, while it is open and its amount is its own: what comes late leaves the amount
    /// to others (INV-38).
    #[must_use]
    pub fn awaits(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Waiting(order) => Some(order),
            Self::Confirming(arrival) | Self::UnderReview(arrival)
                if arrival.timing == Timing::InTime =>
            {
                arrival.order.as_ref()
            }
            _ => None,
        }
    }

    /// Tells whether what arrived is this transfer.
    #[must_use]
    pub fn has(&self, mark: &Mark) -> bool {
        self.arrival().is_some_and(|arrival| arrival.transfer.mark == *mark)
    }

    /// Tells whether it has this mark for another token, network or amount.
    pub(crate) fn is_contradicted_by(&self, told: &Transfer) -> bool {
        let of = |it: &Transfer| (it.asset, it.chain, it.units);
        self.has(&told.mark) && self.arrival().is_some_and(|it| of(&it.transfer) != of(told))
    }

    /// The coins that the books no longer count: they vanished, or their credit was undone.
    #[must_use]
    pub fn gone_transfer(&self) -> Option<&Transfer> {
        match self {
            Self::Reversed(arrival)
                if arrival.chain == OnChain::Vanished || arrival.credit.is_some() =>
            {
                Some(&arrival.transfer)
            }
            _ => None,
        }
    }

    /// The coins that the network has yet to say something of: they are not confirmed, or are gone
    /// and may be mined again.
    #[must_use]
    pub fn unsettled_transfer(&self) -> Option<&Transfer> {
        let seen = self.arrival().filter(|arrival| {
            let open = matches!(self, Self::Confirming(_) | Self::UnderReview(_));
            open && arrival.chain == OnChain::Seen
        });
        seen.map(|arrival| &arrival.transfer).or_else(|| self.gone_transfer())
    }

    /// Tells whether it had just these coins, and they are gone.
    #[must_use]
    pub fn has_lost(&self, transfer: &Transfer) -> bool {
        self.gone_transfer().is_some_and(|gone| gone.is_output_of(transfer))
    }

    /// Tells whether nobody waits any more.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Expired(_) | Self::Available(_) | Self::Reversed(_))
    }
}
