//! The sandbox's sales: what the first two decimals of an amount ask for (contract, 3.3; SBX, W58).

use ledger_core::contract::{CallOutcome, Line, Response};
use ledger_core::ledger::{Origin, invariants};
use ledger_core::time::{Instant, Span};
use ledger_sim::Sandbox;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

pub const TEST_KEY: &str = "svc_test_loja";
pub const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

/// When the account is opened; instants of these tests are seconds after it.
const BEGINS: &str = "2026-11-20T12:00:00Z";

/// The ledger of test keys with its scripted providers: after every line every invariant is
/// checked.
pub struct Trial {
    pub sequencer: Sequencer,
    pub sandbox: Sandbox,
    pub events: Vec<Value>,
}

impl Trial {
    /// The account `loja` under terms whose deposits can be spent at once.
    pub fn new() -> Self {
        Self::with_terms(
            json!({ "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0 }),
        )
    }

    pub fn with_terms(terms: Value) -> Self {
        Self::seeded(7, terms)
    }

    pub fn seeded(seed: u64, terms: Value) -> Self {
        let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
        let mut trial = Self {
            sequencer: Sequencer::new("sandbox", identity),
            sandbox: Sandbox::new(seed),
            events: Vec::new(),
        };
        let mut opened = json!({
            "at": BEGINS, "fact": "account.opened", "environment": "sandbox",
            "body": { "id": "acc-1", "account": "loja" }, "supplied": { "key": TEST_KEY },
        });
        opened["body"]["terms"] = terms;
        assert_eq!(trial.line(&opened).body["outcome"], "applied");
        trial.report(0, "policy.adopted", json!({ "id": "pol-1", "payer_ladder": false }));
        trial
    }

    /// One line, with what the sandbox tells before it.
    pub fn line(&mut self, line: &Value) -> Response {
        let line = Line::parse(&line.to_string(), |_| unreachable!("no labels here")).unwrap();
        let mut call = line.call(Origin::Call);
        self.sandbox.supply(&mut call);
        let events = &mut self.events;
        let mut collect = |sequencer: &Sequencer, handled: &CallOutcome| {
            let harness = sequencer.views();
            events.extend(
                handled.notifications.iter().map(|notification| harness.event(notification).into()),
            );
        };
        self.sandbox.before(&mut self.sequencer, &call, |sequencer, handled| {
            assert_eq!(handled.response.body["outcome"], "applied", "{:?}", handled.response);
            collect(sequencer, &handled);
        });
        let handled = self.sequencer.handle(&call);
        collect(&self.sequencer, &handled);
        let ledger = self.sequencer.ledger();
        invariants::check_all(&ledger.state, &ledger.archive).unwrap();
        invariants::check_statements(&ledger.state, &ledger.archive).unwrap();
        handled.response
    }

    /// A request of `loja`, so many seconds after the beginning.
    pub fn ask(&mut self, seconds: u32, request: &str, body: Value) -> Response {
        let mut line = json!({ "at": at(seconds), "key": TEST_KEY, "request": request });
        line["body"] = body;
        self.line(&line)
    }

    pub fn command(&mut self, seconds: u32, command: &str, body: Value) -> Response {
        let mut line = json!({ "at": at(seconds), "key": TEST_KEY, "command": command });
        line["body"] = body;
        self.line(&line)
    }

    /// A fact reported by hand, which must be applied.
    pub fn report(&mut self, seconds: u32, fact: &str, body: Value) {
        let mut line = json!({ "at": at(seconds), "fact": fact, "environment": "sandbox" });
        line["body"] = body;
        let answer = self.line(&line);
        assert_eq!(answer.body["outcome"], "applied", "{fact}: {}", answer.body);
    }

    /// A read of `loja`, which must succeed.
    pub fn get(&mut self, seconds: u32, target: &str) -> Value {
        let line =
            json!({ "at": at(seconds), "key": TEST_KEY, "request": format!("GET {target}") });
        let answer = self.line(&line);
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        answer.body.into()
    }

    /// Quotes a sale at this second.
    pub fn sell(&mut self, seconds: u32, mut body: Value) -> Response {
        let given = |name: &str| body.get(name).is_some();
        let (pair, key) = (given("asset"), given("br_code"));
        if !pair {
            body["asset"] = "usdt".into();
            body["network"] = "polygon".into();
        }
        if !key {
            body["pix_key"] = "bia@exemplo.com.br".into();
        }
        self.ask(seconds, "POST /cash-outs", body)
    }

    /// Quotes a sale and accepts it in the same second; gives its id.
    pub fn accepted(&mut self, seconds: u32, body: Value) -> String {
        let made = self.sell(seconds, body);
        assert_eq!((made.status, &made.body["state"]), (201, &json!("QUOTE_CREATED")), "{made:?}");
        let id = made.body["cashout_id"].as_str().unwrap().to_owned();
        let answer = self.accept(seconds, &id);
        assert_eq!(answer.body["state"], "AWAITING_DEPOSIT", "{answer:?}");
        id
    }

    pub fn accept(&mut self, seconds: u32, id: &str) -> Response {
        self.ask(seconds, &format!("POST /cash-outs/{id}/accept"), Value::Null)
    }

    pub fn state(&mut self, seconds: u32, id: &str) -> String {
        self.get(seconds, &format!("/cash-outs/{id}"))["state"].as_str().unwrap().to_owned()
    }

    /// The names of the events sent since the last look.
    pub fn new_events(&mut self) -> Vec<String> {
        let events = std::mem::take(&mut self.events);
        events.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    }
}

/// The instant so many seconds after the beginning.
pub fn at(seconds: u32) -> String {
    Instant::parse(BEGINS).unwrap().after(Span::seconds(seconds)).to_string()
}

fn amount_body(amount: &str) -> Value {
    json!({ "amount": amount })
}

/// A Copia e Cola over this many reais.
fn code(reais: &str) -> Value {
    let body = format!(
        "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000520400005303986\
         54{:02}{reais}5802BR5913FULANO DE TAL6008BRASILIA62070503***6304",
        reais.len()
    );
    let crc = body.bytes().fold(0xFFFF_u16, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    });
    json!({ "br_code": format!("{body}{crc:04X}") })
}

#[test]
fn w58_each_ending_plays_as_the_contract_says() {
    let mut trial = Trial::new();
    let good = trial.accepted(0, amount_body("100.00"));
    let late = trial.accepted(0, amount_body("100.01"));
    let bad = trial.accepted(0, amount_body("100.02"));
    let brief = trial.accepted(0, amount_body("100.03"));
    let slow = trial.accepted(0, amount_body("100.05"));
    let limits = trial.sell(0, amount_body("100.04"));
    assert_eq!((limits.status, &limits.body["erro"]), (400, &json!("valor_acima_do_maximo")));
    let refused = trial.sell(0, amount_body("100.06"));
    assert_eq!(
        (refused.status, &refused.body["erro"], &refused.body["acao"]),
        (403, &json!("pagador_recusado_pelo_provedor"), &json!("parar"))
    );
    assert!(refused.body["provider_reference"].is_string());
    let payer = trial.sell(0, amount_body("100.08"));
    assert_eq!((payer.status, &payer.body["erro"]), (403, &json!("limite_do_pagador")));
    assert!(payer.body["payer_limits"].is_object(), "{payer:?}");

    assert_eq!(trial.state(4, &brief), "AWAITING_DEPOSIT");
    assert_eq!(trial.state(5, &brief), "EXPIRED");
    assert_eq!(trial.state(6, &bad), "FAILED");
    assert_eq!(trial.state(7, &late), "DELAYED");
    assert_eq!(trial.state(7, &good), "PROCESSING");
    assert_eq!((trial.state(14, &good), trial.state(15, &good)), both("PROCESSING", "COMPLETED"));
    assert_eq!(trial.state(50, &late), "DELAYED");
    assert_eq!(trial.state(63, &late), "COMPLETED");
    assert_eq!((trial.state(119, &slow), trial.state(120, &slow)), both("PROCESSING", "COMPLETED"));

    let away =
        trial.sell(200, amount_body("100.07")).body["cashout_id"].as_str().unwrap().to_owned();
    let first = trial.accept(200, &away);
    assert_eq!(
        (first.status, &first.body["erro"], &first.body["retry_after_seconds"]),
        (503, &json!("liquidante_indisponivel"), &json!(120))
    );
    assert_eq!(trial.state(201, &away), "QUOTE_CREATED");
    let second = trial.accept(202, &away);
    assert_eq!((second.status, &second.body["state"]), (200, &json!("AWAITING_DEPOSIT")));
    assert_eq!(trial.state(217, &away), "COMPLETED");
}

fn both(first: &str, second: &str) -> (String, String) {
    (first.to_owned(), second.to_owned())
}

#[test]
fn sbx_02_decimals_are_cut_off_and_sbx_03_other_endings_succeed() {
    for (amount, after) in [
        ("10.019999", "DELAYED"),
        ("10.009999", "COMPLETED"),
        ("10", "COMPLETED"),
        ("10.0", "COMPLETED"),
        ("10.1", "COMPLETED"),
        ("10.09", "COMPLETED"),
        ("10.99", "COMPLETED"),
    ] {
        let mut trial = Trial::new();
        let id = trial.accepted(0, amount_body(amount));
        assert_eq!(trial.state(20, &id), after, "{amount}");
    }
}

#[test]
fn sbx_04_the_ending_is_that_of_the_amount_that_was_sent() {
    let mut trial = Trial::new();
    let reais = trial.accepted(0, json!({ "brl_amount": "100.02" }));
    let code_of = trial.accepted(0, code("50.02"));
    assert_eq!((trial.state(6, &reais), trial.state(6, &code_of)), both("FAILED", "FAILED"));
    // What these cost in crypto has decimals of its own, which nobody sent.
    let round = trial.accepted(10, json!({ "brl_amount": "100" }));
    let code_of = trial.accepted(10, code("50.00"));
    assert_eq!(
        (trial.state(25, &round), trial.state(25, &code_of)),
        both("COMPLETED", "COMPLETED")
    );
}

#[test]
fn sbx_07_the_limits_refusal_shows_all_four_limits() {
    let mut trial = Trial::new();
    let refused = trial.sell(0, amount_body("10.04")).body;
    for limit in ["min_amount", "max_amount", "max_brl_cents", "max_brl_cents_por_transacao"] {
        assert!(!refused["limits"][limit].is_null(), "{limit}: {refused}");
    }
    assert_eq!(refused["acao"], "corrigir");
}

#[test]
fn sbx_08_a_failure_comes_after_the_accept_and_before_a_deposit() {
    let mut trial = Trial::new();
    let id = trial.accepted(0, amount_body("10.02"));
    trial.new_events();
    assert_eq!(trial.state(30, &id), "FAILED");
    assert_eq!(trial.new_events(), ["cashout.failed"]);
    let order = trial.get(31, &format!("/cash-outs/{id}"));
    assert_eq!(order["deposit_from"], Value::Null);
    assert_eq!(order["refund_tx_hash"], Value::Null);
}

#[test]
fn sbx_09_the_refusals_come_before_an_order_is_made_and_in_the_preview() {
    let mut trial = Trial::new();
    for (place, ending) in ["04", "06", "08"].into_iter().enumerate() {
        let body = json!({
            "asset": "usdt", "network": "polygon", "amount": format!("10.{ending}"),
            "pix_key": "bia@exemplo.com.br", "external_id": format!("v-{place}"),
        });
        let preview = trial.ask(0, "POST /cash-outs/preview", body.clone());
        let before = trial.sequencer.head().seq;
        let created = trial.ask(0, "POST /cash-outs", body);
        assert_eq!(
            (preview.status, &preview.body["erro"]),
            (created.status, &created.body["erro"])
        );
        assert_eq!(trial.sequencer.head().seq, before, "a refusal leaves nothing behind");
        let listed = trial.get(0, &format!("/cash-outs?external_id=v-{place}"));
        assert_eq!(listed["cash_outs"], json!([]));
    }
    let body = json!({ "asset": "usdt", "network": "polygon", "amount": "10.07",
                       "pix_key": "bia@exemplo.com.br" });
    assert_eq!(trial.ask(0, "POST /cash-outs/preview", body).status, 200);
}

#[test]
fn idempotency_and_the_order_s_own_limits_come_before_an_ending() {
    let mut trial = Trial::new();
    let first = trial.sell(0, json!({ "amount": "10.00", "external_id": "v-1" }));
    let other = trial.sell(0, json!({ "amount": "10.06", "external_id": "v-1" }));
    assert_eq!((first.status, other.status), (201, 409), "{other:?}");
    let least = trial.sell(0, amount_body("0.04")).body;
    assert_eq!(least["erro"], "valor_abaixo_do_minimo");
    let unknown = trial.line(&json!({
        "at": at(0), "key": "svc_test_nobody", "request": "POST /cash-outs",
        "body": { "asset": "usdt", "network": "polygon", "amount": "10.06", "pix_key": "a@b.com.br" },
    }));
    assert_eq!(unknown.status, 401);
}

#[test]
fn sbx_05_each_route_walks_its_real_states_in_fifteen_seconds() {
    for (asset, network, states) in [
        ("usdt", "polygon", &["DEPOSIT_DETECTED", "PROCESSING"][..]),
        ("usdc", "polygon", &["DEPOSIT_DETECTED", "PROCESSING"]),
        (
            "usdt",
            "arbitrum",
            &["DEPOSIT_DETECTED", "DEPOSIT_CONFIRMED", "SELLING", "SOLD", "PAYING_OUT"],
        ),
        (
            "usdt",
            "tron",
            &[
                "DEPOSIT_DETECTED",
                "DEPOSIT_CONFIRMED",
                "SELLING",
                "SOLD",
                "FORWARDING",
                "PAYING_OUT",
            ],
        ),
        ("depix", "liquid", &["DEPOSIT_DETECTED", "PROCESSING"]),
    ] {
        let mut trial = Trial::new();
        let body = json!({
            "asset": asset, "network": network, "amount": "20",
            "payee_tax_number": "52998224725",
        });
        let id = trial.accepted(0, body);
        let mut seen = Vec::new();
        for second in 1..=15 {
            let state = trial.state(second, &id);
            if seen.last() != Some(&state) {
                seen.push(state);
            }
        }
        let mut expected = vec!["AWAITING_DEPOSIT"];
        expected.extend(states);
        expected.push("COMPLETED");
        assert_eq!(seen, expected, "{asset} on {network}");
        let order = trial.get(16, &format!("/cash-outs/{id}"));
        assert!(order["deposit_address"].as_str().unwrap().starts_with("sandbox-"), "COUT-13");
        assert!(order["pix_e2e"].is_string() && id.starts_with("sbx_"), "{order}");
    }
}

#[test]
fn a_second_accept_after_a_silent_settler_is_remembered_whatever_is_lost_between() {
    let mut trial = Trial::new();
    let id = trial.sell(0, amount_body("10.07")).body["cashout_id"].as_str().unwrap().to_owned();
    assert_eq!(trial.accept(1, &id).status, 503);
    // A sequencer that replays the journal knows that it was asked before.
    let commit = trial.sequencer.cut().unwrap();
    let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
    let mut again = Sequencer::new("sandbox", identity);
    for row in &commit.rows {
        again.replay(row).unwrap();
    }
    trial.sequencer = again;
    assert_eq!(trial.accept(2, &id).body["state"], "AWAITING_DEPOSIT");
}

#[test]
fn what_was_reported_by_hand_first_is_not_reported_again() {
    let mut trial = Trial::new();
    let id = trial.accepted(0, amount_body("10.00"));
    trial.report(
        1,
        "deposit.seen",
        json!({
            "cashout_id": id, "tx_hash": "0xhand", "asset": "usdt", "network": "polygon",
            "amount": "10",
        }),
    );
    trial.report(2, "deposit.confirmed", json!({ "cashout_id": id, "tx_hash": "0xhand" }));
    let e2e = "E9040088820261120120000000000001";
    trial.report(3, "cashout.paid", json!({ "cashout_id": id, "e2e": e2e }));
    let records = trial.sequencer.head().seq;
    let order = trial.get(60, &format!("/cash-outs/{id}"));
    assert_eq!((&order["state"], &order["pix_e2e"]), (&json!("COMPLETED"), &json!(e2e)));
    assert_eq!(trial.sequencer.head().seq, records);
}

#[test]
fn inv_47_the_same_amounts_on_a_production_key_mean_nothing() {
    use crate::day::Day;
    use crate::selling::STANDARD;
    let mut day = Day::selling("2026-11-20T12:00:00Z", STANDARD);
    for ending in ["04", "06", "08"] {
        let body = json!({ "asset": "usdt", "network": "polygon", "amount": format!("10.{ending}"),
                           "pix_key": "bia@exemplo.com.br" });
        let made = day.ask("2026-11-20T12:00:00Z", "POST /cash-outs", &body);
        assert_eq!(made.status, 200, "{}", made.body);
    }
}
