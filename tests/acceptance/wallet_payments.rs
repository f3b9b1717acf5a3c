//! A PIX paid from the USDT wallet: `POST /carteira-usdt/quote`, `POST` and `GET
//! /carteira-usdt/payments` (contract 2.5, 3.5, 4.5; Part A13; rulings 35; W60, W62; INV-37;
//! LIM-28).

use ledger_core::accounting::Control;
use ledger_core::contract::Response;
use serde_json::{Value, json};

use crate::day::{Day, KEY, fields, judged};
use crate::market::WALLET;
use crate::selling::{VOLUME, markets};

const NOON: &str = "2026-11-20T12:00:00Z";
const MAIL: &str = "ana@example.com";

impl Day {
    /// A wallet that can pay, with so much USDT in it: sales cost 35 basis points (W60).
    pub fn paying_with(at: &str, usdt: &str) -> Self {
        let mut day = Self::walleted(at);
        let id = day.outside_id();
        let body = json!({ "id": id, "items": markets() });
        assert_eq!(day.report(at, "markets.updated", &body), "applied");
        assert_eq!(day.agree(at, serde_json::from_str(VOLUME).unwrap()), "applied");
        day.holding("h", at, usdt);
        day
    }

    /// A payment of so many reais to a key; its `external_id` is its label.
    pub fn pay_from_wallet(&mut self, label: &str, at: &str, with: Value) -> Response {
        let mut body = json!({ "external_id": label });
        let map = body.as_object_mut().unwrap();
        map.extend(with.as_object().cloned().unwrap_or_default());
        let line = json!({
            "at": at, "as": label, "key": KEY, "request": "POST /carteira-usdt/payments",
            "body": body,
        });
        self.line(&line.to_string())
    }

    /// News of a labelled payment: the outcome.
    pub fn payment_reports(&mut self, label: &str, at: &str, report: &str, with: Value) -> String {
        let mut body = json!({ "payment_id": format!("${label}.payment_id") });
        if report != "paid" {
            body["id"] = self.outside_id().into();
        }
        let map = body.as_object_mut().unwrap();
        map.extend(with.as_object().cloned().unwrap_or_default());
        if report == "resolved" {
            body = judged(body);
        }
        self.report(at, &format!("wallet.payment.{report}"), &body)
    }

    /// A payment as it stands.
    pub fn payment(&mut self, label: &str, at: &str) -> Value {
        self.get(at, &format!("/carteira-usdt/payments/${label}.payment_id"))
    }
}

pub fn to_key(reais: &str) -> Value {
    json!({ "brl_amount": reais, "pix_key": MAIL })
}

/// R$ 100.00 to be paid out of a hundred USDT.
pub fn reserved() -> Day {
    let mut day = Day::paying_with(NOON, "100");
    let made = day.pay_from_wallet("p", NOON, to_key("100.00"));
    assert_eq!((made.status, &made.body["status"]), (201, &json!("reservado")), "{}", made.body);
    day
}

pub fn step(day: &mut Day, step: &str) -> String {
    let more = if step == "accepted" {
        json!({ "step": step, "address": WALLET })
    } else {
        json!({ "step": step })
    };
    day.payment_reports("p", NOON, "started", more)
}

pub fn sending() -> Day {
    let mut day = reserved();
    for (name, status) in
        [("order_created", "ordem_criada"), ("accepted", "aceita"), ("started", "sacando")]
    {
        assert_eq!(step(&mut day, name), "applied", "{name}");
        assert_eq!(stands(&mut day), status);
    }
    day
}

pub fn sent() -> Day {
    let mut day = sending();
    assert_eq!(day.payment_reports("p", NOON, "sent", json!({ "tx_hash": "0xf1" })), "applied");
    assert_eq!(stands(&mut day), "enviado");
    day
}

pub fn failed_after_send() -> Day {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied");
    assert_eq!(stands(&mut day), "falhou_apos_envio");
    day
}

pub fn stands(day: &mut Day) -> String {
    day.payment("p", NOON)["status"].as_str().unwrap().to_owned()
}

pub fn purse(day: &mut Day) -> [String; 2] {
    let [available, reserved, _] = day.purse(NOON);
    [available, reserved]
}

