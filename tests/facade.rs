//! The library as a service holds it in its hand.
#![allow(missing_docs)] // The names of tests are sentences; a line above each would repeat them.

#[path = "facade/answers.rs"]
mod answers;
#[path = "facade/cells.rs"]
mod cells;
#[path = "facade/cells_keys.rs"]
mod cells_keys;
#[path = "facade/cells_moving.rs"]
mod cells_moving;
#[path = "facade/cells_statement.rs"]
mod cells_statement;
#[path = "facade/doors.rs"]
mod doors;
#[path = "facade/drawn.rs"]
mod drawn;
#[path = "facade/environments.rs"]
mod environments;
#[path = "facade/examples.rs"]
mod examples;
#[path = "facade/faults.rs"]
mod faults;
#[path = "facade/health.rs"]
mod health;
#[path = "facade/journal.rs"]
mod journal;
#[path = "facade/moving.rs"]
mod moving;
#[path = "facade/operations.rs"]
mod operations;
#[path = "facade/outbox.rs"]
mod outbox;
#[path = "facade/pending.rs"]
mod pending;
#[path = "facade/persons.rs"]
mod persons;
#[path = "facade/points.rs"]
mod points;
#[path = "facade/provider.rs"]
mod provider;
#[path = "facade/replica.rs"]
mod replica;
#[path = "facade/reserved.rs"]
mod reserved;
#[path = "facade/served.rs"]
mod served;
#[path = "../ledger-store/tests/setup/server.rs"]
mod server;
#[path = "facade/shop.rs"]
mod shop;
#[path = "facade/standby.rs"]
mod standby;
#[path = "facade/statements.rs"]
mod statements;
#[path = "facade/testkit.rs"]
mod testkit;
#[path = "facade/time.rs"]
mod time;
#[path = "facade/values.rs"]
mod values;
