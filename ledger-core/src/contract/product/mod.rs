//! Accounts and entries of a product's own, on the wire.

pub(super) mod fact;
mod holder;
mod opening;
mod template;

use super::object::Json;
use super::registry::{Facts, Shown, shown_as};
use crate::machine::entry::State;

impl Shown for State {
    fn facts(&self) -> Facts<'_> {
        let status = match self {
            Self::Absent => None,
            Self::Posting(_) | Self::Posted(_) => Some("concluida"),
            Self::Reversing(_) | Self::Reversed(_) => Some("estornada"),
        };
        Facts { status, ..Facts::NONE }
    }

    shown_as!(|_, _, _| Json::Null);
}
