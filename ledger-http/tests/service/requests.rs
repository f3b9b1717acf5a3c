//! Requests of the contract over HTTP: keys, routes, methods, and the paths of ours.

use ledger_core::contract::{OWN_PATHS, OwnPath, methods_of, routes};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use serde_json::json;

use crate::served::{KEY, Served};

#[test]
fn a_test_key_collects_a_pix_and_sees_its_balance() {
    let served = Served::start();
    let made = served.post("/keys/sandbox", &[], &json!({ "email": "ana@exemplo.com.br" }));
    assert_eq!(made.status, 200, "{}", made.text);
    let key = made.body()["api_key"].as_str().unwrap().to_owned();
    assert!(key.starts_with("svc_test_"));
    let key = [("x-api-key", &*key)];
    let charge = json!({ "amount_cents": 5_000, "destino": "saldo", "customer_ref": "ana",
        "payer_tax_number": "52998224725", "external_id": "deposito-1" });
    let charge = served.post("/cashin/charge", &key, &charge);
    assert_eq!(charge.status, 200, "{}", charge.text);
    let id = charge.body()["cashin_id"].as_str().unwrap().to_owned();
    let paid = served.post(&format!("/sandbox/cashin/{id}/pay"), &key, &json!({}));
    assert_eq!(paid.status, 200, "{}", paid.text);
    let balance = served.get("/saldo?customer_ref=ana", &key);
    assert_eq!(balance.status, 200, "{}", balance.text);
    let total = balance.body()["disponivel_cents"].as_i64().unwrap()
        + balance.body()["bloqueado_cents"].as_i64().unwrap();
    assert_eq!(total, 4_900, "{}", balance.text);
    assert_eq!(balance.header("content-type"), "application/json");
}

#[test]
fn a_key_of_one_ledger_opens_nothing_in_the_other() {
    let served = Served::start();
    for key in ["svc_test_loja", "svc_live_another", "svc_unknown"] {
        let answer = served.get("/saldo", &[("x-api-key", key)]);
        assert_eq!((answer.status, &answer.body()["erro"]), (401, &json!("chave_desconhecida")));
    }
    let live = served.get("/saldo", &[("x-api-key", KEY)]);
    assert_eq!(live.status, 200, "{}", live.text);
}

#[test]
fn keys_without_the_prefix_of_today_open_the_ledger_that_has_them() {
    let served = Served::start();
    let old = json!({ "id": "a-9", "account": "antiga", "terms": { "carencia_horas": 0 } });
    served.report("account.opened", &old, &json!({ "key": "svc_of_old_times" }));
    let answer = served.get("/saldo", &[("x-api-key", "svc_of_old_times")]);
    assert_eq!(answer.status, 200, "{}", answer.text);
}

#[test]
fn auth_01_the_key_comes_in_the_header_and_nowhere_else() {
    let served = Served::start();
    let missing = served.get("/saldo", &[]);
    assert_eq!((missing.status, &missing.body()["erro"]), (401, &json!("chave_ausente")));
    let elsewhere = served.get("/saldo", &[("authorization", "Bearer svc_live_loja")]);
    assert_eq!(elsewhere.status, 401);
    assert_eq!(served.get("/saldo", &[("X-API-Key", KEY)]).status, 200);
}

#[test]
fn every_command_of_the_contract_has_one_path_of_ours_that_no_route_has() {
    let declared: Vec<_> = routes::<JournalArchive, Vault>().map(|shape| shape.ask).collect();
    let mut commands = 0;
    for ask in &declared {
        if let ledger_core::contract::Invocation::Command(name) = ask {
            let own: Vec<_> = OWN_PATHS.iter().filter(|own| own.command == *name).collect();
            assert_eq!(own.len(), 1, "{name}");
            let method = own[0].method.name();
            assert!(OwnPath::by_target(method, own[0].path).is_some_and(|found| found.0 == own[0]));
            assert!(declared.iter().all(|other| other.path() != Some(own[0].path)), "{name}");
            commands += 1;
        }
    }
    assert_eq!(commands, OWN_PATHS.len());
}

