//! Where a wallet payment stands, and which steps that admits.

use std::sync::Arc;

use super::{
    Adjudication, Bearer, Cost, Event, FailureReason, Finding, Order, Reserve, Resolution,
    Whereabouts,
};
use crate::coin::Units;
use crate::id::OpId;
use crate::machine::Verdict;
use crate::machine::cash_out::Pix;
use crate::terms::Switch;

/// How far a payment got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// `reservado`: what it may cost is reserved.
    Reserved,
    /// `ordem_criada`: the cash-out order exists.
    Ordered,
    /// `aceita`: that order was accepted.
    Accepted,
    /// `sacando`: sending the coins to it began.
    Sending,
    /// `enviado`: they are in a transaction.
    Sent,
    /// `revisao`: a person must look, and only evidence ends that.
    UnderReview,
    /// `concluido`: the PIX was paid.
    Completed,
    /// `falhou`: not executed, and the reserve went back.
    Failed,
    /// `falhou_apos_envio`: the reserve stays until an operator decides.
    FailedAfterSend,
}

/// Where the payment stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No payment was requested under this id.
    #[default]
    Absent,
    /// Requested, and whatever came of it.
    Known(Arc<Progress>),
}

/// A payment with all that came of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// The terms on which it was requested.
    pub order: Arc<Order>,
    /// How far it got.
    pub stage: Stage,
    /// The order that pays the PIX, and what it costs.
    pub cashout: Option<(OpId, Cost)>,
    /// The transaction that funded it.
    pub sent: Option<Box<str>>,
    /// Tells whether the network confirmed that.
    pub confirmed: Switch,
    /// The PIX that was paid.
    pub pix: Option<Pix>,
    /// Why it failed.
    pub reason: Option<FailureReason>,
    /// What became of a reserve that an operator decided on.
    pub resolution: Option<Resolution>,
    /// Tells whether coins that were given up as lost are there after all.
    pub recovered: Switch,
}

impl Progress {
    /// Returns what is reserved for whom.
    #[must_use]
    pub fn reserve(&self) -> Reserve {
        let Order { account, usdt, chain, reserved, fee, .. } = *self.order;
        Reserve { account, usdt, chain, units: reserved, fee }
    }

    /// Tells whether the reserve covers this cost and the network's fee.
    pub(super) fn covers(&self, cost: Cost) -> bool {
        let total = cost.units.get() + self.order.fee.map_or(0, Units::get);
        total <= self.order.reserved.get()
    }

