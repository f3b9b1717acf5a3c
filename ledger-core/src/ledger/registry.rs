//! Operations: a machine's state with its dates, and the table in which machines are registered.

use std::sync::Arc;

use super::ledger_machine::LedgerMachine;
pub use super::ledger_machine::operation_row::OperationRow;
use super::notification::key::InstructionKey;
use super::notification::step::Step;
use super::record::early_report::EarlyReport;
use super::state::due::Due;
use super::state::outgoing::{Crypto, Outgoing, Unsent};
use super::waiting::{Awaited, Waiting};
use crate::accounting::{Account, CoinAccount};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, Kind, OpId, SubaccountId, Token};
use crate::machine::StateMachine;
use crate::money::Balance;
use crate::terms::Catalogue;
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
    /// The token of the metadata that it was created with, for ever the same.
    pub metadata: Option<Token>,
}

/// An operation that was looked up, with its id: shared with the state where it is open.
pub(in crate::ledger) type IdentifiedOperation = (OpId, Arc<Operation>);

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

    /// Tells whether operations of this kind are its.
    fn is_of(kind: Kind) -> bool;

    /// It, if the operation is one.
    fn from_machine(machine: &Machine) -> Option<&Self>;

    /// The operation that it is.
    fn into_machine(self) -> Machine;
}

/// The table of machines: what is to be said once of each.
///
/// Each line: its name, its state, how an operation gives it, the kinds of operation that are its,
/// and what is said of a record in which an event of it may not follow.
///
/// `each_machine!(name)` hands the table to the macro of this name. `each_machine!(of machine,
/// state => answer, other)` asks whichever machine it is; `each_machine!(by event, Machine,
/// event => answer, other)` asks the machine of an event. What is no machine answers `other`.
macro_rules! each_machine {
    (of $machine:expr, $state:ident => $answer:expr, $other:expr) => {
        each_machine!(each_machine @of { $machine, $state => $answer, $other })
    };
    (@of { $machine:expr, $state:ident => $answer:expr, $other:expr }
        $($(#[$doc:meta])* $name:ident, $type:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*
    ) => {
        match $machine {
            $($crate::ledger::Machine::$name($state) => $answer,)*
            $crate::ledger::Machine::Adjustment(_) => $other,
        }
    };
    (by $event:expr, $machine:ident, $of:ident => $answer:expr, $other:expr) => {
        each_machine!(each_machine @by { $event, $machine, $of => $answer, $other })
    };
    (@by { $event:expr, $machine:ident, $of:ident => $answer:expr, $other:expr }
        $($(#[$doc:meta])* $name:ident, $type:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*
    ) => {
        match $event {
            $(OperationEvent::$name($of) => {
                type $machine = $type;
                $answer
            })*
            OperationEvent::Adjusted(..) => $other,
        }
    };
    ($of:ident $($given:tt)*) => {
        $of! {
            $($given)*
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
            UnmatchedDeposit, $crate::machine::unmatched_deposit::State, unmatched_deposit,
                Kind::UnmatchedDeposit, "the receipt is not where this could happen to it";
            /// An entry that a product posted.
            Entry, $crate::machine::entry::State, entry,
                Kind::Entry, "the entry is not where this could happen to it";
        }
    };
}
pub(crate) use each_machine;

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
                    Registered::from_machine(&self.machine)
                }
            )*
        }

        $(
            impl Registered for $state {
                const MISPLACED: &'static str = $misplaced;

                fn is_of(kind: Kind) -> bool {
                    matches!(kind, $kinds)
                }

                fn from_machine(machine: &Machine) -> Option<&Self> {
                    match machine {
                        Machine::$machine(state) => Some(state),
                        _ => None,
                    }
                }

                fn into_machine(self) -> Machine {
                    Machine::$machine(self)
                }
            }
        )*
    };
}

each_machine!(operations);

impl Operation {
    /// The API account it belongs to, if it belongs to one.
    #[must_use]
    pub fn account(&self) -> Option<AccountId> {
        each_machine!(of &self.machine, state => StateMachine::account(state), None)
    }

    /// Returns its row of a table, with crypto as the catalogue names it.
    #[must_use]
    pub fn row(&self, catalogue: &Catalogue) -> OperationRow<'_> {
        if let Machine::Adjustment(adjustment) = &self.machine {
            return OperationRow {
                state: "done",
                subaccount: Some(adjustment.subaccount),
                amount: Some(adjustment.value.cents()),
                ..OperationRow::default()
            };
        }
        let other = OperationRow::default();
        each_machine!(of &self.machine, state => LedgerMachine::row(state, catalogue), other)
    }
}

impl Machine {
    /// Tells whether the operation may leave the memory of the open ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        each_machine!(of self, state => StateMachine::has_ended(state), true)
    }

    /// The subaccount that it is about, where it belongs to no account by itself.
    pub(in crate::ledger) fn subaccount(&self) -> Option<SubaccountId> {
        if let Self::Adjustment(adjustment) = self {
            return Some(adjustment.subaccount);
        }
        each_machine!(of self, state => LedgerMachine::subaccount(state), None)
    }
}

/// Questions that the machine of an operation answers; a correction answers what stands last.
macro_rules! questions {
    ($(
        $(#[$doc:meta])*
        $seen:vis $question:ident($($told:ident: $type:ty)?) -> $answer:ty, $other:expr;
    )*) => {
        impl Machine {
            $(
                $(#[$doc])*
                $seen fn $question(&self $(, $told: $type)?) -> $answer {
                    each_machine!(of self, it => LedgerMachine::$question(it $(, $told)?), $other)
                }
            )*
        }
    };
}

questions! {
    /// What the operation sends, as it stands: nothing, if it sends no reais, if it failed, or once
    /// all of it came back (P:MandateDay).
    ///
    /// A withdrawal of commission sends the partner's own earnings, and is no payment of an agent.
    #[must_use]
    pub outgoing() -> Option<Outgoing>, None;
    /// Tells whether what the operation was instructed is known to have begun, although nobody was
    /// handed it.
    #[must_use]
    pub was_reported_begun() -> bool, false;
    /// Why it waits for a person at `now`, if it does.
    #[must_use]
    pub waits(now: Instant) -> Option<Waiting>, None;
    /// How much of it is under way, where only a report of the world takes it further: no deadline
    /// does, and no person.
    #[must_use]
    pub awaited_amount() -> Option<Awaited>, None;
    /// The operation that it names, where it waits for a person or for that one.
    #[must_use]
    pub waits_about() -> Option<OpId>, None;
    pub(in crate::ledger) crypto() -> Crypto<'_>, Crypto::default();
    pub(in crate::ledger) under_way(op: OpId) -> Option<(Account, i64)>, None;
    pub(in crate::ledger) coins_under_way(op: OpId) -> Vec<(CoinAccount, AssetId, Units)>, Vec::new();
    pub(in crate::ledger) awaits_report(report: EarlyReport) -> bool, false;
    pub(in crate::ledger) unsent() -> Option<Unsent>, None;
    pub(in crate::ledger) step(key: InstructionKey) -> Step, Step::Over;
    pub(in crate::ledger) deadline() -> Option<(Instant, Due)>, None;
}
