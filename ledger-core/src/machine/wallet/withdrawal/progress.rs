//! Where a crypto withdrawal stands, and which steps that admits.

use std::sync::Arc;

use super::{Event, Order, Sent};
use crate::coin::Units;
use crate::terms::Stablecoin;

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// `reserved`: nothing left the wallet yet.
    Reserved,
    /// `funding`: it is leaving the wallet.
    Funding,
    /// `converting`: USDT becomes what is sent.
    Converting,
    /// `processing`: it is being sent to the address.
    Processing,
}

/// A withdrawal under way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// The terms on which it was requested.
    pub order: Arc<Order>,
    /// How far it came.
    pub stage: Stage,
    /// What is owed to the address, in what is sent; none before it was funded.
    pub flight: Option<Units>,
    /// What was sent, where that is known.
    pub sent: Option<Sent>,
    /// What is left of the reserve at the end.
    pub left: Option<Units>,
}

/// Where the withdrawal stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No withdrawal was requested under this id.
    #[default]
    Absent,
    /// Under way, as its [`Stage`] says.
    UnderWay(Arc<Progress>),
    /// `under_review`: a person must look, and only evidence ends that.
    UnderReview(Arc<Progress>),
    /// `completed`: at least the minimum arrived.
    Completed(Arc<Progress>),
    /// `failed`: nothing left, and the whole reserve went back.
    Failed(Arc<Progress>),
}

impl Progress {
    pub(super) fn has(&self, sent: &Sent) -> bool {
        self.sent.as_ref().is_some_and(|known| known.hash == sent.hash)
    }

    /// The steps until it is funded that were not taken yet.
    pub(super) fn funding_events(&self) -> Vec<Event> {
        let terms = || Box::new(self.order.terms.clone());
        let begun = (self.stage == Stage::Reserved).then_some(Event::Begun);
        let funded = self.flight.is_none().then(|| Event::Funded(terms()));
        begun.into_iter().chain(funded).collect()
    }

    /// That it arrived implies every step before (rulings 8); too little waits for a person.
    pub(super) fn arrival_events(&self, sent: Sent) -> Vec<Event> {
        let terms = &self.order.terms;
        let mut events = self.funding_events();
        let mut flight = self.flight.unwrap_or(terms.amount);
        if terms.coin == Stablecoin::Usdc && self.stage < Stage::Processing {
            let fee = sent.network_fee.or(terms.network_fee).map_or(0, Units::get);
            let least = Units::new(sent.received.get().saturating_add(fee));
            let obtained = least.unwrap_or(terms.amount);
            events.push(Event::Converted { terms: Box::new(terms.clone()), obtained });
            flight = terms.amount.min(obtained);
        }
        events.push(if sent.received < terms.minimum {
            Event::Questioned(Some(sent))
        } else {
            self.completion_event(flight, sent)
        });
        events
    }

    pub(super) fn completion_event(&self, flight: Units, sent: Sent) -> Event {
        Event::Completed { terms: Box::new(self.order.terms.clone()), flight, sent }
    }

    pub(super) fn failure_event(&self) -> Event {
        Event::Failed { terms: Box::new(self.order.terms.clone()), flight: self.flight }
    }

    /// Returns what the wallet paid in the end, in millionths of USDT.
    #[must_use]
    pub fn debited_units(&self) -> Option<Units> {
        self.order.terms.amount.minus(self.left)
    }
}

impl State {
    /// The terms and how far it came, once requested.
    #[must_use]
    pub fn progress(&self) -> Option<&Arc<Progress>> {
        match self {
            Self::Absent => None,
            Self::UnderWay(progress)
            | Self::UnderReview(progress)
            | Self::Completed(progress)
            | Self::Failed(progress) => Some(progress),
        }
    }

    /// Tells whether nothing more happens to it.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Completed(_) | Self::Failed(_))
    }
}
