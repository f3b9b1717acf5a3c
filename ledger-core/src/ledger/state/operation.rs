//! Operations: a machine's state with its dates, and the table in which machines are registered.

use std::sync::Arc;

use super::due::Due;
use super::machine::LedgerMachine;
use super::outgoing::{Outgoing, Unsent};
use crate::id::{AccountId, Kind, OpId, SubaccountId};
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::machine::StateMachine;
use crate::money::Balance;
use crate::time::Instant;

/// One operation as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// What it is and how it stands.
    pub machine: Machine,
    /// When it was created.
    pub created_at: Instant,
    /// When it last changed.
    pub updated_at: Instant,
}

/// An operation that was looked up, with its id: shared with the state where it is open.
pub(in crate::ledger) type Found = (OpId, Arc<Operation>);

/// A fee corrected or a balance written off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Adjustment {
    /// The subaccount whose balance was changed.
    pub subaccount: SubaccountId,
    /// What it changed, signed.
    pub value: Balance,
}

/// A machine that ledgers know: registered by its line in the table below.
pub(in crate::ledger) trait Registered: LedgerMachine {
    /// Why a record is corrupt that has an event of it where that may not follow.
    const MISPLACED: &'static str;

    /// Whether operations of this kind are its.
    fn is_of(kind: Kind) -> bool;

    /// It, if the operation is one.
    fn of(machine: &Machine) -> Option<&Self>;

    /// The operation that it is.
    fn registered(self) -> Machine;
}

/// The table of machines, handed to the macro of this name: what is to be said once of each.
///
/// Each line: its name, its state, how an operation gives it, the kinds of operation that are its,
/// and what is said of a record in which an event of it may not follow.
macro_rules! each_machine {
    ($of:ident) => {
        $of! {
            /// A charge: a PIX collected, or to be.
            Charge, $crate::machine::charge::State, charge,
                Kind::Charge, "the charge is not where this could happen to it";
            /// A transfer between two subaccounts.
            Transfer, $crate::machine::transfer::State, transfer,
                Kind::Transfer, "a transfer happens once";
            /// A payout: a PIX sent, or to be.
            Payout, $crate::machine::payout::State, payout,
                Kind::Payout, "the payout is not where this could happen to it";
            /// A hold on money of a subaccount.
            Hold, $crate::machine::hold::State, hold,
                Kind::Hold, "the hold is not where this could happen to it";
            /// Money in suspense.
            Suspense, $crate::machine::suspense::State, suspense,
                Kind::Suspense, "what was put aside is not where this could happen to it";
            /// A conversion of custody or commission.
            Conversion, $crate::machine::conversion::State, conversion,
                Kind::Conversion | Kind::CommissionWithdrawal, "the conversion is not where this could happen to it";
            /// Crypto that was sent without reason.
            ErroneousDelivery, $crate::machine::erroneous_delivery::State, erroneous_delivery,
                Kind::ErroneousDelivery, "the stray crypto is not where this could happen to it";
            /// A deposit into a USDT wallet.
            WalletDeposit, $crate::machine::wallet::deposit::State, wallet_deposit,
                Kind::WalletDeposit, "the deposit is not where this could happen to it";
            /// A withdrawal from a USDT wallet.
            CryptoWithdrawal, $crate::machine::wallet::withdrawal::State, crypto_withdrawal,
                Kind::CryptoWithdrawal, "the withdrawal is not where this could happen to it";
            /// A quote of a wallet.
            Quote, $crate::machine::wallet::quote::State, quote,
                Kind::Quote, "the quote is not where this could happen to it";
            /// A payment from a USDT wallet.
            WalletPayment, $crate::machine::wallet::payment::State, wallet_payment,
                Kind::WalletPayment, "the payment is not where this could happen to it";
            /// A cash-out order.
            CashOut, $crate::machine::cash_out::State, cash_out,
                Kind::CashOut, "the cash-out order is not where this could happen to it";
            /// Crypto that no order took.
            UnmatchedDeposit, $crate::machine::unmatched_deposit::State, unmatched,
                Kind::UnmatchedDeposit, "the receipt is not where this could happen to it";
        }
    };
}
pub(in crate::ledger) use each_machine;

macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;
    )*) => {
        /// The machines, as a plain enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

            /// What the operation sends, as it stands: nothing, if it sends no reais, if it failed,
            /// or once all of it came back (P:MandateDay).
            ///
            /// A withdrawal of commission sends the partner's own earnings, and is no payment of an
            /// agent.
            #[must_use]
            pub fn outgoing(&self) -> Option<Outgoing> {
                match self {
                    $(Self::$machine(state) => LedgerMachine::outgoing(state),)*
                    Self::Adjustment(_) => None,
                }
            }

            /// What it may still send, as long as a PIX of it may still be let go.
            pub(in crate::ledger) fn unsent(&self) -> Option<Unsent> {
                match self {
                    $(Self::$machine(state) => LedgerMachine::unsent(state),)*
                    Self::Adjustment(_) => None,
                }
            }

            /// How an instruction of the operation stands, and what handing it out is.
            pub(in crate::ledger) fn step(&self, key: InstructionKey) -> Step {
                match self {
                    $(Self::$machine(state) => LedgerMachine::step(state, key),)*
                    Self::Adjustment(_) => Step::Over,
                }
            }

            /// What it waits for, if it waits for time.
            pub(in crate::ledger) fn deadline(&self) -> Option<(Instant, Due)> {
                match self {
                    $(Self::$machine(state) => LedgerMachine::deadline(state),)*
                    Self::Adjustment(_) => None,
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

each_machine!(operations);
