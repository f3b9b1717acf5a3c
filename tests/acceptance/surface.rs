//! The surface of the contract's section 4: every route under its method, and who may call it
//! (API-02 to API-08, AUTH-01, AUTH-05, WAL-50, CUS-39, COM-05, WDR-14).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, payout_body};
use crate::market::{WALLET, conversion, purchase};

const NOON: &str = "2026-11-20T12:00:00Z";

/// The routes that need `X-API-Key`, each with a body that is in shape.
fn with_a_key() -> Vec<(&'static str, Value)> {
    let transfer = json!({ "from_customer_ref": "a", "to_customer_ref": "b", "amount_cents": 50 });
    let sale =
        json!({ "asset": "usdt", "network": "polygon", "amount": "30", "pix_key": "a@b.co" });
    let preview = json!({ "amount_cents": 10_000, "asset": "usdt", "chain": "polygon" });
    let payment = json!({ "brl_amount": "50.00", "pix_key": "a@b.co" });
    let none = Value::Null;
    vec![
        ("GET /keys/me", none.clone()),
        ("PATCH /keys/me", json!({ "settlement_address": WALLET })),
        ("GET /cashin/limits?payer_tax=39053344705", none.clone()),
        ("GET /cashin/catalog", none.clone()),
        ("POST /cashin/preview", preview),
        ("POST /cashin/charge", purchase(10_000)),
        ("GET /cashin/x/status", none.clone()),
        ("GET /cashin/charges?external_id=x", none.clone()),
        ("GET /saldo", none.clone()),
        ("GET /saldo?customer_ref=a", none.clone()),
        ("GET /saldo/consolidado", none.clone()),
        ("GET /saldo/clientes?limit=5&com_saldo=1", none.clone()),
        ("GET /saldo/extrato?limit=5&visao=operacoes", none.clone()),
        ("POST /saldo/transferir", transfer),
        ("POST /saldo/sacar-cripto", conversion("a", 5_000)),
        ("POST /payouts", payout_body("o", 50)),
        ("GET /payouts?external_id=x", none.clone()),
        ("GET /catalog", none.clone()),
        ("POST /cash-outs/preview", sale.clone()),
        ("POST /cash-outs", sale),
        ("GET /cash-outs/x", none.clone()),
        ("GET /cash-outs?external_id=x", none.clone()),
        ("GET /pix/keys/lookup?key=a@b.co", none.clone()),
        ("GET /carteira-usdt", none.clone()),
        ("GET /carteira-usdt/deposits", none.clone()),
        ("POST /carteira-usdt/deposits", json!({ "amount": "10.000000" })),
        ("GET /carteira-usdt/payments", none.clone()),
        ("POST /carteira-usdt/payments", payment.clone()),
        ("GET /carteira-usdt/payments/x", none.clone()),
        ("POST /carteira-usdt/quote", payment),
        ("GET /webhooks/deliveries", none.clone()),
        ("POST /webhooks/test", json!({})),
        ("GET /comissao", none.clone()),
        ("GET /comissao/extrato", none.clone()),
        ("POST /sandbox/cashin/x/pay", json!({})),
        ("GET /sandbox", none.clone()),
        ("GET /sandbox/events", none),
    ]
}

/// The routes that anybody may call, each with a body that is in shape.
fn public() -> Vec<(&'static str, Value)> {
    vec![
        ("GET /v1/verificar/E9040088820261120120300123873170", Value::Null),
        ("POST /keys", json!({ "name": "Loja" })),
        ("POST /keys/sandbox", json!({ "email": "a@b.co" })),
        ("POST /keys/painel-link", json!({ "email": "a@b.co" })),
        ("GET /mesh", Value::Null),
    ]
}

#[test]
fn auth_01_and_05_every_route_but_the_public_ones_needs_a_key() {
    let mut day = Day::trading(NOON, AT_ONCE);
    for (request, body) in with_a_key() {
        let refused = day.ask_with("", NOON, request, &body);
        assert_eq!(refused.status, 401, "{request}: {}", refused.body);
        assert_eq!(refused.body["erro"], "chave_ausente", "{request}");
    }
    for (request, body) in public() {
        let answer = day.ask_with("", NOON, request, &body);
        assert_ne!(answer.status, 401, "{request}: {}", answer.body);
        assert_ne!(answer.body["erro"], "metodo_nao_permitido", "{request}");
    }
}

/// With a key, none of them is unknown: what is missing is the thing that is named, or nothing.
#[test]
fn api_02_to_08_every_route_of_the_contract_is_there() {
    let mut day = Day::trading(NOON, AT_ONCE);
    let nowhere = day.ask(NOON, "GET /nowhere", &Value::Null);
    assert_eq!((nowhere.status, &nowhere.body["erro"]), (404, &json!("nao_encontrado")));
    let unknown = nowhere.body["detail"].as_str().unwrap();
    assert!(unknown.contains("/nowhere"), "an unknown route is named: {unknown}");
    for (request, body) in with_a_key().into_iter().chain(public()) {
        let answer = day.ask(NOON, request, &body);
        assert_ne!(answer.status, 405, "{request}: {}", answer.body);
        let path = request.split([' ', '?']).nth(1).unwrap();
        let detail = answer.body["detail"].as_str().unwrap_or_default();
        let about_the_route = answer.status == 404 && detail.contains(path);
        assert!(!about_the_route, "{request}: {}", answer.body);
    }
}

#[test]
fn api_02_to_08_a_route_takes_its_methods_and_no_others() {
    let mut day = Day::trading(NOON, AT_ONCE);
    let known: Vec<_> = with_a_key().into_iter().chain(public()).map(|(known, _)| known).collect();
    let split = |request: &'static str| {
        let (method, target) = request.split_once(' ').unwrap();
        (method, target.split('?').next().unwrap())
    };
    for request in &known {
        let (_, path) = split(request);
        let taken: Vec<_> =
            known.iter().map(|known| split(known)).filter(|(_, other)| *other == path).collect();
        for method in ["GET", "POST", "PATCH"] {
            // `POST /keys/x` and the like are the same segments as another known route.
            if taken.iter().any(|(known, _)| *known == method) {
                continue;
            }
            let answer = day.ask(NOON, &format!("{method} {path}"), &json!({}));
            assert_eq!(answer.status, 405, "{method} {path}: {}", answer.body);
            assert_eq!(answer.body["erro"], "metodo_nao_permitido", "{method} {path}");
        }
    }
}

#[test]
fn cus_39_com_05_and_wdr_14_what_the_contract_shows_no_path_for_has_no_route() {
    let mut day = Day::trading(NOON, AT_ONCE);
    for request in [
        "POST /saldo/sacar-cripto/preview",
        "POST /carteira-usdt/withdrawals",
        "POST /carteira-usdt/withdrawals/quote",
        "POST /comissao/sacar",
    ] {
        let answer = day.ask(NOON, request, &json!({}));
        assert_eq!(answer.status, 404, "{request}: {}", answer.body);
    }
}
