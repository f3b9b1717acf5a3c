//! A day at the counter: both ledgers in memory, driven by JSON lines as `run` drives them.
//!
//! After every line every invariant is checked, so whatever a test drives, the books add up.

use std::collections::HashMap;

use ledger_core::accounting::Control;
use ledger_core::contract::{
    Call, CallKind, Code, Environment, EventContext, Line, Problem, Response, RouteKind, Vault,
    Views,
};
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{Archive, Instruction, Notification, Origin, State, invariants};
use ledger_core::time::Instant;
use ledger_store::digest::digest;
use ledger_store::journal::Identity;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Commit, Link};
use serde_json::{Map, Value, json};

/// The live account's key.
pub const KEY: &str = "svc_live_loja";

/// The payer and the beneficiary of whoever does not care.
pub const PAYER: &str = "39053344705";
pub const OWNER: &str = "52998224725";

/// Terms under which a deposit can be spent as soon as it is paid.
pub const AT_ONCE: &str = r#"{"sem_retencao":true,"liberacao":"imediata","carencia_horas":0}"#;

pub struct Day {
    live: Sequencer,
    sandbox: Sequencer,
    labels: HashMap<String, Value>,
    given_ids: u64,
    events: Vec<Value>,
    instructions: Vec<Value>,
    overheard: Option<Vec<Heard>>,
    /// Tells whether the invariants are checked after every line.
    checked: bool,
}

/// What was said in answer to one call, and what a log would make of it.
pub struct Heard {
    pub answer: String,
    pub debug: String,
}

impl Day {
    /// Two empty ledgers.
    pub fn new() -> Self {
        let sequencer = |environment: Environment| {
            let identity = Identity::by_name(ledger_store::Algorithm::Blake3, [7; 32]);
            Sequencer::new(environment.name(), identity)
        };
        Self {
            live: sequencer(Environment::Live),
            sandbox: sequencer(Environment::Sandbox),
            labels: HashMap::new(),
            given_ids: 0,
            events: Vec::new(),
            instructions: Vec::new(),
            overheard: None,
            checked: true,
        }
    }

    /// Very many lines, after which the invariants are checked once.
    pub fn in_haste(&mut self, lines: impl FnOnce(&mut Self)) {
        self.checked = false;
        lines(self);
        self.checked = true;
    }

    /// The account `loja` under the published terms, opened at `at`.
    pub fn opened(at: &str) -> Self {
        Self::with_terms(at, "{}")
    }

    /// The account `loja` under the published terms but for those given; payers without a ladder.
    pub fn with_terms(at: &str, terms: &str) -> Self {
        let mut day = Self::with_ladder(at, terms);
        assert_eq!(day.adopt(at, json!({ "payer_ladder": false })), "applied");
        day
    }

    /// The same, where payers stand on the ladder of the contract's section 8.
    pub fn with_ladder(at: &str, terms: &str) -> Self {
        let mut day = Self::new();
        let terms: Value = serde_json::from_str(terms).unwrap();
        let body = json!({ "id": "acc-1", "account": "loja", "terms": terms });
        let line = json!({
            "at": at, "fact": "account.opened", "environment": "live", "body": body,
            "supplied": { "key": KEY },
        });
        assert_eq!(day.line(&line.to_string()).body, json!({ "outcome": "applied" }));
        day
    }

    /// One line, as it stands in a file.
    pub fn line(&mut self, text: &str) -> Response {
        let labels = &self.labels;
        let line = match Line::parse(text, |name| refer(labels, name)) {
            Ok(line) => line,
            Err(problem) => return Response::problem(&problem, RouteKind::Other, self.now(), None),
        };
        let mut answer: Option<Response> = None;
        let supplied = with_qr(&line);
        for environment in self.addressed(&line) {
            let mut call = line.clone().call(Origin::Call);
            call.supplied = supplied.clone();
            let response = self.handle(environment, &call);
            crate::routes::is_as_declared(&call.ask, &response);
            let ledger = self.book_of(environment).ledger();
            if !self.checked {
                answer = Some(response);
                continue;
            }
            let lawful = invariants::check_all(&ledger.state, &ledger.archive)
                .and_then(|()| invariants::check_statements(&ledger.state, &ledger.archive));
            lawful.unwrap_or_else(|broken| {
                panic!("after {text}: {broken:?}");
            });
            if answer.as_ref().is_none_or(|known| known.status < response.status) {
                answer = Some(response);
            }
        }
        let answer = answer.expect("every line is for a ledger");
        if let Some(label) = line.label {
            self.labels.insert(label, answer.body.clone().into());
        }
        answer
    }

