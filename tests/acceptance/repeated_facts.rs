//! Every field of every fact: a repeat that says something else than the first time is known, and
//! names the field (rulings 54).

use std::collections::BTreeSet;

use ledger_core::contract::{FACTS, FactShape, Field, FieldType, Need};
use serde_json::{Value, json};

use crate::day::Day;
use crate::selling::merge;
use crate::shapes::{NOON, ready};

/// Fields by which a fact is known, and those that another person may fill anew.
const NOT_COMPARED: [&str; 3] = ["id", "actor", "reason"];

/// Facts, each with some of its fields.
type FieldsOfFacts = &'static [(&'static str, &'static [&'static str])];

/// Fields of which a known repeat may say something else in silence, each list with its reason.
const UNTOLD: &[(&str, FieldsOfFacts)] = &[
    ("the terms of the example retain nothing already", &[("terms.adopted", &["sem_retencao"])]),
    ("not read beside reais", &[("treasury.moved", &["chain", "amount"])]),
    (
        "read with another outcome, which is named",
        &[
            ("payout.evidence", &["e2e"]),
            ("delivery.evidence", &["tx_hash"]),
            ("delivery.given_up", &["return_id"]),
            ("wallet.withdrawal.evidence", &["tx_hash", "received", "network_fee"]),
            ("wallet.payment.resolved", &["tx_hash", "e2e", "paid_at", "receipt_url"]),
        ],
    ),
    (
        "an event of a delivery or refund does not number its attempt",
        &[
            ("delivery.started", &["attempt"]),
            ("delivery.accepted", &["attempt"]),
            ("delivery.sent", &["attempt"]),
            ("delivery.failed", &["attempt"]),
            ("delivery.unknown", &["attempt"]),
            ("refund.failed", &["attempt"]),
        ],
    ),
    (
        "recorded where they bring the news of the payment, or of the transfer",
        &[
            ("delivery.sent", &["e2e", "amount_cents", "paid_at"]),
            ("wallet.deposit.confirmed", &["asset", "network", "amount"]),
        ],
    ),
    (
        "known by its transaction: what confirms or ends it does not say them",
        &[("deposit.confirmed", &["from", "seen_at"]), ("deposit.vanished", &["cashout_id"])],
    ),
    (
        "recorded where the key was what stopped the payment",
        &[("cashout.cleared", &["pix_key", "pix_key_type"])],
    ),
    ("tells which deposit it is, and leaves no trace", &[("wallet.deposit.seen", &["address"])]),
];

/// The fields of such lists.
fn fields_of(lists: &[(&str, FieldsOfFacts)]) -> BTreeSet<(&'static str, &'static str)> {
    let facts = lists.iter().flat_map(|(_, facts)| *facts);
    facts.flat_map(|(fact, fields)| fields.iter().map(|field| (*fact, *field))).collect()
}

