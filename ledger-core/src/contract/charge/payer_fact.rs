//! What operators report of payers.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::decided_by;
use crate::contract::input::fields::{Fields, letters};
use crate::ledger::{Fact, State};
use crate::terms::Review;

/// `payer.reviewed`.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn payer(fields: &mut Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let number = fields.needed("payer_tax_number", 32)?;
    let document = crate::pix::Document::parse(number, letters(&state.policy));
    let document = document.ok_or_else(|| wrong("payer_tax_number", "must be a CPF or CNPJ"))?;
    let payer = fields.keep(fields.tokens().document(&document));
    let review = match fields.needed("finding", 16)? {
        "identified" => Review::Identified,
        "blocked" => Review::Blocked,
        "unknown" => Review::Unknown,
        _ => return Err(wrong("finding", "must be identified, blocked or unknown")),
    };
    Ok(Fact::PayerReviewed { payer, review, decided_by: decided_by(fields)? })
}
