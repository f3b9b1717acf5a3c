//! Facts as the oracle sees them: what each is known by for ever, and what becomes of it.

use ledger_core::ledger::{Fact, Outcome, Reported, SaleReport, wallet};
use ledger_core::machine::delivery::{self, DeliveryReport};
use ledger_core::machine::hold;
use ledger_core::money::Amount;
use ledger_core::terms::Policy;
use ledger_core::time::Instant;

use super::treasury::own_coins;
use super::wallet::coins_id;
use super::{Oracle, Realm};
use crate::goal::Goal;

impl Oracle {
    /// What becomes of a fact, which is never refused (rulings 1).
    pub(super) fn fact(&mut self, reported: &Reported, at: Instant) -> Outcome {
        let identity = identity(reported);
        if let Fact::PixReceived { charge, payment } = &reported.fact
            && let Some(outcome) = self.seen_arrives(*charge, payment, at)
        {
            return outcome;
        }
        let again = self.comes_again(&reported.fact);
        if !again && identity.as_ref().is_some_and(|identity| self.seen.contains(identity)) {
            if matches!(reported.fact, Fact::PixReceived { .. }) {
                self.reach(Goal::KnownPix);
            }
            return Outcome::Known;
        }
        self.named = reported.fact.about();
        let outcome = self.happens(&reported.fact, at);
        self.named = None;
        if let (true, Some(identity)) = (outcome != Outcome::Known, identity) {
            self.seen.insert(identity);
        }
        outcome
    }

    #[allow(clippy::too_many_lines)] // A table of facts.
    fn happens(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::AgentActivated(newcomer) => self.agent_activated(newcomer),
            Fact::AgentSuspended { agent, .. } => self.agent_policed(agent, true),
            Fact::AgentReinstated { agent, .. } => self.agent_policed(agent, false),
            Fact::AccountOpened { name, key, terms } => self.account_reported(name, *key, *terms),
            Fact::PolicyAdopted(Policy { wallet: Some(wallet), .. }) if !self.is_listed(wallet) => {
                Outcome::SetAside(None)
            }
            Fact::PolicyAdopted(policy) => {
                self.policy = policy.clone();
                Outcome::Applied(None)
            }
            Fact::TermsAdopted { account, from, terms } => match self.account_named(account) {
                Some(account) => {
                    let adopted = (at, from.unwrap_or(at), *terms);
                    self.accounts[account.0 as usize].terms.push(adopted);
                    Outcome::Applied(None)
                }
                None => Outcome::SetAside(None),
            },
            Fact::TreasuryMoved { from, to, amount } => {
                self.own_money(*to, amount.cents());
                self.own_money(*from, -amount.cents());
                Outcome::Applied(None)
            }
            Fact::PixReceived { charge, payment } => self.pix_received(*charge, payment, at),
            Fact::PixReturned { charge, return_id, amount } => {
                self.pix_returned(*charge, return_id, amount.cents(), at)
            }
            Fact::ProviderReleased { charge, payment } => {
                self.provider_released(*charge, payment.as_ref(), at)
            }
            Fact::ProviderCancelled { charge } => self.provider_cancelled(*charge),
            Fact::PayoutSubmitted { payout } => self.payout_submitted(*payout),
            Fact::PayoutPaid { payout, e2e, amount } => {
                self.payout_paid(*payout, e2e, amount.map(Amount::cents), at, false)
            }
            Fact::PayoutRefused { payout } => self.payout_refused(*payout, false),
            Fact::PayoutUnknown { payout } => self.payout_unknown(*payout),
            Fact::PayoutReturned { payout, return_id, amount } => {
                self.payout_returned(*payout, return_id, amount.cents(), at)
            }
            Fact::PayoutEvidence { payout, paid, .. } => match paid {
                Some(e2e) => self.payout_found_paid(*payout, e2e, at),
                None => self.payout_refused(*payout, true),
            },
            Fact::Wallet(fact) => self.wallet_fact(fact, at),
            // Maturity is a charge's own (rulings 26).
            Fact::HoldPlaced { kind: hold::Kind::Maturity, .. } => Outcome::SetAside(None),
            Fact::HoldPlaced { account, customer, cause, kind, amount, .. } => {
                let account = self.account_named(account);
                let asked = (*kind, amount.cents());
                self.place_hold((account, customer.as_deref()), *cause, asked, at)
            }
            Fact::HoldReleased { hold, amount, .. } => {
                self.release_hold(*hold, amount.map(Amount::cents))
            }
            Fact::SuspenseAttached { suspense, charge, .. } => self.attach(*suspense, *charge, at),
            Fact::SuspenseReturned { suspense, .. } => self.suspense_returned(*suspense),
            Fact::FeeAdjusted { account, customer, given, charged, income, .. } => {
                let (given, charged) = (given.cents(), charged.cents());
                self.fee_adjusted((account, customer.as_deref()), given, charged, *income)
            }
            Fact::BalanceWrittenOff { account, customer, amount, .. } => {
                self.written_off(account, customer.as_deref(), amount.cents())
            }
            Fact::CourtOrdered { account, customer, hold, amount, .. } => {
                self.court_ordered(account, customer.as_deref(), *hold, amount.cents(), at)
            }
            Fact::KeyReplaced { account, key, .. } => self.key_replaced(account, *key),
            Fact::KeyRevoked { account, .. } => self.key_revoked(account),
            Fact::Described { fact, .. } => self.happens(fact, at),
            Fact::TimePassed => Outcome::Applied(None),
            Fact::MarketsUpdated { opened, closed } => self.markets_updated(opened, closed),
            Fact::Sale { order, report } => self.sale_news(*order, report, at),
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue_updated(listed, dropped),
            Fact::RateQuoted { asset, quote } => self.rate_quoted(asset, quote),
            Fact::PayerReviewed { payer, review, .. } => self.payer_reviewed(*payer, *review),
            Fact::PixSeen { charge, payment } => self.pix_seen(*charge, payment, at),
            Fact::ProviderSettled { charge } => self.provider_settled(*charge, at),
            Fact::ProviderHeld { charge, .. } => self.provider_held(*charge, at),
            Fact::Delivery { op, command, payment } => {
                self.delivery_news(*op, command, payment.as_ref(), false, at)
            }
            Fact::DeliveryEvidence { op, sent, .. } => {
                let report = sent.clone().map_or(DeliveryReport::Fail, DeliveryReport::Confirm);
                let command = delivery::Command { attempt: None, report };
                self.delivery_news(*op, &command, None, true, at)
            }
            Fact::DeliveryGivenUp { op, to, .. } => self.given_up(*op, to),
            Fact::DeliveryResumed { op, .. } => self.resumed(*op),
            Fact::PayoutStopped { payout, .. } => self.payout_decided(*payout, true, at),
            Fact::PayoutCleared { payout, .. } => self.payout_decided(*payout, false, at),
            Fact::CoinsMoved { asset, from, to, units } => {
                self.coins(asset.0, own_coins(*to), own_coins(*from), units.get());
                Outcome::Applied(None)
            }
            Fact::ErroneousDeliverySettled { erroneous_delivery, end, .. } => {
                self.erroneous_delivery_settled(*erroneous_delivery, *end)
            }
        }
    }
}

