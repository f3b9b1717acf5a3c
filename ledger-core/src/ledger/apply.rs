//! Which domain applies an event: the table in which domains register what their events change in
//! the state besides balances, and what they count of it.

use std::sync::Arc;

use super::archive::Archive;
use super::notification::InstructionKey;
use super::record::Record;
use super::record::event::Event;
use super::registry::{Machine, each_machine};
use super::state::State;
use super::state::apply::Applied;
use super::{Corrupt, Ledger};
use crate::terms::Policy;

macro_rules! applied {
    ($($(#[$doc:meta])* $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*) => {
        impl State {
            /// Remembers what the event changes besides balances.
            ///
            /// # Errors
            ///
            /// Why a record that has it is corrupt.
            pub(in crate::ledger) fn remember(
                &mut self,
                archive: &mut impl Archive,
                record: &Record,
                event: &Event,
            ) -> Result<(), &'static str> {
                match event {
                    Event::LedgerOpened { name, policy } => self.begin(record.seq, name, policy),
                    Event::PolicyAdopted(policy) => {
                        self.policy = Arc::new(Policy::clone(policy));
                        Ok(())
                    }
                    Event::AccountOpened { account, name, key, house, terms } => {
                        self.add_account((*account, *house), name, *key, terms)
                    }
                    Event::TermsAdopted { account, from, terms } => {
                        self.adopt_terms(*account, *from, terms)
                    }
                    Event::SubaccountOpened { subaccount, account, customer } => {
                        self.name_subaccount(archive, *subaccount, *account, customer)
                    }
                    $(Event::$machine { op, event } => {
                        <$state as Applied>::apply(self, archive, record, (*op, event))
                    })*
                    Event::FeeAdjusted { op, subaccount, given, charged, .. } => {
                        let fees = (*given, *charged);
                        self.adjust_fee(archive, record.at, (*op, *subaccount), fees)
                    }
                    Event::BalanceWrittenOff { op, subaccount, amount } => {
                        self.write_off(archive, record.at, (*op, *subaccount), *amount)
                    }
                    Event::ReportKept { op, report } => {
                        let known = self.current(archive, *op);
                        let early = known.is_some_and(|known| known.machine.awaits_report(*report));
                        self.keep_report(*op, *report);
                        early.then_some(()).ok_or("a report is kept of what may still begin")
                    }
                    Event::HandedOut { op, kind, attempt } => {
                        let (op, kind, attempt) = (*op, *kind, *attempt);
                        self.hand_out(archive, InstructionKey { op, kind, attempt })
                    }
                    Event::CatalogueUpdated { .. }
                    | Event::RateQuoted { .. }
                    | Event::PayerReviewed { .. }
                    | Event::MarketsUpdated { .. }
                    | Event::NetworkPages(_)
                    | Event::SettlementAddressSet { .. } => self.learn(record.at, event),
                    Event::Agent { .. }
                    | Event::ReferralGiven { .. }
                    | Event::RewardAccrued { .. } => self.in_the_mesh(event, record.at),
                    Event::Enrolled { .. }
                    | Event::KeyReplaced { .. }
                    | Event::KeyRevoked { .. }
                    | Event::WebhookSet { .. }
                    | Event::WebhookSecretReplaced { .. }
                    | Event::MonitorReplaced { .. } => self.access(record.at, event),
                    Event::ResidenceChanged { .. }
                    | Event::AccountCarried { .. }
                    | Event::BalanceCarried { .. } => self.apply_cell(archive, record.at, event),
                    Event::ProductAccountDeclared { number, declared } => {
                        self.declare_product_account(*number, declared)
                    }
                    Event::TemplateAdopted { number, version, template } => {
                        self.domains.products.adopt((*number, *version), template)
                    }
                    Event::OpeningBalancesClosed { account } => {
                        self.close_opening_balances(*account)
                    }
                    Event::MetadataAttached { op, .. } => record.attaches(*op),
                    Event::StatementReceived(statement) => {
                        self.domains.closings.receive(statement.sha256)
                    }
                    Event::DayClosed(close) => self.close_day(close, record.at),
                    Event::DayReopened { begins } => self.domains.closings.reopen(*begins),
                    Event::RecoveryOpened { .. }
                    | Event::RecoveryBlocked { .. }
                    | Event::RecoveryDecided { .. }
                    | Event::RecoveryRefunded { .. } => self.apply_recovery(archive, event),
                    Event::TreasuryMoved { .. }
                    | Event::CoinsMoved { .. }
                    | Event::SetAside { .. }
                    | Event::Repeated { .. }
                    | Event::PixDescribed(_)
                    | Event::Judged(_)
                    | Event::LossAccepted { .. }
                    | Event::TimePassed => Ok(()),
                }
            }
        }
    };
}

each_machine!(applied);

impl<A: Archive> Ledger<A> {
    /// Applies a record that the caller gives the archive in another form, as its bytes.
    ///
    /// # Errors
    ///
    /// As [`Ledger::replay`].
    pub fn apply(&mut self, record: &Record) -> Result<(), Corrupt> {
        self.state.apply_noting(&mut self.archive, record, &mut self.passing)
    }
}

impl State {
    /// Counts an event, once it is remembered.
    pub(in crate::ledger) fn count_event(&mut self, archive: &impl Archive, event: &Event) {
        self.count_settled(event);
        self.count_reputation(archive, event);
    }

    /// Counts how an operation moves, before it does.
    pub(in crate::ledger) fn count_move(&mut self, before: Option<&Machine>, after: &Machine) {
        self.count_outgoing(before, after);
    }
}
