//! Who may call the world's routes: whoever brings the token.

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use ledger_core::contract::{Code, Problem};

use super::fact::respond_problem;
use crate::service::Service;
use crate::token::Token;

/// What guards the world's routes.
#[derive(Clone)]
pub(super) struct Guard {
    service: Service,
    token: Option<Token>,
    /// Another that opens the same.
    other: Option<Token>,
}

impl Guard {
    pub(super) fn new(service: &Service, token: Option<Token>) -> Self {
        Self { service: service.clone(), token, other: None }
    }

    /// The guard of metrics, which a token of their own opens too.
    pub(super) fn of_metrics(service: &Service, token: Option<Token>) -> Self {
        let other = service.parts().metrics_token.clone();
        Self { other, ..Self::new(service, token) }
    }
}

/// Lets pass whoever brings the token, where one is asked for.
pub(super) async fn authenticate(
    State(guard): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let brings = |token: &Token| bearer(request.headers()).is_some_and(|given| token.is(given));
    if guard.token.as_ref().is_none_or(brings) || guard.other.as_ref().is_some_and(brings) {
        return next.run(request).await;
    }
    let detail = match bearer(request.headers()) {
        None => "Authorization is missing: it is Bearer and the service's token",
        Some(_) => "this token is not the service's",
    };
    let problem = Problem::new(Code::NotAuthenticated, detail);
    let mut response = respond_problem(&guard.service, &request, &problem);
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// The token that a request brings as `Authorization: Bearer …`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
