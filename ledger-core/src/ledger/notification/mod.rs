//! Notices and instructions: what a decision tells the client, and what it asks of the world.
//!
//! Both are values, derived from a record and the state right after it, never from anything else:
//! none exists without its record, and none is missing (EVT-08, EVT-09).

pub(super) mod derive;
pub(super) mod instructions;
mod of_event;

use super::state::operation::Operation;
use crate::id::{OpId, Seq};
use crate::machine::refund::{Coins, Refund};
use crate::machine::{cash_out, charge, delivery, payout, wallet};
use crate::time::Instant;

/// Something a client is notified of: the wire's webhook event.
///
/// ```
/// use ledger_core::id::Seq;
/// use ledger_core::ledger::Notification;
///
/// // A client that sorts by number reads what record 12 tells before what record 13 does.
/// let last_of_12 = Notification::sequence_after(Seq(12));
/// assert!(last_of_12 < Seq(13).0 * Notification::A_RECORD);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The record behind it; notices of one operation come in the order of these (P:EventOrder).
    pub seq: Seq,
    /// Its place among the notices of that record.
    pub index: u16,
    /// When it happened.
    pub at: Instant,
    /// What happened to the operation.
    pub topic: Topic,
    /// To which operation.
    pub op: OpId,
    /// How the operation stood right after the event behind it (rulings 53).
    pub operation: Operation,
    /// The receipts that it lists, as they stood after the record.
    pub unmatched: Vec<(OpId, Operation)>,
}

/// How operations stood between the events of one record, by the place of the event: of those that
/// a later event of it moved again.
pub(super) type Passing = Vec<(usize, Operation)>;

impl Notification {
    /// How many notices of one record have places of their own.
    pub const A_RECORD: u64 = 1_000;

    /// Its number among all notices, and so among its account's: rising by record, and within one
    /// by place (P:EventOrder, rulings 53).
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.seq.0 * Self::A_RECORD + u64::from(self.index)
    }

    /// The number of what no record is behind: after all that records up to `seq` tell.
    #[must_use]
    pub const fn sequence_after(seq: Seq) -> u64 {
        seq.0 * Self::A_RECORD + (Self::A_RECORD - 1)
    }
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// A charge will be held by us once it is paid.
    ChargeHeld,
    /// A charge was paid, and the provider holds it.
    ChargeDelayed,
    /// A charge was paid and credited, or buys crypto now; a conversion was debited.
    ChargePaid,
    /// The credit is available, or the crypto was sent.
    ChargeSettled,
    /// A send failed; it is retried.
    SettlementFailed,
    /// A charge was not paid in time.
    ChargeExpired,
    /// All of it went back: to the payer, or to the balance it came from.
    ChargeRefunded,
    /// The provider cancelled a charge before payment.
    ChargeFailed,
    /// A payout was debited.
    PayoutCreated,
    /// A payout is at the provider.
    PayoutProcessing,
    /// A payout was paid.
    PayoutCompleted,
    /// A payout was not paid.
    PayoutFailed,
    /// A payout came back, in part or whole.
    PayoutReturned,
    /// A sale was accepted: the deposit is awaited.
    CashOutAccepted,
    /// A deposit was seen.
    DepositDetected,
    /// What was deposited is being sold or paid.
    CashOutProcessing,
    /// A person has to look.
    CashOutUnderReview,
    /// A refund is under way.
    CashOutRefunding,
    /// The PIX was paid.
    CashOutCompleted,
    /// The refund was sent.
    CashOutRefunded,
    /// The quote or the deposit came to nothing in time.
    CashOutExpired,
    /// The sale came to nothing.
    CashOutFailed,
    /// A refund is due and no return wallet is known.
    RefundAddressAwaited,
    /// A deposit into a USDT wallet was credited.
    WalletDepositCredited,
    /// A payment from a USDT wallet was paid.
    WalletPaymentCompleted,
    /// A payment from a USDT wallet failed, before or after it was sent (P:FailedEvents).
    WalletPaymentFailed,
    /// Somebody tries whether an endpoint hears.
    WebhookTest,
}

/// Something the world is asked to do; answered by facts.
///
/// ```
/// use ledger_core::coin::Units;
/// use ledger_core::id::{AssetId, ChainId, Kind, OpId, Seq};
/// use ledger_core::ledger::{Instruction, Task};
/// use ledger_core::machine::refund::Coins;
///
/// let units = Units::new(5_000_000).expect("five USDT are above zero");
/// let task = Task::Sell(Coins { asset: AssetId(0), chain: ChainId(0), units });
/// let sell = Instruction { seq: Seq(15), op: OpId::new(Kind::CashOut, Seq(12)), task };
/// assert_eq!(sell.key("live"), format!("{}:sell", sell.op.text("live"))); // Whenever it is asked.
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The record behind it.
    pub seq: Seq,
    /// For which operation.
    pub op: OpId,
    /// What is to be done.
    pub task: Task,
}

/// What the world is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// Send the PIX of a payout.
    SendPix(std::sync::Arc<payout::Order>),
    /// Deliver crypto to a wallet: this attempt.
    Deliver(Box<DeliveryInstruction>),
    /// Sell what was deposited.
    Sell(Coins),
    /// Send the PIX of a sale: this attempt.
    PaySale {
        /// Which attempt, from 1.
        attempt: u32,
        /// The order, with the payee as last corrected.
        progress: std::sync::Arc<cash_out::Progress>,
    },
    /// Refund crypto to a wallet: this attempt.
    Refund(Box<Refund>),
    /// Fund a withdrawal from a USDT wallet, convert it where that is asked, and send it.
    Withdraw(std::sync::Arc<wallet::withdrawal::Order>),
    /// Make a payment from a USDT wallet: create and accept its order, and send what it costs.
    Pay(std::sync::Arc<wallet::payment::Order>),
}

/// A delivery to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryInstruction {
    /// Which attempt, from 1: facts about it may carry the number.
    pub attempt: u32,
    /// What is delivered, and what it costs.
    pub delivery_terms: delivery::DeliveryTerms,
    /// The asset's decimals.
    pub scale: crate::coin::Scale,
    /// Asset, network and wallet.
    pub target: charge::Delivery,
    /// The memo of the wallet.
    pub memo: Option<Box<str>>,
}

impl Task {
    /// Whether both ask for one thing of one operation: they have one idempotency key.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let attempt = |task: &Self| match task {
            Self::SendPix(_) | Self::Withdraw(_) | Self::Pay(_) | Self::Sell(_) => None,
            Self::Deliver(delivery) => Some(delivery.attempt),
            Self::PaySale { attempt, .. } => Some(*attempt),
            Self::Refund(refund) => Some(refund.attempt),
        };
        core::mem::discriminant(self) == core::mem::discriminant(other)
            && attempt(self) == attempt(other)
    }
}

impl Instruction {
    /// The idempotency key to hand to whoever does it: the same for ever for the same task.
    #[must_use]
    pub fn key(&self, ledger: &str) -> String {
        let op = self.op.text(ledger);
        match &self.task {
            Task::SendPix(_) => format!("{op}:send"),
            Task::Withdraw(_) => format!("{op}:withdraw"),
            Task::Pay(_) => format!("{op}:pay"),
            Task::Deliver(delivery) => format!("{op}:deliver:{}", delivery.attempt),
            Task::Sell(_) => format!("{op}:sell"),
            Task::PaySale { attempt, .. } => format!("{op}:send:{attempt}"),
            Task::Refund(refund) => format!("{op}:refund:{}", refund.attempt),
        }
    }
}
