//! Charge: a PIX collected into a custody balance (`destino: saldo`).
//!
//! ```text
//! Absent --Request--> Pending --Receive--> Paid ----Return----> Refunded
//!                      |  |  '--Receive--> Delayed --Release--> Paid
//!                      |  '----Cancel----> Failed    '-Return-> Refunded
//!                      '-------Expire----> Expired --Receive--> Paid, Delayed
//! ```
//!
//! Parts A1 and A4; CIN-24 to CIN-73 for custody; rulings 13, 21 to 23, 27.
//! What was credited may stand in the held bucket until it matures; a hold or a forced debit may
//! take that part before.
//! [`decide`] judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::Verdict;
use crate::accounting::{Account, Entry};
use crate::id::{AccountId, CustodyId, OpId, Token};
use crate::money::{Amount, Share};
use crate::terms::{Rate, Release, Switch};
use crate::time::{Instant, Span};

/// The terms of a charge: fixed when requested.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Order {
    /// Whose.
    #[n(0)]
    pub account: AccountId,
    /// The subaccount credited when it is paid.
    #[n(1)]
    pub custody: CustodyId,
    /// What the QR asks for, in centavos; only exactly this pays it (CIN-28).
    #[n(2)]
    pub amount: Amount,
    /// The deposit fee, as in force at creation (P:FeeTiming).
    #[n(3)]
    pub fee: Rate,
    /// How many hours the provider holds it, if it does: `held`, `held_hours` (CIN-25).
    #[n(4)]
    pub retention_hours: Option<u16>,
    /// When the credit becomes available, if the provider does not hold it.
    #[n(5)]
    pub release: Release,
    /// How long a first deposit blocks withdrawals, in hours.
    #[n(6)]
    pub waiting_hours: u16,
    /// When it was created.
    #[n(7)]
    pub created_at: Instant,
    /// The last instant at which it can be paid (CIN-24).
    #[n(8)]
    pub expires_at: Instant,
    /// The payer's CPF or CNPJ.
    #[n(9)]
    pub payer: Token,
    /// The payer's name, if given.
    #[n(10)]
    pub payer_name: Option<Token>,
    /// Whether retention was allowed: `allow_hold`.
    #[n(11)]
    pub allow_hold: Switch,
    /// Asset, chain and wallet as requested or defaulted; they do not matter to custody (CIN-22).
    #[n(12)]
    pub delivery: Delivery,
    /// What the payer scans.
    #[n(13)]
    pub qr: Qr,
    /// The client's own id.
    #[n(14)]
    pub external_id: Option<Box<str>>,
}

/// Where crypto would go; echoed on custody charges.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Delivery {
    /// The asset.
    #[n(0)]
    pub asset: Box<str>,
    /// The network.
    #[n(1)]
    pub chain: Box<str>,
    /// The wallet, if one was given.
    #[n(2)]
    pub address: Option<Box<str>>,
}

/// The QR code, supplied by the provider (rulings 39).
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Qr {
    /// The copy-and-paste code.
    #[n(0)]
    pub copypaste: Box<str>,
    /// Its picture, when the provider offers one.
    #[n(1)]
    pub image_url: Option<Box<str>>,
}

/// A PIX that paid the charge.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Receipt {
    /// The end-to-end id.
    #[n(0)]
    pub e2e: Box<str>,
    /// What was paid, in centavos.
    #[n(1)]
    pub amount: Amount,
    /// When the payer paid, by the provider's clock (rulings 13).
    #[n(2)]
    pub paid_at: Instant,
}

/// Where a credited PIX stood before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Origin {
    /// Just received by the provider.
    #[n(0)]
    Provider,
    /// In flight, because the provider held it.
    #[n(1)]
    Flight,
    /// In suspense, until an operator attached it.
    #[n(2)]
    Suspense,
}

/// Where a held part goes when it is taken before it matures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Into {
    /// To available, for a forced debit (rulings 23).
    #[n(0)]
    Available,
    /// To frozen, for a block (rulings 26).
    #[n(1)]
    Frozen,
}

/// A credit booked to the subaccount; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Credit {
    /// The subaccount.
    #[n(0)]
    pub custody: CustodyId,
    /// Where the money stood before.
    #[n(1)]
    pub origin: Origin,
    /// What was received and not returned before, in centavos.
    #[n(2)]
    pub gross: Amount,
    /// The deposit fee: never more than the gross (rulings 22).
    #[n(3)]
    pub fee: Share,
    /// When it becomes available; none when at once.
    #[n(4)]
    pub available_at: Option<Instant>,
    /// When the waiting period it starts ends; none when it starts none.
    #[n(5)]
    pub waiting_until: Option<Instant>,
    /// When it was booked.
    #[n(6)]
    pub booked_at: Instant,
}

