//! What a page shows of a ledger: statements, operations and records, by whoever looks at them.
//!
//! The owner of an account sees its own legs of an entry, the operator all of them.

mod decision;
pub(super) mod operation;
pub(super) mod plain;
pub(super) mod record;
pub(super) mod statement;
pub(super) mod viewer;
pub(super) mod words;
