//! How a journal fails: one enum per operation, each saying whether anything was written.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use ledger_core::contract::Unproved;
use ledger_core::id::Environment;

use super::writer::holder::describe_holder;
use super::{DIRECTORY, Head, Holder};
use crate::bytes::chain::{Algorithm, AlgorithmUnknown};

/// The cause a backend gives for an error.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// The advice, after "end it", to whoever is refused a ledger that another holds.
pub const TAKE_OVER: &str = ", or take over from it where that is meant";

/// The ways to do so, which follow [`TAKE_OVER`]: the program's option, and the library's method.
pub const TAKE_OVER_BY: &str = " (--take-over, Builder::take_over)";

/// Why a ledger could not be opened.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Where a field has no line, the message says what it is.
pub enum OpenError {
    /// There is no file, and opening read-only creates none.
    #[error("{}: no such file", path.display())]
    Missing { path: PathBuf },
    /// The file is not an SQLite database.
    #[error("{}: not a database", path.display())]
    NotADatabase {
        path: PathBuf,
        /// What the database says.
        source: Source,
    },
    /// The database server cannot be reached, or does not let this user in.
    #[error("{server}: the server cannot be reached")]
    Unreachable {
        /// The server, its database and the user, without a password.
        server: String,
        /// What the system or the server says.
        source: Source,
    },
    /// The server is set to acknowledge what a power loss would take back.
    #[error("{server}: the server runs with {setting} off, and would lose what it acknowledges")]
    NotDurable {
        /// The server, its database and the user, without a password.
        server: String,
        setting: &'static str,
    },
    /// A table is not written to the server's log, and is empty after a crash.
    #[error("{server}: table {table} is UNLOGGED, and a crash of the server would empty it")]
    Unlogged {
        /// The server, its database and the user, without a password.
        server: String,
        /// The table: `ALTER TABLE … SET LOGGED` mends it.
        table: String,
    },
    /// The store writes over what is there, and could not tell two writers from one.
    #[error("{store}: this store overwrites: it made an object where there was one already")]
    Overwrites {
        /// The store of objects.
        store: String,
    },
    /// The database spreads its tables over nodes, and would lose what it acknowledged.
    #[error("{server}: its tables are spread over nodes, and {fault}")]
    Spread {
        /// The server, its database and the user, without a password.
        server: String,
        /// What is missing, and how to mend it.
        fault: String,
    },
    /// The database is not of the shape this program writes.
    #[error("{}: not a journal of this version: {reason}", path.display())]
    Schema {
        /// The file, or the server and its database.
        path: PathBuf,
        reason: String,
    },
    /// The database cannot be used.
    #[error("{}: cannot be opened", path.display())]
    Database {
        /// The file, or the server and its database.
        path: PathBuf,
        /// What the database says.
        source: Source,
    },
    /// The ledger does not exist, and opening read-only creates none.
    #[error("no ledger is named \"{name}\" here")]
    LedgerUnknown {
        /// The name asked for.
        name: String,
    },
    /// The object that says what the ledger was created with is lost, and others of it are there.
    /// Nothing was created.
    #[error(
        "ledger \"{name}\": the object {path} is missing, and {others} objects of the ledger are \
         there: put it back, since it holds the key of the ledger's tokens"
    )]
    IdentityLost {
        name: String,
        /// The path of the missing object in its store.
        path: String,
        /// How many other objects of the ledger are there.
        others: usize,
    },
    /// The name is that of the directory of cells, and was given for a ledger. Nothing was created.
    #[error(
        "no ledger may be named \"{DIRECTORY}\": in every store it is the name of the directory of \
         cells, which is opened as a directory"
    )]
    NameReserved,
    /// A ledger was to be opened as the directory of cells. Nothing was created.
    #[error("\"{name}\" names a ledger: the directory of cells is named \"{DIRECTORY}\"")]
    NotADirectory {
        /// The name asked for.
        name: String,
    },
    /// The ledger was created with another vault key than the one given.
    #[error("ledger \"{name}\" was created with another vault key than the one given")]
    VaultKeyDiffers { name: String },
    /// The key beside the ledger is not the one it was created with.
    #[error("the vault key of ledger \"{name}\" was changed: it is not the one of its key_check")]
    VaultKeyChanged { name: String },
    /// The ledger was created with another hash than the one asked for.
    #[error("ledger \"{name}\" is chained with {recorded}, not {given}")]
    AlgorithmDiffers {
        name: String,
        /// The algorithm that it was created with.
        recorded: Algorithm,
        /// The algorithm asked for.
        given: Algorithm,
    },
    /// The ledger was made for another environment than the one asked for.
    #[error("ledger \"{name}\" was made for the environment {recorded}, not {given}")]
    EnvironmentDiffers {
        name: String,
        /// The environment that it was made for.
        recorded: Environment,
        /// The environment asked for.
        given: Environment,
    },
    /// The ledger's hash is not one this version knows.
    #[error("ledger \"{name}\" cannot be followed")]
    AlgorithmUnknown { name: String, source: AlgorithmUnknown },
    /// The system gave no random bytes for a new vault key.
    #[error("no random bytes for a new vault key")]
    Random(#[source] std::io::Error),
}