/// What someone wants, or what the world reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Issue the charge.
    Request(Order),
    /// A PIX arrived for it.
    Receive(Receipt),
    /// An operator attached a PIX from suspense.
    Attach(Receipt),
    /// The provider released what it held.
    Release,
    /// The provider cancelled it, or failed, before payment.
    Cancel,
    /// Its deadline passed.
    Expire,
    /// Its credit's day came.
    Mature,
    /// So much of it went back to the payer.
    Return(Amount),
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Issued.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// Not paid in time.
    #[n(1)]
    Expired,
    /// Cancelled before payment.
    #[n(2)]
    Failed,
    /// Paid, and held at the provider.
    #[n(3)]
    Delayed {
        /// The PIX.
        #[n(0)]
        receipt: Receipt,
        /// When the provider means to release it.
        #[n(1)]
        until: Instant,
    },
    /// Paid and booked to the subaccount.
    #[n(4)]
    Credited {
        /// The PIX.
        #[n(0)]
        receipt: Receipt,
        /// What was booked.
        #[n(1)]
        credit: Credit,
    },
    /// The held part became available; zero when nothing was left of it.
    #[n(5)]
    Matured {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much.
        #[n(1)]
        amount: Share,
    },
    /// Part of the held credit was taken before it matured.
    #[n(6)]
    PartTaken {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much.
        #[n(1)]
        amount: Amount,
        /// To where.
        #[n(2)]
        into: Into,
    },
    /// A block gave back what it had taken of the held credit.
    #[n(7)]
    PartRestored {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much.
        #[n(1)]
        amount: Amount,
    },
    /// Went back to the payer before it was credited.
    #[n(8)]
    ReturnedUncredited {
        /// How much.
        #[n(0)]
        amount: Amount,
    },
    /// Went back to the payer after it was credited: a forced debit (rulings 21).
    #[n(9)]
    Returned {
        /// The subaccount.
        #[n(0)]
        custody: CustodyId,
        /// How much went back.
        #[n(1)]
        amount: Amount,
        /// How much of it reverses the deposit fee (rulings 22).
        #[n(2)]
        fee: Share,
    },
}

/// Where the charge stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not issued.
    #[default]
    Absent,
    /// Issued, not paid.
    Pending(Arc<Order>),
    /// Not paid in time.
    Expired(Arc<Order>),
    /// Cancelled before payment.
    Failed(Arc<Order>),
    /// Paid, held at the provider.
    Delayed(Arc<Delayed>),
    /// Paid and booked.
    Paid(Arc<Paid>),
    /// Returned to the payer, the whole of it.
    Refunded(Arc<Refunded>),
}

/// A charge held at the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delayed {
    /// The terms.
    pub order: Arc<Order>,
    /// The PIX.
    pub receipt: Receipt,
    /// When the provider means to release it.
    pub until: Instant,
    /// What went back already.
    pub returned: Share,
}

/// A charge booked to its subaccount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paid {
    /// The terms.
    pub order: Arc<Order>,
    /// The PIX.
    pub receipt: Receipt,
    /// What was booked.
    pub credit: Credit,
    /// What of it still stands in the held bucket.
    pub held: Share,
    /// When it became available: `settlement_status` is `sent` from then on.
    pub settled_at: Option<Instant>,
    /// What went back since it was booked.
    pub returned: Share,
}

/// A charge of which the whole went back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refunded {
    /// The terms.
    pub order: Arc<Order>,
    /// The PIX.
    pub receipt: Receipt,
    /// When the credit had become available, if ever.
    pub settled_at: Option<Instant>,
    /// Whether it had been booked before it went back.
    pub credit: Option<Credit>,
}

/// What the ledger knows when the charge is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// When the command takes effect.
    pub at: Instant,
    /// Whether a credit now would be the first PIX deposit of a subaccount (P:CarenciaScope).
    pub first_deposit: Switch,
    /// The smallest and largest charge now.
    pub range: (Amount, Amount),
}

/// Why the ledger said no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Below what passes.
    BelowMinimum {
        /// The smallest amount that passes.
        minimum: Amount,
    },
    /// Above what passes.
    AboveMaximum {
        /// The largest amount that passes.
        maximum: Amount,
    },
    /// It would be held, and the client allows no hold.
    HoldNotAllowed,
    /// The charge exists already.
    OutOfTurn,
}

