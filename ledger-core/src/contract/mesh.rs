//! The mesh on the wire: agents register, set their mandate, ask for production, refer others.

use serde_json::{Value, json};

use super::adopted;
use super::call::{Ask, Call, Handled, Response};
use super::door::{Door, Refused};
use super::error::{Code, Problem, Route};
use super::fields::{Fields, missing, wrong};
use super::query::Target;
use super::requests;
use super::routes;
use super::tokens::Vault;
use super::views::{Desk, whole};
use crate::id::{AccountId, AgentId};
use crate::ledger::{
    AccountSettings, AgentRequest, Archive, Member, Outcome, Public, REWARD_BPS, Registration,
    Reputation, Request, on_volume,
};
use crate::machine::agent::{Agent, Requirement, Stage};
use crate::pix::Document;
use crate::terms::{Mandate, Policy, Terms};

/// What an agent can offer, by the route that does it.
const CAPABILITIES: [(&str, &str); 12] = [
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
const MOST_NAMED: usize = 500;

/// What is asked below `/mesh`.
pub(super) fn route<A: Archive, V: Vault>(
    mut door: Door<'_, A, V>,
    method: &str,
    target: &Target,
    path: &[&str],
) -> Result<Handled, Refused> {
    let known = match path {
        [] | ["agents", _, "network" | "rewards"] => "GET",
        ["agents" | "referrals"]
        | ["agents", _, "validate" | "settlement" | "mandate" | "production-request"] => "POST",
        _ => return Err(routes::unknown(method, target).into()),
    };
    if method != known {
        return Err(routes::not_taken(target, &[known]).into());
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
            let key = adopted::api_key(&call.supplied, &name)?;
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
    let key = adopted::api_key(&door.call.supplied, "live")?;
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

fn registration(fields: &mut Fields<'_>, supplied: &Value) -> Result<Registration, Problem> {
    let key = adopted::api_key(supplied, fields.ledger())?;
    let key = fields.tokens().api_key(key.expose());
    let (name, contact) = named(fields)?;
    let capabilities = capabilities(fields)?;
    let referral = fields.text("referral", 64)?.map(Into::into);
    Ok(Registration { key, name, contact, capabilities, referral })
}

/// An agent's name and contact, both personal.
pub(super) fn named(
    fields: &mut Fields<'_>,
) -> Result<(crate::id::Token, crate::id::Token), Problem> {
    let name = fields.tokens().name(fields.needed("name", 255)?);
    let contact = fields.tokens().text(fields.needed("contact", 255)?);
    Ok((fields.keep(name), fields.keep(contact)))
}

/// `capabilities[]`, in order, each once.
pub(super) fn capabilities(fields: &Fields<'_>) -> Result<Vec<Box<str>>, Problem> {
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

fn capability(place: &str, text: &str) -> Result<Box<str>, Problem> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if (1..=64).contains(&text.len()) && text.bytes().all(plain) {
        Ok(text.into())
    } else {
        Err(wrong(place, "must be 1 to 64 lower-case letters, digits and _, as usdt_to_pix"))
    }
}

fn list<'a>(fields: &Fields<'a>, name: &str) -> Result<Option<&'a Vec<Value>>, Problem> {
    let Some(value) = fields.value(name) else { return Ok(None) };
    let items = value.as_array().ok_or_else(|| wrong(name, "must be a list"))?;
    if MOST_NAMED < items.len() {
        return Err(wrong(name, &format!("must have at most {MOST_NAMED} entries")));
    }
    Ok(Some(items))
}

/// A mandate: an absent ceiling is the platform's, zero lets nothing pass, no counterparties are all
/// (P:MandateEmptyList).
pub(super) fn mandate(fields: &mut Fields<'_>, policy: &Policy) -> Result<Mandate, Problem> {
    let per_operation = fields.share_if("max_por_operacao_cents")?;
    let daily = fields.share_if("max_diario_cents")?;
    let mut counterparties = Vec::new();
    for (index, item) in list(fields, "contrapartes")?.into_iter().flatten().enumerate() {
        let document = item.as_str();
        let document = document.and_then(|text| Document::parse(text, requests::letters(policy)));
        let document = document.ok_or_else(|| {
            let detail = format!("contrapartes[{index}] must be a CPF or CNPJ, digits only");
            Problem::new(Code::DocumentInvalid, detail)
        })?;
        counterparties.push(fields.keep(fields.tokens().document(&document)));
    }
    Ok(Mandate::new(per_operation, daily, counterparties))
}

/// Whether text can be the permanent id of an agent.
pub(super) fn is_agent_id(text: &str) -> bool {
    let digits = text.strip_prefix("ag_").unwrap_or_default();
    digits.len() == 28 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// What production still demands, and how to get it (AGT-04, AGT-08).
pub(super) fn incomplete(missing: &[Requirement]) -> Problem {
    let names: Vec<_> = missing.iter().map(|requirement| wanted(*requirement).0).collect();
    let actions: Vec<_> = missing
        .iter()
        .map(|requirement| {
            let (_, method, endpoint, why) = wanted(*requirement);
            json!({ "method": method, "endpoint": endpoint, "why": why })
        })
        .collect();
    let detail = format!("production still demands {}", names.join(", "));
    Problem::new(Code::NotProcessable, detail)
        .with("status", "production_requirements_incomplete".into())
        .with("missing", names.into())
        .with("next_actions", actions.into())
}

const fn wanted(
    requirement: Requirement,
) -> (&'static str, &'static str, &'static str, &'static str) {
    match requirement {
        Requirement::NotSuspended => (
            "not_suspended",
            "GET",
            "/mesh/agents/{agent_id}/network",
            "policy has stopped this agent; once it is reinstated, ask again",
        ),
        Requirement::Validated => (
            "validated",
            "POST",
            "/mesh/agents/{agent_id}/validate",
            "the agent must show that the sandbox works",
        ),
        Requirement::Settlement => (
            "settlement_address",
            "POST",
            "/mesh/agents/{agent_id}/settlement",
            "a wallet must be set for what is settled",
        ),
        Requirement::Mandate => (
            "mandate",
            "POST",
            "/mesh/agents/{agent_id}/mandate",
            "the agent must say what it lets itself send",
        ),
    }
}

/// Where an agent stands, on the wire: one that policy has stopped is `suspended`, whatever it was.
const fn status(member: &Member) -> &'static str {
    match (member.state.is_suspended(), member.state.stage()) {
        (true, _) | (_, None) => "suspended",
        (_, Some(Stage::Registered)) => "registered",
        (_, Some(Stage::SandboxActive)) => "sandbox_active",
        (_, Some(Stage::Validated)) => "validated",
        (_, Some(Stage::ProductionActive)) => "production_active",
    }
}

/// What became of an agent's operations, in this ledger (rulings 58).
fn reputation(known: Reputation) -> Value {
    json!({
        "settled": known.settled,
        "failed": known.failed,
        "disputed": known.disputed,
        "since": known.since.to_string(),
    })
}

fn settlement(address: &str) -> Value {
    json!({ "address": address, "network": "polygon" })
}

/// `GET /mesh`: what there is, and how to begin (AGT-24).
fn offered(policy: &Policy, terms: &Terms) -> Value {
    let capabilities: Vec<_> = CAPABILITIES.iter().map(|(name, _)| *name).collect();
    let intents: Vec<_> = CAPABILITIES
        .iter()
        .map(|(name, route)| json!({ "intent": name, "endpoint": route }))
        .collect();
    let steps = [
        ("/mesh/agents", "register: name, contact, capabilities; the test key is shown once"),
        ("/mesh/agents/{agent_id}/validate", "show that the sandbox works"),
        ("/mesh/agents/{agent_id}/settlement", "set settlement_address"),
        ("/mesh/agents/{agent_id}/mandate", "set what the agent lets itself send"),
        ("/mesh/agents/{agent_id}/production-request", "ask for the production key"),
    ];
    let start: Vec<_> = steps
        .iter()
        .map(|(endpoint, why)| json!({ "method": "POST", "endpoint": endpoint, "why": why }))
        .collect();
    json!({
        "capabilities": capabilities,
        "intents": intents,
        "execution": {
            "authentication": "X-API-Key",
            "idempotency": "external_id",
            "amounts": "centavos",
            "environments": ["sandbox", "production"],
        },
        "limits": {
            "cashin": {
                "min_brl_cents": terms.smallest_charge(policy.least_net).map(crate::money::Amount::cents),
                "max_brl_cents": terms.charge_most.cents(),
            },
            "payout": {
                "min_brl_cents": terms.payout_least.cents(),
                "max_brl_cents": terms.payout_most.cents(),
            },
            "cashout": {
                "min_brl_cents": policy.sale_limits().least.cents(),
                "max_brl_cents": policy.sale_limits().most.cents(),
            },
            "reward_bps": REWARD_BPS,
        },
        "how_to_start": start,
    })
}

impl<A: Archive, V: Vault> Door<'_, A, V> {
    /// The agent of this id, if the key is its own.
    fn own_agent(&self, id: &str) -> Result<AgentId, Problem> {
        let account = self.account()?;
        self.desk().own_agent(account, id)
    }
}

