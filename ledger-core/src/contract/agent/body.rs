//! Bodies about agents: what one registers with, and what it may send.

use serde_json::Value;

use crate::contract::call::Call;
use crate::contract::error::{Code, Problem, malformed_field, wrong};
use crate::contract::input::fields::{Fields, letters, missing};
use crate::contract::input::secret::Secret;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{CentavosOrZero, List, Reference, Text};
use crate::contract::schema::field::{Field, optional, required};
use crate::ledger::{AgentRequest, Malformed, Registration};
use crate::pix::Document;
use crate::terms::{Mandate, Policy};

/// The body of `POST /mesh/agents`.
pub(in crate::contract) const REGISTRATION: &[Field] = &[
    required("name", Text(255), "its name"),
    required("contact", Text(255), "where it is reached"),
    CAPABLE_OF,
    REFERRED,
];

pub(in crate::contract) const CAPABLE_OF: Field = required("capabilities", List, "what it can do");
const REFERRED: Field = optional("referral", Text(64), "the referral it comes by");
const CAPABILITY: Field =
    required("capability", Text(64), "what the other agent is referred for").like("usdt_to_pix");

checked!(Registration { capabilities: (CAPABLE_OF, Malformed::word), referral: REFERRED });

checked!(enum AgentRequest {
    Refer { capability: (CAPABILITY, Malformed::word) },
} else Validate, Mandate, Activate);

/// The body of `POST /mesh/referrals`.
pub(in crate::contract) const REFERRAL: &[Field] = &[CAPABILITY];

/// The body of `POST /mesh/agents/{agent_id}/settlement`.
pub(in crate::contract) const SETTLEMENT: &[Field] =
    &[required("settlement_address", Reference(128), "its wallet")];

/// The body of `POST /mesh/agents/{agent_id}/mandate`.
pub(in crate::contract) const MANDATE: &[Field] = &[
    optional("max_por_operacao_cents", CentavosOrZero, "the most an operation sends"),
    optional("max_diario_cents", CentavosOrZero, "the most a day sends"),
    optional("contrapartes", List, "who may receive, by tax number; absent: all"),
];

pub(in crate::contract) fn registration(
    fields: &mut Fields<'_>,
    call: &Call,
) -> Result<Registration, Problem> {
    let key = Secret::from_supply(&call.supplied, fields.ledger().environment())?;
    let address = call.ip.map(|ip| fields.tokens().address(ip));
    let key = fields.tokens().api_key(key.expose());
    let (name, contact) = name_and_contact(fields)?;
    let capabilities = capabilities(fields)?;
    let referral = fields.text("referral", 64)?.map(Into::into);
    Ok(Registration { key, name, contact, capabilities, referral, address })
}

/// An agent's name and contact, both personal.
pub(in crate::contract) fn name_and_contact(
    fields: &mut Fields<'_>,
) -> Result<(crate::id::Token, crate::id::Token), Problem> {
    let name = fields.tokens().name(fields.required_text("name", 255)?);
    let contact = fields.tokens().text(fields.required_text("contact", 255)?);
    Ok((fields.keep(name), fields.keep(contact)))
}

/// `capabilities[]`, in order, each once.
pub(in crate::contract) fn capabilities(fields: &Fields<'_>) -> Result<Vec<Box<str>>, Problem> {
    let items = list(fields, "capabilities")?.ok_or_else(|| missing("capabilities"))?;
    let mut named = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let place = format!("capabilities[{index}]");
        let text = item.as_str().ok_or_else(|| wrong(&place, "must be a string"))?;
        named.push(capability(&place, text)?);
    }
    named.sort_unstable();
    named.dedup();
    if named.is_empty() { Err(wrong("capabilities", "must name at least one")) } else { Ok(named) }
}

pub(in crate::contract) fn capability(place: &str, text: &str) -> Result<Box<str>, Problem> {
    Malformed::word(text).map_err(|why| malformed_field(place, why))?;
    Ok(text.into())
}

pub(in crate::contract) fn list<'a>(
    fields: &Fields<'a>,
    name: &str,
) -> Result<Option<&'a Vec<Value>>, Problem> {
    let Some(value) = fields.value(name) else { return Ok(None) };
    let items = value.as_array().ok_or_else(|| wrong(name, "must be a list"))?;
    if MOST_NAMED < items.len() {
        return Err(wrong(name, &format!("must have at most {MOST_NAMED} entries")));
    }
    Ok(Some(items))
}

/// A mandate: an absent ceiling is the platform's, zero lets nothing pass, no counterparties are
/// all (P:MandateEmptyList).
pub(in crate::contract) fn mandate(
    fields: &mut Fields<'_>,
    policy: &Policy,
) -> Result<Mandate, Problem> {
    let per_operation = fields.share_if("max_por_operacao_cents")?;
    let daily = fields.share_if("max_diario_cents")?;
    let mut counterparties = Vec::new();
    for (index, item) in list(fields, "contrapartes")?.into_iter().flatten().enumerate() {
        let document = item.as_str();
        let document = document.and_then(|text| Document::parse(text, letters(policy)));
        let document = document.ok_or_else(|| {
            let detail = format!("contrapartes[{index}] must be a CPF or CNPJ, digits only");
            Problem::new(Code::DocumentInvalid, detail)
        })?;
        counterparties.push(fields.keep(fields.tokens().document(&document)));
    }
    Ok(Mandate::new(per_operation, daily, counterparties))
}

/// Tells whether text can be the permanent id of an agent.
pub(in crate::contract) fn is_agent_id(text: &str) -> bool {
    let digits = text.strip_prefix("ag_").unwrap_or_default();
    digits.len() == 28 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// What an agent can offer, by the route that does it.
pub(in crate::contract) const CAPABILITIES: [(&str, &str); 12] = [
    ("pix_to_brl", "POST /cashin/charge with destino saldo"),
    ("pix_to_crypto", "POST /cashin/charge with destino cripto"),
    ("brl_to_pix", "POST /payouts"),
    ("brl_to_crypto", "POST /saldo/sacar-cripto"),
    ("brl_to_brl", "POST /saldo/transferir"),
    ("usdt_to_pix", "POST /cash-outs with asset usdt"),
    ("crypto_to_pix", "POST /cash-outs"),
    ("depix_to_pix", "POST /cash-outs with asset depix on liquid"),
    ("crypto_to_usdt_wallet", "POST /carteira-usdt/deposits"),
    ("usdt_wallet_to_pix", "POST /carteira-usdt/payments"),
    ("pix_verification", "GET /v1/verificar/{e2e}"),
    ("pix_key_lookup", "GET /pix/keys/lookup"),
];

/// The most capabilities an agent may name, and counterparties a mandate may.
pub(in crate::contract) const MOST_NAMED: usize = 500;
