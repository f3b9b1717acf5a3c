//! Regulatory reports by the program, over a day of every flow of the contract; and their page.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "regulatory/command.rs"]
mod command;
