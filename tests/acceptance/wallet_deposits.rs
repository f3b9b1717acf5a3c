//! Deposits into the USDT wallet: `GET /carteira-usdt`, `POST` and `GET /carteira-usdt/deposits`
//! (contract 2.5, 3.4, 4.5; Part A12; rulings 33, 34, 39; W59; INV-38; LIM-28, LIM-29).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, KEY, fields, judged};
use crate::market::{TRON, WALLET};
use crate::wallet_setup::{GRANTED, settings};

const NOON: &str = "2026-11-20T12:00:00Z";
const SOON: &str = "2026-11-20T12:10:00Z";
const LATE: &str = "2026-11-20T13:00:00Z";

fn requested() -> (Day, Value) {
    let mut day = Day::walleted(NOON);
    let made = day.deposit_usdt("w", NOON, &json!({ "amount": "100" }));
    assert_eq!(made.status, 201, "{}", made.body);
    (day, made.body.into())
}

fn erro(day: &mut Day, body: &Value) -> (u16, String) {
    let answer = day.deposit_usdt("x", NOON, body);
    (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
}

fn is(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

fn status(day: &mut Day, at: &str) -> String {
    day.wallet_deposit("w", at)["status"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn wal_01_to_07_the_wallet_has_exactly_these_fields() {
    let mut day = Day::walleted(NOON);
    let wallet = day.wallet(NOON);
    let expected = json!({
        "enabled": true, "funding_source": "crypto_usdt", "currency": "USDT",
        "pix_rules": { "recipient_document_required": false },
        "networks": [
            { "network": "polygon", "name": "Polygon", "assets": ["USDT", "USDC"],
              "eta_minutes": 2 },
            { "network": "tron", "name": "Tron", "assets": ["USDT"], "eta_minutes": null },
        ],
        "balance": { "available": "0.000000", "reserved": "0.000000", "confirming": "0.000000" },
        "min_deposit": "5.000000", "min_payment_brl": "6.00", "deposit_validity_hours": 1,
        "payments_enabled": true, "payment_methods": { "pix_key": true, "br_code": true },
    });
    assert_eq!(wallet, expected);
    assert_eq!(fields(&wallet), fields(&expected), "in this order, and no sandbox (WAL-02)");
}

#[test]
fn wal_02_a_test_key_sees_that_it_is_a_sandbox() {
    let mut day = Day::new();
    let open = json!({
        "at": NOON, "fact": "account.opened", "environment": "sandbox",
        "body": { "id": "acc-2", "account": "feira", "terms": { "carteira_usdt": true } },
        "supplied": { "key": "svc_test_feira" },
    });
    assert_eq!(day.line(&open.to_string()).status, 200);
    let pairs = json!({ "id": "cat", "items": crate::market::pairs() });
    let mut configured = settings();
    configured["id"] = "wal".into();
    for (fact, body) in [("catalog.updated", pairs), ("wallet.configured", configured)] {
        let line = json!({ "at": NOON, "fact": fact, "environment": "sandbox", "body": body });
        assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    }
    let ask = |request: &str| {
        json!({
            "at": NOON, "key": "svc_test_feira", "request": request, "body": { "amount": "100" },
            "supplied": { "address": "endereco-ficticio" },
        })
    };
    let wallet = day.line(&ask("GET /carteira-usdt").to_string());
    assert_eq!(wallet.body["sandbox"], true);
    let made = day.line(&ask("POST /carteira-usdt/deposits").to_string());
    assert_eq!((made.status, &made.body["sandbox"]), (201, &json!(true)));
    assert_eq!(made.body["address"], "endereco-ficticio", "a marker will do (WAL-13)");
}

#[test]
fn wal_08_a_request_has_exactly_these_fields_and_instructions_only_when_it_is_made() {
    let (mut day, made) = requested();
    let amount = made["amount_to_send"].as_str().unwrap();
    let expected = json!({
        "deposit_id": made["deposit_id"], "status": "waiting", "amount_to_send": amount,
        "amount_received": null, "address": WALLET, "network": "polygon",
        "network_name": "Polygon", "asset": "USDT", "accepted_assets": ["USDT", "USDC"],
        "expires_at": LATE, "created_at": NOON, "credited_at": null, "origin": "request",
        "sandbox": false, "instructions": made["instructions"],
    });
    assert_eq!(made, expected);
    assert!(made["deposit_id"].as_str().unwrap().starts_with("ud_"));
    let text = made["instructions"].as_str().unwrap();
    assert!(text.contains(amount) && text.contains(WALLET), "{text}");
    let listed = day.wallet_deposit("w", NOON);
    let mut without = expected;
    without.as_object_mut().unwrap().shift_remove("instructions");
    assert_eq!(listed, without, "WAL-11");
    assert_eq!(fields(&listed), fields(&without));
}

#[test]
fn wal_09_and_10_trailing_decimals_tell_requests_apart() {
    let mut day = Day::walleted(NOON);
    let mut seen = Vec::new();
    for label in ["a", "b", "c", "d", "e"] {
        let made = day.deposit_usdt(label, NOON, &json!({ "amount": "100" })).body;
        let amount = made["amount_to_send"].as_str().unwrap().to_owned();
        let millionths: u64 = amount.strip_prefix("100.").unwrap().parse().unwrap();
        assert!((1..=9_999).contains(&millionths), "{amount}");
        assert_eq!(amount.len(), "100.000137".len(), "six decimals");
        assert!(!seen.contains(&amount), "{amount} stands twice");
        seen.push(amount);
    }
    let mut again = Day::walleted(NOON);
    let made = again.deposit_usdt("a", NOON, &json!({ "amount": "100" })).body;
    assert_eq!(made["amount_to_send"], seen[0].as_str(), "derived, never random");
}

#[test]
fn wal_24_five_requests_are_open_at_once_and_no_more() {
    let mut day = Day::walleted(NOON);
    for label in ["a", "b", "c", "d", "e"] {
        assert_eq!(day.deposit_usdt(label, NOON, &json!({ "amount": "100" })).status, 201);
    }
    assert_eq!(erro(&mut day, &json!({ "amount": "4.9" })), is(400, "valor_abaixo_do_minimo"));
    assert_eq!(erro(&mut day, &json!({ "amount": "100" })), is(409, "muitos_pedidos_abertos"));
    assert_eq!(day.seen_usdt("a", SOON, json!({}))["outcome"], "applied");
    assert_eq!(erro(&mut day, &json!({ "amount": "100" })), is(409, "muitos_pedidos_abertos"));
    assert_eq!(day.confirmed_usdt("a", SOON), "applied");
    assert_eq!(erro(&mut day, &json!({ "amount": "100" })), is(201, "none"), "one has ended");
    assert_eq!(day.configure(SOON, json!({ "open_deposits_max": 6 })), "applied");
    assert_eq!(erro(&mut day, &json!({ "amount": "100" })), is(201, "none"), "a number");
    assert_eq!(erro(&mut day, &json!({ "amount": "100" })), is(409, "muitos_pedidos_abertos"));
    let assigned = json!({ "id": "s", "account": "loja", "amount": "100", "address": WALLET });
    let assigned = day.report(NOON, "wallet.deposit.assigned", &judged(assigned));
    assert_eq!(assigned, "applied", "the bound is for clients");
}

#[test]
fn wal_10_sixty_of_one_amount_differ() {
    let mut day = Day::walleted(NOON);
    assert_eq!(day.configure(NOON, json!({ "open_deposits_max": 10_000 })), "applied");
    // Only the deposits' own invariants matter here: the last few of 9,999 are asked for by hand.
    let mut amounts = std::collections::BTreeSet::new();
    for number in 0..60 {
        let made = day.deposit_usdt(&format!("n{number}"), NOON, &json!({ "amount": "100" }));
        assert_eq!(made.status, 201);
        amounts.insert(made.body["amount_to_send"].as_str().unwrap().to_owned());
    }
    assert_eq!(amounts.len(), 60);
}

#[test]
fn wal_22_and_23_what_cannot_be_is_refused_by_name() {
    let mut day = Day::walleted(NOON);
    let before = day.digest();
    for bad in [json!("0"), json!("-1"), json!("1.0000001"), json!("1e3"), json!(100), json!("")] {
        assert_eq!(erro(&mut day, &json!({ "amount": bad })), is(400, "valor_invalido"), "{bad}");
    }
    assert_eq!(erro(&mut day, &json!({})), is(400, "campos_obrigatorios"));
    let aptos = json!({ "amount": "100", "network": "aptos" });
    assert_eq!(erro(&mut day, &aptos), is(400, "rede_indisponivel"));
    let little = day.deposit_usdt("x", NOON, &json!({ "amount": "4.999999" }));
    assert_eq!((little.status, &little.body["erro"]), (400, &json!("valor_abaixo_do_minimo")));
    assert_eq!(little.body["min_usdt"], "5.000000", "LIM-28");
    assert_eq!(day.digest(), before, "a refusal changes nothing");
    assert_eq!(erro(&mut day, &json!({ "amount": "5" })), is(201, "none"), "the minimum passes");
    let tron = json!({
        "at": NOON, "key": KEY, "request": "POST /carteira-usdt/deposits",
        "body": { "amount": "7", "network": "tron" }, "supplied": { "address": TRON },
    });
    assert_eq!(day.line(&tron.to_string()).body["network_name"], "Tron");
}

#[test]
fn wal_50_a_wallet_not_granted_or_not_there_is_refused() {
    let mut day = Day::trading(NOON, AT_ONCE);
    let body = json!({ "amount": "100" });
    assert_eq!(erro(&mut day, &body), is(403, "carteira_nao_liberada"));
    assert_eq!(day.agree(NOON, json!({ "carteira_usdt": true })), "applied");
    assert_eq!(erro(&mut day, &body), is(503, "carteira_indisponivel"));
    let read = |day: &mut Day, target: &str| {
        let line = json!({ "at": NOON, "key": KEY, "request": format!("GET {target}") });
        let answer = day.line(&line.to_string());
        (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
    };
    for target in ["/carteira-usdt", "/carteira-usdt/deposits"] {
        assert_eq!(read(&mut day, target), is(503, "carteira_indisponivel"));
    }
    assert_eq!(day.configure(NOON, settings()), "applied");
    assert_eq!(read(&mut day, "/carteira-usdt"), is(200, "none"));
    assert_eq!(day.configure(NOON, json!({ "enabled": false })), "applied");
    assert_eq!(erro(&mut day, &body), is(503, "carteira_indisponivel"));
    assert_eq!(day.wallet(NOON)["enabled"], false, "the state is shown nevertheless");
    assert_eq!(day.agree(NOON, json!({ "carteira_usdt": false })), "applied");
    assert_eq!(read(&mut day, "/carteira-usdt"), is(403, "carteira_nao_liberada"));
    let keyless = json!({ "at": NOON, "request": "GET /carteira-usdt" });
    assert_eq!(day.line(&keyless.to_string()).status, 401);
    let stranger = json!({ "at": NOON, "key": "svc_live_x", "request": "POST /carteira-usdt/deposits",
                "body": body });
    assert_eq!(day.line(&stranger.to_string()).status, 401);
}

#[test]
fn wal_23_refusals_come_in_their_order() {
    // Rulings 6 and 73: whether there is a key, shape, authentication, feature, destination, limits;
    // then what a provider supplies.
    let mut day = Day::trading(NOON, AT_ONCE);
    let mut asked = json!({
        "at": NOON, "request": "POST /carteira-usdt/deposits",
        "body": { "amount": "x", "network": "aptos" },
    });
    let next = |day: &mut Day, asked: &Value| {
        day.line(&asked.to_string()).body["erro"].as_str().unwrap_or("none").to_owned()
    };
    assert_eq!(next(&mut day, &asked), "chave_ausente");
    asked["key"] = KEY.into();
    assert_eq!(next(&mut day, &asked), "valor_invalido");
    asked["body"]["amount"] = "1".into();
    assert_eq!(next(&mut day, &asked), "carteira_nao_liberada");
    assert_eq!(day.agree(NOON, json!({ "carteira_usdt": true })), "applied");
    assert_eq!(next(&mut day, &asked), "carteira_indisponivel");
    assert_eq!(day.configure(NOON, settings()), "applied");
    assert_eq!(next(&mut day, &asked), "rede_indisponivel");
    asked["body"]["network"] = "polygon".into();
    assert_eq!(next(&mut day, &asked), "valor_abaixo_do_minimo");
    asked["body"]["amount"] = "5".into();
    assert_eq!(next(&mut day, &asked), "carteira_indisponivel", "no address was supplied");
    asked["supplied"] = json!({ "address": "0x12" });
    assert_eq!(next(&mut day, &asked), "formato_invalido", "none of Polygon");
    asked["supplied"] = json!({ "address": WALLET });
    assert_eq!(next(&mut day, &asked), "none");
}

#[test]
fn wal_12_and_16_nothing_in_an_hour_and_it_has_expired() {
    let (mut day, _) = requested();
    assert_eq!(status(&mut day, "2026-11-20T12:59:59.999999Z"), "waiting");
    assert_eq!(status(&mut day, LATE), "expired");
}

#[test]
fn w59_what_was_asked_for_is_confirming_and_then_available() {
    let (mut day, made) = requested();
    let amount = made["amount_to_send"].as_str().unwrap().to_owned();
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "applied");
    assert_eq!(status(&mut day, SOON), "confirming");
    let none = "0.000000".to_owned();
    assert_eq!(day.purse(SOON), [none.clone(), none.clone(), amount.clone()], "WAL-53, WAL-54");
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "known");
    assert_eq!(day.events().iter().filter(|event| is_credit(event)).count(), 0);
    assert_eq!(day.confirmed_usdt("w", SOON), "applied");
    assert_eq!(day.confirmed_usdt("w", SOON), "known");
    assert_eq!(status(&mut day, SOON), "available");
    assert_eq!(day.purse(SOON), [amount.clone(), none.clone(), none]);
    let events = day.events().to_vec();
    let credits: Vec<_> = events.iter().filter(|event| is_credit(event)).collect();
    assert_eq!(credits.len(), 1, "WAL-18");
    assert_eq!(credits[0]["data"], day.wallet_deposit("w", SOON));
    let shown = day.wallet_deposit("w", SOON);
    assert_eq!(shown["amount_received"], amount.as_str());
    assert_eq!(shown["credited_at"], SOON);
    assert_eq!(day.coins("usdt", "transit"), 0);
}

fn is_credit(event: &Value) -> bool {
    event["event"] == "wallet.deposit_credited"
}

#[test]
fn wal_21_usdc_is_credited_one_to_one() {
    let (mut day, made) = requested();
    assert_eq!(day.seen_usdt("w", SOON, json!({ "asset": "USDC" }))["outcome"], "applied");
    assert_eq!(day.confirmed_usdt("w", SOON), "applied");
    assert_eq!(day.purse(SOON)[0], made["amount_to_send"].as_str().unwrap());
    assert_eq!(day.wallet_deposit("w", SOON)["asset"], "USDC");
    assert_eq!(day.coins("usdc", "fx"), -day.coins("usdt", "fx"), "a pair at par");
}

#[test]
fn w59_without_its_trailing_decimals_it_is_under_review_until_an_operator_decides() {
    let (mut day, _) = requested();
    assert_eq!(day.seen_usdt("w", SOON, json!({ "amount": "100" }))["outcome"], "applied");
    assert_eq!(status(&mut day, SOON), "under_review");
    let clear = json!({ "outcome": "cleared" });
    assert_eq!(day.judged_usdt("w", SOON, clear.clone()), "set_aside", "not confirmed yet");
    assert_eq!(day.confirmed_usdt("w", SOON), "applied");
    assert_eq!(status(&mut day, SOON), "under_review", "a person decides, never the network");
    assert_eq!(day.judged_usdt("w", SOON, json!({ "outcome": "vanished" })), "set_aside");
    let more = json!({ "outcome": "cleared", "credited": "100.000001" });
    assert_eq!(day.judged_usdt("w", SOON, more), "set_aside", "more than arrived");
    assert_eq!(day.judged_usdt("w", SOON, clear.clone()), "applied");
    assert_eq!(day.purse(SOON)[0], "100.000000");
    assert_eq!(day.judged_usdt("w", SOON, clear), "known");
    assert_eq!(day.events().iter().filter(|event| is_credit(event)).count(), 1);
    assert_eq!((day.coins("usdt", "susp.crypto"), day.coins("usdt", "transit")), (0, 0));
}

#[test]
fn wal_20_a_late_transfer_is_never_credited_by_itself() {
    let (mut day, _) = requested();
    assert_eq!(status(&mut day, LATE), "expired");
    assert_eq!(day.seen_usdt("w", LATE, json!({}))["outcome"], "applied");
    assert_eq!(day.confirmed_usdt("w", LATE), "applied");
    assert_eq!(status(&mut day, LATE), "under_review");
    assert_eq!(day.purse(LATE)[0], "0.000000");
    assert_eq!(day.judged_usdt("w", LATE, json!({ "outcome": "returned" })), "applied");
    assert_eq!(status(&mut day, LATE), "reversed");
    assert_eq!(day.coins("usdt", "susp.crypto"), 0);
    assert_eq!(day.coins("usdt", "treas"), 0, "it came, and was sent back");
}

#[test]
fn wal_19_a_reorganisation_or_compliance_stops_the_credit() {
    for cause in ["reorg", "compliance"] {
        let (mut day, _) = requested();
        assert_eq!(day.seen_usdt("w", SOON, json!({ "asset": "usdc" }))["outcome"], "applied");
        let body = json!({
            "id": "d", "deposit_id": "$w.deposit_id", "tx_hash": "0xW", "cause": cause,
        });
        assert_eq!(day.report(SOON, "wallet.deposit.doubted", &body), "applied", "in either case");
        assert_eq!(status(&mut day, SOON), "under_review");
        assert_eq!(day.purse(SOON)[2], "0.000000");
        assert_eq!(day.judged_usdt("w", SOON, json!({ "outcome": "vanished" })), "applied");
        assert_eq!(status(&mut day, SOON), "reversed");
        for asset in ["usdt", "usdc"] {
            for account in ["transit", "susp.crypto", "fx", "wal.confirming"] {
                assert_eq!(day.coins(asset, account), 0, "{asset} in {account}");
            }
        }
        // It is there after all: its coins wait for a person again.
        assert_eq!(day.confirmed_usdt("w", SOON), "applied");
        assert_eq!(status(&mut day, SOON), "under_review");
    }
}

/// Returns what of USDT is seen and not confirmed, and waits for a person.
fn waits(day: &Day) -> [i128; 2] {
    ["transit", "susp.crypto"].map(|account| day.coins("usdt", account))
}

#[test]
fn coins_that_vanished_and_are_mined_again_are_booked_again() {
    // Rulings 1 and 8; WAL-19.
    for named in [json!({}), json!({ "deposit_id": null, "address": WALLET })] {
        let (mut day, _) = requested();
        let coins = |day: &mut Day| {
            let mut with = named.clone();
            with["amount"] = "100".into();
            day.seen_usdt("w", SOON, with)["outcome"].clone()
        };
        let first = day.seen_usdt("w", SOON, json!({ "amount": "100" }));
        assert_eq!(first["outcome"], "applied", "of its request, as the report says");
        assert_eq!(coins(&mut day), "known");
        for _ in 0..2 {
            assert_eq!(day.judged_usdt("w", SOON, json!({ "outcome": "vanished" })), "applied");
            assert_eq!((status(&mut day, SOON), waits(&day)), ("reversed".into(), [0, 0]));
            assert_eq!(coins(&mut day), "applied");
            assert_eq!(waits(&day), [-100_000_000, 100_000_000]);
            assert_eq!(coins(&mut day), "known", "an exact duplicate");
            assert_eq!(status(&mut day, SOON), "under_review");
        }
        assert_eq!(day.confirmed_usdt("w", SOON), "applied");
        assert_eq!(day.judged_usdt("w", SOON, json!({ "outcome": "cleared" })), "applied");
        assert_eq!((day.purse(SOON)[0].as_str(), waits(&day)), ("100.000000", [0, 0]));
    }
}

#[test]
fn coins_whose_credit_was_undone_and_that_are_mined_again_are_booked_again() {
    let mut day = Day::walleted(NOON);
    day.filled("w", NOON, "100");
    let body = judged(json!({ "id": "r", "deposit_id": "$w.deposit_id" }));
    assert_eq!(day.report(SOON, "wallet.deposit.reversed", &body), "applied");
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "applied");
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "known");
    assert_eq!(status(&mut day, SOON), "under_review");
    assert_eq!(day.purse(SOON)[0], "0.000000", "nobody has them yet");
    assert_eq!(day.confirmed_usdt("w", SOON), "applied");
    assert_eq!(day.judged_usdt("w", SOON, json!({ "outcome": "cleared" })), "applied");
    assert_eq!(waits(&day), [0, 0]);
}

#[test]
fn a_confirmation_in_full_of_coins_whose_credit_was_undone_books_them_again() {
    let mut day = Day::walleted(NOON);
    day.filled("w", NOON, "100");
    let body = judged(json!({ "id": "r", "deposit_id": "$w.deposit_id" }));
    assert_eq!(day.report(SOON, "wallet.deposit.reversed", &body), "applied");
    assert_eq!(day.confirmed_usdt("w", SOON), "known", "which may be what was reported before");
    let report = json!({
        "id": "c2", "deposit_id": "$w.deposit_id", "tx_hash": "0xw", "asset": "USDT",
        "network": "polygon", "amount": "$w.amount_to_send",
    });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "known");
    let [transit, suspense] = waits(&day);
    assert!(transit == 0 && 100_000_000 < suspense);
    assert_eq!(status(&mut day, SOON), "under_review");
}

