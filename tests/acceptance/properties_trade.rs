//! Whatever is bought, converted, delivered, returned, given up and reported again, in whatever
//! order: the invariants hold after every line, and what was agreed stays agreed (INV-06, 08, 10,
//! 11, 16 to 18, 21, 23, 25 to 27, 33, 35, 43, 45, 48).

use std::collections::HashMap;

use ledger_core::contract::{Response, TABLE};
use ledger_core::time::{Instant, Span};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::actions::{Act, NEWS, PAIRS, PAYERS, SCHEDULES, act};
use crate::day::{Day, KEY, OWNER};
use crate::market::WALLET;
use crate::pages;

const OPENED: &str = "2026-11-20T12:00:00Z";

/// What a request created, and what was agreed of it then.
struct Made {
    id: String,
    cents: i64,
    /// The record as it was answered first.
    first: Value,
    /// What the partner earns when it is done.
    partner: i64,
}

struct Life {
    day: Day,
    minutes: u32,
    lines: u64,
    made: Vec<Made>,
    payouts: Vec<(String, i64)>,
    erroneous_deliveries: Vec<String>,
    /// Facts reported so far, to be reported again.
    facts: Vec<Value>,
    names: HashMap<(&'static str, String), String>,
    partners: (i64, i64),
}

impl Life {
    fn new() -> Self {
        let terms = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0,
            "partner_fee_bps":777,"partner_saque_fee_bps":500}"#;
        let mut day = Day::with_ladder(OPENED, terms);
        day.market(OPENED);
        let rates = json!({ "rate_max_age_seconds": 65_535, "commission_interval_hours": 1,
            "payer_ladder": false });
        assert_eq!(day.adopt(OPENED, rates), "applied");
        Self {
            day,
            minutes: 0,
            lines: 0,
            made: Vec::new(),
            payouts: Vec::new(),
            erroneous_deliveries: Vec::new(),
            facts: Vec::new(),
            names: HashMap::new(),
            partners: (777, 500),
        }
    }

    fn at(&self) -> String {
        let opened = Instant::parse(OPENED).unwrap();
        opened.after(Span::seconds(self.minutes * 60)).to_string()
    }

    fn live(&mut self, act: &Act) {
        self.lines += 1;
        let Some(line) = self.line(act) else { return };
        let answer = self.say(&line);
        self.remember(act, &line, &answer);
        if let (400, Some(least)) = (answer.status, answer.body["minimo_estimado_cents"].as_i64()) {
            self.suggestion_is_tight(&line, least);
        }
    }

    /// Says a line, twice: a refusal changes nothing, and nothing happens twice.
    fn say(&mut self, line: &Value) -> Response {
        let before = self.day.digest();
        let answer = self.day.line(&line.to_string());
        if answer.status != 200 {
            assert_eq!(self.day.digest(), before, "{line} was refused with {}", answer.body);
            refusal_is_of_the_table(&answer);
            return answer;
        }
        if line["fact"] != "time.passed" {
            let once = self.day.digest();
            let again = self.day.line(&line.to_string());
            assert_eq!(again.status, 200, "{line}: {}", again.body);
            assert_eq!(self.day.digest(), once, "{line} happened twice");
            for id in ["cashin_id", "payout_id", "withdrawal_id", "stray_id"] {
                assert_eq!(again.body.get(id), answer.body.get(id), "INV-27: {line}");
            }
        }
        answer
    }

    fn fact(&self, name: &str, mut body: Value) -> Value {
        if body.get("e2e").is_none() && body.get("return_id").is_none()
            || name.starts_with("delivery")
        {
            body["id"] = format!("f-{}", self.lines).into();
        }
        json!({ "at": self.at(), "fact": name, "body": body, "environment": "live" })
    }

    fn request(&self, request: &str, body: &Value) -> Value {
        json!({ "at": self.at(), "key": KEY, "request": request, "body": body })
    }

