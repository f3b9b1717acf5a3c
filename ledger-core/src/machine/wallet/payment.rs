//! Wallet payment: a PIX paid with USDT of a wallet, through an order of its own.
//!
//! ```text
//! Absent --Request--> Reserved --Order--> Ordered --Accept--> Accepted --Begin--> Sending --Send--> Sent --Pay--> Completed
//!                        '-----------Fail----'--------Fail--------'-------Fail-------'                |  |
//!                                        Failed <-------------------------------------'               |  |
//! Sending, Sent --Lose--> UnderReview --Find--> Sent, Completed, Failed, FailedAfterSend <---Fail-----'  |
//! FailedAfterSend --Resolve, once--> (the same, its reserve returned or consumed)
//! ```
//!
//! Part A13; rulings 35; P:PaymentTransitions, P:PostFinalResolution, P:CostAboveReserve. The reserve
//! stays whole until the payment is completed, has failed or is resolved; until then only own assets
//! move. The order that pays the PIX posts nothing but the confirmation of what was sent to it.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use crate::accounting::{Account, CoinAccount, Entry};
use crate::coin::{Units, mul_div};
use crate::id::{AccountId, AssetId, ChainId, OpId};
use crate::machine::Verdict;
use crate::machine::cash_out::{Asked, Payee, Pix};
use crate::money::Amount;
use crate::terms::{Deal, Switch};
use crate::time::Instant;

/// The terms of a payment: fixed when it is requested.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Order {
    /// Whose wallet.
    #[n(0)]
    pub account: AccountId,
    /// USDT's number.
    #[n(1)]
    pub usdt: AssetId,
    /// The network on which the order is funded.
    #[n(2)]
    pub chain: ChainId,
    /// A key and an amount, or a code.
    #[n(3)]
    pub asked: Asked,
    /// What the recipient receives, in centavos.
    #[n(4)]
    pub net: Amount,
    /// Who is paid.
    #[n(5)]
    pub payee: Payee,
    /// What the order was estimated to cost, in millionths of USDT.
    #[n(6)]
    pub estimate: Units,
    /// What the network takes; none for nothing.
    #[n(7)]
    pub fee: Option<Units>,
    /// What is reserved.
    #[n(8)]
    pub reserved: Units,
    /// The quote it was made with, if it was.
    #[n(9)]
    pub quote: Option<OpId>,
    /// The client's own id.
    #[n(10)]
    pub external_id: Option<Box<str>>,
    /// When it was requested.
    #[n(11)]
    pub created_at: Instant,
}

/// What the order costs: the crypto, and how its reais are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Cost {
    /// In millionths of USDT: `usdt_order`.
    #[n(0)]
    pub units: Units,
    /// In reais.
    #[n(1)]
    pub deal: Deal,
}

/// Why a payment failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Why {
    /// It would have cost more than was reserved (P:CostAboveReserve), or was no longer sold.
    #[n(0)]
    Cost,
    /// The provider or the network failed.
    #[n(1)]
    Provider,
    /// The PIX key was refused.
    #[n(2)]
    Key,
    /// The recipient may not have so much today.
    #[n(3)]
    Ceiling,
}

/// Where coins that were sent stand in the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Whereabouts {
    /// `transit`: not confirmed.
    #[n(0)]
    Transit,
    /// `treas`: confirmed.
    #[n(1)]
    Treasury,
}

/// What becomes of the reserve of a payment that failed after it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Resolution {
    /// All of it goes back; coins that are lost are our loss.
    #[n(0)]
    Returned(#[n(0)] Option<Whereabouts>),
    /// The PIX is proven paid: as if it had been completed.
    #[n(1)]
    Paid(#[n(0)] Pix),
    /// The coins are proven lost, on the client's account.
    #[n(2)]
    Lost(#[n(0)] Whereabouts),
}

/// What was found out of a payment under review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It was sent, in this transaction.
    Sent(Box<str>),
    /// It was paid.
    Paid(Pix),
    /// Nothing left, and nothing will; or the order failed after it was sent.
    Failed,
}

/// What someone wants, or what the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Reserve and pay.
    Request(Box<Order>),
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
    Fail(Why),
    /// Nobody knows how it stands.
    Lose,
    /// Somebody found out.
    Find(Finding),
    /// An operator decides what becomes of a reserve.
    Resolve(Adjudication),
}

