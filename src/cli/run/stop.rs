//! SIGINT and SIGTERM: the first ends what runs after what is under way, the second at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Failure;

/// The signals that end a run, with the code it then exits with.
const SIGNALS: [(i32, &str, u8); 2] = [(SIGINT, "SIGINT", 130), (SIGTERM, "SIGTERM", 143)];

/// Tells whether the run was asked to end.
#[derive(Clone, Default)]
pub struct Stop {
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Listens from now on.
    pub fn listen() -> Result<Self, Failure> {
        let stop = Self::default();
        for (place, (signal, _, code)) in SIGNALS.into_iter().enumerate() {
            let twice = Arc::new(AtomicBool::new(false));
            // In this order: the first signal arms what the second one finds armed.
            flag::register_conditional_shutdown(signal, code.into(), Arc::clone(&twice))?;
            flag::register(signal, twice)?;
            flag::register_usize(signal, Arc::clone(&stop.signal), place + 1)?;
        }
        Ok(stop)
    }

    /// By which signal, and with which code the run is to exit.
    pub fn signal(&self) -> Option<(&'static str, u8)> {
        let place = self.signal.load(Ordering::Relaxed).checked_sub(1)?;
        SIGNALS.get(place).map(|(_, name, code)| (*name, *code))
    }
}
