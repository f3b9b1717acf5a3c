//! The partner's dashboard: the accounts that one e-mail registered, behind a sign-in by mail.
//!
//! A link is used by a button, since scanners of mail open every link; it begins a session, which a
//! cookie brings. The dashboard only reads: what it posts is a request for a link, a sign-in and a
//! sign-out, each from this site's own pages alone.

mod account;
mod commission;
mod guard;
mod home;
mod open_operations;
mod sign_in;
mod terms;
mod visit;
mod webhooks;

// Where the templates find it.
use super::layout;
use axum::Router;
use axum::routing::{get, post};

use crate::service::Service;

/// Where the dashboard is, as `dashboard_url` says.
pub(super) const PATH: &str = "/painel";

/// The routes of the dashboard.
///
/// | Route | What it shows or does |
/// |---|---|
/// | `GET /painel` | The accounts of whoever is signed in; the sign-in otherwise. |
/// | `POST /painel/link` | Asks for a link, as `POST /keys/painel-link` does. |
/// | `GET /painel/enter/{link}` | The button that uses a link. |
/// | `POST /painel/enter/{link}` | Uses the link up and begins a session. |
/// | `POST /painel/leave` | Ends the session. |
/// | `GET /painel/{ledger}/{account}/` | Balance, blocks and latest rows of an account. |
/// | `…/statement` | As the private monitor has it. |
/// | `…/operations/{id}`, `…/records/{seq}` | As the private monitor has them. |
/// | `…/operations` | What is open. |
/// | `…/commission` | What the partner is owed. |
/// | `…/terms` | Fees and settings. |
/// | `…/webhooks` | Deliveries. |
pub(super) fn router() -> Router<Service> {
    Router::new()
        .route("/painel", get(home::view))
        .route("/painel/", get(home::view))
        .route("/painel/link", post(sign_in::ask))
        .route("/painel/enter/{link}", get(sign_in::button).post(sign_in::enter))
        .route("/painel/leave", post(sign_in::leave))
        .route("/painel/{ledger}/{account}", get(account::overview))
        .route("/painel/{ledger}/{account}/", get(account::overview))
        .route("/painel/{ledger}/{account}/statement", get(account::statement))
        .route("/painel/{ledger}/{account}/operations", get(open_operations::view))
        .route("/painel/{ledger}/{account}/operations/{id}", get(account::one_operation))
        .route("/painel/{ledger}/{account}/records/{seq}", get(account::one_record))
        .route("/painel/{ledger}/{account}/commission", get(commission::view))
        .route("/painel/{ledger}/{account}/terms", get(terms::view))
        .route("/painel/{ledger}/{account}/webhooks", get(webhooks::view))
}
