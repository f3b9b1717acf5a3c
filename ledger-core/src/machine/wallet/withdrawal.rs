//! Crypto withdrawal: USDT of a wallet sent to an external one, as USDT or USDC.
//!
//! ```text
//! Absent --Request--> Reserved --Begin--> Funding --Fund--> Converting --Convert--> Processing
//!                         |                  |  '--Fund, USDT-------|---------------^    |
//!                         '--------Fail------'---------Fail---------'                    |
//! any of them --Lose--> UnderReview --Find--> where it was, Completed, Failed            |
//! Completed <--Send, at least the minimum------------------------------------------------'
//! ```
//!
//! Part A14; rulings 38; P:WithdrawalTransitions, P:FeeModeDeducted. What is left of the reserve when
//! it is completed goes back to the wallet. Unknown outcomes move by evidence only.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::out_of_usdt;
use crate::accounting::{CoinAccount, Entry};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId};
use crate::machine::Verdict;
use crate::terms::Stablecoin;
use crate::time::Instant;

/// What was quoted, and is withdrawn.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Terms {
    /// Whose wallet.
    #[n(0)]
    pub account: AccountId,
    /// What is sent.
    #[n(1)]
    pub coin: Stablecoin,
    /// Its number.
    #[n(2)]
    pub asset: AssetId,
    /// USDT's number.
    #[n(3)]
    pub usdt: AssetId,
    /// On which network.
    #[n(4)]
    pub chain: ChainId,
    /// The network's name.
    #[n(5)]
    pub network: Box<str>,
    /// The network's name for people.
    #[n(6)]
    pub title: Box<str>,
    /// To which wallet.
    #[n(7)]
    pub address: Box<str>,
    /// What the wallet pays, in millionths of USDT: fees are deducted from it.
    #[n(8)]
    pub amount: Units,
    /// What the network takes of it; none for nothing.
    #[n(9)]
    pub network_fee: Option<Units>,
    /// What the conversion is estimated to take; none for nothing.
    #[n(10)]
    pub conversion_fee: Option<Units>,
    /// What is estimated to arrive.
    #[n(11)]
    pub estimated: Units,
    /// The least that may arrive.
    #[n(12)]
    pub minimum: Units,
}

/// The terms of a withdrawal: fixed when it is requested.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Order {
    /// The quote it was made with.
    #[n(0)]
    pub quote: OpId,
    /// What was quoted.
    #[n(1)]
    pub terms: Terms,
    /// The client's own id.
    #[n(2)]
    pub external_id: Box<str>,
    /// When it was requested.
    #[n(3)]
    pub created_at: Instant,
}

/// What a network says was sent.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Sent {
    /// The transaction.
    #[n(0)]
    pub hash: Box<str>,
    /// What arrived.
    #[n(1)]
    pub received: Units,
    /// What the network took; none for what was quoted.
    #[n(2)]
    pub network_fee: Option<Units>,
}

/// What was found out of a withdrawal, with proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing went wrong: it goes on.
    Resumed,
    /// It arrived, with whatever was sent after.
    Completed(Sent),
    /// Nothing left, and nothing will.
    Failed,
}

/// What someone wants, or what the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Reserve and withdraw.
    Request(Box<Order>),
    /// Funding began.
    Begin,
    /// Funded.
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
    /// Reserved.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// Funding began.
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
    /// It arrived.
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

/// How far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `reserved`
    Reserved,
    /// `funding`
    Funding,
    /// `converting`
    Converting,
    /// `processing`
    Processing,
}

/// A withdrawal under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The terms.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not requested.
    #[default]
    Absent,
    /// Under way.
    UnderWay(Arc<Standing>),
    /// `under_review`
    UnderReview(Arc<Standing>),
    /// `completed`
    Completed(Arc<Standing>),
    /// `failed`
    Failed(Arc<Standing>),
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too little is available.
    FundsInsufficient {
        /// What may be spent, in millionths of USDT.
        available: i128,
    },
    /// The withdrawal exists already.
    OutOfTurn,
}

/// What a command comes to.
pub type Decided = Result<Verdict<Vec<Event>>, Refusal>;

