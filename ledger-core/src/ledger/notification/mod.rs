//! Notifications and instructions: what a decision notifies the client of, and what it asks of the
//! world.
//!
//! Both are values, derived from a record and the state right after it, never from anything else:
//! none exists without its record, and none is missing (EVT-08, EVT-09).

pub(super) mod derive;
pub(super) mod key;
pub(super) mod standing;
pub(super) mod step;
pub(super) mod task;
pub(super) mod topic;

use std::sync::Arc;

use super::registry::Operation;
use crate::id::{LedgerName, OpId, Seq};
use crate::time::Instant;
pub use derive::read_back;
pub use key::InstructionKey;
pub use standing::Standing;
pub use task::{DeliveryInstruction, Task, TaskKind};
pub use topic::Topic;

/// Something a client is notified of: the wire's webhook event.
///
/// ```
/// # use ledger_core::id::Seq;
/// # use ledger_core::ledger::Notification;
/// // A client that sorts by number reads what record 12 tells before what record 13 does.
/// let last_of_12 = Notification::sequence_after(Seq(12));
/// assert!(last_of_12 < Seq(13).0 * Notification::A_RECORD);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The record behind it; notifications of one operation come in the order of these
    /// (P:EventOrder).
    pub seq: Seq,
    /// Its place among the notifications of that record.
    pub index: u16,
    /// When it happened.
    pub at: Instant,
    /// What happened to the operation.
    pub topic: Topic,
    /// To which operation.
    pub op: OpId,
    /// How the operation stood right after the event behind it (rulings 53).
    pub operation: Operation,
    /// The unmatched deposits that it lists, as they stood after the record.
    pub unmatched: Vec<(OpId, Operation)>,
}

/// How operations stood between the events of one record, by the place of the event: of those that
/// a later event of it moved again.
pub(super) type IntermediateStates = Vec<(usize, Arc<Operation>)>;

impl Notification {
    /// How many notifications of one record have places of their own.
    pub const A_RECORD: u64 = 1_000;

    /// Its number among all notifications, and so among its account's: rising by record, and within
    /// one by place (P:EventOrder, rulings 53).
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.seq.0 * Self::A_RECORD + u64::from(self.index)
    }

    /// The number of what no record is behind: after all that records up to `seq` tell.
    #[must_use]
    pub const fn sequence_after(seq: Seq) -> u64 {
        seq.0 * Self::A_RECORD + (Self::A_RECORD - 1)
    }
}

/// Something the world is asked to do; answered by facts.
///
/// ```
/// # use ledger_core::coin::Units;
/// # use ledger_core::id::{AssetId, ChainId, Environment, Kind, OpId, Seq};
/// # use ledger_core::ledger::{Instruction, Task};
/// # use ledger_core::machine::refund::Coins;
/// let units = Units::new(5_000_000).expect("five USDT are above zero");
/// let task = Task::Sell(Coins { asset: AssetId(0), chain: ChainId(0), units });
/// let sell = Instruction { seq: Seq(15), op: OpId::new(Kind::CashOut, Seq(12)), task };
/// let live = Environment::Live.into();
/// assert_eq!(sell.key(&live), format!("{}:sell", sell.op.text(&live))); // Whenever it is asked.
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The record behind it.
    pub seq: Seq,
    /// For which operation.
    pub op: OpId,
    /// What is to be done.
    pub task: Task,
}

impl Instruction {
    /// Returns what names it for ever.
    #[must_use]
    pub fn name(&self) -> InstructionKey {
        InstructionKey { op: self.op, kind: self.task.kind(), attempt: self.task.attempt() }
    }

    /// The idempotency key to hand to whoever does it: the same for ever for the same task.
    #[must_use]
    pub fn key(&self, ledger: &LedgerName) -> String {
        self.name().text(ledger)
    }
}