pub fn paid(e2e: &str) -> Value {
    json!({ "e2e": format!("E904008882026112012030012387{e2e}"), "receipt_url": "https://r.test/1" })
}

pub fn resolve(day: &mut Day, outcome: &str, more: Value) -> String {
    let mut body = more;
    body["outcome"] = outcome.into();
    day.payment_reports("p", NOON, "resolved", body)
}

fn is(answer: &Response, status: u16, code: &str) {
    assert_eq!((answer.status, &answer.body["erro"]), (status, &json!(code)), "{}", answer.body);
}

fn notified(day: &mut Day) -> Vec<String> {
    let mut events = day.new_events();
    events.retain(|event| event.starts_with("wallet.payment"));
    events
}

#[test]
fn w60_one_percent_more_than_the_quote_is_reserved() {
    let mut day = reserved();
    let payment = day.payment("p", NOON);
    assert_eq!(payment["usdt_reserved"], "19.057204", "the floor (INV-37)");
    assert_eq!(purse(&mut day), ["80.942796", "19.057204"]);
    let reserve_of = |usdt: &str, strict: bool| {
        let mut day = Day::paying_with(NOON, usdt);
        assert_eq!(day.configure(NOON, json!({ "strict_buffer": strict })), "applied");
        day.pay_from_wallet("p", NOON, to_key("100.00"))
    };
    let all = reserve_of("19.057203", false);
    assert_eq!((all.status, &all.body["usdt_reserved"]), (201, &json!("19.057203")));
    is(&reserve_of("19.057203", true), 409, "saldo_insuficiente");
    assert_eq!(reserve_of("19.057204", true).status, 201);
    assert_eq!(reserve_of("18.868519", false).status, 201);
    for strict in [false, true] {
        is(&reserve_of("18.868518", strict), 409, "saldo_insuficiente");
    }
}

#[test]
fn wal_26_and_27_a_payment_has_exactly_these_fields() {
    let mut day = Day::paying_with(NOON, "100");
    let made = day.pay_from_wallet("p", NOON, to_key("100.00")).body;
    let expected = json!({
        "payment_id": made["payment_id"], "external_id": "p", "status": "reservado",
        "final": false, "payment_method": "pix_key", "brl_amount": "100.00",
        "pix_key": made["pix_key"], "usdt_reserved": "19.057204", "usdt_debited": null,
        "usdt_order": null, "withdrawal_fee": "0.100000", "cashout_id": null, "error": null,
        "pix_e2e": null, "recipient_name": null, "recipient_document": null,
        "receipt_url": null, "created_at": NOON, "updated_at": NOON, "sandbox": false,
    });
    assert_eq!(made, expected);
    assert_eq!(fields(&made), fields(&expected));
    assert!(made["payment_id"].as_str().unwrap().starts_with("cu_"));
    assert_ne!(made["pix_key"], MAIL, "masked");
    assert_eq!(day.payment("p", NOON), made);
    assert_eq!(day.get(NOON, "/carteira-usdt/payments"), json!({ "items": [made] }), "WAL-25");
    let missing = json!({ "at": NOON, "key": KEY, "request": "GET /carteira-usdt/payments/cu_0" });
    is(&day.line(&missing.to_string()), 404, "nao_encontrado");
}

