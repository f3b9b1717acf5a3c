//! The commands of proofs for strangers: the key, what is proved, and what is verified.

pub mod key;
pub mod prove;
pub(in crate::commands) mod trees;
pub mod verify;
