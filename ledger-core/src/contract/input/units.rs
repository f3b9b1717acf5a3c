//! Units of crypto, read at an asset's scale.

use super::fields::Fields;
use crate::coin::{Scale, Units};
use crate::contract::error::{Problem, wrong};

pub(in crate::contract) fn units(
    fields: &Fields<'_>,
    name: &str,
    scale: Scale,
) -> Result<Units, Problem> {
    Units::parse(fields.required_text(name, 40)?, scale).ok_or_else(|| no_units(name, scale))
}

pub(in crate::contract) fn units_or_nothing(
    fields: &Fields<'_>,
    name: &str,
    scale: Scale,
) -> Result<Option<Units>, Problem> {
    let Some(text) = fields.text(name, 40)? else { return Ok(None) };
    let nothing = text.bytes().all(|b| matches!(b, b'0' | b'.')) && text.starts_with('0');
    if nothing {
        return Ok(None);
    }
    Units::parse(text, scale).map(Some).ok_or_else(|| no_units(name, scale))
}

fn no_units(name: &str, scale: Scale) -> Problem {
    let most = scale.decimals();
    wrong(name, &format!("must be a decimal string above zero, of at most {most} decimals"))
}
