//! Agents as the oracle sees them: Part A15; AGT-01 to AGT-23.

pub(super) mod mandate;

use ledger_core::id::{AccountId, AgentId, Seq, Token};
use ledger_core::ledger::agent::Fact;
use ledger_core::ledger::{AgentRequest, Newcomer, Outcome, Refusal, Registration};
use ledger_core::machine::agent::Requirement;
use ledger_core::terms::{Mandate, Terms};
use ledger_core::time::Instant;

use super::Oracle;
use crate::goal::Goal;

/// The ledger's name, of which ids are made.
pub(crate) const LEDGER: &str = "simulated";

/// An agent as the oracle's books have it.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    /// Its permanent id.
    pub(crate) id: Box<str>,
    pub(crate) account: AccountId,
    pub(crate) step: AgentStep,
    pub(crate) stopped: bool,
    pub(crate) mandate: Option<Mandate>,
    pub(crate) referrer: Option<usize>,
    /// The referrals it gave: for what, under which id.
    pub(crate) referrals: Vec<(Box<str>, Box<str>)>,
    /// What it settled, in centavos.
    pub(crate) volume: i128,
    said: AgentDetails,
}

/// What an agent said of itself when it registered.
type AgentDetails = (Token, Token, Vec<Box<str>>, Option<Box<str>>);

/// How far an agent came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AgentStep {
    Registered,
    SandboxActive,
    Validated,
    ProductionActive,
}

