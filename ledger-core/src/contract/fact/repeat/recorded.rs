//! The first report of a fact, as its record tells it.

use super::stated;
use super::text::{FieldText, token, units, word};
use crate::coin::Scale;
use crate::id::{AccountId, AssetId, ChainId, SubaccountId};
use crate::ledger::{Archive, Event, Fact, FactKind, Ledger, PixDetails, Record};
use crate::machine::refund::Coins;

/// The record that made a fact known, and the fact that repeats it.
pub(super) struct FirstReport<'a, A> {
    pub record: &'a Record,
    pub ledger: &'a Ledger<A>,
    pub fact: &'a Fact,
}

impl<A: Archive> FirstReport<'_, A> {
    /// Every field that the record tells of a fact of this kind.
    #[allow(clippy::too_many_lines)] // One line a kind, so that a new one is asked.
    pub(super) fn fields(&self, kind: FactKind) -> Vec<FieldText> {
        let events = self.record.events.iter();
        let mut fields: Vec<FieldText> = match kind {
            FactKind::AccountOpened
            | FactKind::TermsAdopted
            | FactKind::KeyReplaced
            | FactKind::KeyRevoked
            | FactKind::OpeningBalancesClosed
            | FactKind::AccountMoved
            | FactKind::AccountArriving
            | FactKind::BalanceCarried
            | FactKind::AgentActivated
            | FactKind::AgentSuspended
            | FactKind::AgentReinstated => events.flat_map(|e| self.account_fields(e)).collect(),
            FactKind::TreasuryMoved
            | FactKind::FeeAdjusted
            | FactKind::BalanceWrittenOff
            | FactKind::HoldPlaced
            | FactKind::HoldReleased
            | FactKind::ReservationMade
            | FactKind::ReservationCaptured
            | FactKind::CourtOrdered
            | FactKind::SuspenseAttached
            | FactKind::SuspenseReturned
            | FactKind::ErroneousDeliverySettled => {
                events.flat_map(|e| self.custody_fields(e)).collect()
            }
            FactKind::PixReceived
            | FactKind::PixSeen
            | FactKind::ProviderReleased
            | FactKind::ProviderSettled
            | FactKind::ProviderHeld
            | FactKind::ProviderCancelled
            | FactKind::PayerReviewed
            | FactKind::PayoutSubmitted
            | FactKind::PayoutPaid
            | FactKind::PayoutRefused
            | FactKind::PayoutUnknown
            | FactKind::PayoutReturned
            | FactKind::PayoutEvidence
            | FactKind::PayoutStopped
            | FactKind::PayoutCleared
            | FactKind::DeliveryStarted
            | FactKind::DeliveryAccepted
            | FactKind::DeliverySent
            | FactKind::DeliveryFailed
            | FactKind::DeliveryUnknown
            | FactKind::DeliveryEvidence
            | FactKind::DeliveryGivenUp
            | FactKind::DeliveryResumed => self.pix_fields(),
            FactKind::CatalogueUpdated | FactKind::MarketsUpdated | FactKind::RateQuoted => {
                events.flat_map(stated::listed_fields).collect()
            }
            FactKind::DepositSeen
            | FactKind::DepositConfirmed
            | FactKind::DepositVanished
            | FactKind::SaleStarted
            | FactKind::SaleFilled
            | FactKind::SaleFailed
            | FactKind::SaleUnknown
            | FactKind::SaleForwarding
            | FactKind::SaleForwarded
            | FactKind::CashOutDelayed
            | FactKind::CashOutResumed
            | FactKind::PaymentStarted
            | FactKind::CashOutPaid
            | FactKind::SendFailed
            | FactKind::PaymentImpossible
            | FactKind::KeyRefused
            | FactKind::PaymentUnknown
            | FactKind::TokenHandedOver
            | FactKind::TokenReturned
            | FactKind::CashOutReversed
            | FactKind::CashOutCancelled
            | FactKind::CashOutStopped
            | FactKind::CashOutCleared
            | FactKind::RefundDecided
            | FactKind::RefundSent
            | FactKind::RefundFailed
            | FactKind::RefundUnknown => events.flat_map(|e| self.sale_fields(e)).collect(),
            FactKind::WalletDepositAssigned
            | FactKind::WalletDepositSeen
            | FactKind::WalletDepositConfirmed
            | FactKind::WalletDepositDoubted
            | FactKind::WalletDepositJudged
            | FactKind::WalletDepositReversed
            | FactKind::CryptoWithdrawalStarted
            | FactKind::CryptoWithdrawalFunded
            | FactKind::CryptoWithdrawalConverted
            | FactKind::CryptoWithdrawalSent
            | FactKind::CryptoWithdrawalUnknown
            | FactKind::CryptoWithdrawalEvidence
            | FactKind::WalletPaymentStarted
            | FactKind::WalletPaymentSent
            | FactKind::WalletPaymentConfirmed
            | FactKind::WalletPaymentPaid
            | FactKind::WalletPaymentFailed
            | FactKind::WalletPaymentUnknown
            | FactKind::WalletPaymentResolved => self.wallet_fields(),
            FactKind::ProductAccountDeclared
            | FactKind::EntryPosted
            | FactKind::EntryReversed
            | FactKind::TemplateAdopted
            | FactKind::TemplatePosted
            | FactKind::BalanceOpened => self.entry_fields(),
            FactKind::StatementReceived | FactKind::DayClosed | FactKind::DayReopened => {
                events.flat_map(stated::closing_fields).collect()
            }
            FactKind::RecoveryOpened | FactKind::RecoveryBlocked | FactKind::RecoveryDecided => {
                events.flat_map(|e| self.recovery_fields(e)).collect()
            }
            FactKind::PixReturned | FactKind::RecoveryRefunded => self.return_fields(),
            // The body applied to the settings of the record tells them.
            FactKind::PolicyAdopted | FactKind::WalletConfigured => Vec::new(),
            // The identity is all that it says, or it is never known.
            FactKind::InstructionHandedOut | FactKind::TimePassed => Vec::new(),
        };
        fields.extend(self.shared_fields(kind));
        fields
    }

    /// The field that leaving one out stands for, where the record tells whether it was said.
    pub(super) fn field_left_out(&self, kind: FactKind, name: &'static str) -> Option<FieldText> {
        match (kind, name) {
            // Without a cause, nobody else bears it than the house (P:CasaReserved).
            (FactKind::HoldPlaced | FactKind::CourtOrdered, "customer_ref")
                if self.fact.about().is_none() =>
            {
                Some(("customer_ref", None))
            }
            (FactKind::FeeAdjusted | FactKind::ReservationMade, "customer_ref") => {
                Some(("customer_ref", None))
            }
            (FactKind::ReservationMade, "expires_at") => Some(("expires_at", None)),
            (FactKind::FeeAdjusted, "income") => Some(word("income", "deposit")),
            (FactKind::HoldReleased, "amount_cents") => Some(("amount_cents", None)),
            (FactKind::ReservationCaptured, "final") => Some(word("final", "false")),
            (FactKind::SuspenseReturned, "return_id") => Some(("return_id", None)),
            (FactKind::ProductAccountDeclared, "overdraft" | "per_customer") => {
                Some((name, Some(false.to_string())))
            }
            (FactKind::ProductAccountDeclared, "asset" | "unit") => Some((name, None)),
            (FactKind::RecoveryOpened | FactKind::RecoveryDecided, _) => {
                self.recovery_left_out(name)
            }
            _ => None,
        }
    }

    /// The fields that facts of many kinds have: evidence, metadata, details of a PIX.
    fn shared_fields(&self, kind: FactKind) -> Vec<FieldText> {
        let mut fields = Vec::new();
        // A PIX that was seen may be described once it is received, by another record.
        let described_later = kind != FactKind::PixSeen && self.is_of_seen_pix();
        let tells_all = !self.record.is_set_aside() && !self.record.is_repeat();
        if tells_all && !described_later {
            fields.push(("metadata", None));
            fields.extend(stated::details_fields(&PixDetails::default()));
        }
        for event in &self.record.events {
            match event {
                Event::Judged(decision) => fields.push(("evidence", decision.evidence.map(token))),
                Event::MetadataAttached { metadata, .. } => {
                    fields.push(("metadata", Some(token(*metadata))));
                }
                Event::PixDescribed(details) => fields.extend(stated::details_fields(details)),
                _ => {}
            }
        }
        fields
    }

    pub(super) fn account(&self, id: AccountId) -> FieldText {
        ("account", self.ledger.state.account(id).map(|known| (*known.name).to_owned()))
    }

    /// Whose a subaccount is: its account, and the customer unless it is the house's.
    pub(super) fn holder(&self, id: SubaccountId) -> [FieldText; 2] {
        let known = self.ledger.state.subaccount(id);
        let account = known.map_or(("account", None), |known| self.account(known.account));
        let customer = self.ledger.archive.customer(id).map(str::to_owned);
        [account, ("customer_ref", customer)]
    }

    pub(super) fn asset(&self, id: AssetId) -> (FieldText, Scale) {
        let (name, scale) = self.ledger.state.catalogue.asset_or_number(id);
        (("asset", Some(name)), scale)
    }

    pub(super) fn chain(&self, name: &'static str, id: ChainId) -> FieldText {
        (name, self.ledger.state.catalogue.chain_of(id).map(str::to_owned))
    }

    /// How much of an asset there is, where.
    pub(super) fn coins(&self, coins: Coins) -> Vec<FieldText> {
        let (asset, scale) = self.asset(coins.asset);
        vec![asset, self.chain("network", coins.chain), units("amount", coins.units, scale)]
    }
}
