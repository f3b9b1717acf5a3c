//! The tables: what people and other programs read, and ledgers carried from store to store.

pub mod export;
pub mod projection;
pub mod records;
pub mod service_tables;
