//! The machines of the ledger, one page each: grids, posting tables, stories and walks; then the
//! values, accounts and terms they are made of.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.

mod absences;
mod accounting;
mod charge;
mod fees;
mod grid;
mod hold;
mod ids;
mod ink;
mod instants;
mod ledger;
mod legs;
mod payout;
mod samples;
mod suspense;
mod transfer;
mod walk;
mod wire_form;
