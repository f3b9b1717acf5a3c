//! Measures the close of a day of a million PIX received, unless another number is said:
//! `cargo run --release -p ledger-close --example million_operations -- 100000`.

use std::error::Error;
use std::time::Instant as Clock;

use ledger_close::{Checklist, DayToClose, Decided, Evidence, day_closed};
use ledger_core::id::{AccountId, KeyHash, OpId, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::{
    Cause, ChargeRequest, Command, Destination, Fact, Intent, Outcome, Refusal, Reported, Request,
};
use ledger_core::machine::charge::{Delivery, PixPayment, Qr};
use ledger_core::money::Amount;
use ledger_core::terms::{Policy, Switch};
use ledger_core::time::Instant;
use ledger_matching::Day;
use ledger_store::engine::Engine;
use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};

/// Midnight in Brasília, at which the day begins.
const BEGINS: &str = "2026-11-20T03:00:00Z";

/// How many commands are decided at once.
const BATCH: usize = 4_000;

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse::<usize>())?;
    let disk = MemoryDisk::new();
    let began = Clock::now();
    fill(&disk, count)?;
    let filled = began.elapsed().as_secs_f64();
    let mut journal = MemoryJournal::open(&disk, "live", OpenMode::ReadOnly)?;
    let day = Day::parse("2026-11-20").ok_or("it is a day")?;
    let began = Clock::now();
    let read = DayToClose::read(&mut journal, "live", day)?;
    let evidence = Evidence::default();
    let checklist = Checklist::new(&read, &evidence, day.end().next_day_in_brasilia());
    let body = day_closed(&read, &evidence, Decided { actor: "bia", reason: "close" });
    let took = began.elapsed().as_secs_f64();
    assert!(checklist.blockers().next().is_none() && body.is_some(), "{checklist:?}");
    let records = read.last;
    println!(
        "{count} operations, {records} records: written in {filled:.1} s, read in {took:.1} s"
    );
    Ok(())
}

fn command(at: Instant, what: Intent) -> Command {
    Command { at, cause: Cause::default(), what }
}

fn reported(id: Option<&str>, fact: Fact) -> Intent {
    Intent::Fact(Reported { id: id.map(Into::into), fact })
}

/// The words of a refusal, for an error.
fn describe(refusal: &Refusal) -> String {
    format!("{refusal:?}")
}

/// Creates so many charges over the day, each paid at once.
fn fill(disk: &MemoryDisk, count: usize) -> Result<(), Box<dyn Error>> {
    let journal = MemoryJournal::open(disk, "live", OpenMode::create())?;
    let engine = Engine::builder("live").start(Box::new(journal))?;
    let begins = Instant::parse(BEGINS).ok_or("it is an instant")?;
    let policy = Policy { ladder: None, ..Policy::default() };
    let adopted = Fact::Account(AccountFact::PolicyAdopted(policy));
    let opened = AccountFact::Opened { name: "loja".into(), key: KeyHash([1; 32]), terms: None };
    for (id, fact) in [("policy", adopted), ("account", Fact::Account(opened))] {
        engine
            .execute(command(begins, reported(Some(id), fact)))
            .wait()?
            .map_err(|refusal| describe(&refusal))?;
    }
    let step = 86_000_000_000 / i64::try_from(count)?;
    let at = |number: usize| {
        let micros = i64::try_from(number).ok().map(|number| begins.micros() + number * step);
        micros.and_then(Instant::from_micros).ok_or("it is an instant")
    };
    let amount = Amount::new(1_000).ok_or("it is above zero")?;
    for first in (0..count).step_by(BATCH) {
        let numbers = first..count.min(first + BATCH);
        let last = at(numbers.end - 1)?;
        let charges = numbers.clone().map(|_| command(last, charge(amount))).collect();
        let answers = engine.execute_all(charges).wait()?;
        let paid = numbers.zip(answers).map(|(number, answer)| match answer {
            Ok(Outcome::Created(op)) => Ok(command(last, payment(op, number, amount, last))),
            other => Err(format!("{other:?}")),
        });
        for answer in engine.execute_all(paid.collect::<Result<_, _>>()?).wait()? {
            answer.map_err(|refusal| describe(&refusal))?;
        }
    }
    engine.stop()?;
    Ok(())
}

fn charge(amount: Amount) -> Intent {
    let delivery = Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None };
    let request = ChargeRequest {
        customer: Some("ana".into()),
        qr: Some(Qr { copypaste: "00020126".into(), image_url: None }),
        ..ChargeRequest::new(amount, Token([7; 16]), Switch::On, delivery, Destination::Custody)
    };
    Intent::Request(AccountId(0), Request::Charge(request))
}

fn payment(charge: OpId, number: usize, amount: Amount, paid_at: Instant) -> Intent {
    let e2e = format!("E99999999202611201200{number:011}").into();
    let payment = PixPayment { e2e, amount, paid_at };
    reported(None, Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment }))
}