    #[allow(clippy::too_many_lines)] // One arm an act.
    fn line(&mut self, act: &Act) -> Option<Value> {
        let n = self.lines;
        let judged = |mut body: Value| {
            body["actor"] = "bia".into();
            body["reason"] = "statement".into();
            body
        };
        let made = |op: &usize| {
            let made = pick(&self.made, *op)?;
            Some((made.id.clone(), made.cents))
        };
        let line = match act {
            Act::Buy { pair, payer, cents, name } => {
                let (asset, chain, address, memo) = PAIRS[*pair];
                self.request(
                    "POST /cashin/charge",
                    &json!({ "amount_cents": cents, "payer_tax_number": PAYERS[*payer],
                        "asset": asset, "chain": chain, "payout_address": address, "memo": memo,
                        "customer_ref": "ana", "external_id": format!("x-{name}") }),
                )
            }
            Act::Deposit { cents } => self.request(
                "POST /cashin/charge",
                &json!({ "destino": "saldo", "amount_cents": cents, "customer_ref": "ana",
                    "payer_tax_number": PAYERS[0], "external_id": format!("d-{n}") }),
            ),
            Act::Convert { pair, cents, cap, name } => {
                let (asset, chain, address, memo) = PAIRS[*pair];
                self.request(
                    "POST /saldo/sacar-cripto",
                    &json!({ "amount_cents": cents, "asset": asset, "chain": chain,
                        "payout_address": address, "payout_tag": memo, "tax_number": OWNER,
                        "customer_ref": "ana", "max_debited_cents": cap,
                        "external_id": format!("x-{name}") }),
                )
            }
            Act::Withdraw { cents, name } => json!({
                "at": self.at(), "key": KEY, "command": "commission.withdraw",
                "body": { "amount_cents": cents, "asset": "usdc", "payout_address": WALLET,
                          "external_id": format!("x-{name}") },
            }),
            Act::Pay { op, more } => {
                let (id, cents) = made(op)?;
                let body = json!({ "cashin_id": id, "e2e": format!("E{n:031}"),
                    "amount_cents": (cents + more).max(1) });
                self.fact("pix.received", body)
            }
            Act::Deliver { op } => {
                let (id, cents) = made(op)?;
                let body = json!({ "cashin_id": id, "tx_hash": format!("0x{n}"),
                    "e2e": format!("E{n:031}"), "amount_cents": cents });
                self.fact("delivery.sent", body)
            }
            Act::Charge { op, what } => {
                let (id, cents) = made(op)?;
                let names = [
                    "pix.seen",
                    "provider.settled",
                    "provider.held",
                    "provider.released",
                    "provider.cancelled",
                ];
                let mut body = json!({ "cashin_id": id });
                if *what == 0 {
                    body["e2e"] = format!("E{n:031}").into();
                    body["amount_cents"] = cents.into();
                }
                self.fact(names[*what], body)
            }
            Act::News { op, what, attempt } => {
                let mut body = json!({ "cashin_id": made(op)?.0 });
                if let Some(attempt) = attempt {
                    body["attempt"] = (*attempt).into();
                }
                if NEWS[*what] == "sent" {
                    body["tx_hash"] = format!("0x{}", n / 3).into();
                }
                self.fact(&format!("delivery.{}", NEWS[*what]), body)
            }
            Act::Evidence { op, sent } => {
                let outcome = if *sent { "sent" } else { "not_sent" };
                let body = json!({ "cashin_id": made(op)?.0, "outcome": outcome,
                    "tx_hash": format!("0x{n}") });
                self.fact("delivery.evidence", judged(body))
            }
            Act::GiveUp { op, to_payer } => {
                let to = if *to_payer { "pagador" } else { "saldo" };
                let body = json!({ "cashin_id": made(op)?.0, "to": to,
                    "return_id": format!("G{n:031}") });
                self.fact("delivery.given_up", judged(body))
            }
            Act::Return { op, cents } => {
                let (id, whole) = made(op)?;
                let body = json!({ "cashin_id": id, "return_id": format!("D{n:031}"),
                    "amount_cents": cents.unwrap_or(whole) });
                self.fact("pix.returned", body)
            }
            Act::Stray { index, lost } => {
                let outcome = if *lost { "lost" } else { "recovered" };
                let body = json!({ "stray_id": pick(&self.erroneous_deliveries, *index)?, "outcome": outcome });
                self.fact("stray.settled", judged(body))
            }
            Act::Payout { cents } => self.request(
                "POST /payouts",
                &json!({ "customer_ref": "ana", "amount_cents": cents, "pix_key": OWNER,
                    "tax_number": OWNER, "external_id": format!("p-{n}") }),
            ),
            Act::PayoutNews { index, what } => {
                let (id, cents) = pick(&self.payouts, *index)?.clone();
                let names =
                    ["submitted", "paid", "refused", "unknown", "stopped", "cleared", "returned"];
                let mut body = json!({ "payout_id": id });
                match names[*what] {
                    "paid" => body["e2e"] = format!("P{n:031}").into(),
                    "returned" => {
                        body["return_id"] = format!("R{n:031}").into();
                        body["amount_cents"] = cents.into();
                    }
                    "stopped" | "cleared" => body = judged(body),
                    _ => {}
                }
                self.fact(&format!("payout.{}", names[*what]), body)
            }
            Act::Terms { what } => {
                let mut body: Value = serde_json::from_str(SCHEDULES[*what]).unwrap();
                body["account"] = "loja".into();
                self.fact("terms.adopted", body)
            }
            Act::Price { what } => {
                let price = ["5.40", "5.123456789", "0.9", "6"][*what];
                let body = json!({ "asset": "usdt", "brl_per_unit": price });
                self.fact("rate.quoted", body)
            }
            Act::Ladder { on } => self.fact("policy.adopted", json!({ "payer_ladder": on })),
            Act::Review { payer, what } => {
                let finding = ["identified", "blocked", "unknown"][*what];
                let body = json!({ "payer_tax_number": PAYERS[*payer], "finding": finding });
                self.fact("payer.reviewed", judged(body))
            }
            Act::Again { index } => {
                let fact = pick(&self.facts, *index)?.clone();
                self.report_late(fact);
                return None;
            }
            Act::Wait { minutes } => {
                self.minutes += minutes;
                json!({ "at": self.at(), "fact": "time.passed" })
            }
        };
        Some(line)
    }

