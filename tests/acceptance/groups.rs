//! Groups of transfers over the wire: `POST /saldo/transferir` with `pernas`, an extension of ours
//! (GRP-01 to GRP-06).

use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day};

const NOON: &str = "2026-10-20T12:00:00Z";
const ROUTE: &str = "POST /saldo/transferir";

/// Ana has 9,900, and nobody else anything.
fn funded() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "ana", 10_000);
    assert_eq!(day.balance(NOON, "ana"), (9_900, 0));
    day
}

fn sale(legs: Value) -> Value {
    json!({ "amount_cents": 9_900, "pernas": legs, "descricao": "venda", "external_id": "s-1" })
}

/// A fee for the house, and the rest in three shares between two sellers.
fn split() -> Value {
    sale(json!([
        { "from_customer_ref": "ana", "to_customer_ref": "casa", "bps": 250 },
        { "from_customer_ref": "ana", "to_customer_ref": "bia", "partes": 2 },
        { "from_customer_ref": "ana", "to_customer_ref": "eva", "resto": true },
    ]))
}

#[test]
fn grp_01_a_sale_is_split_whole_and_answered_leg_by_leg() {
    let mut day = funded();
    let answer = day.ask(NOON, ROUTE, &split());
    assert_eq!(answer.status, 200, "{}", answer.body);
    let body: Value = answer.body.into();
    let leg = |to: &str, cents: i64| json!({ "from_customer_ref": "ana", "to_customer_ref": to, "amount_cents": cents });
    assert_eq!(body["pernas"], json!([leg("casa", 247), leg("bia", 6_435), leg("eva", 3_218)]));
    let shown = (&body["status"], &body["amount_cents"], &body["descricao"], &body["external_id"]);
    assert_eq!(json!(shown), json!(["concluida", 9_900, "venda", "s-1"]));
    let balances = ["", "ana", "bia", "eva"].map(|name| day.balance(NOON, name).0);
    assert_eq!(balances, [247, 0, 6_435, 3_218]);
}

#[test]
fn grp_05_each_leg_is_a_row_that_names_the_group() {
    let mut day = funded();
    let body: Value = day.ask(NOON, ROUTE, &split()).body.into();
    let rows = day.rows(NOON, "ana", "");
    let out: Vec<_> = rows.iter().filter(|row| row["tipo"] == "transferencia_saida").collect();
    let values: Vec<_> = out.iter().map(|row| row["valor_cents"].as_i64().unwrap()).collect();
    assert_eq!(values, [-247, -6_435, -3_218]);
    for row in out {
        assert_eq!((&row["origem_id"], &row["descricao"]), (&body["transfer_id"], &json!("venda")));
    }
    assert_eq!(day.values(NOON, "bia"), [6_435]);
}

#[test]
fn grp_06_a_repeat_is_answered_with_its_original_and_a_changed_leg_diverges() {
    let mut day = funded();
    let first = day.ask(NOON, ROUTE, &split());
    let before = day.digest();
    assert_eq!(day.ask(NOON, ROUTE, &split()), first);
    // The same amounts are the same group, whichever way they are said.
    let mut said = split();
    said["pernas"][0] = json!({ "from_customer_ref": "ana", "amount_cents": 247 });
    assert_eq!(day.ask(NOON, ROUTE, &said), first);
    let mut changed = split();
    changed["pernas"][1]["to_customer_ref"] = "zoe".into();
    let refused = day.ask(NOON, ROUTE, &changed);
    assert_eq!((refused.status, &refused.body["erro"]), (409, &json!("external_id_divergente")));
    assert_eq!(refused.body["campos_divergentes"], json!(["pernas"]));
    let alone = json!({ "amount_cents": 9_900, "from_customer_ref": "ana", "external_id": "s-1" });
    assert_eq!(day.ask(NOON, ROUTE, &alone).body["erro"], "external_id_divergente");
    assert_eq!(day.digest(), before);
}

#[test]
fn grp_02_a_refusal_names_the_leg_and_nothing_moves() {
    let mut day = funded();
    let leg = |from: &str, to: &str, cents: i64| json!({ "from_customer_ref": from, "to_customer_ref": to, "amount_cents": cents });
    let good = leg("ana", "bia", 9_000);
    let cases = [
        (409, "saldo_insuficiente", "pernas[1].amount_cents", leg("bia", "eva", 900)),
        (409, "saldo_insuficiente", "pernas[1].amount_cents", leg("zoe", "eva", 900)),
        (400, "origem_igual_destino", "pernas[1].to_customer_ref", leg("eva", "eva", 900)),
        (400, "formato_invalido", "pernas[1].to_customer_ref", leg("ana", "eva ", 900)),
        (400, "amount_invalido", "pernas[1].amount_cents", leg("ana", "eva", 0)),
        (400, "amount_invalido", "pernas must sum", leg("ana", "eva", 901)),
        (400, "amount_invalido", "pernas must sum", leg("ana", "eva", 899)),
        (400, "formato_invalido", "pernas[1].amount", json!({ "amount": 900 })),
        (400, "campos_obrigatorios", "pernas[1].amount_cents", json!({ "to_customer_ref": "eva" })),
        (400, "formato_invalido", "pernas[1].amount_cents", json!({ "bps": 10, "partes": 1 })),
        (400, "formato_invalido", "pernas[1].partes", json!({ "partes": 0 })),
        (400, "formato_invalido", "pernas[1]", json!(7)),
    ];
    let before = day.digest();
    for (status, code, named, bad) in cases {
        let answer = day.ask(NOON, ROUTE, &sale(json!([good, bad])));
        assert_eq!((answer.status, &answer.body["erro"]), (status, &json!(code)), "{bad}");
        let detail = answer.body["detail"].as_str().unwrap();
        assert!(detail.starts_with(named), "{bad}: {detail}");
    }
    for legs in [json!([]), json!({}), json!(vec![good.clone(); 101])] {
        let answer = day.ask(NOON, ROUTE, &sale(legs));
        assert_eq!(answer.body["erro"], "formato_invalido", "{}", answer.body);
    }
    let mut beside = split();
    beside["from_customer_ref"] = "ana".into();
    assert_eq!(day.ask(NOON, ROUTE, &beside).body["erro"], "formato_invalido");
    assert_eq!(day.digest(), before);
}

#[test]
fn grp_04_a_hundred_legs_move_together() {
    let mut day = funded();
    let leg = |number: i64| json!({ "from_customer_ref": "ana", "to_customer_ref": format!("c{}", number % 99), "partes": 1 });
    let answer = day.ask(NOON, ROUTE, &sale((0..100).map(leg).collect()));
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(day.balance(NOON, "c0"), (198, 0), "two legs pay it");
    assert_eq!((day.balance(NOON, "c98"), day.balance(NOON, "ana")), ((99, 0), (0, 0)));
}

#[test]
fn grp_03_who_waits_pays_no_leg() {
    let mut day = Day::with_terms(NOON, r#"{"sem_retencao":true,"liberacao":"imediata"}"#);
    day.deposit("d", NOON, "ana", 10_000);
    let answer = day.ask(NOON, ROUTE, &split());
    assert_eq!((answer.status, &answer.body["erro"]), (423, &json!("carencia_primeiro_deposito")));
    let detail = answer.body["detail"].as_str().unwrap();
    assert!(detail.starts_with("pernas[0].from_customer_ref: "), "{detail}");
}
