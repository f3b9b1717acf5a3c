//! Webhooks of one key, forwarded to where its owner works: what its account is sent is asked for,
//! and forwarded, signed, to a URL.

use std::sync::Arc;
use std::time::Duration;

use ledger_core::contract::Secret;
use ledger_core::time::Instant;
use ledger_store::tls::client_config;
use reqwest::{Client, StatusCode, Url};
use serde_json::Value;
use thiserror::Error;

use super::schedule::Outcome;
use super::sending::guard::{Forbidden, Guard};
use super::sending::resolver::SystemLookup;
use super::sending::sender::{Message, Patience, Sender, SenderFailed};

/// How long the service may hold an answer back until there is something.
const WAIT: u64 = 20;

/// How much longer its answer is awaited.
const GRACE: u64 = 20;

/// How long is rested before a service that is away is asked again.
const REST: Duration = Duration::from_secs(1);

/// Who listens, to what, and where it is forwarded.
pub struct Listener {
    client: Client,
    sender: Sender,
    events: Url,
    key: Secret,
    forward_to: Url,
    secret: Secret,
    after: Option<u64>,
}

/// An event that was forwarded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forwarded {
    /// The event's id.
    pub event: String,
    /// The event's name.
    pub topic: String,
    /// What it was answered with.
    pub outcome: Outcome,
    /// How long that took.
    pub took: Duration,
}

/// Why nobody listens any more.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ListenFailed {
    /// A URL is none.
    #[error("{which} is none that can be used: {why}")]
    Url {
        /// Which of the two.
        which: &'static str,
        /// What is wrong with it.
        why: Forbidden,
    },
    /// The client cannot be set up.
    #[error(transparent)]
    Sender(#[from] SenderFailed),
    /// The system gives no randomness for a secret.
    #[error("the system gives no randomness")]
    Randomness(#[from] getrandom::Error),
    /// The service refuses, and would again.
    #[error("the service answers {status}: {said}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// `erro` and `detail`, or the beginning of what it said.
        said: String,
    },
}

impl Listener {
    /// Listens at a service to what the account of a key is sent. It is signed with `secret`, or
    /// with one of its own.
    ///
    /// # Errors
    ///
    /// [`ListenFailed`] when a URL is none, or the client cannot be set up.
    pub fn new(
        server: &str,
        key: Secret,
        forward_to: &str,
        secret: Option<Secret>,
    ) -> Result<Self, ListenFailed> {
        let guard = Guard::anywhere();
        let read =
            |which, text: &str| guard.check(text).map_err(|why| ListenFailed::Url { which, why });
        let server = format!("{}/webhooks/events", server.trim_end_matches('/'));
        let (events, forward_to) = (read("--server", &server)?, read("--forward-to", forward_to)?);
        let sender = Sender::new(guard, Arc::new(SystemLookup), Patience::default())?;
        let client = Client::builder()
            .tls_backend_preconfigured(client_config().map_err(SenderFailed::from)?)
            .timeout(Duration::from_secs(WAIT + GRACE))
            .build()
            .map_err(SenderFailed::from)?;
        let secret = match secret {
            Some(secret) => secret,
            None => Secret::new(&format!("whk_{}", &crate::supply::fresh()?[..48])),
        };
        Ok(Self { client, sender, events, key, forward_to, secret, after: None })
    }

    /// What is forwarded is signed with it.
    #[must_use]
    pub const fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Waits until the service answers; what comes from then on is forwarded.
    ///
    /// # Errors
    ///
    /// [`ListenFailed::Refused`] when the service does not know the key, or has no such route.
    pub async fn begin(&mut self) -> Result<(), ListenFailed> {
        while self.after.is_none() {
            self.poll().await?;
        }
        Ok(())
    }

    /// Forwards what has come, in order, and says what became of each; nothing where nothing came
    /// for a while.
    ///
    /// # Errors
    ///
    /// [`ListenFailed::Refused`] when the service refuses.
    pub async fn forward(
        &mut self,
        now: Instant,
        most: usize,
    ) -> Result<Vec<Forwarded>, ListenFailed> {
        let mut forwarded = Vec::new();
        for event in self.poll().await?.into_iter().take(most) {
            let text = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
            let (id, body) = (text("id"), event.to_string());
            let secrets = std::slice::from_ref(&self.secret);
            let message = Message { id: &id, body: &body, secrets, at: now };
            let sent = self.sender.post(self.forward_to.as_str(), message).await;
            let (outcome, took) = (sent.outcome, sent.took);
            forwarded.push(Forwarded { topic: text("event"), event: id, outcome, took });
        }
        Ok(forwarded)
    }

    /// Returns what was announced since it was asked last; nothing where the service is away.
    async fn poll(&mut self) -> Result<Vec<Value>, ListenFailed> {
        let mut url = self.events.clone();
        if let Some(after) = self.after {
            url.set_query(Some(&format!("after={after}&wait={WAIT}")));
        }
        let request = self.client.get(url).header("x-api-key", self.key.expose());
        let answer = async {
            let answer = request.send().await?;
            Ok::<_, reqwest::Error>((answer.status(), answer.text().await?))
        };
        let (status, text) = match answer.await {
            Ok((status, _)) if is_passing(status) => return self.away().await,
            Ok(answered) => answered,
            Err(_) => return self.away().await,
        };
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let next = body["next"].as_u64().filter(|_| status.is_success());
        let Some(next) = next else {
            let said = match (body["erro"].as_str(), body["detail"].as_str()) {
                (Some(erro), detail) => format!("{erro}: {}", detail.unwrap_or_default()),
                (None, _) => text.chars().take(200).collect(),
            };
            return Err(ListenFailed::Refused { status: status.as_u16(), said });
        };
        self.after = Some(next);
        Ok(body["items"].as_array().cloned().unwrap_or_default())
    }

    async fn away(&self) -> Result<Vec<Value>, ListenFailed> {
        tokio::time::sleep(REST).await;
        Ok(Vec::new())
    }
}

/// Tells whether a service that answers so will answer otherwise when it is asked again.
fn is_passing(status: StatusCode) -> bool {
    status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listener").field("after", &self.after).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_is_away_or_asks_for_time_is_asked_again_and_one_that_refuses_is_not() {
        let again = [500, 503, 429, 401, 404, 200]
            .map(|status| is_passing(StatusCode::from_u16(status).expect("it is a status")));
        assert_eq!(again, [true, true, true, false, false, false]);
    }
}