    /// INV-26: news that comes again, however late, is known.
    fn report_late(&mut self, mut fact: Value) {
        fact["at"] = self.at().into();
        let before = self.day.digest();
        let answer = self.day.line(&fact.to_string());
        assert_eq!(answer.body["outcome"], "known", "{fact}");
        assert_eq!(self.day.digest(), before, "{fact}");
    }

    fn remember(&mut self, act: &Act, line: &Value, answer: &Response) {
        let body = &answer.body;
        if let Some(erroneous_delivery) = body["stray_id"].as_str() {
            self.erroneous_deliveries.push(erroneous_delivery.to_owned());
        }
        if answer.status != 200 {
            return;
        }
        let at = self.at();
        if body["outcome"] == "applied" {
            match act {
                Act::Terms { what } => self.adopted(*what),
                Act::Wait { .. } => return,
                _ => {}
            }
        }
        let bps = |cents: i64, bps: i64| cents * bps / 10_000;
        match act {
            Act::Buy { pair, cents, name, .. } => {
                let partner =
                    if PAIRS[*pair].1 == "liquid" { 0 } else { bps(*cents, self.partners.0) };
                self.created("charge", *name, body, *cents, partner);
                qr_lasts_15_minutes(body);
            }
            Act::Convert { cents, cap, name, .. } => {
                let of = |name: &str| body[name].as_i64().unwrap();
                assert_eq!(of("debited_cents"), of("amount_cents") + of("fee_cents"), "INV-18");
                let fresh =
                    self.created("conversion", *name, body, *cents, bps(*cents, self.partners.1));
                assert!(!fresh || cap.is_none_or(|cap| of("debited_cents") <= cap), "INV-18");
            }
            Act::Withdraw { cents, name } => {
                self.created("withdrawal", *name, body, *cents, 0);
            }
            Act::Deposit { cents } => {
                let id = body["cashin_id"].as_str().unwrap();
                let e2e = format!("E{:030}d", self.lines);
                let body = json!({ "cashin_id": id, "e2e": e2e, "amount_cents": cents });
                let line = json!({ "at": at, "fact": "pix.received", "body": body });
                self.day.line(&line.to_string());
            }
            Act::Payout { cents } => {
                let of = |name: &str| body[name].as_i64().unwrap();
                let service = of("fee_service_cents") + of("fee_partner_cents");
                assert_eq!(of("fee_service_total_cents"), service, "INV-17");
                assert_eq!(of("fee_cents"), service + of("fee_provider_cents"), "INV-17");
                assert_eq!(of("debited_cents"), cents + of("fee_cents"), "INV-17");
                self.payouts.push((body["payout_id"].as_str().unwrap().to_owned(), *cents));
            }
            _ => {}
        }
        // What was known already left nothing behind by which it would be known again.
        if body["outcome"] == "applied" || body["outcome"] == "set_aside" {
            self.facts.push(line.clone());
        }
    }

