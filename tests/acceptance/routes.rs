//! The table of routes: every route that is declared is reached by its methods and no others, by
//! whom it says, and takes and answers the fields that it names.

use std::process::Command;

use ledger_core::contract::{
    Access, CallKind, Code, Effect, Field, FieldType, Invocation, Method, Need, Query, Response,
    RouteShape, route_of, routes,
};
use ledger_core::id::{Kind, OpId, Seq};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;
use serde_json::{Value, json};

use crate::agent::ENTROPY;
use crate::day::{AT_ONCE, Day, KEY};
use crate::killed::PROGRAM;

const NOON: &str = "2026-11-20T12:00:00Z";

fn table() -> Vec<&'static RouteShape> {
    routes::<JournalArchive, Vault>().collect()
}

/// Holds an answer against what its route declares: no field and no refusal besides.
pub fn is_as_declared(ask: &CallKind, answer: &Response) {
    let Some(shape) = route_of::<JournalArchive, Vault>(ask) else { return };
    let Some(body) = answer.body.as_object() else { return };
    match body.get("erro").and_then(Value::as_str) {
        Some(code) => {
            let code = Code::parse(code).expect("every code is in the table");
            assert!(shape.may_refuse(code), "{:?} refuses with {code:?}", shape.ask);
        }
        None => {
            let with = shape.answer.variant.filter(|variant| {
                let in_body = !variant.body.is_empty() && body.contains_key(variant.parameter);
                in_body || asks_with(ask, variant.parameter)
            });
            let declared = |name: &str| with.map_or(&shape.answer, |it| &it.answer).has(name);
            let besides = |name: &&String| *name != "campos_ignorados" && !declared(name);
            let other: Vec<_> = body.keys().filter(besides).collect();
            assert!(other.is_empty(), "{:?} answers {other:?}", shape.ask);
        }
    }
}

/// Tells whether a request has this parameter in its query.
fn asks_with(ask: &CallKind, parameter: &str) -> bool {
    let CallKind::Request { target, .. } = ask else { return false };
    let query = target.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|part| part.split('=').next() == Some(parameter))
}

/// A path with a text for each parameter.
fn filled(path: &str) -> String {
    let fill = |segment: &str| match segment {
        "{cashout_id}" => OpId::new(Kind::CashOut, Seq(900_000)).text(&"live".into()),
        _ if segment.starts_with('{') => "x".to_owned(),
        _ => segment.to_owned(),
    };
    path.split('/').map(fill).collect::<Vec<_>>().join("/")
}

/// A value that a field takes, as far as its type says.
fn sound(field: &Field) -> Value {
    match field.name {
        "payer_tax_number" | "tax_number" => return json!("39053344705"),
        "pix_key" | "email" => return json!("a@exemplo.com.br"),
        "payout_address" | "address" | "refund_address" | "settlement_address" => {
            return json!(crate::market::WALLET);
        }
        _ => {}
    }
    match field.holds {
        FieldType::Centavos | FieldType::CentavosOrZero | FieldType::SignedCentavos => {
            json!(10_000)
        }
        FieldType::Whole(least, _) => json!(least),
        FieldType::BasisPoints => json!(0),
        FieldType::Flag => json!(true),
        FieldType::Decimal(_) => json!("30"),
        FieldType::List => json!(["usdt_to_pix"]),
        FieldType::Moment => json!(NOON),
        FieldType::Metadata => json!({ "pedido": "7" }),
        FieldType::Object(_) | FieldType::Objects(_) => json!([]),
        FieldType::Text(_)
        | FieldType::Reference(_)
        | FieldType::Word(_)
        | FieldType::Operation
        | FieldType::Pix => json!("usdt"),
    }
}

/// A body with every field that must be given, and one of those of which one must be.
fn least(shape: &RouteShape) -> Value {
    let given = shape.body.iter().filter(|field| field.need == Need::Required);
    let has = |name: &str| shape.body.iter().any(|field| field.name == name);
    let mut body = json!({});
    if has("brl_amount") {
        body = json!({ "brl_amount": "30.00", "pix_key": "a@exemplo.com.br" });
    } else if has("partner_fee_bps") {
        body = json!({ "partner_fee_bps": 0 });
    }
    for field in given {
        body[field.name] = sound(field);
    }
    body
}

/// The parameters that a route cannot do without.
fn query(shape: &RouteShape) -> &'static str {
    match shape.query {
        Query::Only(["external_id"]) => "?external_id=x",
        Query::Only(["payer_tax"]) => "?payer_tax=39053344705",
        Query::Only(["key", ..]) => "?key=a@exemplo.com.br",
        Query::Only(_) | Query::Ignored => "",
    }
}

