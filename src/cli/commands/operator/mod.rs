//! `operator`: who may look at the console and decide, each with a credential of their own.

pub mod assign;

use std::io::Write as _;

use clap::{Args, Subcommand};
use ledger_core::contract::Environment;
use ledger_http::operators::{ListedOperator, Operators, Role};
use ledger_store::{OpenError, OpenMode};
use serde_json::{Value, json};

use super::outbox::now;
use crate::Failure;
use crate::store::{Store, StoreOption};

#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    command: OperatorCommand,
}

#[derive(Subcommand)]
enum OperatorCommand {
    /// Adds an operator, or one again who was removed, and prints their credential, once.
    Add {
        /// The name that stands beside what they decide: letters, digits and any of . _ - @
        name: String,
        #[command(flatten)]
        rights: Rights,
        #[command(flatten)]
        place: OperatorStore,
    },
    /// Lists the operators, removed ones too, one JSON line each.
    List {
        #[command(flatten)]
        place: OperatorStore,
    },
    /// Removes an operator: their credential and sessions open nothing any more, at once.
    Remove {
        /// The operator's name.
        name: String,
        #[command(flatten)]
        place: OperatorStore,
    },
    /// Gives an operator other roles, at once.
    Role {
        /// The operator's name.
        name: String,
        #[command(flatten)]
        rights: Rights,
        #[command(flatten)]
        place: OperatorStore,
    },
}

/// What an operator may do.
#[derive(Args)]
struct Rights {
    /// look, decide, decide-above or hold; as often as wanted, and look alone unless said.
    #[arg(long = "role", value_name = "ROLE", default_value = "look")]
    roles: Vec<Role>,
    /// The most centavos that the role decide lets them decide about.
    #[arg(long, value_name = "CENTAVOS", default_value_t = 500_000)]
    #[arg(value_parser = clap::value_parser!(i64).range(0..))]
    up_to: i64,
}

/// Where operators are kept.
#[derive(Args)]
struct OperatorStore {
    #[command(flatten)]
    store: StoreOption,
}

impl OperatorStore {
    fn operators(&self) -> Result<Operators, Failure> {
        let store = Store::parse(self.store.name())?;
        if let Store::Sqlite(path) = &store
            && !path.exists()
        {
            return Err(Failure::new(format!("{store} is not there: `serve` makes it")));
        }
        if let Store::Sqlite(_) = &store {
            // Tables in another's file, or in none of a journal, would be found by nobody.
            match store.open_named(Environment::Live.name(), OpenMode::ReadOnly) {
                Ok(_) | Err(OpenError::LedgerUnknown { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Operators::kept_in(Store::target_of(self.store.name())?))
    }
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match &options.command {
        OperatorCommand::Add { name, rights, place } => {
            let operators = place.operators()?;
            let credential = operators.add(name, &rights.roles, rights.up_to, now()?);
            let credential = credential.map_err(|error| Failure::because(name, &error))?;
            writeln!(out, "{credential}")?;
        }
        OperatorCommand::List { place } => {
            for operator in place.operators()?.list()? {
                writeln!(out, "{}", operator_json(&operator))?;
            }
        }
        OperatorCommand::Remove { name, place } => {
            let removed = place.operators()?.remove(name, now()?);
            removed.map_err(|error| Failure::because(name, &error))?;
        }
        OperatorCommand::Role { name, rights, place } => {
            let changed = place.operators()?.change(name, &rights.roles, rights.up_to);
            changed.map_err(|error| Failure::because(name, &error))?;
        }
    }
    Ok(out.flush()?)
}

fn operator_json(listed: &ListedOperator) -> Value {
    let operator = &listed.operator;
    let roles: Vec<_> = operator.roles.iter().map(|role| role.name()).collect();
    // It bounds what is decided, and nothing else.
    let up_to = roles.contains(&Role::Decide.name()).then_some(operator.up_to_cents);
    json!({
        "operator": operator.name,
        "roles": roles,
        "up_to_cents": up_to,
        "added_at": listed.added_at.to_string(),
        "removed_at": listed.removed_at.map(|at| at.to_string()),
    })
}
