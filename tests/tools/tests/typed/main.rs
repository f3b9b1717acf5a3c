//! The typed requests, facts and answers of the library are those that the contract declares.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

mod answers;
mod contract;
mod english;
mod lines;
