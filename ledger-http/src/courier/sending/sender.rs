//! Posts a webhook: once, to the address that was checked, with the signatures of every secret in
//! force.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use ledger_core::contract::{Secret, signature};
use ledger_core::time::Instant;
use ledger_store::tls::{TlsError, client_config};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, redirect};
use thiserror::Error;

use super::guard::{Forbidden, Guard};
use super::resolver::{GuardedResolver, Lookup};
use crate::courier::schedule::{Outcome, retry_after};

/// How much of an answer is read and kept, in bytes.
pub const ANSWER_BYTES: usize = 20_000;

/// How many connections to one host wait for the next webhook, and for how long.
const KEPT: (usize, Duration) = (32, Duration::from_secs(1));

/// How receivers tell who calls.
const USER_AGENT: &str = concat!("custody-ledger-webhooks/", env!("CARGO_PKG_VERSION"));

/// How long is waited for an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the connection, TLS included.
    pub connect: Duration,
    /// For all of it, the answer read.
    pub whole: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), whole: Duration::from_secs(15) }
    }
}

/// Why there is no sender.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SenderFailed {
    /// The settings of TLS are refused.
    #[error("TLS cannot be set up")]
    Tls(#[from] TlsError),
    /// The client cannot be made.
    #[error("the client of webhooks cannot be made")]
    Client(#[from] reqwest::Error),
}

/// An event as it is sent.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// The id of the event, by which receivers know a duplicate.
    pub id: &'a str,
    /// The bytes that are sent and signed.
    pub body: &'a str,
    /// The secrets in force, the present one first.
    pub secrets: &'a [Secret],
    /// When it is sent, by the service's clock.
    pub at: Instant,
}

/// What came of sending one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Tells whether it was answered, and what.
    pub outcome: Outcome,
    /// How long it took.
    pub took: Duration,
    /// The beginning of the answer's body, as text.
    pub answer: String,
}

/// A client that goes where the guard lets it, follows no redirect and asks no proxy.
pub struct Sender {
    client: Client,
    guard: Guard,
}

impl Sender {
    /// A sender that finds addresses by `lookup`.
    ///
    /// # Errors
    ///
    /// [`SenderFailed`] when TLS or the client cannot be set up.
    pub fn new(
        guard: Guard,
        lookup: Arc<dyn Lookup>,
        patience: Patience,
    ) -> Result<Self, SenderFailed> {
        let client = Client::builder()
            .tls_backend_preconfigured(client_config()?)
            .dns_resolver(GuardedResolver { lookup, guard })
            .redirect(redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .http1_only()
            .user_agent(USER_AGENT)
            .connect_timeout(patience.connect)
            .timeout(patience.whole)
            // A connection stays with the address that was checked for it. One that rests for as
            // long as some servers take to hang up is not sent over.
            .pool_max_idle_per_host(KEPT.0)
            .pool_idle_timeout(KEPT.1)
            .build()?;
        Ok(Self { client, guard })
    }

    /// Posts a message to a URL, and reads the beginning of what is answered.
    pub async fn post(&self, url: &str, message: Message<'_>) -> Sent {
        let began = Clock::now();
        let (outcome, answer) = match self.guard.check(url) {
            Err(_) => (Outcome::Forbidden, String::new()),
            Ok(url) => outcome_of(sign(self.client.post(url), message), message.at).await,
        };
        Sent { outcome, took: began.elapsed(), answer }
    }

    /// The same, signed as Standard Webhooks are and in no other way.
    pub(crate) async fn post_standard(&self, url: &str, message: Message<'_>) -> Sent {
        let began = Clock::now();
        let (outcome, answer) = match self.guard.check(url) {
            Err(_) => (Outcome::Forbidden, String::new()),
            Ok(url) => outcome_of(standard(self.client.post(url), message), message.at).await,
        };
        Sent { outcome, took: began.elapsed(), answer }
    }
}

impl Sender {
    /// Posts a text that is signed by itself, and says what came of it.
    pub(crate) async fn post_text(&self, url: &str, text: String, at: Instant) -> Outcome {
        let Ok(url) = self.guard.check(url) else { return Outcome::Forbidden };
        let request = self.client.post(url).header(CONTENT_TYPE, "text/plain; charset=utf-8");
        outcome_of(request.body(text), at).await.0
    }
}

/// With the event's id and both signatures, each by every secret.
fn sign(request: RequestBuilder, message: Message<'_>) -> RequestBuilder {
    let Message { id, body, secrets, at } = message;
    standard(request, message)
        .header(signature::ID_HEADER, id)
        .header(signature::SIGNATURE_HEADER, signature::sign_with(secrets, at, body.as_bytes()))
}

/// With the event's id and the signature of Standard Webhooks, by every secret.
fn standard(request: RequestBuilder, message: Message<'_>) -> RequestBuilder {
    let Message { id, body, secrets, at } = message;
    request
        .header(CONTENT_TYPE, "application/json")
        .header(signature::STANDARD_ID_HEADER, id)
        .header(signature::STANDARD_TIMESTAMP_HEADER, signature::seconds_of(at).to_string())
        .header(
            signature::STANDARD_SIGNATURE_HEADER,
            signature::sign_standard(secrets, id, at, body.as_bytes()),
        )
        .body(body.to_owned())
}

async fn outcome_of(request: RequestBuilder, at: Instant) -> (Outcome, String) {
    match request.send().await {
        Err(error) => (failure_outcome(&error), String::new()),
        Ok(response) => {
            let status = response.status().as_u16();
            let asked = response.headers().get(RETRY_AFTER);
            let asked = asked.and_then(|value| value.to_str().ok());
            let retry_after = asked.and_then(|text| retry_after(text, at));
            // An answer that breaks off after its status has said what it had to say.
            let answer = beginning(response).await;
            (Outcome::Answered { status, retry_after }, answer)
        }
    }
}

/// The first bytes of an answer; the rest is not waited for.
async fn beginning(mut response: Response) -> String {
    let mut bytes = Vec::new();
    while bytes.len() < ANSWER_BYTES {
        let Ok(Some(part)) = response.chunk().await else { break };
        bytes.extend_from_slice(&part[..part.len().min(ANSWER_BYTES - bytes.len())]);
    }
    // PostgreSQL keeps no NUL in a text.
    let text = String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}");
    text[..text.floor_char_boundary(ANSWER_BYTES)].to_owned()
}

