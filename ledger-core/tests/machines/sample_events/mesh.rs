//! The part of the table that tells of agents.

use ledger_core::id::{AgentId, KeyHash};
use ledger_core::ledger::Event;
use ledger_core::machine::agent;
use ledger_core::terms::Mandate;

use super::Ink;

impl Ink {
    fn mandate(&self) -> Mandate {
        let named = if self.some { vec![self.token] } else { Vec::new() };
        Mandate::new(self.maybe(self.as_cents), self.maybe(self.as_cents), named)
    }

    fn profile(&self) -> agent::Profile {
        agent::Profile {
            id: self.text(),
            account: self.account(),
            name: self.token,
            contact: self.token,
            capabilities: vec![self.text(), self.text()],
            referral: self.maybe(self.text()),
            address: self.maybe(self.token),
        }
    }

    fn grant(&self) -> agent::Grant {
        let key = KeyHash([self.token.0[0]; 32]);
        agent::Grant { settlement: self.text(), mandate: self.mandate(), key }
    }

    pub fn agents(&self) -> Vec<agent::Event> {
        use agent::Event;
        let admission = agent::Admission {
            profile: self.profile(),
            grant: self.grant(),
            referrer: self.maybe(AgentId(self.id)),
        };
        vec![
            Event::Registered(Box::new(self.profile())),
            Event::Admitted(Box::new(admission)),
            Event::SandboxUsed,
            Event::Validated,
            Event::MandateSet(Box::new(self.mandate())),
            Event::Activated(Box::new(self.grant())),
            Event::Suspended,
            Event::Reinstated,
        ]
    }

    pub(super) fn mesh(&self) -> Vec<Event> {
        let agent = AgentId(self.id);
        let mut events = vec![
            Event::ReferralGiven { agent, referral: self.text(), capability: self.text() },
            Event::RewardAccrued { agent, reward: self.amount },
        ];
        events.extend(self.agents().into_iter().map(|event| Event::Agent { agent, event }));
        events
    }
}
