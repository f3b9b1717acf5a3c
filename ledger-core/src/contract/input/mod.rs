//! Reading what comes in: JSON, fields, queries, cursors, secrets; personal data becomes tokens.

pub(super) mod cursor;
pub(super) mod echo;
pub(super) mod fields;
pub mod json;
pub(super) mod nul;
pub(super) mod query;
pub(super) mod secret;
pub(super) mod tokens;
pub(super) mod units;
