//! Whatever is asked and reported, in whatever order: the invariants hold after every line,
//! statements add up, repeats and duplicates change nothing, and refusals leave nothing behind.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::day::{Day, KEY, OWNER, PAYER};
use crate::pages;

const CUSTOMERS: [&str; 4] = ["casa", "ana", "bruno", "carla"];
const OPENED: &str = "2026-11-20T12:00:00Z";

/// One line, in terms of what earlier lines created.
#[derive(Clone, Debug)]
pub enum Act {
    Charge { who: usize, cents: i64 },
    Receive { charge: usize, more: i64, late: bool },
    Release { charge: usize },
    Cancel { charge: usize },
    Return { charge: usize, cents: i64 },
    Transfer { from: usize, to: usize, cents: i64 },
    Payout { who: usize, cents: i64 },
    Outcome { payout: usize, what: usize },
    ComeBack { payout: usize, cents: i64 },
    Hold { who: usize, charge: Option<usize>, cents: i64 },
    Unhold { hold: usize, cents: Option<i64> },
    Adjust { who: usize, cents: i64 },
    Terms { what: usize },
    Wait { minutes: u32 },
}

pub fn act() -> impl Strategy<Value = Act> {
    let who = 0..CUSTOMERS.len();
    let cents = prop_oneof![1_i64..12_000, Just(101_i64), Just(6_000), Just(6_001), Just(600_001)];
    let which = 0_usize..12;
    prop_oneof![
        4 => (who.clone(), cents.clone()).prop_map(|(who, cents)| Act::Charge { who, cents }),
        6 => (which.clone(), prop_oneof![9 => Just(0_i64), 1 => -1_i64..2], any::<bool>())
            .prop_map(|(charge, more, late)| Act::Receive { charge, more, late }),
        3 => which.clone().prop_map(|charge| Act::Release { charge }),
        1 => which.clone().prop_map(|charge| Act::Cancel { charge }),
        2 => (which.clone(), cents.clone())
            .prop_map(|(charge, cents)| Act::Return { charge, cents }),
        3 => (who.clone(), who.clone(), cents.clone())
            .prop_map(|(from, to, cents)| Act::Transfer { from, to, cents }),
        3 => (who.clone(), cents.clone()).prop_map(|(who, cents)| Act::Payout { who, cents }),
        4 => (which.clone(), 0_usize..6).prop_map(|(payout, what)| Act::Outcome { payout, what }),
        1 => (which.clone(), cents.clone())
            .prop_map(|(payout, cents)| Act::ComeBack { payout, cents }),
        2 => (who.clone(), proptest::option::of(which.clone()), cents.clone())
            .prop_map(|(who, charge, cents)| Act::Hold { who, charge, cents }),
        1 => (which, proptest::option::of(cents.clone()))
            .prop_map(|(hold, cents)| Act::Unhold { hold, cents }),
        1 => (who, -300_i64..300).prop_map(|(who, cents)| Act::Adjust { who, cents }),
        1 => (0_usize..4).prop_map(|what| Act::Terms { what }),
        4 => prop_oneof![1_u32..30, Just(1_440), 600_u32..2_800]
            .prop_map(|minutes| Act::Wait { minutes }),
    ]
}

/// A day being lived: the clock, and the ids of what was created.
pub struct Life {
    pub day: Day,
    minutes: u32,
    lines: u64,
    charges: Vec<(String, i64)>,
    payouts: Vec<String>,
    holds: Vec<String>,
}

impl Life {
    pub fn new() -> Self {
        let (charges, payouts, holds) = (Vec::new(), Vec::new(), Vec::new());
        Self { day: Day::opened(OPENED), minutes: 0, lines: 0, charges, payouts, holds }
    }

    fn at(&self) -> String {
        let opened = ledger_core::time::Instant::parse(OPENED).unwrap();
        let span = ledger_core::time::Span::seconds(self.minutes * 60);
        opened.after(span).to_string()
    }