    /// INV-25: one intent under one name of a kind.
    fn created(
        &mut self,
        kind: &'static str,
        name: u8,
        body: &Value,
        cents: i64,
        partner: i64,
    ) -> bool {
        let id = body.get("cashin_id").or(body.get("withdrawal_id")).unwrap().as_str().unwrap();
        let known = self.names.insert((kind, format!("x-{name}")), id.to_owned());
        if let Some(known) = known {
            assert_eq!(known, id, "INV-25");
            return false;
        }
        self.made.push(Made { id: id.to_owned(), cents, first: body.clone(), partner });
        true
    }

    fn adopted(&mut self, what: usize) {
        let terms: Value = serde_json::from_str(SCHEDULES[what]).unwrap();
        let of = |name: &str, now: i64| terms[name].as_i64().unwrap_or(now);
        self.partners =
            (of("partner_fee_bps", self.partners.0), of("partner_saque_fee_bps", self.partners.1));
    }

    /// INV-43: the amount that is suggested passes the minimum, and a centavo less does not.
    fn suggestion_is_tight(&mut self, line: &Value, least: i64) {
        let mut line = line.clone();
        line["body"]["external_id"] = Value::Null;
        line["body"]["amount_cents"] = (least - 1).into();
        if least > 1 {
            let refused = self.day.line(&line.to_string());
            assert_eq!(refused.body["minimo_estimado_cents"], least, "{line}: {}", refused.body);
        }
        line["body"]["amount_cents"] = least.into();
        let answer = self.day.line(&line.to_string());
        assert_ne!(answer.body["erro"], "valor_abaixo_do_minimo", "{line}");
    }

    /// What was agreed is what is shown, what is settled was notified once, what is earned adds up.
    fn ends(&mut self) {
        let at = self.at();
        let events = self.day.events().to_vec();
        let mut earned = 0;
        for Made { id, first, partner, .. } in &self.made {
            if first.get("withdrawal_id").is_some() {
                continue;
            }
            let record = self.day.get(&at, &format!("/cashin/{id}/status"));
            for name in ["amount_cents", "created_at", "payout_address", "held"] {
                assert_eq!(record[name], first[name], "INV-21: {record}");
            }
            if first["fonte"] == "saldo" {
                for name in ["fee_cents", "debited_cents", "usdt_amount", "amount"] {
                    assert_eq!(record[name], first[name], "INV-21: {record}");
                }
            }
            let sent = record["settlement_status"] == "sent";
            earned += if sent { *partner } else { 0 };
            let settled = events.iter().filter(|event| {
                event["event"] == "cashin.settled" && event["data"]["cashin_id"] == **id
            });
            assert_eq!(settled.count(), usize::from(sent), "INV-35: {record}");
        }
        for (id, _) in &self.payouts {
            let completed = events.iter().find(|event| {
                event["event"] == "payout.completed" && event["data"]["payout_id"] == **id
            });
            earned +=
                completed.map_or(0, |event| event["data"]["fee_partner_cents"].as_i64().unwrap());
        }
        let rows = self.pages(&at, "/comissao/extrato", "movimentos");
        let sum = |kind: Option<&str>| -> i64 {
            let of = rows.iter().filter(|row| kind.is_none_or(|kind| row["tipo"] == kind));
            of.map(|row| row["valor_cents"].as_i64().unwrap()).sum()
        };
        assert_eq!(sum(Some("comissao")), earned, "INV-23");
        assert_eq!(self.day.get(&at, "/comissao")["saldo_cents"], sum(None), "INV-23");
        for query in ["", "customer_ref=ana"] {
            self.statements_add_up(&at, query);
        }
    }

