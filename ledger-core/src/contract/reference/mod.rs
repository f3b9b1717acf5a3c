//! The reference of the contract: what routes, fields, errors and events mean, in words.
//!
//! The tables of routes, facts and errors say what is taken and answered; here each has its text,
//! its unit and an example, once, so that whatever documents the contract says the same.

mod money_routes;
mod other_routes;
pub(super) mod route;
pub(super) mod route_table;