    pub fn live(&mut self, act: &Act) {
        self.lines += 1;
        let Some(line) = self.line(act) else { return };
        let before = self.day.digest();
        let answer = self.day.line(&line.to_string());
        if answer.status != 200 {
            // INV-06: a refusal changes nothing; only waiting, which is never refused, brings
            // deadlines.
            assert_eq!(self.day.digest(), before, "{line} was refused with {}", answer.body);
        }
        self.remember(act, &answer.body);
        // INV-26, INV-27: the same line again gives the same ids, and changes nothing.
        if answer.status == 200 && !matches!(act, Act::Wait { .. }) {
            let once = self.day.digest();
            let again = self.day.line(&line.to_string());
            assert_eq!(again.status, 200, "{line}: {}", again.body);
            assert_eq!(self.day.digest(), once, "{line} happened twice");
            for id in ["cashin_id", "payout_id", "transfer_id"] {
                assert_eq!(again.body.get(id), answer.body.get(id));
            }
        }
        self.statements_add_up();
    }

    #[allow(clippy::too_many_lines)] // One arm an act.
    fn line(&mut self, act: &Act) -> Option<Value> {
        let number = self.lines;
        let at = self.at();
        let request = |route: &str, body: Value| {
            Some(json!({ "at": at, "key": KEY, "request": route, "body": body }))
        };
        let fact = |name: &str, body: Value| Some(json!({ "at": at, "fact": name, "body": body }));
        let charge = |index: usize| self.charges.get(index).cloned();
        match act {
            Act::Charge { who, cents } => request(
                "POST /cashin/charge",
                json!({ "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER,
                        "customer_ref": customer(*who), "external_id": format!("c-{number}") }),
            ),
            Act::Receive { charge: index, more, late } => {
                let (id, cents) = charge(*index)?;
                let paid_at = if *late { at.clone() } else { OPENED.to_owned() };
                let body = json!({ "cashin_id": id, "e2e": format!("E{number:031}"),
                                   "amount_cents": (cents + more).max(1), "paid_at": paid_at });
                fact("pix.received", body)
            }
            Act::Release { charge: index } => fact(
                "provider.released",
                json!({ "id": format!("f-{number}"), "cashin_id": charge(*index)?.0 }),
            ),
            Act::Cancel { charge: index } => fact(
                "provider.cancelled",
                json!({ "id": format!("f-{number}"), "cashin_id": charge(*index)?.0 }),
            ),
            Act::Return { charge: index, cents } => {
                let (id, whole) = charge(*index)?;
                let cents = if cents % 2 == 0 { whole } else { *cents };
                let body = json!({ "cashin_id": id, "return_id": format!("D{number:031}"),
                                   "amount_cents": cents });
                fact("pix.returned", body)
            }
            Act::Transfer { from, to, cents } => request(
                "POST /saldo/transferir",
                json!({ "from_customer_ref": CUSTOMERS[*from], "to_customer_ref": CUSTOMERS[*to],
                        "amount_cents": cents, "external_id": format!("t-{number}") }),
            ),
            Act::Payout { who, cents } => request(
                "POST /payouts",
                json!({ "customer_ref": customer(*who), "amount_cents": cents, "pix_key": OWNER,
                        "tax_number": OWNER, "external_id": format!("p-{number}") }),
            ),
            Act::Outcome { payout, what } => {
                let id = self.payouts.get(*payout)?;
                let mut body = json!({ "payout_id": id, "id": format!("f-{number}") });
                let names = ["submitted", "paid", "refused", "unknown", "evidence", "evidence"];
                match what {
                    1 => body = json!({ "payout_id": id, "e2e": format!("E{number:031}") }),
                    4 => {
                        body["outcome"] = "paid".into();
                        body["e2e"] = format!("E{number:031}").into();
                    }
                    5 => body["outcome"] = "not_paid".into(),
                    _ => {}
                }
                if *what >= 4 {
                    body["actor"] = "bia".into();
                    body["reason"] = "statement".into();
                }
                fact(&format!("payout.{}", names[*what]), body)
            }
            Act::ComeBack { payout, cents } => {
                let body = json!({ "payout_id": self.payouts.get(*payout)?, "amount_cents": cents,
                                   "return_id": format!("D{number:031}") });
                fact("payout.returned", body)
            }
            Act::Hold { who, charge: cause, cents } => {
                let mut body = json!({ "id": format!("f-{number}"), "account": "loja",
                    "customer_ref": customer(*who), "kind": "dispute", "amount_cents": cents,
                    "actor": "bia", "reason": "contested" });
                if let Some(cause) = cause {
                    body["cashin_id"] = charge(*cause)?.0.into();
                    body["customer_ref"] = Value::Null;
                }
                fact("hold.placed", body)
            }
            Act::Unhold { hold, cents } => {
                let body = json!({ "id": format!("f-{number}"), "hold_id": self.holds.get(*hold)?,
                    "amount_cents": cents, "actor": "bia", "reason": "settled" });
                fact("hold.released", body)
            }
            Act::Adjust { who, cents } => fact(
                "fee.adjusted",
                json!({ "id": format!("f-{number}"), "account": "loja",
                    "customer_ref": customer(*who), "actor": "bia", "reason": "courtesy",
                    "effect_cents": if *cents == 0 { 1 } else { *cents } }),
            ),
            Act::Terms { what } => {
                let mut body = json!({ "id": format!("f-{number}"), "account": "loja" });
                let (field, value) = [
                    ("partner_saque_fee_bps", 100),
                    ("deposito_fee_bps", 35),
                    ("saque_taxa_estimada_cents", 100),
                    ("deposito_fee_fixed_cents", 200),
                ][*what];
                body[field] = value.into();
                fact("terms.adopted", body)
            }
            Act::Wait { minutes } => {
                self.minutes += minutes;
                Some(json!({ "at": self.at(), "fact": "time.passed" }))
            }
        }
    }

