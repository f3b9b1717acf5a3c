//! The facts of keys: replaced and revoked by operators.

use super::{ACCOUNT, ACTOR, EVIDENCE, FactShape, ID, REASON};
use crate::ledger::FactKind;

/// Every fact of keys.
pub const KEYS: [FactShape; 2] = [
    FactShape {
        kind: FactKind::KeyReplaced,
        name: "key.replaced",
        meaning: "An operator gave an account another key, for one that was lost or revoked; \
                  supplied.key brings it, or supplied.entropy (64 hex digits) makes it, shown once.",
        fields: &[ID, ACCOUNT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"key.replaced","body":{"id":"rep-1","account":"loja","actor":"bia","reason":"key lost"},"supplied":{"key":"svc_live_loja_2"}}"#,
    },
    FactShape {
        kind: FactKind::KeyRevoked,
        name: "key.revoked",
        meaning: "An operator took an account's key: nothing opens the account until key.replaced.",
        fields: &[ID, ACCOUNT, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"key.revoked","body":{"id":"rev-1","account":"loja","actor":"bia","reason":"published by mistake"}}"#,
    },
];
