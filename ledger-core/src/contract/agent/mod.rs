//! The mesh on the wire: agents register, set their mandate, ask for production, refer others.

pub(super) mod body;
pub(super) mod fact;
pub(super) mod view;
pub(super) mod wire;

use serde_json::{Value, json};

use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::{Call, CallKind, CallOutcome, Response};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Personal, Vault};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, post};
use crate::id::{AgentId, Environment, LedgerName};
use crate::ledger::{
    AccountSettings, AgentRequest, Archive, Outcome, Public, Request, may_issue_production,
};
use crate::terms::Terms;
use fact::ACTIVATED;
use view::{mesh_offer, settlement};

/// The routes of the mesh.
pub(super) struct Mesh;

impl<A: Archive, V: Vault> Routes<A, V> for Mesh {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: get("/mesh"),
                text: RouteText {
                    name: "GetMesh",
                    tag: "Agents",
                    summary: "Show what agents can do",
                    description: "Capabilities, intents, limits, and the steps to production.",
                },
                access: Access::Anybody,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Mesh", wire::MESH),
                errors: &[],
            },
            handler: offer,
        },
        Route {
            shape: RouteShape {
                ask: post("/mesh/agents"),
                text: RouteText {
                    name: "RegisterAgent",
                    tag: "Agents",
                    summary: "Register an agent",
                    description: "Registers an agent in the sandbox. Its test key is shown once.",
                },
                access: Access::Anybody,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::REGISTRATION,
                answer: answers("RegisteredAgent", wire::REGISTERED),
                errors: &[Code::NotFound, Code::NotPermitted, Code::TestKeyLimit],
            },
            handler: register,
        },
        Route {
            shape: RouteShape {
                ask: post("/mesh/referrals"),
                text: RouteText {
                    name: "CreateReferral",
                    tag: "Agents",
                    summary: "Refer another agent",
                    description: "Gives what another agent registers with. It needs a production key.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::REFERRAL,
                answer: answers("Referral", wire::REFERRAL),
                errors: &[Code::NotPermitted],
            },
            handler: refer,
        },
        Route {
            shape: RouteShape {
                ask: get("/mesh/agents/{agent_id}/network"),
                text: RouteText {
                    name: "AgentNetwork",
                    tag: "Agents",
                    summary: "Show an agent's lineage",
                    description: "Whom the agent came by, whom it referred, and what they settled.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("AgentNetwork", wire::NETWORK),
                errors: &[Code::NotFound],
            },
            handler: network,
        },
        Route {
            shape: RouteShape {
                ask: get("/mesh/agents/{agent_id}/rewards"),
                text: RouteText {
                    name: "AgentRewards",
                    tag: "Agents",
                    summary: "Show an agent's rewards",
                    description: "What the volume of those it referred earned it.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("AgentRewards", wire::REWARDS),
                errors: &[Code::NotFound],
            },
            handler: rewards,
        },
        Route {
            shape: RouteShape {
                ask: post("/mesh/agents/{agent_id}/validate"),
                text: RouteText {
                    name: "ValidateAgent",
                    tag: "Agents",
                    summary: "Validate in the sandbox",
                    description: "Shows that the agent uses the sandbox.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Agent", wire::AGENT),
                errors: &[Code::NotFound, Code::NotPermitted],
            },
            handler: validate,
        },
        Route {
            shape: RouteShape {
                ask: post("/mesh/agents/{agent_id}/settlement"),
                text: RouteText {
                    name: "SetSettlementAddress",
                    tag: "Agents",
                    summary: "Set the settlement wallet",
                    description: "Sets the wallet that the agent is settled to.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::SETTLEMENT,
                answer: answers("Agent", wire::AGENT),
                errors: &[Code::NotFound, Code::AddressInvalid],
            },
            handler: settle,
        },
        Route {
            shape: RouteShape {
                ask: post("/mesh/agents/{agent_id}/mandate"),
                text: RouteText {
                    name: "SetMandate",
                    tag: "Agents",
                    summary: "Set the mandate",
                    description: "Says what the agent lets itself send. A mandate only tightens the limits of the platform.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::MANDATE,
                answer: answers("Agent", wire::AGENT),
                errors: &[
                    Code::AmountInvalid,
                    Code::DocumentInvalid,
                    Code::NotFound,
                    Code::NotPermitted,
                ],
            },
            handler: bind,
        },
        Route {
            shape: RouteShape {
                ask: post("/mesh/agents/{agent_id}/production-request"),
                text: RouteText {
                    name: "RequestProduction",
                    tag: "Agents",
                    summary: "Ask for production",
                    description: "Activates the agent when every requirement holds. Otherwise 422 says what is missing.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("ProductionAccess", wire::PRODUCTION),
                errors: &[Code::Conflict, Code::NotFound, Code::NotProcessable, Code::RateLimit],
            },
            handler: produce,
        },
    ];
}

fn offer<A: Archive, V: Vault>(
    _: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    let shown = mesh_offer(parts.policy, &Terms::published_at(parts.call.at));
    Ok(CallOutcome::new(Response::ok(shown), None))
}

fn register<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body_if()?;
    if context.ledger.state.is_live() {
        let detail = "agents register in the sandbox; production is asked for from there";
        return Err(Problem::new(Code::NotPermitted, detail).into());
    }
    let asked = body::registration(&mut fields, parts.call)?;
    let state = &context.ledger.state;
    let given = |id: &str| may_be_given(id, &state.name) || state.referrer(id).is_some();
    if asked.referral.as_deref().is_some_and(|id| !given(id)) {
        let detail = "referral is none that was given";
        return Err(Problem::new(Code::NotFound, detail).into());
    }
    let key = Secret::from_supply(&parts.call.supplied, parts.ledger.environment())?;
    let asked = Public::Register(Box::new(asked));
    context.carry_out_public(asked, fields.into_personal(), |views, outcome| {
        let Outcome::Registered(agent) = outcome else {
            unreachable!("an agent is registered or refused, not {outcome:?}")
        };
        let mut view = views.agent(agent);
        view["api_key"] = key.expose().into();
        view
    })
}

/// Tells whether a live ledger can have given this referral. Its ledger shares nothing with this
/// one, and only that of the sandbox named `sandbox` is known by name: it is `live`.
fn may_be_given(referral: &str, ledger: &LedgerName) -> bool {
    if **ledger == *Environment::Sandbox.name() {
        AgentId::is_referral(referral, Environment::Live.name())
    } else {
        AgentId::is_shaped_as_referral(referral)
    }
}

fn refer<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let fields = parts.body_if()?;
    if !context.ledger.state.is_live() {
        context.account()?;
        let detail = "a referral needs a production key";
        return Err(Problem::new(Code::NotPermitted, detail).into());
    }
    let capability = body::capability("capability", fields.required_text("capability", 64)?)?;
    let asked = Request::Agent(AgentRequest::Refer { capability: capability.clone() });
    context.carry_out(asked, Vec::new(), |views, account, _| views.referral(account, &capability))
}

fn network<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    context.read(|views, account, _| views.network(account, parts.parameter()))
}

fn rewards<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    context.read(|views, account, _| views.rewards(account, parts.parameter()))
}