/// Other values of fields that hold several, and of those whose range is their own.
#[rustfmt::skip] // A row for each.
fn special(fact: &str, field: &str) -> Option<Value> {
    Some(match (fact, field) {
        ("account.opened", "terms") => json!({ "terms": { "saque_fee_bps": 1 } }),
        ("treasury.moved", "from") => json!({ "from": "prov.pix" }),
        ("treasury.moved", "to") => json!({ "to": "recv.prov" }),
        ("treasury.moved", "asset") => json!({ "asset": "usdt", "amount": "2", "to": "exp.gas" }),
        ("catalog.updated", "items") => json!({ "items": [{
            "asset": "usdt", "chain": "polygon", "rail": "instant", "minBuyAmount": "6",
        }] }),
        ("catalog.updated", "dropped") => json!({ "dropped": [{ "asset": "usdt", "chain": "ton" }] }),
        ("catalog.updated", "networks") => json!({ "networks": [{
            "chain": "polygon", "tx_url": "https://another.example/{tx}",
        }] }),
        ("markets.updated", "items") => json!({ "items": [{
            "asset": "usdt", "network": "polygon", "path": "FAST", "eta_minutes": 9,
        }] }),
        ("markets.updated", "dropped") => json!({ "dropped": [{ "asset": "usdt", "network": "ton" }] }),
        ("wallet.configured", "networks") => json!({ "networks": [{
            "network": "polygon", "name": "Another", "assets": ["USDT"],
        }] }),
        ("entry.posted" | "entry.reversed", "legs") => json!({ "legs": [
            { "name": "cust.avail", "of": { "account": "loja", "customer_ref": "ana" }, "debit_cents": 700 },
            { "name": "taxas.disputa", "credit_cents": 700 },
        ] }),
        ("product_account.declared", "unit") => json!({ "unit": { "name": "pontos", "decimals": 0 } }),
        ("balance.opened", "of") => json!({ "of": { "account": "loja", "customer_ref": "bia" } }),
        ("reservation.captured", "to") => json!({ "to": { "name": "prov.pay" } }),
        ("template.adopted", "amounts") => json!({ "amounts": [
            { "name": "valor", "from": 100, "to": 10_000_000 },
            { "name": "taxa_bps", "from": 0, "to": 900 },
        ] }),
        ("template.adopted", "holders") => json!({ "holders": ["comprador", "vendedor", "outro"] }),
        ("template.adopted", "legs") => json!({ "legs": [
            { "name": "cust.avail", "of": "comprador", "debit": "valor" },
            { "name": "taxas.venda", "credit": "min(half_even(valor * taxa_bps / 10000), 5)" },
            { "name": "cust.avail", "of": "vendedor", "credit": "rest" },
        ] }),
        ("template.adopted", "conditions") => json!({ "conditions": ["valor >= 200"] }),
        ("template.posted", "amounts") => json!({ "amounts": [
            { "name": "valor", "value": 20_000 }, { "name": "taxa_bps", "value": 250 },
        ] }),
        ("template.posted", "holders") => json!({ "holders": [
            { "name": "comprador", "account": "loja", "customer_ref": "bia" },
            { "name": "vendedor", "account": "loja", "customer_ref": "ana" },
        ] }),
        ("statement.received", "totals") => json!({ "totals": [{ "name": "another" }] }),
        ("day.closed", "accounts") => json!({ "accounts": [{ "name": "prov.pay", "debits": "1.00" }] }),
        ("day.closed", "statements") => json!({ "statements": [{ "sha256": "ab".repeat(32) }] }),
        ("day.closed", "open") => json!({ "open": [{ "reason": "hold", "count": "3" }] }),
        ("agent.activated", "capabilities") => json!({ "capabilities": ["pix_to_brl"] }),
        ("agent.activated", "contrapartes") => json!({ "contrapartes": ["11144477735"] }),
        ("account.arriving", "persons") => json!({ "persons": [{ "sort": "name", "value": "Ada" }] }),
        (_, "metadata") => json!({ "metadata": { "case": "another" } }),
        ("balance.carried", "commission") => json!({ "commission": true, "customer_ref": null }),
        ("policy.adopted", "ladder_held_max_cents") => json!({ "ladder_held_max_cents": 700_000 }),
        ("terms.adopted", "saque_taxa_provedor_tipo") => json!({
            "saque_taxa_provedor_tipo": "desconhecido", "saque_taxa_estimada_cents": null,
        }),
        ("payout.evidence", "outcome") => json!({ "e2e": "E9040088820261120120300999999999" }),
        ("delivery.evidence", "outcome") => json!({ "tx_hash": "0xanother" }),
        ("wallet.withdrawal.evidence", "outcome") => json!({ "tx_hash": "0xanother", "received": "19.8" }),
        ("cashout.cleared", "pix_key_type") => json!({ "pix_key": "bia@example.com" }),
        ("delivery.given_up", "to") => json!({
            "to": "pagador", "return_id": "D9040088820261122090000999999999",
        }),
        ("sale.filled", "amount_cents") => json!({
            "amount_cents": 4_321, "asset": null, "network": null, "amount": null,
        }),
        ("provider.released" | "delivery.sent", "e2e" | "amount_cents" | "paid_at") => json!({
            "e2e": "E9040088820261120120300999999999", "amount_cents": 4_321,
            "paid_at": "2026-11-20T11:00:00Z",
        }),
        ("deposit.confirmed" | "wallet.deposit.confirmed", "asset" | "network" | "amount") => json!({
            "asset": "usdc", "network": "arbitrum", "amount": "7.25",
        }),
        ("refund.decided", "refund_address") => json!({
            "refund_address": "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
        }),
        ("account.moved", "step") => json!({ "step": "staying" }),
        ("recovery.decided", "outcome") => json!({ "outcome": "rejected", "amount_cents": null }),
        _ => return None,
    })
}

