//! Who may look at the console.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::deciding::SignedIn;
use crate::edge::client_address::is_this_machine;
use crate::operators::door::identify;
use crate::operators::{Identified, Operator, PREFIX};
use crate::pages::html::apology;
use crate::pages::lang::Lang;
use crate::service::Service;
use crate::token::Token;
use crate::world::token::bearer;

/// What guards the console: a token, or the name that it is called by; operators pass by their own
/// credentials and sessions.
#[derive(Clone)]
pub(super) struct Guard {
    service: Service,
    token: Option<Token>,
}

impl Guard {
    pub(super) fn new(service: &Service, token: Option<Token>) -> Self {
        Self { service: service.clone(), token }
    }

    /// Tells whether an operator asks.
    async fn knows(&self, head: &Parts) -> bool {
        let Some(operators) = self.service.operators() else { return false };
        if matches!(SignedIn::from_headers(&self.service, &head.headers).await, Ok(Some(_))) {
            return true;
        }
        let Some(credential) = credential(&head.headers) else { return false };
        let found = identify(&self.service, operators, head, &credential).await;
        matches!(found, Some(Identified::Known(_)))
    }
}

/// The operator who asks; none where the console's token or a local address opens it
/// and nobody says who it is.
pub(super) async fn operator_of(service: &Service, head: &Parts) -> Option<Operator> {
    if let Ok(Some(signed_in)) = SignedIn::from_headers(service, &head.headers).await {
        return Some(signed_in.operator);
    }
    // The console's own token is no operator's, and not a wrong credential either.
    let credential = credential(&head.headers).filter(|brought| brought.starts_with(PREFIX))?;
    match identify(service, service.operators()?, head, &credential).await? {
        Identified::Known(operator) => Some(operator),
        _ => None,
    }
}

fn credential(headers: &HeaderMap) -> Option<String> {
    bearer(headers).map(str::to_owned).or_else(|| password(headers))
}

/// Lets pass whoever may look.
pub(super) async fn authorize(
    State(guard): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let passes = match &guard.token {
        Some(token) => {
            bearer(headers).is_some_and(|given| token.is(given))
                || password(headers).is_some_and(|given| token.is(&given))
        }
        None => is_loopback(headers),
    };
    if passes {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    if guard.knows(&head).await {
        return next.run(Request::from_parts(head, body)).await;
    }
    let lang = Lang::from_request(&head);
    if guard.token.is_none() {
        let title = lang.t("Nome estranho", "A strange name");
        let sentence = lang.t(
            "Sem token, o console responde só por um endereço local, como 127.0.0.1.",
            "Without a token the console answers to a local address only, such as 127.0.0.1.",
        );
        return apology(&head, StatusCode::FORBIDDEN, title, sentence);
    }
    let title = lang.t("Console fechado", "The console is closed");
    let sentence = lang.t(
        "Ele pede o token ou a credencial do operador, como senha; o usuário pode ser qualquer um.",
        "It asks for the token or an operator's credential, as a password; the user may be any.",
    );
    let mut response = apology(&head, StatusCode::UNAUTHORIZED, title, sentence);
    let asks = HeaderValue::from_static("Basic realm=\"console\", charset=\"UTF-8\"");
    response.headers_mut().insert(WWW_AUTHENTICATE, asks);
    response
}

/// The password of `Authorization: Basic …`.
fn password(headers: &HeaderMap) -> Option<String> {
    let (scheme, given) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(BASE64_STANDARD.decode(given.trim()).ok()?).ok()?;
    text.split_once(':').map(|(_, password)| password.to_owned())
}

/// Tells whether the request names this machine itself.
fn is_loopback(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST).and_then(|host| host.to_str().ok()) else { return false };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    is_this_machine(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_local() {
        let named = |host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_str(host).unwrap());
            is_loopback(&headers)
        };
        for local in ["127.0.0.1:8082", "localhost", "LOCALHOST:1", "[::1]:8082", "127.9.9.9"] {
            assert!(named(local), "{local}");
        }
        for other in ["evil.example:8082", "127.0.0.1.evil.example", "10.0.0.1", "[fe80::1]", ""] {
            assert!(!named(other), "{other}");
        }
        assert!(!is_loopback(&HeaderMap::new()));
    }
}
