//! Payout: a PIX sent from a custody balance.
//!
//! ```text
//! Absent --Requested--> Requested --Submit--> Submitted --Pay-----> Completed --Return--> Returned
//!                          |                     |  '-----Refuse--> Failed
//!                          '-----Refuse--> Failed '-Lose--> Uncertain --Pay--> Completed
//!                          |                                    '-----Refuse--> Failed
//!                          '-----Stop----> UnderReview --Clear--> Requested
//!                                            '-Pay, Refuse--> Completed, Failed
//! ```
//!
//! Part A6; PAY-01 to PAY-18; rulings 36, 37. A later fact implies the steps before it (rulings 8),
//! so `Pay` and `Lose` also follow on `Requested`.
//! Nothing but evidence of the outcome moves a payout out of `Uncertain` (INV-32). [`decide`]
//! judges, [`follows`] says what may come next, [`evolve`] remembers, [`entry`] accounts.

mod terms;

use std::sync::Arc;

use minicbor::{Decode, Encode};

use super::state_machine;
use crate::accounting::{Account, Entry};
use crate::id::{AccountId, OpId, SubaccountId};
use crate::machine::Verdict;
use crate::money::{Amount, Balance, Cents};
use crate::terms::PayoutFees;
use crate::time::Instant;

pub use terms::Order;

/// What the world reports, or a person decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The provider took it.
    Submit,
    /// The PIX was paid, by this end-to-end id.
    Pay(Box<str>),
    /// It was definitely not paid.
    Refuse,
    /// Compliance stops it, before anything was sent (rulings 36).
    Stop,
    /// Compliance lets it go on.
    Clear,
    /// Nobody knows what became of it.
    Lose,
    /// So much came back from the beneficiary's bank.
    Return(Amount),
}

/// What happened; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Event {
    /// Requested and debited.
    #[n(0)]
    Requested(#[n(0)] Box<Order>),
    /// At the provider.
    #[n(1)]
    Submitted,
    /// The outcome is unknown.
    #[n(2)]
    Uncertain,
    /// Paid: the fees are earned.
    #[n(3)]
    Completed {
        /// Whose commission the partner's part is.
        #[n(0)]
        account: AccountId,
        /// What the beneficiary received.
        #[n(1)]
        amount: Amount,
        /// The fees earned.
        #[n(2)]
        fees: PayoutFees,
        /// The end-to-end id.
        #[n(3)]
        e2e: Box<str>,
    },
    /// Not paid; everything went back to the subaccount.
    #[n(4)]
    Failed {
        /// The subaccount that gets it all back.
        #[n(0)]
        subaccount: SubaccountId,
        /// Centavos of the principal given back.
        #[n(1)]
        amount: Amount,
        /// The fees given back, the tariff too.
        #[n(2)]
        fees: PayoutFees,
    },
    /// Came back from the beneficiary's bank, in part or whole.
    #[n(5)]
    Returned {
        /// The subaccount that gets it back.
        #[n(0)]
        subaccount: SubaccountId,
        /// Whose commission is reversed, where the fee is given back.
        #[n(1)]
        account: AccountId,
        /// How much came back.
        #[n(2)]
        amount: Amount,
        /// The service fee given back: all zero unless the policy says so. Never the tariff.
        #[n(3)]
        fees: PayoutFees,
    },
    /// Stopped before it was sent.
    #[n(6)]
    Stopped,
    /// Let go on.
    #[n(7)]
    Cleared,
}

/// Where the payout stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No payout was requested under this id.
    #[default]
    Absent,
    /// Debited, not yet at the provider.
    Requested(Arc<Order>),
    /// Stopped before it was sent, until somebody decides.
    UnderReview(Arc<Order>),
    /// At the provider.
    Submitted(Arc<Order>),
    /// The outcome is unknown, and only evidence ends that.
    Uncertain(Arc<Order>),
    /// Not paid; everything went back to the subaccount.
    Failed(Arc<Order>),
    /// Paid; what comes back from now on is counted.
    Completed(Arc<Completed>),
    /// Paid, and all of it came back.
    Returned(Arc<Completed>),
}

/// A payout that was paid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Completed {
    /// The terms on which it was requested.
    pub order: Arc<Order>,
    /// The end-to-end id.
    pub e2e: Box<str>,
    /// When we learnt of it.
    pub completed_at: Instant,
    /// What came back since.
    pub returned: Cents,
}

