//! Going on from where a journal ends of which later records are lost (rulings 79).

use ledger_core::id::{ChainLink, Seq};
use ledger_core::ledger::{Archive as _, Event};
use ledger_core::time::Instant;

use super::Sequencer;
use crate::journal::Head;

impl Sequencer {
    /// Records, as the next record, that the ledger goes on from `head`, where it ends; `false`
    /// where it ends elsewhere, unless the record after `head` says the same already. The answer
    /// holds once the next commit is durable.
    pub(crate) fn accept_loss(&mut self, head: Head, at: Instant) -> bool {
        if self.head() != head {
            let next = self.ledger.archive.record(Seq(head.seq + 1));
            let accepts = |event: &Event| matches!(event, Event::LossAccepted { link, .. } if link.0 == head.link.0);
            return next.is_some_and(|record| record.events.iter().any(accepts));
        }
        let execution = self.ledger.accept_loss(ChainLink(head.link.0), at);
        self.journal(&execution.records);
        let effects = (&execution.notifications[..], &execution.instructions[..]);
        self.tell_outbox(&execution.records, effects);
        true
    }
}