#[test]
fn coins_that_nobody_asked_for_and_that_come_again_are_nobodys() {
    let mut day = Day::walleted(NOON);
    let seen = json!({ "tx_hash": "0x2", "asset": "USDT", "network": "polygon", "amount": "77" });
    assert_eq!(day.report_as("s", SOON, "wallet.deposit.seen", &seen)["outcome"], "set_aside");
    let report = json!({ "id": "c", "deposit_id": "$s.deposit_id", "tx_hash": "0x2" });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    let lojas = json!({ "outcome": "cleared", "account": "loja" });
    assert_eq!(day.judged_usdt("s", SOON, lojas), "applied");
    let body = judged(json!({ "id": "r", "deposit_id": "$s.deposit_id" }));
    assert_eq!(day.report(SOON, "wallet.deposit.reversed", &body), "applied");
    assert_eq!(status_of(&mut day, "s"), "reversed");
    assert_eq!(day.report(SOON, "wallet.deposit.seen", &seen), "applied");
    assert_eq!(status_of(&mut day, "s"), "none", "they may be another's");
}

fn status_of(day: &mut Day, label: &str) -> String {
    day.wallet_deposit(label, SOON)["status"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn what_comes_again_does_not_take_the_amount_from_another_request() {
    // INV-38: the same amount may be awaited anew by then.
    let (mut day, made) = requested();
    assert_eq!(day.seen_usdt("w", SOON, json!({ "amount": "7" }))["outcome"], "applied");
    assert_eq!(day.judged_usdt("w", SOON, json!({ "outcome": "vanished" })), "applied");
    assert_eq!(day.seen_usdt("w", SOON, json!({ "amount": "7" }))["outcome"], "applied");
    let report = json!({
        "address": WALLET, "tx_hash": "0xnew", "asset": "USDT", "network": "polygon",
        "amount": made["amount_to_send"],
    });
    let seen = day.report_as("", SOON, "wallet.deposit.seen", &report);
    assert_eq!(seen["outcome"], "set_aside", "nobody awaits it any more: {seen}");
}

#[test]
fn news_of_coins_that_names_the_wrong_request_books_them_and_the_right_one_finds_them() {
    let (mut day, _) = requested();
    day.filled("v", NOON, "50");
    // A request that has its coins already: these wait for a person.
    let wrong = json!({ "deposit_id": "$v.deposit_id", "tx_hash": "0xnew", "amount": "70" });
    assert_eq!(day.seen_usdt("w", SOON, wrong)["outcome"], "set_aside");
    assert_eq!(waits(&day), [-70_000_000, 70_000_000]);
    let right = json!({ "tx_hash": "0xnew", "amount": "70" });
    assert_eq!(day.seen_usdt("w", SOON, right)["outcome"], "known");
    // A confirmation reported in full finds whoever has the coins.
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "applied");
    let report = json!({
        "id": "c", "deposit_id": "$v.deposit_id", "tx_hash": "0xw", "asset": "USDT",
        "network": "polygon", "amount": "$w.amount_to_send",
    });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    assert_eq!(status(&mut day, SOON), "available");
}

#[test]
fn wal_55_a_deposit_reversed_after_it_was_credited_is_a_forced_debit() {
    let mut day = Day::walleted(NOON);
    day.filled("w", NOON, "100");
    let body = judged(json!({ "id": "r", "deposit_id": "$w.deposit_id" }));
    assert_eq!(day.report(SOON, "wallet.deposit.reversed", &body), "applied");
    assert_eq!(status(&mut day, SOON), "reversed");
    assert_eq!(day.purse(SOON)[0], "0.000000");
    let again = judged(json!({ "id": "r2", "deposit_id": "$w.deposit_id" }));
    assert_eq!(day.report(SOON, "wallet.deposit.reversed", &again), "known");
}

#[test]
fn a_confirmation_that_comes_first_implies_that_the_transfer_was_seen() {
    // Rulings 8.
    let (mut day, made) = requested();
    assert_eq!(day.confirmed_usdt("w", SOON), "set_aside", "nothing says what arrived");
    let report = json!({
        "id": "c", "deposit_id": "$w.deposit_id", "tx_hash": "0xw", "asset": "USDT",
        "network": "polygon", "amount": "$w.amount_to_send",
    });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    assert_eq!(day.purse(SOON)[0], made["amount_to_send"].as_str().unwrap());
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "known", "the skipped news");
}

