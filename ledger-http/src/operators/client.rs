//! A decision that is asked of a service: of one that runs elsewhere, or of one in this process.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{ACCEPT, ACCEPT_LANGUAGE, AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method, Request};
use http_body_util::BodyExt as _;
use ledger_core::contract::mask_input;
use ledger_store::tls::{TlsError, client_config};
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde_json::{Map, Value};
use thiserror::Error;
use tower_service::Service as _;

use super::persons::shape::Shape;
use super::{decisions, door};
use crate::edge::client_address::is_this_machine;
use crate::service::Service;

/// How long an answer is awaited.
const PATIENCE: Duration = Duration::from_mins(1);

/// A decision as an operator asks for it. Its `Debug` shows no field.
#[derive(Clone)]
pub struct DecisionRequest {
    shape: Shape,
    fields: Map<String, Value>,
    ledger: Option<String>,
    dry_run: bool,
    declines: bool,
}

/// Why a decision was not asked for, or not answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DecisionFailed {
    /// There is no decision of the name.
    #[error("{0}")]
    Unknown(String),
    /// The decision has no field of the name.
    #[error("{0} has no field {1}; it has {2}")]
    Field(&'static str, String, String),
    /// The address is none, or would show the credential on the way.
    #[error("the service's address is https, or http to this machine")]
    Url,
    /// The credential is none that a header can bring.
    #[error("the credential is no operator's")]
    Credential,
    /// The client cannot be set up, or the service gives no answer: asked again with the same id,
    /// a decision is taken once.
    #[error("the service gives no answer")]
    Away(#[from] reqwest::Error),
    /// TLS cannot be set up.
    #[error("TLS cannot be set up")]
    Tls(#[from] TlsError),
    /// The answer is none of a decision.
    #[error("the service answers what is no decision's answer ({0})")]
    Answer(u16),
}

impl DecisionRequest {
    /// The decision of this name, nothing said of it yet.
    ///
    /// # Errors
    ///
    /// [`DecisionFailed::Unknown`] where there is none.
    pub fn new(name: &str) -> Result<Self, DecisionFailed> {
        let unknown = || DecisionFailed::Unknown(decisions::unknown_decision(name));
        let (shape, _) = decisions::find_by_name(name).ok_or_else(unknown)?;
        Ok(Self { shape, fields: Map::new(), ledger: None, dry_run: false, declines: false })
    }

    /// The names of all decisions.
    ///
    /// ```
    /// use ledger_http::operators::DecisionRequest;
    ///
    /// assert!(DecisionRequest::names().contains(&"payout.stopped"));
    /// ```
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        decisions::all().map(|(shape, _)| shape.name).collect()
    }

    /// The same with a field as a person writes it: digits are a number where it holds one.
    ///
    /// # Errors
    ///
    /// [`DecisionFailed::Field`] where the decision has none of the name.
    pub fn field(mut self, name: &str, text: &str) -> Result<Self, DecisionFailed> {
        let Some(field) = decisions::fields(self.shape).find(|field| field.name == name) else {
            let names: Vec<_> = decisions::fields(self.shape).map(|field| field.name).collect();
            let (of, names) = (self.shape.name, names.join(", "));
            return Err(DecisionFailed::Field(of, mask_input(name), names));
        };
        self.fields.insert(name.to_owned(), decisions::value(field, text));
        Ok(self)
    }

    /// The same of the ledger with this label, where what it names does not say which.
    #[must_use]
    pub fn of_ledger(self, label: &str) -> Self {
        Self { ledger: Some(label.to_owned()), ..self }
    }

    /// The same, tried and not carried out.
    #[must_use]
    pub fn dry_run(self) -> Self {
        Self { dry_run: true, ..self }
    }

    /// Declines the decision instead, which waits under its id for a second operator.
    #[must_use]
    pub fn decline(self) -> Self {
        Self { declines: true, ..self }
    }

    /// Asks the console's listener of a running service at this URL; gives status and body.
    ///
    /// # Errors
    ///
    /// [`DecisionFailed`] when there is no answer.
    pub async fn send(&self, url: &str, credential: &str) -> Result<(u16, Value), DecisionFailed> {
        let url = Url::parse(&format!("{}{}", url.trim_end_matches('/'), self.target()));
        let url = url.ok().filter(keeps_secrets).ok_or(DecisionFailed::Url)?;
        let request = client()?.request(self.method(), url);
        let request = request.headers(self.headers(credential)?).body(self.body());
        let answer = request.send().await?;
        let (status, text) = (answer.status().as_u16(), answer.text().await?);
        read(status, text.as_bytes())
    }

    /// Asks a service of this process; gives status and body.
    ///
    /// # Errors
    ///
    /// [`DecisionFailed::Credential`] for what is no credential.
    pub async fn carry_out(
        &self,
        service: &Service,
        credential: &str,
    ) -> Result<(u16, Value), DecisionFailed> {
        let mut request = Request::builder()
            .method(self.method())
            .uri(self.target())
            .body(Body::from(self.body()))
            .expect("a decision's name and a quoted label are a target");
        *request.headers_mut() = self.headers(credential)?;
        let Ok(answer) = door::routes(service).call(request).await;
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await;
        read(status, &body.map_err(|_| DecisionFailed::Answer(status))?.to_bytes())
    }

    const fn method(&self) -> Method {
        if self.declines { Method::DELETE } else { Method::POST }
    }

    fn target(&self) -> String {
        let quoted = |label: &String| -> String {
            form_urlencoded::Serializer::new("?".to_owned()).append_pair("ledger", label).finish()
        };
        let query = self.ledger.as_ref().map(quoted).unwrap_or_default();
        format!("/decisions/{}{query}", self.shape.name)
    }

    fn body(&self) -> String {
        Value::from(self.fields.clone()).to_string()
    }

    fn headers(&self, credential: &str) -> Result<HeaderMap, DecisionFailed> {
        let mut headers = bearer(credential)?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.dry_run {
            headers.insert("prefer", HeaderValue::from_static("dry-run"));
        }
        Ok(headers)
    }
}

/// Asks the console's listener of a running service at this URL what a text names in a ledger;
/// gives status and body, a list of hits, or why there is none in `detail`. Without a credential it
/// is answered where the console is open to this machine.
///
/// # Errors
///
/// [`DecisionFailed`] when there is no answer.
pub async fn search(
    url: &str,
    credential: Option<&str>,
    ledger: &str,
    text: &str,
) -> Result<(u16, Value), DecisionFailed> {
    let url = Url::parse(url).and_then(|url| url.join("/"));
    let mut url = url.ok().filter(keeps_secrets).ok_or(DecisionFailed::Url)?;
    url.path_segments_mut().map_err(|()| DecisionFailed::Url)?.extend([ledger, "find"]);
    url.query_pairs_mut().append_pair("q", text);
    let mut headers = credential.map(bearer).transpose()?.unwrap_or_default();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_static("en"));
    let answer = client()?.get(url).headers(headers).send().await?;
    let (status, text) = (answer.status().as_u16(), answer.text().await?);
    // A refusal may be a page, which says nothing here.
    if status == 200 {
        read(status, text.as_bytes())
    } else {
        Ok((status, serde_json::from_str(&text).unwrap_or_default()))
    }
}

