//! How a service is watched: what it logs, counts and says of its health.

pub mod access;
pub mod attempt;
pub(crate) mod causes;
pub mod endpoint_act;
pub(crate) mod health;
pub mod line_format;
pub(crate) mod mail;
pub mod metrics;
pub mod pushed;
pub mod question;
pub(crate) mod recent;
pub mod searched;
pub mod standing_by;
