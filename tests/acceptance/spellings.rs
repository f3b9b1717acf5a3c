//! One thing has one spelling, whoever tells of it and however (rulings 64): what is reported of a
//! transaction in two of its spellings counts once.

use std::collections::BTreeSet;

use ledger_core::contract::FACTS;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, PAYER};
use crate::general::every_request;
use crate::market::WALLET;
use crate::selling::{
    self, STANDARD, VOLUME, accepted, arrival, deposited, merge, of_depix, to_mail,
};
use crate::shapes::{self, NOON};
use crate::wallet_payments::sending;

const DIGITS: &str = "5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";

/// Every way in which the watchers of this network write one transaction, the canonical first.
fn hashes(network: &str) -> Vec<String> {
    let upper = DIGITS.to_uppercase();
    let (plain, prefixed) = (
        [DIGITS.to_owned(), upper.clone()],
        [format!("0x{DIGITS}"), format!("0x{upper}"), format!("0X{upper}")],
    );
    match network {
        "polygon" => prefixed.into_iter().chain(plain).collect(),
        "tron" => plain.into_iter().chain(prefixed).collect(),
        "liquid" => plain.into(),
        other => panic!("{other} has no spellings here"),
    }
}

fn sale_on(network: &str) -> (Day, (&str, &str), &'static str) {
    let (asset, body) = match network {
        "polygon" => ("usdt", to_mail("100.00")),
        "tron" => ("usdt", json!({ "brl_amount": "100.00", "pix_key": "ana@exemplo.com.br" })),
        _ => ("depix", of_depix("100.00")),
    };
    let at = "2026-10-20T12:00:00Z";
    (accepted(STANDARD, (asset, network), body), (asset, network), at)
}

/// The PIX and the sales that were ordered.
fn ordered(day: &Day) -> Vec<Value> {
    let all = day.instructions().iter();
    all.filter(|it| it["instruction"] == "pix.send" || it["instruction"] == "crypto.sell")
        .cloned()
        .collect()
}

#[test]
fn a_deposit_told_in_two_spellings_is_paid_once() {
    for network in ["polygon", "tron", "liquid"] {
        let (mut alone, pair, at) = sale_on(network);
        let amount = alone.order("v", at)["amount"].as_str().unwrap().to_owned();
        let all = hashes(network);
        let tells = |day: &mut Day, fact: &str, hash: &str, more: Value| {
            let mut body = arrival(hash, pair, &amount);
            merge(&mut body, more);
            day.sale_reports("v", at, fact, body)
        };
        assert_eq!(tells(&mut alone, "deposit.confirmed", &all[0], json!({})), "applied");
        for first in &all {
            for second in &all {
                let (mut day, ..) = sale_on(network);
                let output = json!({ "output": 0 });
                assert_eq!(tells(&mut day, "deposit.seen", first, json!({})), "applied");
                let seen = tells(&mut day, "deposit.seen", second, output.clone());
                assert_eq!(seen, "known", "{first} {second}");
                assert_eq!(tells(&mut day, "deposit.confirmed", second, output), "applied");
                assert_eq!(tells(&mut day, "deposit.confirmed", first, json!({})), "known");
                let named = json!({ "tx_hash": second });
                assert_eq!(day.sale_reports("v", at, "deposit.confirmed", named), "known");
                assert_eq!(ordered(&day), ordered(&alone), "{first} {second}");
                let (one, other) = (day.order("v", at), alone.order("v", at));
                assert_eq!(one["amount_received"], other["amount_received"]);
                assert_eq!(one["brl_amount"], "100.00");
            }
        }
    }
}

#[test]
fn another_output_of_one_transaction_is_another_deposit() {
    let (mut day, pair, at) = sale_on("polygon");
    for output in [json!(null), json!(1), json!(2)] {
        let mut body = arrival(&hashes("polygon")[0], pair, "5");
        if !output.is_null() {
            body["output"] = output;
        }
        assert_eq!(day.sale_reports("v", at, "deposit.seen", body), "applied");
    }
}

