//! `hold-person`, `release-person` and `person-holds`: legal holds, which `erase` heeds.

use std::io::Write as _;

use clap::Args;
use ledger_core::contract::{Environment, Tokens};
use ledger_store::vault::{LegalHold, OperatorNote};
use ledger_store::{Journal, OpenMode};
use serde_json::{Value, json};

use super::{LedgerOptions, OperatorOptions, PersonOptions};
use crate::Failure;

#[derive(Args)]
pub struct HoldOptions {
    #[command(flatten)]
    ledgers: LedgerOptions,
    /// What the hold is called: a case, an order. It is kept in clear, and is used once.
    #[arg(long)]
    hold: String,
    #[command(flatten)]
    person: PersonOptions,
    #[command(flatten)]
    operator: OperatorOptions,
}

#[derive(Args)]
pub struct ReleaseOptions {
    #[command(flatten)]
    ledgers: LedgerOptions,
    /// What the hold is called.
    #[arg(long)]
    hold: String,
    #[command(flatten)]
    operator: OperatorOptions,
}

#[derive(Args)]
pub struct ListOptions {
    #[command(flatten)]
    ledgers: LedgerOptions,
}

/// Runs `hold-person`: places a hold in each ledger.
pub fn hold(options: &HoldOptions) -> Result<(), Failure> {
    let person = options.person.person()?;
    let note = options.operator.note()?;
    if options.hold.trim().is_empty() || options.hold.chars().any(char::is_control) {
        return Err(Failure::new("--hold is the name of the hold, on one line"));
    }
    let placed = each(&options.ledgers, |environment, journal| {
        let tokens = Tokens::new(journal.identity().vault_key);
        let hold = LegalHold::new(&options.hold, person.tokens(&tokens), note.clone());
        if !journal.place_hold(&hold)? {
            return Ok(false);
        }
        say(environment, &hold)?;
        Ok(true)
    })?;
    let known = format!("a hold named {} was placed before: use another name", options.hold);
    if placed { Ok(()) } else { Err(Failure::new(known)) }
}

/// Runs `release-person`: ends a hold in each ledger.
pub fn release(options: &ReleaseOptions) -> Result<(), Failure> {
    let note = options.operator.note()?;
    let released = each(&options.ledgers, |environment, journal| {
        if !journal.release_hold(&options.hold, &note)? {
            return Ok(false);
        }
        for hold in journal.holds()?.iter().filter(|hold| hold.id == options.hold) {
            say(environment, hold)?;
        }
        Ok(true)
    })?;
    let unknown = format!("no hold named {} is in force", options.hold);
    if released { Ok(()) } else { Err(Failure::new(unknown)) }
}

/// Runs `person-holds`: prints the holds of each ledger.
pub fn list(options: &ListOptions) -> Result<(), Failure> {
    each(&options.ledgers, |environment, journal| {
        journal.holds()?.iter().try_for_each(|hold| say(environment, hold))?;
        Ok(true)
    })?;
    Ok(())
}

/// Does something in each ledger; says whether any did.
fn each(
    ledgers: &LedgerOptions,
    mut work: impl FnMut(Environment, &mut dyn Journal) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    let (store, mut done) = (ledgers.store()?, false);
    for environment in ledgers.environments(&store)? {
        done |= work(environment, &mut *store.open(environment, OpenMode::create())?)?;
    }
    Ok(done)
}

/// A hold as one JSON line.
fn say(environment: Environment, hold: &LegalHold) -> Result<(), Failure> {
    let note = |note: &OperatorNote| json!({ "at": note.at.to_string(), "actor": note.by, "reason": note.reason });
    let line: Value = json!({
        "ledger": environment.name(),
        "hold": hold.id,
        "values": hold.tokens.len(),
        "placed": note(&hold.placed),
        "released": hold.released.as_ref().map(note),
    });
    Ok(writeln!(std::io::stdout(), "{line}")?)
}
