//! Facts: never refused, always applied, known or set aside (rulings 1 and 2).

use super::command::Fact;
use super::decision::Decision;
use super::decision::fact_context::{FactContext, applied, judged, known};
use super::decision::lookup::Lookup;
use super::record::event::Event;
use super::record::set_aside_reason::SetAsideReason as Reason;
use super::sale::report::SaleNews;
use super::state::State;
use crate::machine::{agent, charge, payout};
use crate::time::Instant;

pub(super) fn decide(state: &State, found: &Lookup, fact: Fact, at: Instant) -> Decision {
    let (fact, beside) = match fact {
        Fact::Described { fact, beside } => (*fact, Some(beside)),
        fact => (fact, None),
    };
    let decision = decide_bare(state, found, fact, at);
    match beside {
        Some(beside) => decision.beside(beside),
        None => decision,
    }
}

fn decide_bare(state: &State, found: &Lookup, fact: Fact, at: Instant) -> Decision {
    let case = FactContext::new(state, found, &fact, at);
    match &fact {
        // The PIX was seen before; that it was received is news.
        Fact::PixReceived { receipt, .. } if case.is_under_review(receipt) => {
            case.arrived(receipt.amount)
        }
        // Its coins were gone: they are mined again.
        Fact::Wallet(told) if case.is_mined_again(told) => case.decide(fact),
        // It was seen before; how often it is confirmed by now is news.
        Fact::Sale { news: SaleNews::Seen(deposit), .. } if case.is_confirming(deposit) => {
            case.confirms_further(deposit.clone())
        }
        _ if found.seen.is_some() => known(),
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
            Fact::PixReceived { receipt, .. } => self.received(receipt),
            Fact::PixReturned { return_id, amount, .. } => self.returned(&return_id, amount),
            Fact::ProviderReleased { receipt, .. } => self.released(receipt.as_ref()),
            Fact::ProviderCancelled { .. } => self.charge_moves(charge::Command::Cancel),
            Fact::PayoutSubmitted { .. } => self.payout_moves(payout::Command::Submit),
            Fact::PayoutRefused { .. } => self.payout_moves(payout::Command::Refuse),
            Fact::PayoutUnknown { .. } => self.payout_moves(payout::Command::Lose),
            Fact::PayoutPaid { e2e, amount, .. } => self.paid(&e2e, amount),
            Fact::PayoutReturned { return_id, amount, .. } => self.came_back(&return_id, amount),
            Fact::PayoutEvidence { paid, judgement, .. } => {
                let found_out = match paid {
                    Some(e2e) => self.found_paid(&e2e),
                    None => self.payout_moves(payout::Command::Refuse),
                };
                judged(found_out, judgement)
            }
            Fact::HoldPlaced { account, customer, kind, amount, judgement, .. } => {
                judged(self.hold_placed(&account, customer.is_some(), kind, amount), judgement)
            }
            Fact::HoldReleased { amount, judgement, .. } => {
                judged(self.hold_released(amount), judgement)
            }
            Fact::SuspenseAttached { charge, judgement, .. } => {
                judged(self.suspense_attached(charge), judgement)
            }
            Fact::SuspenseReturned { judgement, .. } => judged(self.suspense_returned(), judgement),
            Fact::FeeAdjusted { given, charged, income, judgement, .. } => {
                judged(self.fee_adjusted(given, charged, income), judgement)
            }
            Fact::BalanceWrittenOff { amount, judgement, .. } => {
                judged(self.written_off(amount), judgement)
            }
            Fact::CatalogueUpdated { listed, dropped } => self.catalogue(listed, dropped),
            Fact::RateQuoted { asset, quote } => self.rate(asset, quote),
            Fact::MarketsUpdated { opened, closed } => self.markets(opened, closed),
            Fact::PayerReviewed { payer, review, judgement } => {
                judged(applied(vec![Event::PayerReviewed { payer, review }]), judgement)
            }
            Fact::PixSeen { receipt, .. } => self.seen(receipt),
            Fact::ProviderSettled { .. } => self.charge_moves(charge::Command::Settle),
            Fact::ProviderHeld { until, .. } => self.charge_moves(charge::Command::Withhold(until)),
            Fact::Delivery { command, receipt, .. } => self.delivery(command, receipt.as_ref()),
            Fact::DeliveryEvidence { sent, judgement, .. } => {
                judged(self.delivery_found_out(sent), judgement)
            }
            Fact::DeliveryGivenUp { to, judgement, .. } => judged(self.given_up(to), judgement),
            Fact::DeliveryResumed { judgement, .. } => judged(self.resumed(), judgement),
            Fact::PayoutStopped { judgement, .. } => {
                judged(self.payout_moves(payout::Command::Stop), judgement)
            }
            Fact::PayoutCleared { judgement, .. } => judged(self.payout_cleared(), judgement),
            Fact::CourtOrdered { hold, amount, judgement, .. } => {
                judged(self.court_ordered(hold, amount), judgement)
            }
            Fact::CoinsMoved { asset, from, to, units } => {
                applied(vec![Event::CoinsMoved { asset, from, to, units }])
            }
            Fact::Wallet(fact) => self.wallet(*fact),
            Fact::StraySettled { end, judgement, .. } => judged(self.stray_settled(end), judgement),
            Fact::Sale { news, .. } => self.sale(news),
            Fact::AgentActivated(newcomer) => self.agent_activated(*newcomer),
            Fact::AgentSuspended { agent, judgement } => {
                judged(self.agent_policed(&agent, agent::Command::Suspend), judgement)
            }
            Fact::AgentReinstated { agent, judgement } => {
                judged(self.agent_policed(&agent, agent::Command::Reinstate), judgement)
            }
            Fact::KeyReplaced { account, key, judgement } => {
                judged(self.key_replaced(&account, key), judgement)
            }
            Fact::KeyRevoked { account, judgement } => {
                judged(self.key_revoked(&account), judgement)
            }
            Fact::TimePassed => applied(vec![Event::TimePassed]),
            Fact::Described { fact, .. } => self.decide(*fact),
        }
    }
}
