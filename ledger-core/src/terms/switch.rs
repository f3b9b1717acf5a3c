//! On or off.
use minicbor::{Decode, Encode};

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Switch {
    /// Off.
    #[default]
    #[n(0)]
    Off,
    /// On.
    #[n(1)]
    On,
}

impl Switch {
    /// Whether the switch is on.
    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }
}