/// Judges `command`; only a request may be refused. `available` is what the wallet may spend.
///
/// # Errors
///
/// The [`Refusal`] of a request.
pub fn decide(state: &State, command: Command, available: i128) -> Decided {
    let verdict = match (state, command) {
        (State::Absent, Command::Request(order)) => {
            if available < order.terms.amount.signed() {
                return Err(Refusal::FundsInsufficient { available });
            }
            Verdict::Applied(vec![Event::Requested(order)])
        }
        (_, Command::Request(_)) => return Err(Refusal::OutOfTurn),
        (State::UnderWay(standing), command) => under_way(standing, command),
        (State::UnderReview(standing), command) => under_review(standing, command),
        (State::Completed(standing), Command::Send(sent)) if standing.has(&sent) => Verdict::Known,
        (State::Completed(standing), Command::Find(Finding::Completed(sent)))
            if standing.has(&sent) =>
        {
            Verdict::Known
        }
        (
            State::Completed(_),
            Command::Begin | Command::Fund | Command::Convert(_) | Command::Lose,
        )
        | (State::Failed(_), Command::Lose | Command::Find(Finding::Failed)) => Verdict::Known,
        (_, _) => Verdict::SetAside,
    };
    Ok(verdict)
}

fn under_way(standing: &Standing, command: Command) -> Verdict<Vec<Event>> {
    let terms = &standing.order.terms;
    match command {
        Command::Begin if standing.stage == Stage::Reserved => Verdict::Applied(vec![Event::Begun]),
        Command::Fund if standing.flight.is_none() => Verdict::Applied(standing.funded()),
        Command::Begin | Command::Fund => Verdict::Known,
        Command::Convert(_) if terms.coin == Stablecoin::Usdt => Verdict::SetAside,
        Command::Convert(obtained) if standing.stage < Stage::Processing => {
            let mut events = standing.funded();
            events.push(Event::Converted { terms: Box::new(terms.clone()), obtained });
            if obtained < terms.least_obtained() {
                events.push(Event::Questioned(None));
            }
            Verdict::Applied(events)
        }
        Command::Convert(_) => Verdict::Known,
        Command::Send(sent) => Verdict::Applied(standing.arrived(sent)),
        Command::Lose => Verdict::Applied(vec![Event::Questioned(None)]),
        Command::Find(Finding::Completed(sent)) if terms.minimum <= sent.received => {
            Verdict::Applied(standing.arrived(sent))
        }
        Command::Find(Finding::Failed) => {
            let doubt = (standing.stage == Stage::Processing).then_some(Event::Questioned(None));
            Verdict::Applied(doubt.into_iter().chain([standing.failed()]).collect())
        }
        Command::Find(Finding::Resumed) => Verdict::Known,
        Command::Find(Finding::Completed(_)) | Command::Request(_) => Verdict::SetAside,
    }
}

fn under_review(standing: &Standing, command: Command) -> Verdict<Vec<Event>> {
    let minimum = standing.order.terms.minimum;
    match (&standing.sent, command) {
        (Some(_), Command::Send(sent)) if standing.has(&sent) => Verdict::Known,
        (None, Command::Send(sent)) => Verdict::Applied(standing.arrived(sent)),
        (_, Command::Find(Finding::Completed(sent))) if minimum <= sent.received => {
            Verdict::Applied(standing.arrived(sent))
        }
        (None, Command::Find(Finding::Resumed)) => Verdict::Applied(vec![Event::Resumed]),
        (None, Command::Find(Finding::Failed)) => Verdict::Applied(vec![standing.failed()]),
        (_, Command::Lose) => Verdict::Known,
        (_, Command::Begin) => Verdict::Known,
        (_, Command::Fund) if standing.flight.is_some() => Verdict::Known,
        (_, _) => Verdict::SetAside,
    }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            order.terms.minimum <= order.terms.estimated
                && order.terms.estimated <= order.terms.amount
        }
        (State::UnderWay(standing), Event::Begun) => standing.stage == Stage::Reserved,
        (State::UnderWay(standing), Event::Funded(terms)) => {
            standing.stage == Stage::Funding && **terms == standing.order.terms
        }
        (State::UnderWay(standing), Event::Converted { terms, .. }) => {
            standing.stage == Stage::Converting && **terms == standing.order.terms
        }
        (State::UnderWay(_), Event::Questioned(_)) => true,
        (State::UnderReview(standing), Event::Questioned(Some(_)) | Event::Resumed) => {
            standing.sent.is_none()
        }
        // What arrived while a person looks implies the steps before.
        (State::UnderReview(standing), Event::Begun) => standing.stage == Stage::Reserved,
        (State::UnderReview(standing), Event::Funded(terms)) => {
            standing.stage == Stage::Funding && **terms == standing.order.terms
        }
        (State::UnderReview(standing), Event::Converted { terms, .. }) => {
            standing.stage == Stage::Converting && **terms == standing.order.terms
        }
        (
            State::UnderWay(standing) | State::UnderReview(standing),
            Event::Completed { terms, flight, sent },
        ) => {
            standing.stage == Stage::Processing
                && **terms == standing.order.terms
                && standing.flight == Some(*flight)
                && terms.minimum <= sent.received
        }
        (State::UnderWay(standing), Event::Failed { .. }) => {
            standing.stage < Stage::Processing && *event == standing.failed()
        }
        (State::UnderReview(standing), Event::Failed { .. }) => {
            standing.sent.is_none() && *event == standing.failed()
        }
        (_, _) => false,
    }
}