#[test]
fn a_delivery_told_in_two_spellings_is_one() {
    for spelled in hashes("polygon") {
        let mut day = Day::trading(NOON, "{}");
        day.bought("c", NOON, 10_000);
        let tells = |day: &mut Day, hash: &str| {
            let body = json!({ "tx_hash": hash });
            day.delivery("$c.cashin_id", NOON, "sent", body)["outcome"].clone()
        };
        assert_eq!(tells(&mut day, &spelled), "applied");
        let stock = day.coins("usdt", "treas");
        for again in hashes("polygon") {
            assert_eq!(tells(&mut day, &again), "known", "{spelled} {again}");
        }
        assert_eq!((day.coins("usdt", "treas"), day.coins("usdt", "claim")), (stock, 0));
        assert_eq!(tells(&mut day, "0xother"), "set_aside", "another transaction is a second one");
    }
}

/// How much clients and the world were told: a record that keeps an id tells nobody.
fn told_of(day: &Day) -> (usize, usize) {
    (day.events().len(), day.instructions().len())
}

#[test]
fn a_refund_told_in_two_spellings_is_one() {
    for spelled in hashes("polygon") {
        let mut day = deposited(STANDARD, ("usdt", "polygon"), to_mail("100.00"));
        let at = "2026-10-20T12:00:00Z";
        assert_eq!(day.sale_reports("v", at, "cashout.pix_impossible", json!({})), "applied");
        let tells = |day: &mut Day, hash: &str| {
            day.sale_reports("v", at, "refund.sent", json!({ "tx_hash": hash }))
        };
        assert_eq!(tells(&mut day, &spelled), "applied");
        let once = told_of(&day);
        for again in hashes("polygon") {
            assert_eq!(tells(&mut day, &again), "known", "{spelled} {again}");
        }
        assert_eq!(told_of(&day), once);
    }
}

#[test]
fn a_withdrawal_told_in_two_spellings_is_one() {
    for spelled in hashes("polygon") {
        let mut day = shapes::ready("wallet.withdrawal.sent");
        let sent = |hash: &str| json!({ "tx_hash": hash, "received": "19.9" });
        assert_eq!(day.withdrawal_reports("x1", NOON, "sent", sent(&spelled)), "applied");
        let once = told_of(&day);
        for again in hashes("polygon") {
            let told = day.withdrawal_reports("x1", NOON, "sent", sent(&again));
            assert_eq!(told, "known", "{spelled} {again}");
        }
        assert_eq!(told_of(&day), once);
    }
}

#[test]
fn a_payment_from_the_wallet_told_in_two_spellings_is_one() {
    for spelled in hashes("polygon") {
        let mut day = sending();
        let sent = |hash: &str| json!({ "tx_hash": hash });
        assert_eq!(day.payment_reports("p", NOON, "sent", sent(&spelled)), "applied");
        let once = told_of(&day);
        for again in hashes("polygon") {
            let told = day.payment_reports("p", NOON, "sent", sent(&again));
            assert_eq!(told, "known", "{spelled} {again}");
        }
        assert_eq!(told_of(&day), once);
    }
}

#[test]
fn a_deposit_into_the_wallet_told_in_two_spellings_is_credited_once() {
    for spelled in hashes("polygon") {
        let mut day = Day::walleted(NOON);
        assert_eq!(day.deposit_usdt("w", NOON, &json!({ "amount": "100" })).status, 201);
        let told = |hash: &str| json!({ "tx_hash": hash, "output_index": 0 });
        assert_eq!(day.seen_usdt("w", NOON, told(&spelled))["outcome"], "applied");
        for again in hashes("polygon") {
            assert_eq!(day.seen_usdt("w", NOON, json!({ "tx_hash": again }))["outcome"], "known");
        }
        let body = |day: &mut Day, hash: &str| json!({ "id": day.outside_id(), "deposit_id": "$w.deposit_id", "tx_hash": hash });
        let confirmed = body(&mut day, DIGITS);
        assert_eq!(day.report(NOON, "wallet.deposit.confirmed", &confirmed), "applied");
        let purse = day.purse(NOON);
        for again in hashes("polygon") {
            let confirmed = body(&mut day, &again);
            assert_eq!(day.report(NOON, "wallet.deposit.confirmed", &confirmed), "known");
        }
        assert_eq!(day.purse(NOON), purse);
    }
}

