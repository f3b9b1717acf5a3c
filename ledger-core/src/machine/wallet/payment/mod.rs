//! Wallet payment: a PIX paid with USDT of a wallet, through an order of its own.
//!
//! ```text
//! Absent --Requested--> Reserved --Order--> Ordered --Accept--> Accepted --Begin--> Sending
//! Sending --Send--> Sent --Pay--> Completed
//! Reserved, Ordered, Accepted, Sending --Fail--> Failed
//! Sent --Fail--> FailedAfterSend
//! Sending, Sent --Lose--> UnderReview --Find--> Sent, Completed, Failed, FailedAfterSend
//! FailedAfterSend --Resolve, once--> (the same, its reserve returned or consumed)
//! FailedAfterSend, its coins given up as lost --Confirm, Find--> (the same, its coins recovered)
//! ```
//!
//! Part A13; rulings 35; P:PaymentTransitions, P:PostFinalResolution, P:CostAboveReserve. The
//! reserve stays whole until the payment is completed, has failed or is resolved; until then only
//! own assets move. The order that pays the PIX posts nothing but the confirmation of what was sent
//! to it. [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`]
//! accounts.

mod entries;
mod progress;
mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

pub use entries::entry;
pub use progress::{Progress, Stage, State};
pub use terms::{
    Adjudication, Bearer, Cost, FailureReason, Finding, Order, Reserve, Resolution, Whereabouts,
};

use crate::coin::{Units, mul_div};
use crate::id::{AssetId, ChainId, OpId};
use crate::machine::cash_out::Pix;
use crate::machine::{Verdict, state_machine};
use crate::terms::Switch;

/// What the world reports, or a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The order exists, at this cost.
    Order(OpId, Cost),
    /// The order was accepted.
    Accept,
    /// The sending began.
    Begin,
    /// It was sent: in this transaction, and so much more than the order costs.
    Send(Box<str>, Option<Units>),
    /// The network confirmed it.
    Confirm,
    /// The PIX was paid.
    Pay(Pix),
    /// It definitely failed.
    Fail(FailureReason),
    /// Nobody knows how it stands.
    Lose,
    /// Somebody found out.
    Find(Finding),
    /// An operator decides what becomes of a reserve.
    Resolve(Adjudication),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Requested: what it may cost moved to `wal.reserved`.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// The order exists.
    #[n(1)]
    Ordered {
        /// The cash-out order that pays the PIX.
        #[n(0)]
        cashout: OpId,
        /// At which cost.
        #[n(1)]
        cost: Cost,
    },
    /// The order was accepted.
    #[n(2)]
    Accepted,
    /// The sending began.
    #[n(3)]
    Begun,
    /// Sent: our own coins are on their way.
    #[n(4)]
    Sent {
        /// The number of USDT in this ledger.
        #[n(0)]
        usdt: AssetId,
        /// On which network.
        #[n(1)]
        chain: ChainId,
        /// What the order costs.
        #[n(2)]
        units: Units,
        /// What left beyond that, which is ours to bear.
        #[n(3)]
        excess: Option<Units>,
        /// In which transaction.
        #[n(4)]
        hash: Box<str>,
    },
    /// The network confirmed it; the order books it.
    #[n(5)]
    Confirmed,
    /// A person must look.
    #[n(6)]
    Questioned,
    /// It was sent after all, or goes on.
    #[n(7)]
    Resumed,
    /// The PIX was paid: what it cost is taken, and the rest of the reserve goes back.
    #[n(8)]
    Completed {
        /// What was reserved for whom.
        #[n(0)]
        reserve: Reserve,
        /// What the order cost.
        #[n(1)]
        cost: Cost,
        /// The PIX that paid the recipient.
        #[n(2)]
        pix: Pix,
    },
    /// Not executed: the reserve went back.
    #[n(9)]
    Failed {
        /// What was reserved for whom.
        #[n(0)]
        reserve: Reserve,
        /// Why it was not executed.
        #[n(1)]
        reason: FailureReason,
    },
    /// Failed after it was sent: the reserve stays until an operator decides.
    #[n(10)]
    FailedAfterSend(#[n(0)] FailureReason),
    /// An operator decided.
    #[n(11)]
    Resolved {
        /// What was reserved for whom.
        #[n(0)]
        reserve: Reserve,
        /// What the order cost.
        #[n(1)]
        cost: Cost,
        /// What becomes of the reserve.
        #[n(2)]
        resolution: Resolution,
    },
    /// Coins that were given up as lost are there after all; the client's are put down as found.
    #[n(12)]
    Recovered {
        /// The number of USDT in this ledger.
        #[n(0)]
        usdt: AssetId,
        /// On which network.
        #[n(1)]
        chain: ChainId,
        /// What the order cost.
        #[n(2)]
        units: Units,
        /// Who bore the loss.
        #[n(3)]
        bearer: Bearer,
    },
}

