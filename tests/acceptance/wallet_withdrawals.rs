//! Withdrawals from the USDT wallet to an external one (contract 2.6, 3.6; Part A14; rulings 38;
//! W63; INV-39). The contract shows no routes: they enter as commands (WDR-14).

use ledger_core::contract::{Response, TOPICS, topic};
use serde_json::{Value, json};

use crate::day::{Day, KEY, fields, judged};
use crate::market::{LIQUID, TON, TRON, WALLET};

const NOON: &str = "2026-11-20T12:00:00Z";
const SOON: &str = "2026-11-20T12:04:59.999999Z";
const LATE: &str = "2026-11-20T12:05:00Z";

impl Day {
    /// A command of `loja` with a label.
    pub fn command(&mut self, label: &str, at: &str, command: &str, body: &Value) -> Response {
        let mut line = json!({ "at": at, "key": KEY, "command": command, "body": body });
        if !label.is_empty() {
            line["as"] = label.into();
        }
        self.line(&line.to_string())
    }

    /// A quote of a withdrawal on Polygon, under `q` and the label.
    pub fn quote_withdrawal(&mut self, label: &str, at: &str, amount: &str, asset: &str) -> Value {
        let body = json!({ "amount": amount, "asset": asset, "address": WALLET });
        let made = self.command(&format!("q{label}"), at, "wallet.withdrawal.quote", &body);
        assert_eq!(made.status, 201, "{}", made.body);
        made.body.into()
    }

    /// A withdrawal with that quote; its `external_id` is the label.
    pub fn withdraw_usdt(&mut self, label: &str, at: &str, with: Value) -> Response {
        let mut body = json!({ "quote_id": format!("$q{label}.quote_id"), "external_id": label });
        body.as_object_mut().unwrap().extend(with.as_object().cloned().unwrap_or_default());
        self.command(label, at, "wallet.withdrawal.create", &body)
    }

    /// News of a withdrawal: the outcome.
    pub fn withdrawal_reports(
        &mut self,
        label: &str,
        at: &str,
        report: &str,
        with: Value,
    ) -> String {
        let mut body = json!({
            "id": self.outside_id(), "withdrawal_id": format!("${label}.withdrawal_id"),
        });
        body.as_object_mut().unwrap().extend(with.as_object().cloned().unwrap_or_default());
        if report == "evidence" {
            body["evidence"] = "log-1".into();
            body = judged(body);
        }
        self.report(at, &format!("wallet.withdrawal.{report}"), &body)
    }