#[test]
fn wal_35_and_42_it_is_ordered_accepted_sent_and_paid_and_the_leftover_returns() {
    let mut day = sent();
    assert_eq!(purse(&mut day), ["80.942796", "19.057204"], "the reserve stays whole");
    assert_eq!(day.coins("usdt", "transit"), -18_768_519, "only own coins move");
    let order = day.payment("p", NOON)["cashout_id"].as_str().unwrap().to_owned();
    let sale = day.get(NOON, &format!("/cash-outs/{order}"));
    assert_eq!(
        (&sale["state"], &sale["amount"]),
        (&json!("DEPOSIT_DETECTED"), &json!("18.768519"))
    );
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
    assert_eq!(day.coins("usdt", "transit"), 0);
    assert_eq!(notified(&mut day), [""; 0]);
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("3190")), "applied");
    let done = day.payment("p", NOON);
    assert_eq!((&done["status"], &done["final"]), (&json!("concluido"), &json!(true)));
    assert_eq!(
        (&done["usdt_order"], &done["usdt_debited"]),
        (&json!("18.768519"), &json!("18.868519"))
    );
    assert_eq!(done["receipt_url"], "https://r.test/1", "WAL-28");
    assert!(done["pix_e2e"].as_str().unwrap().ends_with("3190"));
    assert_eq!(purse(&mut day), ["81.131481", "0.000000"], "less the cost alone");
    let sale = day.get(NOON, &format!("/cash-outs/{order}"));
    assert_eq!(
        (&sale["state"], &sale["pix_e2e"]),
        (&json!("COMPLETED"), &done["pix_e2e"]),
        "WAL-29"
    );
    assert_eq!(notified(&mut day), ["wallet.payment_completed"], "WAL-34");
    let earned = [Control::SaleIncome, Control::ReserveIncome, Control::SaleInFlight];
    assert_eq!(earned.map(|control| day.money(control)), [35, 100, 0]);
    assert_eq!(day.coins("usdt", "exp.gas"), 100_000);
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("3190")), "known");
}

#[test]
fn that_the_pix_was_paid_implies_that_what_funded_it_arrived() {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("3190")), "applied");
    assert_eq!((stands(&mut day).as_str(), day.coins("usdt", "transit")), ("concluido", 0));
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "known");
}

#[test]
fn wal_35_before_it_is_sent_a_failure_gives_the_reserve_back() {
    for steps in [&[][..], &["order_created"], &["accepted"], &["accepted", "started"]] {
        let mut day = reserved();
        for name in steps {
            assert_eq!(step(&mut day, name), "applied");
        }
        let error = json!({ "error": "pix_key_invalida" });
        assert_eq!(day.payment_reports("p", NOON, "failed", error), "applied", "{steps:?}");
        let done = day.payment("p", NOON);
        assert_eq!((&done["status"], &done["final"]), (&json!("falhou"), &json!(true)));
        assert_eq!(done["error"], "pix_key_invalida");
        assert_eq!(purse(&mut day), ["100.000000", "0.000000"], "WAL-32");
        assert_eq!(notified(&mut day), ["wallet.payment_failed"], "WAL-36");
        if let Some(order) = done["cashout_id"].as_str() {
            assert_eq!(day.get(NOON, &format!("/cash-outs/{order}"))["state"], "FAILED");
        }
    }
}

#[test]
fn wal_47_a_cost_above_the_reserve_fails_before_it_is_sent() {
    let mut day = reserved();
    assert_eq!(day.price(NOON, "usdt", "5.34"), "applied");
    assert_eq!(step(&mut day, "order_created"), "applied");
    let done = day.payment("p", NOON);
    assert_eq!((&done["status"], &done["error"]), (&json!("falhou"), &json!("cotacao_recusada")));
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
    let mut day = sent();
    let mut more = reserved();
    assert_eq!(step(&mut more, "accepted"), "applied");
    let dear = json!({ "tx_hash": "0xf1", "amount": "18.768526" });
    assert_eq!(more.payment_reports("p", NOON, "sent", dear), "applied");
    assert_eq!(stands(&mut more), "revisao");
    assert_eq!(more.coins("usdt", "exp.slippage"), -7, "ours to bear");
    let less = json!({ "tx_hash": "0xf9", "amount": "18.768518" });
    assert_eq!(day.payment_reports("p", NOON, "sent", less), "set_aside");
}

#[test]
fn w62_a_reserve_kept_after_the_send_is_returned_by_an_operator_once() {
    let mut day = failed_after_send();
    assert_eq!(notified(&mut day), ["wallet.payment_failed"], "WAL-36");
    assert_eq!(day.payment("p", NOON)["final"], true);
    assert_eq!(purse(&mut day), ["80.942796", "19.057204"], "not by itself");
    assert_eq!(resolve(&mut day, "return", json!({})), "applied");
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
    assert_eq!(stands(&mut day), "falhou_apos_envio", "its status stays (WAL-37)");
    for outcome in ["return", "consume_lost"] {
        assert_eq!(resolve(&mut day, outcome, json!({})), "set_aside", "once");
    }
    assert_eq!(day.payment_reports("p", NOON, "confirmed", json!({})), "applied");
    assert_eq!(day.coins("usdt", "transit"), 0, "the coins arrive, and their order ends");
    let order = day.payment("p", NOON)["cashout_id"].as_str().unwrap().to_owned();
    assert_eq!(day.get(NOON, &format!("/cash-outs/{order}"))["state"], "FAILED");
}

