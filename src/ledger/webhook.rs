//! A webhook, ready to be sent.

use ledger_core::contract::signature;
use ledger_core::id::OpId;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;

/// A webhook, ready to be sent by POST.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Webhook {
    /// The address that its account has set.
    pub url: String,
    /// The headers that go with it: the id and the signatures, ours and those of Standard Webhooks.
    /// Each is by the secret in force and, for 24 hours after a rotation, by the one before too, so
    /// that a receiver changes its secret when it likes.
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
    let url = views.endpoint(account)?.url;
    let secrets = views.signing_secrets(account, now);
    let signed = signature::headers(&secrets, &id, now, body.as_bytes());
    let json = ("Content-Type", "application/json".to_owned());
    let headers = std::iter::once(json).chain(signed).collect();
    Some(Webhook { url, headers, body })
}
