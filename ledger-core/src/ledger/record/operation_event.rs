//! The events of operations: which operation an event belongs to, and what its machine says of it.

use super::ExternalId;
use super::event::Event;
use crate::accounting::{RowKind, Side};
use crate::id::{AccountId, ChainId, OpId, SubaccountId, Token};
use crate::ledger::ledger_machine::{LedgerMachine, REVERSED, RowKinds};
use crate::ledger::notification::task::{Task, TaskKind};
use crate::ledger::notification::topic::Topic;
use crate::ledger::registry::{Adjustment, Machine, Registered, each_machine};
use crate::machine::StateMachine;
use crate::machine::refund::Coins;
use crate::money::{Amount, Balance};
use crate::time::Instant;

macro_rules! operation_events {
    ($($(#[$doc:meta])* $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*) => {
        /// What happened to an operation: the events that belong to one, and none besides.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // Each is the event of the same name, or a correction.
        pub(in crate::ledger) enum OperationEvent<'a> {
            $($machine(&'a <$state as StateMachine>::Event),)*
            Adjusted(RowKinds, Adjustment),
        }

        impl Event {
            /// The operation the event belongs to and what happened to it, if it belongs to one.
            #[must_use]
            pub(in crate::ledger) fn operation(&self) -> Option<(OpId, OperationEvent<'_>)> {
                use OperationEvent as E;
                Some(match self {
                    $(Self::$machine { op, event } => (*op, E::$machine(event)),)*
                    Self::FeeAdjusted { op, subaccount, given, charged, .. } => {
                        let rows = [RowKind::FeeAdjustment, RowKind::CommissionReversed];
                        (*op, adjustment(rows, *subaccount, given.cents() - charged.cents()))
                    }
                    Self::BalanceWrittenOff { op, subaccount, amount } => {
                        let rows = [RowKind::WriteOff, RowKind::CommissionReversed];
                        (*op, adjustment(rows, *subaccount, amount.cents()))
                    }
                    Self::BalanceCarried { op, subaccount, given, taken, .. } => {
                        let rows = [RowKind::Carried; 2];
                        (*op, adjustment(rows, *subaccount, given.cents() - taken.cents()))
                    }
                    Self::LedgerOpened { .. }
                    | Self::PolicyAdopted(_)
                    | Self::AccountOpened { .. }
                    | Self::TermsAdopted { .. }
                    | Self::SubaccountOpened { .. }
                    | Self::SetAside { .. }
                    | Self::Repeated { .. }
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
                    | Self::ProductAccountDeclared { .. }
                    | Self::TemplateAdopted { .. }
                    | Self::OpeningBalancesClosed { .. }
                    | Self::StatementReceived(_)
                    | Self::DayClosed(_)
                    | Self::DayReopened { .. }
                    | Self::RecoveryOpened { .. }
                    | Self::RecoveryBlocked { .. }
                    | Self::RecoveryDecided { .. }
                    | Self::RecoveryRefunded { .. }
                    | Self::MetadataAttached { .. }
                    | Self::TimePassed => return None,
                })
            }
        }

        impl Event {
            /// The operation the event belongs to, if it belongs to one.
            #[must_use]
            pub const fn op(&self) -> Option<OpId> {
                match self {
                    $(Self::$machine { op, .. })|*
                    | Self::FeeAdjusted { op, .. }
                    | Self::BalanceWrittenOff { op, .. }
                    | Self::BalanceCarried { op, .. }
                    | Self::HandedOut { op, .. }
                    | Self::MetadataAttached { op, .. } => Some(*op),
                    _ => None,
                }
            }
        }
    };
}

each_machine!(operation_events);

fn adjustment<'a>(rows: RowKinds, subaccount: SubaccountId, cents: i64) -> OperationEvent<'a> {
    OperationEvent::Adjusted(rows, Adjustment { subaccount, value: Balance::new(cents) })
}

impl OperationEvent<'_> {
    fn row_kinds(self, side: Side) -> RowKinds {
        match self {
            Self::Adjusted(rows, _) => rows,
            event => each_machine!(by event, M, event => M::row_kinds(event, side), REVERSED),
        }
    }

    /// The id of the world that it makes known.
    pub(in crate::ledger) fn outside(self) -> Option<ExternalId> {
        each_machine!(by self, M, event => M::outside(event), None)
    }

    /// The PIX whose claim it ends with what it paid.
    pub(super) fn taken_over(self) -> Option<ExternalId> {
        each_machine!(by self, M, event => M::taken_over(event), None)
    }

    /// The instruction, and the attempt, that it hands out.
    pub(in crate::ledger) fn hands_out(self) -> Option<(TaskKind, u32)> {
        each_machine!(by self, M, event => M::hands_out(event), None)
    }

    /// Tells whether it may notify anybody, or ask anything.
    pub(in crate::ledger) fn may_notify(self) -> bool {
        each_machine!(by self, M, _event => M::NOTIFIES, false)
    }

    /// Returns what it tells of, given how its operation stands after it: at most two things.
    pub(in crate::ledger) fn topics(self, after: &Machine) -> [Option<Topic>; 2] {
        let topics = each_machine!(by self, M, event => {
            M::from_machine(after).map(|it| it.topics(event))
        }, None);
        topics.unwrap_or([None, None])
    }

    /// Tells whether it may ask anything of the world.
    pub(in crate::ledger) fn may_instruct(self) -> bool {
        each_machine!(by self, M, event => M::may_instruct(event), false)
    }

    /// Returns what it asks for, if the operation still waits for it.
    pub(in crate::ledger) fn task(self, after: &Machine) -> Option<Task> {
        each_machine!(by self, M, event => M::from_machine(after)?.task(event), None)
    }
}

impl Event {
    /// The operation that the event creates, the account it belongs to, and the id the account gave
    /// it, if it gave one.
    #[must_use]
    pub fn creation(&self) -> Option<(OpId, AccountId, Option<&str>)> {
        let (op, event) = self.operation()?;
        let (account, id) = each_machine!(by event, M, event => M::creation(event), None)?;
        Some((op, account, id))
    }

    /// Returns what a statement calls the rows of this event, by the side of the principal leg.
    #[must_use]
    pub fn row_kind(&self, side: Side) -> RowKind {
        self.row_kinds(side)[0]
    }

    /// Returns what a partner's own ledger calls the row of this event.
    #[must_use]
    pub fn commission_row(&self) -> RowKind {
        self.row_kinds(Side::Credit)[1]
    }

    fn row_kinds(&self, side: Side) -> RowKinds {
        self.operation().map_or(REVERSED, |(_, event)| event.row_kinds(side))
    }

    /// The client's own description of the rows, if it gave one.
    #[must_use]
    pub fn note(&self) -> Option<Token> {
        let (_, event) = self.operation()?;
        each_machine!(by event, M, event => M::note(event), None)
    }

    /// The network of the crypto that the event tells of, where its record brings a transaction.
    pub(in crate::ledger) fn chain(&self) -> Option<ChainId> {
        let (_, event) = self.operation()?;
        each_machine!(by event, M, event => M::chain(event), None)
    }

    /// The transaction that the event is of, as its network or whoever reported it spells it.
    #[must_use]
    pub fn transaction(&self) -> Option<&str> {
        let (_, event) = self.operation()?;
        each_machine!(by event, M, event => M::transaction(event), None)
    }

    /// The operation whose crypto goes to another address from now on, and the address.
    #[must_use]
    pub fn address(&self) -> Option<(OpId, &str)> {
        let (op, event) = self.operation()?;
        Some((op, each_machine!(by event, M, event => M::address(event), None)?))
    }

    /// The PIX that the event tells of in full, by its id, and when it was paid.
    #[must_use]
    pub fn paid_pix(&self) -> Option<(&str, Instant)> {
        let (_, event) = self.operation()?;
        each_machine!(by event, M, event => M::paid_pix(event), None)
    }

    /// The token by which the event names a payee who is counted by the location of a code alone:
    /// the vault learns no value of it.
    #[must_use]
    pub fn valueless(&self) -> Option<Token> {
        let (_, event) = self.operation()?;
        each_machine!(by event, M, event => M::valueless(event), None)
    }

    /// Tells whether the event takes back what a deposit brought, since its network reorganised:
    /// crypto leaves the books, and none was sent.
    #[must_use]
    pub fn takes_back_deposit(&self) -> bool {
        let Some((_, event)) = self.operation() else { return false };
        each_machine!(by event, M, event => M::takes_back_deposit(event), false)
    }

    /// The order that a new receipt is about, and the receipt with what it brought.
    #[must_use]
    pub fn unmatched_about(&self) -> Option<(OpId, (OpId, Coins))> {
        let (op, event) = self.operation()?;
        let (order, coins) = each_machine!(by event, M, event => M::unmatched_about(event), None)?;
        Some((order, (op, coins)))
    }

    /// Returns what an account settled by this event: the operation's own amount, once what it was
    /// for is paid or sent. Money that only came in is settled when it leaves.
    #[must_use]
    pub fn settlement(&self) -> Option<(AccountId, Amount)> {
        let (_, event) = self.operation()?;
        each_machine!(by event, M, event => M::settlement(event), None)
    }

    /// The operation that definitely fails by this event, if one does.
    pub(in crate::ledger) fn fails(&self) -> Option<OpId> {
        let (op, event) = self.operation()?;
        each_machine!(by event, M, event => M::fails(event), false).then_some(op)
    }
}