/// Judges `command`.
///
/// # Errors
///
/// The [`Refusal`] of a request; facts are never refused (rulings 1).
pub fn decide(
    state: &State,
    command: Command,
    now: Circumstances,
) -> Result<Verdict<Event>, Refusal> {
    use Verdict::{Applied, Known, SetAside};
    let verdict = match (state, command) {
        (State::Absent, Command::Request(order)) => Applied(request(order, now)?),
        (_, Command::Request(_)) => return Err(Refusal::OutOfTurn),

        (State::Pending(order) | State::Expired(order), Command::Receive(receipt))
            if order.is_paid_by(&receipt) =>
        {
            Applied(receive(order, receipt, now))
        }
        (
            State::Pending(order) | State::Expired(order) | State::Failed(order),
            Command::Attach(receipt),
        ) => {
            let gross = receipt.amount;
            Applied(credit(order, receipt, Origin::Suspense, gross, now))
        }

        (State::Delayed(delayed), Command::Release) => Applied(release(delayed, now)),
        (State::Paid(_), Command::Release) => Known,
        (State::Refunded(refunded), Command::Release) if refunded.credit.is_some() => Known,

        (State::Pending(_), Command::Cancel) => Applied(Event::Failed),
        (State::Expired(_) | State::Failed(_), Command::Cancel) => Known,

        (State::Pending(_), Command::Expire) => Applied(Event::Expired),
        (State::Paid(paid), Command::Mature) if paid.settled_at.is_none() => {
            Applied(Event::Matured { custody: paid.order.custody, amount: paid.held })
        }

        (State::Delayed(delayed), Command::Return(amount)) if delayed.left().covers(amount) => {
            Applied(Event::ReturnedUncredited { amount })
        }
        (State::Paid(paid), Command::Return(amount)) if paid.left().covers(amount) => {
            Applied(Event::Returned {
                custody: paid.order.custody,
                amount,
                fee: paid.fee_share_of_return(amount),
            })
        }

        // Facts that fit nothing: their money, if any, waits for a person.
        (_, _) => SetAside,
    };
    Ok(verdict)
}

fn request(order: Order, now: Circumstances) -> Result<Event, Refusal> {
    let (minimum, maximum) = now.range;
    if order.amount < minimum {
        Err(Refusal::BelowMinimum { minimum })
    } else if maximum < order.amount {
        Err(Refusal::AboveMaximum { maximum })
    } else if order.retention_hours.is_some() && order.allow_hold == Switch::Off {
        Err(Refusal::HoldNotAllowed)
    } else {
        Ok(Event::Requested(Box::new(order)))
    }
}

fn receive(order: &Order, receipt: Receipt, now: Circumstances) -> Event {
    match order.retention_hours {
        Some(hours) => Event::Delayed { receipt, until: now.at.after(Span::hours(hours.into())) },
        None => {
            let gross = receipt.amount;
            credit(order, receipt, Origin::Provider, gross, now)
        }
    }
}

fn release(delayed: &Delayed, now: Circumstances) -> Event {
    let gross = delayed.left().spendable().amount();
    let gross = gross.expect("a charge returned in full is Refunded, not Delayed");
    credit(&delayed.order, delayed.receipt.clone(), Origin::Flight, gross, now)
}

fn credit(
    order: &Order,
    receipt: Receipt,
    origin: Origin,
    gross: Amount,
    now: Circumstances,
) -> Event {
    let fee = order.fee.on(receipt.amount).unwrap_or(gross.share()).min(gross.share());
    let at_once = order.credits_at_once();
    let wait = Span::hours(order.waiting_hours.into());
    let starts_wait = now.first_deposit.is_on() && order.waiting_hours > 0;
    let credit = Credit {
        custody: order.custody,
        origin,
        gross,
        fee,
        available_at: (!at_once).then(|| now.at.next_day_in_brasilia()),
        waiting_until: starts_wait.then(|| now.at.after(wait)),
        booked_at: now.at,
    };
    Event::Credited { receipt, credit }
}

/// Whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => order.created_at <= order.expires_at,
        (State::Pending(_), Event::Expired | Event::Failed) => true,
        (State::Pending(order) | State::Expired(order), Event::Delayed { receipt, .. }) => {
            order.retention_hours.is_some() && order.is_paid_by(receipt)
        }
        (State::Pending(order) | State::Expired(order), Event::Credited { receipt, credit }) => {
            let exact = order.is_paid_by(receipt) && order.retention_hours.is_none();
            let booked = match credit.origin {
                Origin::Provider => exact,
                Origin::Suspense => true,
                Origin::Flight => false,
            };
            booked && credit.is_sound(order, receipt, Share::ZERO)
        }
        (State::Failed(order), Event::Credited { receipt, credit }) => {
            credit.origin == Origin::Suspense && credit.is_sound(order, receipt, Share::ZERO)
        }
        (State::Delayed(delayed), Event::Credited { receipt, credit }) => {
            credit.origin == Origin::Flight
                && *receipt == delayed.receipt
                && credit.is_sound(&delayed.order, receipt, delayed.returned)
        }
        (State::Delayed(delayed), Event::ReturnedUncredited { amount }) => {
            delayed.left().covers(*amount)
        }
        (State::Paid(paid), Event::Matured { custody, amount }) => {
            *custody == paid.order.custody && *amount == paid.held && paid.settled_at.is_none()
        }
        (State::Paid(paid), Event::PartTaken { custody, amount, .. }) => {
            *custody == paid.order.custody && amount.share() <= paid.held
        }
        (State::Paid(paid), Event::PartRestored { custody, amount }) => {
            let held = paid.held.plus(amount.share());
            *custody == paid.order.custody
                && paid.settled_at.is_none()
                && held.is_some_and(|held| held <= paid.credit.net())
        }
        (State::Paid(paid), Event::Returned { custody, amount, fee }) => {
            *custody == paid.order.custody
                && paid.left().covers(*amount)
                && *fee == paid.fee_share_of_return(*amount)
        }
        (_, _) => false,
    }
}

/// Remembers `event`, which happened at `at`.
///
/// # Panics
///
/// When `event` cannot follow `state`; replay checks [`follows`] first.
#[must_use]
pub fn evolve(state: &State, event: &Event, at: Instant) -> State {
    assert!(follows(state, event), "{event:?} cannot follow {state:?}");
    let paid = |change: &dyn Fn(&mut Paid)| match state {
        State::Paid(paid) => {
            let mut paid = Paid::clone(paid);
            change(&mut paid);
            paid
        }
        _ => unreachable!("follows admits it on a paid charge only"),
    };
    match event {
        Event::Requested(order) => State::Pending(Arc::new(Order::clone(order))),
        Event::Expired => State::Expired(state.known_order()),
        Event::Failed => State::Failed(state.known_order()),
        Event::Delayed { receipt, until } => State::Delayed(Arc::new(Delayed {
            order: state.known_order(),
            receipt: receipt.clone(),
            until: *until,
            returned: Share::ZERO,
        })),
        Event::Credited { receipt, credit } => State::Paid(Arc::new(Paid {
            order: state.known_order(),
            receipt: receipt.clone(),
            credit: credit.clone(),
            held: credit.available_at.map_or(Share::ZERO, |_| credit.net()),
            settled_at: if credit.available_at.is_none() { Some(at) } else { None },
            returned: Share::ZERO,
        })),
        Event::Matured { .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = Share::ZERO;
            paid.settled_at = Some(at);
        }))),
        Event::PartTaken { amount, .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = paid.held.less_or_nothing(amount.share());
        }))),
        Event::PartRestored { amount, .. } => State::Paid(Arc::new(paid(&|paid| {
            paid.held = paid.held.plus(amount.share()).expect("at most the credit itself");
        }))),
        Event::ReturnedUncredited { amount } => match state {
            State::Delayed(delayed) => Delayed::after_return(delayed, *amount),
            _ => unreachable!("follows admits it on a delayed charge only"),
        },
        Event::Returned { amount, .. } => {
            let after = paid(&|paid| {
                paid.returned = paid.returned.plus(amount.share()).expect("at most the gross");
            });
            after.refunded_when_empty()
        }
    }
}

/// Accounts for `event` of charge `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    match event {
        Event::Requested(_) | Event::Expired | Event::Failed => Entry::NONE,
        Event::Delayed { receipt, .. } => {
            Entry::NONE.principal(Account::ProviderPix, Account::PixInFlight(op), receipt.amount)
        }
        Event::Credited { credit, .. } => {
            let from = match credit.origin {
                Origin::Provider => Account::ProviderPix,
                Origin::Flight => Account::PixInFlight(op),
                Origin::Suspense => Account::SuspensePix,
            };
            let to = match credit.available_at {
                Some(_) => Account::Held(credit.custody),
                None => Account::Available(credit.custody),
            };
            Entry::NONE.principal(from, to, credit.gross).fee(
                to,
                Account::DepositIncome,
                credit.fee,
            )
        }
        Event::Matured { custody, amount } => {
            Entry::NONE.shift(Account::Held(*custody), Account::Available(*custody), *amount)
        }
        Event::PartTaken { custody, amount, into } => {
            let to = match into {
                Into::Available => Account::Available(*custody),
                Into::Frozen => Account::Frozen(*custody),
            };
            Entry::NONE.shift(Account::Held(*custody), to, *amount)
        }
        Event::PartRestored { custody, amount } => {
            Entry::NONE.shift(Account::Frozen(*custody), Account::Held(*custody), *amount)
        }
        Event::ReturnedUncredited { amount } => {
            Entry::NONE.principal(Account::PixInFlight(op), Account::ProviderPix, *amount)
        }
        Event::Returned { custody, amount, fee } => {
            let available = Account::Available(*custody);
            Entry::FORCED.principal(available, Account::ProviderPix, *amount).fee(
                Account::DepositIncome,
                available,
                *fee,
            )
        }
    }
}