/// Every word that a field may hold in some fact.
const WORDS: &[&str] = &[
    "paid",
    "not_paid",
    "sent",
    "not_sent",
    "recovered",
    "lost",
    "cleared",
    "returned",
    "vanished",
    "failed",
    "resumed",
    "completed",
    "return",
    "consume_lost",
    "blocked",
    "judicial",
    "payout",
    "expense",
    "chain",
    "compliance",
    "pix_key_invalida",
    "proximo_dia",
    "imediata",
    "fixo",
    "order_created",
    "email",
    "card",
];

/// Texts of which a field takes the first that fits it.
fn texts() -> Vec<Value> {
    let hash = "ab".repeat(32);
    let texts = [
        "another",
        "https://another.example",
        "11144477735",
        "2026-11-18",
        "arbitrum",
        "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
        "bia@example.com",
        "ag_0000000000030123456789abcdef",
        "usdc",
        "taxas.outra",
        &hash,
    ];
    texts.map(Value::from).to_vec()
}

/// Bodies that say something else in this field, of which the reader may refuse some.
fn others(shape: &FactShape, field: &Field, body: &Value) -> Vec<Value> {
    let values: Vec<Value> = match field.holds {
        FieldType::Text(_) | FieldType::Reference(_) => texts(),
        FieldType::Word(_) => WORDS.iter().copied().map(Value::from).collect(),
        FieldType::Operation => {
            ["$c1.cashin_id", "$p1.cashin_id", "none of ours"].map(Value::from).to_vec()
        }
        FieldType::Pix => ["E9040088820261120120300999999999", "D9040088820261122090000999999999"]
            .map(Value::from)
            .to_vec(),
        FieldType::Centavos | FieldType::CentavosOrZero | FieldType::SignedCentavos => {
            vec![json!(4_321)]
        }
        FieldType::Whole(..) => [7, 4, 9_999].map(Value::from).to_vec(),
        FieldType::BasisPoints => vec![json!(77)],
        FieldType::Flag => vec![json!(true), json!(false)],
        FieldType::Moment => {
            ["2026-11-20T11:00:00Z", "2026-11-19T04:00:00Z", "2026-12-25T11:00:00Z"]
                .map(Value::from)
                .to_vec()
        }
        FieldType::Decimal(_) => ["7.25", "3"].map(Value::from).to_vec(),
        FieldType::Object(_) | FieldType::Objects(_) | FieldType::List | FieldType::Metadata => {
            Vec::new()
        }
    };
    let special = special(shape.name, field.name);
    let with = |value: Option<Value>| {
        let mut other = body.clone();
        merge(&mut other, special.clone().unwrap_or_else(|| json!({})));
        if let Some(value) = value {
            other[field.name] = value;
        }
        other
    };
    match &special {
        Some(own) if own.get(field.name).is_some() => vec![with(None)],
        _ => {
            let other = values.into_iter().filter(|value| *value != body[field.name]);
            other.map(|value| with(Some(value))).collect()
        }
    }
}

/// A day on which the example was applied, and the example.
fn reported(shape: &FactShape) -> (Day, Value) {
    let mut day = ready(shape.name);
    let mut line: Value = serde_json::from_str(shape.example).unwrap();
    line["at"] = NOON.into();
    let answer = day.line(&line.to_string());
    assert_eq!(answer.body["outcome"], "applied", "{line}: {}", answer.body);
    (day, line)
}

/// The fact again with these bodies: none where its reader refuses them all; otherwise, tells whether
/// one is another fact, or known with the name of the field.
fn repeated(day: &mut Day, line: &Value, field: &str, bodies: Vec<Value>) -> Option<bool> {
    let (mut named, mut taken) = (false, false);
    for body in bodies {
        let mut again = line.clone();
        again["body"] = body;
        let answer = day.line(&again.to_string());
        if answer.status == 200 {
            taken = true;
            let differing = answer.body["campos_divergentes"].as_array();
            let is_among = |fields: &Vec<Value>| fields.iter().any(|name| name == field);
            named = answer.body["outcome"] != "known" || differing.is_some_and(is_among);
        }
        if named {
            break;
        }
    }
    taken.then_some(named)
}