#[test]
fn a_transfer_is_matched_by_its_address_and_amount() {
    let (mut day, made) = requested();
    assert_eq!(day.deposit_usdt("v", NOON, &json!({ "amount": "100" })).status, 201);
    let report = |amount: &str, hash: &str| {
        json!({ "address": WALLET, "tx_hash": hash, "asset": "USDT", "network": "polygon",
                "amount": amount })
    };
    let amount = made["amount_to_send"].as_str().unwrap();
    let seen = day.report_as("", SOON, "wallet.deposit.seen", &report(amount, "0x1"));
    assert_eq!(seen["deposit_id"], made["deposit_id"]);
    assert_eq!(status(&mut day, SOON), "confirming");
    // Two wait there: what fits neither is nobody's.
    let erroneous_delivery = day.report_as("s", SOON, "wallet.deposit.seen", &report("77", "0x2"));
    assert_eq!(erroneous_delivery["outcome"], "set_aside");
    assert_eq!(day.coins("usdt", "susp.crypto"), 77_000_000);
    let again = day.report_as("", SOON, "wallet.deposit.seen", &report("77", "0x2"));
    assert_eq!(
        (&again["outcome"], &again["deposit_id"]),
        (&json!("known"), &erroneous_delivery["deposit_id"])
    );
}