    /// Tells whether the reserve is still one: nothing was taken of it or went back.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        match self.stage {
            Stage::Completed | Stage::Failed => false,
            Stage::FailedAfterSend => self.resolution.is_none(),
            _ => true,
        }
    }

    /// Where coins that were sent stand.
    pub(super) fn whereabouts(&self) -> Whereabouts {
        if self.confirmed.is_on() { Whereabouts::Treasury } else { Whereabouts::Transit }
    }

    /// Returns what the client paid in the end, in millionths of USDT; none before that is settled.
    #[must_use]
    pub fn debited_units(&self) -> Option<Units> {
        let (_, cost) = self.cashout?;
        let consumed = match &self.resolution {
            Some(Resolution::Paid(_) | Resolution::Lost(_)) => true,
            Some(Resolution::Returned(_)) | None => self.stage == Stage::Completed,
        };
        let left = self.reserve().units_left(cost);
        consumed.then(|| self.order.reserved.minus(left)).flatten()
    }

    /// The PIX that was paid, or that an operator saw proven after the payment had failed.
    #[must_use]
    pub fn proven_pix(&self) -> Option<&Pix> {
        match &self.resolution {
            Some(Resolution::Paid(pix)) => Some(pix),
            Some(Resolution::Returned(_) | Resolution::Lost(_)) | None => self.pix.as_ref(),
        }
    }

    /// Returns what of the reserve went back to the client; none before that is settled.
    #[must_use]
    pub fn given_back(&self) -> Option<u128> {
        let reserved = self.order.reserved.get();
        match (self.stage, &self.resolution) {
            (Stage::Failed, _) | (_, Some(Resolution::Returned(_))) => Some(reserved),
            _ => self.debited_units().and_then(|debited| reserved.checked_sub(debited.get())),
        }
    }

    pub(super) fn paid_by(&self, pix: &Pix) -> bool {
        self.pix.as_ref().is_some_and(|known| known.e2e == pix.e2e)
    }

    pub(super) fn failure_event(&self, reason: FailureReason) -> Event {
        Event::Failed { reserve: self.reserve(), reason }
    }

    pub(super) fn sent_event(&self, hash: Box<str>, excess: Option<Units>) -> Option<Event> {
        let (_, cost) = self.cashout?;
        let Order { usdt, chain, .. } = *self.order;
        Some(Event::Sent { usdt, chain, units: cost.units, excess, hash })
    }

    /// That the PIX was paid implies that what funded it arrived (rulings 8).
    pub(super) fn completion_events(&self, pix: Pix) -> Vec<Event> {
        let confirmed = (!self.confirmed.is_on()).then_some(Event::Confirmed);
        let done =
            self.cashout.map(|(_, cost)| Event::Completed { reserve: self.reserve(), cost, pix });
        confirmed.into_iter().chain(done).collect()
    }

    /// Evidence of a payment under review.
    pub(super) fn decide_finding(&self, finding: Finding) -> Verdict<Vec<Event>> {
        match (finding, &self.sent) {
            (Finding::Sent(hash), None) => {
                Verdict::Applied(self.sent_event(hash, None).into_iter().collect())
            }
            (Finding::Sent(hash), Some(known)) if *known == hash => {
                Verdict::Applied(vec![Event::Resumed])
            }
            (Finding::Paid(pix), Some(_)) => Verdict::Applied(self.completion_events(pix)),
            (Finding::Failed, None) => {
                Verdict::Applied(vec![self.failure_event(FailureReason::Provider)])
            }
            (Finding::Failed, Some(_)) => {
                Verdict::Applied(vec![Event::FailedAfterSend(FailureReason::Provider)])
            }
            (Finding::Sent(_), Some(_)) | (Finding::Paid(_), None) => Verdict::SetAside,
        }
    }

    /// Who bears the loss of coins that were given up; none where they were not.
    #[must_use]
    pub fn given_up(&self) -> Option<Bearer> {
        match self.resolution.as_ref()? {
            Resolution::Returned(None) | Resolution::Paid(_) => None,
            Resolution::Returned(Some(_)) => Some(Bearer::House),
            Resolution::Lost(_) => Some(Bearer::Client),
        }
    }

    /// Coins are there: new, where they were given up, and only once.
    pub(super) fn recover(&self) -> Verdict<Vec<Event>> {
        let lost = self.given_up().filter(|_| !self.recovered.is_on());
        let (Some(bearer), Some((_, cost))) = (lost, self.cashout) else { return Verdict::Known };
        let Order { usdt, chain, .. } = *self.order;
        Verdict::Applied(vec![Event::Recovered { usdt, chain, units: cost.units, bearer }])
    }

    /// An operator's decision on the reserve, once (P:PostFinalResolution).
    pub(super) fn resolve(&self, decision: Adjudication) -> Verdict<Vec<Event>> {
        let (None, Some((_, cost))) = (&self.resolution, self.cashout) else {
            return Verdict::SetAside;
        };
        let at = self.whereabouts();
        let (arrived, resolution) = match decision {
            Adjudication::Return(lost) => (false, Resolution::Returned(lost.is_on().then_some(at))),
            Adjudication::Paid(pix) => (!self.confirmed.is_on(), Resolution::Paid(pix)),
            Adjudication::Lost => (false, Resolution::Lost(at)),
        };
        let confirmed = arrived.then_some(Event::Confirmed);
        let resolved = Event::Resolved { reserve: self.reserve(), cost, resolution };
        Verdict::Applied(confirmed.into_iter().chain([resolved]).collect())
    }
}

impl State {
    /// The payment with all that came of it, once requested.
    #[must_use]
    pub const fn progress(&self) -> Option<&Arc<Progress>> {
        match self {
            Self::Absent => None,
            Self::Known(progress) => Some(progress),
        }
    }

    /// Tells whether its reserve is settled.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.progress().is_some_and(|progress| !progress.is_reserved())
    }
}
