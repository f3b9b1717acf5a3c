//! Without the simulator no sandbox is played: in place of its types, some that have no value.

use std::sync::Arc;

use ledger_core::contract::{Call, CallOutcome};
use ledger_store::clock::Clock;
use ledger_store::engine::{Engine, EngineError};
use ledger_store::provider::Provider;
use ledger_store::sequencer::Sequencer;

/// A sandbox that never exists.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sandbox {}

/// Nor a world that it plays.
#[derive(Debug)]
pub(super) enum SandboxWorld {}

impl Sandbox {
    pub(super) fn job(self, _call: Call) -> fn(&mut Sequencer) -> CallOutcome {
        match self {}
    }
}

impl Provider for Sandbox {}

impl SandboxWorld {
    pub(super) fn start(_engine: &Arc<Engine>, sandbox: Sandbox, _clock: Arc<dyn Clock>) -> Self {
        match sandbox {}
    }

    pub(super) fn play_now(&self) -> Result<(), EngineError> {
        match *self {}
    }

    pub(super) fn stop(&self) {
        match *self {}
    }
}