    /// A withdrawal as it stands.
    pub fn withdrawn(&mut self, label: &str, at: &str) -> Value {
        let body = json!({ "withdrawal_id": format!("${label}.withdrawal_id") });
        let answer = self.command("", at, "wallet.withdrawal.get", &body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body.into()
    }
}

/// A hundred USDT, and a quote to withdraw fifty of them.
fn quoted(asset: &str) -> (Day, Value) {
    let mut day = Day::walleted(NOON);
    day.holding("h", NOON, "100");
    let quote = day.quote_withdrawal("w", NOON, "50", asset);
    (day, quote)
}

fn reserved(asset: &str) -> Day {
    let (mut day, _) = quoted(asset);
    let made = day.withdraw_usdt("w", NOON, json!({}));
    assert_eq!((made.status, &made.body["status"]), (201, &json!("reserved")), "{}", made.body);
    day
}

fn processing() -> Day {
    let mut day = reserved("USDT");
    assert_eq!(day.withdrawal_reports("w", NOON, "started", json!({})), "applied");
    assert_eq!(day.withdrawal_reports("w", NOON, "funded", json!({})), "applied");
    day
}

fn sent(received: &str) -> Value {
    json!({ "tx_hash": "0xe1", "received": received })
}

fn status(day: &mut Day) -> String {
    day.withdrawn("w", NOON)["status"].as_str().unwrap().to_owned()
}

fn purse(day: &mut Day) -> [String; 2] {
    let [available, reserved, _] = day.purse(NOON);
    [available, reserved]
}

fn is(answer: &Response, status: u16, code: &str) {
    assert_eq!((answer.status, &answer.body["erro"]), (status, &json!(code)), "{}", answer.body);
}

#[test]
fn wdr_01_to_05_and_w63_a_quote_has_these_fields_and_its_fees_are_deducted() {
    let (_, quote) = quoted("USDT");
    let expected = json!({
        "quote_id": quote["quote_id"], "funding_source": "crypto_usdt", "amount": "50.000000",
        "usdt_total": "50.000000", "asset": "USDT", "network": "polygon", "address": WALLET,
        "minimum_received": "49.650500", "amount_estimated": "49.900000", "expires_at": LATE,
        "sandbox": false, "network_fee": "0.100000", "conversion_fee_estimated": "0.000000",
        "fee_mode": "deducted",
        "note": "As taxas são descontadas do valor: chegam cerca de 49.900000 USDT, no mínimo \
                 49.650500.",
    });
    assert_eq!(quote, expected);
    assert_eq!(fields(&quote), fields(&expected));
    let id = quote["quote_id"].as_str().unwrap().strip_prefix("uq_").unwrap();
    let hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    assert!(id.len() == 24 && id.bytes().all(hex), "{id}");
}

#[test]
fn wdr_10_the_conversion_into_usdc_is_deducted_too() {
    let mut day = Day::walleted(NOON);
    assert_eq!(day.configure(NOON, json!({ "conversion_fee_bps": 10 })), "applied");
    let quote = day.quote_withdrawal("w", NOON, "50.000019", "USDC");
    assert_eq!(quote["conversion_fee_estimated"], "0.050000", "rounded down");
    assert_eq!(quote["amount_estimated"], "49.850019");
    assert_eq!(quote["minimum_received"], "49.600768", "the floor of 0.995 of it");
    assert_eq!(day.configure(NOON, json!({ "tolerance_bps": 100 })), "applied");
    let quote = day.quote_withdrawal("w", NOON, "50.000019", "USDC");
    assert_eq!(quote["minimum_received"], "49.351518", "a number of the settings");
}

#[test]
fn what_cannot_be_quoted_is_refused_by_name() {
    let mut day = Day::walleted(NOON);
    let before = day.digest();
    let ask = |day: &mut Day, with: Value| {
        let mut body = json!({ "amount": "50", "address": WALLET });
        body.as_object_mut().unwrap().extend(with.as_object().cloned().unwrap());
        day.command("x", NOON, "wallet.withdrawal.quote", &body)
    };
    is(&ask(&mut day, json!({ "amount": "0" })), 400, "valor_invalido");
    is(&ask(&mut day, json!({ "asset": "usdt" })), 400, "asset_invalido");
    is(&ask(&mut day, json!({ "funding_source": "saldo" })), 400, "funding_source_invalido");
    is(&ask(&mut day, json!({ "address": null })), 400, "campos_obrigatorios");
    is(&ask(&mut day, json!({ "network": "liquid" })), 400, "rede_indisponivel");
    is(&ask(&mut day, json!({ "network": "tron", "asset": "USDC" })), 400, "rede_indisponivel");
    is(&ask(&mut day, json!({ "address": "0x12345678" })), 400, "payout_address_invalido");
    let little = ask(&mut day, json!({ "amount": "0.1" }));
    is(&little, 400, "valor_abaixo_do_minimo");
    assert_eq!(little.body["min_usdt"], "0.100002", "of which 0.000001 must arrive");
    assert_eq!(day.digest(), before);
    assert_eq!(ask(&mut day, json!({ "amount": "0.100002" })).status, 201, "it passes (INV-43)");
    is(&ask(&mut day, json!({ "amount": "0.100001" })), 400, "valor_abaixo_do_minimo");
    assert_eq!(day.configure(NOON, json!({ "withdrawals_enabled": false })), "applied");
    is(&ask(&mut day, json!({})), 503, "saque_indisponivel");
}

#[test]
fn wdr_06_and_07_a_withdrawal_has_exactly_these_fields() {
    let (mut day, quote) = quoted("USDT");
    let made = day.withdraw_usdt("w", NOON, json!({})).body;
    let expected = json!({
        "withdrawal_id": made["withdrawal_id"], "external_id": "w",
        "quote_id": quote["quote_id"], "funding_source": "crypto_usdt", "amount": "50.000000",
        "asset": "USDT", "network": "polygon", "address": WALLET, "status": "reserved",
        "final": false, "sandbox": false, "network_name": "Polygon",
        "amount_estimated": "49.900000", "minimum_received": "49.650500",
        "amount_received": null, "network_fee": "0.100000", "usdt_reserved": "50.000000",
        "usdt_debited": null, "tx_hash": null, "created_at": NOON, "updated_at": NOON,
        "completed_at": null, "note": null,
    });
    assert_eq!(made, expected);
    assert_eq!(fields(&made), fields(&expected));
    assert!(made["withdrawal_id"].as_str().unwrap().starts_with("uw_"));
    assert_eq!(day.withdrawn("w", NOON), made);
    let list = day.command("", NOON, "wallet.withdrawal.list", &json!({}));
    assert_eq!(list.body, json!({ "items": [made] }));
    assert_eq!(purse(&mut day), ["50.000000", "50.000000"], "WDR-16");
}

#[test]
fn a_withdrawal_under_review_or_failed_says_in_its_note_where_the_money_stands() {
    let mut day = processing();
    assert_eq!(day.withdrawn("w", NOON)["note"], Value::Null);
    assert_eq!(day.withdrawal_reports("w", NOON, "unknown", json!({})), "applied");
    let reviewed = day.withdrawn("w", NOON);
    assert_eq!(reviewed["status"], "under_review");
    assert!(reviewed["note"].as_str().unwrap().contains("continua reservado"), "{reviewed}");
    let evidence = json!({ "outcome": "failed" });
    assert_eq!(day.withdrawal_reports("w", NOON, "evidence", evidence), "applied");
    let failed = day.withdrawn("w", NOON);
    assert_eq!(failed["status"], "failed");
    assert!(failed["note"].as_str().unwrap().contains("voltou ao saldo"), "{failed}");
}

#[test]
fn a_quote_says_in_its_note_what_is_taken_and_what_arrives_at_least() {
    let (_, quote) = quoted("USDT");
    let note = quote["note"].as_str().unwrap();
    assert!(note.contains("descontadas") && note.contains("49.900000 USDT"), "{note}");
    assert!(note.contains("no mínimo 49.650500"), "{note}");
}

#[test]
fn wdr_15_a_withdrawal_is_not_notified() {
    let mut day = processing();
    let sent = json!({ "tx_hash": "0xe1", "received": "49.9" });
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent), "applied");
    assert_eq!(day.withdrawn("w", NOON)["final"], true);
    let notified = day.new_events();
    assert!(notified.iter().all(|event| !event.contains("withdrawal")), "{notified:?}");
    assert!(TOPICS.into_iter().all(|known| !topic(known).contains("withdrawal")));
}