/// An operator's decision on a reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// It goes back; the coins are lost or not.
    Return(Switch),
    /// It is consumed: the PIX was paid.
    Paid(Pix),
    /// It is consumed: the coins are lost.
    Lost,
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Reserved.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// The order exists.
    #[n(1)]
    Ordered {
        /// Which.
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
        /// USDT's number.
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
        /// The PIX.
        #[n(2)]
        pix: Pix,
    },
    /// Not executed: the reserve went back.
    #[n(9)]
    Failed {
        /// What was reserved for whom.
        #[n(0)]
        reserve: Reserve,
        /// Why.
        #[n(1)]
        why: Why,
    },
    /// Failed after it was sent: the reserve stays until an operator decides.
    #[n(10)]
    FailedAfterSend(#[n(0)] Why),
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
}

/// What is reserved for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Reserve {
    /// Whose wallet.
    #[n(0)]
    pub account: AccountId,
    /// USDT's number.
    #[n(1)]
    pub usdt: AssetId,
    /// The network on which the order is funded.
    #[n(2)]
    pub chain: ChainId,
    /// What is reserved.
    #[n(3)]
    pub units: Units,
    /// What the network takes; none for nothing.
    #[n(4)]
    pub fee: Option<Units>,
}

/// How far a payment got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `reservado`
    Reserved,
    /// `ordem_criada`
    Ordered,
    /// `aceita`
    Accepted,
    /// `sacando`
    Sending,
    /// `enviado`
    Sent,
    /// `revisao`
    UnderReview,
    /// `concluido`
    Completed,
    /// `falhou`
    Failed,
    /// `falhou_apos_envio`
    FailedAfterSend,
}

/// Where the payment stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not requested.
    #[default]
    Absent,
    /// Requested, and whatever came of it.
    Known(Arc<Standing>),
}

/// A payment with all that came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The terms.
    pub order: Arc<Order>,
    /// How far it got.
    pub stage: Stage,
    /// The order that pays the PIX, and what it costs.
    pub cashout: Option<(OpId, Cost)>,
    /// The transaction that funded it.
    pub sent: Option<Box<str>>,
    /// Whether the network confirmed that.
    pub confirmed: Switch,
    /// The PIX that was paid.
    pub pix: Option<Pix>,
    /// Why it failed.
    pub why: Option<Why>,
    /// What became of a reserve that an operator decided on.
    pub resolution: Option<Resolution>,
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too little is available.
    FundsInsufficient {
        /// What may be spent, in millionths of USDT.
        available: i128,
    },
    /// The payment exists already.
    OutOfTurn,
}

/// What a payment of so much reserves: up to 1% more, and where that is not available, all that is
/// (P:ReserveBuffer); none where not even the cost is covered.
#[must_use]
pub fn reserve(total: Units, available: i128, strict: Switch) -> Option<Units> {
    let buffered = Units::new(mul_div(total.get(), 101, 100)?)?;
    if buffered.signed() <= available {
        return Some(buffered);
    }
    let covered = !strict.is_on() && total.signed() <= available;
    if covered { u128::try_from(available).ok().and_then(Units::new) } else { None }
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
            if available < order.reserved.signed() {
                return Err(Refusal::FundsInsufficient { available });
            }
            Verdict::Applied(vec![Event::Requested(order)])
        }
        (_, Command::Request(_)) => return Err(Refusal::OutOfTurn),
        (State::Known(standing), command) => told(standing, command),
        (State::Absent, _) => Verdict::SetAside,
    };
    Ok(verdict)
}

