//! Accounts and entries of a product's own: over lines, in statements, and in what others read.

use ledger_core::accounting::Control;
use serde_json::{Value, json};

use crate::day::{AT_ONCE, Day, judged};
use crate::exports::ledger;

const NOON: &str = "2026-10-20T12:00:00Z";

fn declare(name: &str, class: &str, per_customer: bool) -> Value {
    judged(json!({
        "id": format!("acc-{name}"), "name": name, "class": class, "per_customer": per_customer,
    }))
}

/// A fee that customer `a` pays for a dispute, of which a part is owed to customer `b` as points.
fn fee(id: &str) -> Value {
    judged(json!({
        "id": id, "description": "Taxa de disputa",
        "legs": [
            { "name": "cust.avail", "of": { "account": "loja", "customer_ref": "a" }, "debit_cents": 1_500 },
            { "name": "taxas.disputa", "credit_cents": 1_400 },
            { "name": "pontos", "of": { "account": "loja", "customer_ref": "b" }, "credit_cents": 100 },
        ],
    }))
}

fn shop() -> Day {
    let mut day = Day::with_terms(NOON, AT_ONCE);
    day.deposit("d", NOON, "a", 10_000);
    for declared in
        [declare("taxas.disputa", "income", false), declare("pontos", "liability", true)]
    {
        assert_eq!(day.report(NOON, "product_account.declared", &declared), "applied");
    }
    day
}

/// The answer to a fact that is no line of a ledger.
fn refused(day: &mut Day, fact: &str, body: &Value) -> String {
    let answer = day.line(&json!({ "at": NOON, "fact": fact, "body": body }).to_string());
    assert_eq!(answer.status, 400);
    Value::from(answer.body)["detail"].as_str().unwrap().to_owned()
}

#[test]
fn prod_02_a_line_whose_legs_do_not_balance_says_so() {
    let mut day = shop();
    let mut uneven = fee("fee-1");
    uneven["legs"][1]["credit_cents"] = 1_399.into();
    assert_eq!(
        refused(&mut day, "entry.posted", &uneven),
        "legs must balance: debits are 1500 centavos, credits 1499"
    );
    let mut both = fee("fee-1");
    both["legs"][1]["debit_cents"] = 1_400.into();
    assert_eq!(
        refused(&mut day, "entry.posted", &both),
        "legs[1]: credit_cents excludes debit_cents"
    );
    let mut nobody = fee("fee-1");
    nobody["legs"][2]["of"] = json!({ "customer_ref": "b" });
    assert_eq!(refused(&mut day, "entry.posted", &nobody), "legs[2]: account is required");
    let mut one = fee("fee-1");
    one["legs"] = json!([one["legs"][0]]);
    assert_eq!(refused(&mut day, "entry.posted", &one), "legs must be 2 to 100 legs");
    let mut twice = fee("fee-1");
    twice["legs"][1] = json!({
        "name": "cust.avail", "of": { "account": "loja", "customer_ref": "a" }, "credit_cents": 1_400,
    });
    assert_eq!(
        refused(&mut day, "entry.posted", &twice),
        "legs must be legs of different accounts"
    );
    let reserved = declare("rev.disputa", "income", false);
    let said = refused(&mut day, "product_account.declared", &reserved);
    assert!(said.starts_with("name must be at most 64 lower-case letters"), "{said}");
    // Nothing of all this was left behind.
    assert_eq!(day.report(NOON, "entry.posted", &fee("fee-1")), "applied");
}

#[test]
fn prod_06_a_statement_shows_an_entry_with_its_description() {
    let mut day = shop();
    let before = day.balance(NOON, "a").0;
    assert_eq!(day.report(NOON, "entry.posted", &fee("fee-1")), "applied");
    assert_eq!(day.balance(NOON, "a").0, before - 1_500);
    let rows = day.rows(NOON, "a", "");
    let told: Vec<_> = rows.iter().filter(|row| row["tipo"] == "lancamento").collect();
    let cents: Vec<_> = told.iter().map(|row| row["valor_cents"].as_i64().unwrap()).collect();
    assert_eq!(cents, [-1_400, -100]);
    assert!(told.iter().all(|row| row["descricao"] == "Taxa de disputa"), "{rows:?}");
    let of = [Control::ProductIncome, Control::ProductLiability];
    assert_eq!(of.map(|control| day.money(control)), [1_400, 100]);
    // What the customer has not is set aside.
    for id in ["fee-2", "fee-3", "fee-4", "fee-5", "fee-6"] {
        assert_eq!(day.report(NOON, "entry.posted", &fee(id)), "applied", "{id}");
    }
    assert_eq!(day.report(NOON, "entry.posted", &fee("fee-7")), "set_aside");
}

/// An account that counts miles, of two decimals.
fn miles(name: &str, class: &str) -> Value {
    let mut declared = declare(name, class, class == "liability");
    declared["unit"] = json!({ "name": "milhas", "decimals": 2 });
    declared
}