/// Judges what the world reports. Whether a payout may be requested, its slice of the ledger says.
///
/// ```
/// # use ledger_core::id::{AccountId, SubaccountId, Token};
/// # use ledger_core::machine::payout::Order;
/// # use ledger_core::{money::Amount, terms::PayoutFees, time::Instant};
/// use ledger_core::machine::Verdict;
/// use ledger_core::machine::payout::{Command, Event, State, decide, evolve};
///
/// # let at = Instant::default();
/// # let (amount, fees) = (Amount::CENTAVO, PayoutFees::default());
/// # let (key, owner) = (Token([1; 16]), Token([2; 16]));
/// # let order = Order::new(AccountId(0), SubaccountId(1), amount, fees, key, owner, at);
/// let requested = evolve(&State::Absent, &Event::Requested(Box::new(order)), at);
/// assert_eq!(decide(&requested, Command::Lose), Verdict::Applied(Event::Uncertain));
///
/// // Only evidence ends the uncertainty: a second report that nobody knows is known.
/// let uncertain = evolve(&requested, &Event::Uncertain, at);
/// assert_eq!(decide(&uncertain, Command::Lose), Verdict::Known);
/// let refused = decide(&uncertain, Command::Refuse);
/// assert!(matches!(refused, Verdict::Applied(Event::Failed { .. })));
/// ```
#[must_use]
pub fn decide(state: &State, command: Command) -> Verdict<Event> {
    use State::{Completed, Failed, Requested, Returned, Submitted, Uncertain, UnderReview};
    use Verdict::{Applied, Known, SetAside};
    match (state, command) {
        (Requested(_), Command::Stop) => Applied(Event::Stopped),
        (UnderReview(_), Command::Clear) => Applied(Event::Cleared),
        (Requested(_), Command::Submit) => Applied(Event::Submitted),
        (Requested(_) | Submitted(_), Command::Lose) => Applied(Event::Uncertain),
        // What was paid was paid, even where it should have stopped.
        (
            Requested(order) | UnderReview(order) | Submitted(order) | Uncertain(order),
            Command::Pay(e2e),
        ) => Applied(Event::Completed {
            account: order.account,
            amount: order.amount,
            fees: order.fees,
            e2e,
        }),
        (
            Requested(order) | UnderReview(order) | Submitted(order) | Uncertain(order),
            Command::Refuse,
        ) => Applied(Event::Failed {
            subaccount: order.subaccount,
            amount: order.amount,
            fees: order.fees,
        }),
        (Completed(paid), Command::Return(amount)) if paid.returnable_balance().covers(amount) => {
            Applied(Event::Returned {
                subaccount: paid.order.subaccount,
                account: paid.order.account,
                amount,
                fees: paid.fees_given_back(amount),
            })
        }

        // An older report than what is known.
        (Submitted(_) | Uncertain(_) | Failed(_) | Completed(_) | Returned(_), Command::Submit)
        | (Uncertain(_) | Failed(_) | Completed(_) | Returned(_), Command::Lose)
        | (Failed(_), Command::Refuse)
        | (UnderReview(_), Command::Stop)
        | (Requested(_), Command::Clear) => Known,
        (Completed(paid) | Returned(paid), Command::Pay(e2e)) if paid.e2e == e2e => Known,

        (_, _) => SetAside,
    }
}

