//! Operations: a machine's state with its dates.

use crate::id::{AccountId, SubaccountId};
use crate::machine::wallet::{deposit, payment, quote, withdrawal};
use crate::machine::{
    cash_out, charge, conversion, erroneous_delivery, hold, payout, suspense, transfer,
    unmatched_deposit,
};
use crate::money::Balance;
use crate::time::Instant;

/// One operation as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it is and how it stands.
    pub machine: Machine,
    /// When it was created.
    pub created_at: Instant,
    /// When it last changed.
    pub updated_at: Instant,
}

/// The machines, as a plain enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Machine {
    /// A charge.
    Charge(charge::State),
    /// A transfer.
    Transfer(transfer::State),
    /// A payout.
    Payout(payout::State),
    /// A hold.
    Hold(hold::State),
    /// Money in suspense.
    Suspense(suspense::State),
    /// A conversion of custody or commission.
    Conversion(conversion::State),
    /// Crypto that went astray.
    ErroneousDelivery(erroneous_delivery::State),
    /// A deposit into a USDT wallet.
    WalletDeposit(deposit::State),
    /// A withdrawal from a USDT wallet.
    CryptoWithdrawal(withdrawal::State),
    /// A quote of a wallet.
    Quote(quote::State),
    /// A payment from a USDT wallet.
    WalletPayment(payment::State),
    /// A correction, which is over when it is made.
    Adjustment(Adjustment),
    /// A cash-out order.
    CashOut(cash_out::State),
    /// Crypto that no order took.
    UnmatchedDeposit(unmatched_deposit::State),
}

/// A fee corrected or a balance written off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// Whose balance.
    pub subaccount: SubaccountId,
    /// What it changed, signed.
    pub value: Balance,
}

impl Operation {
    /// The charge, if it is one.
    #[must_use]
    pub const fn charge(&self) -> Option<&charge::State> {
        match &self.machine {
            Machine::Charge(state) => Some(state),
            _ => None,
        }
    }

    /// The payout, if it is one.
    #[must_use]
    pub const fn payout(&self) -> Option<&payout::State> {
        match &self.machine {
            Machine::Payout(state) => Some(state),
            _ => None,
        }
    }

    /// The hold, if it is one.
    #[must_use]
    pub const fn hold(&self) -> Option<&hold::State> {
        match &self.machine {
            Machine::Hold(state) => Some(state),
            _ => None,
        }
    }

    /// The money in suspense, if it is that.
    #[must_use]
    pub const fn suspense(&self) -> Option<&suspense::State> {
        match &self.machine {
            Machine::Suspense(state) => Some(state),
            _ => None,
        }
    }

    /// The conversion, if it is one.
    #[must_use]
    pub const fn conversion(&self) -> Option<&conversion::State> {
        match &self.machine {
            Machine::Conversion(state) => Some(state),
            _ => None,
        }
    }

    /// The crypto gone astray, if it is that.
    #[must_use]
    pub const fn erroneous_delivery(&self) -> Option<&erroneous_delivery::State> {
        match &self.machine {
            Machine::ErroneousDelivery(state) => Some(state),
            _ => None,
        }
    }

    /// The cash-out order, if it is one.
    #[must_use]
    pub const fn cash_out(&self) -> Option<&cash_out::State> {
        match &self.machine {
            Machine::CashOut(state) => Some(state),
            _ => None,
        }
    }

    /// The deposit into a wallet, if it is one.
    #[must_use]
    pub const fn wallet_deposit(&self) -> Option<&deposit::State> {
        match &self.machine {
            Machine::WalletDeposit(state) => Some(state),
            _ => None,
        }
    }

    /// The crypto that no order took, if it is that.
    #[must_use]
    pub const fn unmatched(&self) -> Option<&unmatched_deposit::State> {
        match &self.machine {
            Machine::UnmatchedDeposit(state) => Some(state),
            _ => None,
        }
    }

    /// The withdrawal from a wallet, if it is one.
    #[must_use]
    pub const fn crypto_withdrawal(&self) -> Option<&withdrawal::State> {
        match &self.machine {
            Machine::CryptoWithdrawal(state) => Some(state),
            _ => None,
        }
    }

    /// The payment from a wallet, if it is one.
    #[must_use]
    pub const fn wallet_payment(&self) -> Option<&payment::State> {
        match &self.machine {
            Machine::WalletPayment(state) => Some(state),
            _ => None,
        }
    }

    /// The quote, if it is one.
    #[must_use]
    pub const fn quote(&self) -> Option<&quote::State> {
        match &self.machine {
            Machine::Quote(state) => Some(state),
            _ => None,
        }
    }

    /// The API account it belongs to, if it belongs to one.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        match &self.machine {
            Machine::Charge(state) => state.order().map(|order| order.account),
            Machine::Payout(state) => state.order().map(|order| order.account),
            Machine::Transfer(transfer::State::Done(order)) => Some(order.account),
            Machine::Conversion(state) => state.progress().map(|progress| progress.order.account),
            Machine::CashOut(state) => state.progress().map(|progress| progress.order.account),
            Machine::UnmatchedDeposit(state) => state.order().and_then(|order| order.account),
            Machine::WalletDeposit(state) => state.account(),
            Machine::CryptoWithdrawal(state) => {
                state.progress().map(|progress| progress.order.terms.account)
            }
            Machine::Quote(state) => state.order().map(|order| order.account),
            Machine::WalletPayment(state) => {
                state.progress().map(|progress| progress.order.account)
            }
            _ => None,
        }
    }
}

impl Machine {
    /// Whether the operation may leave the memory of the open ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Charge(state) => state.has_ended(),
            Self::Payout(state) => state.has_ended(),
            Self::Hold(state) => state.has_ended(),
            Self::Suspense(state) => state.has_ended(),
            Self::Conversion(state) => state.has_ended(),
            Self::ErroneousDelivery(state) => state.has_ended(),
            Self::CashOut(state) => state.has_ended(),
            Self::UnmatchedDeposit(state) => state.has_ended(),
            Self::WalletDeposit(state) => state.has_ended(),
            Self::CryptoWithdrawal(state) => state.has_ended(),
            Self::Quote(state) => state.has_ended(),
            Self::WalletPayment(state) => state.has_ended(),
            Self::Transfer(_) | Self::Adjustment(_) => true,
        }
    }
}
