//! What came of a step: answered, refused, not written; and what follows from an answer.

use ledger_core::contract::Code;
use ledger_core::ledger::{Instruction, Notification, TaskKind, Topic};

use crate::answer::{Done, Reported};
use crate::error::{EngineError, Error, Refusal};
use crate::provider::OrderKind;

/// What came of what was asked or reported.
#[derive(Debug)]
#[must_use = "say what should have come of it"]
pub struct When<T>(pub(super) Result<T, Error>);

impl<T> When<T> {
    /// Then it is answered.
    ///
    /// # Panics
    ///
    /// When it is refused.
    #[allow(clippy::must_use_candidate)] // That it is answered may be all that is wanted.
    pub fn then_answered(self) -> T {
        self.0.unwrap_or_else(|error| panic!("it should have been answered: {error}"))
    }

    /// Then it has no answer, as what came of it was not written ([`EngineError::NotWritten`]):
    /// asked again with the same id, it is done once.
    ///
    /// # Panics
    ///
    /// When it is answered, refused, or has no answer for another reason.
    pub fn then_not_written(self) {
        match self.0 {
            Err(Error::Engine(EngineError::NotWritten(_))) => {}
            Err(error) => panic!("it should not have been written: {error}"),
            Ok(_) => panic!("it should not have been written, and was answered"),
        }
    }

    /// Then it has no answer, as another writer has taken over ([`EngineError::Fenced`]).
    ///
    /// # Panics
    ///
    /// When it is answered, refused, or has no answer for another reason.
    pub fn then_fenced(self) {
        match self.0 {
            Err(Error::Engine(EngineError::Fenced)) => {}
            Err(error) => panic!("another should have taken over: {error}"),
            Ok(_) => panic!("another should have taken over, and it was answered"),
        }
    }

    /// Then it is refused with this code.
    ///
    /// # Panics
    ///
    /// When it is answered, or refused with another.
    #[allow(clippy::must_use_candidate)] // That it is refused may be all that is wanted.
    pub fn then_refused(self, code: Code) -> Refusal {
        match self.0 {
            Err(Error::Refused(refusal)) if refusal.code() == Some(code) => refusal,
            Err(error) => panic!("it should have been refused for {}: {error}", code.name()),
            Ok(_) => panic!("it should have been refused for {}", code.name()),
        }
    }
}

impl<T: Follows> When<T> {
    /// Then it is answered, and clients are notified of these, in this order.
    ///
    /// # Panics
    ///
    /// When it is refused, or they are notified of something else.
    #[allow(clippy::must_use_candidate)] // That they are notified may be all that is wanted.
    pub fn then_notifies(self, topics: &[Topic]) -> T {
        let done = self.then_answered();
        let notified: Vec<Topic> = done.notifications().iter().map(|it| it.topic).collect();
        assert_eq!(notified, topics, "what clients are notified of");
        done
    }

    /// Then it is answered, and the world is asked to do these, in this order.
    ///
    /// # Panics
    ///
    /// When it is refused, or the world is asked to do something else.
    #[allow(clippy::must_use_candidate)] // That the world is asked may be all that is wanted.
    pub fn then_instructs(self, kinds: &[OrderKind]) -> T {
        let done = self.then_answered();
        let instructed: Vec<OrderKind> = done.instructions().iter().map(kind_of).collect();
        assert_eq!(instructed, kinds, "what the world is asked to do");
        done
    }
}

/// An answer that says what follows from it: of a request, [`Done`], and of a fact, [`Reported`].
pub trait Follows: sealed::Sealed {
    /// Returns what clients are notified of by it.
    fn notifications(&self) -> &[Notification];
    /// Returns what the world is asked to do by it.
    fn instructions(&self) -> &[Instruction];
}

mod sealed {
    pub trait Sealed {}

    impl<T> Sealed for crate::Done<T> {}
    impl Sealed for crate::Reported {}
}

impl<T> Follows for Done<T> {
    fn notifications(&self) -> &[Notification] {
        &self.notifications
    }

    fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }
}

impl Follows for Reported {
    fn notifications(&self) -> &[Notification] {
        &self.notifications
    }

    fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }
}

/// The kind of order that an instruction becomes.
const fn kind_of(instruction: &Instruction) -> OrderKind {
    match instruction.task.kind() {
        TaskKind::SendPix | TaskKind::PaySale => OrderKind::SendPix,
        TaskKind::Deliver => OrderKind::Deliver,
        TaskKind::Sell => OrderKind::Sell,
        TaskKind::Refund => OrderKind::Refund,
        TaskKind::Withdraw => OrderKind::Withdraw,
        TaskKind::Pay => OrderKind::PayFromWallet,
    }
}
