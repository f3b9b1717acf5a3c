//! An operation of the sandbox as the scripts see it.

use ledger_core::contract::pix_id;
use ledger_core::id::OpId;
use ledger_core::ledger::State;
use ledger_core::machine::delivery;
use ledger_core::time::{Instant, Span};
use serde_json::{Value, json};

use super::Step;

/// An operation being played.
#[derive(Clone, Copy)]
pub struct Played<'a> {
    /// The ledger around it.
    pub state: &'a State,
    /// The operation that is played.
    pub op: OpId,
    /// Since when it stands where it stands.
    pub since: Instant,
}

/// What goes wrong with the first attempt of a delivery, if anything does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ScriptedFault {
    /// It fails, and another one is made.
    Fails,
    /// Nobody knows what became of it, until it is found out.
    GetsLost,
}

/// A delivery: begun, accepted, sent.
pub fn deliver(
    played: Played<'_>,
    delivery: &delivery::State,
    mishap: Option<ScriptedFault>,
) -> Option<Step> {
    use delivery::State as At;
    let hash = format!("sandbox-{}", played.name());
    Some(match (delivery, mishap) {
        (At::Waiting, _) => played.fact(3, "delivery.started", "started-1", json!({})),
        (At::Retrying(attempt), _) => {
            let name = format!("started-{}", attempt + 1);
            played.fact(3, "delivery.started", &name, json!({}))
        }
        (At::Sending(1), Some(ScriptedFault::Fails)) => {
            played.fact(4, "delivery.failed", "failed-1", json!({ "attempt": 1 }))
        }
        (At::Sending(1), Some(ScriptedFault::GetsLost)) => {
            played.fact(4, "delivery.unknown", "unknown-1", json!({ "attempt": 1 }))
        }
        (At::Sending(attempt), _) => {
            let name = format!("accepted-{attempt}");
            played.fact(4, "delivery.accepted", &name, json!({ "attempt": attempt }))
        }
        (At::Accepted(attempt), _) => {
            let body = json!({ "attempt": attempt, "tx_hash": hash });
            played.fact(8, "delivery.sent", &format!("sent-{attempt}"), body)
        }
        (At::Unknown(1), Some(ScriptedFault::GetsLost)) => {
            let body = json!({
                "outcome": "sent", "tx_hash": hash,
                "actor": "sandbox", "reason": "the simulated network has it",
            });
            played.fact(120, "delivery.evidence", "evidence-1", body)
        }
        // Nothing but evidence ends what is unknown, and nobody here has any.
        (At::Unknown(_) | At::Sent(_), _) => return None,
    })
}

impl Played<'_> {
    /// The operation's id, as its clients know it.
    pub fn name(self) -> String {
        self.op.text(&self.state.name)
    }

    /// A fact about it so many seconds after it came where it stands.
    pub fn step(self, seconds: u32, fact: &'static str, body: Value) -> Step {
        self.at(self.since.after(Span::seconds(seconds)), fact, body)
    }

    /// The same at an instant.
    pub fn at(self, at: Instant, fact: &'static str, mut body: Value) -> Step {
        body[self.field()] = self.name().into();
        Step { at, fact, body }
    }

    /// A fact that the world gives no id: it has one made of the operation and of what is reported,
    /// so that reported again it is known.
    pub fn fact(self, seconds: u32, fact: &'static str, what: &str, mut body: Value) -> Step {
        body["id"] = self.id(what).into();
        self.step(seconds, fact, body)
    }

    /// The id of such a fact.
    pub fn id(self, what: &str) -> String {
        format!("sandbox:{}:{what}", self.name())
    }

    /// The id that a PIX of it has, so many seconds from where it stands.
    pub fn pix(self, letter: char, seconds: u32) -> String {
        pix_id(letter, self.op, &self.state.name, self.since.after(Span::seconds(seconds)))
    }

    /// Returns what facts call its id.
    fn field(self) -> &'static str {
        self.op.field()
    }
}
