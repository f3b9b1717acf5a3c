//! Operations: a machine's state with its dates, and the table in which machines are registered.

use crate::id::{AccountId, Kind, SubaccountId};
use crate::machine::wallet::{deposit, payment, quote, withdrawal};
use crate::machine::{
    StateMachine, cash_out, charge, conversion, erroneous_delivery, hold, payout, suspense,
    transfer, unmatched_deposit,
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

/// A fee corrected or a balance written off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjustment {
    /// The subaccount whose balance was changed.
    pub subaccount: SubaccountId,
    /// What it changed, signed.
    pub value: Balance,
}

/// A machine that ledgers know: registered by its line in the table below.
pub(in crate::ledger) trait Registered: StateMachine {
    /// Why a record is corrupt that has an event of it where that may not follow.
    const MISPLACED: &'static str;

    /// Whether operations of this kind are its.
    fn is_of(kind: Kind) -> bool;

    /// It, if the operation is one.
    fn of(machine: &Machine) -> Option<&Self>;

    /// The operation that it is.
    fn registered(self) -> Machine;
}

macro_rules! machines {
    ($(
        $(#[$doc:meta])*
        $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;
    )*) => {
        /// The machines, as a plain enum.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Machine {
            $($(#[$doc])* $machine($state),)*
            /// A correction, which is over when it is made.
            Adjustment(Adjustment),
        }

        impl Operation {
            $(
                $(#[$doc])*
                ///
                /// None where the operation is something else.
                #[must_use]
                pub fn $accessor(&self) -> Option<&$state> {
                    Registered::of(&self.machine)
                }
            )*

            /// The API account it belongs to, if it belongs to one.
            #[must_use]
            pub fn account(&self) -> Option<AccountId> {
                match &self.machine {
                    $(Machine::$machine(state) => StateMachine::account(state),)*
                    Machine::Adjustment(_) => None,
                }
            }
        }

        impl Machine {
            /// Whether the operation may leave the memory of the open ones.
            #[must_use]
            pub fn has_ended(&self) -> bool {
                match self {
                    $(Self::$machine(state) => StateMachine::has_ended(state),)*
                    Self::Adjustment(_) => true,
                }
            }
        }

        $(
            impl Registered for $state {
                const MISPLACED: &'static str = $misplaced;

                fn is_of(kind: Kind) -> bool {
                    matches!(kind, $kinds)
                }

                fn of(machine: &Machine) -> Option<&Self> {
                    match machine {
                        Machine::$machine(state) => Some(state),
                        _ => None,
                    }
                }

                fn registered(self) -> Machine {
                    Machine::$machine(self)
                }
            }
        )*
    };
}

// Each line: its name, its state, how an operation gives it, the kinds of operation that are its,
// and what is said of a record in which an event of it may not follow.
machines! {
    /// A charge: a PIX collected, or to be.
    Charge, charge::State, charge, Kind::Charge,
        "the charge is not where this could happen to it";
    /// A transfer between two subaccounts.
    Transfer, transfer::State, transfer, Kind::Transfer,
        "a transfer happens once";
    /// A payout: a PIX sent, or to be.
    Payout, payout::State, payout, Kind::Payout,
        "the payout is not where this could happen to it";
    /// A hold on money of a subaccount.
    Hold, hold::State, hold, Kind::Hold,
        "the hold is not where this could happen to it";
    /// Money in suspense.
    Suspense, suspense::State, suspense, Kind::Suspense,
        "what was put aside is not where this could happen to it";
    /// A conversion of custody or commission.
    Conversion, conversion::State, conversion, Kind::Conversion | Kind::CommissionWithdrawal,
        "the conversion is not where this could happen to it";
    /// Crypto that was sent without reason.
    ErroneousDelivery, erroneous_delivery::State, erroneous_delivery, Kind::ErroneousDelivery,
        "the stray crypto is not where this could happen to it";
    /// A deposit into a USDT wallet.
    WalletDeposit, deposit::State, wallet_deposit, Kind::WalletDeposit,
        "the deposit is not where this could happen to it";
    /// A withdrawal from a USDT wallet.
    CryptoWithdrawal, withdrawal::State, crypto_withdrawal, Kind::CryptoWithdrawal,
        "the withdrawal is not where this could happen to it";
    /// A quote of a wallet.
    Quote, quote::State, quote, Kind::Quote,
        "the quote is not where this could happen to it";
    /// A payment from a USDT wallet.
    WalletPayment, payment::State, wallet_payment, Kind::WalletPayment,
        "the payment is not where this could happen to it";
    /// A cash-out order.
    CashOut, cash_out::State, cash_out, Kind::CashOut,
        "the cash-out order is not where this could happen to it";
    /// Crypto that no order took.
    UnmatchedDeposit, unmatched_deposit::State, unmatched, Kind::UnmatchedDeposit,
        "the receipt is not where this could happen to it";
}
