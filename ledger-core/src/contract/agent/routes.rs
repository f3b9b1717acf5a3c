//! The mesh on the wire: agents register, set their mandate, ask for production, refer others.

use serde_json::json;

use super::body::{capability, mandate, registration};
use super::view::{offered, settlement};
use crate::contract::account::terms_facts;
use crate::contract::call::context::{Door, Refused};
use crate::contract::call::{Ask, Call, Handled, Response};
use crate::contract::error::{Code, Problem, Route};
use crate::contract::input::fields::Fields;
use crate::contract::input::query::{Target, not_taken, unknown};
use crate::contract::input::tokens::Vault;
use crate::id::AgentId;
use crate::ledger::{AccountSettings, AgentRequest, Archive, Outcome, Public, Request};
use crate::terms::Terms;

/// What is asked below `/mesh`.
pub(in crate::contract) fn route<A: Archive, V: Vault>(
    mut door: Door<'_, A, V>,
    method: &str,
    target: &Target,
    path: &[&str],
) -> Result<Handled, Refused> {
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
    let name = door.ledger.state.name.to_string();
    let policy = door.ledger.state.policy.clone();
    let (call, tokens) = (door.call, door.tokens);
    let empty = json!({});
    let body = if call.body.is_null() { &empty } else { &call.body };
    let mut fields = Fields::of(body, tokens, &name)?.noting(door.reads);
    match path {
        [] => Ok(Handled::new(
            Response::ok(offered(&policy, &Terms::published_at(door.call.at))),
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
                AgentId::is_referral(id, "live") || door.ledger.state.referrer(id).is_some()
            };
            if asked.referral.as_deref().is_some_and(|id| !given(id)) {
                let detail = "referral is none that was given";
                return Err(Problem::new(Code::NotFound, detail).into());
            }
            let personal = fields.into_personal();
            let key = terms_facts::api_key(&call.supplied, &name)?;
            door.carry_out_public(Public::Register(Box::new(asked)), personal, |desk, outcome| {
                let Outcome::Registered(agent) = outcome else {
                    unreachable!("an agent is registered or refused, not {outcome:?}")
                };
                let mut view = desk.agent(agent);
                view["api_key"] = key.expose().into();
                view
            })
        }
        ["referrals"] => {
            if name != "live" {
                door.account()?;
                let detail = "a referral needs a production key";
                return Err(Problem::new(Code::NotPermitted, detail).into());
            }
            let capability: Box<str> = capability("capability", fields.needed("capability", 64)?)?;
            let asked = AgentRequest::Refer { capability: capability.clone() };
            door.carry_out(Request::Agent(asked), Vec::new(), Route::Other, |desk, account, _| {
                desk.referral(account, &capability)
            })
        }
        ["agents", id, what] => {
            let asked = match *what {
                "network" => return door.read(|desk, account, _| desk.network(account, id)),
                "rewards" => return door.read(|desk, account, _| desk.rewards(account, id)),
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
                _ => return production(&mut door, id),
            };
            door.own_agent(id)?;
            door.carry_out(asked, fields.into_personal(), Route::Other, |desk, account, _| {
                desk.agent(desk.agent_of(account))
            })
        }
        _ => unreachable!("known above"),
    }
}

/// `POST /mesh/agents/{agent_id}/production-request`. The key is shown once; the live ledger, which
/// shares nothing with this one, is told by a call of its own.
fn production<A: Archive, V: Vault>(
    door: &mut Door<'_, A, V>,
    id: &str,
) -> Result<Handled, Refused> {
    let key = terms_facts::api_key(&door.call.supplied, "live")?;
    let hash = door.tokens.api_key(key.expose());
    let agent = door.own_agent(id)?;
    let asked = Request::Agent(AgentRequest::Activate { key: hash });
    let mut handled = door.carry_out(asked, Vec::new(), Route::Other, |desk, _, _| {
        let known = desk.known_agent(agent);
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
    let desk = door.desk();
    let known = desk.known_agent(agent);
    let granted = known.grant.as_ref().is_some_and(|grant| grant.key == hash);
    if granted && *desk.state.name != *"live" {
        handled.onward = desk.admission(known).map(|body| Call {
            at: door.call.at,
            origin: door.call.origin.clone(),
            ask: Ask::Fact("agent.activated".into()),
            body,
            supplied: json!({ "key": key.expose() }),
            ip: None,
        });
    }
    Ok(handled)
}

impl<A: Archive, V: Vault> Door<'_, A, V> {
    /// The agent of this id, if the key is its own.
    fn own_agent(&self, id: &str) -> Result<AgentId, Problem> {
        let account = self.account()?;
        self.desk().own_agent(account, id)
    }
}
