//! A payout as a reducer in a service of one's own: commands become events, events become bytes
//! that the service keeps, and whoever reads the bytes comes to the same state and balances.
//!
//! ```console
//! $ cargo run -p ledger-core --example reducer
//! ```

use std::error::Error;

use ledger_core::accounting::{Account, Books, Control, Entry};
use ledger_core::id::{AccountId, Kind, OpId, Seq, SubaccountId, Token};
use ledger_core::machine::payout::{self, Command, Order};
use ledger_core::machine::{StateMachine, Verdict};
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::PayoutFees;
use ledger_core::time::{Instant, Span};

/// The events that the service keeps of one operation: when each happened, and its bytes.
type StoredEvents = Vec<(Instant, Vec<u8>)>;

/// The state that the kept events lead to; what each of them moves is posted to the books.
fn replay<M>(op: OpId, kept: &StoredEvents, books: &mut Books) -> Result<M, Box<dyn Error>>
where
    M: StateMachine,
    M::Event: for<'b> minicbor::Decode<'b, ()>,
{
    kept.iter().try_fold(M::default(), |state, (at, bytes)| {
        let event: M::Event = minicbor::decode(bytes)?;
        if !state.follows(&event) {
            return Err(format!("{event:?} cannot follow {state:?}").into());
        }
        books.post(&M::entry(op, &event))?;
        Ok(state.evolve(&event, *at))
    })
}

/// Judges a command by the state, and keeps what happens by it; whether anything did.
fn report<M>(
    state: &M,
    (command, facts, at): (M::Command, M::Facts, Instant),
    kept: &mut StoredEvents,
) -> Result<bool, Box<dyn Error>>
where
    M: StateMachine,
    M::Event: minicbor::Encode<()>,
{
    match state.decide(command, facts) {
        Verdict::Applied(events) => {
            for event in events {
                kept.push((at, minicbor::to_vec(event)?));
            }
            Ok(true)
        }
        Verdict::Known => Ok(false),
        Verdict::SetAside => Err("it contradicts what is known, and waits for a person".into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let at = Instant::parse("2026-11-20T12:00:00Z").ok_or("it is RFC 3339")?;
    let ana = SubaccountId(1);
    let amount = Amount::new(10_000).ok_or("it is above zero")?;
    let fee = Cents::new(100).ok_or("it is not below zero")?;
    let deposit = Entry::NONE.principal(
        Account::ProviderPix,
        Account::Available(ana),
        Amount::new(50_000).ok_or("it is above zero")?,
    );

    // A client asked for it, and the service found enough money there.
    let op = OpId::new(Kind::Payout, Seq(1));
    let fees = PayoutFees { house: fee, ..PayoutFees::default() };
    let (key, owner) = (Token([1; 16]), Token([2; 16]));
    let order = Order::new(AccountId(1), ana, amount, fees, key, owner, at);
    let requested = payout::Event::Requested(Box::new(order));
    let mut kept: StoredEvents = vec![(at, minicbor::to_vec(&requested)?)];

    // The provider reports, at least once.
    let paid = || Command::Pay("E9040088820261120120000000000001".into());
    for (number, command) in (1..).zip([Command::Submit, paid(), paid()]) {
        let state: payout::State = replay(op, &kept, &mut books_with(&deposit)?)?;
        let happened = report(&state, (command, (), at.after(Span::seconds(number))), &mut kept)?;
        println!("report {number}: {}", if happened { "recorded" } else { "known" });
    }

    // Whoever has the bytes comes to the same.
    let mut books = books_with(&deposit)?;
    let state: payout::State = replay(op, &kept, &mut books)?;
    assert!(state.has_ended());
    assert_eq!(books.subaccount(ana).available.cents(), 50_000 - 10_000 - 100);
    assert_eq!((books.balance(Control::PayoutIncome), books.trial_balance()), (100, 0));
    let bytes: usize = kept.iter().map(|(_, event)| event.len()).sum();
    println!("paid: {} events, {bytes} bytes", kept.len());
    Ok(())
}

/// Books in which the deposit stands.
fn books_with(deposit: &Entry) -> Result<Books, Box<dyn Error>> {
    let mut books = Books::default();
    books.post(deposit)?;
    Ok(books)
}
