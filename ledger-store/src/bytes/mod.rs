//! The bytes: records encoded, chained, framed into rows, and signed; they know no journal that
//! keeps them.

pub mod chain;
pub mod codec;
pub mod commit_builder;
pub mod frame;
pub mod located_record;
pub mod signing;
