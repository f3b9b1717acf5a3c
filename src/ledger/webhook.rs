//! A webhook, ready to be sent.

use ledger_core::contract::signature::{
    ID_HEADER, SIGNATURE_HEADER, STANDARD_ID_HEADER, STANDARD_SIGNATURE_HEADER,
    STANDARD_TIMESTAMP_HEADER, seconds_of, sign, sign_standard,
};
use ledger_core::id::OpId;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;

/// A webhook, ready to be sent by POST.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Webhook {
    /// The address that its account has set.
    pub url: String,
    /// The headers that go with it: the id and the signature, ours and those of Standard Webhooks,
    /// by the secret in force. The courier of `ledger_http` signs by the one before, too, for 24
    /// hours after a rotation.
    pub headers: Vec<(&'static str, String)>,
    /// The bytes to be sent, which the signature is over.
    pub body: String,
}

/// An address may hold a secret, and a body persons: the headers' names alone.
impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| *name).collect();
        f.debug_struct("Webhook").field("headers", &names).finish_non_exhaustive()
    }
}

/// The webhook of a body about this operation, signed at `now`.
pub(super) fn webhook(
    sequencer: &Sequencer,
    (id, operation): (String, &str),
    body: String,
    now: Instant,
) -> Option<Webhook> {
    let views = sequencer.views();
    let op = OpId::parse(operation, &views.state.name)?;
    let account = views.operation(op)?.account()?;
    let endpoint = views.endpoint(account)?;
    let signature = sign(&endpoint.secret, now, body.as_bytes());
    let json = "application/json".to_owned();
    let standard = sign_standard(&[endpoint.secret], &id, now, body.as_bytes());
    let headers = vec![
        ("Content-Type", json),
        (ID_HEADER, id.clone()),
        (SIGNATURE_HEADER, signature),
        (STANDARD_ID_HEADER, id),
        (STANDARD_TIMESTAMP_HEADER, seconds_of(now).to_string()),
        (STANDARD_SIGNATURE_HEADER, standard),
    ];
    Some(Webhook { url: endpoint.url, headers, body })
}
