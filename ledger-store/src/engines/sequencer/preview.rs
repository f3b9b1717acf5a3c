//! What a call would do, without doing it.
//!
//! Deciding changes neither state nor lookup, so the same function judges the call; a copy of the
//! state would cost an application, and could differ.

use ledger_core::contract::{self, Call, Problem};
use ledger_core::id::Seq;
use ledger_core::ledger::{Event, Outcome, SetAsideReason};

use super::Sequencer;
use crate::tables::export::{Leg, legs};

/// What a call would decide, on the state as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// How it would end. The id of what it would create is that of the next record, which another
    /// call may take before.
    pub outcome: Outcome,
    /// The legs of each event that would be recorded, in order; none for a repeat. A subaccount
    /// that the events would name stands without its name.
    pub events: Vec<Vec<Leg>>,
    /// Why a fact would be set aside, where it would be.
    pub reason: Option<SetAsideReason>,
    /// The record that made a fact known by the identity which it brings, where one did.
    pub first: Option<Seq>,
    /// The fields of a request's body that nobody reads (rulings 55).
    pub ignored: Vec<String>,
}

impl Sequencer {
    /// Judges a call as [`Sequencer::handle`] would, and changes nothing: no record, no person
    /// learned, no limit counted. Deadlines that are due are not brought; tell of the time first.
    ///
    /// ```
    /// use ledger_core::contract::Line;
    /// use ledger_core::ledger::{Origin, Outcome};
    /// use ledger_store::Algorithm;
    /// use ledger_store::journal::Identity;
    /// use ledger_store::sequencer::Sequencer;
    ///
    /// let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
    /// let mut sequencer = Sequencer::new("live", identity);
    /// let opened = r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened",
    ///     "body": {"id": "a-1", "account": "loja"}, "supplied": {"key": "svc_live_loja"}}"#;
    /// let opened = Line::parse(opened, |_| Ok(String::new())).expect("it is well formed");
    /// let call = opened.call(Origin::Call);
    /// let preview = sequencer.preview(&call).expect("it would happen");
    /// assert_eq!((preview.outcome, sequencer.pending()), (Outcome::Applied(None), 0));
    /// assert_eq!(sequencer.call(&call).status, 200);
    /// assert_eq!(sequencer.preview(&call).expect("it is known").outcome, Outcome::Known);
    /// ```
    ///
    /// # Errors
    ///
    /// The [`Problem`] that the call would be answered with; for one that only asks for a view, one
    /// that says so.
    pub fn preview(&mut self, call: &Call) -> Result<Preview, Problem> {
        let (command, ignored) =
            contract::read(&mut self.ledger, &mut self.vault, &self.tokens, call)?;
        let first = command.what.outside().and_then(|outside| self.ledger.first_seen(&outside));
        let decision = self.ledger.preview(command)?;
        let reason = decision.events.iter().rev().find_map(|event| match event {
            Event::SetAside { reason, .. } => *reason,
            _ => None,
        });
        let events = decision.events.iter().map(|event| legs(self, event)).collect();
        Ok(Preview { outcome: decision.outcome, events, reason, first, ignored })
    }
}
