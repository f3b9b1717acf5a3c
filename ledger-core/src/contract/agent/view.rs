//! How agents look, to themselves and to others.

use serde_json::{Value, json};

use super::body::CAPABILITIES;
use crate::contract::balance::whole;
use crate::contract::error::{Code, Problem};
use crate::contract::input::tokens::Vault;
use crate::contract::views::Views;
use crate::id::{AccountId, AgentId};
use crate::ledger::{Archive, Member, REWARD_BPS, Reputation, on_volume};
use crate::machine::agent::{Agent, Requirement, Stage};
use crate::terms::{Mandate, Policy, Terms};

/// What production still demands, and how to get it (AGT-04, AGT-08).
pub(in crate::contract) fn incomplete(missing: &[Requirement]) -> Problem {
    let names: Vec<_> =
        missing.iter().map(|requirement| requirement_text(*requirement).0).collect();
    let actions: Vec<_> = missing
        .iter()
        .map(|requirement| {
            let (_, method, endpoint, reason) = requirement_text(*requirement);
            json!({ "method": method, "endpoint": endpoint, "why": reason })
        })
        .collect();
    let detail = format!("production still demands {}", names.join(", "));
    Problem::new(Code::NotProcessable, detail)
        .with("status", "production_requirements_incomplete".into())
        .with("missing", names.into())
        .with("next_actions", actions.into())
}

pub(in crate::contract) const fn requirement_text(
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
pub(in crate::contract) const fn status(member: &Member) -> &'static str {
    match (member.state.is_suspended(), member.state.stage()) {
        (true, _) | (_, None) => "suspended",
        (_, Some(Stage::Registered)) => "registered",
        (_, Some(Stage::SandboxActive)) => "sandbox_active",
        (_, Some(Stage::Validated)) => "validated",
        (_, Some(Stage::ProductionActive)) => "production_active",
    }
}

/// What became of an agent's operations, in this ledger (rulings 58).
pub(in crate::contract) fn reputation(known: Reputation) -> Value {
    json!({
        "settled": known.settled,
        "failed": known.failed,
        "disputed": known.disputed,
        "since": known.since.to_string(),
    })
}

pub(in crate::contract) fn settlement(address: &str) -> Value {
    json!({ "address": address, "network": "polygon" })
}

/// `GET /mesh`: what there is, and how to begin (AGT-24).
pub(in crate::contract) fn mesh_offer(policy: &Policy, terms: &Terms) -> Value {
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
        .map(|(endpoint, reason)| json!({ "method": "POST", "endpoint": endpoint, "why": reason }))
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

impl<A: Archive, V: Vault> Views<'_, A, V> {
    pub(in crate::contract) fn own_agent(
        &self,
        account: AccountId,
        id: &str,
    ) -> Result<AgentId, Problem> {
        let own =
            self.state.agent_of(account).filter(|own| self.state.agent_named(id) == Some(*own));
        own.ok_or_else(|| Problem::new(Code::NotFound, "this key belongs to no such agent"))
    }

    pub(in crate::contract) fn agent_of(&self, account: AccountId) -> AgentId {
        self.state.agent_of(account).expect("the account was found to be an agent's")
    }

    fn member(&self, agent: AgentId) -> &Member {
        self.state.member(agent).expect("an agent's number names one that is known")
    }

    pub(in crate::contract) fn known_agent(&self, agent: AgentId) -> &Agent {
        self.member(agent).state.agent().expect("an agent that is known is not absent")
    }

    /// An agent as it stands; the shape is ours.
    pub(in crate::contract) fn agent(&self, agent: AgentId) -> Value {
        let member = self.member(agent);
        let known = self.known_agent(agent);
        let account = self.state.account(known.profile.account);
        let wallet = account.and_then(|account| account.settlement.as_deref());
        json!({
            "agent_id": known.profile.id,
            "status": status(member),
            "environment": if self.state.is_live() { "production" } else { "sandbox" },
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
            "max_por_operacao_cents": mandate.per_operation.map(crate::money::Cents::cents),
            "max_diario_cents": mandate.daily.map(crate::money::Cents::cents),
            "contrapartes": named,
            "teto_por_operacao_cents": self.state.ceiling(account, terms.payout_most).cents(),
            "usado_hoje_cents": self.state.sent_on(account, now).cents(),
        })
    }

    pub(in crate::contract) fn referral(&self, account: AccountId, capability: &str) -> Value {
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

    /// The agent that referred an agent, those it referred, and what they all settled (AGT-22).
    pub(in crate::contract) fn network(
        &self,
        account: AccountId,
        id: &str,
    ) -> Result<Value, Problem> {
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
    pub(in crate::contract) fn rewards(
        &self,
        account: AccountId,
        id: &str,
    ) -> Result<Value, Problem> {
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

    /// What the live ledger learns of an agent that production was granted to; none where a
    /// counterparty was erased, for a shorter list would let more pass.
    pub(in crate::contract) fn admission(&self, known: &Agent) -> Option<Value> {
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