fn validate<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    carry_out(context, parts, Request::Agent(AgentRequest::Validate), Vec::new())
}

fn settle<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let address = parts.body_if()?.required_text("settlement_address", 128)?.into();
    let asked = AccountSettings { settlement: Some(address), ..AccountSettings::default() };
    carry_out(context, parts, Request::Settings(Box::new(asked)), Vec::new())
}

fn bind<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let mut fields = parts.body_if()?;
    let mandate = Box::new(body::mandate(&mut fields, parts.policy)?);
    let asked = Request::Agent(AgentRequest::Mandate(mandate));
    carry_out(context, parts, asked, fields.into_personal())
}

/// Carries out what an agent asks for itself, and shows the agent.
fn carry_out<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
    asked: Request,
    personal: Vec<Personal>,
) -> Result<CallOutcome, Refused> {
    context.own_agent(parts.parameter())?;
    context.carry_out(asked, personal, |views, account, _| views.agent(views.agent_of(account)))
}

/// `POST /mesh/agents/{agent_id}/production-request`. The key is shown once; the live ledger, which
/// shares nothing with this one, is reported by a call of its own.
fn produce<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    let key = Secret::from_supply(&parts.call.supplied, Environment::Live)?;
    let hash = parts.tokens.api_key(key.expose());
    let agent = context.own_agent(parts.parameter())?;
    if context.views().known_agent(agent).grant.is_none() {
        // Whoever embeds both ledgers says how many keys of production the address was given.
        let issued = parts.call.supplied.get("production_keys_issued").and_then(Value::as_u64);
        let issued = u16::try_from(issued.unwrap_or(0)).unwrap_or(u16::MAX);
        may_issue_production(issued, parts.call.at).map_err(Problem::from)?;
    }
    let asked = Request::Agent(AgentRequest::Activate { key: hash });
    let mut handled = context.carry_out(asked, Vec::new(), |views, _, _| {
        let known = views.known_agent(agent);
        let grant = known.grant.as_ref().expect("an agent in production was granted it");
        json!({
            "status": "production_active",
            "environment": "production",
            "activated_by": "policy",
            "agent_id": known.profile.id,
            "api_key": null,
            "settlement": settlement(&grant.settlement),
        })
    })?;
    if handled.records.iter().any(|record| !record.cause.deadline) {
        handled.response.body["api_key"] = key.expose().into();
    }
    // A repeat tells it again, for whoever could not pass it on; another key is never passed on.
    let views = context.views();
    let known = views.known_agent(agent);
    let granted = known.grant.as_ref().is_some_and(|grant| grant.key == hash);
    if granted && parts.ledger.environment() != Environment::Live {
        handled.onward = views.admission(known).map(|body| Call {
            at: parts.call.at,
            origin: parts.call.origin.clone(),
            ask: CallKind::Fact(ACTIVATED.into()),
            body,
            supplied: json!({ "key": key.expose(), "address": parts.call.ip }),
            ip: None,
        });
    }
    Ok(handled)
}

impl<A: Archive, V: Vault> RequestContext<'_, A, V> {
    /// The agent of this id, if the key is its own.
    fn own_agent(&self, id: &str) -> Result<AgentId, Problem> {
        let account = self.account()?;
        self.views().own_agent(account, id)
    }
}
