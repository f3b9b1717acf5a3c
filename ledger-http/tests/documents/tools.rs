//! MCP: the handshake and the form without one, tools of the table, and calls of the contract.

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use ledger_http::documents::mcp::{Endpoint, ToolAnswer, tools};
use ledger_http::documents::operations::operations;
use ledger_http::documents::{Config, routes};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::contract::BASE;

/// Posts a message; the contract answers every call by what it was asked.
async fn post(path: &str, headers: &[(&str, &str)], message: &Value) -> (u16, Value) {
    let router = routes::<()>(&Config::at(BASE), |call, _| {
        let status = if call.key.is_some() { 200 } else { 401 };
        let body = json!({
            "asked": format!("{} {}", call.method, call.target), "key": call.key, "body": call.body,
        });
        Box::pin(async move { ToolAnswer { status, body } })
    });
    let mut request = Request::post(path).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(message.to_string())).expect("a request");
    let response = router.oneshot(request).await.expect("a router answers");
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.expect("a body").to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or_default())
}

fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// A request as 2026-07-28 has it, with its headers.
fn stateless(method: &str, mut params: Value) -> (Vec<(&'static str, String)>, Value) {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let mut headers =
        vec![("mcp-protocol-version", "2026-07-28".to_owned()), ("mcp-method", method.to_owned())];
    if let Some(name) = params["name"].as_str() {
        headers.push(("mcp-name", name.to_owned()));
    }
    (headers, request(method, &params))
}

fn borrowed<'a>(headers: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    headers.iter().map(|(name, value)| (*name, value.as_str())).collect()
}

#[tokio::test]
async fn a_handshake_is_answered_with_a_version_that_is_spoken() {
    for (asked, given) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": {} });
        let (status, answer) = post("/mcp", &[], &request("initialize", &params)).await;
        assert_eq!((status, &answer["result"]["protocolVersion"]), (200, &json!(given)));
        assert_eq!(answer["result"]["capabilities"], json!({ "tools": {} }));
    }
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post("/mcp", &[], &initialized).await, (202, Value::Null));
}

#[tokio::test]
async fn a_request_without_a_handshake_says_its_version_in_body_and_headers() {
    let (headers, message) = stateless("server/discover", json!({}));
    let (status, answer) = post("/mcp", &borrowed(&headers), &message).await;
    assert_eq!(status, 200, "{answer}");
    let result = &answer["result"];
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(
        (&result["resultType"], &result["cacheScope"]),
        (&json!("complete"), &json!("public"))
    );
    let (status, answer) = post("/mcp", &borrowed(&headers[..1]), &message).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32020)));
    let later: Vec<_> = [("mcp-protocol-version", "2027-01-01".to_owned())].into();
    let mut other = message.clone();
    other["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2027-01-01".into();
    let (status, answer) = post("/mcp", &borrowed(&later), &other).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32022)));
}

#[tokio::test]
async fn a_call_whose_headers_say_another_than_its_body_calls_nothing() {
    let (headers, message) = stateless("tools/call", json!({ "name": "get_quickstart" }));
    assert_eq!(post("/mcp", &borrowed(&headers), &message).await.0, 200);
    for place in 0..headers.len() {
        let mut other = headers.clone();
        other[place].1 = "get_overview".to_owned();
        let (status, answer) = post("/mcp", &borrowed(&other), &message).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32020)), "{other:?}");
    }
    // What the client can do is said with each message.
    let mut silent = message;
    silent["params"]["_meta"]
        .as_object_mut()
        .expect("it is one")
        .remove("io.modelcontextprotocol/clientCapabilities");
    let (status, answer) = post("/mcp", &borrowed(&headers), &silent).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32020)), "{answer}");
}

#[tokio::test]
async fn the_tools_are_the_routes_but_those_that_make_keys_of_production() {
    let (_, answer) = post("/mcp", &[], &request("tools/list", &json!({}))).await;
    let listed = answer["result"]["tools"].as_array().expect("tools");
    let has = |name: &str| listed.iter().any(|tool| tool["name"] == name);
    for operation in operations() {
        let of_production = ["create_key", "request_production"].contains(&&*operation.tool_name());
        assert_eq!(has(&operation.tool_name()), !of_production, "{}", operation.tool_name());
    }
    for tool in listed {
        assert_eq!(tool["inputSchema"]["type"], "object");
        jsonschema::meta::validate(&tool["inputSchema"]).expect("an input schema is a schema");
        assert!(tool["description"].as_str().is_some_and(|text| text.len() > 10));
    }
    let public: Vec<_> = tools(Endpoint::Onboarding);
    assert!(public.iter().any(|tool| tool["name"] == "create_sandbox_key"));
    assert!(!public.iter().any(|tool| tool["name"] == "create_charge"));
}

#[tokio::test]
async fn a_call_becomes_a_request_of_the_contract() {
    let call = |name: &str, arguments: Value| {
        request("tools/call", &json!({ "name": name, "arguments": arguments }))
    };
    let key = [("x-api-key", "svc_test_1")];
    let message = call("get_statement", json!({ "customer_ref": "ana & co", "limit": 10 }));
    let (_, answer) = post("/mcp", &key, &message).await;
    let given = &answer["result"]["structuredContent"];
    assert_eq!(given["asked"], "GET /saldo/extrato?customer_ref=ana%20%26%20co&limit=10");
    assert_eq!((&given["key"], &given["body"]), (&json!("svc_test_1"), &Value::Null));

    let message =
        call("set_refund_address", json!({ "cashout_id": "co/1", "refund_address": "0x" }));
    let (_, answer) = post("/mcp", &[("authorization", "Bearer svc_test_2")], &message).await;
    let given = &answer["result"]["structuredContent"];
    assert_eq!(given["asked"], "POST /cash-outs/co%2F1/refund-address");
    assert_eq!(given["body"], json!({ "refund_address": "0x" }));
    assert_eq!(
        (&given["key"], &answer["result"]["isError"]),
        (&json!("svc_test_2"), &json!(false))
    );

    let (_, answer) = post("/mcp", &[], &call("get_balance", json!({}))).await;
    assert_eq!(answer["result"]["isError"], true);
    let (headers, message) = stateless("tools/call", json!({ "name": "get_quickstart" }));
    let (_, answer) = post("/mcp/onboarding", &borrowed(&headers), &message).await;
    let text = answer["result"]["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("# Quickstart"));
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[tokio::test]
async fn what_is_no_request_is_refused_by_its_number() {
    let call = |name: &str| request("tools/call", &json!({ "name": name }));
    for (path, message, status, code) in [
        ("/mcp", json!([request("ping", &json!({}))]), 400, -32600),
        ("/mcp", json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }), 400, -32600),
        ("/mcp", request("resources/list", &json!({})), 200, -32601),
        ("/mcp", call("create_key"), 200, -32602),
        ("/mcp", call("get_charge"), 200, -32602),
        ("/mcp/onboarding", call("get_balance"), 200, -32602),
    ] {
        let (given, answer) = post(path, &[], &message).await;
        assert_eq!((given, &answer["error"]["code"]), (status, &json!(code)), "{message}");
    }
    let ping = request("ping", &json!({}));
    assert_eq!(post("/mcp", &[("origin", "https://evil.example")], &ping).await.0, 403);
    assert_eq!(post("/mcp", &[("origin", BASE)], &ping).await.0, 200);
    assert_eq!(post("/mcp", &[("mcp-protocol-version", "1999-01-01")], &ping).await.0, 400);
}