#[test]
fn wal_20_what_was_found_is_given_to_an_account_by_support() {
    let mut day = Day::walleted(NOON);
    let seen = json!({ "tx_hash": "0x2", "asset": "USDT", "network": "polygon", "amount": "77" });
    let found = day.report_as("s", SOON, "wallet.deposit.seen", &seen);
    assert_eq!(found["outcome"], "set_aside");
    let report = json!({ "id": "c", "deposit_id": "$s.deposit_id", "tx_hash": "0x2" });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
    let nobodys = json!({ "outcome": "cleared" });
    assert_eq!(day.judged_usdt("s", SOON, nobodys), "set_aside");
    let unknown = json!({ "outcome": "cleared", "account": "nobody" });
    assert_eq!(day.judged_usdt("s", SOON, unknown), "set_aside");
    let lojas = json!({ "outcome": "cleared", "account": "loja" });
    assert_eq!(day.judged_usdt("s", SOON, lojas), "applied");
    assert_eq!(day.purse(SOON)[0], "77.000000");
    let shown = day.wallet_deposit("s", SOON);
    assert_eq!(
        (&shown["origin"], &shown["status"]),
        (&json!("assigned_by_support"), &json!("available"))
    );
}

#[test]
fn wal_11_support_makes_a_request_for_a_client() {
    let mut day = Day::walleted(NOON);
    let body = judged(json!({
        "id": "a", "account": "loja", "amount": "1", "address": WALLET,
    }));
    let made = day.report_as("w", NOON, "wallet.deposit.assigned", &body);
    assert_eq!(made["outcome"], "applied", "below the minimum, which is for clients");
    let shown = day.wallet_deposit("w", NOON);
    assert_eq!(
        (&shown["origin"], &shown["status"]),
        (&json!("assigned_by_support"), &json!("waiting"))
    );
    let nobody = judged(json!({ "id": "b", "account": "x", "amount": "1", "address": WALLET }));
    assert_eq!(day.report(NOON, "wallet.deposit.assigned", &nobody), "set_aside");
}