impl<A: Archive, V: Vault> Desk<'_, A, V> {
    fn own_agent(&self, account: AccountId, id: &str) -> Result<AgentId, Problem> {
        let own =
            self.state.agent_of(account).filter(|own| self.state.agent_named(id) == Some(*own));
        own.ok_or_else(|| Problem::new(Code::NotFound, "this key belongs to no such agent"))
    }

    fn agent_of(&self, account: AccountId) -> AgentId {
        self.state.agent_of(account).expect("the account was found to be an agent's")
    }

    fn member(&self, agent: AgentId) -> &Member {
        self.state.member(agent).expect("an agent's number names one that is known")
    }

    fn known_agent(&self, agent: AgentId) -> &Agent {
        self.member(agent).state.agent().expect("an agent that is known is not absent")
    }

    /// An agent as it stands; the shape is ours.
    fn agent(&self, agent: AgentId) -> Value {
        let member = self.member(agent);
        let known = self.known_agent(agent);
        let account = self.state.account(known.profile.account);
        let wallet = account.and_then(|account| account.settlement.as_deref());
        json!({
            "agent_id": known.profile.id,
            "status": status(member),
            "environment": if *self.state.name == *"live" { "production" } else { "sandbox" },
            "name": self.value(known.profile.name),
            "contact": self.value(known.profile.contact),
            "capabilities": known.profile.capabilities,
            "referral": known.profile.referral,
            "settlement": wallet.map(settlement),
            "mandate": known.mandate.as_ref().map(|mandate| self.mandate(known, mandate)),
            "reputation": reputation(member.reputation),
        })
    }

    /// A mandate, its counterparties masked, beside what of it is in force now (AGT-13).
    fn mandate(&self, known: &Agent, mandate: &Mandate) -> Value {
        let account = known.profile.account;
        let now = self.state.now;
        let terms = self.state.terms(account, now);
        let named: Vec<_> = mandate.counterparties.iter().map(|token| self.mask(*token)).collect();
        json!({
            "max_por_operacao_cents": mandate.per_operation.map(crate::money::Share::cents),
            "max_diario_cents": mandate.daily.map(crate::money::Share::cents),
            "contrapartes": named,
            "teto_por_operacao_cents": self.state.ceiling(account, terms.payout_most).cents(),
            "usado_hoje_cents": self.state.sent_on(account, now).cents(),
        })
    }

    fn referral(&self, account: AccountId, capability: &str) -> Value {
        let agent = self.agent_of(account);
        let mut given = self.member(agent).referrals.iter();
        let referral = given.find(|(known, _)| **known == *capability).map(|(_, id)| id);
        json!({
            "referral_id": referral,
            "capability": capability,
            "agent_id": self.known_agent(agent).profile.id,
            "status": status(self.member(agent)),
        })
    }

    /// Whom an agent came by, whom it brought, and what they all settled (AGT-22).
    fn network(&self, account: AccountId, id: &str) -> Result<Value, Problem> {
        let agent = self.own_agent(account, id)?;
        let (member, known) = (self.member(agent), self.known_agent(agent));
        let referrer = known.referrer.map(|referrer| &self.known_agent(referrer).profile.id);
        Ok(json!({
            "agent_id": id,
            "status": status(member),
            "reputation": reputation(member.reputation),
            "referred_by": referrer,
            "volume_cents": whole(member.volume),
            "referred_volume_cents": whole(member.referred_volume),
            "referred": self.brought(member),
        }))
    }

    /// What an agent's referrals earned it (AGT-20); fractions of a centavo wait for more.
    fn rewards(&self, account: AccountId, id: &str) -> Result<Value, Problem> {
        let agent = self.own_agent(account, id)?;
        let member = self.member(agent);
        Ok(json!({
            "agent_id": id,
            "status": status(member),
            "reward_bps": REWARD_BPS,
            "referred_volume_cents": whole(member.referred_volume),
            "accrued_cents": whole(on_volume(member.referred_volume)),
            "balance_cents": self.state.reward(agent),
            "referred": self.brought(member),
        }))
    }

    fn brought(&self, member: &Member) -> Vec<Value> {
        let each = member.referred.iter().map(|agent| {
            let member = self.member(*agent);
            json!({
                "agent_id": self.known_agent(*agent).profile.id,
                "status": status(member),
                "volume_cents": whole(member.volume),
            })
        });
        each.collect()
    }

    /// What the live ledger is told of an agent that production was granted to; none where a
    /// counterparty was erased, for a shorter list would let more pass.
    fn admission(&self, known: &Agent) -> Option<Value> {
        let grant = known.grant.as_ref()?;
        let mut body = json!({
            "id": format!("activated-{}", known.profile.id),
            "agent_id": known.profile.id,
            "name": self.value(known.profile.name),
            "contact": self.value(known.profile.contact),
            "capabilities": known.profile.capabilities,
            "settlement_address": grant.settlement,
        });
        let mandate = &grant.mandate;
        let ceilings = [
            ("max_por_operacao_cents", mandate.per_operation),
            ("max_diario_cents", mandate.daily),
        ];
        for (name, ceiling) in ceilings {
            if let Some(ceiling) = ceiling {
                body[name] = ceiling.cents().into();
            }
        }
        let named: Option<Vec<_>> =
            mandate.counterparties.iter().map(|token| self.vault.value(*token)).collect();
        body["contrapartes"] = named?.into();
        if let Some(referral) = &known.profile.referral {
            body["referral"] = (&**referral).into();
        }
        Some(body)
    }
}