#[test]
fn wdr_12_a_second_creation_on_one_quote_is_prevented() {
    let mut day = reserved("USDT");
    let first = day.withdrawn("w", NOON);
    let before = day.digest();
    let again = day.withdraw_usdt("w", NOON, json!({}));
    assert_eq!((again.status, &*again.body), (200, &first), "the same id: the same answer");
    let other = day.withdraw_usdt("w", NOON, json!({ "external_id": "w-2" }));
    assert_eq!(other.status, 200);
    assert_eq!(other.body["withdrawal_id"], first["withdrawal_id"]);
    assert_eq!(other.body["external_id"], "w");
    assert_eq!(other.body["duplicate_prevented"], true);
    assert_eq!(other.body["requested_external_id"], "w-2");
    assert_eq!(day.digest(), before, "nothing is reserved twice");
    day.quote_withdrawal("v", NOON, "7", "USDT");
    let reused = json!({ "quote_id": "$qv.quote_id", "external_id": "w" });
    let diverged = day.command("x", NOON, "wallet.withdrawal.create", &reused);
    is(&diverged, 409, "external_id_divergente");
    assert_eq!(diverged.body["campos_divergentes"], json!(["quote_id"]));
    assert_eq!(day.configure(NOON, json!({ "withdrawals_enabled": false })), "applied");
    assert_eq!(day.withdraw_usdt("w", LATE, json!({})).body, first, "also when switched off since");
}

