//! One post: to which addresses it may go, and how it is signed and sent.

pub mod guard;
pub mod resolver;
pub mod sender;
