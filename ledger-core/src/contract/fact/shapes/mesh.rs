//! The facts of the mesh.

use super::{ACTOR, EVIDENCE, FactShape, ID, REASON};
use crate::contract::fact::need::Need;
use crate::contract::fact::need::Need::{Optional, Required};
use crate::ledger::FactKind;

const AGENT: (&str, Need, &str) = ("agent_id", Required, "the agent's permanent id");

pub(super) const MESH: [FactShape; 3] = [
    FactShape {
        kind: FactKind::AgentActivated,
        name: "agent.activated",
        meaning: "An agent that was granted production in the sandbox comes to this ledger, with an \
                  account of its own; supplied.key brings its key, or supplied.entropy makes it.",
        fields: &[
            ID,
            AGENT,
            ("name", Required, "its name"),
            ("contact", Required, "where it is reached"),
            ("capabilities", Required, "what it can do"),
            ("settlement_address", Required, "its wallet on Polygon"),
            ("max_por_operacao_cents", Optional, "its mandate: the most an operation sends"),
            ("max_diario_cents", Optional, "its mandate: the most a day sends"),
            ("contrapartes", Optional, "its mandate: who may receive, by tax number"),
            ("referral", Optional, "the referral it registered with"),
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"agent.activated","environment":"live","body":{"id":"act-1","agent_id":"ag_0000000000020123456789abcdef","name":"Ada","contact":"ada@example.com","capabilities":["brl_to_pix"],"settlement_address":"0x52908400098527886E0F7030069857D2E4169EE7","max_por_operacao_cents":500000,"max_diario_cents":1000000,"contrapartes":["52998224725"]},"supplied":{"key":"svc_live_agent"}}"#,
    },
    FactShape {
        kind: FactKind::AgentSuspended,
        name: "agent.suspended",
        meaning: "Policy stops an agent: what is open goes on, and nothing new begins.",
        fields: &[ID, AGENT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"agent.suspended","environment":"live","body":{"id":"stop-1","agent_id":"ag_0000000000010123456789abcdef","actor":"policy","reason":"velocity"}}"#,
    },
    FactShape {
        kind: FactKind::AgentReinstated,
        name: "agent.reinstated",
        meaning: "Policy lets an agent go on where it stood.",
        fields: &[ID, AGENT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"agent.reinstated","environment":"live","body":{"id":"go-1","agent_id":"ag_0000000000010123456789abcdef","actor":"policy","reason":"cleared"}}"#,
    },
];
