//! What `serve` publishes for whoever looks for it: its contract, its guides, its tools.

use std::process::Command;

use serde_json::{Value, json};

use super::{Serving, agent, folder, post};

/// A document that anybody may read: its type, its `Link`, its text.
fn read(url: &str) -> (String, String, String) {
    let mut answer = agent().get(url).call().unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    let header = |name: &str| {
        answer.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned()
    };
    let (kind, link) = (header("content-type"), header("link"));
    (kind, link, answer.body_mut().read_to_string().unwrap())
}

fn parsed(url: &str) -> Value {
    serde_json::from_str(&read(url).2).unwrap()
}

/// KEY-12: the quickstart.
#[test]
fn the_quickstart_is_public_and_runs_as_it_is_written() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let base = serving.address("serves");
    let (kind, _, text) = read(&format!("{base}/quickstart"));
    assert!(kind.starts_with("text/markdown"), "{kind}");
    let (_, script) = text.split_once("```sh\n").unwrap();
    let (script, _) = script.split_once("\n```").unwrap();
    let output = Command::new("sh").args(["-ec", script]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("\"status\":\"paid\""), "{said}");
}

/// AGT-25: the documents for agents.
#[test]
fn whoever_has_the_address_alone_finds_every_document() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let base = serving.address("serves");
    let (_, link, _) = read(&base);
    assert!(link.contains("</.well-known/api-catalog>; rel=\"api-catalog\""), "{link}");
    let (kind, _, catalogue) = read(&format!("{base}/.well-known/api-catalog"));
    assert!(kind.starts_with("application/linkset+json"), "{kind}");
    let catalogue: Value = serde_json::from_str(&catalogue).unwrap();
    let mut linked = Vec::new();
    for relation in ["service-desc", "service-doc", "service-meta"] {
        let links = catalogue["linkset"][0][relation].as_array().unwrap();
        linked.extend(links.iter().map(|link| link["href"].as_str().unwrap().to_owned()));
    }
    for path in ["/openapi.json", "/docs", "/mesh"] {
        assert!(linked.contains(&format!("{base}{path}")), "{path} is not linked: {linked:?}");
    }
    for url in &linked {
        assert!(!read(url).2.is_empty(), "{url}");
    }
    for path in ["agent-card.json", "mcp.json", "apis.json"] {
        assert!(parsed(&format!("{base}/.well-known/{path}")).is_object(), "{path}");
    }
    assert!(read(&format!("{base}/llms.txt")).2.contains("/cashin/charge"));
}

/// Returns what an endpoint of MCP answers to a request.
fn rpc(url: &str, method: &str, params: &Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let accepted = ("accept", "application/json, text/event-stream");
    let (status, answer) = post(&agent(), url, accepted, &message);
    assert_eq!(status, 200, "{answer}");
    answer["result"].clone()
}

/// API-09; the paths of contact (4.10) are not shown, so nothing stands for them.
#[test]
fn agents_begin_without_a_key_and_get_one_for_tests_alone() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let base = serving.address("serves");
    let onboarding = format!("{base}/mcp/onboarding");
    let listed = rpc(&onboarding, "tools/list", &json!({}));
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(names.contains(&"create_sandbox_key"), "{names:?}");
    assert!(!names.contains(&"create_key"), "{names:?}");
    let asked = json!({ "name": "create_sandbox_key",
        "arguments": { "email": "ana@exemplo.com.br" } });
    let made = rpc(&onboarding, "tools/call", &asked);
    let key = made["structuredContent"]["api_key"].as_str().unwrap();
    assert!(key.starts_with("svc_test_"));
    // The other endpoint has the tools that take a key, and tells nothing without one.
    let url = format!("{base}/mcp");
    let asked = json!({ "name": "get_balance", "arguments": {} });
    assert_eq!(rpc(&url, "tools/call", &asked)["isError"], true);
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked });
    let (_, answer) = post(&agent(), &url, ("x-api-key", key), &message);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    let document = parsed(&format!("{base}/openapi.json"));
    let paths = document["paths"].as_object().unwrap();
    assert!(!paths.keys().any(|path| path.contains("contat") || path.contains("contact")));
}

/// VSN-09; who tells partners of changes and incidents, and when, is docs/operations.md's.
#[test]
fn the_contract_is_published_with_the_addresses_of_its_texts_and_tools() {
    let (_folder, store) = folder();
    let serving = Serving::start(&store);
    let base = serving.address("serves");
    let document = parsed(&format!("{base}/openapi.json"));
    assert_eq!(document["info"]["version"], ledger_core::contract::CONTRACT_VERSION);
    assert_eq!(document["servers"][0]["url"], base);
    let docs = document["externalDocs"]["url"].as_str().unwrap();
    assert!(read(docs).0.starts_with("text/html"), "{docs}");
    let card = parsed(&format!("{base}/.well-known/mcp.json"));
    let mcp = card["remotes"][0]["url"].as_str().unwrap();
    assert!(rpc(mcp, "tools/list", &json!({}))["tools"].is_array(), "{mcp}");
    let operations = include_str!("../../docs/operations.md");
    assert!(operations.contains("## Tell partners before they meet it"));
}