#[test]
fn w62_or_consumed_with_the_pix_paid_or_the_coins_lost() {
    let mut day = failed_after_send();
    assert_eq!(resolve(&mut day, "consume_paid", paid("3191")), "applied");
    assert_eq!(purse(&mut day), ["81.131481", "0.000000"], "+0.188685");
    assert_eq!(day.payment("p", NOON)["usdt_debited"], "18.868519");
    assert_eq!(day.money(Control::SaleIncome), 35);
    let mut day = failed_after_send();
    assert_eq!(resolve(&mut day, "consume_lost", json!({})), "applied");
    assert_eq!(purse(&mut day), ["81.131481", "0.000000"]);
    assert_eq!((day.coins("usdt", "transit"), day.coins("usdt", "exp.loss")), (0, 0));
    let mut day = failed_after_send();
    assert_eq!(resolve(&mut day, "return", json!({ "coins_lost": true })), "applied");
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
    assert_eq!((day.coins("usdt", "transit"), day.coins("usdt", "exp.loss")), (0, -18_768_519));
}

/// Returns what the record says of the reserve: what became of it, what was taken, what went back.
fn reserve(day: &mut Day) -> [Value; 3] {
    let shown = day.payment("p", NOON);
    ["reserve_status", "usdt_debited", "usdt_returned"].map(|name| shown[name].clone())
}

#[test]
fn an_adjudicated_payment_shows_what_became_of_its_reserve() {
    let mut day = failed_after_send();
    assert_eq!(reserve(&mut day), [json!("reservada"), Value::Null, Value::Null]);
    let returned = [json!("devolvida"), Value::Null, json!("19.057204")];
    let consumed = [json!("consumida"), json!("18.868519"), json!("0.188685")];
    assert_eq!(resolve(&mut day, "return", json!({})), "applied");
    assert_eq!(reserve(&mut day), returned);
    for (outcome, with) in [("consume_paid", paid("3191")), ("consume_lost", json!({}))] {
        let mut day = failed_after_send();
        assert_eq!(resolve(&mut day, outcome, with), "applied");
        assert_eq!(reserve(&mut day), consumed, "{outcome}");
        assert_eq!(stands(&mut day), "falhou_apos_envio", "its status stays (WAL-37)");
    }
    let mut day = failed_after_send();
    assert_eq!(resolve(&mut day, "return", json!({ "coins_lost": true })), "applied");
    assert_eq!(reserve(&mut day), returned);
}

#[test]
fn one_transaction_funds_one_payment_and_one_pix_pays_one() {
    let mut day = sent();
    assert_eq!(day.pay_from_wallet("q", NOON, to_key("10.00")).status, 201);
    let accepted = json!({ "step": "accepted", "address": WALLET });
    assert_eq!(day.payment_reports("q", NOON, "started", accepted), "applied");
    let funded = json!({ "tx_hash": "0xf1" });
    assert_eq!(day.payment_reports("q", NOON, "sent", funded), "set_aside", "it funded another");
    assert_eq!(day.payment_reports("q", NOON, "sent", json!({ "tx_hash": "0xf2" })), "applied");
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("3195")), "applied");
    assert_eq!(day.payment_reports("q", NOON, "paid", paid("3195")), "known", "it paid another");
    assert_eq!(day.payment_reports("q", NOON, "unknown", json!({})), "applied");
    let mut found = paid("3195");
    found["outcome"] = "paid".into();
    assert_eq!(day.payment_reports("q", NOON, "resolved", found), "set_aside");
}

