//! On or off.
use minicbor::{Decode, Encode};

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
#[allow(missing_docs)] // Each is what its name says.
pub enum Switch {
    #[default]
    #[n(0)]
    Off,
    #[n(1)]
    On,
}

impl Switch {
    /// Tells whether the switch is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}
