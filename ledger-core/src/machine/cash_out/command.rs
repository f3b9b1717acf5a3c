//! What may be asked and reported of an order, what that is judged with, and why a request is
//! refused.

use super::ceiling::Ceilings;
use super::event::Event;
use super::terms::{CorrectedKey, Deposit, DepositTo, Pix, Proceeds};
use crate::coin::Scale;
use crate::id::OpId;
use crate::machine::Verdict;
use crate::machine::refund::{Coins, RefundReport};
use crate::money::{Amount, Cents};
use crate::terms::{Excess, Quote, Switch};
use crate::time::Instant;

/// What a client asks of an order that was quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Accept it: the provider supplied where to deposit, or nothing.
    Accept(Option<DepositTo>),
    /// The return wallet.
    Address(Box<str>),
}

/// What the world reports, an operator decides, or time brings.
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
    /// What became of the refund.
    Refund(RefundReport),
}

/// What the ledger knows when the order is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The instant of the record that the events will be in.
    pub at: Instant,
    /// The price now of what was deposited; none where it is unknown or too old.
    pub quote: Option<Quote>,
    /// The decimals of what was deposited; none where its asset is unknown.
    pub scale: Option<Scale>,
    /// What it may pay, this order's own share not counted.
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
        /// What it may still have.
        room: Cents,
    },
    /// The agent's mandate does not let it go.
    Mandate(Excess),
    /// Another return wallet stands already (P:RefundImmutable).
    AddressFixed,
    /// Not in this state.
    OutOfTurn,
}

pub(super) fn one(event: Event) -> Verdict<Vec<Event>> {
    Verdict::Applied(vec![event])
}