/// Remembers `event`.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let known = || state.standing().expect("follows admits it once requested");
    let moved = |stage, flight| {
        let standing = Arc::new(Standing { stage, flight, ..Standing::clone(known()) });
        match state {
            State::UnderReview(_) => State::UnderReview(standing),
            _ => State::UnderWay(standing),
        }
    };
    match event {
        Event::Requested(order) => State::UnderWay(Arc::new(Standing {
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
        Event::Questioned(sent) => State::UnderReview(Arc::new(Standing {
            sent: sent.clone(),
            ..Standing::clone(known())
        })),
        Event::Resumed => State::UnderWay(Arc::clone(known())),
        Event::Completed { terms, flight, sent } => {
            let left = Split::of(terms, *flight, sent).left;
            let sent = Some(sent.clone());
            State::Completed(Arc::new(Standing { sent, left, ..Standing::clone(known()) }))
        }
        Event::Failed { terms, .. } => {
            let left = Some(terms.amount);
            State::Failed(Arc::new(Standing { left, ..Standing::clone(known()) }))
        }
    }
}

/// Accounts for `event` of withdrawal `op`.
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
            let Split { paid, fee, left, excess } = Split::of(terms, *flight, sent);
            let treasury = Treasury(terms.chain);
            let entry = none
                .coins(terms.asset, flight_of, treasury, paid)
                .coins(terms.asset, flight_of, Gas, fee)
                .coins(terms.asset, Loss, treasury, excess);
            let (pair, to) = ((terms.asset, terms.usdt), WalletAvailable(terms.account));
            super::into_usdt(entry, pair, flight_of, to, left)
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

/// What becomes of what was owed to the address, when it arrived.
struct Split {
    paid: Units,
    fee: Option<Units>,
    left: Option<Units>,
    excess: Option<Units>,
}

impl Split {
    /// What arrived, then the network's fee, then what is left for the wallet; what arrived beyond
    /// what was owed is our loss.
    fn of(terms: &Terms, flight: Units, sent: &Sent) -> Self {
        let paid = sent.received.min(flight);
        let rest = flight.minus(Some(paid));
        let asked = sent.network_fee.or(terms.network_fee);
        let fee = rest.zip(asked).map(|(rest, asked)| rest.min(asked));
        let left = rest.and_then(|rest| rest.minus(fee));
        Self { paid, fee, left, excess: sent.received.minus(Some(flight)) }
    }
}

impl Terms {
    /// The least that a conversion must give: the minimum and the network's fee.
    fn least_obtained(&self) -> Units {
        let fee = self.network_fee.map_or(0, Units::get);
        Units::new(self.minimum.get() + fee).expect("both are far below the most units")
    }
}

impl Standing {
    fn has(&self, sent: &Sent) -> bool {
        self.sent.as_ref().is_some_and(|known| known.hash == sent.hash)
    }

    /// The steps until it is funded that were not taken yet.
    fn funded(&self) -> Vec<Event> {
        let terms = || Box::new(self.order.terms.clone());
        let begun = (self.stage == Stage::Reserved).then_some(Event::Begun);
        let funded = self.flight.is_none().then(|| Event::Funded(terms()));
        begun.into_iter().chain(funded).collect()
    }

    /// That it arrived implies every step before (rulings 8); too little waits for a person.
    fn arrived(&self, sent: Sent) -> Vec<Event> {
        let terms = &self.order.terms;
        let mut events = self.funded();
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
            Event::Completed { terms: Box::new(terms.clone()), flight, sent }
        });
        events
    }

    fn failed(&self) -> Event {
        Event::Failed { terms: Box::new(self.order.terms.clone()), flight: self.flight }
    }

    /// What the wallet paid in the end, in millionths of USDT.
    #[must_use]
    pub fn debited(&self) -> Option<Units> {
        self.order.terms.amount.minus(self.left)
    }
}

impl State {
    /// The terms and how far it came, once requested.
    #[must_use]
    pub fn standing(&self) -> Option<&Arc<Standing>> {
        match self {
            Self::Absent => None,
            Self::UnderWay(standing)
            | Self::UnderReview(standing)
            | Self::Completed(standing)
            | Self::Failed(standing) => Some(standing),
        }
    }

    /// Whether nothing more happens to it.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self, Self::Completed(_) | Self::Failed(_))
    }
}
