//! A loss of records that whoever runs the ledger accepts (rulings 79).

use super::record::event::Event;
use super::{Archive, Cause, Execution, Ledger, Origin, Record};
use crate::id::ChainLink;
use crate::time::Instant;

impl<A: Archive> Ledger<A> {
    /// Records, as the next record, that whoever runs the ledger goes on from the last one: what
    /// came after it is lost. `link` is the chain's after it. No time passes by it, and no deadline
    /// comes due.
    ///
    /// # Panics
    ///
    /// When the ledger is only read.
    pub fn accept_loss(&mut self, link: ChainLink, accepted_at: Instant) -> Execution {
        assert!(!self.only_read, "a ledger that is only read decides nothing");
        let mut execution = Execution::quiet();
        let accepted = Event::LossAccepted { link, accepted_at };
        let record = Record {
            seq: self.state.seq.next(),
            at: self.state.now,
            original: None,
            cause: Cause::new(Origin::Call),
            outside: None,
            events: self.state.opening_event().into_iter().chain([accepted]).collect(),
        };
        self.commit(record, &mut execution);
        execution
    }
}
