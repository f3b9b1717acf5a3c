//! The sandbox beyond sales and charges: money that leaves, the wallet, what it tells of itself.

use serde_json::{Value, json};

use crate::pages;
use crate::sandbox::{TEST_KEY, Trial, WALLET, at};

const CPF: &str = "52998224725";

/// R$ 499.00 available from the first second on.
fn funded() -> Trial {
    let mut trial = Trial::new();
    let body = json!({ "destino": "saldo", "amount_cents": 50_000, "payer_tax_number": CPF });
    let made = trial.ask(0, "POST /cashin/charge", body).body;
    let id = made["cashin_id"].as_str().unwrap();
    assert_eq!(trial.ask(0, &format!("POST /sandbox/cashin/{id}/pay"), Value::Null).status, 200);
    trial.new_events();
    trial
}

/// The values that a field of a view takes from a second on, until it rests at the fifteenth.
fn course(
    trial: &mut Trial,
    from: u32,
    field: &str,
    view: impl Fn(&mut Trial, u32) -> Value,
) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for second in from..=from + 15 {
        let now = view(trial, second)[field].as_str().unwrap().to_owned();
        if seen.last() != Some(&now) {
            seen.push(now);
        }
    }
    seen
}

#[test]
fn sbx_13_a_payout_is_paid_in_fifteen_seconds() {
    let mut trial = funded();
    let body = json!({ "amount_cents": 10_000, "pix_key": "ana@exemplo.com.br",
                       "tax_number": CPF, "external_id": "p-1" });
    assert_eq!(trial.ask(1, "POST /payouts", body).status, 200);
    let states = course(&mut trial, 1, "status", |trial, second| {
        trial.get(second, "/payouts?external_id=p-1")["payouts"][0].clone()
    });
    assert_eq!(states, ["requested", "submitted", "completed"]);
}

#[test]
fn sbx_13_a_withdrawal_in_crypto_is_delivered_in_fifteen_seconds() {
    let mut trial = funded();
    let body = json!({ "amount_cents": 20_000, "asset": "usdt", "chain": "polygon",
                       "payout_address": WALLET, "tax_number": CPF, "external_id": "s-1" });
    let made = trial.ask(1, "POST /saldo/sacar-cripto", body);
    assert_eq!((made.status, &made.body["status"]), (200, &json!("paid")), "{}", made.body);
    let id = made.body["cashin_id"].as_str().unwrap().to_owned();
    let states = course(&mut trial, 1, "settlement_status", |trial, second| {
        trial.get(second, &format!("/cashin/{id}/status"))
    });
    assert_eq!(states, ["pending", "sending", "entregando", "sent"]);
}