fn told(standing: &Standing, command: Command) -> Verdict<Vec<Event>> {
    let one = |event| Verdict::Applied(vec![event]);
    match (standing.stage, command) {
        (Stage::Reserved, Command::Order(cashout, cost)) if standing.covers(cost) => {
            one(Event::Ordered { cashout, cost })
        }
        (Stage::Reserved, Command::Order(..)) => one(standing.failed(Why::Cost)),
        (Stage::Ordered, Command::Accept) => one(Event::Accepted),
        (Stage::Accepted, Command::Begin) => one(Event::Begun),
        (Stage::Accepted | Stage::Sending, Command::Send(hash, excess)) => {
            let begun = (standing.stage == Stage::Accepted).then_some(Event::Begun);
            let sent = standing.sent(hash, excess);
            let doubt = excess.map(|_| Event::Questioned);
            Verdict::Applied(begun.into_iter().chain(sent).chain(doubt).collect())
        }
        (
            Stage::Sent | Stage::UnderReview | Stage::Completed | Stage::FailedAfterSend,
            Command::Send(hash, _),
        ) if standing.sent.as_ref() == Some(&hash) => Verdict::Known,
        (stage, Command::Order(..) | Command::Accept | Command::Begin)
            if Stage::Sending <= stage && standing.cashout.is_some() =>
        {
            Verdict::Known
        }
        (Stage::Accepted, Command::Order(..) | Command::Accept)
        | (Stage::Ordered, Command::Order(..)) => Verdict::Known,
        (_, Command::Confirm) if standing.sent.is_none() => Verdict::SetAside,
        (_, Command::Confirm) if standing.confirmed.is_on() => Verdict::Known,
        (_, Command::Confirm) => one(Event::Confirmed),
        // What was paid is evidence of itself.
        (Stage::Sent | Stage::UnderReview, Command::Pay(pix)) if standing.sent.is_some() => {
            Verdict::Applied(standing.completed(pix))
        }
        (Stage::Completed, Command::Pay(pix)) if standing.paid_by(&pix) => Verdict::Known,
        (stage, Command::Fail(why)) if stage < Stage::Sent => one(standing.failed(why)),
        (Stage::Sent, Command::Fail(why)) => one(Event::FailedAfterSend(why)),
        (Stage::Failed | Stage::FailedAfterSend, Command::Fail(_)) => Verdict::Known,
        (Stage::Sending | Stage::Sent, Command::Lose) => one(Event::Questioned),
        (stage, Command::Lose) if Stage::UnderReview <= stage => Verdict::Known,
        (Stage::UnderReview, Command::Find(finding)) => standing.found(finding),
        (Stage::FailedAfterSend, Command::Resolve(decision)) => standing.resolved(decision),
        (_, _) => Verdict::SetAside,
    }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    let standing = match (state, event) {
        (State::Absent, Event::Requested(order)) => {
            let total = order.fee.map_or(0, Units::get) + order.estimate.get();
            return total <= order.reserved.get();
        }
        (State::Absent, _) => return false,
        (State::Known(standing), _) => standing,
    };
    let reserve = standing.reserve();
    let cost = standing.cashout.map(|(_, cost)| cost);
    match (standing.stage, event) {
        (Stage::Reserved, Event::Ordered { cost, .. }) => standing.covers(*cost),
        (Stage::Ordered, Event::Accepted) | (Stage::Accepted, Event::Begun) => true,
        (Stage::Sending | Stage::UnderReview, Event::Sent { usdt, chain, units, .. }) => {
            standing.sent.is_none()
                && (*usdt, *chain) == (reserve.usdt, reserve.chain)
                && cost.is_some_and(|cost| cost.units == *units)
        }
        (_, Event::Confirmed) => standing.sent.is_some() && !standing.confirmed.is_on(),
        (Stage::Sending | Stage::Sent, Event::Questioned) => true,
        (Stage::UnderReview, Event::Resumed) => standing.sent.is_some(),
        (Stage::Sent | Stage::UnderReview, Event::Completed { reserve: taken, cost: paid, .. }) => {
            standing.confirmed.is_on() && *taken == reserve && cost == Some(*paid)
        }
        (reached, Event::Failed { reserve: back, .. }) if reached < Stage::Sent => *back == reserve,
        (Stage::UnderReview, Event::Failed { reserve: back, .. }) => {
            standing.sent.is_none() && *back == reserve
        }
        (Stage::Sent | Stage::UnderReview, Event::FailedAfterSend(_)) => standing.sent.is_some(),
        (Stage::FailedAfterSend, Event::Resolved { reserve: taken, cost: paid, resolution }) => {
            let fits = match resolution {
                Resolution::Returned(None) => true,
                Resolution::Paid(_) => standing.confirmed.is_on(),
                Resolution::Returned(Some(at)) | Resolution::Lost(at) => {
                    *at == standing.whereabouts()
                }
            };
            fits && standing.resolution.is_none() && *taken == reserve && cost == Some(*paid)
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
    let mut after = match (state, event) {
        (_, Event::Requested(order)) => Standing {
            order: Arc::new(Order::clone(order)),
            stage: Stage::Reserved,
            cashout: None,
            sent: None,
            confirmed: Switch::Off,
            pix: None,
            why: None,
            resolution: None,
        },
        (State::Known(standing), _) => Standing::clone(standing),
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
        Event::Failed { why, .. } => {
            after.stage = Stage::Failed;
            after.why = Some(*why);
        }
        Event::FailedAfterSend(why) => {
            after.stage = Stage::FailedAfterSend;
            after.why = Some(*why);
        }
        Event::Resolved { resolution, .. } => after.resolution = Some(resolution.clone()),
    }
    State::Known(Arc::new(after))
}

/// Accounts for `event` (rulings 35).
#[must_use]
pub fn entry(event: &Event) -> Entry {
    use CoinAccount::{Loss, Slippage, Transit, Treasury, WalletAvailable, WalletReserved};
    match event {
        Event::Ordered { .. }
        | Event::Accepted
        | Event::Begun
        | Event::Confirmed
        | Event::Questioned
        | Event::Resumed
        | Event::FailedAfterSend(_) => Entry::NONE,
        Event::Requested(order) => {
            let (from, to) = (WalletAvailable(order.account), WalletReserved(order.account));
            Entry::NONE.coins(order.usdt, from, to, order.reserved)
        }
        Event::Sent { usdt, chain, units, excess, .. } => Entry::NONE
            .coins(*usdt, Transit(*chain), Treasury(*chain), *units)
            .coins(*usdt, Slippage, Treasury(*chain), *excess),
        Event::Completed { reserve, cost, .. }
        | Event::Resolved { reserve, cost, resolution: Resolution::Paid(_) } => {
            completed(*reserve, *cost)
        }
        Event::Failed { reserve, .. } => reserve.returned(Entry::NONE),
        Event::Resolved { reserve, cost, resolution: Resolution::Returned(lost) } => {
            let entry = reserve.returned(Entry::NONE);
            let from = lost.map(|at| at.account(reserve.chain));
            match from {
                Some(from) => entry.coins(reserve.usdt, Loss, from, cost.units),
                None => entry,
            }
        }
        Event::Resolved { reserve, cost, resolution: Resolution::Lost(at) } => {
            reserve.consumed(at.account(reserve.chain), *cost)
        }
    }
}

/// One entry closes the reserve: what the order cost, the network's fee, and what is left.
fn completed(reserve: Reserve, cost: Cost) -> Entry {
    let Deal { net, fees, reserve: kept, residue } = cost.deal;
    reserve
        .consumed(CoinAccount::Fx, cost)
        .principal(Account::Fx, Account::ProviderPay, net)
        .fee(Account::Fx, Account::SaleIncome, fees.house)
        .fee(Account::Fx, Account::Commission(reserve.account), fees.partner)
        .fee(Account::Fx, Account::ReserveIncome, kept)
        .fee(Account::Fx, Account::Rounding, residue)
}

impl Reserve {
    fn returned(self, entry: Entry) -> Entry {
        let (from, to) = (self.bucket(), CoinAccount::WalletAvailable(self.account));
        entry.coins(self.usdt, from, to, self.units)
    }

    fn consumed(self, to: CoinAccount, cost: Cost) -> Entry {
        let available = CoinAccount::WalletAvailable(self.account);
        Entry::NONE
            .coins(self.usdt, self.bucket(), to, cost.units)
            .coins(self.usdt, self.bucket(), CoinAccount::Gas, self.fee)
            .coins(self.usdt, self.bucket(), available, self.left(cost))
    }

    fn left(self, cost: Cost) -> Option<Units> {
        self.units.minus(Some(cost.units)).and_then(|rest| rest.minus(self.fee))
    }

    const fn bucket(self) -> CoinAccount {
        CoinAccount::WalletReserved(self.account)
    }
}

impl Whereabouts {
    const fn account(self, chain: ChainId) -> CoinAccount {
        match self {
            Self::Transit => CoinAccount::Transit(chain),
            Self::Treasury => CoinAccount::Treasury(chain),
        }
    }
}

impl Standing {
    /// What is reserved for whom.
    #[must_use]
    pub fn reserve(&self) -> Reserve {
        let Order { account, usdt, chain, reserved, fee, .. } = *self.order;
        Reserve { account, usdt, chain, units: reserved, fee }
    }

    /// Whether the reserve covers this cost and the network's fee.
    fn covers(&self, cost: Cost) -> bool {
        let total = cost.units.get() + self.order.fee.map_or(0, Units::get);
        total <= self.order.reserved.get()
    }

    /// Whether the reserve is still one: nothing was taken of it or went back.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        match self.stage {
            Stage::Completed | Stage::Failed => false,
            Stage::FailedAfterSend => self.resolution.is_none(),
            _ => true,
        }
    }

    /// Where coins that were sent stand.
    fn whereabouts(&self) -> Whereabouts {
        if self.confirmed.is_on() { Whereabouts::Treasury } else { Whereabouts::Transit }
    }

    /// What the client paid in the end, in millionths of USDT; none before that is settled.
    #[must_use]
    pub fn debited(&self) -> Option<Units> {
        let (_, cost) = self.cashout?;
        let consumed = match &self.resolution {
            Some(Resolution::Paid(_) | Resolution::Lost(_)) => true,
            Some(Resolution::Returned(_)) | None => self.stage == Stage::Completed,
        };
        let left = self.reserve().left(cost);
        consumed.then(|| self.order.reserved.minus(left)).flatten()
    }

    fn paid_by(&self, pix: &Pix) -> bool {
        self.pix.as_ref().is_some_and(|known| known.e2e == pix.e2e)
    }

    fn failed(&self, why: Why) -> Event {
        Event::Failed { reserve: self.reserve(), why }
    }

    fn sent(&self, hash: Box<str>, excess: Option<Units>) -> Option<Event> {
        let (_, cost) = self.cashout?;
        let Order { usdt, chain, .. } = *self.order;
        Some(Event::Sent { usdt, chain, units: cost.units, excess, hash })
    }

    /// That the PIX was paid implies that what funded it arrived (rulings 8).
    fn completed(&self, pix: Pix) -> Vec<Event> {
        let confirmed = (!self.confirmed.is_on()).then_some(Event::Confirmed);
        let done =
            self.cashout.map(|(_, cost)| Event::Completed { reserve: self.reserve(), cost, pix });
        confirmed.into_iter().chain(done).collect()
    }

    /// Evidence of a payment under review.
    fn found(&self, finding: Finding) -> Verdict<Vec<Event>> {
        match (finding, &self.sent) {
            (Finding::Sent(hash), None) => {
                Verdict::Applied(self.sent(hash, None).into_iter().collect())
            }
            (Finding::Sent(hash), Some(known)) if *known == hash => {
                Verdict::Applied(vec![Event::Resumed])
            }
            (Finding::Paid(pix), Some(_)) => Verdict::Applied(self.completed(pix)),
            (Finding::Failed, None) => Verdict::Applied(vec![self.failed(Why::Provider)]),
            (Finding::Failed, Some(_)) => {
                Verdict::Applied(vec![Event::FailedAfterSend(Why::Provider)])
            }
            (Finding::Sent(_), Some(_)) | (Finding::Paid(_), None) => Verdict::SetAside,
        }
    }

    /// An operator's decision on the reserve, once (P:PostFinalResolution).
    fn resolved(&self, decision: Adjudication) -> Verdict<Vec<Event>> {
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
    pub const fn standing(&self) -> Option<&Arc<Standing>> {
        match self {
            Self::Absent => None,
            Self::Known(standing) => Some(standing),
        }
    }

    /// Whether its reserve is settled.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.standing().is_some_and(|standing| !standing.is_reserved())
    }
}
