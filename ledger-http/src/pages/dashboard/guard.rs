//! The session's cookie of the dashboard.

use axum::http::HeaderMap;
use axum::response::Response;

use crate::pages::forms::{cookie, set_cookie};
use crate::panel::tables::WHOLE;
use crate::service::Service;

/// Tells whether browsers reach the service by https: the cookie then goes by nothing else.
fn is_secure(service: &Service) -> bool {
    let config = service.parts().documents.as_ref();
    config.is_some_and(|config| config.base_url.starts_with("https://"))
}

/// The cookie's name. With `__Host-` no other host of the domain can set it.
fn name(service: &Service) -> &'static str {
    if is_secure(service) { "__Host-painel" } else { "painel" }
}

/// Returns what the session's cookie brings.
pub(super) fn session(service: &Service, headers: &HeaderMap) -> Option<String> {
    cookie(headers, name(service))
}

/// Sets the cookie to a session, or removes it.
pub(super) fn set_session(service: &Service, response: &mut Response, session: Option<&str>) {
    set_cookie(response, (name(service), session), WHOLE, is_secure(service));
}
