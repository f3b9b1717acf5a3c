//! Documents describe the routes that a service answers, and no others.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use ledger_core::contract::{CONTRACT_VERSION, Method};
use ledger_http::documents::Config;
use ledger_http::{Service, router};
use serde_json::Value;
use tower::ServiceExt as _;

use crate::station::Station;

/// The routes of ours that a service answers where it sends webhooks.
const OURS: [(&str, Method, &str); 5] = [
    ("/webhooks/deliveries/{id}", Method::Get, "/webhooks/deliveries/ev_1"),
    ("/webhooks/deliveries/{id}/resend", Method::Post, "/webhooks/deliveries/ev_1/resend"),
    ("/webhooks/deliveries/recover", Method::Post, "/webhooks/deliveries/recover"),
    ("/webhooks/filter", Method::Get, "/webhooks/filter"),
    ("/webhooks/events", Method::Get, "/webhooks/events"),
];

async fn send(service: &Service, method: &str, path: &str) -> (u16, Value) {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    let response = router(service).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_about_deliveries_are_documented_where_they_are_answered_and_nowhere_else() {
    let station = tokio::task::spawn_blocking(Station::start).await.unwrap();
    let (ledgers, webhooks) = {
        let service = station.service();
        (service.ledgers().clone(), service.webhooks().unwrap().clone())
    };
    let of = || Service::builder(ledgers.clone()).documents(Config::at("https://api.example.com"));
    for (service, sends) in [(of().webhooks(webhooks), true), (of(), false)] {
        let service = service.build().unwrap();
        let (status, document) = send(&service, "GET", "/openapi.json").await;
        assert_eq!((status, &document["info"]["version"]), (200, &CONTRACT_VERSION.into()));
        for (path, method, target) in OURS {
            assert_eq!(document["paths"].get(path).is_some(), sends, "{path}");
            // It asks for a key where it is answered, and is no path at all where it is not.
            let (status, _) = send(&service, method.name(), target).await;
            assert_eq!(status, if sends { 401 } else { 404 }, "{target}");
        }
        // These are the contract's own, whoever sends webhooks.
        for path in ["/webhooks/deliveries", "/webhooks/test"] {
            assert!(document["paths"].get(path).is_some(), "{path}");
        }
    }
    tokio::task::spawn_blocking(move || drop(station)).await.unwrap();
}
