//! Charge: a PIX collected, into a custody balance (`destino: saldo`) or for a purchase (`cripto`).
//!
//! ```text
//! Absent --Requested--> Pending --Receive--> Paid --Mature--> Paid --Return--> Refunded
//!                        | | |'---See------> UnderReview --Settle--> Paid
//!                        | | |                 |   '----Withhold---> Delayed
//!                        | | '----Receive--> Delayed --Release-----> Paid
//!                        | '------Cancel---> Failed  '--Return-----> Refunded (also UnderReview)
//!                        '--------Expire---> Expired --See, Receive--> as from Pending
//! Pending, Expired, Failed --Attach--> Paid, or Bought
//! Pending, Expired --Receive--> Bought, where it buys crypto
//! ```
//!
//! Parts A1 and A4; CIN-24 to CIN-73; rulings 13, 21 to 23, 27. A purchase is `Bought` where a
//! custody charge is `Paid`, and goes on in [`purchase`]. What was credited may stand in the held
//! bucket until it matures; a hold or a forced debit may take that part before. [`decide`] judges,
//! [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

mod bought;
mod decide;
mod evolve;
mod follows;
mod paid;
pub mod purchase;
mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::accounting::{Account, Entry};
use crate::id::{OpId, SubaccountId};
use crate::machine::state_machine;
use crate::money::{Amount, Cents};
use crate::terms::Switch;
use crate::time::Instant;
use purchase::Bought;

pub use decide::decide;
pub use evolve::evolve;
pub use follows::follows;
pub use paid::{Arrived, Paid, Refunded};
pub use terms::{Credit, Delivery, Into, Order, Origin, PixPayment, Qr};

/// What the world reports, or time brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A PIX was seen for it, which the provider has not settled yet.
    See(PixPayment),
    /// The provider settled the PIX that was seen.
    Settle,
    /// The provider holds the PIX that was seen, until then if it said so.
    Withhold(Option<Instant>),
    /// A PIX arrived for it.
    Receive(PixPayment),
    /// An operator attached a PIX from suspense.
    Attach(PixPayment),
    /// The provider released what it held.
    Release,
    /// The provider cancelled it, or failed, before payment.
    Cancel,
    /// Its deadline passed.
    Expire,
    /// Its credit's day came.
    Mature,
    /// So much of it went back to the payer.
    Return(Amount),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Issued: it can be paid from now on.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// Not paid in time.
    #[n(1)]
    Expired,
    /// Cancelled before payment.
    #[n(2)]
    Failed,
    /// Paid, and held at the provider.
    #[n(3)]
    Delayed {
        /// The PIX that is held.
        #[n(0)]
        payment: PixPayment,
        /// When the provider means to release it.
        #[n(1)]
        until: Instant,
    },
    /// Paid and booked to the subaccount.
    #[n(4)]
    Credited {
        /// The PIX that paid it.
        #[n(0)]
        payment: PixPayment,
        /// What was booked.
        #[n(1)]
        credit: Credit,
    },
    /// The held part became available; zero when nothing was left of it.
    #[n(5)]
    Matured {
        /// The subaccount whose held part it was.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that moved from held to available.
        #[n(1)]
        amount: Cents,
    },
    /// Part of the held credit was taken before it matured.
    #[n(6)]
    PartTaken {
        /// The subaccount whose held part it was.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that left the held part.
        #[n(1)]
        amount: Amount,
        /// Tells whether available or frozen took it.
        #[n(2)]
        into: Into,
    },
    /// A block gave back what it had taken of the held credit.
    #[n(7)]
    PartRestored {
        /// The subaccount whose block it was.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that moved from frozen to held.
        #[n(1)]
        amount: Amount,
    },
    /// Went back to the payer before it was credited.
    #[n(8)]
    ReturnedUncredited {
        /// Centavos that left what is in flight.
        #[n(0)]
        amount: Amount,
    },
    /// Went back to the payer after it was credited: a forced debit (rulings 21).
    #[n(9)]
    Returned {
        /// The subaccount debited, below zero if it must be.
        #[n(0)]
        subaccount: SubaccountId,
        /// How much went back.
        #[n(1)]
        amount: Amount,
        /// How much of it reverses the deposit fee (rulings 22).
        #[n(2)]
        fee: Cents,
    },
    /// A PIX was seen and not settled yet: `under_review`.
    #[n(10)]
    UnderReview {
        /// The PIX that was seen.
        #[n(0)]
        payment: PixPayment,
    },
    /// The PIX that was seen is held at the provider.
    #[n(11)]
    Withheld {
        /// When the provider means to release it.
        #[n(0)]
        until: Instant,
    },
    /// A purchase moved.
    #[n(12)]
    Purchase(#[n(0)] purchase::Event),
    /// Went back to the payer out of a block on another subaccount, where the money had gone on to
    /// (rulings 81).
    #[n(13)]
    ReturnedTraced {
        /// The subaccount whose block gives; never the one that was credited.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos that went back, all of them principal.
        #[n(1)]
        amount: Amount,
    },
}

