//! Faults of a file, each by a word that every verifier has for it.

use thiserror::Error;

/// A fault of a file: its message begins with a word, which `docs/RESERVES.md` explains.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The house did not sign this.
    #[error("signature: {0}")]
    Signature(String),
    /// The checkpoint is none that the house signed, or the record is not a beginning of it.
    #[error("checkpoint: {0}")]
    Checkpoint(String),
    /// The sums are not those of the checkpoint.
    #[error("totals: {asset} {column}: {found} here, {signed} in the checkpoint")]
    Totals {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The column of the checkpoint.
        column: String,
        /// The sum of the file, in smallest units.
        found: i128,
        /// The total of the checkpoint.
        signed: String,
    },
    /// A commodity is missing, stands twice or not in order.
    #[error("assets: {0}")]
    Assets(String),
    /// A class of what is owed is missing, or one too many.
    #[error("classes: {asset} lists {found}, and must list {expected}")]
    Classes {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The classes that stand there.
        found: String,
        /// Those that must.
        expected: String,
    },
    /// The accounts of a class are others, or do not come to its sum.
    #[error("accounts: {asset} {class}: {detail}")]
    Accounts {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The class of what is owed, as files name it.
        class: String,
        /// The two lists of names that differ, or the two sums.
        detail: String,
    },
    /// A tree is too small, or its number of leaves no power of two.
    #[error("leaves: {asset} {class} has {leaves} leaves")]
    Leaves {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The class of what is owed, as files name it.
        class: String,
        /// The number of leaves that the file states.
        leaves: u64,
    },
    /// The total is not the sum of the classes, or the root not over them.
    #[error("root: {asset}: {detail}")]
    Root {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The two totals that differ, or the two roots.
        detail: String,
    },
    /// Sums leave 128 bits.
    #[error("overflow: {0}: a sum leaves 128 bits")]
    Overflow(String),
    /// The leaves of a class are not those of its root.
    #[error("tree: {asset} {class}: {detail}")]
    Tree {
        /// The commodity: `BRL`, an asset's name, or `-` for the whole file.
        asset: String,
        /// The class of what is owed, or `-` for the whole file.
        class: String,
        /// The reason: sums, roots, numbers or keys of leaves.
        detail: String,
    },
    /// A statement is not believed.
    #[error("statement: {place}: {detail}")]
    Statement {
        /// The address or account, and the commodity held there.
        place: String,
        /// The reason: a signature, or an instant too far from the file's.
        detail: String,
    },
    /// A place is counted twice.
    #[error("twice: {0} is counted twice")]
    Twice(String),
    /// Statements do not come to what the file says is held.
    #[error("held: {asset}: statements come to {found}, and the file says {stated}")]
    Held {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// Clients' and own of the statements.
        found: String,
        /// Clients' and own of the file.
        stated: String,
    },
    /// The coverage is not the difference of holdings and total.
    #[error("coverage: {asset} is {found}, and the file says {stated}")]
    Coverage {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// Covered or short, by how much.
        found: String,
        /// The same as the file has it.
        stated: String,
    },
}