/// The id a fact is known by for ever.
fn identity(reported: &Reported) -> Option<(Realm, Box<str>)> {
    match &reported.fact {
        Fact::PixReceived { payment, .. } | Fact::PixSeen { payment, .. } => {
            Some((Realm::PixIn, payment.e2e.clone()))
        }
        Fact::PixReturned { return_id, .. } => Some((Realm::DepositBack, return_id.clone())),
        Fact::PayoutPaid { e2e, .. } => Some((Realm::PixOut, e2e.clone())),
        Fact::PayoutReturned { return_id, .. } => Some((Realm::PayoutBack, return_id.clone())),
        // A transaction may be mined twice: its room tells which time is meant.
        Fact::Sale {
            report: SaleReport::Seen(_) | SaleReport::Confirmed { .. } | SaleReport::Vanished(_),
            ..
        } => None,
        Fact::Sale { report: SaleReport::Paid { pix, .. }, .. } => {
            Some((Realm::PixOut, pix.e2e.clone()))
        }
        Fact::Sale { report: SaleReport::Reversed { return_id, .. }, .. } => {
            Some((Realm::PayoutBack, return_id.clone()))
        }
        Fact::Wallet(fact) if let wallet::Fact::DepositSeen { transfer, .. } = &**fact => {
            Some((Realm::Coins, coins_id(transfer)))
        }
        Fact::Wallet(fact)
            if let wallet::Fact::Payment { step: wallet::Step::Pay(pix), .. } = &**fact =>
        {
            Some((Realm::PixOut, pix.e2e.clone()))
        }
        _ => reported.id.clone().map(|id| (Realm::Fact, id)),
    }
}