    /// Returns what was answered to the line of this label.
    pub fn answer_to(&self, label: &str) -> &Value {
        self.labels.get(label).unwrap_or(&Value::Null)
    }

    /// A request of `loja`.
    pub fn ask(&mut self, at: &str, request: &str, body: &Value) -> Response {
        let line = json!({ "at": at, "key": KEY, "request": request, "body": body });
        self.line(&line.to_string())
    }

    /// A read of `loja`, which must succeed.
    pub fn get(&mut self, at: &str, target: &str) -> Value {
        let line = json!({ "at": at, "key": KEY, "request": format!("GET {target}") });
        let answer = self.line(&line.to_string());
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        answer.body.into()
    }

    /// A read with another key, which must succeed.
    pub fn get_with(&mut self, key: &str, at: &str, target: &str) -> Value {
        let line = json!({ "at": at, "key": key, "request": format!("GET {target}") });
        let answer = self.line(&line.to_string());
        assert_eq!(answer.status, 200, "{target}: {}", answer.body);
        answer.body.into()
    }

    /// A fact: what was its outcome.
    pub fn report(&mut self, at: &str, fact: &str, body: &Value) -> String {
        let answer = self.report_as("", at, fact, body);
        answer["outcome"].as_str().unwrap_or_else(|| panic!("{fact}: {answer}")).to_owned()
    }

    /// A change of the live ledger's policy: the outcome.
    pub fn adopt(&mut self, at: &str, mut policy: Value) -> String {
        policy["id"] = self.outside_id().into();
        let line = json!({
            "at": at, "fact": "policy.adopted", "environment": "live", "body": policy,
        });
        self.line(&line.to_string()).body["outcome"].as_str().unwrap_or_default().to_owned()
    }

    /// A change of the terms of `loja`: the outcome.
    pub fn agree(&mut self, at: &str, mut terms: Value) -> String {
        terms["id"] = self.outside_id().into();
        terms["account"] = "loja".into();
        self.report(at, "terms.adopted", &terms)
    }

    /// A fact whose answer later lines refer to: the body of the answer.
    pub fn report_as(&mut self, label: &str, at: &str, fact: &str, body: &Value) -> Value {
        let mut line = json!({ "at": at, "fact": fact, "body": body });
        if !label.is_empty() {
            line["as"] = label.into();
        }
        self.line(&line.to_string()).body.into()
    }

    /// A charge labelled by its `external_id`; an empty customer is the house.
    pub fn charge(&mut self, id: &str, at: &str, customer: &str, cents: i64) -> Response {
        let mut body = json!({
            "destino": "saldo", "amount_cents": cents, "payer_tax_number": PAYER, "external_id": id,
        });
        if !customer.is_empty() {
            body["customer_ref"] = customer.into();
        }
        let line = json!({
            "at": at, "as": id, "key": KEY, "request": "POST /cashin/charge", "body": body,
        });
        self.line(&line.to_string())
    }

    /// A PIX of a new end-to-end id for a labelled charge: the outcome.
    pub fn pix(&mut self, id: &str, at: &str, cents: i64) -> String {
        let body = json!({
            "cashin_id": format!("${id}.cashin_id"), "e2e": self.outside_id(), "amount_cents": cents,
        });
        self.report(at, "pix.received", &body)
    }

    /// A charge of the house paid by this document: what became of its PIX.
    pub fn deposit_of(&mut self, id: &str, at: &str, payer: &str, cents: i64) -> String {
        let line = json!({
            "at": at, "as": id, "key": KEY, "request": "POST /cashin/charge",
            "body": { "destino": "saldo", "amount_cents": cents, "payer_tax_number": payer },
        });
        assert_eq!(self.line(&line.to_string()).status, 200);
        self.pix(id, at, cents)
    }

    /// A charge paid at once.
    pub fn deposit(&mut self, id: &str, at: &str, customer: &str, cents: i64) {
        assert_eq!(self.charge(id, at, customer, cents).status, 200);
        assert_eq!(self.pix(id, at, cents), "applied");
    }

    /// A return of part of a labelled charge to its payer: the outcome.
    pub fn give_back(&mut self, id: &str, at: &str, cents: i64) -> String {
        let body = json!({
            "cashin_id": format!("${id}.cashin_id"), "return_id": self.outside_id(),
            "amount_cents": cents,
        });
        self.report(at, "pix.returned", &body)
    }

    /// A payout labelled by its `external_id`; an empty customer is the house.
    pub fn payout(&mut self, id: &str, at: &str, customer: &str, cents: i64) -> Response {
        let mut body = payout_body(id, cents);
        if !customer.is_empty() {
            body["customer_ref"] = customer.into();
        }
        let line =
            json!({ "at": at, "as": id, "key": KEY, "request": "POST /payouts", "body": body });
        self.line(&line.to_string())
    }

