//! The events of operations: which operation an event belongs to, and what its machine says of it.

use super::event::Event;
use crate::accounting::{RowKind, Side};
use crate::id::{AccountId, OpId, SubaccountId, Token};
use crate::ledger::notification::task::Task;
use crate::ledger::notification::topic::Topic;
use crate::ledger::state::machine::LedgerMachine;
use crate::ledger::state::operation::{Machine, Registered, each_machine};
use crate::machine::{StateMachine, transfer};
use crate::money::{Amount, Cents};

macro_rules! operation_events {
    ($($(#[$doc:meta])* $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*) => {
        /// What happened to an operation: the events that belong to one, and none besides.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // Each is the event of the same name.
        pub(in crate::ledger) enum OperationEvent<'a> {
            $($machine(&'a <$state as StateMachine>::Event),)*
            FeeAdjusted { subaccount: SubaccountId, given: Cents, charged: Cents },
            BalanceWrittenOff { subaccount: SubaccountId, amount: Amount },
            BalanceCarried { subaccount: SubaccountId, given: Cents, taken: Cents },
        }

        impl Event {
            /// The operation the event belongs to and what happened to it, if it belongs to one.
            #[must_use]
            pub(in crate::ledger) fn operation(&self) -> Option<(OpId, OperationEvent<'_>)> {
                use OperationEvent as E;
                Some(match self {
                    $(Self::$machine { op, event } => (*op, E::$machine(event)),)*
                    Self::FeeAdjusted { op, subaccount, given, charged, .. } => {
                        let (subaccount, given, charged) = (*subaccount, *given, *charged);
                        (*op, E::FeeAdjusted { subaccount, given, charged })
                    }
                    Self::BalanceWrittenOff { op, subaccount, amount } => {
                        let (subaccount, amount) = (*subaccount, *amount);
                        (*op, E::BalanceWrittenOff { subaccount, amount })
                    }
                    Self::BalanceCarried { op, subaccount, given, taken, .. } => {
                        let (subaccount, given, taken) = (*subaccount, *given, *taken);
                        (*op, E::BalanceCarried { subaccount, given, taken })
                    }
                    Self::LedgerOpened { .. }
                    | Self::PolicyAdopted(_)
                    | Self::AccountOpened { .. }
                    | Self::TermsAdopted { .. }
                    | Self::SubaccountOpened { .. }
                    | Self::SetAside { .. }
                    | Self::ReportKept { .. }
                    | Self::Judged(_)
                    | Self::CatalogueUpdated { .. }
                    | Self::RateQuoted { .. }
                    | Self::PayerReviewed { .. }
                    | Self::SettlementAddressSet { .. }
                    | Self::MarketsUpdated { .. }
                    | Self::Agent { .. }
                    | Self::ReferralGiven { .. }
                    | Self::RewardAccrued { .. }
                    | Self::CoinsMoved { .. }
                    | Self::TreasuryMoved { .. }
                    | Self::Enrolled { .. }
                    | Self::KeyReplaced { .. }
                    | Self::KeyRevoked { .. }
                    | Self::WebhookSet { .. }
                    | Self::WebhookSecretReplaced { .. }
                    | Self::MonitorReplaced { .. }
                    | Self::PixDescribed(_)
                    | Self::NetworkPages(_)
                    | Self::ResidenceChanged { .. }
                    | Self::AccountCarried { .. }
                    | Self::HandedOut { .. }
                    | Self::LossAccepted { .. }
                    | Self::TimePassed => return None,
                })
            }
        }

        impl Event {
            /// The operation that the event creates, the account it belongs to, and the id the
            /// account gave it, if it gave one.
            #[must_use]
            pub fn created(&self) -> Option<(OpId, AccountId, Option<&str>)> {
                match self {
                    $(Self::$machine { op, event } => {
                        let (account, external_id) = <$state as LedgerMachine>::created(event)?;
                        Some((*op, account, external_id))
                    })*
                    // What no client asked for is no client's.
                    _ => None,
                }
            }

            /// The operation the event belongs to, if it belongs to one.
            #[must_use]
            pub const fn op(&self) -> Option<OpId> {
                match self {
                    $(Self::$machine { op, .. })|*
                    | Self::FeeAdjusted { op, .. }
                    | Self::BalanceWrittenOff { op, .. }
                    | Self::BalanceCarried { op, .. }
                    | Self::HandedOut { op, .. } => Some(*op),
                    _ => None,
                }
            }

            /// What a statement calls the rows of this event, by the side of the principal leg.
            #[must_use]
            pub fn row_kind(&self, side: Side) -> RowKind {
                match self {
                    $(Self::$machine { event, .. } => {
                        <$state as LedgerMachine>::row_kind(event, side)
                    })*
                    Self::FeeAdjusted { .. } => RowKind::FeeAdjustment,
                    Self::BalanceWrittenOff { .. } => RowKind::WriteOff,
                    Self::BalanceCarried { .. } => RowKind::Carried,
                    _ => RowKind::Reversal,
                }
            }
        }

        impl OperationEvent<'_> {
            fn commission_row(self) -> RowKind {
                match self {
                    $(Self::$machine(event) => <$state as LedgerMachine>::commission_row(event),)*
                    Self::FeeAdjusted { .. } | Self::BalanceWrittenOff { .. } => {
                        RowKind::CommissionReversed
                    }
                    Self::BalanceCarried { .. } => RowKind::Carried,
                }
            }

            /// Whether it may notify anybody, or ask anything.
            pub(in crate::ledger) fn may_notify(self) -> bool {
                match self {
                    $(Self::$machine(event) => <$state as LedgerMachine>::may_notify(event),)*
                    Self::FeeAdjusted { .. }
                    | Self::BalanceWrittenOff { .. }
                    | Self::BalanceCarried { .. } => false,
                }
            }

            /// What it tells of, given how its operation stands after it: at most two things.
            pub(in crate::ledger) fn topics(self, after: &Machine) -> [Option<Topic>; 2] {
                let topics = match self {
                    $(Self::$machine(event) => {
                        <$state as Registered>::of(after).map(|after| after.topics(event))
                    })*
                    Self::FeeAdjusted { .. }
                    | Self::BalanceWrittenOff { .. }
                    | Self::BalanceCarried { .. } => None,
                };
                topics.unwrap_or([None, None])
            }

            /// Whether it may ask anything of the world.
            pub(in crate::ledger) fn may_instruct(self) -> bool {
                match self {
                    $(Self::$machine(event) => <$state as LedgerMachine>::may_instruct(event),)*
                    Self::FeeAdjusted { .. }
                    | Self::BalanceWrittenOff { .. }
                    | Self::BalanceCarried { .. } => false,
                }
            }

            /// What it asks for, if the operation still waits for it.
            pub(in crate::ledger) fn task(self, after: &Machine) -> Option<Task> {
                match self {
                    $(Self::$machine(event) => <$state as Registered>::of(after)?.task(event),)*
                    Self::FeeAdjusted { .. }
                    | Self::BalanceWrittenOff { .. }
                    | Self::BalanceCarried { .. } => None,
                }
            }
        }
    };
}

each_machine!(operation_events);

impl Event {
    /// What a partner's own ledger calls the row of this event.
    #[must_use]
    pub fn commission_row(&self) -> RowKind {
        self.operation().map_or(RowKind::CommissionReversed, |(_, event)| event.commission_row())
    }

    /// The client's own description of the rows, if it gave one.
    #[must_use]
    pub const fn note(&self) -> Option<Token> {
        match self {
            Self::Transfer { event: transfer::Event::Done(order), .. } => order.note,
            _ => None,
        }
    }
}