#[test]
fn a_repeat_that_says_something_else_names_the_field_whatever_fact_it_is() {
    let (mut tried, mut silent) = (0, BTreeSet::new());
    for shape in FACTS.iter().filter(|shape| shape.name != "time.passed") {
        let (mut day, line) = reported(shape);
        let same = day.line(&line.to_string());
        let known = (&same.body["outcome"], &same.body["campos_divergentes"]);
        assert_eq!(known, (&json!("known"), &Value::Null), "{line}: {}", same.body);
        for field in shape.fields.iter().filter(|field| !NOT_COMPARED.contains(&field.name)) {
            let bodies = others(shape, field, &line["body"]);
            assert!(!bodies.is_empty(), "{} {} has no other value", shape.name, field.name);
            match repeated(&mut day, &line, field.name, bodies) {
                Some(true) => tried += 1,
                Some(false) => {
                    silent.insert((shape.name, field.name));
                }
                None => {}
            }
        }
    }
    assert_eq!(silent, fields_of(UNTOLD), "{tried} are named");
    assert!(tried > 420, "{tried}");
}

/// The line that undoes what this one reported and was answered with, where some fact does.
fn opposite(line: &Value, answer: &Value) -> Option<Value> {
    let mut line = line.clone();
    let name = match line["fact"].as_str()? {
        "key.revoked" => "key.replaced",
        "payout.stopped" => "payout.cleared",
        "payout.cleared" => "payout.stopped",
        "agent.suspended" => "agent.reinstated",
        "agent.reinstated" => "agent.suspended",
        "cashout.delayed" => "cashout.resumed",
        "cashout.resumed" => "cashout.delayed",
        "recovery.blocked" => "hold.released",
        "template.adopted" => {
            line["body"]["id"] = "opposite".into();
            line["body"]["conditions"] = json!(["valor >= 101"]);
            return Some(line);
        }
        _ => return None,
    };
    let example = FACTS.iter().find(|shape| shape.name == name).unwrap().example;
    let mut opposite: Value = serde_json::from_str(example).unwrap();
    opposite["at"] = NOON.into();
    opposite["body"]["id"] = "opposite".into();
    if name == "hold.released" {
        opposite["body"]["hold_id"] = answer["hold_id"].clone();
    }
    Some(opposite)
}

#[test]
fn rulings_8_a_second_id_of_a_fact_is_known_for_ever_whatever_was_decided_since() {
    let (mut known, mut undone) = (0, 0);
    for shape in FACTS.iter().filter(|shape| shape.kind.needs_id()) {
        let mut day = ready(shape.name);
        let mut line: Value = serde_json::from_str(shape.example).unwrap();
        line["at"] = NOON.into();
        let first = day.line(&line.to_string()).body;
        let opposite = opposite(&line, &first);
        line["body"]["id"] = "second".into();
        known += u32::from(day.line(&line.to_string()).body["outcome"] == "known");
        if let Some(opposite) = opposite {
            let answer = day.line(&opposite.to_string()).body;
            assert_eq!(answer["outcome"], "applied", "{opposite}: {answer}");
            undone += 1;
        }
        let before = day.digest();
        let again = day.line(&line.to_string()).body;
        assert_eq!(again["outcome"], "known", "{line}: {again}");
        assert_eq!(day.digest(), before, "{line}");
    }
    assert!(known > 15 && undone == 9, "{known} are known, {undone} undone");
}

#[test]
fn a_repeat_that_says_the_same_names_nothing_whatever_it_says() {
    let (mut applied, mut named) = (0, Vec::new());
    for shape in FACTS.iter().filter(|shape| shape.name != "time.passed") {
        let example: Value = serde_json::from_str(shape.example).unwrap();
        let absent = |field: &&Field| {
            field.need == Need::Optional && example["body"].get(field.name).is_none()
        };
        for field in shape.fields.iter().filter(absent) {
            let (mut day, mut line) = (ready(shape.name), example.clone());
            line["at"] = NOON.into();
            for body in others(shape, field, &example["body"]) {
                line["body"] = body;
                let first = day.line(&line.to_string());
                if first.status != 200 {
                    continue;
                }
                applied += u32::from(first.body["outcome"] == "applied");
                let again = day.line(&line.to_string()).body;
                if again["outcome"] != "known" || again["campos_divergentes"] != Value::Null {
                    named.push(format!("{line}: {again}"));
                }
                break;
            }
        }
    }
    assert!(named.is_empty(), "{}", named.join("\n"));
    assert!(applied > 150, "{applied}");
}