#[test]
fn wdr_13_a_quote_is_used_as_it_was_given_and_in_time() {
    let (mut day, _) = quoted("USDT");
    for with in [
        json!({ "amount": "50.000001" }),
        json!({ "asset": "USDC" }),
        json!({ "network": "tron" }),
        json!({ "address": "0x52908400098527886e0f7030069857d2e4169ee8" }),
    ] {
        let field = with.as_object().unwrap().keys().next().unwrap().clone();
        let refused = day.withdraw_usdt("w", NOON, with);
        is(&refused, 409, "cotacao_divergente");
        assert_eq!(refused.body["campos_divergentes"], json!([field]));
    }
    let unknown = json!({ "quote_id": "uq_000000000000000000000000", "external_id": "x" });
    let refused = day.command("x", NOON, "wallet.withdrawal.create", &unknown);
    is(&refused, 400, "cotacao_recusada");
    let same = json!({ "amount": "50", "asset": "USDT", "network": "polygon", "address": WALLET });
    assert_eq!(day.withdraw_usdt("w", SOON, same).status, 201, "the last instant");
    let mut day = quoted("USDT").0;
    is(&day.withdraw_usdt("w", LATE, json!({})), 409, "cotacao_expirada");
}

#[test]
fn the_wallet_must_hold_the_whole_amount() {
    let mut day = Day::walleted(NOON);
    day.holding("h", NOON, "49.999999");
    day.quote_withdrawal("w", NOON, "50", "USDT");
    let refused = day.withdraw_usdt("w", NOON, json!({}));
    is(&refused, 402, "saldo_insuficiente");
    assert_eq!(refused.body["available"], "49.999999");
    day.holding("i", NOON, "0.000001");
    assert_eq!(day.withdraw_usdt("w", NOON, json!({})).status, 201, "to the millionth");
    assert_eq!(purse(&mut day), ["0.000000", "50.000000"]);
}

#[test]
fn wal_55_while_the_wallet_is_below_zero_nothing_leaves_it() {
    let mut day = Day::walleted(NOON);
    day.holding("h", NOON, "50");
    day.quote_withdrawal("w", NOON, "40", "USDT");
    assert_eq!(day.withdraw_usdt("w", NOON, json!({})).status, 201);
    let body = judged(json!({ "id": "r", "deposit_id": "$h.deposit_id" }));
    assert_eq!(day.report(NOON, "wallet.deposit.reversed", &body), "applied");
    assert_eq!(purse(&mut day), ["-40.000000", "40.000000"]);
    day.quote_withdrawal("v", NOON, "1", "USDT");
    is(&day.withdraw_usdt("v", NOON, json!({})), 402, "saldo_insuficiente");
    day.holding("i", NOON, "41");
    assert_eq!(day.withdraw_usdt("v", NOON, json!({})).status, 201, "above zero again");
}

#[test]
fn w63_received_as_estimated_it_is_completed_and_debited_whole() {
    let mut day = processing();
    assert_eq!(status(&mut day), "processing");
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("49.9")), "applied");
    let done = day.withdrawn("w", NOON);
    assert_eq!((&done["status"], &done["final"]), (&json!("completed"), &json!(true)));
    assert_eq!(
        (&done["amount_received"], &done["usdt_debited"]),
        (&json!("49.900000"), &json!("50.000000"))
    );
    assert_eq!((&done["tx_hash"], &done["completed_at"]), (&json!("0xe1"), &json!(NOON)));
    assert_eq!(purse(&mut day), ["50.000000", "0.000000"]);
    assert_eq!((day.coins("usdt", "flight.wdr"), day.coins("usdt", "exp.gas")), (0, 100_000));
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("49.9")), "known");
    let other = json!({ "tx_hash": "0xe9", "received": "49.9" });
    assert_eq!(
        day.withdrawal_reports("w", NOON, "sent", other),
        "set_aside",
        "a claim on who got it"
    );
    assert_eq!(day.coins("usdt", "recv.prov"), -49_900_000);
    assert!(
        day.events()
            .iter()
            .all(|event| { !event["event"].as_str().unwrap().contains("withdrawal") }),
        "WDR-15"
    );
}

