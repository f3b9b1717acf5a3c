//! Requests, facts and their parts, declared once: a line a field gives the type, its constructor,
//! its setters, their documentation, its JSON, its strategy and its table.
//!
//! [`fact!`](crate::fact) and [`request!`](crate::request) declare what a service says; `part!`
//! and `words!` what stands within. Each type keeps its declaration as a table, [`Declared`], which
//! a test holds against the contract.

mod list;
mod table;
mod typed;
mod wire;

pub(crate) use list::{domains, list};
pub use table::{Declared, Field, Of, Within};
pub(crate) use typed::{beside, part, typed, wire_name, words};
pub(crate) use wire::{Fields, Parts, Wire, value_of};