/// Asks the console's listener of a running service at this URL for one of its pages as text, by
/// its path and what the path asks; gives status and text. Without a credential as [`search`].
///
/// # Errors
///
/// [`DecisionFailed`] when there is no answer.
pub async fn look(
    url: &str,
    credential: Option<&str>,
    target: &str,
    lang: &str,
) -> Result<(u16, String), DecisionFailed> {
    let url = Url::parse(url).and_then(|url| url.join(target));
    let url = url.ok().filter(keeps_secrets).ok_or(DecisionFailed::Url)?;
    let mut headers = credential.map(bearer).transpose()?.unwrap_or_default();
    headers.insert(ACCEPT, HeaderValue::from_static("text/plain"));
    let lang = HeaderValue::try_from(lang).map_err(|_| DecisionFailed::Url)?;
    headers.insert(ACCEPT_LANGUAGE, lang);
    let answer = client()?.get(url).headers(headers).send().await?;
    Ok((answer.status().as_u16(), answer.text().await?))
}

/// Asks the console's listener of a running service at this URL to write down with whom an
/// operation is, an operator's name, `me` or `nobody`, and a note beside it; gives status and body.
///
/// # Errors
///
/// [`DecisionFailed`] when there is no answer.
pub async fn assign(
    url: &str,
    credential: &str,
    (ledger, operation): (&str, &str),
    (with, note): (Option<&str>, Option<&str>),
) -> Result<(u16, Value), DecisionFailed> {
    let url = Url::parse(url).and_then(|url| url.join("/"));
    let mut url = url.ok().filter(keeps_secrets).ok_or(DecisionFailed::Url)?;
    url.path_segments_mut().map_err(|()| DecisionFailed::Url)?.extend(["assignments", operation]);
    url.query_pairs_mut().append_pair("ledger", ledger);
    let said = [("with", with), ("note", note)];
    let said = said.into_iter().filter_map(|(name, said)| Some((name.to_owned(), said?.into())));
    let body = Value::Object(said.collect()).to_string();
    let mut headers = bearer(credential)?;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let answer = client()?.post(url).headers(headers).body(body).send().await?;
    let (status, text) = (answer.status().as_u16(), answer.text().await?);
    read(status, text.as_bytes())
}

