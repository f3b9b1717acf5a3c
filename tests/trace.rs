//! Money traced: by the program over the example day, and over simulated journals, where lots and
//! books agree at every record under every rule.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "trace/command.rs"]
mod command;
#[path = "trace/simulated.rs"]
mod simulated;
