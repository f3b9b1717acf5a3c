//! The monthly trial balance by COSIF accounts, as document 4010.

mod mapping;
mod month;
mod valued;
mod xml;

pub use mapping::{CosifMapping, MappingError, Side};
pub use month::{CosifAccount, CosifBalance, CosifError};
