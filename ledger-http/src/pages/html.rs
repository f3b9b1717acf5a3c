//! A page as it is sent: what the browser may do with it, and who may keep it.

use std::sync::LazyLock;

use askama::Template;
use axum::body::Body;
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE, VARY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::lang::{CHOSEN, Lang};
use super::layout::{Page, STYLE};
use super::terminal;
use crate::operation::health::json_response;

/// What stands in a page of one sentence: why there is no other.
#[derive(Template)]
#[template(path = "apology.html")]
struct Apology<'a> {
    lang: Lang,
    title: &'a str,
    sentence: &'a str,
}

/// Nothing is loaded and nothing runs: the stylesheet is the one that stands in the page, by its
/// hash, and pictures are this service's or the page's own.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src 'self' data:; form-action 'self'; \
         base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).expect("a policy is visible ASCII")
});

/// What no page of ours lets a browser do, be kept by, or tell where it leads.
fn set_security_headers(headers: &mut HeaderMap) {
    headers.insert(CONTENT_SECURITY_POLICY, POLICY.clone());
    let fixed = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        // An address that opens something is passed to no other site.
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (VARY, "accept-language, cookie"),
        (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// A page that answers this request.
pub(super) fn page(head: &Parts, status: StatusCode, template: &impl Template) -> Response {
    let lang = Lang::from_request(head);
    let Ok(text) = template.render() else {
        // No filter of ours fails; were one to, half a page would be worse than none.
        let mut response = Response::new(Body::from("the page could not be written"));
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        return response;
    };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    set_security_headers(headers);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(lang.tag()));
    if let Some(lang) = Lang::from_query(head) {
        let cookie =
            format!("{CHOSEN}={}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly", lang.name());
        let cookie = HeaderValue::try_from(cookie).expect("a language's name is ASCII");
        headers.insert(SET_COOKIE, cookie);
    }
    response
}

/// A view that answers this request: a page, or text for whoever accepts that.
pub(super) fn view(head: &Parts, found: &Page) -> Response {
    if accepts(head, "text/plain") {
        return text(head, StatusCode::OK, terminal::render(found));
    }
    page(head, StatusCode::OK, found)
}

/// Tells whether this kind of content is asked for before any other.
pub(super) fn accepts(head: &Parts, kind: &str) -> bool {
    let accepts = head.headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    accepts.is_some_and(|accepts| accepts.starts_with(kind))
}

fn text(head: &Parts, status: StatusCode, text: String) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    set_security_headers(headers);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(Lang::from_request(head).tag()));
    response
}

/// A file to be kept under this name.
pub(super) fn file(bytes: impl Into<Body>, content_type: &'static str, name: &str) -> Response {
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    set_security_headers(headers);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    let kept = format!("attachment; filename=\"{name}\"");
    let kept = HeaderValue::try_from(kept).expect("a name of ours is visible ASCII");
    headers.insert(CONTENT_DISPOSITION, kept);
    response
}

/// A page that says why there is no other; text or JSON for whoever accepts that.
pub(super) fn apology(head: &Parts, status: StatusCode, title: &str, sentence: &str) -> Response {
    if accepts(head, "text/plain") {
        return text(head, status, format!("{title}: {sentence}\n"));
    }
    if accepts(head, "application/json") {
        return json_response(status, &json!({ "title": title, "detail": sentence }));
    }
    page(head, status, &Apology { lang: Lang::from_request(head), title, sentence })
}

/// The page for an address that opens nothing; it does not say whether it ever did.
pub(super) fn nothing_here(head: &Parts) -> Response {
    let lang = Lang::from_request(head);
    let title = lang.t("Nada aqui", "Nothing here");
    let sentence = lang.t(
        "Este endereço não abre nada, ou foi trocado por outro.",
        "This address opens nothing, or was replaced by another.",
    );
    apology(head, StatusCode::NOT_FOUND, title, sentence)
}

/// Marks the page for a ledger that gives no answer: the console says there why it gives none.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoAnswer;

/// The page for a ledger that gives no answer now.
pub(super) fn away(head: &Parts) -> Response {
    let (title, sentence) = no_answer(Lang::from_request(head));
    let mut response = apology(head, StatusCode::SERVICE_UNAVAILABLE, title, sentence);
    response.extensions_mut().insert(NoAnswer);
    response
}

/// The same with why there is no answer, for operators alone.
pub(super) fn away_because(head: &Parts, why: &str) -> Response {
    let (title, sentence) = no_answer(Lang::from_request(head));
    let (status, text) = (StatusCode::SERVICE_UNAVAILABLE, format!("{sentence} {why}"));
    apology(head, status, title, text.trim_end())
}

/// Returns the title and the sentence of a page for a ledger that gives no answer now.
const fn no_answer(lang: Lang) -> (&'static str, &'static str) {
    let title = lang.t("Sem resposta agora", "No answer now");
    let sentence = lang.t(
        "O livro não responde neste momento. Tente de novo em alguns segundos.",
        "The ledger gives no answer at this moment. Try again in some seconds.",
    );
    (title, sentence)
}
