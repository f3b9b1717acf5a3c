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
            let range = range(field).map(|range| format!("; {range}")).unwrap_or_default();
            writeln!(std::io::stdout(), "    {field:<40} {mark:<9} {meaning}{range}")?;
        }
        writeln!(std::io::stdout(), "  {}\n", shape.example)?;
    }
    Ok(())
}

/// The numbers that a field takes, where its unit says it.
fn range(field: &str) -> Option<&'static str> {
    let ends = |endings: &[&str]| endings.iter().any(|ending| field.ends_with(ending));
    match field {
        "amount_cents" => Some("1 to 100,000,000,000,000"),
        "effect_cents" => Some("not 0, at most 100,000,000,000,000 either way"),
        "deposito_fee_bps" => None,
        _ if ends(&["_cents"]) => Some("at most 100,000,000,000,000"),
        _ if ends(&["_bps"]) => Some("0 to 10,000"),
        _ if ends(&["_hours", "_days", "_seconds", "_minutes", "_horas"]) => {
            Some("a whole number, at most 65,535")
        }
        _ if field.contains("_per_") => Some("a whole number, at most 65,535"),
        _ => None,
    }
}
