#![forbid(unsafe_code)]
//! Checkpoints that others have seen: a ledger's cosigned by witnesses, and a witness for the logs
//! of others, by the protocols of C2SP (tlog-witness, tlog-cosignature, tlog-policy, tlog-tiles).
//!
//! ```text
//! ours:    checkpoint + proof since its last one -> witness -> cosignature, verified and kept
//! others': checkpoint + proof -> verified -> stored -> cosignature        a fork -> evidence
//! ```
//!
//! A witness cosigns a checkpoint only if it goes on from the last one that it cosigned of the same
//! log. So whoever asks for the cosignatures of a few witnesses is shown the same past as everybody
//! else, or none.
//!
//! In reading order:
//!
//! 1. [`PublicKey`], [`WitnessKey`]: keys of logs and witnesses, as text.
//! 2. [`SignedNote`], [`SignatureLine`]: notes, verified by key.
//! 3. [`AddCheckpoint`], [`TreeHead`]: the request to a witness.
//! 4. [`Witness`], [`Answer`], [`WitnessFolder`]: a witness for logs of others, and its memory.
//! 5. [`Exchange`], [`WitnessClient`]: asking a witness.
//! 6. [`Policy`], [`Tally`]: whose cosignatures are enough.
//! 7. [`CosignaturesTable`]: where a ledger keeps them.
//! 8. [`tiles`]: the tree as static files.
//! 9. [`witness_router`], [`tiles_router`]: both over HTTP.

mod client;
mod cosignature;
mod key;
mod note;
mod policy;
mod request;
mod server;
mod state;
mod table;
pub mod tiles;
mod witness;

pub use client::{Exchange, Next, NotCosigned, Reply, WitnessClient};
pub use key::{KeyMalformed, PublicKey, SignatureType, WitnessKey};
pub use note::{NoteMalformed, SignatureLine, Signed, SignedNote};
pub use policy::{Policy, PolicyFault, PolicyMalformed, PolicyWitness, Tally};
pub use request::{AddCheckpoint, RequestMalformed, TreeHead};
pub use server::{tiles_router, witness_router};
pub use state::{EvidencePlace, FolderError, WitnessFolder, WitnessState, origin_hash};
pub use table::CosignaturesTable;
pub use witness::{Answer, Evidence, Handled, Inconsistency, Witness};

/// The example of the README, compiled and run as a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
