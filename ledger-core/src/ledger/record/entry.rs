//! What each event posts.

use super::event::Event;
use crate::accounting::{Account, Entry};
use crate::ledger::registry::each_machine;
use crate::machine::{StateMachine, agent};

macro_rules! entries {
    ($($(#[$doc:meta])* $machine:ident, $state:ty, $accessor:ident, $kinds:pat, $misplaced:literal;)*) => {
        impl Event {
            /// Accounts for the event: a pure function of it alone.
            #[must_use]
            pub fn entry(&self) -> Entry {
                match self {
                    $(Self::$machine { op, event } => <$state as StateMachine>::entry(*op, event),)*
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
                    | Self::ReferralGiven { .. }
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
                    | Self::MetadataAttached { .. }
                    | Self::OpeningBalancesClosed { .. }
                    | Self::StatementReceived(_)
                    | Self::DayClosed(_)
                    | Self::DayReopened { .. }
                    | Self::RecoveryOpened { .. }
                    | Self::RecoveryBlocked { .. }
                    | Self::RecoveryDecided { .. }
                    | Self::RecoveryRefunded { .. }
                    | Self::TimePassed => Entry::NONE,
                    Self::Agent { event, .. } => agent::entry(event),
                    Self::RewardAccrued { agent, reward } => {
                        let owed = Account::Reward(*agent);
                        Entry::NONE.principal(Account::RewardExpense, owed, *reward)
                    }
                    Self::CoinsMoved { asset, from, to, units } => {
                        Entry::NONE.coins(*asset, to.account(), from.account(), *units)
                    }
                    Self::TreasuryMoved { from, to, amount } => {
                        Entry::NONE.principal(to.account(), from.account(), *amount)
                    }
                    Self::FeeAdjusted { subaccount, given, charged, income, .. } => {
                        let available = Account::Available(*subaccount);
                        let entry = Entry::NONE.fee(income.account(), available, *given);
                        entry.fee(available, income.account(), *charged)
                    }
                    // What a customer owes is carried as well: that leaves less than nothing.
                    Self::BalanceCarried { subaccount, commission_of, given, taken, .. } => {
                        let owed = commission_of
                            .map_or(Account::Available(*subaccount), Account::Commission);
                        let entry = Entry::FORCED.principal(Account::Cells, owed, *given);
                        entry.principal(owed, Account::Cells, *taken)
                    }
                    Self::BalanceWrittenOff { subaccount, amount, .. } => {
                        let owed = Account::Available(*subaccount);
                        Entry::NONE.principal(Account::Loss, owed, *amount)
                    }
                }
            }
        }
    };
}

each_machine!(entries);
