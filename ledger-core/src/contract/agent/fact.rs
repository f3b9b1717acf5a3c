//! Facts about agents.

use core::net::IpAddr;

use serde_json::Value;

use super::body::{CAPABLE_OF, capabilities, is_agent_id, mandate, name_and_contact};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACTOR, EVIDENCE, ID, REASON, decided_by};
use crate::contract::fact::shape::{FactShape, ReadContext, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::input::secret::Secret;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{CentavosOrZero, List, Reference, Text};
use crate::contract::schema::field::{Field, optional, required};
use crate::ledger::agent::Fact as AgentFact;
use crate::ledger::{Fact, FactKind, Malformed, Newcomer};
use crate::network::address::may_be_wallet;

const AGENT: Field = required("agent_id", Text(80), "the agent's permanent id");
const SETTLED_TO: Field = required("settlement_address", Reference(128), "its wallet on Polygon");
const REFERRED: Field = optional("referral", Text(64), "the referral it registered with");

checked!(
    enum AgentFact {
        Activated(newcomer),
        Suspended { agent: AGENT },
        Reinstated { agent: AGENT },
    }
);

checked!(Newcomer {
    id: AGENT,
    settlement: (SETTLED_TO, Malformed::settlement),
    referral: REFERRED,
    capabilities: (CAPABLE_OF, Malformed::word),
});

/// The name of the fact that brings an agent from the sandbox.
pub(in crate::contract) const ACTIVATED: &str = "agent.activated";

/// The facts of the mesh.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::AgentActivated,
        name: ACTIVATED,
        subject: Subject::Agent,
        meaning: "An agent that was granted production in the sandbox comes to this ledger, with \
                  an account of its own. `supplied.key` brings its key; without it, \
                  `supplied.entropy` (64 hex digits) makes one, which the answer shows once, in \
                  `api_key`. `supplied.address` says where production was asked from.",
        fields: &[
            ID,
            AGENT,
            required("name", Text(255), "its name"),
            required("contact", Text(255), "where it is reached"),
            CAPABLE_OF,
            SETTLED_TO,
            optional(
                "max_por_operacao_cents",
                CentavosOrZero,
                "its mandate: the most an operation sends",
            ),
            optional("max_diario_cents", CentavosOrZero, "its mandate: the most a day sends"),
            optional("contrapartes", List, "its mandate: who may receive, by tax number"),
            REFERRED,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"agent.activated","environment":"live","body":{"id":"act-1","agent_id":"ag_0000000000020123456789abcdef","name":"Ada","contact":"ada@example.com","capabilities":["brl_to_pix"],"settlement_address":"0x52908400098527886E0F7030069857D2E4169EE7","max_por_operacao_cents":500000,"max_diario_cents":1000000,"contrapartes":["52998224725"]},"supplied":{"key":"svc_live_agent"}}"#,
        read: |fields, context| {
            Ok(Fact::Agent(AgentFact::Activated(Box::new(newcomer(fields, context)?))))
        },
    },
    FactShape {
        kind: FactKind::AgentSuspended,
        name: "agent.suspended",
        subject: Subject::Agent,
        meaning: "Policy stops an agent: what is open goes on, and nothing new begins.",
        fields: &[ID, AGENT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"agent.suspended","environment":"live","body":{"id":"stop-1","agent_id":"ag_0000000000010123456789abcdef","actor":"policy","reason":"velocity"}}"#,
        read: |fields, _| {
            Ok(Fact::Agent(AgentFact::Suspended {
                agent: agent(fields)?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    FactShape {
        kind: FactKind::AgentReinstated,
        name: "agent.reinstated",
        subject: Subject::Agent,
        meaning: "Policy lets an agent go on where it stood.",
        fields: &[ID, AGENT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"agent.reinstated","environment":"live","body":{"id":"go-1","agent_id":"ag_0000000000010123456789abcdef","actor":"policy","reason":"cleared"}}"#,
        read: |fields, _| {
            Ok(Fact::Agent(AgentFact::Reinstated {
                agent: agent(fields)?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
];

fn agent(fields: &Fields<'_>) -> Result<Box<str>, Problem> {
    let id = fields.required_text("agent_id", 80)?;
    if is_agent_id(id) {
        Ok(id.into())
    } else {
        Err(wrong("agent_id", "must be the permanent id of an agent"))
    }
}

/// `supplied.address`: where production was asked from.
fn asked_from(supplied: &Value) -> Result<Option<IpAddr>, Problem> {
    let Some(value) = supplied.get("address").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    let address = value.as_str().and_then(|text| text.parse().ok());
    address.map(Some).ok_or_else(|| wrong("supplied.address", "must be an IP address"))
}

fn newcomer(fields: &mut Fields<'_>, context: &ReadContext<'_>) -> Result<Newcomer, Problem> {
    let id = agent(fields)?;
    let key = Secret::from_supply(context.supplied, fields.ledger().environment())?;
    let (name, contact) = name_and_contact(fields)?;
    let settlement = fields.required_text("settlement_address", 128)?;
    if !may_be_wallet("polygon", settlement) {
        return Err(wrong("settlement_address", "must be a wallet on Polygon"));
    }
    Ok(Newcomer {
        id,
        key: fields.tokens().api_key(key.expose()),
        name,
        contact,
        capabilities: capabilities(fields)?,
        referral: fields.text("referral", 64)?.map(Into::into),
        address: asked_from(context.supplied)?.map(|ip| fields.tokens().address(ip)),
        settlement: settlement.into(),
        mandate: mandate(fields, &context.state.policy)?,
    })
}
