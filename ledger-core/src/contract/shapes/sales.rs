//! The facts about sales of crypto for PIX: what is bought, what was deposited, sold, paid, refunded.

use super::Need::Optional;
use super::{FactShape, ID};
use crate::ledger::FactKind;

/// These facts, in the order people meet them.
pub const SALES: [FactShape; 1] = [FactShape {
    kind: FactKind::MarketsUpdated,
    name: "markets.updated",
    meaning: "Pairs of asset and network that sellers may deposit were listed, changed or dropped.",
    fields: &[
        ID,
        (
            "items",
            Optional,
            "the pairs listed or changed: asset, network, path (FAST, DEX, CONVERT, depix_liquid), decimals, min, max, available, valid_minutes, confirmations, eta_minutes",
        ),
        ("dropped", Optional, "the pairs no longer listed: asset and network"),
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"markets.updated","body":{"id":"mk-1","items":[{"asset":"usdt","network":"polygon","path":"FAST"}]}}"#,
}];