impl Order {
    /// Whether this PIX pays it: exactly, and in time by the provider's clock (CIN-28, rulings 13).
    #[must_use]
    pub fn is_paid_by(&self, receipt: &Receipt) -> bool {
        receipt.amount == self.amount && receipt.paid_at <= self.expires_at
    }

    /// Whether the credit is available at once: released by the provider, or by the terms (CUS-19).
    #[must_use]
    pub fn credits_at_once(&self) -> bool {
        self.retention_hours.is_some() || self.release == Release::Immediate
    }
}

impl State {
    /// The terms, once requested.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Pending(order) | Self::Expired(order) | Self::Failed(order) => Some(order),
            Self::Delayed(delayed) => Some(&delayed.order),
            Self::Paid(paid) => Some(&paid.order),
            Self::Refunded(refunded) => Some(&refunded.order),
        }
    }

    /// Whether nothing is due and nothing of it is held: it may leave the memory of the open ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Pending(_) | Self::Delayed(_) => false,
            Self::Expired(_) | Self::Failed(_) | Self::Refunded(_) => true,
            Self::Paid(paid) => paid.settled_at.is_some(),
        }
    }

    fn known_order(&self) -> Arc<Order> {
        Arc::clone(self.order().expect("follows admits no event but Requested on an absent charge"))
    }
}

impl Credit {
    /// What the subaccount gained: gross less fee.
    #[must_use]
    pub fn net(&self) -> Share {
        self.gross.minus(self.fee).expect("the fee is at most the gross")
    }

    fn is_sound(&self, order: &Order, receipt: &Receipt, returned: Share) -> bool {
        let owed = order.fee.on(receipt.amount).unwrap_or(self.gross.share());
        self.custody == order.custody
            && self.available_at.is_none() == order.credits_at_once()
            && receipt.amount.minus(returned) == Some(self.gross.share())
            && self.fee == owed.min(self.gross.share())
    }
}

impl Delayed {
    /// What the provider still holds for us.
    #[must_use]
    pub fn left(&self) -> crate::money::Balance {
        self.receipt.amount.share().less_or_nothing(self.returned).into()
    }

    fn after_return(&self, amount: Amount) -> State {
        let returned = self.returned.plus(amount.share()).expect("at most what was received");
        if returned == self.receipt.amount.share() {
            State::Refunded(Arc::new(Refunded {
                order: Arc::clone(&self.order),
                receipt: self.receipt.clone(),
                settled_at: None,
                credit: None,
            }))
        } else {
            State::Delayed(Arc::new(Self { returned, ..self.clone() }))
        }
    }
}

impl Paid {
    /// What could still go back to the payer.
    #[must_use]
    pub fn left(&self) -> crate::money::Balance {
        self.credit.gross.share().less_or_nothing(self.returned).into()
    }

    /// How much of a return of `amount` reverses the fee: what passes the net credited, counting all
    /// returns since the credit together (rulings 22).
    #[must_use]
    pub fn fee_share_of_return(&self, amount: Amount) -> Share {
        let net = self.credit.net();
        let before = self.returned;
        let after = before.plus(amount.share()).unwrap_or(self.credit.gross.share());
        after.less_or_nothing(net).less_or_nothing(before.less_or_nothing(net))
    }

    /// What went back over the whole life of the charge: `returned_cents` (rulings 27).
    #[must_use]
    pub fn returned_in_all(&self) -> Share {
        let uncredited = self.receipt.amount.share().less_or_nothing(self.credit.gross.share());
        uncredited.plus(self.returned).expect("at most what was received")
    }

    fn refunded_when_empty(self) -> State {
        if self.returned == self.credit.gross.share() {
            State::Refunded(Arc::new(Refunded {
                order: self.order,
                receipt: self.receipt,
                settled_at: self.settled_at,
                credit: Some(self.credit),
            }))
        } else {
            State::Paid(Arc::new(self))
        }
    }
}