#[test]
fn prod_07_a_line_that_mixes_units_names_the_one_that_does_not_balance() {
    let mut day = shop();
    for declared in [miles("milhas", "liability"), miles("emitidas", "asset")] {
        assert_eq!(day.report(NOON, "product_account.declared", &declared), "applied");
    }
    let of_a = json!({ "account": "loja", "customer_ref": "a" });
    let legs = json!([
        { "name": "cust.avail", "of": of_a, "debit_cents": 150 },
        { "name": "milhas", "of": of_a, "credit_cents": 150 },
    ]);
    let mixed = judged(json!({ "id": "mixed-1", "legs": legs }));
    assert_eq!(
        refused(&mut day, "entry.posted", &mixed),
        "legs must balance in milhas: debits are 0, credits 150"
    );
    let template = judged(json!({
        "id": "tpl-1", "name": "premio", "holders": ["quem"],
        "amounts": [{ "name": "valor", "from": 1, "to": 100 }],
        "legs": [
            { "name": "cust.avail", "of": "quem", "debit": "valor" },
            { "name": "milhas", "of": "quem", "credit": "rest" },
        ],
    }));
    let said = refused(&mut day, "template.adopted", &template);
    assert!(said.contains("cannot be proven to balance in "), "{said}");
    let mut both = miles("outras", "liability");
    both["asset"] = "usdt".into();
    assert_eq!(refused(&mut day, "product_account.declared", &both), "unit excludes asset");
    let mut money = miles("outras", "liability");
    money["unit"]["name"] = "brl".into();
    let said = refused(&mut day, "product_account.declared", &money);
    assert!(said.starts_with("unit must be 1 to 16 lower-case letters and digits"), "{said}");
    let mut other = miles("outras", "liability");
    other["unit"]["decimals"] = 3.into();
    let answer = day.report_as("o1", NOON, "product_account.declared", &other);
    assert_eq!(
        (&answer["outcome"], &answer["reason"]),
        (&"set_aside".into(), &"unit_differs".into())
    );
}

#[test]
fn prod_06_a_repeat_of_an_entry_names_it_again() {
    let mut day = shop();
    let first = day.report_as("", NOON, "entry.posted", &fee("fee-1"));
    let again = day.report_as("", NOON, "entry.posted", &fee("fee-1"));
    assert!(first["entry_id"].is_string(), "{first}");
    assert_eq!(again, json!({ "outcome": "known", "entry_id": first["entry_id"] }));
}

#[test]
fn prod_05_exports_name_accounts_as_they_were_declared() {
    let folder = tempfile::tempdir().unwrap();
    let (lines, store) = (folder.path().join("lines.jsonl"), folder.path().join("ledger.db"));
    let store = store.to_str().unwrap();
    let line = |fact: &str, body: Value| json!({ "at": NOON, "fact": fact, "body": body });
    let funded = judged(json!({
        "id": "gift-1",
        "legs": [
            { "name": "equity.funding", "debit_cents": 9_000 },
            {
                "name": "cust.avail", "credit_cents": 9_000,
                "of": { "account": "loja", "customer_ref": "a" },
            },
        ],
    }));
    let given = judged(json!({
        "id": "given-1",
        "legs": [
            { "name": "emitidas", "debit_cents": 250 },
            {
                "name": "milhas", "credit_cents": 250,
                "of": { "account": "loja", "customer_ref": "b" },
            },
        ],
    }));
    let opened = json!({
        "at": NOON, "fact": "account.opened", "body": { "id": "acc-1", "account": "loja" },
        "supplied": { "key": "svc_live_loja" },
    });
    let text: Vec<String> = [
        opened,
        line("entry.posted", funded),
        line("product_account.declared", declare("taxas.disputa", "income", false)),
        line("product_account.declared", declare("pontos", "liability", true)),
        line("entry.posted", fee("fee-1")),
        line("product_account.declared", miles("milhas", "liability")),
        line("product_account.declared", miles("emitidas", "asset")),
        line("entry.posted", given),
    ]
    .map(|line| line.to_string())
    .into();
    std::fs::write(&lines, text.join("\n")).unwrap();
    let said = ledger(&["run", lines.to_str().unwrap(), "--store", store]);
    assert_eq!(said.matches(r#""outcome":"applied""#).count(), 8, "{said}");
    let export = |format: &str| {
        let file = folder.path().join(format);
        let file = file.to_str().unwrap();
        ledger(&["export", store, "--format", format, "--output", file]);
        std::fs::read_to_string(file).unwrap()
    };
    let hledger = export("hledger");
    assert!(hledger.contains(":prod:income:taxas.disputa"), "{hledger}");
    assert!(hledger.contains(":prod:liability:pontos:loja:b"), "{hledger}");
    assert!(hledger.contains(":prod:liability:milhas:loja:b  -2.50 \"MILHAS\""), "{hledger}");
    assert!(ledger(&["audit", store]).contains("prod.income"));
}
