//! Pages for people, asked for as a browser asks: what they show, what they hide, and what a
//! browser may do with them.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod assigned;
mod console;
mod dashboard;
mod days;
mod deciding;
mod decisions;
mod full;
mod house;
mod inbox;
#[path = "../setup/log.rs"]
mod log;
mod mailbox;
mod monitor;
mod person;
mod persons;
mod public;
mod query;
mod refresh;
mod rights;
mod search;
mod second;