fn client() -> Result<Client, DecisionFailed> {
    let client = Client::builder().tls_backend_preconfigured(client_config()?);
    Ok(client.redirect(Policy::none()).timeout(PATIENCE).build()?)
}

fn bearer(credential: &str) -> Result<HeaderMap, DecisionFailed> {
    let bearer = HeaderValue::try_from(format!("Bearer {credential}"));
    let mut bearer = bearer.map_err(|_| DecisionFailed::Credential)?;
    bearer.set_sensitive(true);
    Ok(HeaderMap::from_iter([(AUTHORIZATION, bearer)]))
}

impl std::fmt::Debug for DecisionRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("DecisionRequest").field(&self.shape.name).finish_non_exhaustive()
    }
}

fn read(status: u16, text: &[u8]) -> Result<(u16, Value), DecisionFailed> {
    let body: Value = serde_json::from_slice(text).map_err(|_| DecisionFailed::Answer(status))?;
    Ok((status, body))
}

/// Tells whether nobody on the way reads what is sent there.
fn keeps_secrets(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    url.scheme() == "https" || url.scheme() == "http" && is_this_machine(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_sent_in_clear_to_this_machine_alone() {
        let keeps = |text: &str| keeps_secrets(&Url::parse(text).unwrap());
        for well in ["https://books.example/x", "http://127.0.0.1:8082/", "http://[::1]:1/"] {
            assert!(keeps(well), "{well}");
        }
        for badly in ["http://books.example/", "ftp://127.0.0.1/", "http://127.0.0.1.evil.example/"]
        {
            assert!(!keeps(badly), "{badly}");
        }
    }

    #[test]
    fn a_field_that_a_decision_lacks_is_named_before_anything_is_sent() {
        let request = DecisionRequest::new("payout.stopped").unwrap();
        let wrong = request.field("payout", "po_1").unwrap_err().to_string();
        assert_eq!(
            wrong,
            "payout.stopped has no field payout; it has id, payout_id, reason, evidence"
        );
        assert!(DecisionRequest::new("pix.received").is_err());
        let mistyped = DecisionRequest::new("hold.plced").unwrap_err().to_string();
        assert_eq!(mistyped, "there is no decision hold.plced; the nearest is hold.placed");
    }
}
