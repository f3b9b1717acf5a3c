//! Entries by templates, over lines: adopted, posted, told in statements, taken back (P:Templates).

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};

const NOON: &str = "2026-10-20T12:00:00Z";

/// A sale of which the house keeps 2.5 % or what `taxa_bps` says, at most 50.00.
fn sale(id: &str) -> Value {
    judged(json!({
        "id": id, "name": "venda",
        "amounts": [
            { "name": "valor", "from": 1, "to": 1_000_000 },
            { "name": "taxa_bps", "from": 0, "to": 1_000 },
        ],
        "holders": ["comprador", "vendedor"],
        "legs": [
            { "name": "cust.avail", "of": "comprador", "debit": "valor" },
            { "name": "taxas.venda", "credit": "min(half_even(valor * taxa_bps / 10000), 5000)" },
            { "name": "cust.avail", "of": "vendedor", "credit": "rest" },
        ],
        "conditions": ["valor >= 100"],
    }))
}

fn posted(id: &str, valor: i64) -> Value {
    judged(json!({
        "id": id, "template": "venda", "description": "Venda 1",
        "amounts": [{ "name": "valor", "value": valor }, { "name": "taxa_bps", "value": 250 }],
        "holders": [
            { "name": "comprador", "account": "loja", "customer_ref": "a" },
            { "name": "vendedor", "account": "loja", "customer_ref": "b" },
        ],
    }))
}

fn shop() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    let declared = judged(json!({ "id": "pac-1", "name": "taxas.venda", "class": "income" }));
    assert_eq!(day.report(NOON, "product_account.declared", &declared), "applied");
    assert_eq!(day.report(NOON, "template.adopted", &sale("tpl-1")), "applied");
    day
}

fn answer(day: &mut Day, fact: &str, body: &Value) -> (u16, Value) {
    let answer = day.line(&json!({ "at": NOON, "fact": fact, "body": body }).to_string());
    (answer.status, Value::from(answer.body))
}

#[test]
fn tpl_01_a_template_that_is_not_proven_is_refused_and_the_leg_is_named() {
    let mut day = shop();
    let refused = |day: &mut Day, at: &str, value: Value| {
        let mut body = sale("tpl-2");
        *body.pointer_mut(at).unwrap() = value;
        let before = day.digest();
        let (status, body) = answer(day, "template.adopted", &body);
        assert_eq!((status, day.digest()), (400, before), "{body}");
        body["detail"].as_str().unwrap().to_owned()
    };
    for (at, value, detail) in [
        (
            "/legs/1/credit",
            json!("max(down(valor * taxa_bps / 10000), 500)"),
            "template cannot be adopted: legs[2]: it cannot be proven that this never falls below \
             zero",
        ),
        (
            "/legs/2/credit",
            json!("valor"),
            "template cannot be adopted: debits and credits are different sums, and no leg takes \
             the rest",
        ),
        (
            "/legs/1/credit",
            json!("valor *"),
            "template cannot be adopted: legs[1]: expected a number, an amount or a parenthesis at \
             character 8",
        ),
        (
            "/legs/0/of",
            json!("ninguem"),
            "template cannot be adopted: legs[0]: its holder is none of the template's",
        ),
        (
            "/conditions/0",
            json!("valor"),
            "template cannot be adopted: conditions[0]: expected one of < <= = >= > at character 6",
        ),
        ("/holders", json!("a"), "holders must be an array of strings"),
        ("/holders/0", json!(1), "holders[0] must be a string"),
        ("/legs/0/debit", json!(5), "legs[0]: debit must be a string"),
        ("/amounts/0/from", json!(-1), "amounts[0]: from must be a JSON integer"),
    ] {
        let said = refused(&mut day, at, value);
        assert!(said.starts_with(detail), "{said}");
    }
}

#[test]
fn tpl_02_a_posting_moves_what_the_template_comes_to_and_its_rows_say_so() {
    let mut day = shop();
    assert_eq!(
        day.report_as("e1", NOON, "template.posted", &posted("s-1", 8_000))["outcome"],
        "applied"
    );
    assert_eq!(day.report(NOON, "template.posted", &posted("s-1", 8_000)), "known");
    assert_eq!(day.money(Control::ProductIncome), 200);
    let rows = day.rows(NOON, "b", "");
    let row = rows.iter().find(|row| row["tipo"] == "lancamento").unwrap();
    assert_eq!((&row["valor_cents"], &row["descricao"]), (&json!(7_800), &json!("Venda 1")));
    // It is taken back as every entry is.
    let back = judged(json!({ "id": "back-1", "entry_id": "$e1.entry_id" }));
    assert_eq!(day.report(NOON, "entry.reversed", &back), "applied");
    assert_eq!(day.money(Control::ProductIncome), 0);
}

#[test]
fn tpl_03_a_posting_outside_the_template_is_set_aside_and_says_why() {
    let mut day = shop();
    let mut unnamed = posted("s-4", 5_000);
    unnamed["holders"].as_array_mut().unwrap().pop();
    let mut unknown = posted("s-5", 5_000);
    unknown["template"] = "compra".into();
    for (body, reason) in [
        (posted("s-1", 99), "outside_template"),
        (posted("s-2", 1_000_001), "outside_template"),
        (posted("s-3", 10_001), "amount_exceeds"),
        (unnamed, "outside_template"),
        (unknown, "unmatched"),
    ] {
        let (status, answer) = answer(&mut day, "template.posted", &body);
        assert_eq!((status, &answer["reason"]), (200, &json!(reason)), "{answer}");
        assert_eq!(day.money(Control::ProductIncome), 0);
    }
}

#[test]
fn tpl_04_a_template_changed_is_the_next_version_and_the_first_stays() {
    let mut day = shop();
    assert_eq!(day.report(NOON, "template.adopted", &sale("tpl-2")), "known");
    let mut dearer = sale("tpl-3");
    dearer["legs"][1]["credit"] = "up(valor * taxa_bps / 10000)".into();
    assert_eq!(day.report(NOON, "template.adopted", &dearer), "applied");
    assert_eq!(day.report(NOON, "template.posted", &posted("s-1", 1_001)), "applied");
    assert_eq!(day.money(Control::ProductIncome), 26);
    let mut first = posted("s-2", 1_001);
    first["version"] = 1.into();
    assert_eq!(day.report(NOON, "template.posted", &first), "applied");
    assert_eq!(day.money(Control::ProductIncome), 51);
}
