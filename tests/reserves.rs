//! Proof of reserves: files as a house makes them and strangers check them, by
//! the program, by the library and by the second implementation in Python.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "reserves/commands.rs"]
mod commands;
#[path = "reserves/house.rs"]
mod house;
#[path = "reserves/statements.rs"]
mod statements;
#[path = "reserves/sums.rs"]
mod sums;
#[path = "reserves/tampered.rs"]
mod tampered;
