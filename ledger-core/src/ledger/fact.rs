//! Facts: never refused, always applied, known or set aside (rulings 1 and 2).

use super::aside::SetAsideReason as Reason;
use super::command::Fact;
use super::decision::{Decision, Outcome};
use super::event::Event;
use super::found::Found;
use super::report::EarlyReport;
use super::sale_news::SaleNews;
use super::state::State;
use super::words::{FactKind, Judgement};
use crate::id::{AccountId, KeyHash, OpId};
use crate::machine::suspense::{self, Direction, Float};
use crate::machine::{Verdict, agent, charge, payout};
use crate::money::Amount;
use crate::terms::{Switch, Terms};
use crate::time::Instant;

pub(super) fn decide(state: &State, found: &Found, fact: Fact, at: Instant) -> Decision {
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

fn decide_bare(state: &State, found: &Found, fact: Fact, at: Instant) -> Decision {
    let case = Case { state, found, at, kind: fact.kind(), about: fact.about() };
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

    fn account(&self, name: Box<str>, key: KeyHash, terms: Option<Terms>) -> Decision {
        let by_name = self.state.account_named(&name);
        let by_key = self.state.account_of_key(&key);
        match (by_name, by_key) {
            (None, None) if !self.state.knows_key(&key) => {}
            (Some(named), Some(opened)) if named == opened => return known(),
            _ => return self.aside(Reason::IdTaken),
        }
        applied(self.state.open_account(name, key, terms, self.at))
    }

    /// Terms from an instant on. Terms adopted before a published change outlast it: the change is of
    /// accounts that agreed nothing else (rulings 48 and 49).
    fn terms_from(&self, account: AccountId, from: Instant, terms: Terms) -> Vec<Event> {
        let adopted = |from| Event::TermsAdopted { account, from, terms: Box::new(terms) };
        let schedule = self.state.account(account).map(|known| &known.schedule);
        let change = schedule.and_then(|known| known.beginning(Terms::EFFECTIVE));
        let before = schedule.map(|known| *known.at(from));
        let outlasts = change.is_some_and(|change| {
            from < Terms::EFFECTIVE && (*change == Terms::published() || Some(*change) == before)
        });
        let again = outlasts.then(|| adopted(Terms::EFFECTIVE));
        std::iter::once(adopted(from)).chain(again).collect()
    }

    fn terms(&self, account: &str, from: Option<Instant>, terms: Terms) -> Decision {
        match self.state.account_named(account) {
            Some(account) => applied(self.terms_from(account, from.unwrap_or(self.at), terms)),
            None => self.aside(Reason::Unmatched),
        }
    }

    fn received(&self, receipt: charge::Receipt) -> Decision {
        let (order, unpayable) = (self.unplaced(&receipt), self.unpayable(&receipt));
        match self.charge_verdict(charge::Command::Receive(receipt)) {
            Some((op, Verdict::Applied(event))) => self.arrived_at(op, event),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(order, unpayable),
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
            return self.aside(Reason::AmountDiffers);
        }
        let held = self.charge().and_then(|(_, state)| state.order()?.retention_hours).is_some();
        let settle = charge::Command::Settle;
        self.charge_moves(if held { charge::Command::Withhold(None) } else { settle })
    }

    fn seen(&self, receipt: charge::Receipt) -> Decision {
        let (order, unpayable) = (self.unplaced(&receipt), self.unpayable(&receipt));
        match self.charge_verdict(charge::Command::See(receipt)) {
            Some((op, Verdict::Applied(event))) => self.arrived_at(op, event),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.to_suspense(order, unpayable),
        }
    }

    /// A PIX arrived for the charge named, with what went back of it before.
    fn arrived_at(&self, op: OpId, event: charge::Event) -> Decision {
        let (_, charge) = self.charge().expect("it was just judged");
        applied(self.arrives(op, charge, event))
    }

    fn returned(&self, return_id: &str, amount: Amount) -> Decision {
        let claim = self.suspended(Direction::Out, Float::Collection, return_id, amount);
        let unreturnable = self.unreturnable(amount);
        let Some((op, charge)) = self.charge() else {
            return self.to_suspense(claim, unreturnable);
        };
        match self.return_steps(op, charge, amount) {
            Some(events) => applied(events),
            // Nothing is delivered while money of it may have gone back (rulings 45).
            None => {
                let mut decision = self.to_suspense(claim, unreturnable);
                self.halt(op, charge, &mut decision.events);
                decision
            }
        }
    }

    /// A release that names the PIX implies that it was received (rulings 8).
    fn released(&self, receipt: Option<&charge::Receipt>) -> Decision {
        // A PIX that only this news tells of is booked, whatever becomes of the release.
        let aside = || match (receipt, self.found.pix_seen) {
            (Some(receipt), None) => {
                self.to_suspense(self.unplaced(receipt), self.unpayable(receipt))
            }
            _ => self.aside(self.unreleased()),
        };
        let Some((op, charge)) = self.charge() else { return aside() };
        let unpaid = matches!(charge, charge::State::Pending(_) | charge::State::Expired(_));
        if let (true, Some(receipt), None) = (unpaid, receipt, self.found.pix_seen) {
            let command = charge::Command::Receive(receipt.clone());
            let now = self.charge_circumstances(charge);
            let first = charge::decide(charge, command, now).expect("facts are not refused");
            let Verdict::Applied(first @ charge::Event::Delayed { .. }) = first else {
                return aside();
            };
            return self.released_after(op, charge, self.arrives(op, charge, first));
        }
        if receipt.is_some() && self.found.pix_seen.is_none() {
            return aside();
        }
        if matches!(charge, charge::State::UnderReview(_)) {
            // A release implies that it was held (rulings 8).
            let first = charge::Event::Withheld { until: self.at };
            return self.released_after(op, charge, vec![Event::Charge { op, event: first }]);
        }
        if matches!(charge, charge::State::Delayed(_)) {
            return self.released_after(op, charge, Vec::new());
        }
        let now = self.charge_circumstances(charge);
        let release = charge::decide(charge, charge::Command::Release, now);
        match release.expect("facts are not refused") {
            Verdict::Known => known(),
            Verdict::Applied(_) | Verdict::SetAside => self.aside(self.unreleased()),
        }
    }

    /// A charge is released after these events; with returns that waited, as far as anything is left.
    fn released_after(&self, op: OpId, charge: &charge::State, mut events: Vec<Event>) -> Decision {
        let held = self.charge_after(op, charge, &events);
        self.book_returns(op, held, &mut events);
        applied(self.cleared(op, charge, events, charge::Command::Release))
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
        match self.charge_verdict(command.clone()) {
            Some((op, Verdict::Applied(_))) => {
                let (_, charge) = self.charge().expect("it was just judged");
                let mut events = Vec::new();
                self.book_returns(op, charge.clone(), &mut events);
                applied(self.cleared(op, charge, events, command))
            }
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.aside(self.unreleased()),
        }
    }

    fn payout_moves(&self, command: payout::Command) -> Decision {
        let report = EarlyReport::of_a_payout(&command);
        match self.payout_verdict(command) {
            Some((op, Verdict::Applied(event))) => applied(self.payout_with_early(op, event)),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => self.kept_aside(report, self.unfit()),
        }
    }

    /// A payout that was stopped goes on, unless its agent's mandate has come to stand against it
    /// (rulings 44).
    fn payout_cleared(&self) -> Decision {
        let stopped =
            self.payout().filter(|(_, state)| matches!(state, payout::State::UnderReview(_)));
        let sent = stopped.and_then(|(op, _)| self.state.outgoing(op));
        let admitted = sent.is_none_or(|sent| {
            let bound = self.state.bound(sent.account, (sent.at, self.at), Some(sent));
            bound.is_none_or(|bound| bound.admits(sent.amount, sent.counterparty).is_ok())
        });
        if admitted {
            self.payout_moves(payout::Command::Clear)
        } else {
            self.aside(Reason::AmountExceeds)
        }
    }

    fn paid(&self, e2e: &str, amount: Option<Amount>) -> Decision {
        let ordered = self.payout().and_then(|(_, state)| state.order()).map(|order| order.amount);
        let contradicts =
            matches!((ordered, amount), (Some(ordered), Some(paid)) if ordered != paid);
        match self.payout_verdict(payout::Command::Pay(e2e.into())) {
            Some((op, Verdict::Applied(event))) if !contradicts => {
                applied(self.payout_with_early(op, event))
            }
            Some((_, Verdict::Known)) => known(),
            Some(_) | None => match amount.or(ordered) {
                Some(amount) => {
                    let claim = self.suspended(Direction::Out, Float::Payout, e2e, amount);
                    self.to_suspense(claim, self.unpaid(contradicts))
                }
                None => self.aside(self.unpaid(contradicts)),
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
            self.aside(Reason::IdTaken)
        }
    }

    fn came_back(&self, return_id: &str, amount: Amount) -> Decision {
        match self.payout_verdict(payout::Command::Return(amount)) {
            Some((op, Verdict::Applied(event))) => applied(vec![Event::Payout { op, event }]),
            Some((_, Verdict::Known)) => known(),
            Some((_, Verdict::SetAside)) | None => {
                let came = self.suspended(Direction::In, Float::Payout, return_id, amount);
                self.to_suspense(came, self.not_come_back())
            }
        }
    }

    pub(super) fn charge(&self) -> Option<(OpId, &charge::State)> {
        let (op, known) = self.found.operation.as_ref()?;
        Some((*op, known.charge()?))
    }

    pub(super) const fn kind(&self) -> FactKind {
        self.kind
    }

    pub(super) fn payout(&self) -> Option<(OpId, &payout::State)> {
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
        let verdict =
            payout::decide(state, command, payout::Source::NOTHING).expect("facts are not refused");
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
