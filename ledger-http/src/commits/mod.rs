//! A stream of commits over HTTP: a service offers what it has written, and a replica elsewhere
//! follows it without a way to its store.
//!
//! ```text
//! engine -> journal -> commits_router  ==pages of rows==>  RemoteJournal -> Replica -> reads
//!                      vault           ==values, one answer each==>  '
//! ```
//!
//! Rows travel as the journal stores them, links included, so the replica proves each as whoever
//! reads the store does. Values of the vault are asked for by their tokens, for the answer that
//! shows them, and kept nowhere: whoever is erased where the ledger is written is shown by no
//! replica from then on.
//!
//! Whoever has the secret reads everything, the vault key among it. Neither side speaks TLS as a
//! server: a proxy before the writer's listener does.

mod answers;
mod page;
mod remote;
mod routes;
mod source;

pub use remote::RemoteJournal;
pub use routes::commits_router;
pub use source::{CommitSource, CommitSourceFailed};

/// The last part of the path of pages.
const COMMITS: &str = "commits";

/// The last part of the path of values.
const VALUES: &str = "values";
