//! The commands of the program beside `run`, a file each.

pub(super) mod audit;
pub(super) mod books;
pub(super) mod close;
pub(super) mod contract;
pub(super) mod decide;
pub(super) mod directory;
pub(super) mod erasure;
pub(super) mod export;
pub(super) mod find;
pub(super) mod import;
pub(super) mod listen;
pub(super) mod look;
pub(super) mod matching;
pub(super) mod operator;
pub(super) mod outbox;
pub(super) mod project;
pub(super) mod proof;
pub(super) mod reconcile;
pub(super) mod regulatory;
pub(super) mod reserves;
pub(super) mod runbook;
pub(super) mod serve;
pub(super) mod shell;
pub(super) mod simulate;
pub(super) mod snapshot;
pub(super) mod trace;
