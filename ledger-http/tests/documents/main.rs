//! The documents say what the contract takes and answers, and everything of it.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

mod contract;
mod described;
mod published;
mod recorded;
mod tools;