/// Why a journal could not be read or taken over.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The journal is open read-only.
    #[error("the journal is open read-only")]
    ReadOnly,
    /// No epoch is held: `open_writer` comes first. Nothing was erased.
    #[error("no epoch is held: the writer must take over first")]
    NotWriting,
    /// Another writer has taken over: this one must stop. Nothing was erased.
    #[error("fenced: this writer holds epoch {mine}, epoch {current} has taken over")]
    Fenced {
        /// The epoch of this writer.
        mine: u64,
        /// The epoch of the ledger.
        current: u64,
    },
    /// A legal hold is in force on this person. Nothing was erased.
    #[error("held and not erased: the legal hold {holds} is in force")]
    Held {
        /// The names of the holds, with commas between.
        holds: String,
    },
    /// Another writer's lease is in force. Nothing was changed.
    #[error("leased to {} for {} ms yet", describe_holder(holder.as_deref()), left.as_millis())]
    Leased {
        /// How long it is in force, unless it is renewed.
        left: Duration,
        /// Who holds it, where that is known.
        holder: Option<Box<Holder>>,
    },
    /// Another writer holds the ledger, and its process lives. Nothing was changed.
    #[error("held by {}: end it{TAKE_OVER}{TAKE_OVER_BY}", describe_holder(holder.as_deref()))]
    InUse {
        /// Who holds it, where that is known.
        holder: Option<Box<Holder>>,
    },
    /// The medium is damaged from this record on.
    #[error("the journal cannot be read from record {seq} on")]
    Damaged {
        /// The first record that could not be read.
        seq: u64,
        /// What the medium says.
        source: Source,
    },
    /// Rows are missing or overlap.
    #[error("record {expected} is missing: the next row begins at {found}")]
    Gap {
        /// The record that should come next.
        expected: u64,
        /// The record that does.
        found: u64,
    },
    /// It does not end where it seems to: what comes next is lost. Nothing was changed.
    #[error(
        "the journal is not whole after record {}: missing is {missing}, since {evidence}: put it \
         back, or go on without it from where the journal seems to end, which is recorded \
         (--accept-loss, Builder::accept_loss): {}:{}", head.seq, head.seq, head.link
    )]
    Lost {
        /// Where it ends without what is lost.
        head: Head,
        /// What is not there, and where it belongs.
        missing: String,
        /// What says that there was more.
        evidence: String,
    },
    /// The database does not keep the journal by the rules it was given.
    #[error("the database does not keep the journal by the rules it was given: {faults}")]
    Rules {
        /// Which triggers and rules are missing, changed or foreign.
        faults: String,
    },
    /// A row of the vault is not what its token was derived from.
    #[error("the vault: the row of token {token} was changed")]
    Vault {
        /// The token, as 32 hexadecimal digits.
        token: String,
        /// What of it.
        #[source]
        source: Unproved,
    },
    /// No row of the vault is what its token was derived from.
    #[error(
        "the vault: no token of it was derived under the ledger's vault key, so the key was changed"
    )]
    VaultKey,
    /// What was read of it is no longer there.
    #[error(
        "record {seq} was read of this journal and is no longer there, and the journal ends at \
         record {head}: it was restored from an older copy, or is another"
    )]
    WentBack {
        /// A record that was read.
        seq: u64,
        /// Where the journal ends now.
        head: u64,
    },
    /// It is a stream of the commits that another process writes.
    #[error("the journal is a stream of commits, which has no store to write to")]
    StreamOnly,
    /// The medium failed.
    #[error("the journal's medium failed")]
    Medium(#[source] Source),
}

/// Why a commit was not acknowledged.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another writer has taken over: this one must stop. Nothing was written.
    #[error("fenced: this writer holds epoch {mine}, epoch {current} has taken over")]
    Fenced {
        /// The epoch of this writer.
        mine: u64,
        /// The epoch of the ledger.
        current: u64,
    },
    /// The head is not where the writer believes. Nothing was written.
    #[error("the head is record {}, not {}: links {} and {}",
        found.seq, expected.seq, found.link, expected.link)]
    HeadMoved {
        /// What the writer believes.
        expected: Head,
        /// Where the head is.
        found: Head,
    },
    /// No epoch is held: `open_writer` comes first, and again after `Unknown`. Nothing was written.
    #[error("no epoch is held: the writer must take over first")]
    NotWriting,
    /// The medium refused. Nothing was written.
    #[error("the commit was not written")]
    Failed(#[source] Source),
    /// The outcome is not known: the epoch is given up, and taking over anew finds out.
    #[error("whether the commit was written is not known")]
    Unknown(#[source] Source),
}

/// Why a file no longer is what its writer opened.
#[cfg_attr(not(any(feature = "sqlite", feature = "object")), allow(dead_code))] // Of files alone.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Displaced(pub(super) String);

impl Displaced {
    /// Tells whether `error` is one.
    pub(super) fn is_cause_of(error: &io::Error) -> bool {
        error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Self>)
    }
}

/// An error with its causes, in one line.
pub(crate) fn in_one_line(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl JournalError {
    /// What comes after `head` is lost, as something else says.
    pub(crate) fn loss(head: Head, missing: String, evidence: String) -> Self {
        Self::Lost { head, missing, evidence }
    }

    /// Tells whether a file was taken away, or written over, under its writer.
    pub(crate) fn is_displaced(&self) -> bool {
        let Self::Medium(source) = self else { return false };
        source.downcast_ref().is_some_and(Displaced::is_cause_of)
    }

    /// Tells whether another writer holds the ledger, or took it first.
    pub(crate) const fn is_anothers(&self) -> bool {
        matches!(self, Self::Fenced { .. } | Self::Leased { .. } | Self::InUse { .. })
    }

    /// The first record at fault, where one can be named.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        match self {
            Self::Damaged { seq, .. } => Some(*seq),
            Self::Gap { expected, .. } => Some(*expected),
            Self::Lost { head, .. } => Some(head.seq + 1),
            _ => None,
        }
    }
}
