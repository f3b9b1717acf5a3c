//! What the ledger asks of every machine beside what the machine is: each slice answers for its
//! own, in its `machine.rs`.

use super::due::Due;
use super::outgoing::{Outgoing, Unsent};
use crate::accounting::{RowKind, Side};
use crate::id::AccountId;
use crate::ledger::notification::key::InstructionKey;
use crate::ledger::notification::step::Step;
use crate::ledger::notification::task::Task;
use crate::ledger::notification::topic::Topic;
use crate::machine::StateMachine;
use crate::time::Instant;

/// A machine whose operations the ledger keeps.
///
/// What could be misfiled has no default: whose an operation is, what its rows are called, what it
/// sends. A machine that waits for nothing and notifies nobody leaves the rest out.
pub(in crate::ledger) trait LedgerMachine: StateMachine {
    /// The account whose request created the operation, and the id the account gave it, where
    /// `event` is that request.
    fn created(event: &Self::Event) -> Option<(AccountId, Option<&str>)>;

    /// What a statement calls the rows of `event`, by the side of the principal leg.
    fn row_kind(event: &Self::Event, side: Side) -> RowKind;

    /// What a partner's own ledger calls the row of `event`.
    fn commission_row(event: &Self::Event) -> RowKind;

    /// What the operation sends, as it stands: nothing, if it sends no reais, if it failed, or once
    /// all of it came back (P:MandateDay).
    fn outgoing(&self) -> Option<Outgoing>;

    /// What it may still send, as long as a PIX of it may still be let go.
    fn unsent(&self) -> Option<Unsent> {
        None
    }

    /// What it waits for, if it waits for time.
    fn deadline(&self) -> Option<(Instant, Due)> {
        None
    }

    /// Whether `event` may notify anybody, or ask anything: what may not is not looked up.
    fn may_notify(event: &Self::Event) -> bool {
        let _ = event;
        false
    }

    /// What `event` tells of, where the operation stands as this after it: at most two things.
    fn topics(&self, event: &Self::Event) -> [Option<Topic>; 2] {
        let _ = event;
        [None, None]
    }

    /// Whether `event` may ask anything of the world.
    fn may_instruct(event: &Self::Event) -> bool {
        let _ = event;
        false
    }

    /// What `event` asks of the world, where the operation, standing as this after it, still waits
    /// for that.
    fn task(&self, event: &Self::Event) -> Option<Task> {
        let _ = event;
        None
    }

    /// How an instruction of the operation stands, and what handing it out is. One that a machine
    /// does not know of is over.
    fn step(&self, key: InstructionKey) -> Step {
        let _ = key;
        Step::Over
    }
}