#[test]
fn what_is_left_of_the_reserve_goes_back_to_the_wallet() {
    let mut day = processing();
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("49.7")), "applied");
    let done = day.withdrawn("w", NOON);
    assert_eq!(
        (&done["usdt_reserved"], &done["usdt_debited"]),
        (&json!("50.000000"), &json!("49.800000"))
    );
    assert_eq!(purse(&mut day), ["50.200000", "0.000000"]);
}

#[test]
fn w63_less_than_the_minimum_waits_for_a_person() {
    let mut day = processing();
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("49.650499")), "applied");
    assert_eq!(status(&mut day), "under_review", "WDR-11");
    assert_eq!(purse(&mut day), ["50.000000", "0.000000"], "nothing moves");
    let still = json!({ "outcome": "completed", "tx_hash": "0xe2", "received": "49.650499" });
    assert_eq!(day.withdrawal_reports("w", NOON, "evidence", still), "set_aside", "INV-39");
    let failed = json!({ "outcome": "failed" });
    assert_eq!(
        day.withdrawal_reports("w", NOON, "evidence", failed),
        "set_aside",
        "something left"
    );
    let whole = json!({ "outcome": "completed", "tx_hash": "0xe2", "received": "49.9" });
    assert_eq!(day.withdrawal_reports("w", NOON, "evidence", whole), "applied");
    assert_eq!(status(&mut day), "completed");
}

#[test]
fn wdr_09_an_unknown_outcome_moves_by_evidence_only() {
    let mut day = processing();
    assert_eq!(day.withdrawal_reports("w", NOON, "unknown", json!({})), "applied");
    assert_eq!(status(&mut day), "under_review");
    let after = "2026-12-20T12:00:00Z";
    let line = json!({ "at": after, "fact": "time.passed" });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    assert_eq!(day.withdrawn("w", after)["status"], "under_review", "not by time");
    let resumed = json!({ "outcome": "resumed" });
    assert_eq!(day.withdrawal_reports("w", after, "evidence", resumed), "applied");
    assert_eq!(day.withdrawn("w", after)["status"], "processing");
    let failed = json!({ "outcome": "failed" });
    assert_eq!(day.withdrawal_reports("w", after, "evidence", failed), "applied");
    let done = day.withdrawn("w", after);
    assert_eq!((&done["status"], &done["final"]), (&json!("failed"), &json!(true)));
    assert_eq!(day.purse(after)[..2], ["100.000000", "0.000000"], "the full reserve (WDR-16)");
}

#[test]
fn a_withdrawal_in_usdc_is_converted_first() {
    let mut day = reserved("USDC");
    assert_eq!(
        day.withdrawal_reports("w", NOON, "funded", json!({})),
        "applied",
        "it implies started"
    );
    assert_eq!(status(&mut day), "converting");
    let obtained = json!({ "obtained": "49.98" });
    assert_eq!(day.withdrawal_reports("w", NOON, "converted", obtained.clone()), "applied");
    assert_eq!(day.withdrawal_reports("w", NOON, "converted", obtained), "known");
    assert_eq!(status(&mut day), "processing");
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("49.88")), "applied");
    assert_eq!(purse(&mut day), ["50.000000", "0.000000"]);
    assert_eq!((day.coins("usdc", "flight.wdr"), day.coins("usdc", "exp.gas")), (0, 100_000));
    let mut poor = reserved("USDC");
    let little = json!({ "obtained": "49.750499" });
    assert_eq!(poor.withdrawal_reports("w", NOON, "converted", little), "applied");
    assert_eq!(status(&mut poor), "under_review", "below the minimum and the network's fee");
    let failed = json!({ "outcome": "failed" });
    assert_eq!(poor.withdrawal_reports("w", NOON, "evidence", failed), "applied");
    assert_eq!(purse(&mut poor), ["100.000000", "0.000000"]);
}

