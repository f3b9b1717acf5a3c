//! Decisions of people about holds, and of services about reservations among them.

use std::sync::Arc;

use crate::id::{Kind, OpId, SubaccountId, Token};
use crate::ledger::archive::Archive;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known, attribute};
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::product::Holder;
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::ledger::record::operator_decision::OperatorDecision;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::machine::hold::{self, Watch};
use crate::machine::{Verdict, charge};
use crate::money::{Amount, Balance, Cents};
use crate::terms::Switch;
use crate::time::Instant;

/// The terms of a block that is placed.
#[derive(Clone, Copy)]
pub(in crate::ledger) struct BlockTerms {
    /// Why it blocks.
    pub(in crate::ledger) kind: hold::Kind,
    /// How much it blocks in the end.
    pub(in crate::ledger) amount: Amount,
    /// How much it takes at once, at most.
    pub(in crate::ledger) most: Cents,
    /// Until when it watches for the rest.
    pub(in crate::ledger) watch_until: Instant,
}

/// Where a capture goes: customers' available money, one of our own accounts, or a product's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The account's name, as a leg of an entry names it.
    pub account: Box<str>,
    /// Whose it is, where customers have one each.
    pub holder: Option<Holder>,
}

facts! {
    /// The reports of people and services about holds.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// An operator blocks money.
        Placed {
            account: Box<str>,
            customer: Option<Box<str>>,
            cause: Option<OpId>,
            kind: hold::Kind,
            amount: Amount,
            decided_by: OperatorDecision,
        } is FactKind::HoldPlaced, about *cause, of Some((account, customer.as_deref()));
        /// An operator lets go: of so much, or of everything.
        Released { hold: Option<OpId>, amount: Option<Amount>, decided_by: OperatorDecision }
            is FactKind::HoldReleased, about *hold;
        /// A service reserves money.
        Reserved {
            account: Box<str>,
            customer: Option<Box<str>>,
            amount: Amount,
            ends_at: Option<Instant>,
            label: Option<Box<str>>,
            note: Option<Token>,
            decided_by: OperatorDecision,
        } is FactKind::ReservationMade, of Some((account, customer.as_deref()));
        /// A service captures a part of what it reserved; of the last, the rest is let go.
        Captured {
            hold: Option<OpId>,
            amount: Amount,
            to: Destination,
            last: Switch,
            note: Option<Token>,
            decided_by: OperatorDecision,
        } is FactKind::ReservationCaptured, about *hold;
    }
}

impl Fact {
    /// The subaccount that a capture goes to, where it is known.
    pub(in crate::ledger) fn holders(
        &self,
        state: &State,
        archive: &impl Archive,
    ) -> Vec<Option<SubaccountId>> {
        match self {
            Self::Captured { to: Destination { holder: Some(holder), .. }, .. } => {
                vec![holder.find(state, archive)]
            }
            _ => Vec::new(),
        }
    }
}

impl FactContext<'_> {
    /// A fact about a hold.
    pub(in crate::ledger) fn decide_hold(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Reserved { amount, ends_at, label, note, decided_by, .. } => {
                let made = self.reservation_made(amount, ends_at, (label, note));
                self.attributed_or_aside(made, decided_by)
            }
            Fact::Captured { amount, to, last, note, decided_by, .. } => {
                let captured = self.reservation_captured((amount, note), &to, last);
                self.attributed_or_aside(captured, decided_by)
            }
            Fact::Placed { account, customer, kind, amount, decided_by, .. } => {
                let asked = BlockTerms {
                    kind,
                    amount,
                    most: amount.as_cents(),
                    watch_until: self.at.after(self.state.policy.shortfall_watch),
                };
                attribute(self.hold_placed((&account, customer.is_some()), asked), decided_by)
            }
            Fact::Released { amount, decided_by, .. } => {
                attribute(self.hold_released(amount), decided_by)
            }
        }
    }
}