#[test]
fn the_order_of_a_payment_moves_with_its_payment_only() {
    let mut day = sent();
    let order = day.payment("p", NOON)["cashout_id"].clone();
    let report = json!({ "cashout_id": order, "e2e": "E9040088820261120120300123873199" });
    let failed = json!({ "id": "x", "cashout_id": order });
    assert_eq!(day.report(NOON, "cashout.send_failed", &failed), "set_aside");
    let order = order.as_str().unwrap();
    let accept = json!({
        "at": NOON, "key": KEY, "request": format!("POST /cash-outs/{order}/accept"),
        "supplied": { "deposit_address": WALLET },
    });
    assert_eq!(day.line(&accept.to_string()).status, 409);
    assert_eq!(stands(&mut day), "enviado");
    assert_eq!(day.report(NOON, "cashout.paid", &report), "applied", "and so does the payment");
    assert_eq!(stands(&mut day), "concluido");
}

#[test]
fn wal_33_an_unknown_outcome_is_under_checking_until_evidence() {
    let mut day = sent();
    assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
    let shown = day.payment("p", NOON);
    assert_eq!((&shown["status"], &shown["final"]), (&json!("revisao"), &json!(false)));
    assert_eq!(purse(&mut day), ["80.942796", "19.057204"], "the reserve is kept");
    assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "set_aside", "evidence only");
    assert_eq!(resolve(&mut day, "paid", paid("3192")), "applied");
    assert_eq!(stands(&mut day), "concluido");
    let mut day = reserved();
    assert_eq!(step(&mut day, "accepted"), "applied");
    assert_eq!(step(&mut day, "started"), "applied");
    assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
    assert_eq!(resolve(&mut day, "sent", json!({ "tx_hash": "0xf7" })), "applied");
    assert_eq!(stands(&mut day), "enviado");
    assert_eq!(day.payment_reports("p", NOON, "paid", paid("3193")), "applied");
}

#[test]
fn wal_38_to_40_and_43_what_cannot_be_is_refused_by_name() {
    let mut day = Day::paying_with(NOON, "100");
    let before = day.digest();
    let ask = |day: &mut Day, body: Value| day.pay_from_wallet("x", NOON, body);
    is(&ask(&mut day, json!({ "brl_amount": "0", "pix_key": MAIL })), 400, "valor_invalido");
    is(&ask(&mut day, json!({ "brl_amount": 100, "pix_key": MAIL })), 400, "valor_invalido");
    is(&ask(&mut day, json!({ "pix_key": MAIL })), 400, "campos_obrigatorios");
    is(&ask(&mut day, json!({ "brl_amount": "10.00" })), 400, "pix_key_obrigatoria");
    let both = json!({ "br_code": "000201", "brl_amount": "10.00" });
    is(&ask(&mut day, both), 400, "campos_conflitantes");
    let both = json!({ "br_code": "000201", "pix_key": MAIL });
    is(&ask(&mut day, both), 400, "campos_conflitantes");
    is(&ask(&mut day, json!({ "br_code": "000201" })), 400, "br_code_invalido");
    let quoted = json!({ "brl_amount": "10.00", "pix_key": MAIL, "quote_id": "uq_0" });
    is(&ask(&mut day, quoted), 400, "campos_conflitantes");
    let mut other = to_key("10.00");
    other["funding_source"] = "saldo".into();
    is(&ask(&mut day, other), 400, "funding_source_invalido");
    let little = ask(&mut day, to_key("5.99"));
    is(&little, 400, "valor_abaixo_do_minimo");
    assert_eq!(little.body["minimo_estimado_cents"], 600, "LIM-28");
    assert_eq!(day.digest(), before, "a refusal changes nothing");
}

#[test]
fn wal_41_the_same_id_and_data_answer_with_the_payment_and_other_data_are_refused() {
    let mut day = reserved();
    let first = day.payment("p", NOON);
    let again = day.pay_from_wallet("p", NOON, to_key("100.00"));
    assert_eq!((again.status, &*again.body), (200, &first));
    let other = day.pay_from_wallet("p", NOON, to_key("100.01"));
    is(&other, 409, "external_id_divergente");
    assert_eq!(other.body["campos_divergentes"], json!(["brl_amount"]));
    assert_eq!(day.configure(NOON, json!({ "payments_enabled": false })), "applied");
    assert_eq!(day.pay_from_wallet("p", NOON, to_key("100.00")).status, 200);
}