#[test]
fn a_second_transfer_for_one_deposit_waits_for_a_person() {
    let (mut day, _) = requested();
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "applied");
    let second = day.seen_usdt("w", SOON, json!({ "tx_hash": "0xother" }));
    assert_eq!(second["outcome"], "set_aside");
    let third = day.seen_usdt("w", SOON, json!({ "tx_hash": "0xother", "output_index": 1 }));
    assert_eq!(third["outcome"], "set_aside", "another output of it is other money");
    assert_ne!(second["deposit_id"], third["deposit_id"]);
    assert_eq!(day.confirmed_usdt("w", SOON), "applied");
    // A confirmation that names the deposit finds what was put down under another name.
    let report = json!({ "id": "c2", "deposit_id": "$w.deposit_id", "tx_hash": "0xother",
                       "asset": "USDT", "network": "polygon", "amount": "$w.amount_to_send" });
    assert_eq!(day.report(SOON, "wallet.deposit.confirmed", &report), "applied");
}

#[test]
fn wal_25_the_hundred_latest_are_listed_latest_first() {
    let mut day = Day::walleted(NOON);
    assert_eq!(day.configure(NOON, json!({ "open_deposits_max": 200 })), "applied");
    let mut ids = Vec::new();
    for number in 0..103 {
        let made = day.deposit_usdt(&format!("n{number}"), NOON, &json!({ "amount": "100" }));
        ids.push(made.body["deposit_id"].clone());
    }
    let list = day.get(NOON, "/carteira-usdt/deposits");
    assert_eq!(fields(&list), ["items"]);
    let listed: Vec<Value> =
        list["items"].as_array().unwrap().iter().map(|item| item["deposit_id"].clone()).collect();
    ids.reverse();
    assert_eq!(listed, ids[..100]);
    assert_eq!(day.agree(NOON, serde_json::from_str(GRANTED).unwrap()), "applied");
}

