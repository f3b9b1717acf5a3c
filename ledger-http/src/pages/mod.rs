//! Pages for people, and what links of answers point at: pictures of codes, receipts, the public
//! verification of a PIX, the private monitor of an account, and the dashboard of a partner's
//! accounts. None has a script.

pub(crate) mod audit;
mod chart;
pub(crate) mod console;
mod csv;
mod dashboard;
pub(crate) mod dossier;
mod format;
mod forms;
mod html;
mod lang;
mod layout;
mod ledger;
pub(crate) mod links;
mod monitor;
pub(crate) mod period;
mod public;
mod qr;
mod terminal;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::get;

use crate::documents::Config;
use crate::edge::client_address::client_address;
use crate::edge::rate_limit::Allowance;
use crate::service::Service;
pub(crate) use chart::escape_html;
pub(crate) use lang::Lang;

/// The pages that clients' listener serves.
///
/// | Route | What it shows |
/// |---|---|
/// | `GET /qr/{id}/{tag}.png`, `.svg` | The picture of a charge's code. |
/// | `GET /receipts/{id}/{tag}` | The receipt of a PIX that was sent. |
/// | `GET /verify/{e2e}` | What anybody may know of a PIX. |
/// | `GET /monitor/{token}` | The private monitor of an account: balance, what is blocked. |
/// | `GET /monitor/{token}/statement` | Its statement: `customer`, `before`. |
/// | `GET /monitor/{token}/operations/{id}` | One of its operations, entry by entry. |
/// | `GET /monitor/{token}/records/{seq}` | One of its records, with its place in the chain. |
/// | `GET /painel` | The partner's dashboard, behind its sign-in. |
pub(crate) fn router(service: &Service) -> Router<Service> {
    Router::new()
        .route("/qr/{id}/{file}", get(public::picture))
        .route("/receipts/{id}/{tag}", get(public::receipt))
        .route("/verify/{e2e}", get(public::verification))
        .route("/monitor/{token}", get(monitor::overview))
        .route("/monitor/{token}/", get(monitor::overview))
        .route("/monitor/{token}/statement", get(monitor::statement))
        .route("/monitor/{token}/operations/{id}", get(monitor::one_operation))
        .route("/monitor/{token}/records/{seq}", get(monitor::one_record))
        .merge(dashboard::router())
        .route_layer(from_fn_with_state(service.clone(), limit_rate))
}

/// Counts a request by its address, as the contract's are counted.
async fn limit_rate(State(service): State<Service>, request: Request, next: Next) -> Response {
    let trusted = &service.limits().trusted_proxies;
    let address = client_address(request.extensions(), request.headers(), trusted);
    let allowance = service.parts().rate_limits.of_address(address);
    if allowance.is_none_or(|allowance| allowance.wait.is_none()) {
        return next.run(request).await;
    }
    let (head, _) = request.into_parts();
    let lang = Lang::from_request(&head);
    let title = lang.t("Espere um pouco", "Wait a little");
    let sentence = lang.t(
        "Foram pedidas páginas demais deste endereço. Tente de novo em instantes.",
        "Too many pages were asked for from this address. Try again in a moment.",
    );
    let mut response = html::apology(&head, StatusCode::TOO_MANY_REQUESTS, title, sentence);
    response.headers_mut().extend(allowance.into_iter().flat_map(Allowance::headers));
    response
}
