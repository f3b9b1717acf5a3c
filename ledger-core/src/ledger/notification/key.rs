//! What names an instruction for ever.

use super::task::TaskKind;
use crate::id::{LedgerName, OpId};

/// What an instruction asks, of which operation, and by which attempt.
///
/// ```
/// use ledger_core::id::{Environment, Kind, OpId, Seq};
/// use ledger_core::ledger::{InstructionKey, TaskKind};
///
/// let live = Environment::Live.into();
/// let op = OpId::new(Kind::CashOut, Seq(12));
/// let second = InstructionKey { op, kind: TaskKind::PaySale, attempt: 2 };
/// assert_eq!(second.text(&live), format!("{}:send:2", op.text(&live)));
/// assert_eq!(InstructionKey::parse(&second.text(&live), &live), Some(second));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstructionKey {
    /// The operation that the instruction is of.
    pub op: OpId,
    /// What is asked.
    pub kind: TaskKind,
    /// Which attempt, from 1; a task without attempts is always the first.
    pub attempt: u32,
}

impl InstructionKey {
    /// The idempotency key to hand to whoever carries it out.
    #[must_use]
    pub fn text(&self, ledger: &LedgerName) -> String {
        let (op, word) = (self.op.text(ledger), self.kind.word());
        if self.kind.is_numbered() {
            format!("{op}:{word}:{}", self.attempt)
        } else {
            format!("{op}:{word}")
        }
    }

    /// Reads an idempotency key of this ledger; none where the text is no such key.
    #[must_use]
    pub fn parse(text: &str, ledger: &LedgerName) -> Option<Self> {
        let (op, rest) = text.split_once(':')?;
        let op = OpId::parse(op, ledger)?;
        let (word, number) = match rest.split_once(':') {
            Some((word, number)) => (word, Some(number)),
            None => (rest, None),
        };
        let kind = TaskKind::from_word(word, op.kind())?;
        let attempt = number.map_or(Some(1), |number| number.parse().ok())?;
        let key = Self { op, kind, attempt };
        // One instruction has one key.
        (key.text(ledger) == text).then_some(key)
    }
}