#[test]
fn wal_10_when_every_ending_is_given_out_the_next_is_refused_for_seven_days() {
    let mut day = Day::walleted(NOON);
    assert_eq!(day.configure(NOON, json!({ "open_deposits_max": 10_000 })), "applied");
    let hundred = json!({ "amount": "100" });
    let first = day.deposit_usdt("w", NOON, &hundred).body["amount_to_send"].clone();
    let mut amounts = BTreeSet::from([first.to_string()]);
    day.in_haste(|day| {
        for _ in 1..9_999 {
            let made = day.deposit_usdt("n", NOON, &hundred);
            assert_eq!(made.status, 201, "{}", made.body);
            amounts.insert(made.body["amount_to_send"].to_string());
        }
    });
    assert_eq!(amounts.len(), 9_999, "every one of them, each once");
    assert_eq!(erro(&mut day, &hundred), is(409, "muitos_pedidos_abertos"));
    let support = judged(json!({
        "id": "a", "account": "loja", "amount": "100", "address": WALLET,
    }));
    assert_eq!(day.report(NOON, "wallet.deposit.assigned", &support), "set_aside");
    // One that is over keeps its amount for seven days, however it ended (rulings 68).
    assert_eq!(day.seen_usdt("w", SOON, json!({}))["outcome"], "applied");
    assert_eq!(day.confirmed_usdt("w", SOON), "applied");
    assert_eq!(erro(&mut day, &hundred), is(409, "muitos_pedidos_abertos"));
    assert_eq!(day.report("2026-11-27T12:59:59.999999Z", "time.passed", &json!({})), "applied");
    let kept = day.deposit_usdt("x", "2026-11-27T12:59:59.999999Z", &hundred);
    assert_eq!((kept.status, &kept.body["erro"]), (409, &json!("muitos_pedidos_abertos")));
    let next = day.deposit_usdt("v", "2026-11-27T13:00:00Z", &hundred);
    assert_eq!(next.status, 201, "{}", next.body);
    assert!(amounts.contains(&next.body["amount_to_send"].to_string()), "they are free again");
}

