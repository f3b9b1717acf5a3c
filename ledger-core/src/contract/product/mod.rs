//! Accounts and entries of a product's own, on the wire.

pub(super) mod fact;
mod holder;
mod opening;
mod template;

use super::object::{Json, object};
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

    // No client asks for an entry; people see what its product attached to it (P:Metadata).
    shown_as!(|_, views, of| match of.operation.metadata {
        Some(_) => object! { "entry_id": of.op.text(&views.state.name) },
        None => Json::Null,
    });
}
