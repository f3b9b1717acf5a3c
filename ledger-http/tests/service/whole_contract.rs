//! The file with every flow of the contract, sent as HTTP: the same answers as `run` gives.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use ledger_core::contract::{Call, CallKind, Environment, Line, OwnPath, Problem};
use ledger_core::ledger::Origin;
use ledger_http::{Limits, OpenLedger, ServiceBuilder, Supply, Supplying};
use serde_json::Value;

use crate::served::{Answer, Served};

// What `run` supplies in the provider's place, derived from each line.
#[path = "../../../src/cli/provider.rs"]
mod provider;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/whole-contract.jsonl");
const ANSWERS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/whole-contract.answers.jsonl");

/// Supplies what the line that is being sent has.
#[derive(Clone, Default)]
struct OfTheLine(Arc<Mutex<Value>>);

impl Supply for OfTheLine {
    fn supply<'a>(&'a self, _: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
        Box::pin(async move {
            if let Value::Object(supplied) = &*self.0.lock().unwrap() {
                for (name, value) in supplied {
                    call.supplied[name] = value.clone();
                }
            }
            Ok(())
        })
    }
}

/// Lines sent as HTTP, one after the other.
struct Sender {
    served: Served,
    supplied: OfTheLine,
    answers: HashMap<String, Value>,
}

impl Sender {
    fn new() -> Self {
        Self::over(|change| Served::with(64, change))
    }

    /// The same lines, to three ledgers of real money.
    fn to_cells() -> Self {
        let names = ["cell-a", "cell-b", "cell-c"];
        Self::over(|change| Served::in_cells(&names, |service, _| change(service)))
    }

    fn over(
        start: impl FnOnce(Box<dyn FnOnce(ServiceBuilder) -> ServiceBuilder>) -> Served,
    ) -> Self {
        let supplied = OfTheLine::default();
        let its = supplied.clone();
        let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        let limits = Limits { trusted_proxies, ..Limits::default() };
        let served = start(Box::new(|service| service.supply(its).limits(limits)));
        Self { served, supplied, answers: HashMap::new() }
    }

    fn read(&self, text: &str) -> Line {
        let refer = |name: &str| -> Result<String, Problem> {
            let (label, field) = name.split_once('.').unwrap();
            let found = self.answers[label].pointer(&format!("/{}", field.replace('.', "/")));
            Ok(match found.unwrap() {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            })
        };
        let mut line = Line::parse(text, refer).unwrap();
        let ledgers = self.served.service.ledgers();
        let tokens = *ledgers.for_environment(Environment::Live).tokens();
        let targets = [Environment::Live];
        provider::supply_line(&mut line, &targets, || tokens.line(text), |text| tokens.line(text));
        line
    }

    fn send(&mut self, text: &str) -> Answer {
        let line = self.read(text);
        self.served.clock.set(line.at);
        *self.supplied.0.lock().unwrap() = line.supplied.clone();
        let label = line.label.clone();
        let (ip, environment) = (line.ip, line.environment);
        let Call { ask, body, .. } = line.call(Origin::Call);
        let body = if body.is_null() { None } else { Some(body.to_string()) };
        let answer = match ask {
            CallKind::Request { method, target, key } => {
                self.ask(&method, &target, key.as_deref(), ip, body.as_deref())
            }
            CallKind::Command { name, key } => {
                let own = OwnPath::of_command(&name).unwrap();
                let given: Value = serde_json::from_str(body.as_deref().unwrap_or("{}")).unwrap();
                let id = given["withdrawal_id"].as_str().unwrap_or_default();
                let path = own.path.replace("{withdrawal_id}", id);
                let body = body.filter(|_| id.is_empty());
                self.ask(own.method.name(), &path, key.as_deref(), ip, body.as_deref())
            }
            CallKind::Fact(name) => {
                let said = environment.map_or(String::new(), |environment| {
                    format!("?environment={}", environment.name())
                });
                let world = self.served.world();
                world.post(&format!("/facts/{name}{said}"), body.as_deref().unwrap_or_default())
            }
        };
        if let Some(label) = label {
            self.answers.insert(label, answer.body());
        }
        answer
    }

