//! `routes`: the list of routes and commands, with what each takes, answers and refuses for.

use std::io::{Write, stdout};

use clap::Args;
use ledger_core::contract::{Access, Effect, Query, RouteShape, routes};
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
        options.text.as_deref().is_none_or(|text| shape.ask.to_string().contains(text))
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
    writeln!(out, "{}\n  {effect}, {access}", shape.ask)?;
    if let Query::Only(parameters @ [_, ..]) = shape.query {
        writeln!(out, "  takes ?{}", parameters.join(", "))?;
    }
    list(&mut out, "", shape.body)?;
    let answered: Vec<_> = shape.answer.fields.iter().map(|field| field.name).collect();
    writeln!(out, "  answers {}", answered.join(", "))?;
    if !shape.errors.is_empty() {
        let names: Vec<_> = shape.errors.iter().map(|code| code.name()).collect();
        writeln!(out, "  refuses for {}", names.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}
