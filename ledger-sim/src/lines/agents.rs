//! Agents: what they ask for themselves, and the facts of policy and of production.

use ledger_core::id::AccountId;
use ledger_core::ledger::agent::Fact;
use ledger_core::ledger::{AgentRequest, Newcomer};
use ledger_core::money::Cents;
use ledger_core::terms::Mandate;
use serde_json::{Map, Value, json};

use super::{LineWriter, Unrepresentable, Written, body, line, request};

impl LineWriter<'_> {
    pub(super) fn agent_request(
        &mut self,
        account: AccountId,
        key: &str,
        asked: &AgentRequest,
    ) -> Written<Map<String, Value>> {
        Ok(match asked {
            AgentRequest::Refer { capability } => {
                request("POST /mesh/referrals", key, json!({ "capability": capability }))
            }
            AgentRequest::Validate => {
                let route = self.agent_route(account, "validate")?;
                line(json!({ "request": route, "key": key }))
            }
            AgentRequest::Mandate(mandate) => {
                let route = self.agent_route(account, "mandate")?;
                let fields = self.mandate(mandate);
                request(&route, key, fields)
            }
            AgentRequest::Activate { key: next } => {
                let route = self.agent_route(account, "production-request")?;
                let supplied = json!({ "key": self.people.key(*next) });
                line(json!({ "request": route, "key": key, "supplied": supplied }))
            }
        })
    }

    /// The route of an account's own agent: the contract finds no other's.
    fn agent_route(&self, account: AccountId, what: &str) -> Written<String> {
        let agent = self.state.agent_of(account).and_then(|agent| self.state.member(agent));
        let agent = agent.and_then(|member| member.state.agent());
        let id = &agent.ok_or(Unrepresentable("an agent's request by whoever is none"))?.profile.id;
        Ok(format!("POST /mesh/agents/{id}/{what}"))
    }

    fn mandate(&mut self, mandate: &Mandate) -> Value {
        let named = mandate.counterparties.iter();
        let mut named: Vec<String> = named.map(|token| self.people.document(*token)).collect();
        // Tokens have an order of their own, and the wire's is of no weight.
        named.sort_unstable();
        body(json!({
            "max_por_operacao_cents": mandate.per_operation.map(Cents::cents),
            "max_diario_cents": mandate.daily.map(Cents::cents),
            "contrapartes": (!named.is_empty()).then_some(named),
        }))
    }

    pub(super) fn agent_fact(&mut self, fact: &Fact) -> Value {
        match fact {
            Fact::Activated(newcomer) => self.newcomer(newcomer),
            Fact::Suspended { agent, decided_by } | Fact::Reinstated { agent, decided_by } => {
                self.with_decision(json!({ "agent_id": agent }), decided_by)
            }
        }
    }

    /// The fields of `agent.activated`, but its id.
    fn newcomer(&mut self, newcomer: &Newcomer) -> Value {
        let mut fields = self.mandate(&newcomer.mandate);
        fields["agent_id"] = (*newcomer.id).into();
        fields["name"] = self.people.name(newcomer.name).into();
        fields["contact"] = self.people.text(newcomer.contact).into();
        fields["capabilities"] = json!(newcomer.capabilities);
        fields["settlement_address"] = (*newcomer.settlement).into();
        fields["referral"] = newcomer.referral.as_deref().map(|it| self.referral(it)).into();
        body(fields)
    }

    /// How a line names a referral: by who asked for it, or by its id where no line did.
    fn referral(&mut self, referral: &str) -> String {
        match self.referrals.get(referral) {
            Some(place) => {
                self.named.insert(*place);
                format!("${}.referral_id", super::label(*place))
            }
            None => referral.to_owned(),
        }
    }
}
