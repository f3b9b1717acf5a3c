//! Facts on the wire: how they are declared, the table of all, the reader, and what their answers
//! say.

pub(super) mod instruction;
pub(super) mod parts;
pub(super) mod payment_details;
pub(super) mod repeat;
pub(super) mod set_aside;
pub(super) mod shape;
pub(super) mod table;
pub(super) mod time;
pub(super) mod treasury;