    fn ask(
        &self,
        method: &str,
        target: &str,
        key: Option<&str>,
        ip: Option<std::net::IpAddr>,
        body: Option<&str>,
    ) -> Answer {
        let ip = ip.map(|ip| ip.to_string());
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(key.map(|key| ("x-api-key", key)));
        headers.extend(ip.as_deref().map(|ip| ("x-forwarded-for", ip)));
        self.served.send(method, target, &headers, body)
    }
}

/// The answer's text; of an error without the request's id, which a line does not have.
fn comparable(answer: &Answer) -> String {
    let mut body = answer.body();
    if body.get("erro").is_none() {
        return answer.text.clone();
    }
    let id = body.as_object_mut().unwrap().shift_remove("request_id");
    assert_eq!(id.unwrap(), answer.header("x-request-id"), "{}", answer.text);
    body.to_string()
}

#[test]
fn every_flow_is_answered_over_http_as_run_answers_it() {
    let mut sender = Sender::new();
    let (lines, answers) =
        (std::fs::read_to_string(FILE).unwrap(), std::fs::read_to_string(ANSWERS).unwrap());
    let mut sent = 0;
    for (line, expected) in lines.lines().zip(answers.lines()) {
        let expected: Value = serde_json::from_str(expected).unwrap();
        let answer = sender.send(line);
        let place = format!("line {}: {line}", expected["line"]);
        // `run` says beside an error of which line it is.
        let said = expected["body"]
            .to_string()
            .replace(&format!("\"detail\":\"line {}: ", expected["line"]), "\"detail\":\"");
        assert_eq!(comparable(&answer), said, "{place}");
        assert_eq!(answer.status, expected["status"], "{place}");
        sent += 1;
    }
    assert_eq!(sent, 99);
}

/// An answer's text, in which every word that could be an id or is made of one is replaced by its
/// place among those that came before.
fn without_ids(text: &str, known: &mut HashMap<String, usize>) -> String {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let (mut shown, mut word) = (String::new(), String::new());
    for letter in text.chars().chain(std::iter::once(' ')) {
        if is_word(letter) {
            word.push(letter);
            continue;
        }
        let digits = word.chars().filter(char::is_ascii_digit).count();
        // Rows of a statement are named by a number, which is longer than any amount here.
        if (word.len() >= 12 && digits >= 4) || (word.len() == digits && digits >= 7) {
            let next = known.len();
            let place = known.entry(std::mem::take(&mut word)).or_insert(next);
            shown += "#";
            shown += &place.to_string();
        } else {
            shown.push_str(&std::mem::take(&mut word));
        }
        shown.push(letter);
    }
    shown
}

#[test]
fn every_flow_is_answered_by_three_cells_as_by_one_ledger_but_for_ids() {
    let (mut one, mut three) = (Sender::new(), Sender::to_cells());
    let (mut of_one, mut of_three) = (HashMap::new(), HashMap::new());
    for line in std::fs::read_to_string(FILE).unwrap().lines() {
        let (expected, answer) = (one.send(line), three.send(line));
        let said = without_ids(&comparable(&answer), &mut of_three);
        assert_eq!(said, without_ids(&comparable(&expected), &mut of_one), "{line}");
        assert_eq!(answer.status, expected.status, "{line}");
    }
    let directory = three.served.service.ledgers();
    let accounts = directory
        .each_of(Environment::Live)
        .map(|ledger| ledger.engine().committed_now().unwrap().accounts().count());
    let accounts: Vec<usize> = accounts.collect();
    assert!(1 < accounts.iter().filter(|count| 0 < **count).count(), "{accounts:?}");
}