#[test]
fn a_withdrawal_is_asked_of_the_world_once() {
    let day = reserved("USDT");
    let asked: Vec<_> = day
        .instructions()
        .iter()
        .filter(|asked| asked["instruction"] == "wallet.withdraw")
        .collect();
    assert_eq!(asked.len(), 1);
    assert_eq!((&asked[0]["address"], &asked[0]["amount"]), (&json!(WALLET), &json!("50.000000")));
    let key = asked[0]["idempotency_key"].as_str().unwrap();
    assert!(key.starts_with("uw_") && key.ends_with(":withdraw"), "{key}");
}

#[test]
fn withdrawals_are_their_accounts_own() {
    let mut day = reserved("USDT");
    let open = json!({
        "at": NOON, "fact": "account.opened", "environment": "live",
        "body": { "id": "acc-9", "account": "outra", "terms": { "carteira_usdt": true } },
        "supplied": { "key": "svc_live_outra" },
    });
    assert_eq!(day.line(&open.to_string()).status, 200);
    for (command, body, refused) in [
        (
            "wallet.withdrawal.get",
            json!({ "withdrawal_id": "$w.withdrawal_id" }),
            (404, "nao_encontrado"),
        ),
        (
            "wallet.withdrawal.create",
            json!({ "quote_id": "$qw.quote_id", "external_id": "z" }),
            (400, "cotacao_recusada"),
        ),
    ] {
        let line = json!({ "at": NOON, "key": "svc_live_outra", "command": command, "body": body });
        is(&day.line(&line.to_string()), refused.0, refused.1);
    }
}

fn stock(day: &Day) -> [i128; 2] {
    ["recv.prov", "treas"].map(|account| -day.coins("usdt", account))
}

#[test]
fn a_second_transaction_of_a_withdrawal_under_review_is_a_claim_until_it_makes_up_for_the_first() {
    // Rulings 1: something left twice, and a person finds out for what.
    let mut day = processing();
    let [_, before] = stock(&day);
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("40")), "applied");
    assert_eq!(status(&mut day), "under_review", "too little");
    let second = json!({ "tx_hash": "0xe2", "received": "9.9" });
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", second.clone()), "set_aside");
    assert_eq!(stock(&day), [9_900_000, before - 9_900_000]);
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", second), "known");
    let few = json!({ "outcome": "completed", "tx_hash": "0xe3", "received": "1" });
    assert_eq!(day.withdrawal_reports("w", NOON, "evidence", few), "set_aside");
    assert_eq!(stock(&day)[0], 10_900_000);
    assert_eq!(day.withdrawal_reports("w", NOON, "sent", sent("40")), "known");
    // All of it together is what arrived: the second transaction is no claim any more.
    let all = json!({ "outcome": "completed", "tx_hash": "0xe2", "received": "49.9" });
    assert_eq!(day.withdrawal_reports("w", NOON, "evidence", all), "applied");
    assert_eq!(status(&mut day), "completed");
    assert_eq!(stock(&day), [1_000_000, before - 49_900_000 - 1_000_000]);
}

#[test]
fn a_person_who_names_what_arrived_again_takes_it_for_all_that_will() {
    for lost in [false, true] {
        let mut day = processing();
        if lost {
            assert_eq!(day.withdrawal_reports("w", NOON, "unknown", json!({})), "applied");
        }
        let few = json!({ "outcome": "completed", "tx_hash": "0xe1", "received": "40" });
        assert_eq!(day.withdrawal_reports("w", NOON, "evidence", few.clone()), "applied");
        assert_eq!(status(&mut day), "under_review");
        let failed = json!({ "outcome": "failed" });
        assert_eq!(day.withdrawal_reports("w", NOON, "evidence", failed), "set_aside", "some left");
        assert_eq!(day.withdrawal_reports("w", NOON, "evidence", few.clone()), "applied");
        let done = day.withdrawn("w", NOON);
        assert_eq!(
            (&done["status"], &done["amount_received"]),
            (&json!("completed"), &json!("40.000000"))
        );
        assert_eq!(purse(&mut day), ["59.900000", "0.000000"], "the network's fee is gone");
        assert_eq!(day.coins("usdt", "flight.wdr"), 0);
        assert_eq!(day.withdrawal_reports("w", NOON, "evidence", few), "known");
    }
}