#[test]
fn wal_51_payments_switched_off_leave_deposits_working() {
    for switch in [json!({ "payments_enabled": false }), json!({ "pix_key": false })] {
        let mut day = Day::paying_with(NOON, "100");
        assert_eq!(day.configure(NOON, switch), "applied");
        let refused = day.pay_from_wallet("p", NOON, to_key("100.00"));
        is(&refused, 503, "pagamentos_indisponiveis");
        assert_eq!(refused.body["acao"], "esperar");
        assert_eq!(day.deposit_usdt("w", NOON, &json!({ "amount": "5" })).status, 201);
    }
}

#[test]
fn wal_44_and_48_a_quote_is_an_estimate_that_reserves_nothing() {
    let mut day = Day::paying_with(NOON, "100");
    let quote = day.ask(NOON, "POST /carteira-usdt/quote", &json!({ "brl_amount": "100.00" }));
    let expected = json!({
        "quote_id": quote.body["quote_id"], "funding_source": "crypto_usdt",
        "payment_method": "pix_key", "brl_amount": "100.00", "usdt_order": "18.768519",
        "withdrawal_fee": "0.100000", "usdt_total": "18.868519",
        "expires_at": "2026-11-20T12:05:00Z", "sandbox": false,
    });
    assert_eq!((quote.status, &*quote.body), (200, &expected));
    assert_eq!(purse(&mut day), ["100.000000", "0.000000"]);
}

#[test]
fn wal_55_while_the_wallet_is_below_zero_nothing_is_paid() {
    let mut day = reserved();
    let body = judged(json!({ "id": "r", "deposit_id": "$h.deposit_id" }));
    assert_eq!(day.report(NOON, "wallet.deposit.reversed", &body), "applied");
    assert_eq!(purse(&mut day), ["-19.057204", "19.057204"]);
    is(&day.pay_from_wallet("q", NOON, to_key("6.00")), 409, "saldo_insuficiente");
}

#[test]
fn wal_25_the_hundred_latest_payments_are_listed_latest_first() {
    let mut day = Day::paying_with(NOON, "1000");
    let mut ids = Vec::new();
    for number in 0..103 {
        let made = day.pay_from_wallet(&format!("n{number}"), NOON, to_key("10.00"));
        assert_eq!(made.status, 201, "{}", made.body);
        ids.push(made.body["payment_id"].clone());
    }
    let list = day.get(NOON, "/carteira-usdt/payments");
    assert_eq!(fields(&list), ["items"]);
    let items = list["items"].as_array().unwrap();
    let listed: Vec<Value> = items.iter().map(|item| item["payment_id"].clone()).collect();
    ids.reverse();
    assert_eq!(listed, ids[..100]);
}

