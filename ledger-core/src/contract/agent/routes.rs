//! The mesh on the wire: agents register, set their mandate, ask for production, refer others.

use serde_json::json;

use super::body::{capability, mandate, registration};
use super::view::{offered, settlement};
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::{Call, CallKind, CallOutcome, Response};
use crate::contract::error::{Code, Problem, Route};
use crate::contract::input::fields::Fields;
use crate::contract::input::query::{Target, not_taken, unknown};
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::Vault;
use crate::id::AgentId;
use crate::ledger::{AccountSettings, AgentRequest, Archive, Outcome, Public, Request};
use crate::terms::Terms;

/// What is asked below `/mesh`.
pub(in crate::contract) fn route<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    method: &str,
    target: &Target,
    path: &[&str],
) -> Result<CallOutcome, Refused> {
    let known = match path {
        [] | ["agents", _, "network" | "rewards"] => "GET",
        ["agents" | "referrals"]
        | ["agents", _, "validate" | "settlement" | "mandate" | "production-request"] => "POST",
        _ => return Err(unknown(method, target).into()),
    };
    if method != known {
        return Err(not_taken(target, &[known]).into());
    }
    target.only(&[])?;
    let name = context.ledger.state.name.to_string();
    let policy = context.ledger.state.policy.clone();
    let (call, tokens) = (context.call, context.tokens);
    let empty = json!({});
    let body = if call.body.is_null() { &empty } else { &call.body };
    let mut fields = Fields::of(body, tokens, &name)?.noting(context.reads);
    match path {
        [] => Ok(CallOutcome::new(
            Response::ok(offered(&policy, &Terms::published_at(context.call.at))),
            None,
        )),
        ["agents"] => {
            if name == "live" {
                let detail = "agents register in the sandbox; production is asked for from there";
                return Err(Problem::new(Code::NotPermitted, detail).into());
            }
            let asked = registration(&mut fields, &call.supplied)?;
            // Referrals are given in production, whose ledger shares nothing with this one.
            let given = |id: &str| {
                AgentId::is_referral(id, "live") || context.ledger.state.referrer(id).is_some()
            };
            if asked.referral.as_deref().is_some_and(|id| !given(id)) {
                let detail = "referral is none that was given";
                return Err(Problem::new(Code::NotFound, detail).into());
            }
            let personal = fields.into_personal();
            let key = Secret::supplied(&call.supplied, &name)?;
            context.carry_out_public(
                Public::Register(Box::new(asked)),
                personal,
                |views, outcome| {
                    let Outcome::Registered(agent) = outcome else {
                        unreachable!("an agent is registered or refused, not {outcome:?}")
                    };
                    let mut view = views.agent(agent);
                    view["api_key"] = key.expose().into();
                    view
                },
            )
        }
        ["referrals"] => {
            if name != "live" {
                context.account()?;
                let detail = "a referral needs a production key";
                return Err(Problem::new(Code::NotPermitted, detail).into());
            }
            let capability: Box<str> = capability("capability", fields.needed("capability", 64)?)?;
            let asked = AgentRequest::Refer { capability: capability.clone() };
            context.carry_out(
                Request::Agent(asked),
                Vec::new(),
                Route::Other,
                |views, account, _| views.referral(account, &capability),
            )
        }
        ["agents", id, what] => {
            let asked = match *what {
                "network" => return context.read(|views, account, _| views.network(account, id)),
                "rewards" => return context.read(|views, account, _| views.rewards(account, id)),
                "validate" => Request::Agent(AgentRequest::Validate),
                "settlement" => {
                    let address = fields.needed("settlement_address", 128)?.into();
                    let settlement = Some(address);
                    let asked = AccountSettings { settlement, ..AccountSettings::default() };
                    Request::Settings(Box::new(asked))
                }
                "mandate" => {
                    let mandate = mandate(&mut fields, &policy)?;
                    Request::Agent(AgentRequest::Mandate(Box::new(mandate)))
                }
                _ => return production(&mut context, id),
            };
            context.own_agent(id)?;
            context.carry_out(asked, fields.into_personal(), Route::Other, |views, account, _| {
                views.agent(views.agent_of(account))
            })
        }
        _ => unreachable!("known above"),
    }
}

/// `POST /mesh/agents/{agent_id}/production-request`. The key is shown once; the live ledger, which
/// shares nothing with this one, is reported by a call of its own.
fn production<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    id: &str,
) -> Result<CallOutcome, Refused> {
    let key = Secret::supplied(&context.call.supplied, "live")?;
    let hash = context.tokens.api_key(key.expose());
    let agent = context.own_agent(id)?;
    let asked = Request::Agent(AgentRequest::Activate { key: hash });
    let mut handled = context.carry_out(asked, Vec::new(), Route::Other, |views, _, _| {
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
    if granted && *views.state.name != *"live" {
        handled.onward = views.admission(known).map(|body| Call {
            at: context.call.at,
            origin: context.call.origin.clone(),
            ask: CallKind::Fact("agent.activated".into()),
            body,
            supplied: json!({ "key": key.expose() }),
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
