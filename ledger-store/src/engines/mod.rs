//! The engines: a sequencer on threads, the time that it is dated by, and the provider it drives.

pub mod clock;
pub mod engine;
pub mod machine_clock;
pub mod periodic;
pub mod provider;
pub(crate) mod replay_error;
pub mod sequencer;