    /// News of a labelled payout's payment, with a new end-to-end id: the outcome.
    pub fn paid(&mut self, id: &str, at: &str) -> String {
        let body = json!({ "payout_id": format!("${id}.payout_id"), "e2e": self.outside_id() });
        self.report(at, "payout.paid", &body)
    }

    /// A transfer between two of `loja`'s balances.
    pub fn transfer(&mut self, id: &str, at: &str, from: &str, to: &str, cents: i64) -> Response {
        let body = json!({
            "from_customer_ref": from, "to_customer_ref": to, "amount_cents": cents,
            "external_id": id,
        });
        self.ask(at, "POST /saldo/transferir", &body)
    }

    /// Available and blocked of one subaccount; an empty name is the house.
    pub fn balance(&mut self, at: &str, customer: &str) -> (i64, i64) {
        let query =
            if customer.is_empty() { String::new() } else { format!("?customer_ref={customer}") };
        let saldo = self.get(at, &format!("/saldo{query}"));
        (saldo["disponivel_cents"].as_i64().unwrap(), saldo["bloqueado_cents"].as_i64().unwrap())
    }

    /// The rows of a statement, oldest first.
    pub fn rows(&mut self, at: &str, customer: &str, view: &str) -> Vec<Value> {
        let target = format!("/saldo/extrato?limit=200{view}&customer_ref={customer}");
        let page = self.get(at, target.trim_end_matches("&customer_ref="));
        assert_eq!(page["has_more"], false);
        page["items"].as_array().unwrap().iter().rev().cloned().collect()
    }

    /// `valor_cents` of every row of the default view, oldest first.
    pub fn values(&mut self, at: &str, customer: &str) -> Vec<i64> {
        let rows = self.rows(at, customer, "");
        rows.iter().map(|row| row["valor_cents"].as_i64().unwrap()).collect()
    }

    /// The balance of a control account of the live ledger, debits less credits for none but assets
    /// and expenses.
    pub fn money(&self, control: Control) -> i128 {
        self.live.ledger().state.books.balance(control)
    }

    /// The state hash of the live ledger.
    pub fn digest(&self) -> Link {
        digest(self.live.ledger())
    }

    /// The live sequencer.
    pub const fn sequencer(&self) -> &Sequencer {
        &self.live
    }

    /// The sequencer of an environment.
    pub const fn book_of(&self, environment: Environment) -> &Sequencer {
        match environment {
            Environment::Live => &self.live,
            Environment::Sandbox => &self.sandbox,
        }
    }

    /// Returns what an environment's ledger has decided since the last cut, as its journal would
    /// keep it.
    pub fn cut(&mut self, environment: Environment) -> Option<Commit> {
        self.book_mut(environment).cut()
    }

    /// The webhook events since the day began, as clients get them.
    pub fn events(&self) -> &[Value] {
        &self.events
    }

    /// From now on, whatever is said is kept.
    pub fn overhear(&mut self) {
        self.overheard = Some(Vec::new());
    }

    /// Whatever was said since [`Day::overhear`].
    pub fn overheard(&self) -> &[Heard] {
        self.overheard.as_deref().unwrap_or_default()
    }

    /// The names of the events since the last look.
    pub fn new_events(&mut self) -> Vec<String> {
        let events = std::mem::take(&mut self.events);
        events.iter().map(|event| event["event"].as_str().unwrap().to_owned()).collect()
    }

    /// What the world was asked to do, as people are shown it.
    pub fn instructions(&self) -> &[Value] {
        &self.instructions
    }

    fn handle(&mut self, environment: Environment, call: &Call) -> Response {
        let sequencer = match environment {
            Environment::Live => &mut self.live,
            Environment::Sandbox => &mut self.sandbox,
        };
        let handled = sequencer.handle(call);
        if let Some(last) = handled.records.last() {
            let ledger = sequencer.ledger();
            invariants::check_touched(&ledger.state, &ledger.archive, last).unwrap();
        }
        let harness = sequencer.views();
        assert_shown_by_what_is_taken(&harness, &handled.notifications, &handled.instructions);
        self.events.extend(
            handled.notifications.iter().map(|notification| harness.event(notification).into()),
        );
        let tasks = handled.instructions.iter();
        self.instructions.extend(tasks.map(|task| harness.instruction(task).into()));
        if let Some(overheard) = &mut self.overheard {
            let answer = handled.response.body.to_string();
            overheard.push(Heard { answer, debug: format!("{call:?} {handled:?}") });
        }
        // Whoever embeds the ledgers passes on what one has for the other.
        if let Some(onward) = &handled.onward {
            self.handle(Environment::Live, onward);
        }
        handled.response
    }