fn failure_outcome(error: &reqwest::Error) -> Outcome {
    if error.is_timeout() {
        return Outcome::TimedOut;
    }
    let mut cause = error.source();
    while let Some(found) = cause {
        if found.is::<Forbidden>() {
            return Outcome::Forbidden;
        }
        cause = found.source();
    }
    Outcome::Unreachable
}

impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").field("guard", &self.guard).finish_non_exhaustive()
    }
}

/// A message carries secrets and persons.
impl std::fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Message").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{IpAddr, SocketAddr, TcpListener};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::courier::sending::resolver::AddressesFuture;

    /// A name that means another address each time it is asked for.
    struct Rebinding {
        addresses: Vec<Vec<IpAddr>>,
        asked: AtomicUsize,
    }

    impl Lookup for Rebinding {
        fn addresses<'a>(&'a self, _: &'a str) -> AddressesFuture<'a> {
            let asked = self.asked.fetch_add(1, Ordering::SeqCst);
            let found = self.addresses[asked.min(self.addresses.len() - 1)].clone();
            Box::pin(async move { Ok(found) })
        }
    }

    /// Answers 204 to everybody, and counts them.
    fn serve(address: SocketAddr) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind(address).unwrap();
        let (address, came) = (listener.local_addr().unwrap(), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&came);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 8_192]);
                let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n");
            }
        });
        (address, came)
    }

    fn message<'a>() -> Message<'a> {
        let at = Instant::parse("2026-11-20T12:00:00Z").unwrap();
        Message { id: "ev_1", body: "{}", secrets: &[], at }
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
    }

    /// The first address stands for the internet, the second for what only this machine reaches.
    const OUTSIDE: &str = "127.0.0.1";
    const INSIDE: &str = "127.0.0.2";

    fn outside_only(address: IpAddr) -> bool {
        address == OUTSIDE.parse::<IpAddr>().unwrap()
    }

    #[test]
    fn a_name_that_means_another_address_after_it_was_checked_is_not_followed_there() {
        let (outside, came_outside) = serve(format!("{OUTSIDE}:0").parse().unwrap());
        let (_, came_inside) = serve(format!("{INSIDE}:{}", outside.port()).parse().unwrap());
        let [out, ins] = [OUTSIDE, INSIDE].map(|text| text.parse::<IpAddr>().unwrap());
        let rebinding = Arc::new(Rebinding {
            addresses: vec![vec![out], vec![ins], vec![ins, out]],
            asked: AtomicUsize::new(0),
        });
        let guard = Guard::with_reachable(outside_only);
        let sender = Sender::new(guard, rebinding.clone(), Patience::default()).unwrap();
        let url = format!("http://rebinding.example:{}/hook", outside.port());
        let outcomes = runtime().block_on(async {
            let mut outcomes = Vec::new();
            for _ in 0..3 {
                outcomes.push(sender.post(&url, message()).await.outcome);
            }
            outcomes
        });
        let taken = Outcome::Answered { status: 204, retry_after: None };
        // Each attempt asks for the name once, and is connected to what was found then and checked.
        assert_eq!(outcomes, [taken, Outcome::Forbidden, taken]);
        assert_eq!(rebinding.asked.load(Ordering::SeqCst), 3);
        let came = [came_outside, came_inside].map(|came| came.load(Ordering::SeqCst));
        assert_eq!(came, [2, 0], "nothing came to the address that is not admitted");
    }

    #[test]
    fn a_url_that_is_an_address_is_checked_without_a_name() {
        let (inside, came) = serve(format!("{INSIDE}:0").parse().unwrap());
        let lookup = Rebinding { addresses: vec![vec![]], asked: AtomicUsize::new(0) };
        let sender =
            Sender::new(Guard::with_reachable(outside_only), Arc::new(lookup), Patience::default())
                .unwrap();
        let url = format!("http://{inside}/hook");
        let sent = runtime().block_on(sender.post(&url, message()));
        assert_eq!((sent.outcome, came.load(Ordering::SeqCst)), (Outcome::Forbidden, 0));
    }

    #[test]
    fn a_name_without_an_address_is_unreachable() {
        let lookup = Rebinding { addresses: vec![vec![]], asked: AtomicUsize::new(0) };
        let sender = Sender::new(Guard::internet(), Arc::new(lookup), Patience::default()).unwrap();
        let sent = runtime().block_on(sender.post("https://nowhere.example/", message()));
        assert_eq!(sent.outcome, Outcome::Unreachable);
    }
}
