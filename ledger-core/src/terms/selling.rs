//! What a client may sell now, in the order's own asset.

use crate::coin::{Scale, Units};
use crate::money::{Amount, Cents};

/// What a client may do, in the order's own asset: the wire's `limits` (COUT-30).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The least crypto that passes.
    pub least: Option<Units>,
    /// The most crypto that passes now; none where nothing does.
    pub most: Option<Units>,
    /// The asset's decimals.
    pub scale: Scale,
    /// What the recipient may have now, in centavos.
    pub most_now: Cents,
    /// The most of one sale, in centavos.
    pub most_ever: Amount,
}