#[test]
fn wal_52_the_wallet_walks_its_states_under_a_test_key() {
    let mut trial = Trial::new();
    let wallet = trial.get(0, "/carteira-usdt");
    assert_eq!((&wallet["sandbox"], &wallet["enabled"]), (&json!(true), &json!(true)), "{wallet}");
    let made = trial.ask(0, "POST /carteira-usdt/deposits", json!({ "amount": "100" }));
    assert_eq!(made.status, 201, "{}", made.body);
    assert!(made.body["address"].as_str().unwrap().starts_with("sandbox-"), "WAL-13");
    let states = course(&mut trial, 0, "status", |trial, second| {
        trial.get(second, "/carteira-usdt/deposits")["items"][0].clone()
    });
    assert_eq!(states, ["waiting", "confirming", "available"]);

    let body = json!({ "brl_amount": "50.02", "pix_key": "bia@exemplo.com.br" });
    let made = trial.ask(20, "POST /carteira-usdt/payments", body);
    assert_eq!((made.status, &made.body["status"]), (201, &json!("reservado")), "{}", made.body);
    let id = made.body["payment_id"].as_str().unwrap().to_owned();
    let states = course(&mut trial, 20, "status", |trial, second| {
        trial.get(second, &format!("/carteira-usdt/payments/{id}"))
    });
    // Its amount selects nothing: the endings are those of cash-outs.
    let all = ["reservado", "ordem_criada", "aceita", "sacando", "enviado", "concluido"];
    assert_eq!(states, all);
    let done = trial.get(40, &format!("/carteira-usdt/payments/{id}"));
    assert!(done["pix_e2e"].is_string() && done["receipt_url"].is_null(), "WAL-28: {done}");

    for (place, asset) in [(40, "USDT"), (60, "USDC")] {
        let body =
            json!({ "amount": "20", "asset": asset, "network": "polygon", "address": WALLET });
        let quote = trial.command(place, "wallet.withdrawal.quote", body).body;
        let body = json!({ "quote_id": quote["quote_id"], "external_id": asset });
        let made = trial.command(place, "wallet.withdrawal.create", body);
        assert_eq!(made.body["status"], "reserved", "{}", made.body);
        let id = made.body["withdrawal_id"].clone();
        let states = course(&mut trial, place, "status", |trial, second| {
            let body = json!({ "withdrawal_id": id });
            trial.command(second, "wallet.withdrawal.get", body).body.into()
        });
        let converting = (asset == "USDC").then_some("converting");
        let mut expected = vec!["reserved", "funding"];
        expected.extend(converting);
        expected.extend(["processing", "completed"]);
        assert_eq!(states, expected, "{asset}");
    }
}

#[test]
fn sbx_11_the_sandbox_tells_its_scenarios_its_persistence_and_its_differences() {
    let mut trial = Trial::new();
    let view = trial.get(0, "/sandbox");
    assert_eq!(view["sandbox"], true);
    let endings = view["cenarios"]["cash_outs"]["finais"].as_array().unwrap();
    let names: Vec<_> = endings.iter().map(|ending| ending["final"].as_str().unwrap()).collect();
    assert_eq!(names, [".00", ".01", ".02", ".03", ".04", ".05", ".06", ".07", ".08"]);
    let charges = view["cenarios"]["cobrancas"]["valores"].as_array().unwrap();
    assert_eq!(charges.len(), 4);
    assert!(view["persistencia"].is_object() && view["diferencas_da_producao"].is_array());
    let nobody = trial.line(&json!({ "at": at(0), "request": "GET /sandbox" }));
    assert_eq!(nobody.status, 401);
    let posted = trial.line(&json!({ "at": at(0), "key": TEST_KEY, "request": "POST /sandbox" }));
    assert_eq!((posted.status, &posted.body["erro"]), (405, &json!("metodo_nao_permitido")));
}

#[test]
fn evt_15_the_events_of_the_sandbox_are_read_as_they_were_sent_latest_first() {
    let mut trial = funded();
    for (second, amount) in [(1, "20.00"), (2, "30.01"), (3, "40.02")] {
        trial.accepted(second, json!({ "amount": amount }));
    }
    let body = json!({ "destino": "saldo", "amount_cents": 10_000, "payer_tax_number": CPF,
                       "sandbox_scenario": "settlement_failed" });
    let made = trial.ask(4, "POST /cashin/charge", body).body;
    let id = made["cashin_id"].as_str().unwrap();
    trial.ask(5, &format!("POST /sandbox/cashin/{id}/pay"), Value::Null);
    trial.get(300, "/saldo");
    let mut sent = trial.events.clone();
    assert!(sent.len() > 10, "{}", sent.len());
    sent.reverse();

    let mut read = Vec::new();
    pages::walk("before", |before| {
        let shown = trial.get(300, &format!("/sandbox/events?limit=5{before}"));
        let items = shown["items"].as_array().unwrap();
        assert!(items.len() <= 5);
        read.extend(items.iter().cloned());
        let next = pages::next(&shown, "proxima_pagina");
        assert_eq!(shown["has_more"], next.is_some());
        next
    });
    assert_eq!(read[..sent.len()], sent[..]);
    // What came before the last look: the deposit that funded it.
    let rest: Vec<_> = read[sent.len()..].iter().map(|event| event["event"].clone()).collect();
    assert_eq!(rest, ["cashin.settled", "cashin.paid"]);
    // Another account hears nothing of it.
    trial.line(&json!({
        "at": at(300), "fact": "account.opened", "environment": "sandbox",
        "body": { "id": "acc-2", "account": "outra" }, "supplied": { "key": "svc_test_outra" },
    }));
    let theirs = trial
        .line(&json!({ "at": at(300), "key": "svc_test_outra", "request": "GET /sandbox/events" }));
    assert_eq!(theirs.body["items"], json!([]));
    let wrong = trial.ask(300, "GET /sandbox/events?before=17", Value::Null);
    assert_eq!((wrong.status, &wrong.body["erro"]), (400, &json!("requisicao_invalida")));
}

