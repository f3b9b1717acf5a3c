//! The network: a message is lost, or its answer is, or it comes late, or twice.

use ledger_core::contract::{Call, CallKind, Response};
use ledger_core::ledger::Origin;
use ledger_core::time::Span;
use serde_json::Value;

use super::world::{Late, World};

/// After how long without a message a cell looks at its clock.
const QUIET: Span = Span::seconds(1_800);

impl World {
    /// Sends a call to a cell; none where no answer comes back, whatever was done.
    pub(super) fn send(
        &mut self,
        to: usize,
        ask: CallKind,
        body: Value,
        supplied: Value,
    ) -> Option<Response> {
        let call = Call { at: self.now, origin: Origin::Call, ask, body, supplied, ip: None };
        if self.healed {
            return Some(self.deliver(to, call));
        }
        match self.rng.by_weight(&[70, 8, 8, 7, 7]) {
            // It is lost, or what it is answered is.
            1 => {
                self.report.lost += 1;
                None
            }
            2 => {
                self.report.lost += 1;
                self.deliver(to, call);
                None
            }
            3 => {
                self.report.late += 1;
                self.later(to, call);
                None
            }
            4 => {
                self.report.doubled += 1;
                self.later(to, call.clone());
                Some(self.deliver(to, call))
            }
            _ => Some(self.deliver(to, call)),
        }
    }

    /// Reports a fact to a cell.
    pub(super) fn tell(&mut self, to: usize, fact: &str, body: Value) -> Option<Response> {
        self.send(to, CallKind::Fact(fact.to_owned()), body, Value::Null)
    }

    /// Delivers what is due by now.
    pub(super) fn deliver_late(&mut self) {
        let healed = self.healed;
        let step = self.steps;
        let (due, late): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.late).into_iter().partition(|it| healed || it.at <= step);
        self.late = late;
        for Late { to, call, .. } in due {
            self.deliver(to, call);
        }
    }

    fn later(&mut self, to: usize, call: Call) {
        let at = self.steps + self.rng.below(400);
        self.late.push(Late { at, to, call });
    }

    fn deliver(&mut self, to: usize, mut call: Call) -> Response {
        // A cell dates what comes by its own clock, which goes on while nothing comes.
        call.at = self.now;
        let ledger = &mut self.cells[to];
        if ledger.ledger().state.now.after(QUIET) < self.now {
            ledger.call(&Call::time_passed(self.now));
        }
        ledger.call(&call)
    }
}
