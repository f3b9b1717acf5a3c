//! `facts`: the list of facts, with their shapes and one example each.

use std::io::Write;

use clap::Args;
use ledger_core::contract::{FACTS, Need};

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// Only the fact of this name.
    name: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let wanted = |name: &str| options.name.as_deref().is_none_or(|only| only == name);
    let shapes: Vec<_> = FACTS.iter().filter(|shape| wanted(shape.name)).collect();
    if shapes.is_empty() {
        return Err(Failure::new("there is no such fact; `facts` alone lists them all"));
    }
    for shape in shapes {
        writeln!(std::io::stdout(), "{}\n  {}", shape.name, shape.meaning)?;
        for (field, need, meaning) in shape.fields {
            let mark = match need {
                Need::Required => "required",
                Need::Optional => "optional",
            };
            writeln!(std::io::stdout(), "    {field:<40} {mark:<9} {meaning}")?;
        }
        writeln!(std::io::stdout(), "  {}\n", shape.example)?;
    }
    Ok(())
}
