//! `routes`: the list of routes and commands, with what each takes, answers and refuses for.

use std::io::{Write, stdout};

use clap::Args;
use ledger_core::contract::{Access, Effect, Invocation, Query, RouteShape, routes};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;

use super::facts::list;
use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// Only routes with this text in their path or name.
    text: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let wanted = |shape: &&RouteShape| {
        options.text.as_deref().is_none_or(|text| asked(shape).contains(text))
    };
    let shown: Vec<_> = routes::<JournalArchive, Vault>().filter(wanted).collect();
    if shown.is_empty() {
        return Err(Failure::new("there is no such route; `routes` alone lists them all"));
    }
    shown.into_iter().try_for_each(show)
}

fn show(shape: &RouteShape) -> Result<(), Failure> {
    let mut out = stdout();
    let access = match shape.access {
        Access::Key => "needs a key",
        Access::Anybody => "needs no key",
    };
    let effect = match shape.effect {
        Effect::Reads => "reads",
        Effect::Decides => "decides",
    };
    writeln!(out, "{}\n  {effect}, {access}", asked(shape))?;
    if let Query::Only(parameters @ [_, ..]) = shape.query {
        writeln!(out, "  takes ?{}", parameters.join(", "))?;
    }
    list(&mut out, "", shape.body)?;
    writeln!(out, "  answers {}", shape.answer.join(", "))?;
    if !shape.errors.is_empty() {
        let names: Vec<_> = shape.errors.iter().map(|code| code.name()).collect();
        writeln!(out, "  refuses for {}", names.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}

/// How a route is asked for: by method and path, or by its name.
fn asked(shape: &RouteShape) -> String {
    match shape.ask {
        Invocation::Route(method, path) => format!("{} {path}", method.name()),
        Invocation::Command(name) => name.to_owned(),
    }
}
