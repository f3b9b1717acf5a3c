//! Facts about agents.

use serde_json::Value;

use super::body::{capabilities, is_agent_id, mandate, named};
use crate::contract::account::terms_facts;
use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::Fields;
use crate::ledger::{Newcomer, State};
use crate::terms::is_address;

pub(in crate::contract) fn agent(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    let id = fields.needed("agent_id", 80)?;
    if is_agent_id(id) {
        Ok(id.into())
    } else {
        Err(wrong("agent_id", "must be the permanent id of an agent"))
    }
}

pub(in crate::contract) fn newcomer(
    fields: &mut Fields<'_>,
    supplied: &Value,
    state: &State,
) -> Result<Newcomer, Problem> {
    let id = agent(fields)?;
    let key = terms_facts::api_key(supplied, fields.ledger())?;
    let (name, contact) = named(fields)?;
    let settlement = fields.needed("settlement_address", 128)?;
    if !is_address("polygon", settlement) {
        return Err(wrong("settlement_address", "must be a wallet on Polygon"));
    }
    Ok(Newcomer {
        id,
        key: fields.tokens().api_key(key.expose()),
        name,
        contact,
        capabilities: capabilities(fields)?,
        referral: fields.text("referral", 64)?.map(Into::into),
        settlement: settlement.into(),
        mandate: mandate(fields, &state.policy)?,
    })
}
