//! Holds on the wire.

pub(super) mod fact;

use super::registry::unseen;
use crate::machine::hold;

unseen!(hold::State);
