//! Facts on the wire, read as their domains declare them.

use super::shape::{FactShape, ReadContext};
use crate::contract::error::Problem;
use crate::contract::input::fields::Fields;
use crate::ledger::Reported;

/// Reads the body of a fact.
///
/// # Errors
///
/// A [`Problem`] naming the field that is missing, unknown or malformed.
pub fn read(
    shape: &FactShape,
    fields: &mut Fields<'_>,
    context: &ReadContext<'_>,
) -> Result<Reported, Problem> {
    fields.only(shape.fields)?;
    let has_id = shape.field("id").is_some();
    let id = if has_id { Some(fields.needed("id", 80)?.into()) } else { None };
    Ok(Reported { id, fact: (shape.read)(fields, context)? })
}
