//! Answers about the mesh: agents, their mandates, and what their referrals earn.

use crate::contract::schema::answer::AnswerType::{Object, Objects};
use crate::contract::schema::answer::{
    AnswerField, WALLET, bps, cents, field, moment, text, texts, whole, word,
};
use crate::contract::schema::field::concat;

const STATUS: &[&str] =
    &["registered", "sandbox_active", "validated", "production_active", "suspended"];

const ENVIRONMENTS: &[&str] = &["sandbox", "production"];

const SETTLEMENT: &[AnswerField] = &[
    text("address", "the wallet that is settled to", WALLET),
    text("network", "its network", "polygon"),
];

const MANDATE: &[AnswerField] = &[
    cents("max_por_operacao_cents", "the most that an operation sends", 100_000).or_null(),
    cents("max_diario_cents", "the most that a day sends", 500_000).or_null(),
    texts("contrapartes", "who may receive, masked; none: everybody", &["***.982.247-**"]),
    cents("teto_por_operacao_cents", "the lower of mandate and platform", 100_000),
    cents("usado_hoje_cents", "what this day has sent", 0),
];

const REPUTATION: &[AnswerField] = &[
    whole("settled", "operations that were settled", "operations", 12),
    whole("failed", "operations that failed", "operations", 0),
    whole("disputed", "operations that were disputed", "operations", 0),
    moment("since", "since when they are counted"),
];

const ID: AnswerField =
    text("agent_id", "the agent's permanent id", "ag_000000000002f0604c15a202b1a0");

/// An agent; its key stands in it only when it is made.
pub const AGENT: &[AnswerField] = &[
    ID,
    word("status", "where the agent stands", STATUS),
    word("environment", "which environment it is of", ENVIRONMENTS),
    text("name", "its name", "Ada"),
    text("contact", "where it is reached", "ada@exemplo.com.br"),
    texts("capabilities", "what it can do", &["usdt_to_pix"]),
    text("referral", "the referral it came by", "rf_0000000000473810711bd683f848").or_null(),
    field("settlement", Object("Settlement", SETTLEMENT), "where it is settled").or_null(),
    field("mandate", Object("Mandate", MANDATE), "what it lets itself send").or_null(),
    field("reputation", Object("Reputation", REPUTATION), "what became of its operations"),
];

/// Answers `POST /mesh/agents`: the agent, with its key once.
pub const REGISTERED: &[AnswerField] =
    &concat::<AnswerField, { AGENT.len() + SHOWN_ONCE.len() }>(&[AGENT, SHOWN_ONCE]);

const SHOWN_ONCE: &[AnswerField] =
    &[text("api_key", "its key, shown once", "svc_test_5a5a5a5a").sometimes()];

/// Answers `POST /mesh/agents/{agent_id}/production-request`: the agent's state, with its key once.
pub const PRODUCTION: &[AnswerField] = &[
    word("status", "where the agent stands", STATUS),
    word("environment", "which environment the key is of", ENVIRONMENTS),
    word("activated_by", "who activated it: no person", &["policy"]),
    ID,
    text("api_key", "the production key, shown once", "svc_live_5a5a5a5a").or_null(),
    field("settlement", Object("Settlement", SETTLEMENT), "where it is settled"),
];

/// Answers `POST /mesh/referrals`: the id to register with.
pub const REFERRAL: &[AnswerField] = &[
    text("referral_id", "what the other agent registers with", "rf_0000000000473810711bd683f848")
        .or_null(),
    text("capability", "what the other agent is referred for", "usdt_to_pix"),
    ID,
    word("status", "where the agent stands", STATUS),
];

const REFERRED: &[AnswerField] = &[
    ID,
    word("status", "where the agent stands", STATUS),
    cents("volume_cents", "what it settled", 0),
];

/// Answers `GET /mesh/agents/{agent_id}/network`: the agents that it referred.
pub const NETWORK: &[AnswerField] = &[
    ID,
    word("status", "where the agent stands", STATUS),
    field("reputation", Object("Reputation", REPUTATION), "what became of its operations"),
    text("referred_by", "the agent that referred it", "ag_000000000002f0604c15a202b1a0").or_null(),
    cents("volume_cents", "what it settled", 1_000_000),
    cents("referred_volume_cents", "what those it referred settled", 1_000_000),
    field("referred", Objects("ReferredAgent", REFERRED), "whom it referred"),
];

/// Answers `GET /mesh/agents/{agent_id}/rewards`: rewards earned by referrals.
pub const REWARDS: &[AnswerField] = &[
    ID,
    word("status", "where the agent stands", STATUS),
    bps("reward_bps", "what it earns of the volume it referred", 10),
    cents("referred_volume_cents", "that volume", 1_000_000),
    cents("accrued_cents", "what it earned so far", 1_000),
    cents("balance_cents", "what of it is its balance", 1_000),
    field("referred", Objects("ReferredAgent", REFERRED), "whom it referred"),
];

const INTENT: &[AnswerField] = &[
    text("intent", "the capability", "usdt_to_pix"),
    text("endpoint", "the route that does it", "POST /cash-outs with asset usdt"),
];

const EXECUTION: &[AnswerField] = &[
    text("authentication", "the header of the key", "X-API-Key"),
    text("idempotency", "the field that makes a repetition safe", "external_id"),
    text("amounts", "what integers of money are", "centavos"),
    texts("environments", "the environments", ENVIRONMENTS),
];

const RANGE: &[AnswerField] = &[
    cents("min_brl_cents", "the least of an operation", 101).or_null(),
    cents("max_brl_cents", "the most of an operation", 600_000),
];

const LIMITS: &[AnswerField] = &[
    field("cashin", Object("OperationRange", RANGE), "of a charge"),
    field("payout", Object("OperationRange", RANGE), "of a payout"),
    field("cashout", Object("OperationRange", RANGE), "of a cash-out order"),
    bps("reward_bps", "what a referral earns of the volume", 10),
];

/// A call that leads on.
pub const NEXT_ACTION: &[AnswerField] = &[
    text("method", "the method", "POST"),
    text("endpoint", "the path", "/mesh/agents"),
    text("why", "what it does", "register: name, contact, capabilities"),
];

/// Answers `GET /mesh`: capabilities, routes, limits and first steps.
pub const MESH: &[AnswerField] = &[
    texts("capabilities", "what agents can do here", &["usdt_to_pix"]),
    field("intents", Objects("Intent", INTENT), "which route does what"),
    field("execution", Object("Execution", EXECUTION), "how routes are called"),
    field("limits", Object("MeshLimits", LIMITS), "the published limits"),
    field("how_to_start", Objects("NextAction", NEXT_ACTION), "the steps to production"),
];