/// Returns what a payment of so much reserves: up to 1% more, and where that is not available, all
/// that is (P:ReserveBuffer); none where not even the cost is covered.
#[must_use]
pub fn reserve(total: Units, available: i128, strict: Switch) -> Option<Units> {
    let buffered = Units::new(mul_div(total.get(), 101, 100)?)?;
    if buffered.to_i128() <= available {
        return Some(buffered);
    }
    let covered = !strict.is_on() && total.to_i128() <= available;
    if covered { u128::try_from(available).ok().and_then(Units::new) } else { None }
}

/// Judges what the world reports, or an operator decides.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Vec<Event>> {
    match state {
        State::Known(progress) => decide_report(progress, command),
        State::Absent => Verdict::SetAside,
    }
}

fn decide_report(progress: &Progress, command: Command) -> Verdict<Vec<Event>> {
    let one = |event| Verdict::Applied(vec![event]);
    match (progress.stage, command) {
        (Stage::Reserved, Command::Order(cashout, cost)) if progress.covers(cost) => {
            one(Event::Ordered { cashout, cost })
        }
        (Stage::Reserved, Command::Order(..)) => one(progress.failure_event(FailureReason::Cost)),
        (Stage::Ordered, Command::Accept) => one(Event::Accepted),
        (Stage::Accepted, Command::Begin) => one(Event::Begun),
        // What was sent is evidence of itself, under review too.
        (Stage::Accepted | Stage::Sending | Stage::UnderReview, Command::Send(hash, excess))
            if progress.sent.is_none() =>
        {
            let begun = (progress.stage == Stage::Accepted).then_some(Event::Begun);
            let sent = progress.sent_event(hash, excess);
            let doubt = excess.map(|_| Event::Questioned);
            Verdict::Applied(begun.into_iter().chain(sent).chain(doubt).collect())
        }
        (_, Command::Send(hash, _)) if progress.sent.as_ref() == Some(&hash) => Verdict::Known,
        (stage, Command::Order(..) | Command::Accept | Command::Begin)
            if Stage::Sending <= stage && progress.cashout.is_some() =>
        {
            Verdict::Known
        }
        (Stage::Accepted, Command::Order(..) | Command::Accept)
        | (Stage::Ordered, Command::Order(..)) => Verdict::Known,
        (_, Command::Confirm) if progress.sent.is_none() => Verdict::SetAside,
        (_, Command::Confirm) if progress.confirmed.is_on() => Verdict::Known,
        // What was given up as lost is there after all; reported again, that is known.
        (_, Command::Confirm) if progress.given_up().is_some() => progress.recover(),
        (_, Command::Confirm) => one(Event::Confirmed),
        // What was paid is evidence of itself.
        (Stage::Sent | Stage::UnderReview, Command::Pay(pix)) if progress.sent.is_some() => {
            Verdict::Applied(progress.completion_events(pix))
        }
        (Stage::Completed, Command::Pay(pix)) if progress.paid_by(&pix) => Verdict::Known,
        (stage, Command::Fail(reason)) if stage < Stage::Sent => {
            one(progress.failure_event(reason))
        }
        (Stage::Sent, Command::Fail(reason)) => one(Event::FailedAfterSend(reason)),
        (Stage::Failed | Stage::FailedAfterSend, Command::Fail(_)) => Verdict::Known,
        (Stage::Sending | Stage::Sent, Command::Lose) => one(Event::Questioned),
        (stage, Command::Lose) if Stage::UnderReview <= stage => Verdict::Known,
        (Stage::UnderReview, Command::Find(finding)) => progress.decide_finding(finding),
        (_, Command::Find(Finding::Sent(hash))) if progress.sent.as_ref() == Some(&hash) => {
            progress.recover()
        }
        (Stage::FailedAfterSend, Command::Resolve(decision)) => progress.resolve(decision),
        (_, _) => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    let progress = match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            let total = order.fee.map_or(0, Units::get) + order.estimate.get();
            return total <= order.reserved.get();
        }
        (State::Absent, _) => return false,
        (State::Known(progress), _) => progress,
    };
    let reserve = progress.reserve();
    let cost = progress.cashout.map(|(_, cost)| cost);
    match (progress.stage, event) {
        (Stage::Reserved, Event::Ordered { cost, .. }) => progress.covers(*cost),
        (Stage::Ordered, Event::Accepted) | (Stage::Accepted, Event::Begun) => true,
        (Stage::Sending | Stage::UnderReview, Event::Sent { usdt, chain, units, .. }) => {
            progress.sent.is_none()
                && (*usdt, *chain) == (reserve.usdt, reserve.chain)
                && cost.is_some_and(|cost| cost.units == *units)
        }
        (_, Event::Confirmed) => {
            let awaited = progress.sent.is_some() && progress.given_up().is_none();
            awaited && !progress.confirmed.is_on()
        }
        (Stage::FailedAfterSend, Event::Recovered { usdt, chain, units, bearer }) => {
            let there = (*usdt, *chain) == (reserve.usdt, reserve.chain);
            let fits = there && cost.is_some_and(|cost| cost.units == *units);
            fits && !progress.recovered.is_on() && progress.given_up() == Some(*bearer)
        }
        (Stage::Sending | Stage::Sent, Event::Questioned) => true,
        (Stage::UnderReview, Event::Resumed) => progress.sent.is_some(),
        (Stage::Sent | Stage::UnderReview, Event::Completed { reserve: taken, cost: paid, .. }) => {
            progress.confirmed.is_on() && *taken == reserve && cost == Some(*paid)
        }
        (reached, Event::Failed { reserve: back, .. }) if reached < Stage::Sent => *back == reserve,
        (Stage::UnderReview, Event::Failed { reserve: back, .. }) => {
            progress.sent.is_none() && *back == reserve
        }
        (Stage::Sent | Stage::UnderReview, Event::FailedAfterSend(_)) => progress.sent.is_some(),
        (Stage::FailedAfterSend, Event::Resolved { reserve: taken, cost: paid, resolution }) => {
            let fits = match resolution {
                Resolution::Returned(None) => true,
                Resolution::Paid(_) => progress.confirmed.is_on(),
                Resolution::Returned(Some(at)) | Resolution::Lost(at) => {
                    *at == progress.whereabouts()
                }
            };
            fits && progress.resolution.is_none() && *taken == reserve && cost == Some(*paid)
        }
        (_, _) => false,
    }
}

