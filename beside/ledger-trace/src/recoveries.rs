//! Recoveries of the PIX that a trace follows, with their blocks.

use std::collections::BTreeSet;

use ledger_core::id::OpId;
use ledger_core::ledger::Archive;
use ledger_core::ledger::recovery::Recovery;
use ledger_core::money::Cents;
use serde_json::{Value, json};

use crate::names::{Holders, Names};
use crate::query::Traced;
use crate::reader::Subject;

impl Traced {
    /// Returns the recoveries of what is traced as JSON, each with its holds; amounts are in
    /// centavos. `accepted_cents` is null until it is decided.
    #[must_use]
    pub fn recoveries(&self, holders: Holders) -> Vec<Value> {
        let names = self.names(holders);
        let sources = self.trail.sources().map(|(id, ..)| self.trail.tracer().source(id).op);
        let subject = match self.trail.subject() {
            Subject::Operation(op) => Some(*op),
            Subject::Pix(_) => None,
        };
        let traced: BTreeSet<OpId> = sources.chain([subject]).flatten().collect();
        let known = self.sequencer.ledger().state.recoveries();
        let known = known.filter(|(_, recovery)| traced.contains(&recovery.cause));
        known.map(|(name, recovery)| recovery_json(&names, name, recovery)).collect()
    }
}

fn recovery_json(names: &Names<'_>, name: &str, recovery: &Recovery) -> Value {
    let holds: Vec<_> = recovery.holds.iter().filter_map(|op| hold_json(names, *op)).collect();
    json!({
        "recovery_id": name,
        "operation": names.op(recovery.cause),
        "amount_cents": recovery.amount.cents(),
        "blocks_until": recovery.blocks_until.to_string(),
        "decides_until": recovery.decides_until.to_string(),
        "accepted_cents": recovery.accepted.map(Cents::cents),
        "blocked_cents": recovery.blocked.cents(),
        "taken_cents": recovery.taken.cents(),
        "holds": holds,
    })
}

fn hold_json(names: &Names<'_>, op: OpId) -> Option<Value> {
    let ledger = names.sequencer.ledger();
    let ended = || ledger.archive.ended_operation(op);
    let known = ledger.state.open(op).cloned().or_else(ended)?;
    let amounts = known.hold()?.amounts()?;
    Some(json!({
        "hold": names.op(op),
        "subaccount": names.subaccount(amounts.order.subaccount),
        "blocked_cents": amounts.blocked_cents().cents(),
        "taken_cents": amounts.settled.cents(),
        "released_cents": amounts.released.cents(),
    }))
}
