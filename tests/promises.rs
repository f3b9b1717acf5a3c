//! What the custody ledger promises to its clients, each kept or broken on the wire.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "promises/day.rs"]
mod day;

#[path = "promises/bad_lines.rs"]
mod bad_lines;
#[path = "promises/custody_day.rs"]
mod custody_day;
#[path = "promises/errors.rs"]
mod errors;
#[path = "promises/facts.rs"]
mod facts;
#[path = "promises/idempotency.rs"]
mod idempotency;
#[path = "promises/killed.rs"]
mod killed;
#[path = "promises/precedence.rs"]
mod precedence;
#[path = "promises/properties.rs"]
mod properties;
#[path = "promises/returned_money.rs"]
mod returned_money;
#[path = "promises/secrets.rs"]
mod secrets;
#[path = "promises/statement.rs"]
mod statement;
#[path = "promises/wire.rs"]
mod wire;
#[path = "promises/worked_examples.rs"]
mod worked_examples;
