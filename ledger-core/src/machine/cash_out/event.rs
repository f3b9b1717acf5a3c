//! What happens to a cash-out order: past tense, complete, numbered for ever.

use minicbor::{Decode, Encode};

use super::ceiling::ReviewReason;
use super::terms::{Deposit, KeyOwner, Order, Pix, Proceeds, Sale};
use crate::coin::Scale;
use crate::id::{AccountId, OpId, Token};
use crate::machine::refund::Coins;
use crate::money::{Amount, Cents};
use crate::pix::KeyType;
use crate::terms::{Quote, Switch};
use crate::time::Instant;

/// Where a deposit is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum DepositAccount {
    /// The order's own `dep`.
    #[n(0)]
    Order,
    /// `susp.crypto`: another token, or too late.
    #[n(1)]
    Suspense,
    /// Nowhere here: a wallet payment's own entries say it (rulings 35).
    #[n(2)]
    Wallet,
}

/// Where the money of a refund comes from (rulings 32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum RefundSource {
    /// `dep`: the deposit as it came.
    #[n(0)]
    Deposit,
    /// `susp.crypto`: a strange deposit that was rejected (rulings 33).
    #[n(1)]
    Suspense,
    /// `flight.pixout`: what the provider gave back of a refused key, and what it kept.
    #[n(2)]
    Sale {
        /// Given back, bought anew.
        #[n(0)]
        back: Amount,
        /// Kept by the provider.
        #[n(1)]
        kept: Cents,
    },
    /// The PIX came back after it was paid (COUT-41).
    #[n(3)]
    Reversal(#[n(0)] Amount),
    /// The provider returned the token: so much of what it had; the rest is lost to it.
    #[n(4)]
    Returned {
        /// What was not returned.
        #[n(0)]
        short: Option<crate::coin::Units>,
    },
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Quoted: nothing is committed (COUT-33).
    #[n(0)]
    Quoted(#[n(0)] Box<Order>),
    /// Accepted: the deposit address exists (COUT-34).
    #[n(1)]
    Accepted {
        /// Where to deposit.
        #[n(0)]
        address: Box<str>,
        /// The memo that must accompany it.
        #[n(1)]
        tag: Option<Box<str>>,
    },
    /// The deadline passed without a deposit (COUT-45).
    #[n(2)]
    Expired,
    /// Came to nothing while no customer crypto was held (P:FailedGuard).
    #[n(3)]
    Failed,
    /// A deposit was seen.
    #[n(4)]
    DepositSeen {
        /// What the network shows of it.
        #[n(0)]
        deposit: Deposit,
        /// Where it is booked.
        #[n(1)]
        booked_in: DepositAccount,
        /// The price it counts at from now on, where it revived the order (P:RevivalTerms).
        #[n(2)]
        repriced: Option<Quote>,
        /// What it adds to what counts for the recipient, where it revived the order.
        #[n(3)]
        counted: Option<Amount>,
        /// Which sighting of its transaction this is, where it vanished before.
        #[n(4)]
        sighting: Option<u32>,
    },
    /// A deposit is confirmed.
    #[n(5)]
    DepositConfirmed {
        /// The deposit's transaction, as it was named when it was seen.
        #[n(0)]
        hash: Box<str>,
        /// What was deposited, in its own asset.
        #[n(1)]
        coins: Coins,
    },
    /// A deposit vanished before it was confirmed.
    #[n(6)]
    DepositVanished {
        /// The deposit's transaction, as it was named when it was seen.
        #[n(0)]
        hash: Box<str>,
        /// What was deposited, in its own asset.
        #[n(1)]
        coins: Coins,
        /// Where it was booked.
        #[n(2)]
        booked_in: DepositAccount,
    },
    /// A person has to look.
    #[n(7)]
    ReviewOpened(#[n(0)] ReviewReason),
    /// An operator lets the order go on with what it holds.
    #[n(8)]
    Cleared {
        /// What leaves suspense for the order, if it stood there.
        #[n(0)]
        coins: Option<Coins>,
        /// The price it counts at from now on.
        #[n(1)]
        repriced: Option<Quote>,
        /// Its decimals, where they are not those of the order's asset.
        #[n(2)]
        scale: Option<Scale>,
    },
    /// More than a code costs: the rest is an unmatched deposit of its own (rulings 32).
    #[n(9)]
    Split {
        /// The unmatched deposit that the rest becomes.
        #[n(0)]
        unmatched: OpId,
        /// What of the deposit.
        #[n(1)]
        coins: Coins,
    },
    /// The exchange is late.
    #[n(10)]
    Delayed,
    /// It goes on.
    #[n(11)]
    Resumed,
    /// All that was deposited is confirmed, and is to be sold first.
    #[n(12)]
    Secured {
        /// What will be sold.
        #[n(0)]
        sale: Sale,
        /// What more than before counts for the recipient.
        #[n(1)]
        counted: Option<Amount>,
    },
    /// Selling began: the crypto sold leaves the stock.
    #[n(13)]
    SellingBegun(#[n(0)] Coins),
    /// Sold: the crypto became proceeds.
    #[n(14)]
    SaleFilled {
        /// What was sold.
        #[n(0)]
        coins: Coins,
        /// What it gave.
        #[n(1)]
        proceeds: Proceeds,
        /// Tells whether the proceeds stay at the exchange to be forwarded.
        #[n(2)]
        forwards: Switch,
    },
    /// The swap definitely failed.
    #[n(15)]
    SaleFailed(#[n(0)] Coins),
    /// The proceeds are on their way to the payout provider.
    #[n(16)]
    Forwarding,
    /// The proceeds arrived at the payout provider.
    #[n(17)]
    Forwarded {
        /// What left the exchange.
        #[n(0)]
        proceeds: Proceeds,
        /// Centavos that arrived at the payout provider.
        #[n(1)]
        arrived: Amount,
    },
    /// The payment began: the customer's crypto is exchanged for reais owed to the recipient.
    #[n(18)]
    PaymentBegun {
        /// What for what.
        #[n(0)]
        sale: Sale,
        /// Where the crypto stood.
        #[n(1)]
        booked_in: DepositAccount,
        /// What more than before counts for the recipient.
        #[n(2)]
        counted: Option<Amount>,
    },
    /// A send failed before leaving; the next try is due then.
    #[n(19)]
    SendFailed {
        /// When the first one failed.
        #[n(0)]
        first: Instant,
        /// When to try again.
        #[n(1)]
        retry_at: Instant,
    },
    /// Another try is due.
    #[n(20)]
    RetryDue,
    /// Nobody knows whether the PIX was paid.
    #[n(21)]
    PaymentLost,
    /// The provider refused the key and gave back so much.
    #[n(22)]
    KeyRefused(#[n(0)] Amount),
    /// An operator corrected the key: the payment begins again, and what the provider kept is lost.
    #[n(23)]
    PaymentResumed {
        /// Kept by the provider.
        #[n(0)]
        kept: Cents,
        /// The key to pay.
        #[n(1)]
        pix_key: Option<Token>,
        /// What kind of key that is.
        #[n(2)]
        key_type: Option<KeyType>,
        /// The first whom the daily ceiling counts from now on; none in records made before a
        /// corrected key was counted.
        #[n(3)]
        counted_as: Option<Token>,
        /// Whose the corrected key is.
        #[n(4)]
        owner: Option<KeyOwner>,
    },
    /// The token was handed to the provider.
    #[n(24)]
    HandedOver(#[n(0)] Coins),
    /// The payment is impossible: crypto and reais are exchanged back.
    #[n(25)]
    PaymentUnwound(#[n(0)] Sale),
    /// The PIX was paid: fees and reserve are earned.
    #[n(26)]
    Completed {
        /// Whose commission the partner's part is.
        #[n(0)]
        account: AccountId,
        /// What was paid for what.
        #[n(1)]
        sale: Sale,
        /// Where the crypto stood: a wallet payment accounts for itself.
        #[n(2)]
        booked_in: DepositAccount,
        /// What the provider holds of the token and keeps for its payment.
        #[n(3)]
        handed: Option<Coins>,
        /// The PIX that paid the recipient.
        #[n(4)]
        pix: Pix,
    },
    /// A refund is due.
    #[n(27)]
    RefundDecided {
        /// What goes back, in the asset that was deposited.
        #[n(0)]
        coins: Coins,
        /// Where it stands until it is sent.
        #[n(1)]
        source: RefundSource,
        /// Where to, if that is known.
        #[n(2)]
        to: Option<Box<str>>,
        /// Tells whether it may be sent.
        #[n(3)]
        allowed: Switch,
    },
    /// The client named the return wallet.
    #[n(28)]
    RefundAddressed(#[n(0)] Box<str>),
    /// An operator allowed the refund.
    #[n(29)]
    RefundAllowed,
    /// The refund was sent.
    #[n(30)]
    RefundSent {
        /// All that was due back.
        #[n(0)]
        coins: Coins,
        /// In which transaction.
        #[n(1)]
        hash: Box<str>,
        /// What is earned by it, where the sale had been made (W54): whose, and of which deal.
        #[n(2)]
        earned: Option<(AccountId, crate::terms::Deal)>,
    },
    /// The refund definitely was not sent: another attempt follows.
    #[n(31)]
    RefundFailed,
    /// Nobody knows whether the refund was sent.
    #[n(32)]
    RefundLost,
    /// The provider keeps the token that it had for a payment reported before: it is its own.
    #[n(33)]
    TokenKept(#[n(0)] Sale),
    /// The provider gave back so much of a token that its order no longer waits for.
    #[n(34)]
    TokenRecovered(#[n(0)] Coins),
    /// A deposit that is not confirmed yet has more confirmations than before.
    #[n(35)]
    DepositConfirming {
        /// The deposit's transaction, as it was named when it was seen.
        #[n(0)]
        hash: Box<str>,
        /// How many it has.
        #[n(1)]
        confirmations: u16,
    },
    /// The order's own token came after another one, or after one that came too late: that one
    /// stays in suspense, as an unmatched deposit under a review of its own (rulings 67).
    #[n(36)]
    OddParted {
        /// The unmatched deposit that it becomes.
        #[n(0)]
        unmatched: OpId,
        /// The deposit's transaction, as it was named when it was seen.
        #[n(1)]
        hash: Box<str>,
        /// What was deposited, in its own asset.
        #[n(2)]
        coins: Coins,
    },
    /// What was too little no longer is: the review ends by itself (rulings 67).
    #[n(37)]
    ReviewEnded,
    /// A refund that was due ends, whole or in part, since its coins are lost for good.
    #[n(38)]
    RefundForgone {
        /// The coins that are not sent, in the asset that was deposited.
        #[n(0)]
        coins: Coins,
        /// The earnings by it, where the sale had been made (W54): whose, and of which deal.
        #[n(1)]
        earned: Option<(AccountId, crate::terms::Deal)>,
    },
}
