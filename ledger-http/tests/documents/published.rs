//! Documents over HTTP: content types, tags, links, and what each must say.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use ledger_http::documents::discovery::{PUBLISHED, agent_card, api_catalog, apis_json, mcp_card};
use ledger_http::documents::guides::{llms_text, quickstart};
use ledger_http::documents::mcp::ToolAnswer;
use ledger_http::documents::operations::operations;
use ledger_http::documents::{Config, routes};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::contract::{BASE, document};

fn router() -> Router {
    routes(&Config::at(BASE), |call, _| {
        Box::pin(async move { ToolAnswer { status: 200, body: call.body } })
    })
}

async fn send(method: &str, path: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    router().oneshot(request).await.expect("a router answers")
}

async fn text(response: Response<Body>) -> String {
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[tokio::test]
async fn every_published_document_is_served_with_its_type_and_a_tag() {
    for document in PUBLISHED {
        let first = send("GET", document.path, &[]).await;
        assert_eq!(first.status(), StatusCode::OK, "{}", document.path);
        assert_eq!(header(&first, "content-type"), document.content_type);
        let tag = header(&first, "etag").to_owned();
        assert!(!text(first).await.is_empty());
        let again = send("GET", document.path, &[("if-none-match", &tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{}", document.path);
        let other = send("GET", document.path, &[("if-none-match", "\"other\"")]).await;
        assert_eq!(other.status(), StatusCode::OK);
        let head = send("HEAD", document.path, &[]).await;
        assert_eq!((head.status(), header(&head, "etag")), (StatusCode::OK, &*tag));
        assert!(text(head).await.is_empty());
    }
}

#[tokio::test]
async fn the_home_address_links_to_the_catalogue() {
    let home = send("GET", "/", &[]).await;
    let link = header(&home, "link");
    assert!(link.contains("</.well-known/api-catalog>; rel=\"api-catalog\""), "{link}");
}

#[tokio::test]
async fn the_served_document_is_the_contract() {
    let served: Value = serde_json::from_str(&text(send("GET", "/openapi.json", &[]).await).await)
        .expect("the document is JSON");
    assert_eq!(served, *document());
    assert_eq!(served["openapi"], "3.1.0");
    assert_eq!(served["info"]["version"], "1.45.0");
}

#[test]
fn the_catalogue_is_a_linkset_of_documents_that_are_published() {
    let catalogue = api_catalog(&Config::at(BASE));
    let set = &catalogue["linkset"][0];
    assert_eq!(set["anchor"], BASE);
    let links = ["service-desc", "service-doc", "service-meta"];
    for link in links.iter().flat_map(|relation| set[relation].as_array().expect("links")) {
        let path = link["href"].as_str().expect("an address").strip_prefix(BASE).expect("ours");
        let known = PUBLISHED.iter().any(|document| document.path == path);
        assert!(known || path == "/mesh", "{path} is not published");
    }
}

#[test]
fn the_agent_card_has_what_the_standard_requires_and_claims_no_binding_of_it() {
    let card = agent_card(&Config::at(BASE));
    for name in ["name", "description", "version"] {
        assert!(card[name].is_string(), "{name}");
    }
    let interface = &card["supportedInterfaces"][0];
    assert!(interface["url"].is_string() && interface["protocolVersion"].is_string());
    let binding = interface["protocolBinding"].as_str().expect("a binding");
    assert!(!["JSONRPC", "GRPC", "HTTP+JSON"].contains(&binding));
    assert!(card["capabilities"].is_object());
    assert_eq!(card["defaultInputModes"], json!(["application/json"]));
    for skill in card["skills"].as_array().expect("skills") {
        assert!(["id", "name", "description"].iter().all(|name| skill[name].is_string()));
        assert!(skill["tags"].as_array().is_some_and(|tags| !tags.is_empty()));
    }
}

#[test]
fn the_cards_of_catalogues_name_what_they_must() {
    let config = Config::at(BASE);
    let apis = apis_json(&config);
    assert_eq!(apis["specificationVersion"], "0.23");
    let api = &apis["apis"][0];
    for name in ["name", "description", "image", "baseURL", "humanURL"] {
        assert!(api[name].is_string(), "{name}");
    }
    assert!(api["properties"].as_array().is_some_and(|properties| !properties.is_empty()));
    let card = mcp_card(&config);
    assert_eq!(card["remotes"][0]["url"], format!("{BASE}/mcp"));
    assert!(card.get("tools").is_none(), "a card lists no tools");
}

#[test]
fn the_overview_names_every_route() {
    let text = llms_text(&Config::at(BASE));
    for operation in operations() {
        let route = format!("[{} {}](", operation.method.name(), operation.path);
        assert!(text.contains(&route), "{route}");
    }
}

#[test]
fn the_quickstart_makes_a_key_and_uses_it() {
    let text = quickstart(&Config::at(BASE));
    let steps = ["/keys/sandbox", "/cashin/charge", "/sandbox/cashin/$CHARGE/pay", "/saldo"];
    let places: Vec<_> = steps.iter().map(|step| text.find(step).expect("a step")).collect();
    assert!(places.is_sorted(), "{text}");
    assert!(text.contains("X-API-Key: $KEY") && text.contains(&format!("BASE={BASE}\n")));
}
