//! Facts: never refused, always applied, known or set aside (rulings 1 and 2).

use super::command::Fact;
use super::decision::Decision;
use super::decision::fact_context::{FactContext, applied, attributed, known};
use super::decision::lookup::Lookup;
use super::record::event::Event;
use super::record::set_aside_reason::SetAsideReason as Reason;
use super::sale::report::SaleReport;
use super::state::State;
use crate::machine::{agent, charge, payout};
use crate::time::Instant;

pub(super) fn decide(state: &State, lookup: &Lookup, fact: Fact, at: Instant) -> Decision {
    let (fact, beside) = match fact {
        Fact::Described { fact, beside } => (*fact, Some(beside)),
        fact => (fact, None),
    };
    let decision = decide_bare(state, lookup, fact, at);
    match beside {
        Some(beside) => decision.beside(beside),
        None => decision,
    }
}

fn decide_bare(state: &State, lookup: &Lookup, fact: Fact, at: Instant) -> Decision {
    let case = FactContext::new(state, lookup, (fact.kind(), fact.about()), at);
    match &fact {
        // The PIX was seen before; that it was received is new.
        Fact::PixReceived { payment, .. } if case.is_under_review(payment) => {
            case.arrived(payment.amount)
        }
        // Its coins were gone: they are mined again.
        Fact::Wallet(reported) if case.is_mined_again(reported) => case.decide(fact),
        // It was seen before; how often it is confirmed by now is new.
        Fact::Sale { report: SaleReport::Seen(deposit), .. } if case.is_confirming(deposit) => {
            case.confirms_further(deposit.clone())
        }
        _ if lookup.seen.is_some() => known(),
        _ => case.decide(fact),
    }
}

impl FactContext<'_> {
    fn decide(&self, fact: Fact) -> Decision {
        match fact {
            Fact::AccountOpened { name, key, terms } => self.account(name, key, terms),
            Fact::PolicyAdopted(policy)
                if policy
                    .wallet
                    .as_ref()
                    .is_some_and(|wallet| !self.state.catalogue.numbers_wallet(wallet)) =>
            {
                self.aside(Reason::ListingDiffers)
            }
            Fact::PolicyAdopted(policy) => applied(vec![Event::PolicyAdopted(Box::new(policy))]),
            Fact::TermsAdopted { account, from, terms } => self.terms(&account, from, terms),
            Fact::TreasuryMoved { from, to, amount } => {
                applied(vec![Event::TreasuryMoved { from, to, amount }])
            }
            Fact::PixReceived { payment, .. } => self.received(payment),
            Fact::PixReturned { return_id, amount, .. } => self.returned(&return_id, amount),
            Fact::ProviderReleased { payment, .. } => self.released(payment.as_ref()),
            Fact::ProviderCancelled { .. } => self.charge_moves(charge::Command::Cancel),
            Fact::PayoutSubmitted { .. } => self.payout_moves(payout::Command::Submit),
            Fact::PayoutRefused { .. } => self.payout_moves(payout::Command::Refuse),
            Fact::PayoutUnknown { .. } => self.payout_moves(payout::Command::Lose),
            Fact::PayoutPaid { e2e, amount, .. } => self.paid(&e2e, amount),
            Fact::PayoutReturned { return_id, amount, .. } => self.came_back(&return_id, amount),
            Fact::PayoutEvidence { paid, decided_by, .. } => {
                let found_out = match paid {
                    Some(e2e) => self.found_paid(&e2e),
                    None => self.payout_moves(payout::Command::Refuse),
                };
                attributed(found_out, decided_by)
            }
            Fact::HoldPlaced { account, customer, kind, amount, decided_by, .. } => {
                attributed(self.hold_placed(&account, customer.is_some(), kind, amount), decided_by)
            }
            Fact::HoldReleased { amount, decided_by, .. } => {
                attributed(self.hold_released(amount), decided_by)
            }
            Fact::SuspenseAttached { charge, decided_by, .. } => {
                attributed(self.suspense_attached(charge), decided_by)
            }
            Fact::SuspenseReturned { decided_by, .. } => {
                attributed(self.suspense_returned(), decided_by)
            }
            Fact::FeeAdjusted { given, charged, income, decided_by, .. } => {
                attributed(self.fee_adjusted(given, charged, income), decided_by)
            }
            Fact::BalanceWrittenOff { amount, decided_by, .. } => {
                attributed(self.written_off(amount), decided_by)
            }
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue(listed, dropped),
            Fact::RateQuoted { asset, quote } => self.rate(asset, quote),
            Fact::MarketsUpdated { opened, closed } => self.markets(opened, closed),
            Fact::PayerReviewed { payer, review, decided_by } => {
                attributed(applied(vec![Event::PayerReviewed { payer, review }]), decided_by)
            }
            Fact::PixSeen { payment, .. } => self.seen(payment),
            Fact::ProviderSettled { .. } => self.charge_moves(charge::Command::Settle),
            Fact::ProviderHeld { until, .. } => self.charge_moves(charge::Command::Withhold(until)),
            Fact::Delivery { command, payment, .. } => self.delivery(command, payment.as_ref()),
            Fact::DeliveryEvidence { sent, decided_by, .. } => {
                attributed(self.delivery_found_out(sent), decided_by)
            }
            Fact::DeliveryGivenUp { to, decided_by, .. } => {
                attributed(self.given_up(to), decided_by)
            }
            Fact::DeliveryResumed { decided_by, .. } => attributed(self.resumed(), decided_by),
            Fact::PayoutStopped { decided_by, .. } => {
                attributed(self.payout_moves(payout::Command::Stop), decided_by)
            }
            Fact::PayoutCleared { decided_by, .. } => attributed(self.payout_cleared(), decided_by),
            Fact::CourtOrdered { hold, amount, decided_by, .. } => {
                attributed(self.court_ordered(hold, amount), decided_by)
            }
            Fact::CoinsMoved { asset, from, to, units } => {
                applied(vec![Event::CoinsMoved { asset, from, to, units }])
            }
            Fact::Wallet(fact) => self.wallet(*fact),
            Fact::ErroneousDeliverySettled { end, decided_by, .. } => {
                attributed(self.erroneous_delivery_settled(end), decided_by)
            }
            Fact::Sale { report, .. } => self.sale(report),
            Fact::AgentActivated(newcomer) => self.agent_activated(*newcomer),
            Fact::AgentSuspended { agent, decided_by } => {
                attributed(self.agent_policed(&agent, agent::Command::Suspend), decided_by)
            }
            Fact::AgentReinstated { agent, decided_by } => {
                attributed(self.agent_policed(&agent, agent::Command::Reinstate), decided_by)
            }
            Fact::KeyReplaced { account, key, decided_by } => {
                attributed(self.key_replaced(&account, key), decided_by)
            }
            Fact::KeyRevoked { account, decided_by } => {
                attributed(self.key_revoked(&account), decided_by)
            }
            Fact::TimePassed => applied(vec![Event::TimePassed]),
            Fact::Described { fact, .. } => self.decide(*fact),
        }
    }
}
