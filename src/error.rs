//! How the ledger says no: a request is refused, or there is no answer.

use std::fmt;

use ledger_core::contract::{Action, Code, ErrorBody, Problem, Response, RouteKind, Word};
use ledger_core::time::Instant;
use ledger_store::clock::ClockDoubt;
use serde_json::{Map, Value};

#[cfg(feature = "cells")]
use ledger_cells::directory::DirectoryError;
pub use ledger_store::engine::EngineError;

/// Why a request or a fact has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The ledger refuses it, and nothing changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The engine has no answer. Asked again with the same id, nothing is done twice.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A replica has no answer, and nothing was written: it only reads, or has not come to the
    /// record that was asked for.
    #[error(transparent)]
    Replica(#[from] ledger_store::engine::ReplicaError),
    /// A ledger as it stood at a moment is only read: nothing of the past is changed.
    #[error("a ledger as it stood is only read: ask the ledger itself")]
    IsPast,
    /// The directory of cells refused, or was not written: which, it says.
    #[cfg(feature = "cells")]
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The answer is none that this version knows: what it was, and why. What was decided stands.
    #[error("the answer is not understood: {0}")]
    Answer(#[from] serde_json::Error),
}

impl Error {
    /// The refusal, if it is one.
    #[must_use]
    pub const fn refusal(&self) -> Option<&Refusal> {
        if let Self::Refused(refusal) = self { Some(refusal) } else { None }
    }
}

/// A request that is refused: why, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    status: u16,
    body: ErrorBody,
}

impl Refusal {
    pub(crate) fn from_response(response: &Response) -> Self {
        let unknown = || ErrorBody {
            code: Word::erro("erro_desconhecido"),
            action: None,
            detail: None,
            request_id: None,
            more: Map::new(),
        };
        let body = ErrorBody::read(&response.body).unwrap_or_else(unknown);
        Self { status: response.status, body }
    }

    /// What is dated by a clock that is not believed is refused for now.
    pub(crate) fn from_clock_doubt(doubt: &ClockDoubt, at: Instant) -> Self {
        let detail = format!("{doubt}; nothing of this was done");
        let problem = Problem::new(Code::Paused, detail).with("retry_after_seconds", 5.into());
        Self::from_response(&Response::problem(&problem, RouteKind::Other, at, None))
    }

    /// The contract's code; none for one that came to the contract later.
    #[must_use]
    pub const fn code(&self) -> Option<Code> {
        match &self.body.code {
            Word::Known(code) => Some(*code),
            Word::Other(_) => None,
        }
    }

    /// The contract's code, as it stands on the wire: `saldo_insuficiente`.
    #[must_use]
    pub fn erro(&self) -> &str {
        self.body.code.text()
    }

    /// Returns what the client should do: the contract's `acao`.
    #[must_use]
    pub fn action(&self) -> Action {
        self.body.advice()
    }

    /// The HTTP status that the contract gives it.
    #[must_use]
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// Why, in English, for whoever reads logs.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.body.detail.as_deref()
    }

    /// A number that it brings: `disponivel_cents`, `retry_after_seconds`, ...
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        self.body.more.get(name).and_then(Value::as_i64)
    }

    /// The contract's JSON.
    #[must_use]
    pub fn body(&self) -> Value {
        self.body.body()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.erro())?;
        self.detail().map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for Refusal {}
