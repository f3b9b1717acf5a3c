//! A read of a replica, to be awaited or waited for.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::{ReplicaError, Stated};
use crate::engines::engine::parked;

/// What a replica is asked: await it, or wait for it on a plain thread.
#[must_use = "it is awaited or waited for"]
#[derive(Debug)]
pub struct Look<T>(oneshot::Receiver<Result<Stated<T>, ReplicaError>>);

impl<T> Look<T> {
    pub(super) const fn new(answer: oneshot::Receiver<Result<Stated<T>, ReplicaError>>) -> Self {
        Self(answer)
    }

    /// One that has no answer, for this reason.
    pub(super) fn from_error(error: ReplicaError) -> Self {
        let (give, answer) = oneshot::channel();
        // The other end is here.
        let _ = give.send(Err(error));
        Self(answer)
    }

    /// Waits for the answer, and blocks this thread meanwhile.
    ///
    /// # Errors
    ///
    /// [`ReplicaError`] when there is no answer.
    pub fn wait(self) -> Result<Stated<T>, ReplicaError> {
        parked::wait(self)
    }
}

impl<T> Future for Look<T> {
    type Output = Result<Stated<T>, ReplicaError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let stopped = || Err(ReplicaError::Ended("it was stopped".to_owned()));
        Pin::new(&mut self.0).poll(context).map(|answer| answer.unwrap_or_else(|_| stopped()))
    }
}