#[test]
fn what_the_contract_names_without_a_path_is_asked_by_a_path_of_ours() {
    let served = Served::start();
    let key = [("x-api-key", KEY)];
    let list = served.get("/carteira-usdt/withdrawals", &key);
    assert_eq!((list.status, &list.body()["erro"]), (403, &json!("carteira_nao_liberada")));
    let one = served.get("/carteira-usdt/withdrawals/uw_1", &key);
    assert_eq!(one.status, 403, "{}", one.text);
    let withdrawn = served.post("/comissao/sacar-cripto", &key, &json!({}));
    assert_eq!(withdrawn.status, 400, "{}", withdrawn.text);
    let rotated = served.send("POST", "/keys/me/rotate", &key, None);
    assert_eq!(rotated.status, 200, "{}", rotated.text);
    let next = rotated.body()["api_key"].as_str().unwrap().to_owned();
    assert_eq!(served.get("/saldo", &key).status, 401);
    assert_eq!(served.get("/saldo", &[("x-api-key", &next)]).status, 200);
}

#[test]
fn a_method_that_a_path_does_not_take_is_told_which_it_takes() {
    let served = Served::start();
    let answer = served.send("DELETE", "/saldo", &[], None);
    assert_eq!((answer.status, &answer.body()["erro"]), (405, &json!("metodo_nao_permitido")));
    assert_eq!(answer.header("allow"), "GET, HEAD, OPTIONS");
    let own = served.send("PUT", "/keys/me/rotate", &[], Some("not JSON"));
    assert_eq!((own.status, own.header("allow")), (405, "POST, OPTIONS"));
    let unknown = served.send("DELETE", "/nothing", &[], None);
    assert_eq!((unknown.status, &unknown.body()["erro"]), (404, &json!("nao_encontrado")));
    assert_eq!(unknown.header("allow"), "");
}

#[test]
fn options_says_the_methods_of_every_declared_path() {
    let served = Served::start();
    for shape in routes::<JournalArchive, Vault>() {
        let Some(path) = shape.ask.path() else { continue };
        let path = path.replace(['{', '}'], "");
        let answer = served.send("OPTIONS", &path, &[], None);
        assert_eq!((answer.status, &*answer.text), (204, ""), "{path}");
        for method in methods_of::<JournalArchive, Vault>(&path) {
            assert!(answer.header("allow").contains(method.name()), "{path}");
        }
    }
    assert_eq!(served.send("OPTIONS", "/nothing", &[], None).status, 404);
}

#[test]
fn head_is_answered_as_get_without_the_body() {
    let served = Served::start();
    let key = [("x-api-key", KEY)];
    let (head, get) = (served.send("HEAD", "/saldo", &key, None), served.get("/saldo", &key));
    assert_eq!((head.status, &*head.text), (200, ""));
    assert_eq!(head.header("content-length"), get.text.len().to_string());
    assert_eq!(served.send("HEAD", "/saldo", &[], None).status, 401);
}

#[test]
fn the_routes_nest_under_any_path() {
    let served = Served::start();
    let key = [("x-api-key", KEY)];
    let answer = served.get("/nested/saldo?customer_ref=ana", &key);
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(served.get("/nested/health/live", &[]).status, 200);
    assert_eq!(
        served.send("OPTIONS", "/nested/saldo", &[], None).header("allow"),
        "GET, HEAD, OPTIONS"
    );
    let unknown = served.get("/nested/nothing", &key);
    assert_eq!((unknown.status, &unknown.body()["erro"]), (404, &json!("nao_encontrado")));
}

#[test]
fn whoever_has_no_key_is_told_of_no_order() {
    let served = Served::start();
    for (path, body) in [
        ("/cash-outs/co_0/accept", json!({})),
        (
            "/cash-outs/co_0/refund-address",
            json!({ "refund_address": "0x52908400098527886e0f7030069857d2e4169ee7" }),
        ),
    ] {
        let nobody = served.post(path, &[], &body);
        assert_eq!((nobody.status, &nobody.body()["erro"]), (401, &json!("chave_ausente")));
        let account = served.post(path, &[("x-api-key", KEY)], &body);
        assert_eq!((account.status, &account.body()["erro"]), (404, &json!("nao_encontrado")));
    }
}

#[test]
fn what_a_query_asks_for_is_text_as_a_body_has_it() {
    let served = Served::start();
    for target in [
        "/saldo?customer_ref=a%1B",
        "/saldo/extrato?customer_ref=a%C2%9B",
        "/payouts?external_id=a%0A",
        "/cashin/charges?external_id=%7F",
        "/cash-outs?external_id=a%09b",
    ] {
        let answer = served.get(target, &[("x-api-key", KEY)]);
        let body = answer.body();
        assert_eq!((answer.status, &body["erro"]), (400, &json!("formato_invalido")), "{target}");
        assert!(body["detail"].as_str().unwrap().contains("control characters"), "{body}");
    }
}
