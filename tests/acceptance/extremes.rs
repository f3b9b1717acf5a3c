//! Every integer and every decimal that comes in is checked over its whole range (rulings 60): of
//! every field of every fact, as the table of facts names them, and of every body and query of the
//! examples, which have every flow of the contract.

use ledger_core::contract::FACTS;
use serde_json::{Value, json};

use crate::day::Day;
use crate::shapes::{NOON, ready};

/// Integers that no field means.
fn integers() -> Vec<Value> {
    let ends = [json!(i64::MIN), json!(i64::MIN + 1), json!(i64::MAX), json!(u64::MAX)];
    let middle = [json!(1_u64 << 63), json!(-1), json!(i64::from(i32::MIN))];
    ends.into_iter().chain(middle).collect()
}

/// Decimals that no field means.
fn decimals() -> Vec<Value> {
    let texts = [
        "-0",
        "-0.00",
        "-1",
        "+1",
        "1e2",
        "0.0000000000000000000000000000001",
        "340282366920938463463374607431768211456",
        "99999999999999999999999999999999999999999999.99",
    ];
    texts.into_iter().map(Value::from).collect()
}

/// The only field that may be negative: a correction goes either way.
const SIGNED: &str = "effect_cents";

/// Fields that say something beside others only, which the examples do without: nobody reads them
/// there.
const UNREAD: [(&str, &[&str]); 10] = [
    ("treasury.moved", &["chain", "amount"]),
    ("provider.released", &["amount_cents", "paid_at"]),
    ("payout.evidence", &["e2e"]),
    ("delivery.sent", &["amount_cents", "paid_at"]),
    ("delivery.evidence", &["tx_hash"]),
    ("delivery.given_up", &["return_id"]),
    ("deposit.confirmed", &["asset", "network", "from", "seen_at"]),
    ("cashout.cleared", &["pix_key_type"]),
    ("wallet.withdrawal.evidence", &["network_fee", "received", "tx_hash"]),
    ("wallet.payment.resolved", &["e2e", "paid_at", "receipt_url", "tx_hash"]),
];

fn is_unread(fact: &str, field: &str) -> bool {
    UNREAD.iter().any(|(known, fields)| *known == fact && fields.contains(&field))
}

/// Where a body has a value that is neither a list nor an object, by JSON pointer.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                leaves(inner, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (place, inner) in items.iter().enumerate() {
                leaves(inner, &format!("{at}/{place}"), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

/// Tells whether a value is written as a decimal is.
fn is_decimal(value: &Value) -> bool {
    let text = value.as_str().unwrap_or("x");
    text.contains('.') && text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// The bodies with one value changed to one that cannot be meant, and what was changed to what.
fn changed(body: &Value) -> Vec<(String, Value)> {
    let mut places = Vec::new();
    leaves(body, "", &mut places);
    let mut all = Vec::new();
    for place in places {
        let known = body.pointer(&place).unwrap();
        let numbers = if is_decimal(known) { decimals() } else { Vec::new() };
        for other in integers().into_iter().chain(numbers) {
            if place.ends_with(SIGNED) && other.as_i64().is_some_and(|other| other > i64::MIN + 1) {
                continue;
            }
            let mut body = body.clone();
            *body.pointer_mut(&place).unwrap() = other.clone();
            all.push((format!("{place} {other}"), body));
        }
    }
    all
}

#[test]
fn no_field_of_any_fact_takes_an_integer_or_decimal_that_cannot_be_meant() {
    let mut taken = Vec::new();
    for shape in FACTS {
        let mut day = ready(shape.name);
        let line: Value = serde_json::from_str(shape.example).unwrap();
        let mut bodies = changed(&line["body"]);
        // Fields that the example does without.
        let more = shape.fields.iter().map(|field| &field.name);
        let more = more.filter(|name| line["body"].get(name).is_none());
        for name in more.filter(|name| !is_unread(shape.name, name)) {
            for other in integers() {
                let mut body = line["body"].clone();
                body[*name] = other.clone();
                bodies.push((format!("/{name} {other}"), body));
            }
        }
        for (what, body) in bodies {
            let mut line = line.clone();
            line["body"] = body;
            line.as_object_mut().unwrap().remove("as");
            line["at"] = NOON.into();
            let answer = day.line(&line.to_string());
            if answer.status != 400 {
                taken.push(format!("{} {what}: {} {}", shape.name, answer.status, answer.body));
            }
        }
    }
    assert!(taken.is_empty(), "{} were taken:\n{}", taken.len(), taken.join("\n"));
}

#[test]
fn a_correction_of_two_to_the_63_centavos_is_malformed() {
    // `abs` of it wraps.
    let mut day = ready("fee.adjusted");
    let body = |effect: i64| {
        crate::day::judged(json!({
            "id": format!("f{effect}"), "account": "loja", "effect_cents": effect,
        }))
    };
    for effect in [i64::MIN, i64::MIN + 1, i64::MAX, -100_000_000_000_001, 100_000_000_000_001] {
        let line = json!({ "at": NOON, "fact": "fee.adjusted", "body": body(effect) });
        assert_eq!(day.line(&line.to_string()).status, 400, "{effect}");
    }
    let line = json!({ "at": NOON, "fact": "fee.adjusted", "body": body(-1) });
    assert_eq!(day.line(&line.to_string()).status, 200);
}

/// Fields of the examples that stand for many things: any integer is no text for them either, but
/// they are read after something else is refused.
fn of_examples(file: &str) {
    let lines = std::fs::read_to_string(format!("{}/examples/{file}", env!("CARGO_MANIFEST_DIR")));
    let mut day = Day::new();
    let mut taken = Vec::new();
    for text in lines.unwrap().lines() {
        let line: Value = serde_json::from_str(text).unwrap();
        let asks = line.get("request").or(line.get("command")).is_some();
        for (what, body) in changed(&line["body"]) {
            if !asks || line["body"].is_null() {
                break;
            }
            let mut line = line.clone();
            line["body"] = body;
            line.as_object_mut().unwrap().remove("as");
            let answer = day.line(&line.to_string());
            if !(400..500).contains(&answer.status) {
                let asked = line.get("request").or(line.get("command")).unwrap();
                taken.push(format!("{asked} {what}: {} {}", answer.status, answer.body));
            }
        }
        day.line(text);
    }
    assert!(taken.is_empty(), "{} were taken:\n{}", taken.len(), taken.join("\n"));
}

#[test]
fn no_body_of_any_flow_takes_an_integer_or_decimal_that_cannot_be_meant() {
    of_examples("whole-contract.jsonl");
    of_examples("sandbox.jsonl");
}
