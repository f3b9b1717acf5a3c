//! The commands that show the contract itself: its routes, its facts, its document.

pub mod facts;
pub mod openapi;
pub mod routes;