    fn remember(&mut self, act: &Act, answer: &Value) {
        let id = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
        if let (Act::Charge { cents, .. }, Some(id)) = (act, id("cashin_id")) {
            self.charges.push((id, *cents));
        }
        self.payouts.extend(id("payout_id"));
        self.holds.extend(id("hold_id"));
    }

    /// INV-08 to INV-11, INV-17: balances, rows, operations and fees agree for every subaccount.
    fn statements_add_up(&mut self) {
        let at = self.at();
        let mut total = 0;
        for name in CUSTOMERS {
            let query = if name == "casa" { String::new() } else { format!("customer_ref={name}") };
            let balance = self.day.get(&at, &format!("/saldo?{query}"));
            let saldo = cents(&balance, "disponivel_cents") + cents(&balance, "bloqueado_cents");
            total += saldo;
            let rows = self.pages(&at, &query, "lancamentos");
            let steps = self.pages(&at, &query, "operacoes");
            assert_eq!(rows.iter().map(|row| cents(row, "valor_cents")).sum::<i64>(), saldo);
            assert_eq!(steps.iter().map(|row| cents(row, "valor_cents")).sum::<i64>(), saldo);
            assert_eq!(rows.first().map_or(0, |row| cents(row, "saldo_apos_cents")), saldo);
            for step in &steps {
                let fees = step["taxas"].as_array().unwrap();
                let effect: i64 = fees.iter().map(|fee| cents(fee, "efeito_saldo_cents")).sum();
                let principal = cents(step, "valor_operacao_cents");
                assert_eq!(cents(step, "valor_cents"), principal + effect, "{step}");
                assert_eq!(cents(step, "taxas_cents"), effect.abs(), "{step}");
                assert!(fees.len() <= 1);
            }
            let ids = |rows: &[Value]| -> Vec<Value> {
                rows.iter().map(|row| row["movimento_id"].clone()).rev().collect()
            };
            let grouped: Vec<Value> = steps
                .iter()
                .rev()
                .flat_map(|step| step["movimentos_ids"].as_array().unwrap().clone())
                .collect();
            assert_eq!(grouped, ids(&rows), "every row belongs to one step");
        }
        let whole = self.day.get(&at, "/saldo/consolidado");
        assert_eq!(cents(&whole, "total_cents"), total);
    }

    fn pages(&mut self, at: &str, query: &str, view: &str) -> Vec<Value> {
        let mut items = Vec::new();
        pages::walk("before", |before| {
            let target = format!("/saldo/extrato?{query}&visao={view}&limit=40{before}");
            let page = self.day.get(at, &target);
            items.extend(page["items"].as_array().unwrap().clone());
            pages::next(&page, "proxima_pagina")
        });
        items
    }
}

fn customer(who: usize) -> Option<&'static str> {
    Some(CUSTOMERS[who]).filter(|name| *name != "casa")
}

fn cents(value: &Value, field: &str) -> i64 {
    value[field].as_i64().unwrap_or_else(|| panic!("{field} of {value}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_is_asked_and_reported_the_books_add_up(acts in proptest::collection::vec(act(), 1..60)) {
        let mut life = Life::new();
        for act in &acts {
            life.live(act);
        }
    }
}