fn submit(day: &mut Day, key: &str, shape: &RouteShape, body: &Value) -> Response {
    let mut line = json!({
        "at": NOON, "body": body, "ip": "203.0.113.9", "supplied": { "entropy": ENTROPY },
    });
    if !key.is_empty() {
        line["key"] = key.into();
    }
    match shape.ask {
        Invocation::Route(method, path) => {
            line["request"] = format!("{} {}{}", method.name(), filled(path), query(shape)).into();
        }
        Invocation::Command(name) => line["command"] = name.into(),
    }
    day.line(&line.to_string())
}

fn day() -> Day {
    let mut day = Day::trading(NOON, AT_ONCE);
    day.market(NOON);
    day
}

#[test]
fn every_declared_route_is_reached() {
    for shape in table() {
        let answer = submit(&mut day(), KEY, shape, &least(shape));
        assert_ne!(answer.status, 405, "{:?}: {}", shape.ask, answer.body);
        let detail = answer.body["detail"].as_str().unwrap_or_default();
        let unknown = detail.contains("no route") || detail.contains("no command");
        assert!(!unknown, "{:?}: {detail}", shape.ask);
    }
}

#[test]
fn a_method_that_is_not_declared_is_refused_and_the_declared_ones_are_named() {
    let table = table();
    for path in table.iter().filter_map(|shape| shape.ask.path()) {
        let takes =
            |method: Method| table.iter().any(|shape| shape.ask == Invocation::Route(method, path));
        let all = [Method::Get, Method::Post, Method::Patch];
        for method in all.into_iter().filter(|method| !takes(*method)) {
            let request = format!("{} {}", method.name(), filled(path));
            let answer = day().ask(NOON, &request, &json!({}));
            assert_eq!(answer.status, 405, "{request}: {}", answer.body);
            let detail = answer.body["detail"].as_str().unwrap();
            for known in all.into_iter().filter(|known| takes(*known)) {
                assert!(detail.contains(known.name()), "{request}: {detail}");
            }
        }
    }
}

#[test]
fn a_route_needs_a_key_where_it_says_so_and_nowhere_else() {
    for shape in table() {
        let answer = submit(&mut day(), "", shape, &least(shape));
        let refused = answer.body["erro"] == "chave_ausente";
        assert_eq!(refused, shape.access == Access::Key, "{:?}: {}", shape.ask, answer.body);
    }
}

#[test]
fn a_route_that_reads_leaves_no_record_and_a_field_of_tomorrow_is_named() {
    for shape in table() {
        let mut day = day();
        let before = day.digest();
        let mut body = least(shape);
        body["of_tomorrow"] = 1.into();
        let answer = submit(&mut day, KEY, shape, &body);
        if shape.effect == Effect::Reads {
            assert_eq!(day.digest(), before, "{:?}", shape.ask);
        }
        if answer.status < 300 {
            let ignored = answer.body["campos_ignorados"].as_array();
            let named = ignored.is_some_and(|names| names.contains(&json!("of_tomorrow")));
            assert!(named, "{:?}: {}", shape.ask, answer.body);
        }
    }
}

#[test]
fn a_field_that_must_be_given_is_missed() {
    for shape in table() {
        for field in shape.body.iter().filter(|field| field.need == Need::Required) {
            let mut body = least(shape);
            body.as_object_mut().unwrap().remove(field.name);
            let answer = submit(&mut day(), KEY, shape, &body);
            let code = answer.body["erro"].as_str().and_then(Code::parse);
            // The mesh registers in the sandbox, and refers in production.
            let elsewhere = matches!(code, Some(Code::NotPermitted | Code::NotFound));
            let names = answer.body["detail"].as_str().is_some_and(|it| it.contains(field.name));
            assert!(
                elsewhere || answer.status == 400 && names,
                "{:?} without {}: {}",
                shape.ask,
                field.name,
                answer.body
            );
        }
    }
}

#[test]
fn every_declared_field_is_read() {
    let mut unread = Vec::new();
    for shape in table() {
        for field in shape.body {
            let mut body = least(shape);
            body[field.name] = json!([[{}]]);
            // Without a key, test keys are asked for in the sandbox.
            let key = if shape.access == Access::Key { KEY } else { "" };
            let answer = submit(&mut day(), key, shape, &body);
            let code = answer.body["erro"].as_str().and_then(Code::parse);
            if answer.status != 400 && code != Some(Code::NotPermitted) {
                unread.push(format!("{:?} {}: {}", shape.ask, field.name, answer.body));
            }
        }
    }
    assert_eq!(unread, Vec::<String>::new());
}

#[test]
fn the_program_lists_every_route_with_its_fields() {
    let output = Command::new(PROGRAM).arg("routes").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for shape in table() {
        let asked = match shape.ask {
            Invocation::Route(method, path) => format!("{} {path}", method.name()),
            Invocation::Command(name) => name.to_owned(),
        };
        assert!(text.lines().any(|line| line.starts_with(&asked)), "{asked}");
        for field in shape.body {
            assert!(text.contains(field.meaning), "{asked} {}", field.name);
        }
    }
}