impl FactContext<'_> {
    /// A block: on the subaccount named where it names no cause, else on the cause's own, or on
    /// another of the same account that the money went on to (rulings 81).
    pub(in crate::ledger) fn hold_placed(
        &self,
        (account, names_customer): (&str, bool),
        BlockTerms { kind, amount: requested, most, watch_until }: BlockTerms,
    ) -> Decision {
        let charge = self.charge();
        let named = self.lookup.subaccounts[0];
        // What was given up to a customer's custody stands there.
        let bearer = |order: &Arc<charge::Order>| match charge {
            Some((_, charge::State::Bought(bought))) => bought.bearer(),
            _ => order.subaccount,
        };
        let of_cause = charge
            .and_then(|(_, state)| state.order())
            .filter(|order| self.state.account_named(account) == Some(order.account))
            .map(bearer);
        let goes_on =
            kind.follows_money() && charge.is_some_and(|(_, state)| state.credited_to().is_some());
        let subaccount = match self.about {
            None => named,
            Some(_) if !names_customer || named == of_cause => of_cause,
            Some(_) => named.filter(|_| of_cause.is_some() && goes_on),
        };
        let Some(subaccount) = subaccount else { return self.aside(Reason::Unmatched) };
        // Money that was carried to another ledger is blocked there.
        let account = self.state.subaccount(subaccount).map(|known| known.account);
        if account.is_some_and(|account| !self.state.has_balances_of(account)) {
            return self.aside(Reason::OutOfTurn);
        }
        let paid = charge.and_then(|(op, state)| match state {
            // Its held part stands on its own subaccount.
            charge::State::Paid(paid) if paid.order.subaccount == subaccount => Some((op, paid)),
            _ => None,
        });
        let own_part = paid.map_or(Cents::ZERO, |(_, paid)| paid.held).min(most);
        let available = self.state.books.subaccount(subaccount).available.spendable();
        let available = Balance::from(available.min(most.less_or_nothing(own_part)));
        let now = hold::Context { available, own_part, matures: Watch::Over };
        let precaution = self.state.policy.precaution.filter(|_| kind == hold::Kind::Precautionary);
        let ends_at = precaution.map(|span| self.at.after(span));
        let cause = self.about;
        let (note, label) = (None, None);
        let order =
            hold::Order { subaccount, kind, cause, requested, watch_until, ends_at, note, label };
        let placed = hold::decide(&hold::State::Absent, hold::Command::Place(order), now);
        let Verdict::Applied(event) = placed else { return self.aside(Reason::OutOfTurn) };
        let op = OpId::new(Kind::Hold, self.state.seq.next());
        let mut events = Vec::new();
        if let (hold::Event::Placed { from_held, .. }, Some((charge, _))) = (&event, paid)
            && let Some(amount) = from_held.amount()
        {
            let into = charge::Into::Frozen;
            let event = charge::Event::PartTaken { subaccount, amount, into };
            events.push(Event::Charge { op: charge, event });
        }
        events.push(Event::Hold { op, event });
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }

    /// Money goes back to where it came from, unless that has matured since (rulings 26).
    pub(in crate::ledger) fn hold_released(&self, amount: Option<Amount>) -> Decision {
        let named = self.lookup.operation.as_ref();
        let Some((op, state)) = named.and_then(|(op, known)| Some((*op, known.hold()?))) else {
            return self.aside(Reason::Unmatched);
        };
        match let_go(self.state, op, state, amount) {
            Verdict::Applied(events) => accept(events),
            Verdict::Known => already_known(),
            Verdict::SetAside => self.aside(Reason::AmountExceeds),
        }
    }
}

/// Lets go of so much of a hold, or of everything: the part that its cause held goes back there,
/// unless that has matured since (rulings 26).
pub(in crate::ledger) fn let_go(
    ledger: &State,
    op: OpId,
    state: &hold::State,
    amount: Option<Amount>,
) -> Verdict<Vec<Event>> {
    let cause = state.amounts().and_then(|amounts| amounts.order.cause);
    let immature = cause.filter(|cause| match ledger.open(*cause) {
        Some(known) => matches!(
            known.charge(),
            Some(charge::State::Paid(paid)) if paid.settled_at.is_none()
        ),
        None => false,
    });
    let now = hold::Context {
        available: Balance::ZERO,
        own_part: Cents::ZERO,
        matures: if immature.is_some() { Watch::Running } else { Watch::Over },
    };
    match hold::decide(state, hold::Command::Release(amount), now) {
        Verdict::Applied(event) => {
            let mut events = Vec::with_capacity(2);
            if let (hold::Event::Released { subaccount, to_held, .. }, Some(charge)) =
                (&event, immature)
                && let Some(amount) = to_held.amount()
            {
                let event = charge::Event::PartRestored { subaccount: *subaccount, amount };
                events.push(Event::Charge { op: charge, event });
            }
            events.push(Event::Hold { op, event });
            Verdict::Applied(events)
        }
        Verdict::Known => Verdict::Known,
        Verdict::SetAside => Verdict::SetAside,
    }
}
