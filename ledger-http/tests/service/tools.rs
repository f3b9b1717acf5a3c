//! Tools of MCP over a running service: they are of the sandbox, whatever key they bring.

use ledger_core::contract::Environment;
use ledger_http::documents::Config;
use ledger_http::{Limits, Rate};
use serde_json::{Value, json};

use crate::served::{KEY, Served};

fn served() -> Served {
    limited(Limits::default())
}

fn limited(limits: Limits) -> Served {
    let served = Served::with(64, |service| {
        service.documents(Config::at("https://api.example.com")).limits(limits)
    });
    served.open_account();
    let gift = json!({ "id": "g-1", "account": "loja", "effect_cents": 10_000, "actor": "bia",
        "reason": "a gift", "evidence": "case-1" });
    served.report("fee.adjusted", &gift, &Value::Null);
    served
}

fn called(served: &Served, key: &str, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let answer = served.post("/mcp", &[("x-api-key", key)], &message);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body()["result"].clone()
}

fn head(served: &Served, of: Environment) -> u64 {
    served.service.ledgers().for_environment(of).engine().head().unwrap().seq
}

#[test]
fn a_tool_carries_out_nothing_with_a_live_key() {
    let served = served();
    let stood = head(&served, Environment::Live);
    let transfer = json!({ "amount_cents": 100, "from_customer_ref": "casa",
        "to_customer_ref": "ana", "external_id": "t-1" });
    for (tool, arguments) in [("create_transfer", &transfer), ("get_balance", &json!({}))] {
        let result = called(&served, KEY, tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        assert_eq!(result["structuredContent"]["erro"], "nao_permitido", "{tool}: {result}");
    }
    assert_eq!(head(&served, Environment::Live), stood);
}

#[test]
fn a_tool_carries_out_a_test_key_in_the_sandbox_alone() {
    let served = served();
    let email = json!({ "email": "ana@exemplo.com.br" });
    let made = served.post("/keys/sandbox", &[], &email).body();
    let key = made["api_key"].as_str().unwrap();
    let stood = (head(&served, Environment::Live), head(&served, Environment::Sandbox));
    let charge = json!({ "amount_cents": 5_000, "destino": "saldo",
        "payer_tax_number": "52998224725", "external_id": "c-1" });
    let result = called(&served, key, "create_charge", &charge);
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(head(&served, Environment::Live), stood.0);
    assert!(stood.1 < head(&served, Environment::Sandbox));
}

#[test]
fn the_calls_of_a_key_by_tools_are_counted_with_its_requests() {
    let served = limited(Limits { per_key: Rate::per_minute(2), ..Limits::default() });
    let key = "svc_test_1";
    assert_eq!(served.get("/saldo", &[("x-api-key", key)]).status, 401);
    let result = called(&served, key, "get_balance", &json!({}));
    assert_eq!(result["structuredContent"]["erro"], "chave_desconhecida", "{result}");
    let result = called(&served, key, "get_balance", &json!({}));
    assert_eq!(result["structuredContent"]["erro"], "rate_limit", "{result}");
    assert_eq!(served.get("/saldo", &[("x-api-key", key)]).status, 429);
}

#[test]
fn a_message_that_says_a_name_twice_is_none() {
    let served = served();
    let stood = head(&served, Environment::Sandbox);
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":
        "create_sandbox_key","arguments":{"email":"a@exemplo.com.br","email":"b@exemplo.com.br"}}}"#;
    let headers = [("content-type", "application/json")];
    let answer = served.send("POST", "/mcp/onboarding", &headers, Some(twice));
    assert_eq!((answer.status, &answer.body()["error"]["code"]), (400, &json!(-32700)));
    assert_eq!(head(&served, Environment::Sandbox), stood);
}

#[test]
fn links_to_the_panel_are_counted_over_both_ways() {
    let served = served();
    let email = json!({ "email": "dona@example.com" });
    for _ in 0..5 {
        let result = called(&served, "svc_test_1", "send_panel_link", &email);
        assert_eq!(result["isError"], false, "{result}");
    }
    assert_eq!(served.post("/keys/painel-link", &[], &email).status, 429);
}
