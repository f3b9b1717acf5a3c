//! Forms: which site they come from, what they say, and the cookies of sessions.

use axum::body::Body;
use axum::http::header::{COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use ledger_core::time::Span;

use super::html::apology;
use super::lang::Lang;
use crate::service::Service;

/// The most bytes of a form.
const FORM_BYTES: usize = 8_192;

/// Returns what a cookie of this name brings.
pub(super) fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = lines.flat_map(|line| line.split(';')).map(str::trim);
    let found = cookies.find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='));
    found.filter(|value| !value.is_empty()).map(str::to_owned)
}

/// Sets a cookie of this name to a session that lasts so long at most, or removes it.
pub(super) fn set_cookie(
    response: &mut Response,
    (name, session): (&str, Option<&str>),
    lasts: Span,
    is_secure: bool,
) {
    let seconds = session.map_or(0, |_| lasts.micros() / 1_000_000);
    let secure = if is_secure { "; Secure" } else { "" };
    let value = session.unwrap_or_default();
    let cookie =
        format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax; HttpOnly{secure}");
    let cookie = HeaderValue::try_from(cookie).expect("a secret is hexadecimal digits");
    response.headers_mut().append(SET_COOKIE, cookie);
}

/// Leads to another page, asked for by GET.
pub(super) fn see(path: &str) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let place = HeaderValue::try_from(path).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(LOCATION, place);
    response
}

/// The same page, whose forms say which site they come from: without a referrer a browser says
/// `Origin: null`. Other sites are passed nothing.
pub(super) fn with_forms(mut response: Response) -> Response {
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Tells whether a form comes from this site: the browser says so by `Origin`, which no page can
/// change.
pub(super) fn is_own(service: &Service, headers: &HeaderMap) -> bool {
    let Some(origin) = text(headers, ORIGIN.as_str()) else { return false };
    let base = service.parts().documents.as_ref().map_or("", |config| config.base_url.as_str());
    let of_base =
        base.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    of_base || is_of_host(headers)
}

/// Tells whether a form comes from the very host that it is sent to.
pub(super) fn is_of_host(headers: &HeaderMap) -> bool {
    let origin = text(headers, ORIGIN.as_str()).unwrap_or_default();
    let authority = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    authority.is_some() && authority == text(headers, HOST.as_str())
}

/// Tells whether a form comes from a page that was reached by https.
pub(super) fn is_by_https(headers: &HeaderMap) -> bool {
    text(headers, ORIGIN.as_str()).is_some_and(|origin| origin.starts_with("https://"))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A form's fields, read within the time that a request may take.
pub(super) async fn form(service: &Service, body: Body) -> Option<Vec<(String, String)>> {
    let read = axum::body::to_bytes(body, FORM_BYTES);
    let bytes = tokio::time::timeout(service.limits().handling, read).await.ok()?.ok()?;
    Some(form_urlencoded::parse(&bytes).into_owned().collect())
}

/// The field of a form.
pub(super) fn field<'a>(form: &'a [(String, String)], name: &str) -> &'a str {
    form.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

/// The page for a form that did not come from here, or not from this session.
pub(super) fn forbidden_page(head: &Parts) -> Response {
    let lang = Lang::from_request(head);
    let title = lang.t("Pedido recusado", "Request refused");
    let sentence = lang.t(
        "O formulário não veio desta página, ou veio de outra sessão. Volte e tente de novo.",
        "The form did not come from this page, or came from another session. Go back and try again.",
    );
    apology(head, StatusCode::FORBIDDEN, title, sentence)
}
