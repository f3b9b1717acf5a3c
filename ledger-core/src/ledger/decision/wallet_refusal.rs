//! Why the ledger says no to what is asked of a wallet.

use super::field::Field;
use crate::coin::Units;
use crate::money::Amount;

/// A no to what is asked of a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The wallet is not granted to the account.
    NotGranted,
    /// The wallet does not operate now.
    Unavailable,
    /// The provider supplied no address (rulings 39).
    AddressMissing,
    /// The address supplied is none of its network.
    AddressInvalid,
    /// The network is not offered.
    NetworkUnavailable,
    /// Below the smallest deposit.
    DepositBelowMinimum {
        /// The smallest, in millionths of USDT.
        least: Units,
    },
    /// Payments are switched off, or such payments are.
    PaymentsUnavailable,
    /// Below the smallest payment.
    PaymentBelowMinimum {
        /// The smallest, in centavos.
        least: Amount,
    },
    /// What was quoted is no longer to be had.
    QuoteRefused,
    /// Withdrawals are switched off.
    WithdrawalsUnavailable,
    /// Of so little nothing would arrive.
    WithdrawalBelowMinimum {
        /// The smallest of which something does; none when none does.
        least: Option<Units>,
    },
    /// The account has no such quote, or an operation used it.
    QuoteUnknown,
    /// The quote's time is over.
    QuoteExpired,
    /// The quote says otherwise.
    QuoteDiffers {
        /// The request's fields that are not as quoted.
        fields: Vec<Field>,
    },
    /// Too little is available.
    FundsInsufficient {
        /// What may be spent, in millionths of USDT.
        available: i128,
    },
    /// As many deposit requests are open as may be, or no amount is left to tell one by.
    TooManyOpen,
}
