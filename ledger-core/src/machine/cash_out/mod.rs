//! Cash-out: external crypto sold for a PIX to a recipient.
//!
//! ```text
//! Absent --Quoted--> Quoted --Accept--> Awaiting --See--> Detected --Confirm--> Secured
//! Quoted, Awaiting --Expire--> Expired, which a late deposit may revive
//! Quoted, Awaiting --Cancel--> Failed
//! Detected --Vanish--> Awaiting
//! Secured --StartSale, Forward--> Secured; the sale --Fill, FailSale, LoseSale, Arrive--> there
//! Secured --StartPayment--> Paying --Pay--> Completed --Reverse--> Completed, with a refund due
//! Paying --FailSend--> Paying --Retry--> Paying
//! Paying --LosePayment--> Paying, unknown --Stop--> Review
//! Paying --RefuseKey--> Review
//! Paying --GiveUpPayment--> Refunding, or Review until the token is back
//! Paying, Completed --HandOver, GiveBack--> the same
//! Detected, Secured, Paying --Delay--> the same, late --Resume--> the same
//! any with a deposit in doubt --> Review --Clear--> where it was going
//! Review of too little or of another token --See, Confirm--> where it was going
//! Secured, Review --DecideRefund--> Refunding --Address, Refund--> Refunding, and sent at last
//! Refunding --LoseCoins--> Refunding of the rest, or Failed
//! ```
//!
//! Parts A7 to A11 as rulings 31 to 33 and 35 correct them. An order is an order, a liquidation at
//! an exchange, a payment and a refund: the liquidation moves by reports of its own whatever the
//! order does, the refund is [`super::refund`]. A completed order whose PIX came back stays
//! completed until its refund is sent. [`decide`] judges, [`follows`] says what may come next,
//! [`evolve`] remembers, [`entry`] accounts.

mod ceiling;
mod decide;
mod deposits;
mod entries;
mod event;
mod evolve;
mod follows;
mod liquidation;
mod payment;
mod phase;
mod progress;
mod returns;
mod terms;

use std::sync::Arc;

use super::state_machine;
use crate::coin::Scale;
use crate::id::OpId;
use crate::machine::Verdict;
use crate::machine::refund::{Coins, RefundReport};
use crate::money::{Amount, Cents};
use crate::terms::{Excess, Quote, Switch};
use crate::time::Instant;

pub use ceiling::{Bound, Ceilings, ReviewReason};
pub use decide::{decide, request};
pub use entries::entry;
pub use event::{DepositAccount, Event, RefundSource};
pub use evolve::evolve;
pub use follows::follows;
pub use phase::{Entered, Phase};
pub use progress::{
    DepositInstructions, HeldDeposit, Liquidation, PayoutAttempts, Progress, Waits,
};
pub use terms::{
    AmountBasis, CorrectedKey, Deposit, DepositTo, Funding, KeyOwner, Order, Payee, Pix, Proceeds,
    Sale,
};

/// A client's request about a quoted order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Accept it: the provider supplied where to deposit, or nothing.
    Accept(Option<DepositTo>),
    /// The return wallet.
    Address(Box<str>),
}

/// A report of the world, a decision of an operator, or a deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The deadline passed.
    Expire,
    /// The route is lost, or the sale failed before anything was deposited.
    Cancel,
    /// A deposit was seen.
    See(Deposit),
    /// A deposit is confirmed.
    Confirm(Box<str>),
    /// A deposit vanished.
    Vanish(Box<str>),
    /// The exchange is late.
    Delay,
    /// It goes on.
    Resume,
    /// The exchange or the swap began to sell.
    StartSale,
    /// Sold, for these proceeds.
    Fill(Proceeds),
    /// The swap definitely failed.
    FailSale,
    /// Nobody knows whether it was sold.
    LoseSale,
    /// The proceeds are on their way.
    Forward,
    /// They arrived: so many centavos.
    Arrive(Amount),
    /// The payment began.
    StartPayment,
    /// The PIX was paid.
    Pay(Pix),
    /// The send failed before leaving.
    FailSend,
    /// The PIX cannot be paid, and no further try would change that.
    GiveUpPayment,
    /// The provider refused the key and gave back so much.
    RefuseKey(Amount),
    /// Nobody knows whether the PIX was paid.
    LosePayment,
    /// An operator takes a payment whose outcome is unknown.
    Stop,
    /// The token was handed to the provider.
    HandOver,
    /// The provider returned so much of it.
    GiveBack(Coins),
    /// The PIX came back.
    Reverse(Amount),
    /// Another try is due.
    Retry,
    /// An operator lets the order go on; with a corrected key, if it was the key.
    Clear(Option<CorrectedKey>),
    /// A refund is decided: to this wallet, if another than the one known; by an operator or not.
    DecideRefund {
        /// The wallet; none for the one that is known.
        to: Option<Box<str>>,
        /// Tells whether an operator decides it.
        operator: Switch,
    },
    /// The outcome of the refund.
    Refund(RefundReport),
    /// So much of what was deposited is lost for good.
    LoseCoins(Coins),
}

