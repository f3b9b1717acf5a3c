//! A request made again: answered with its original, or refused with the fields that differ.

use super::refusal::{Field, Refusal};
use super::{Decision, Outcome};
use crate::id::OpId;

pub(in crate::ledger) fn repeat(op: OpId, mut fields: Vec<Field>) -> Result<Decision, Refusal> {
    if fields.is_empty() {
        Ok(Decision::nothing(Outcome::Repeated(op)))
    } else {
        fields.sort_unstable();
        Err(Refusal::IdentityDiverges { original: op, fields })
    }
}

pub(in crate::ledger) fn fields_of(pairs: &[(bool, Field)]) -> Vec<Field> {
    pairs.iter().filter(|(same, _)| !same).map(|(_, field)| *field).collect()
}