#[test]
fn wdr_05_nine_networks_are_withdrawn_to_and_no_other_whatever_is_configured() {
    const NETWORKS: [&str; 9] =
        ["polygon", "bsc", "tron", "eth", "arbitrum", "optimism", "base", "avalanche", "solana"];
    let address = |network: &str| match network {
        "tron" => TRON,
        "solana" => "So11111111111111111111111111111111111111112",
        "ton" => TON,
        "liquid" => LIQUID,
        _ => WALLET,
    };
    let others = ["liquid", "ton", "celo"];
    let all = NETWORKS.into_iter().chain(others);
    let mut day = Day::walleted(NOON);
    let pairs: Vec<Value> = all
        .clone()
        .map(|chain| {
            json!({ "asset": "usdt", "chain": chain, "minBuyAmount": "1", "etaSeconds": 60 })
        })
        .collect();
    let catalogue = json!({ "id": "wdr-05", "items": pairs });
    assert_eq!(day.report(NOON, "catalog.updated", &catalogue), "applied");
    let open: Vec<Value> =
        all.clone().map(|network| json!({ "network": network, "name": network })).collect();
    assert_eq!(day.configure(NOON, json!({ "networks": open })), "applied");
    let quoted = |day: &mut Day, network: &str| {
        let body = json!({ "amount": "50", "network": network, "address": address(network) });
        day.command("", NOON, "wallet.withdrawal.quote", &body)
    };
    for network in NETWORKS {
        let quote = quoted(&mut day, network);
        assert_eq!((quote.status, &quote.body["network"]), (201, &json!(network)), "{network}");
        is(&quoted(&mut day, &network.to_uppercase()), 400, "rede_indisponivel");
    }
    for network in others {
        is(&quoted(&mut day, network), 400, "rede_indisponivel");
    }
}

#[test]
fn wdr_08_and_09_of_seven_statuses_two_are_final() {
    let moved = |asset: &str, report: &[(&str, Value)]| {
        let mut day = reserved(asset);
        for (name, with) in report {
            assert_eq!(day.withdrawal_reports("w", NOON, name, with.clone()), "applied", "{name}");
        }
        let shown = day.withdrawn("w", NOON);
        assert_eq!(shown["usdt_reserved"], "50.000000");
        (shown["status"].as_str().unwrap().to_owned(), shown["final"].clone(), day.purse(NOON))
    };
    let none = || json!({});
    let converted = || json!({ "obtained": "49.95" });
    for (status, asset, report, last, purse) in [
        ("reserved", "USDC", vec![], false, ["50.000000", "50.000000"]),
        ("funding", "USDC", vec![("started", none())], false, ["50.000000", "50.000000"]),
        ("converting", "USDC", vec![("funded", none())], false, ["50.000000", "0.000000"]),
        (
            "processing",
            "USDC",
            vec![("funded", none()), ("converted", converted())],
            false,
            ["50.000000", "0.000000"],
        ),
        ("processing", "USDT", vec![("funded", none())], false, ["50.000000", "0.000000"]),
        ("under_review", "USDT", vec![("unknown", none())], false, ["50.000000", "50.000000"]),
        (
            "failed",
            "USDT",
            vec![("unknown", none()), ("evidence", json!({ "outcome": "failed" }))],
            true,
            ["100.000000", "0.000000"],
        ),
        (
            "completed",
            "USDT",
            vec![("funded", none()), ("sent", sent("49.9"))],
            true,
            ["50.000000", "0.000000"],
        ),
    ] {
        let (shown, is_last, [available, held, _]) = moved(asset, &report);
        assert_eq!((&*shown, is_last), (status, json!(last)), "{asset}");
        assert_eq!([available, held], purse, "{status}");
    }
}