/// The ledger's knowledge when the order is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The instant of the record that the events will be in.
    pub at: Instant,
    /// The price now of what was deposited; none where it is unknown or too old.
    pub quote: Option<Quote>,
    /// The decimals of what was deposited; none where its asset is unknown.
    pub scale: Option<Scale>,
    /// The ceilings of its payment, this order's own share not counted.
    pub ceilings: Ceilings,
    /// The number an unmatched deposit would have.
    pub unmatched: OpId,
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The quote is no longer good.
    QuoteExpired,
    /// The provider gave no address: the same order may be accepted again (COUT-69).
    NoAddress,
    /// The recipient may not have so much today.
    RecipientCeiling {
        /// The amount left to it.
        room: Cents,
    },
    /// The agent's mandate does not let it go.
    Mandate(Excess),
    /// Another return wallet stands already (P:RefundImmutable).
    AddressFixed,
    /// Not in this state.
    OutOfTurn,
}

/// Where the order stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No order was quoted under this id.
    #[default]
    Absent,
    /// Quoted, and whatever came of it.
    Known(Arc<Progress>),
}

/// How far an order got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// `QUOTE_CREATED`: nothing is committed (COUT-33).
    Quoted,
    /// `AWAITING_DEPOSIT`: the deposit address exists (COUT-34).
    Awaiting,
    /// `EXPIRED`: the deadline passed without a deposit (COUT-45).
    Expired,
    /// `FAILED`: it came to nothing while no customer crypto was held (P:FailedGuard).
    Failed,
    /// `DEPOSIT_DETECTED`: a deposit was seen, and is not confirmed.
    Detected,
    /// `DEPOSIT_CONFIRMED`, `SELLING`, `SOLD` or `FORWARDING`, as the liquidation says.
    Secured,
    /// `PROCESSING`, or `PAYING_OUT` where it was sold first.
    Paying,
    /// `COMPLETED`, until its PIX comes back: then as the refund says (rulings 52).
    Completed,
    /// `MANUAL_REVIEW`, for this reason.
    Review(ReviewReason),
    /// A refund is due: `AWAITING_REFUND_ADDRESS`, `MANUAL_REVIEW`, `REFUNDING_CRYPTO`, `REFUNDING`
    /// or `REFUNDED`, as it says itself.
    Refunding,
}

state_machine! {
    decide: (Command, Context) = |state, command, now| decide(state, command, &now);
    evolve: |state, event, at| evolve(state, event, at);
    entry: |op, event| entry(op, event);
    account: |state| state.progress().map(|progress| progress.order.account);
}

impl State {
    /// The order with all that came of it, once quoted.
    #[must_use]
    pub const fn progress(&self) -> Option<&Arc<Progress>> {
        match self {
            Self::Absent => None,
            Self::Known(progress) => Some(progress),
        }
    }

    /// The order with an unmatched deposit about it, of these coins.
    #[must_use]
    pub fn with_unmatched(&self, (unmatched, coins): (OpId, Coins)) -> Self {
        match self {
            Self::Known(progress) if !progress.unmatched.contains(&unmatched) => {
                let mut after = Progress::clone(progress);
                after.unmatched.push(unmatched);
                if coins.same_kind(progress.order.coins) {
                    after.beside = after.beside.saturating_add(coins.units.get());
                }
                Self::Known(Arc::new(after))
            }
            _ => self.clone(),
        }
    }

    /// Tells whether nothing is in flight and nobody is waited for. An expired order that a late
    /// deposit may still revive has ended too: it is revived.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let Self::Known(progress) = self else { return false };
        let refunded = progress.refund.as_ref().is_none_or(|refund| refund.sent_hash().is_some());
        match progress.stage {
            Stage::Expired | Stage::Failed => true,
            Stage::Completed | Stage::Refunding => refunded,
            Stage::Quoted
            | Stage::Awaiting
            | Stage::Detected
            | Stage::Secured
            | Stage::Paying
            | Stage::Review(_) => false,
        }
    }
}

fn one(event: Event) -> Verdict<Vec<Event>> {
    Verdict::Applied(vec![event])
}