impl Oracle {
    /// Foresees what is reported of agents.
    pub(super) fn agent_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Activated(newcomer) => self.agent_activated(newcomer, at),
            Fact::Suspended { agent, .. } => self.agent_policed(agent, true),
            Fact::Reinstated { agent, .. } => self.agent_policed(agent, false),
        }
    }

    /// The agent that an account is of.
    pub(crate) fn agent_of(&self, account: AccountId) -> Option<usize> {
        self.agents.iter().position(|agent| agent.account == account)
    }

    /// Nothing new is done for an agent that policy has stopped (A15).
    pub(super) fn may_act(&mut self, account: AccountId) -> Result<(), Refusal> {
        match self.agent_of(account) {
            Some(agent) if self.agents[agent].stopped => {
                self.reach(Goal::AgentStopped);
                Err(Refusal::AgentSuspended)
            }
            _ => Ok(()),
        }
    }

    /// An agent registers: the key is its credential, so the same key is the same agent.
    pub(super) fn register(
        &mut self,
        asked: &Registration,
        at: Instant,
    ) -> Result<Outcome, Refusal> {
        let said = (asked.name, asked.contact, asked.capabilities.clone(), asked.referral.clone());
        if let Some(account) = self.account_of_key(&asked.key) {
            let agent = self.agent_of(account).filter(|agent| self.agents[*agent].said == said);
            return match agent {
                Some(agent) => {
                    self.reach(Goal::RegisteredBefore);
                    Ok(Outcome::Registered(number(agent)))
                }
                None => Err(Refusal::KeyTaken),
            };
        }
        if self.was_given(&asked.key) {
            // A dead key never opens another account.
            self.reach(Goal::DeadKeyRegistersNobody);
            return Err(Refusal::KeyTaken);
        }
        if let Some(address) = asked.address {
            let issued = self.may_issue_key(address, at);
            issued.inspect_err(|_| self.reach(Goal::AgentKeysTooMany))?;
            self.issue_key(address, at);
        }
        let id: Box<str> = AgentId::text(Seq(self.seq + 1), self.ledger).into();
        let account = self.open_account(id.clone(), asked.key, Terms::latest());
        let step = AgentStep::Registered;
        let agent = self.add_agent(id, account, step, None, said);
        self.trace.changed = true;
        Ok(Outcome::Registered(number(agent)))
    }

    fn add_agent(
        &mut self,
        id: Box<str>,
        account: AccountId,
        step: AgentStep,
        referrer: Option<usize>,
        said: AgentDetails,
    ) -> usize {
        let agent = Agent {
            id,
            account,
            step,
            stopped: false,
            mandate: None,
            referrer,
            referrals: Vec::new(),
            volume: 0,
            said,
        };
        self.agents.push(agent);
        self.trace.access = true;
        self.agents.len() - 1
    }

    /// Foresees what an agent asks for itself.
    pub(super) fn agent_request(
        &mut self,
        account: AccountId,
        asked: &AgentRequest,
    ) -> Result<Outcome, Refusal> {
        let Some(agent) = self.agent_of(account) else { return Err(Refusal::AgentUnknown) };
        if let AgentRequest::Activate { .. } = asked {
            return self.activate(agent, account);
        }
        if self.agents[agent].stopped {
            return Err(Refusal::AgentSuspended);
        }
        let seq = Seq(self.seq + 1);
        let it = &mut self.agents[agent];
        let changed = match asked {
            AgentRequest::Validate => {
                let before = it.step;
                it.step = before.max(AgentStep::Validated);
                before < AgentStep::Validated
            }
            AgentRequest::Mandate(mandate) => {
                let before = it.mandate.replace(Mandate::clone(mandate));
                let looser = before.as_ref().is_some_and(|before| before.daily < mandate.daily);
                let changed = before.as_ref() != Some(&**mandate);
                if looser {
                    self.reach(Goal::MandateLoosened);
                }
                changed
            }
            AgentRequest::Refer { capability } => {
                if it.step != AgentStep::ProductionActive {
                    return Err(Refusal::NotInProduction);
                }
                let fresh = it.referrals.iter().all(|(known, _)| known != capability);
                if fresh {
                    let referral = AgentId::referral(seq, self.ledger).into();
                    it.referrals.push((capability.clone(), referral));
                }
                fresh
            }
            AgentRequest::Activate { .. } => unreachable!("answered above"),
        };
        self.trace.changed = changed;
        self.trace.access = changed;
        Ok(Outcome::Done)
    }

    /// Production is granted when nothing is missing (AGT-03, AGT-04, AGT-08).
    fn activate(&mut self, agent: usize, account: AccountId) -> Result<Outcome, Refusal> {
        let it = &self.agents[agent];
        if !it.stopped && it.step == AgentStep::ProductionActive {
            return Ok(Outcome::Done);
        }
        let wallet = self.accounts[account.0 as usize].settlement.is_some();
        let demands = [
            (!it.stopped, Requirement::NotSuspended),
            (it.step >= AgentStep::Validated, Requirement::Validated),
            (wallet, Requirement::Settlement),
            (it.mandate.is_some(), Requirement::Mandate),
        ];
        let missing = demands.into_iter().filter(|(there, _)| !there);
        let missing: Vec<Requirement> = missing.map(|(_, demand)| demand).collect();
        if !missing.is_empty() {
            self.reach(if self.agents[agent].stopped {
                Goal::StoppedOutOfProduction
            } else {
                Goal::ProductionMissing
            });
            return Err(Refusal::RequirementsMissing { missing });
        }
        self.agents[agent].step = AgentStep::ProductionActive;
        self.trace.changed = true;
        self.trace.access = true;
        self.reach(Goal::ProductionGranted);
        Ok(Outcome::Done)
    }

    /// Tells whether an id is one that this ledger gives agents itself, with the number of its
    /// record in it.
    fn is_own_id(&self, id: &str) -> bool {
        let number = id.get(3..15).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.is_some_and(|number| *AgentId::text(Seq(number), self.ledger) == *id)
    }

    /// An agent that production was granted to comes from the other ledger.
    pub(super) fn agent_activated(&mut self, newcomer: &Newcomer, at: Instant) -> Outcome {
        if self.agents.iter().any(|agent| agent.id == newcomer.id) {
            return Outcome::Known;
        }
        if self.was_given(&newcomer.key) || self.account_named(&newcomer.id).is_some() {
            if self.account_of_key(&newcomer.key).is_none() {
                self.reach(Goal::DeadKeyAdmitsNobody);
            }
            return Outcome::SetAside(None);
        }
        if self.is_own_id(&newcomer.id) {
            self.reach(Goal::OwnIdAdmitsNobody);
            return Outcome::SetAside(None);
        }
        let referral = newcomer.referral.as_ref();
        let referrer = referral.and_then(|referral| {
            self.agents
                .iter()
                .position(|agent| agent.referrals.iter().any(|(_, known)| known == referral))
        });
        if referrer.is_some() {
            self.reach(Goal::AgentReferred);
        }
        if let Some(address) = newcomer.address {
            self.issue_key(address, at);
        }
        let id = newcomer.id.clone();
        let account = self.open_account(id.clone(), newcomer.key, Terms::latest());
        let capabilities = newcomer.capabilities.clone();
        let said = (newcomer.name, newcomer.contact, capabilities, newcomer.referral.clone());
        let step = AgentStep::ProductionActive;
        let agent = self.add_agent(id, account, step, referrer, said);
        self.agents[agent].mandate = Some(newcomer.mandate.clone());
        self.accounts[account.0 as usize].settlement = Some(newcomer.settlement.clone());
        Outcome::Applied(None)
    }

    /// Policy stops an agent, or lets it go on.
    pub(super) fn agent_policed(&mut self, id: &str, stops: bool) -> Outcome {
        let found = self.agents.iter_mut().find(|agent| *agent.id == *id);
        let Some(agent) = found else { return Outcome::SetAside(None) };
        if agent.stopped == stops {
            return Outcome::Known;
        }
        agent.stopped = stops;
        self.trace.access = true;
        if !stops {
            self.reach(Goal::AgentReinstated);
        }
        Outcome::Applied(None)
    }

    /// The first operation that an agent creates makes it active (P:AgentMoves).
    pub(super) fn note_use(&mut self, account: AccountId) {
        let Some(agent) = self.agent_of(account) else { return };
        let agent = &mut self.agents[agent];
        if agent.step == AgentStep::Registered {
            agent.step = AgentStep::SandboxActive;
            self.trace.access = true;
            self.reach(Goal::SandboxUsed);
        }
    }
}

/// An agent's number: they come one after the other.
fn number(agent: usize) -> AgentId {
    AgentId(u32::try_from(agent).expect("few agents"))
}