/// The wallet of every test, as people copy it.
const CHECKSUMMED: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[test]
fn a_deposit_told_by_its_checksummed_address_finds_its_request() {
    let mut day = Day::walleted(NOON);
    assert_eq!(day.deposit_usdt("w", NOON, &json!({ "amount": "100" })).status, 201);
    let body = json!({
        "address": CHECKSUMMED, "tx_hash": hashes("polygon")[0], "asset": "USDT",
        "network": "polygon", "amount": "$w.amount_to_send",
    });
    assert_eq!(day.report(NOON, "wallet.deposit.seen", &body), "applied");
    assert_eq!(day.wallet_deposit("w", NOON)["status"], "confirming");
}

#[test]
fn a_wallet_named_in_another_spelling_is_the_same_request() {
    let mut day = Day::trading(NOON, "{}");
    let mut ids = BTreeSet::new();
    for wallet in [WALLET, CHECKSUMMED] {
        let mut body = crate::market::purchase(10_000);
        body["payout_address"] = wallet.into();
        let made = day.ask_as("c", NOON, "POST /cashin/charge", body);
        assert_eq!(made.status, 200, "{}", made.body);
        ids.insert(made.body["cashin_id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ids.len(), 1);
}

#[test]
fn a_refund_of_another_network_is_decided_again_by_its_own_spelling_also_when_it_was_sent() {
    const TRON: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
    let mut day = Day::selling(NOON, VOLUME);
    day.sold("v", NOON, "100.00");
    day.accept("v", NOON);
    let deposit = arrival("0xd", ("usdt", "tron"), "18.768519");
    assert_eq!(day.sale_reports("v", NOON, "deposit.confirmed", deposit), "applied");
    let decides = |day: &mut Day, wallet: &str| {
        day.judge("v", NOON, "refund.decided", json!({ "refund_address": wallet }))
    };
    assert_eq!(decides(&mut day, TRON), "applied");
    let sent = json!({ "tx_hash": "0xr" });
    assert_eq!(day.sale_reports("v", NOON, "refund.sent", sent), "applied");
    assert_eq!(decides(&mut day, TRON), "known");
    assert_eq!(decides(&mut day, WALLET), "set_aside", "it is no wallet of tron's");
}

/// The example of a fact about this transaction, under another id of the reporter's.
fn example(name: &str, hash: &str, id: &str) -> String {
    let shape = FACTS.iter().find(|shape| shape.name == name).unwrap();
    let mut line: Value = serde_json::from_str(shape.example).unwrap();
    line["at"] = NOON.into();
    line["body"]["tx_hash"] = hash.into();
    if line["body"].get("id").is_some() {
        line["body"]["id"] = id.into();
    }
    line.to_string()
}

/// A day on which the example of the fact is news of this transaction: what an example finds seen
/// already is seen first.
fn on_the_way(name: &str, hash: &str) -> Day {
    let (about, step) = name.rsplit_once('.').unwrap();
    let seen = format!("{about}.seen");
    if step == "seen" || !FACTS.iter().any(|shape| shape.name == seen) {
        return shapes::ready(name);
    }
    let mut day = shapes::ready(&seen);
    if about == "wallet.deposit" {
        let exactly = json!({ "tx_hash": hash });
        assert_eq!(day.seen_usdt("w1", NOON, exactly)["outcome"], "applied");
        return day;
    }
    assert_eq!(day.line(&example(&seen, hash, "first")).body["outcome"], "applied");
    day
}

#[test]
fn every_fact_that_names_a_transaction_knows_it_in_every_spelling() {
    let told = |day: &mut Day, name: &str, hash: &str, id: &str| {
        day.line(&example(name, hash, id)).body["outcome"].clone()
    };
    let mut facts = 0;
    for shape in FACTS {
        let line: Value = serde_json::from_str(shape.example).unwrap();
        if shape.field("tx_hash").is_none() || line["body"].get("tx_hash").is_none() {
            continue;
        }
        facts += 1;
        let all = hashes("polygon");
        let plain = all[0].as_str();
        for (first, second) in all.iter().flat_map(|it| [(plain, it.as_str()), (it, plain)]) {
            let mut day = on_the_way(shape.name, plain);
            assert_eq!(told(&mut day, shape.name, first, "a"), "applied", "{} {first}", shape.name);
            let once = told_of(&day);
            let again = told(&mut day, shape.name, second, "b");
            assert_eq!(again, "known", "{}: {first} {second}", shape.name);
            assert_eq!(told_of(&day), once, "{}: {first} {second}", shape.name);
        }
    }
    assert!(facts >= 10, "the declarations name transactions in {facts} facts");
}

#[test]
fn a_repeat_in_another_spelling_differs_in_nothing() {
    for shape in FACTS.iter().filter(|shape| shape.field("tx_hash").is_some()) {
        let named: Value = serde_json::from_str(shape.example).unwrap();
        let [first, others @ ..] = &hashes("polygon")[..] else { panic!("there are several") };
        if named["body"].get("tx_hash").is_none() {
            continue;
        }
        for second in others {
            let mut day = on_the_way(shape.name, first);
            let applied = day.line(&example(shape.name, first, "a")).body;
            assert_eq!(applied["outcome"], "applied", "{}", shape.name);
            let again = day.line(&example(shape.name, second, "a")).body;
            assert_eq!(again["outcome"], "known", "{}: {second}", shape.name);
            assert_eq!(again["campos_divergentes"], Value::Null, "{}: {second}", shape.name);
        }
    }
}

#[test]
fn an_id_a_hash_or_an_address_in_other_characters_is_refused_and_leaves_nothing() {
    for shape in FACTS {
        let named: Value = serde_json::from_str(shape.example).unwrap();
        for field in
            ["tx_hash", "address", "refund_address", "settlement_address", "e2e", "return_id"]
        {
            let Some(text) = named["body"][field].as_str().filter(|text| text.len() > 2) else {
                continue;
            };
            let (first, rest) = text.split_at(2);
            for other in [
                format!("{text} "),
                format!(" {text}"),
                format!("{text}\u{200b}"),
                format!("{first} {rest}"),
                format!("{first}\u{ff11}{rest}"),
            ] {
                let mut day = shapes::ready(shape.name);
                let (mut line, before) = (named.clone(), day.digest());
                (line["body"][field], line["at"]) = (other.into(), NOON.into());
                let answer = day.line(&line.to_string());
                assert_eq!(answer.status, 400, "{line}: {}", answer.body);
                assert!(answer.body["detail"].as_str().unwrap().contains(field), "{}", answer.body);
                assert_eq!(day.digest(), before, "{line}");
            }
        }
    }
}

/// Every other spelling of what a field of a request names, by its own form: a wallet of Ethereum
/// and its kin, or an e-mail. A document is digits alone.
fn spellings_of(value: &str) -> Vec<String> {
    match value {
        WALLET => vec![CHECKSUMMED.into(), format!("0x{}", WALLET[2..].to_uppercase())],
        mail if mail.contains('@') => vec![mail.to_uppercase()],
        _ => Vec::new(),
    }
}

#[test]
fn every_request_that_is_repeated_in_another_spelling_is_the_same_request() {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 40_000);
    let opened = json!({ "id": "m-1", "items": selling::markets() });
    assert_eq!(day.report(NOON, "markets.updated", &opened), "applied");
    let mut tried = BTreeSet::new();
    let sale = json!({ "asset": "usdt", "network": "polygon", "brl_amount": "50.00",
        "pix_key": "ana@exemplo.com.br", "payee_tax_number": PAYER, "refund_address": WALLET });
    let requests = every_request().into_iter().chain([("POST /cash-outs", sale)]);
    for (number, (request, mut body)) in requests.enumerate() {
        body["external_id"] = format!("s-{number}").into();
        let first = day.ask(NOON, request, &body);
        assert_eq!(first.status, 200, "{request}: {}", first.body);
        let once = day.digest();
        for (field, value) in body.as_object().unwrap() {
            for spelled in value.as_str().map(spellings_of).unwrap_or_default() {
                let mut again = body.clone();
                again[field] = spelled.as_str().into();
                let repeated = day.ask(NOON, request, &again);
                assert_eq!(repeated, first, "{request} {field} {spelled}");
                assert_eq!(day.digest(), once, "{request} {field} {spelled}");
                tried.insert((request, field.clone()));
            }
        }
    }
    assert!(tried.len() >= 5, "{tried:?}");
}