    /// An id of the PIX system that no line has used yet.
    pub fn outside_id(&mut self) -> String {
        self.given_ids += 1;
        format!("E90400888202610201200{:011}", self.given_ids)
    }

    const fn book_mut(&mut self, environment: Environment) -> &mut Sequencer {
        match environment {
            Environment::Live => &mut self.live,
            Environment::Sandbox => &mut self.sandbox,
        }
    }

    fn now(&self) -> Instant {
        self.live.ledger().state.now
    }

    fn addressed(&self, line: &Line) -> Vec<Environment> {
        let known = |test: &dyn Fn(&Sequencer) -> bool| {
            let all = Environment::ALL.into_iter();
            all.filter(|environment| test(self.book_of(*environment))).collect::<Vec<_>>()
        };
        let text = |name: &str| line.body.get(name).and_then(Value::as_str).unwrap_or_default();
        let home = line.environment.or_else(|| line.ask.home());
        let found = match (&line.ask, home) {
            (_, Some(environment)) => vec![environment],
            (CallKind::Fact(name), None) if name == "time.passed" => Environment::ALL.into(),
            (CallKind::Fact(_), None) => known(&|sequencer| {
                let state = &sequencer.ledger().state;
                state.account_named(text("account")).is_some()
                    || Kind::fields().any(|id| OpId::parse(text(id), &state.name).is_some())
            }),
            (CallKind::Request { key: None, target, .. }, None) => {
                vec![Environment::of_public(target)]
            }
            (CallKind::Request { key, .. } | CallKind::Command { key, .. }, None) => {
                known(&|sequencer| {
                    let key = sequencer.tokens().api_key(key.as_deref().unwrap_or_default());
                    sequencer.ledger().state.account_of_key(&key).is_some()
                })
            }
        };
        if found.is_empty() { vec![Environment::Live] } else { found }
    }
}

/// A payout of `loja` without a subaccount.
pub fn payout_body(id: &str, cents: i64) -> Value {
    json!({
        "amount_cents": cents, "pix_key": "ana@exemplo.com.br", "tax_number": OWNER,
        "external_id": id,
    })
}

/// Returns what an operator's fact says besides.
pub fn judged(body: Value) -> Value {
    let Value::Object(mut body) = body else { panic!("a fact's body is an object") };
    body.insert("actor".into(), "bia".into());
    body.insert("reason".into(), "checked by hand".into());
    body.insert("evidence".into(), "case-1".into());
    Value::Object(body)
}

/// The names of an object's fields, in the order they stand.
pub fn fields(value: &Value) -> Vec<&str> {
    let object: &Map<String, Value> = value.as_object().unwrap();
    object.keys().map(String::as_str).collect()
}

/// Returns what the provider supplies for a charge, unless the line says what it supplies.
fn with_qr(line: &Line) -> Value {
    let mut supplied = line.supplied.clone();
    let charge =
        matches!(&line.ask, CallKind::Request { target, .. } if target == "/cashin/charge");
    if charge && supplied.is_null() {
        supplied = json!({ "qr_copypaste": "00020126-qr" });
    }
    let accepts =
        matches!(&line.ask, CallKind::Request { target, .. } if target.ends_with("/accept"));
    if accepts && supplied.is_null() {
        supplied = json!({ "deposit_address": "0xdeposit-here" });
    }
    supplied
}

fn refer(labels: &HashMap<String, Value>, name: &str) -> Result<String, Problem> {
    let (label, field) = name.split_once('.').unwrap_or((name, ""));
    let text = labels.get(label).and_then(|body| body.get(field)).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| {
        Problem::new(Code::FormatInvalid, format!("${name}: no line has the label {label}"))
    })
}

/// Whoever renders an event or an instruction from what was taken with it, the ledger's name and
/// its catalogue, and from nothing else, renders it as the ledger does.
fn assert_shown_by_what_is_taken<A: Archive, V: Vault>(
    views: &Views<'_, A, V>,
    notifications: &[Notification],
    instructions: &[Instruction],
) {
    let mut names = State::new(views.state.name.clone());
    names.catalogue = views.state.catalogue.clone();
    let (state, vault) = (&names, views.vault);
    for notification in notifications {
        let archive = &EventContext::for_notification(notification, views.archive);
        let event = Views { state, archive, vault }.event(notification).to_string();
        assert_eq!(event, views.event(notification).to_string());
    }
    for instruction in instructions {
        let archive = &EventContext::default();
        let shown = Views { state, archive, vault }.instruction(instruction).to_string();
        assert_eq!(shown, views.instruction(instruction).to_string());
    }
}