    fn statements_add_up(&mut self, at: &str, query: &str) {
        let balance = self.day.get(at, &format!("/saldo?{query}"));
        let of = |name: &str| balance[name].as_i64().unwrap();
        let saldo = of("disponivel_cents") + of("bloqueado_cents");
        let rows = self.pages(at, &format!("/saldo/extrato?{query}"), "items");
        let steps = self.pages(at, &format!("/saldo/extrato?visao=operacoes&{query}"), "items");
        for list in [&rows, &steps] {
            let sum: i64 = list.iter().map(|row| row["valor_cents"].as_i64().unwrap()).sum();
            assert_eq!(sum, saldo, "INV-08, INV-11");
        }
        let mut parts = 0;
        for step in &steps {
            let fees = step["taxas"].as_array().unwrap();
            let effect: i64 =
                fees.iter().map(|fee| fee["efeito_saldo_cents"].as_i64().unwrap()).sum();
            let principal = step["valor_operacao_cents"].as_i64().unwrap();
            assert_eq!(step["valor_cents"], principal + effect, "INV-10: {step}");
            parts += step["movimentos_ids"].as_array().unwrap().len();
        }
        assert_eq!(parts, rows.len(), "INV-11");
    }

    fn pages(&mut self, at: &str, target: &str, list: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mark = if target.contains('?') { '&' } else { '?' };
        pages::walk("before", |before| {
            let page = self.day.get(at, &format!("{target}{mark}limit=200{before}"));
            items.extend(page[list].as_array().unwrap().clone());
            pages::next(&page, "proxima_pagina")
        });
        items
    }
}

/// INV-48: 900 seconds from the issue.
fn qr_lasts_15_minutes(charge: &Value) {
    let of = |name: &str| Instant::parse(charge[name].as_str().unwrap()).unwrap();
    assert_eq!(of("expires_at").since(of("created_at")), Span::seconds(900), "{charge}");
}

/// One of them, the later the likelier.
fn pick<T>(all: &[T], index: usize) -> Option<&T> {
    let back = (index % all.len().max(1)).min(index % 5);
    all.len().checked_sub(1 + back).map(|place| &all[place])
}

/// INV-45: exactly one code of the table, with its action, and a status that is its own.
fn refusal_is_of_the_table(answer: &Response) {
    let erro = answer.body["erro"].as_str().unwrap();
    let row = TABLE.iter().find(|(_, name, _, _, _)| *name == erro);
    let (_, _, status, action, _) = row.unwrap_or_else(|| panic!("{erro} is not in the table"));
    let short = erro == "saldo_insuficiente" && answer.status == 402;
    assert!(short || answer.status == *status, "{}", answer.body);
    assert_eq!(answer.body["acao"], action.name());
    assert!(answer.body.get("code").is_none(), "retired on 2026-11-09");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_is_bought_and_delivered_the_books_add_up(
        acts in proptest::collection::vec(act(), 1..110)
    ) {
        let mut life = Life::new();
        for act in &acts {
            life.live(act);
        }
        life.ends();
    }
}
