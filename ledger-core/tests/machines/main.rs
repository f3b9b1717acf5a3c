//! The machines of the ledger, one page each: grids, posting tables, stories and walks; then the
//! values, accounts and terms they are made of.
#![allow(missing_docs)] // Tests are named as facts; their names are the documentation.
#![allow(clippy::needless_pass_by_value)] // A test hands over what it made for this step alone.

mod absences;
mod accounting;
mod agent;
mod br_code;
mod cash_out;
mod catalogue;
mod charge;
mod coin_accounts;
mod coins;
mod coins_owed;
mod conversion;
mod crypto_withdrawal;
mod delivery;
mod directory;
mod entry;
mod erroneous_delivery;
mod fees;
mod forged;
mod golden;
mod grid;
mod hold;
mod ids;
mod instants;
mod ladder;
mod ledger;
mod legs;
mod mandates;
mod numbers;
mod outcome;
mod payout;
mod pix_keys;
mod prices;
mod purchase;
mod sales;
mod sample_events;
mod samples;
mod schoolbook;
mod services;
mod shown_to_people;
mod suspense;
mod templates;
mod transfer;
mod unmatched_deposit;
mod walk;
mod wallet_deposit;
mod wallet_payment;
mod wallets;
mod wire_form;
