//! `facts`: the list of facts, with their shapes and one example each.

use std::io::{Stdout, Write, stdout};

use clap::Args;
use ledger_core::contract::{FACTS, Field, FieldType, Need, nearest_name};

use crate::Failure;

#[derive(Args)]
pub struct Options {
    /// Only the fact of this name.
    name: Option<String>,
}

pub fn run(options: &Options) -> Result<(), Failure> {
    let wanted = |name: &str| options.name.as_deref().is_none_or(|only| only == name);
    let shapes: Vec<_> = FACTS.iter().filter(|shape| wanted(shape.name)).collect();
    if let (true, Some(name)) = (shapes.is_empty(), &options.name) {
        let near = nearest_name(name, FACTS.iter().map(|shape| shape.name));
        let near = near.map(|near| format!("; the nearest is {near}")).unwrap_or_default();
        let all = "`facts` alone lists them all";
        return Err(Failure::new(format!("there is no fact {name}{near}: {all}")));
    }
    let mut out = stdout();
    for shape in shapes {
        writeln!(out, "{}\n  {}", shape.name, shape.meaning)?;
        list(&mut out, "", shape.fields)?;
        writeln!(out, "  {}\n", shape.example)?;
    }
    Ok(())
}

/// Lists fields, a line each; those of objects inside below theirs.
pub fn list(out: &mut Stdout, within: &str, fields: &[Field]) -> Result<(), Failure> {
    for field in fields {
        let mark = match field.need {
            Need::Required => "required",
            Need::Optional => "optional",
        };
        let name = format!("{within}{}", field.name);
        let range = range(field.holds).map(|range| format!("; {range}")).unwrap_or_default();
        writeln!(out, "    {name:<40} {mark:<9} {}{range}", field.meaning)?;
        match field.holds {
            FieldType::Object(inner) => list(out, &format!("{name}."), inner)?,
            FieldType::Objects(inner) => list(out, &format!("{name}[]."), inner)?,
            _ => {}
        }
    }
    Ok(())
}

/// The values that a field takes, where its name and meaning do not say it.
fn range(holds: FieldType) -> Option<String> {
    Some(match holds {
        FieldType::Centavos => "1 to 100,000,000,000,000".into(),
        FieldType::CentavosOrZero => "0 to 100,000,000,000,000".into(),
        FieldType::SignedCentavos => "not 0, at most 100,000,000,000,000 either way".into(),
        FieldType::BasisPoints => "0 to 10,000".into(),
        FieldType::Whole(0, most) => format!("a whole number, at most {}", group_thousands(most)),
        FieldType::Whole(least, most) => {
            format!("a whole number, {} to {}", group_thousands(least), group_thousands(most))
        }
        FieldType::Flag => "true or false".into(),
        FieldType::Moment => "an RFC 3339 instant with an offset".into(),
        FieldType::Pix => "32 letters and digits".into(),
        FieldType::Decimal(_) => "a decimal string".into(),
        FieldType::Text(most) => format!("at most {most} characters"),
        FieldType::Reference(most) => format!("at most {most} characters, none a blank"),
        FieldType::List => "a list of texts".into(),
        FieldType::Metadata => "an object of texts, whole numbers, booleans and nulls".into(),
        FieldType::Word(_)
        | FieldType::Operation
        | FieldType::Object(_)
        | FieldType::Objects(_) => return None,
    })
}

/// A number with its thousands set apart.
fn group_thousands(number: u16) -> String {
    if number < 1_000 {
        number.to_string()
    } else {
        format!("{},{:03}", number / 1_000, number % 1_000)
    }
}
