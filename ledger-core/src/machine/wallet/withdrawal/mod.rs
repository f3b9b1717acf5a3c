//! Crypto withdrawal: USDT of a wallet sent to an external one, as USDT or USDC.
//!
//! ```text
//! Absent --Requested--> Reserved --Begin--> Funding --Fund--> Converting --Convert--> Processing
//!                                             '--Fund, without conversion--> Processing
//! any of them --Lose--> UnderReview --Find--> where it was, Completed, Failed
//! Processing --Send, at least the minimum--> Completed
//! any of them --Find, that nothing left--> Failed
//! ```
//!
//! Part A14; rulings 38; P:WithdrawalTransitions, P:FeeModeDeducted. What is left of the reserve
//! when it is completed goes back to the wallet. Unknown outcomes move by evidence only. [`decide`]
//! judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

mod progress;
mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::OpId;
use crate::machine::wallet::{into_usdt, out_of_usdt};
use crate::machine::{Verdict, state_machine};
use crate::terms::Stablecoin;

pub use progress::{Progress, Stage, State};
pub use terms::{Finding, Order, Sent, Terms};

/// What the world reports, or a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The coins began to leave the wallet.
    Begin,
    /// They left, and are owed to the address.
    Fund,
    /// Converted into so much.
    Convert(Units),
    /// Sent, and confirmed by the network.
    Send(Sent),
    /// Nobody knows how it stands.
    Lose,
    /// Somebody found out.
    Find(Finding),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Requested: the amount moved to `wal.reserved`.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// Funding began, which posts nothing.
    #[n(1)]
    Begun,
    /// It left the wallet, and is owed to the address.
    #[n(2)]
    Funded(#[n(0)] Box<Terms>),
    /// Converted: what was lost on the way is no longer owed.
    #[n(3)]
    Converted {
        /// What is withdrawn.
        #[n(0)]
        terms: Box<Terms>,
        /// What it gave.
        #[n(1)]
        obtained: Units,
    },
    /// A person must look: nobody knows how it stands, or too little arrived.
    #[n(4)]
    Questioned(#[n(0)] Option<Sent>),
    /// It goes on.
    #[n(5)]
    Resumed,
    /// It arrived, and what is left of the reserve went back.
    #[n(6)]
    Completed {
        /// What is withdrawn.
        #[n(0)]
        terms: Box<Terms>,
        /// What was owed to the address.
        #[n(1)]
        flight: Units,
        /// What was sent.
        #[n(2)]
        sent: Sent,
    },
    /// Nothing left: the whole reserve went back.
    #[n(7)]
    Failed {
        /// What is withdrawn.
        #[n(0)]
        terms: Box<Terms>,
        /// What was owed to the address; none before it was funded.
        #[n(1)]
        flight: Option<Units>,
    },
}

/// Judges what the world reports, or an operator finds out.
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Vec<Event>> {
    match (state, command) {
        (State::UnderWay(progress), command) => under_way(progress, command),
        (State::UnderReview(progress), command) => under_review(progress, command),
        (State::Completed(progress), Command::Send(sent)) if progress.has(&sent) => Verdict::Known,
        (State::Completed(progress), Command::Find(Finding::Completed(sent)))
            if progress.has(&sent) =>
        {
            Verdict::Known
        }
        (
            State::Completed(_),
            Command::Begin | Command::Fund | Command::Convert(_) | Command::Lose,
        )
        | (State::Failed(_), Command::Lose | Command::Find(Finding::Failed)) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

fn under_way(progress: &Progress, command: Command) -> Verdict<Vec<Event>> {
    let terms = &progress.order.terms;
    match command {
        Command::Begin if progress.stage == Stage::Reserved => Verdict::Applied(vec![Event::Begun]),
        Command::Fund if progress.flight.is_none() => Verdict::Applied(progress.funding_events()),
        Command::Begin | Command::Fund => Verdict::Known,
        Command::Convert(_) if terms.coin == Stablecoin::Usdt => Verdict::SetAside,
        Command::Convert(obtained) if progress.stage < Stage::Processing => {
            let mut events = progress.funding_events();
            events.push(Event::Converted { terms: Box::new(terms.clone()), obtained });
            if obtained < terms.least_obtained() {
                events.push(Event::Questioned(None));
            }
            Verdict::Applied(events)
        }
        Command::Convert(_) => Verdict::Known,
        // Too little that arrived waits for a person, whoever reports it.
        Command::Send(sent) | Command::Find(Finding::Completed(sent)) => {
            Verdict::Applied(progress.arrival_events(sent))
        }
        Command::Lose => Verdict::Applied(vec![Event::Questioned(None)]),
        Command::Find(Finding::Failed) => {
            let doubt = (progress.stage == Stage::Processing).then_some(Event::Questioned(None));
            Verdict::Applied(doubt.into_iter().chain([progress.failure_event()]).collect())
        }
        Command::Find(Finding::Resumed) => Verdict::Known,
    }
}

fn under_review(progress: &Progress, command: Command) -> Verdict<Vec<Event>> {
    let minimum = progress.order.terms.minimum;
    match (&progress.sent, command) {
        (None, Command::Send(sent) | Command::Find(Finding::Completed(sent))) => {
            Verdict::Applied(progress.arrival_events(sent))
        }
        (_, Command::Find(Finding::Completed(sent))) if minimum <= sent.received => {
            Verdict::Applied(progress.arrival_events(sent))
        }
        // A person takes what arrived for all that will: the rest goes back.
        (Some(_), Command::Find(Finding::Completed(sent))) if progress.has(&sent) => {
            let flight = progress.flight.unwrap_or(progress.order.terms.amount);
            Verdict::Applied(vec![progress.completion_event(flight, sent)])
        }
        (_, Command::Send(sent)) if progress.has(&sent) => Verdict::Known,
        (None, Command::Find(Finding::Resumed)) => Verdict::Applied(vec![Event::Resumed]),
        (None, Command::Find(Finding::Failed)) => Verdict::Applied(vec![progress.failure_event()]),
        (_, Command::Lose) => Verdict::Known,
        (_, Command::Begin) => Verdict::Known,
        (_, Command::Fund) if progress.flight.is_some() => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            order.terms.minimum <= order.terms.estimated
                && order.terms.estimated <= order.terms.amount
        }
        (State::UnderWay(progress), Event::Begun) => progress.stage == Stage::Reserved,
        (State::UnderWay(progress), Event::Funded(terms)) => {
            progress.stage == Stage::Funding && **terms == progress.order.terms
        }
        (State::UnderWay(progress), Event::Converted { terms, .. }) => {
            progress.stage == Stage::Converting && **terms == progress.order.terms
        }
        (State::UnderWay(_), Event::Questioned(_)) => true,
        (State::UnderReview(progress), Event::Questioned(Some(_)) | Event::Resumed) => {
            progress.sent.is_none()
        }
        // What arrived while a person looks implies the steps before.
        (State::UnderReview(progress), Event::Begun) => progress.stage == Stage::Reserved,
        (State::UnderReview(progress), Event::Funded(terms)) => {
            progress.stage == Stage::Funding && **terms == progress.order.terms
        }
        (State::UnderReview(progress), Event::Converted { terms, .. }) => {
            progress.stage == Stage::Converting && **terms == progress.order.terms
        }
        (
            State::UnderWay(progress) | State::UnderReview(progress),
            Event::Completed { terms, flight, sent },
        ) => {
            progress.stage == Stage::Processing
                && **terms == progress.order.terms
                && progress.flight == Some(*flight)
                && (terms.minimum <= sent.received || progress.has(sent))
        }
        (State::UnderWay(progress), Event::Failed { .. }) => {
            progress.stage < Stage::Processing && *event == progress.failure_event()
        }
        (State::UnderReview(progress), Event::Failed { .. }) => {
            progress.sent.is_none() && *event == progress.failure_event()
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
    let known = || state.progress().expect("follows admits it once requested");
    let moved = |stage, flight| {
        let progress = Arc::new(Progress { stage, flight, ..Progress::clone(known()) });
        match state {
            State::UnderReview(_) => State::UnderReview(progress),
            _ => State::UnderWay(progress),
        }
    };
    match event {
        Event::Requested(order) => State::UnderWay(Arc::new(Progress {
            order: Arc::new(Order::clone(order)),
            stage: Stage::Reserved,
            flight: None,
            sent: None,
            left: None,
        })),
        Event::Begun => moved(Stage::Funding, None),
        Event::Funded(terms) => match terms.coin {
            Stablecoin::Usdt => moved(Stage::Processing, Some(terms.amount)),
            Stablecoin::Usdc => moved(Stage::Converting, Some(terms.amount)),
        },
        Event::Converted { terms, obtained } => {
            moved(Stage::Processing, Some(terms.amount.min(*obtained)))
        }
        Event::Questioned(sent) => State::UnderReview(Arc::new(Progress {
            sent: sent.clone(),
            ..Progress::clone(known())
        })),
        Event::Resumed => State::UnderWay(Arc::clone(known())),
        Event::Completed { terms, flight, sent } => {
            let left = Split::new(terms, *flight, sent).left;
            let sent = Some(sent.clone());
            State::Completed(Arc::new(Progress { sent, left, ..Progress::clone(known()) }))
        }
        Event::Failed { terms, .. } => {
            let left = Some(terms.amount);
            State::Failed(Arc::new(Progress { left, ..Progress::clone(known()) }))
        }
    }
}

/// Accounts for `event` of withdrawal `op`: Part A14, a row an event; rulings 38.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    use CoinAccount::{Fx, Gas, Loss, Treasury, WalletAvailable, WalletReserved};
    let flight_of = CoinAccount::WithdrawalInFlight(op);
    let none = Entry::NONE;
    match event {
        Event::Begun | Event::Questioned(_) | Event::Resumed => none,
        Event::Requested(order) => {
            let Terms { account, usdt, amount, .. } = order.terms;
            none.coins(usdt, WalletAvailable(account), WalletReserved(account), amount)
        }
        Event::Funded(terms) => {
            let from = WalletReserved(terms.account);
            out_of_usdt(none, (terms.asset, terms.usdt), from, flight_of, terms.amount)
        }
        Event::Converted { terms, obtained } => {
            none.coins(terms.asset, flight_of, Fx, terms.amount.minus(Some(*obtained)))
        }
        Event::Completed { terms, flight, sent } => {
            let Split { paid, fee, left, excess } = Split::new(terms, *flight, sent);
            let treasury = Treasury(terms.chain);
            let entry = none
                .coins(terms.asset, flight_of, treasury, paid)
                .coins(terms.asset, flight_of, Gas, fee)
                .coins(terms.asset, Loss, treasury, excess);
            let (pair, to) = ((terms.asset, terms.usdt), WalletAvailable(terms.account));
            into_usdt(entry, pair, flight_of, to, left)
        }
        Event::Failed { terms, flight: None } => {
            let Terms { account, usdt, amount, .. } = **terms;
            none.coins(usdt, WalletReserved(account), WalletAvailable(account), amount)
        }
        Event::Failed { terms, flight: Some(flight) } => {
            let Terms { account, usdt, amount, asset, .. } = **terms;
            if asset == usdt {
                return none.coins(usdt, flight_of, WalletAvailable(account), *flight);
            }
            let entry = none.coins(asset, flight_of, Fx, *flight);
            entry.coins(usdt, Fx, WalletAvailable(account), amount)
        }
    }
}

/// The split of the sum owed to the address, once it arrived.
struct Split {
    paid: Units,
    fee: Option<Units>,
    left: Option<Units>,
    excess: Option<Units>,
}

impl Split {
    /// Splits a sum into the part that arrived, the network's fee, and the rest for the wallet; an
    /// arrival beyond the sum is our loss.
    fn new(terms: &Terms, flight: Units, sent: &Sent) -> Self {
        let paid = sent.received.min(flight);
        let rest = flight.minus(Some(paid));
        let asked = sent.network_fee.or(terms.network_fee);
        let fee = rest.zip(asked).map(|(rest, asked)| rest.min(asked));
        let left = rest.and_then(|rest| rest.minus(fee));
        Self { paid, fee, left, excess: sent.received.minus(Some(flight)) }
    }
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command);
    evolve: |state, event, _| evolve(state, event);
    entry: |op, event| entry(op, event);
    account: |state| state.progress().map(|progress| progress.order.terms.account);
}