/// Remembers `event`: returns what `state` becomes by it.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let mut after = match (state, event) {
        (_, Event::Requested(order)) => Progress {
            order: Arc::new(Order::clone(order)),
            stage: Stage::Reserved,
            cashout: None,
            sent: None,
            confirmed: Switch::Off,
            pix: None,
            reason: None,
            resolution: None,
            recovered: Switch::Off,
        },
        (State::Known(progress), _) => Progress::clone(progress),
        (State::Absent, _) => unreachable!("follows admits nothing else on what is absent"),
    };
    match event {
        Event::Requested(_) => {}
        Event::Ordered { cashout, cost } => {
            after.stage = Stage::Ordered;
            after.cashout = Some((*cashout, *cost));
        }
        Event::Accepted => after.stage = Stage::Accepted,
        Event::Begun => after.stage = Stage::Sending,
        Event::Sent { hash, .. } => {
            after.stage = Stage::Sent;
            after.sent = Some(hash.clone());
        }
        Event::Confirmed => after.confirmed = Switch::On,
        Event::Questioned => after.stage = Stage::UnderReview,
        Event::Resumed => after.stage = Stage::Sent,
        Event::Completed { pix, .. } => {
            after.stage = Stage::Completed;
            after.pix = Some(pix.clone());
        }
        Event::Failed { reason, .. } => {
            after.stage = Stage::Failed;
            after.reason = Some(*reason);
        }
        Event::FailedAfterSend(reason) => {
            after.stage = Stage::FailedAfterSend;
            after.reason = Some(*reason);
        }
        Event::Resolved { resolution, .. } => after.resolution = Some(resolution.clone()),
        Event::Recovered { .. } => after.recovered = Switch::On,
    }
    State::Known(Arc::new(after))
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command);
    evolve: |state, event, _| evolve(state, event);
    entry: |_, event| entry(event);
    account: |state| state.progress().map(|progress| progress.order.account);
}
