//! Facts: never refused, always applied, known or set aside (rulings 1 and 2).

use super::command::Fact;
use super::debit::{self, Back};
use super::decision::{Decision, Outcome};
use super::event::Event;
use super::found::Found;
use super::state::State;
use super::words::{FactKind, Judgement};
use crate::id::{KeyHash, Kind, OpId};
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, agent, charge, payout};
use crate::money::{Amount, Balance};
use crate::terms::{Switch, Terms};
use crate::time::Instant;

pub(super) fn decide(state: &State, found: &Found, fact: Fact, at: Instant) -> Decision {
    let case = Case { state, found, at, kind: fact.kind(), about: fact.about() };
    match &fact {
        // The PIX was seen before; that it was received is news.
        Fact::PixReceived { receipt, .. } if case.is_under_review(receipt) => {
            case.arrived(receipt.amount)
        }
        // Its coins were gone: they are mined again.
        Fact::Wallet(told) if case.is_mined_again(told) => case.decide(fact),
        _ if found.seen.is_some() => known(),
        _ => case.decide(fact),
    }
}

/// Everything a fact is judged with.
pub(super) struct Case<'a> {
    pub(super) state: &'a State,
    pub(super) found: &'a Found,
    pub(super) at: Instant,
    kind: FactKind,
    pub(super) about: Option<OpId>,
}