/// Tells whether `event` may follow `state`.
#[must_use]
pub fn follows(state: &State, event: &Event) -> bool {
    match (state, event) {
        (State::Absent, Event::Requested(order)) => order.total_debit().is_some(),
        (State::Requested(_), Event::Submitted | Event::Stopped) => true,
        (State::UnderReview(_), Event::Cleared) => true,
        (State::Requested(_) | State::Submitted(_), Event::Uncertain) => true,
        (
            State::Requested(order)
            | State::UnderReview(order)
            | State::Submitted(order)
            | State::Uncertain(order),
            Event::Completed { account, amount, fees, .. },
        ) => *account == order.account && *amount == order.amount && *fees == order.fees,
        (
            State::Requested(order)
            | State::UnderReview(order)
            | State::Submitted(order)
            | State::Uncertain(order),
            Event::Failed { subaccount, amount, fees },
        ) => *subaccount == order.subaccount && *amount == order.amount && *fees == order.fees,
        (State::Completed(paid), Event::Returned { subaccount, account, amount, fees }) => {
            *subaccount == paid.order.subaccount
                && *account == paid.order.account
                && paid.returnable_balance().covers(*amount)
                && *fees == paid.fees_given_back(*amount)
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
    match event {
        Event::Requested(order) => State::Requested(Arc::new(Order::clone(order))),
        Event::Stopped => State::UnderReview(state.known_order()),
        Event::Cleared => State::Requested(state.known_order()),
        Event::Submitted => State::Submitted(state.known_order()),
        Event::Uncertain => State::Uncertain(state.known_order()),
        Event::Failed { .. } => State::Failed(state.known_order()),
        Event::Completed { e2e, .. } => State::Completed(Arc::new(Completed {
            order: state.known_order(),
            e2e: e2e.clone(),
            completed_at: at,
            returned: Cents::ZERO,
        })),
        Event::Returned { amount, .. } => match state {
            State::Completed(paid) => paid.after_return(*amount),
            _ => unreachable!("follows admits it on a completed payout only"),
        },
    }
}

/// Accounts for `event` of payout `op`.
#[must_use]
pub fn entry(op: OpId, event: &Event) -> Entry {
    let flight = Account::PayoutInFlight(op);
    match event {
        Event::Requested(order) => {
            let available = Account::Available(order.subaccount);
            let fees = order.fees.total().expect("follows admits no order whose fees overflow");
            Entry::NONE.principal(available, flight, order.amount).fee(available, flight, fees)
        }
        Event::Submitted | Event::Uncertain | Event::Stopped | Event::Cleared => Entry::NONE,
        Event::Completed { account, amount, fees, .. } => Entry::NONE
            .principal(flight, Account::ProviderPay, *amount)
            .fee(flight, Account::PayoutIncome, fees.house)
            .fee(flight, Account::Commission(*account), fees.partner)
            .fee(flight, Account::TariffDue, fees.tariff),
        Event::Failed { subaccount, amount, fees } => {
            let available = Account::Available(*subaccount);
            let fees = fees.total().expect("the same fees as were debited");
            Entry::NONE.principal(flight, available, *amount).fee(flight, available, fees)
        }
        Event::Returned { subaccount, account, amount, fees } => {
            let available = Account::Available(*subaccount);
            Entry::NONE
                .principal(Account::ProviderPay, available, *amount)
                .fee(Account::PayoutIncome, available, fees.house)
                .fee(Account::Commission(*account), available, fees.partner)
        }
    }
}

state_machine! {
    decide: (Command, ()) = |state, command, ()| decide(state, command).into_list();
    evolve: |state, event, at| evolve(state, event, at);
    entry: |op, event| entry(op, event);
    account: |state| state.order().map(|order| order.account);
}

impl State {
    /// The terms, once requested.
    #[must_use]
    pub fn order(&self) -> Option<&Arc<Order>> {
        match self {
            Self::Absent => None,
            Self::Requested(order)
            | Self::UnderReview(order)
            | Self::Submitted(order)
            | Self::Uncertain(order)
            | Self::Failed(order) => Some(order),
            Self::Completed(paid) | Self::Returned(paid) => Some(&paid.order),
        }
    }

    /// Tells whether nothing is in flight: it may leave the memory of the open ones.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Absent
            | Self::Requested(_)
            | Self::UnderReview(_)
            | Self::Submitted(_)
            | Self::Uncertain(_) => false,
            Self::Failed(_) | Self::Completed(_) | Self::Returned(_) => true,
        }
    }

    fn known_order(&self) -> Arc<Order> {
        Arc::clone(self.order().expect("follows admits no event but Requested on an absent payout"))
    }
}

impl Completed {
    /// Returns what could still come back.
    #[must_use]
    pub fn returnable_balance(&self) -> Balance {
        self.order.amount.as_cents().less_or_nothing(self.returned).into()
    }

    /// The fees a return of `amount` gives back: the service fee when it completes the return of
    /// the whole and the policy at creation said so; the tariff never, the provider keeps it.
    #[must_use]
    pub fn fees_given_back(&self, amount: Amount) -> PayoutFees {
        let whole = self.returnable_balance() == Balance::from(amount.as_cents());
        if whole && self.order.return_refunds_fee.is_on() {
            PayoutFees { tariff: Cents::ZERO, ..self.order.fees }
        } else {
            PayoutFees::default()
        }
    }

    fn after_return(&self, amount: Amount) -> State {
        let returned = self.returned.plus(amount.as_cents()).expect("at most the amount paid");
        let after = Arc::new(Self { returned, ..self.clone() });
        if returned == self.order.amount.as_cents() {
            State::Returned(after)
        } else {
            State::Completed(after)
        }
    }
}
