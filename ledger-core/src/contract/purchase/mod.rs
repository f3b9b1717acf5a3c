//! Purchases on the wire: what is offered, and what is reported of deliveries.

pub(super) mod catalogue_fact;
pub(super) mod fact;
pub(super) mod target;

use super::registry::unseen;
use crate::machine::erroneous_delivery;

unseen!(erroneous_delivery::State);
