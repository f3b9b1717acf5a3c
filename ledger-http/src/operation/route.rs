//! The name of a request's route on the world's listener, in logs and metrics.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ledger_core::contract::FACTS;

/// The paths of the world's listener, as they are declared.
const PATHS: [&str; 12] = [
    "/facts/{name}",
    "/lines",
    "/instructions",
    "/instructions/{id}/acknowledge",
    "/charges",
    "/moves",
    "/moves/{id}",
    "/moves/{id}/abandon",
    "/clock/accept",
    "/metrics",
    "/health/live",
    "/health/ready",
];

/// The path by which each fact is reported.
static FACT_PATHS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| FACTS.iter().map(|fact| format!("/facts/{}", fact.name)).collect());

/// Returns the path of a request as it is declared, a known fact's with its name; `-` for a path
/// that is not declared.
pub(crate) fn route_name(path: &str) -> &'static str {
    if let Some(fact) = FACT_PATHS.get(path) {
        return fact;
    }
    PATHS.into_iter().find(|declared| is_of(path, declared)).unwrap_or("-")
}

/// Tells whether a path that clients ask for begins as one of the world's.
pub(crate) fn is_of_world(target: &str) -> bool {
    PATHS.into_iter().any(|declared| first_piece(declared) == first_piece(target))
}

fn first_piece(path: &str) -> Option<&str> {
    path.trim_start_matches('/').split(['/', '?']).next()
}

/// Tells whether a path is of a declared one, in which anything stands for what is in braces.
fn is_of(path: &str, declared: &str) -> bool {
    let (given, pieces) = (path.split('/'), declared.split('/'));
    let fits = |(given, piece): (&str, &str)| given == piece || piece.starts_with('{');
    given.clone().count() == pieces.clone().count() && given.zip(pieces).all(fits)
}
