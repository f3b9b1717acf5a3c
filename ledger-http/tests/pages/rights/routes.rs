//! The routes that a router declares, read off the router itself.

use std::collections::BTreeMap;

use axum::Router;

const METHODS: [&str; 9] =
    ["get", "head", "delete", "options", "patch", "post", "put", "trace", "connect"];

/// Lists each route of a router as `GET /health/live`, in order.
///
/// Axum gives no list; its `Debug` names every path, and for each method whether a handler takes it.
pub fn declared(router: &Router) -> Vec<String> {
    let written = format!("{router:?}");
    let (own, _) = written.split_once("fallback_router").expect("a router shows its fallback");
    let (handlers, paths) = own.split_once("node: Node").expect("a router shows its paths");
    let paths: BTreeMap<&str, &str> = by_id(paths, "\"")
        .map(|(id, path)| (id, path.split('"').next().expect("a path ends")))
        .collect();
    let mut found = Vec::new();
    for (id, handler) in by_id(handlers, "MethodRouter(MethodRouter {") {
        let path = paths[id];
        for method in METHODS {
            let taken =
                handler.split(&format!(" {method}: ")).nth(1).expect("it names each method");
            if !taken.starts_with("None,") {
                found.push(format!("{} {path}", method.to_uppercase()));
            }
        }
    }
    assert_eq!(handlers.matches("RouteId(").count(), paths.len(), "each path has a route: {own}");
    found.sort();
    found
}

/// The parts of a text that follow `RouteId(7): ` and `mark`, with the number.
fn by_id<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.split("RouteId(").skip(1).filter_map(move |part| {
        let (id, rest) = part.split_once("): ")?;
        Some((id, rest.strip_prefix(mark)?))
    })
}

#[test]
fn a_router_names_each_of_its_routes() {
    use axum::routing::{get, post, put};
    let inner = Router::new().route("/b", put(async || {})).route("/c/{id}", get(async || {}));
    let router = Router::new().route("/a", get(async || {}).post(async || {})).merge(inner);
    let router = router.layer(tower::layer::util::Identity::new()).fallback(async || {});
    assert_eq!(declared(&router), ["GET /a", "GET /c/{id}", "POST /a", "PUT /b"]);
    assert_eq!(declared(&Router::new().route("/", post(async || {}))), ["POST /"]);
}
