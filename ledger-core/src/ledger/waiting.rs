//! Why an operation waits, for a person or a report of the world, for how much, and what ends it.

use crate::coin::Units;
use crate::id::AssetId;
use crate::machine::cash_out::ReviewReason;
use crate::money::Balance;
use crate::time::Span;

macro_rules! reasons {
    ($($(#[$doc:meta])* $reason:ident $name:literal $decision:expr;)*) => {
        /// Why an operation waits for a person.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum WaitingReason {
            $($(#[$doc])* $reason,)*
        }

        impl WaitingReason {
            /// Every reason, in declared order.
            pub const ALL: &[Self] = &[$(Self::$reason,)*];

            /// Its name: a few English words.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$reason => $name,)*
                }
            }

            /// The name of the fact by which a person ends it, where one may.
            #[must_use]
            pub const fn decision(self) -> Option<&'static str> {
                match self {
                    $(Self::$reason => $decision,)*
                }
            }
        }
    };
}

reasons! {
    /// Nobody knows whether a payout was paid.
    UnknownPayout "unknown payout" Some("payout.evidence");
    /// A payout was stopped before it was sent.
    StoppedPayout "stopped payout" Some("payout.cleared");
    /// Nobody knows whether crypto was delivered.
    UnknownDelivery "unknown delivery" Some("delivery.evidence");
    /// A purchase was paid and its delivery given up.
    HaltedPurchase "halted purchase" Some("delivery.resumed");
    /// The provider holds a PIX for longer than it said.
    ProviderHold "provider hold" None;
    /// The provider looks at a PIX.
    PixReview "PIX under review" None;
    /// Reais arrived and matched nothing.
    Unattached "suspense" Some("suspense.attached");
    /// Reais left and matched nothing.
    ProviderClaim "claim on the provider" Some("suspense.returned");
    /// Crypto left and matched nothing.
    CryptoClaim "claim on crypto" Some("stray.settled");
    /// Crypto arrived that no order takes.
    Unclaimed "crypto nobody takes" Some("refund.decided");
    /// A sale is under review, as [`Waiting::review`] says.
    SaleReview "sale under review" Some("cashout.cleared");
    /// Nobody knows whether the PIX of a sale was paid.
    UnknownSale "unknown sale" Some("cashout.stopped");
    /// A refund names no wallet.
    RefundAddress "refund without a wallet" Some("refund.decided");
    /// A refund is above what is sent without a person.
    RefundApproval "refund for an operator" Some("refund.decided");
    /// Nobody knows whether a refund was sent.
    UnknownRefund "unknown refund" None;
    /// A deposit into a USDT wallet is under review.
    DepositReview "wallet deposit under review" Some("wallet.deposit.judged");
    /// A payment from a USDT wallet is under review.
    PaymentReview "wallet payment under review" Some("wallet.payment.resolved");
    /// A payment from a USDT wallet failed after it was sent, and its reserve stands.
    ReserveKept "reserve to decide on" Some("wallet.payment.resolved");
    /// A withdrawal from a USDT wallet is under review.
    WithdrawalReview "wallet withdrawal under review" Some("wallet.withdrawal.evidence");
}

/// Why an operation waits for a person, and for how much.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub(in crate::ledger) reason: WaitingReason,
    pub(in crate::ledger) review: Option<ReviewReason>,
    pub(in crate::ledger) sum: WaitingSum,
    pub(in crate::ledger) overdue: Option<u64>,
}

/// How much is under way that only a report of the world takes further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The amount under way, in reais or crypto.
    pub sum: WaitingSum,
    /// How long a report takes at most, unless the service's settings say otherwise.
    pub within: Span,
    /// The name of the fact by which a person with evidence ends it, where one may.
    pub decision: Option<&'static str>,
}

/// How much it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitingSum {
    /// An amount of reais, in centavos.
    Reais(i64),
    /// An amount of crypto.
    Crypto {
        /// Which; none: the asset of USDT wallets.
        asset: Option<AssetId>,
        /// Its smallest units.
        units: u128,
        /// Both, as it is shown.
        text: String,
    },
}

impl Waiting {
    pub(in crate::ledger) fn reais(reason: WaitingReason, sum: Balance) -> Self {
        Self { reason, review: None, sum: WaitingSum::reais(sum), overdue: None }
    }

    pub(in crate::ledger) fn crypto(
        reason: WaitingReason,
        asset: Option<AssetId>,
        of: Units,
    ) -> Self {
        Self { reason, review: None, sum: WaitingSum::crypto(asset, of), overdue: None }
    }

    /// Why it waits.
    #[must_use]
    pub const fn reason(&self) -> WaitingReason {
        self.reason
    }

    /// Why a sale is under review.
    #[must_use]
    pub const fn review(&self) -> Option<ReviewReason> {
        self.review
    }

    /// Says why, in a few English words.
    #[must_use]
    pub fn why(&self) -> String {
        let name = self.reason.name();
        self.review.map_or_else(|| name.to_owned(), |review| format!("{name} ({})", review.words()))
    }

    /// How much it is about.
    #[must_use]
    pub const fn sum(&self) -> &WaitingSum {
        &self.sum
    }

    /// For how many hours it is overdue; none of what has no date of its own.
    #[must_use]
    pub const fn overdue(&self) -> Option<u64> {
        self.overdue
    }

    /// Tells whether nobody knows what came of it.
    #[must_use]
    pub const fn is_unknown(&self) -> bool {
        use WaitingReason::{UnknownDelivery, UnknownPayout, UnknownRefund, UnknownSale};
        matches!(self.reason, UnknownPayout | UnknownDelivery | UnknownSale | UnknownRefund)
    }
}

impl Awaited {
    /// Reported within two hours, where a network or an exchange has its part.
    pub(in crate::ledger) const fn new(sum: WaitingSum) -> Self {
        Self { sum, within: Span::hours(2), decision: None }
    }

    /// Reported within one hour, where a PIX is sent.
    pub(in crate::ledger) fn of_pix(self) -> Self {
        Self { within: Span::hours(1), ..self }
    }

    pub(in crate::ledger) fn ended_by(self, decision: &'static str) -> Self {
        Self { decision: Some(decision), ..self }
    }
}

impl WaitingSum {
    pub(in crate::ledger) fn reais(sum: impl Into<Balance>) -> Self {
        Self::Reais(sum.into().cents())
    }

    pub(in crate::ledger) fn crypto(asset: Option<AssetId>, of: Units) -> Self {
        Self::Crypto { asset, units: of.get(), text: format!("{of} units") }
    }

    /// The amount as it is shown: reais with two decimals, crypto with what it is.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Reais(cents) => Balance::new(*cents).to_string(),
            Self::Crypto { text, .. } => text.clone(),
        }
    }
}