impl Case<'_> {
    fn decide(&self, fact: Fact) -> Decision {
        match fact {
            Fact::AccountOpened { name, key, terms } => self.account(name, key, terms),
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
            Fact::PayoutStopped { judgement, .. } => {
                judged(self.payout_moves(payout::Command::Stop), judgement)
            }
            Fact::PayoutCleared { judgement, .. } => {
                judged(self.payout_moves(payout::Command::Clear), judgement)
            }
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
        }
    }

    fn account(&self, name: Box<str>, key: KeyHash, terms: Option<Terms>) -> Decision {
        let by_name = self.state.account_named(&name);
        let by_key = self.state.account_of_key(&key);
        match (by_name, by_key) {
            (None, None) if !self.state.knows_key(&key) => {}
            (Some(named), Some(opened)) if named == opened => return known(),
            _ => return self.aside(),
        }
        applied(vec![Event::AccountOpened {
            account: self.state.next_account(),
            name,
            key,
            house: self.state.next_custody(),
            terms: Box::new(terms.unwrap_or_else(Terms::published)),
        }])
    }

    fn terms(&self, account: &str, from: Option<Instant>, terms: Terms) -> Decision {
        match self.state.account_named(account) {
            Some(account) => {
                let from = from.unwrap_or(self.at);
                applied(vec![Event::TermsAdopted { account, from, terms: Box::new(terms) }])
            }
            None => self.aside(),
        }
    }

    fn received(&self, receipt: charge::Receipt) -> Decision {
        let order = self.unplaced(&receipt);
        match self.charge_verdict(charge::Command::Receive(receipt)) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Charge { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(order),
        }
    }

    /// Whether this PIX was seen for the charge it names, and not received yet.
    fn is_under_review(&self, receipt: &charge::Receipt) -> bool {
        matches!(
            self.charge(),
            Some((_, charge::State::UnderReview(arrived))) if arrived.receipt.e2e == receipt.e2e
        )
    }

    /// A PIX that was under review is received: booked, or held where the charge says so.
    fn arrived(&self, amount: Amount) -> Decision {
        let seen = self.charge().and_then(|(_, state)| state.order()).map(|order| order.amount);
        if seen != Some(amount) {
            return self.aside();
        }
        let held = self.charge().and_then(|(_, state)| state.order()?.retention_hours).is_some();
        let settle = charge::Command::Settle;
        self.charge_moves(if held { charge::Command::Withhold(None) } else { settle })
    }

    fn seen(&self, receipt: charge::Receipt) -> Decision {
        let order = self.unplaced(&receipt);
        match self.charge_verdict(charge::Command::See(receipt)) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Charge { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(order),
        }
    }

    fn returned(&self, return_id: &str, amount: Amount) -> Decision {
        let claim = self.suspended(Direction::Out, Float::Collection, return_id, amount);
        let Some((op, charge)) = self.charge() else { return self.to_suspense(claim) };
        if let charge::State::Bought(bought) = charge {
            return self
                .purchase_returned(op, bought, amount)
                .unwrap_or_else(|| self.to_suspense(claim));
        }
        match self.charge_verdict(charge::Command::Return(amount)) {
            Some((_, Verdict::Applied(event))) => match charge {
                charge::State::Paid(paid) => {
                    let back = Back {
                        custody: paid.order.custody,
                        amount,
                        fee: paid.fee_share_of_return(amount),
                        own: Some(paid.held),
                        whole: paid.left() == Balance::from(amount.share()),
                    };
                    applied(debit::of_return(self.state, op, back, event))
                }
                charge::State::Delayed(arrived) | charge::State::UnderReview(arrived)
                    if arrived.left() == Balance::from(amount.share()) =>
                {
                    let custody = arrived.order.custody;
                    applied(debit::of_uncredited(self.state, op, custody, event))
                }
                _ => applied(vec![Event::Charge { op, event }]),
            },
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(claim),
        }
    }

    /// A release that names the PIX implies that it was received (rulings 8).
    fn released(&self, receipt: Option<&charge::Receipt>) -> Decision {
        // A PIX that only this news tells of is booked, whatever becomes of the release.
        let aside = || match (receipt, self.found.pix_seen) {
            (Some(receipt), None) => self.to_suspense(self.unplaced(receipt)),
            _ => self.aside(),
        };
        let Some((op, charge)) = self.charge() else { return aside() };
        let now = self.charge_circumstances(charge);
        let release = |state: &charge::State| {
            charge::decide(state, charge::Command::Release, now).expect("facts are not refused")
        };
        let unpaid = matches!(charge, charge::State::Pending(_) | charge::State::Expired(_));
        if let (true, Some(receipt), None) = (unpaid, receipt, self.found.pix_seen) {
            let command = charge::Command::Receive(receipt.clone());
            let first = charge::decide(charge, command, now).expect("facts are not refused");
            let Verdict::Applied(first @ charge::Event::Delayed { .. }) = first else {
                return aside();
            };
            let delayed = charge::evolve(charge, &first, self.at);
            let Verdict::Applied(then) = release(&delayed) else { return aside() };
            let events = [first, then].map(|event| Event::Charge { op, event });
            return applied(events.into());
        }
        if receipt.is_some() && self.found.pix_seen.is_none() {
            return aside();
        }
        if matches!(charge, charge::State::UnderReview(_)) {
            // A release implies that it was held (rulings 8).
            let first = charge::Event::Withheld { until: self.at };
            let delayed = charge::evolve(charge, &first, self.at);
            let Verdict::Applied(then) = release(&delayed) else { return aside() };
            let events = [first, then].map(|event| Event::Charge { op, event });
            return applied(events.into());
        }
        match release(charge) {
            Verdict::Applied(event) => applied(vec![Event::Charge { op, event }]),
            Verdict::Known => known(),
            Verdict::SetAside => self.aside(),
        }
    }

    /// A PIX received that pays nothing.
    pub(super) fn unplaced(&self, receipt: &charge::Receipt) -> suspense::Order {
        suspense::Order {
            amount: receipt.amount,
            direction: Direction::In,
            float: Float::Collection,
            about: self.about,
            outside: receipt.e2e.clone(),
            paid_at: receipt.paid_at,
        }
    }

    fn charge_moves(&self, command: charge::Command) -> Decision {
        match self.charge_verdict(command) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Charge { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.aside(),
        }
    }

    fn payout_moves(&self, command: payout::Command) -> Decision {
        match self.payout_verdict(command) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Payout { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.aside(),
        }
    }

    fn paid(&self, e2e: &str, amount: Option<Amount>) -> Decision {
        let ordered = self.payout().and_then(|(_, state)| state.order()).map(|order| order.amount);
        let contradicts =
            matches!((ordered, amount), (Some(ordered), Some(paid)) if ordered != paid);
        match self.payout_verdict(payout::Command::Pay(e2e.into())) {
            Some((op, Verdict::Applied(event))) if !contradicts => {
                applied(vec![Event::Payout { op, event }])
            }
            Some((_, Verdict::Known)) => known(),
            Some(_) | None => match amount.or(ordered) {
                Some(amount) => {
                    let claim = self.suspended(Direction::Out, Float::Payout, e2e, amount);
                    self.to_suspense(claim)
                }
                None => self.aside(),
            },
        }
    }

    /// Evidence that a PIX paid this payout; one PIX pays one payout.
    fn found_paid(&self, e2e: &str) -> Decision {
        let paid_by_it = match self.payout() {
            Some((_, payout::State::Completed(paid) | payout::State::Returned(paid))) => {
                *paid.e2e == *e2e
            }
            _ => false,
        };
        if self.found.pix_seen.is_none() || paid_by_it {
            self.paid(e2e, None)
        } else {
            self.aside()
        }
    }

    fn came_back(&self, return_id: &str, amount: Amount) -> Decision {
        match self.payout_verdict(payout::Command::Return(amount)) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Payout { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => {
                self.to_suspense(self.suspended(Direction::In, Float::Payout, return_id, amount))
            }
        }
    }

    pub(super) fn charge(&self) -> Option<(OpId, &charge::State)> {
        let (op, known) = self.found.operation.as_ref()?;
        Some((*op, known.charge()?))
    }

    fn payout(&self) -> Option<(OpId, &payout::State)> {
        let (op, known) = self.found.operation.as_ref()?;
        Some((*op, known.payout()?))
    }

    pub(super) fn suspense(&self) -> Option<(OpId, &suspense::State)> {
        let (op, known) = self.found.operation.as_ref()?;
        Some((*op, known.suspense()?))
    }

    fn charge_verdict(&self, command: charge::Command) -> Option<(OpId, Verdict<charge::Event>)> {
        let (op, state) = self.charge()?;
        let now = self.charge_circumstances(state);
        let verdict = charge::decide(state, command, now).expect("facts are not refused");
        Some((op, verdict))
    }

    pub(super) fn charge_circumstances(&self, state: &charge::State) -> charge::Circumstances {
        let first = state.order().is_some_and(|order| {
            let known = self.state.subaccount(order.custody);
            let house = self.state.account(order.account).map(|account| account.house);
            let deposits = order.purchase.is_none();
            deposits && known.is_some_and(|known| !known.deposited) && house != Some(order.custody)
        });
        charge::Circumstances {
            at: self.at,
            first_deposit: if first { Switch::On } else { Switch::Off },
            range: (Amount::CENTAVO, Amount::CENTAVO),
        }
    }

    fn payout_verdict(&self, command: payout::Command) -> Option<(OpId, Verdict<payout::Event>)> {
        let (op, state) = self.payout()?;
        let source = payout::Source {
            spendable: Balance::ZERO,
            waiting_until: None,
            range: (Amount::CENTAVO, Amount::CENTAVO),
        };
        let verdict = payout::decide(state, command, source).expect("facts are not refused");
        Some((op, verdict))
    }

    pub(super) fn suspended(
        &self,
        direction: Direction,
        float: Float,
        outside: &str,
        amount: Amount,
    ) -> suspense::Order {
        let about = self.about;
        suspense::Order {
            amount,
            direction,
            float,
            about,
            outside: outside.into(),
            paid_at: self.at,
        }
    }

    pub(super) fn to_suspense(&self, order: suspense::Order) -> Decision {
        let op = OpId::new(Kind::Suspense, self.state.seq.next());
        let event = suspense::Event::Received(order);
        let events = vec![Event::Suspense { op, event }];
        Decision { events, outcome: Outcome::SetAside(Some(op)) }
    }

    pub(super) fn aside(&self) -> Decision {
        let events = vec![Event::SetAside { fact: self.kind, about: self.about }];
        Decision { events, outcome: Outcome::SetAside(None) }
    }
}

pub(super) fn applied(events: Vec<Event>) -> Decision {
    Decision { events, outcome: Outcome::Applied(None) }
}

pub(super) const fn known() -> Decision {
    Decision::nothing(Outcome::Known)
}

/// A person's decision is recorded beside what it did.
pub(super) fn judged(mut decision: Decision, judgement: Judgement) -> Decision {
    if !decision.events.is_empty() {
        decision.events.push(Event::Judged(judgement));
    }
    decision
}