/// A sale, a purchase and a withdrawal, played to their ends.
fn played(seed: u64) -> Trial {
    let mut trial = Trial::seeded(seed, json!({ "sem_retencao": true, "liberacao": "imediata" }));
    trial.accepted(1, json!({ "brl_amount": "100.00" }));
    let body = json!({ "amount_cents": 10_000, "payer_tax_number": CPF, "payout_address": WALLET });
    let made = trial.ask(2, "POST /cashin/charge", body).body;
    let id = made["cashin_id"].as_str().unwrap();
    trial.ask(3, &format!("POST /sandbox/cashin/{id}/pay"), Value::Null);
    trial.get(400, "/saldo");
    trial.sell(401, json!({ "brl_amount": "100.00" }));
    trial
}

#[test]
fn sbx_14_the_same_seed_and_script_give_the_same_journal_and_another_seed_other_prices() {
    let (first, again, other) = (played(7), played(7), played(8));
    assert_eq!(first.sequencer.head(), again.sequencer.head());
    assert_ne!(first.sequencer.head(), other.sequencer.head());
    assert_eq!(first.sequencer.head().seq, other.sequencer.head().seq, "the script is the same");
}

#[test]
fn sbx_12_the_market_opens_when_it_is_asked_for_and_its_prices_are_renewed() {
    let mut trial = Trial::new();
    let price = |trial: &Trial| trial.sequencer.ledger().state.rate("usdt").map(|quote| quote.at);
    trial.get(0, "/saldo");
    assert_eq!(price(&trial), None);
    assert!(trial.get(0, "/catalog")["assets"].as_array().is_some_and(|all| !all.is_empty()));
    let mut prices = Vec::new();
    for seconds in [10, 20, 299, 300, 5_000, 150_000] {
        assert_eq!(trial.sell(seconds, json!({ "amount": "10.00" })).status, 201, "{seconds}");
        prices.push(price(&trial).unwrap().to_string());
    }
    let renewed = [10, 10, 10, 300, 5_000, 150_000].map(at);
    assert_eq!(prices, renewed);

    // A price reported by hand stands, until it is too old to be quoted.
    let mut trial = Trial::new();
    let body = json!({ "id": "r-1", "asset": "usdt", "brl_per_unit": "6.00" });
    trial.report(0, "rate.quoted", body);
    let order = trial.sell(1, json!({ "amount": "100.00" })).body;
    assert!(order["brl_amount"].as_str().unwrap().starts_with("585."), "{order}");
    assert_eq!(trial.sell(100_000, json!({ "amount": "100.00" })).status, 503);
}

#[test]
fn the_next_step_is_shown_beforehand() {
    let mut trial = Trial::new();
    assert_eq!(trial.sandbox.next(&trial.sequencer.ledger().state), None);
    trial.accepted(0, json!({ "amount": "20.00" }));
    trial.accepted(1, json!({ "amount": "20.05" }));
    let next = trial.sandbox.next(&trial.sequencer.ledger().state).unwrap();
    assert_eq!((next.at.to_string(), next.fact), (at(3), "deposit.seen"));
}
