//! The contract's version, and its changes with their dates, as data (VSN-01, VSN-03, VSN-04).

use crate::time::Instant;

/// The contract that is spoken here, as `OpenAPI` declares it.
pub const CONTRACT_VERSION: &str = "1.45.0";

/// The revision of its documentation.
pub const DOCUMENTATION_REVISION: &str = "2026-09-17.4";

/// The first midnight of Brasília on which the alias `code` is no longer sent (P:CodeRetireZone).
pub const ALIAS_RETIRES: &str = "2026-11-09T00:00:00-03:00";

/// A change of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The version that brought it, where the contract names one.
    pub version: Option<&'static str>,
    /// Its first instant, where it has a date: midnight of Brasília (P:EffectiveZone).
    pub from: Option<&'static str>,
    /// What changes for a client, a sentence.
    pub what: &'static str,
}

/// The contract's changes, in the order of its ninth section.
pub const CHANGES: [Change; 5] = [
    Change {
        version: None,
        from: Some(ALIAS_RETIRES),
        what: "the error field code, alias of erro, is no longer sent",
    },
    Change {
        version: None,
        from: Some("2026-10-15T00:00:00-03:00"),
        what: "the fees of section 1 are in force",
    },
    Change { version: Some("1.43.1"), from: None, what: "a deposit request is valid for 1 hour" },
    Change {
        version: Some("1.44.0"),
        from: None,
        what: "a DePix sale asks for refund_address only if it fails: AWAITING_REFUND_ADDRESS, \
               cashout.awaiting_refund_address, POST /cash-outs/{cashout_id}/refund-address",
    },
    Change {
        version: None,
        from: Some("2026-08-29T00:00:00-03:00"),
        what: "keys begin with svc_live_ or svc_test_; those before begin with svc_ and stay valid",
    },
];

/// Tells whether the alias `code` still stands in errors at `at` (ERR-06, ERR-07).
#[must_use]
pub fn sends_alias(at: Instant) -> bool {
    Instant::parse(ALIAS_RETIRES).is_some_and(|retires| at < retires)
}

impl Change {
    /// Its first instant; none where it has no date.
    #[must_use]
    pub fn first(&self) -> Option<Instant> {
        self.from.and_then(Instant::parse)
    }
}