/// Where the charge stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No charge was issued under this id.
    #[default]
    Absent,
    /// Issued, not paid.
    Pending(Arc<Order>),
    /// Not paid in time.
    Expired(Arc<Order>),
    /// Cancelled before payment.
    Failed(Arc<Order>),
    /// A PIX was seen; the provider's settlement is in transit (CIN-57).
    UnderReview(Arc<Arrived>),
    /// Paid, held at the provider.
    Delayed(Arc<Arrived>),
    /// Paid and booked to custody.
    Paid(Arc<Paid>),
    /// Paid, and buying crypto.
    Bought(Arc<Bought>),
    /// Returned to the payer, the whole of it.
    Refunded(Arc<Refunded>),
}

/// What the ledger knows when the charge is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// When the command takes effect.
    pub at: Instant,
    /// Tells whether a credit now would be the first PIX deposit of a subaccount (P:CarenciaScope).
    pub first_deposit: Switch,
}

/// Accounts for `event` of charge `op`: Part A1 and A4, a row an event.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    match event {
        Event::Requested(_) | Event::Expired | Event::Failed | Event::Withheld { .. } => {
            Entry::NONE
        }
        Event::Purchase(event) => purchase::entry(op, event),
        Event::Delayed { payment, .. } | Event::UnderReview { payment } => {
            Entry::NONE.principal(Account::ProviderPix, Account::PixInFlight(op), payment.amount)
        }
        Event::Credited { credit, .. } => {
            let from = match credit.origin {
                Origin::Provider => Account::ProviderPix,
                Origin::Flight => Account::PixInFlight(op),
                Origin::Suspense => Account::SuspensePix,
            };
            let to = match credit.available_at {
                Some(_) => Account::Held(credit.subaccount),
                None => Account::Available(credit.subaccount),
            };
            Entry::NONE.principal(from, to, credit.gross).fee(
                to,
                Account::DepositIncome,
                credit.fee,
            )
        }
        Event::Matured { subaccount, amount } => {
            Entry::NONE.shift(Account::Held(*subaccount), Account::Available(*subaccount), *amount)
        }
        Event::PartTaken { subaccount, amount, into } => {
            let to = match into {
                Into::Available => Account::Available(*subaccount),
                Into::Frozen => Account::Frozen(*subaccount),
            };
            Entry::NONE.shift(Account::Held(*subaccount), to, *amount)
        }
        Event::PartRestored { subaccount, amount } => {
            Entry::NONE.shift(Account::Frozen(*subaccount), Account::Held(*subaccount), *amount)
        }
        Event::ReturnedUncredited { amount } => {
            Entry::NONE.principal(Account::PixInFlight(op), Account::ProviderPix, *amount)
        }
        Event::ReturnedTraced { subaccount, amount } => {
            Entry::NONE.principal(Account::Frozen(*subaccount), Account::ProviderPix, *amount)
        }
        Event::Returned { subaccount, amount, fee } => {
            let available = Account::Available(*subaccount);
            Entry::FORCED.principal(available, Account::ProviderPix, *amount).fee(
                Account::DepositIncome,
                available,
                *fee,
            )
        }
    }
}

state_machine! {
    decide: (Command, Context) = |state, command, now| decide(state, command, now).into_list();
    evolve: |state, event, at| evolve(state, event, at);
    entry: |op, event| entry(op, event);
    account: |state| state.order().map(|order| order.account);
}

impl State {
    /// The terms, once requested.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Pending(order) | Self::Expired(order) | Self::Failed(order) => Some(order),
            Self::UnderReview(arrived) | Self::Delayed(arrived) => Some(&arrived.order),
            Self::Paid(paid) => Some(&paid.order),
            Self::Bought(bought) => Some(&bought.order),
            Self::Refunded(refunded) => Some(&refunded.order),
        }
    }

    /// The PIX that arrived for it, if one did.
    #[must_use]
    pub fn payment(&self) -> Option<&PixPayment> {
        match self {
            Self::Absent | Self::Pending(_) | Self::Expired(_) | Self::Failed(_) => None,
            Self::UnderReview(arrived) | Self::Delayed(arrived) => Some(&arrived.payment),
            Self::Paid(paid) => Some(&paid.payment),
            Self::Bought(bought) => Some(&bought.payment),
            Self::Refunded(refunded) => Some(&refunded.payment),
        }
    }

    /// The subaccount that was credited to custody, once one was.
    #[must_use]
    pub fn credited_to(&self) -> Option<SubaccountId> {
        match self {
            Self::Paid(paid) => Some(paid.credit.subaccount),
            Self::Refunded(refunded) => refunded.credit.as_ref().map(|credit| credit.subaccount),
            Self::Bought(bought) => match bought.end {
                Some(purchase::End::Credited(subaccount, _)) => Some(subaccount),
                _ => None,
            },
            _ => None,
        }
    }

    /// Tells whether nothing is due and nothing of it is held: it may leave the memory of the open
    /// ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Pending(_) | Self::UnderReview(_) | Self::Delayed(_) => false,
            Self::Expired(_) | Self::Failed(_) | Self::Refunded(_) => true,
            Self::Paid(paid) => paid.settled_at.is_some(),
            Self::Bought(bought) => bought.has_ended(),
        }
    }

    fn known_order(&self) -> Arc<Order> {
        Arc::clone(self.order().expect("follows admits no event but Requested on an absent charge"))
    }
}
