//! The operator's console: views of both ledgers on a listener of its own, which only read.
//!
//! The filter of a view stands in its address, every number leads to its entries, and every entry
//! to its record. All of it is computed beside the thread that decides: what sums over a whole
//! ledger from committed state, what needs the archive or the vault by a read of one page.

mod accounts;
mod books;
mod days;
mod deciding;
mod endpoints;
mod fees;
mod filters;
mod find;
mod frame;
mod guard;
mod inbox;
mod limits;
mod operations;
mod overview;
mod query;
mod records;
mod requests;
mod solvency;
mod statement_file;
mod sums;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;

use crate::operators::door;
use crate::router::refuse_method;
use crate::service::Service;
use crate::token::Token;

/// The routes of the operator's console, for a listener of its own.
///
/// With a token, a browser is asked for it as a password, and tools bring it as
/// `Authorization: Bearer`. Without one, only requests to a loopback name or address are answered,
/// so that no other site's name leads a browser here.
///
/// | Route | What it shows |
/// |---|---|
/// | `GET /{ledger}/` | Overview: head, open operations, what waits, refusals. |
/// | `GET /{ledger}/solvency` | What is owed per asset against what is held. |
/// | `GET /{ledger}/trial-balance` | The chart of accounts with its balances. |
/// | `GET /{ledger}/days`, `.csv` | Opening, movement, closing, income: `from`, `to`, `by`. |
/// | `GET /{ledger}/entries` | The entries of one ledger account: `account`, `for`, `before`. |
/// | `GET /{ledger}/accounts`, `/{name}`, `/{name}/statement` | API accounts and their balances. |
/// | `GET /{ledger}/accounts/{name}/statement/file` | A period's: `customer`, `from`, `to`, `as`. |
/// | `GET /{ledger}/operations`, `/{id}` | Open operations; one, entry by entry. |
/// | `GET /{ledger}/waiting`, `.csv` | Inbox: `kind`, `account`, `why`, `older`, `with`. |
/// | `GET`, `POST /{ledger}/waiting/{id}` | With whom an operation is, and a note. |
/// | `GET /{ledger}/person?document=` | Everything kept of a person, for the role `hold`. |
/// | `GET /{ledger}/person/certificates/{id}` | The certificate of an erasure, likewise. |
/// | `GET /{ledger}/records`, `/{seq}` | Records with their links and bytes. |
/// | `GET /{ledger}/fees` | What was earned, commission, residue. |
/// | `GET /{ledger}/limits` | What of a day's limits is used. |
/// | `GET /{ledger}/requests` | The last requests of clients: `id`, `code`. |
/// | `GET /{ledger}/query`, `/query.csv` | The projection's tables in SQL: `sql`. |
/// | `GET /{ledger}/decide` | The decisions of operators, or the form of one: `decision`. |
/// | `POST /{ledger}/decide` | Tries a decision, and takes it. |
/// | `GET /{ledger}/webhooks`, `/{account}`, `/{event}` | How endpoints stand; events. |
/// | `POST /{ledger}/webhooks/{account}` | Sends again, switches on. |
/// | `POST /sign-in`, `POST /sign-out` | Begins an operator's session, and ends it. |
/// | `POST /decisions/{name}` | Takes an operator's decision, by their credential alone. |
/// | `POST /assignments/{operation}` | Writes down with whom an operation is, likewise. |
/// | `GET /{ledger}/find?q=` | What a text names; JSON for whoever accepts it. |
pub fn console_router(service: &Service, token: Option<Token>) -> Router {
    Router::new()
        .route("/", get(overview::home))
        .route("/{ledger}/", get(overview::view))
        .route("/{ledger}/solvency", get(solvency::view))
        .route("/{ledger}/trial-balance", get(books::trial_balance))
        .route("/{ledger}/days", get(days::view))
        .route("/{ledger}/days.csv", get(days::download))
        .route("/{ledger}/entries", get(books::entries))
        .route("/{ledger}/accounts", get(accounts::list))
        .route("/{ledger}/accounts/{name}", get(accounts::one))
        .route("/{ledger}/accounts/{name}/statement", get(accounts::statement))
        .route("/{ledger}/accounts/{name}/statement/file", get(statement_file::download))
        .route("/{ledger}/operations", get(operations::list))
        .route("/{ledger}/operations/{id}", get(operations::one))
        .route("/{ledger}/waiting", get(inbox::view))
        .route("/{ledger}/waiting.csv", get(inbox::download))
        .route("/{ledger}/waiting/{id}", get(inbox::assigning::view).post(inbox::assigning::send))
        .route("/{ledger}/person", get(find::person::view))
        .route("/{ledger}/person/certificates/{id}", get(find::certificate::download))
        .route("/{ledger}/records", get(records::list))
        .route("/{ledger}/records/{seq}", get(records::one))
        .route("/{ledger}/fees", get(fees::view))
        .route("/{ledger}/limits", get(limits::view))
        .route("/{ledger}/requests", get(requests::view))
        .route("/{ledger}/query", get(query::view))
        .route("/{ledger}/query.csv", get(query::download))
        .route("/{ledger}/find", get(find::view))
        .merge(deciding::routes())
        .merge(endpoints::routes())
        .method_not_allowed_fallback(refuse_method)
        .fallback(frame::nowhere)
        .layer(from_fn_with_state(guard::Guard::new(service, token), guard::authorize))
        .merge(deciding::open_routes().method_not_allowed_fallback(refuse_method))
        .layer(from_fn_with_state(service.clone(), frame::explain_no_answer))
        .with_state(service.clone())
        .merge(door::routes(service))
}
