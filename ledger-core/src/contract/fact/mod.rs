//! Facts on the wire: their shapes as data, the reader, and what their answers say.

pub(super) mod need;
pub(super) mod parts;
pub(super) mod payment_details;
pub(super) mod read;
pub(super) mod set_aside;
pub(super) mod shapes;
pub(super) mod treasury;