#[test]
fn wal_30_and_32_of_nine_statuses_three_are_final() {
    type Stage = (&'static str, bool, fn() -> Day);
    let stages: [Stage; 9] = [
        ("reservado", false, reserved),
        ("ordem_criada", false, || {
            let mut day = reserved();
            assert_eq!(step(&mut day, "order_created"), "applied");
            day
        }),
        ("aceita", false, || {
            let mut day = reserved();
            assert_eq!(step(&mut day, "accepted"), "applied");
            day
        }),
        ("sacando", false, sending),
        ("enviado", false, sent),
        ("revisao", false, || {
            let mut day = sent();
            assert_eq!(day.payment_reports("p", NOON, "unknown", json!({})), "applied");
            day
        }),
        ("concluido", true, || {
            let mut day = sent();
            assert_eq!(day.payment_reports("p", NOON, "paid", paid("4999")), "applied");
            day
        }),
        ("falhou", true, || {
            let mut day = reserved();
            assert_eq!(day.payment_reports("p", NOON, "failed", json!({})), "applied");
            day
        }),
        ("falhou_apos_envio", true, failed_after_send),
    ];
    for (status, last, reach) in stages {
        let shown = reach().payment("p", NOON);
        assert_eq!((&shown["status"], &shown["final"]), (&json!(status), &json!(last)));
        let absent = ["pix_e2e", "receipt_url"].map(|field| shown[field].is_null());
        assert_eq!(absent, [status != "concluido"; 2], "WAL-28: {status}");
    }
}

#[test]
fn wal_38_each_field_of_a_payment_is_what_the_contract_says() {
    let mut day = Day::paying_with(NOON, "1000");
    let ask = |day: &mut Day, label: &str, body: Value| day.pay_from_wallet(label, NOON, body);
    is(&ask(&mut day, &"x".repeat(65), to_key("10.00")), 400, "formato_invalido");
    assert_eq!(ask(&mut day, &"x".repeat(64), to_key("10.00")).status, 201);
    for (kind, key) in [
        ("cpf", "52998224725"),
        ("cnpj", "11222333000181"),
        ("phone", "11987654321"),
        ("email", "ana@exemplo.com.br"),
        ("random", "123e4567-e12b-12d1-a456-426655440000"),
    ] {
        let body = json!({ "brl_amount": "10.00", "pix_key": key, "pix_key_type": kind });
        let made = ask(&mut day, kind, body.clone());
        assert_eq!((made.status, &made.body["payment_method"]), (201, &json!("pix_key")), "{kind}");
        let mut other = body;
        other["pix_key_type"] = "evp".into();
        is(&ask(&mut day, "other", other), 400, "formato_invalido");
    }
    let eleven = json!({ "brl_amount": "10.00", "pix_key": "11987654321" });
    is(&ask(&mut day, "eleven", eleven), 400, "tipo_ambiguo");
    for code in ["000202", "00020126580014br.gov.bcb.pix", "x", ""] {
        let refused = ask(&mut day, "code", json!({ "br_code": code }));
        assert_eq!(refused.status, 400, "{code}: {}", refused.body);
    }
    let dollars = json!({ "brl_amount": "10.001", "pix_key": MAIL });
    is(&ask(&mut day, "cents", dollars), 400, "valor_invalido");
}

#[test]
fn wal_51_a_method_that_is_off_is_refused_and_the_other_is_not() {
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986540510.005802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";
    for (method, passes) in [("pix_key", 1), ("br_code", 0)] {
        let mut day = Day::paying_with(NOON, "100");
        assert_eq!(day.configure(NOON, json!({ method: false })), "applied");
        let methods = &day.wallet(NOON)["payment_methods"];
        assert_eq!(
            (&methods[method], day.wallet(NOON)["payments_enabled"].clone()),
            (&json!(false), json!(true))
        );
        let asked = [to_key("10.00"), json!({ "br_code": code })];
        for (number, body) in asked.into_iter().enumerate() {
            let answer = day.pay_from_wallet(&format!("p{number}"), NOON, body);
            if number == passes {
                assert_eq!(answer.status, 201, "{method}: {}", answer.body);
            } else {
                is(&answer, 503, "pagamentos_indisponiveis");
            }
        }
    }
}

#[test]
fn lim_28_the_least_deposit_and_the_least_payment_are_those_configured() {
    let mut day = Day::paying_with(NOON, "100");
    let other = json!({ "min_deposit": "7", "min_payment_brl": "8.00" });
    assert_eq!(day.configure(NOON, other), "applied");
    let wallet = day.wallet(NOON);
    let shown = (&wallet["min_deposit"], &wallet["min_payment_brl"]);
    assert_eq!(shown, (&json!("7.000000"), &json!("8.00")));
    let refused = day.deposit_usdt("a", NOON, &json!({ "amount": "6.999999" }));
    is(&refused, 400, "valor_abaixo_do_minimo");
    assert_eq!(refused.body["min_usdt"], "7.000000");
    assert_eq!(day.deposit_usdt("a", NOON, &json!({ "amount": "7" })).status, 201);
    let refused = day.pay_from_wallet("p", NOON, to_key("7.99"));
    is(&refused, 400, "valor_abaixo_do_minimo");
    assert_eq!(refused.body["minimo_estimado_cents"], 800);
    assert_eq!(day.pay_from_wallet("p", NOON, to_key("8.00")).status, 201);
}
