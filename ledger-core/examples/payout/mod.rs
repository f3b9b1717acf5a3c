//! A payout as the examples of reducers share it: commands, the state that events lead to, and what
//! they come to in the books.

use std::error::Error;

use ledger_core::accounting::{Account, Books, Control, Entry};
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::machine::payout::{Command, Event, Order, State, entry};
use ledger_core::machine::{StateMachine as _, Verdict};
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::PayoutFees;
use ledger_core::time::{Instant, Span};
use serde::{Deserialize, Serialize};

/// An event and its instant: all that a service keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// When it happened.
    pub at: Instant,
    /// The event.
    #[serde(with = "ledger_core::cbor")]
    pub event: Event,
}

/// A client's request to a service, or its provider's report.
#[derive(Clone)]
pub enum Message {
    /// A client asks for a payout, and the service found enough money there.
    Request(Order),
    /// The provider reports.
    Report(Command),
}

/// A message that contradicts what is known.
#[derive(Debug, thiserror::Error)]
#[error("it contradicts what is known, and waits for a person")]
pub struct SetAside;

/// A payout of a hundred reais for a fee of one, reported as paid twice: one message a second.
pub fn messages() -> Result<Vec<(Instant, Message)>, Box<dyn Error>> {
    let start = Instant::parse("2026-11-20T12:00:00Z").ok_or("it is RFC 3339")?;
    let amount = Amount::new(10_000).ok_or("it is above zero")?;
    let house = Cents::new(100).ok_or("it is not below zero")?;
    let fees = PayoutFees { house, ..PayoutFees::default() };
    let (key, owner) = (Token([1; 16]), Token([2; 16]));
    let order = Order::new(AccountId(1), SubaccountId(0), amount, fees, key, owner, start);
    let paid = || Message::Report(Command::Pay("E9040088820261120120000000000001".into()));
    let all = [Message::Request(order), Message::Report(Command::Submit), paid(), paid()];
    Ok((0..).map(|second| start.after(Span::seconds(second))).zip(all).collect())
}

/// Judges a message: the events that happen by it, which are none where it was known.
pub fn judge(state: &State, message: Message) -> Result<Vec<Event>, SetAside> {
    match message {
        Message::Request(order) if *state == State::Absent => {
            Ok(vec![Event::Requested(Box::new(order))])
        }
        Message::Request(_) => Err(SetAside),
        Message::Report(command) => match state.decide(command, ()) {
            Verdict::Applied(events) => Ok(events),
            Verdict::Known => Ok(Vec::new()),
            Verdict::SetAside => Err(SetAside),
        },
    }
}

/// The state that the events lead to; `evolve` panics where one may not follow.
pub fn fold(events: &[Happened]) -> State {
    events.iter().fold(State::Absent, |state, Happened { at, event }| state.evolve(event, *at))
}

/// Prints and asserts what the events of [`messages`] come to: Ana had five hundred reais before.
pub fn print_outcome(events: &[Happened]) -> Result<(), Box<dyn Error>> {
    let state = fold(events);
    assert!(state.has_ended());
    assert!(judge(&state, Message::Report(Command::Refuse)).is_err(), "it was paid");

    let mut books = Books::default();
    let ana = books.open_subaccount();
    let deposit = Amount::new(50_000).ok_or("it is above zero")?;
    books.post(&Entry::NONE.principal(Account::ProviderPix, Account::Available(ana), deposit))?;
    let op = OpId::new(Kind::Payout, Seq(1));
    events.iter().try_for_each(|it| books.post(&entry(op, &it.event)).map(drop))?;
    let (available, income) =
        (books.subaccount(ana).available.cents(), books.balance(Control::PayoutIncome));
    assert_eq!((available, income, books.trial_balance()), (39_900, 100, 0));
    println!("paid by {} events: available {available}, income {income}", events.len());
    Ok(())
}