#[test]
fn wal_04_the_networks_shown_are_those_accepted_now() {
    let mut day = Day::walleted(NOON);
    let shown = |day: &mut Day| {
        let wallet = day.wallet(NOON);
        let networks = wallet["networks"].as_array().unwrap();
        networks.iter().map(|known| known["network"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(shown(&mut day), ["polygon", "tron"]);
    let only = json!({ "networks": [
        { "network": "tron", "name": "Tron", "assets": ["USDT"], "eta_minutes": 1 },
    ]});
    assert_eq!(day.configure(NOON, only), "applied");
    assert_eq!(shown(&mut day), ["tron"]);
    assert_eq!(day.wallet(NOON)["networks"][0]["eta_minutes"], 1);
    assert_eq!(erro(&mut day, &json!({ "amount": "100" })), is(400, "rede_indisponivel"));
}

#[test]
fn wal_10_requests_of_two_keys_at_one_address_differ() {
    let mut day = Day::walleted(NOON);
    let terms: Value = serde_json::from_str(GRANTED).unwrap();
    let line = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-2", "account": "feira", "terms": terms },
        "supplied": { "key": "svc_live_feira" },
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    assert_eq!(day.configure(NOON, json!({ "open_deposits_max": 10_000 })), "applied");
    let mut amounts = BTreeSet::new();
    for number in 0..200 {
        let key = if number % 2 == 0 { KEY } else { "svc_live_feira" };
        let line = json!({
            "at": NOON, "as": format!("n{number}"), "key": key,
            "request": "POST /carteira-usdt/deposits", "body": { "amount": "100" },
            "supplied": { "address": WALLET },
        });
        let made = day.line(&line.to_string());
        assert_eq!(made.status, 201, "{}", made.body);
        amounts.insert(made.body["amount_to_send"].as_str().unwrap().to_owned());
    }
    assert_eq!(amounts.len(), 200);
    // So what arrives is of the key that was shown this amount, whichever that is.
    let theirs = day.answer_to("n7")["amount_to_send"].clone();
    let seen = json!({
        "tx_hash": "0x7", "asset": "USDT", "network": "polygon", "amount": theirs, "address": WALLET,
    });
    assert_eq!(day.report(NOON, "wallet.deposit.seen", &seen), "applied");
    let wallet = day.get_with("svc_live_feira", NOON, "/carteira-usdt");
    assert_eq!(wallet["balance"]["confirming"], theirs);
    assert_eq!(day.purse(NOON)[2], "0.000000");
}
