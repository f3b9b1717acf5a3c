//! Decisions about persons: erased, held from being erased, and released.
//!
//! They are no facts, and nothing of them stands in a journal; who took them, when and why is kept
//! in the service's tables, and so is the certificate of an erasure.

pub(crate) mod acts;
pub(crate) mod certificates;
pub(crate) mod shape;
pub(crate) mod words;

use std::sync::Arc;

use ledger_core::contract::{Code, Environment, Problem, Response};
use ledger_core::ledger::Outcome;
use ledger_core::pix::{KeyType, Letters, PixKey};
use ledger_store::engine::EngineError;
use ledger_store::sequencer::Preview;
use ledger_store::signing::key::Signer;
use ledger_store::vault::{Erased, LegalHold, Mentions, OperatorNote, Person, holding_person};
use serde_json::{Value, json};

use acts::PersonAct;

use super::Operators;
use super::confirming::{claim, proposal_to_confirm};
use super::decided::{Decided, NotDecided, Proposal, in_order};
use super::role::Operator;
use super::second::{DecisionKey, Proposed};
use crate::edge::path::segment;
use crate::ledgers::{OpenLedger, Unanswered};
use crate::search::document;
use crate::service::Service;

/// What is decided.
#[derive(Clone)]
enum Act {
    Erase(Person),
    Place(String, Person),
    Release(String),
}

/// What is known before anything is done.
struct Standing {
    act: Act,
    /// What stands of the person, what stays, and what still needs it.
    about: Value,
}

/// Tries a decision about a person, and carries it out unless it is a dry run or wants another
/// operator.
pub(super) async fn decide(
    service: &Service,
    operator: &Operator,
    proposal: Proposal,
) -> Result<Decided, NotDecided> {
    let Proposal { name, ledger, body, dry_run } = proposal;
    let label = ledger.unwrap_or_else(|| Environment::Live.name().to_owned());
    let (Some(operators), Some(ledger)) =
        (service.operators(), service.ledgers().by_label(&label).cloned())
    else {
        return Err(refusal(Code::NotFound, "there is no ledger of this name"));
    };
    let reason = text(&body, "reason").ok_or_else(|| wrong("reason must be given, in a line"))?;
    let act = act(&name, &body, &reason)?;
    let id = text(&body, "id").ok_or_else(|| wrong("id must be given, in a line"))?;
    let said = format!("{name}:{:016x}", ledger.tokens().line(&in_order(&body)));
    let key = DecisionKey { ledger: label.clone(), decision: name.clone(), id: id.clone() };
    let now = service.now();
    if let Some(done) = operators.person_act(&label, &id).await? {
        if done.said != said || !done.by.split(", ").any(|one| one == operator.name) {
            let detail = "the id was used for something else";
            return Err(refusal(Code::ExternalIdDiverges, detail));
        }
        if done.is_done() {
            let mut known = json!({ "outcome": "known" });
            if operators.certificate(&label, &id).await?.is_some() {
                known["certificate"] = certificate_path(&key.ledger, &key.id).into();
            }
            let response = Some(Response::ok(known));
            return Ok(decision_result(Outcome::Known, response, false, None));
        }
    }
    let first = proposal_to_confirm(service, (&key, &body), operator).await?;
    let is_wanted = service.parts().second_operator.is_wanted(&name, None) && first.is_none();
    let standing = standing(&ledger, operators, act).await?;
    let about = Some(standing.about);
    if dry_run {
        return Ok(decision_result(Outcome::Applied(None), None, is_wanted, about));
    }
    if is_wanted {
        let (by, confirming, ended) = (operator.name.clone(), None, None);
        operators.propose(Proposed { key, body, by, at: now, confirming, ended }).await?;
        return Ok(decision_result(Outcome::Applied(None), None, true, about));
    }
    let mut by = operator.name.clone();
    if let Some(first) = &first {
        by = format!("{}, {by}", first.by);
        claim(service, first, operator).await?;
    }
    let kept = PersonAct { ledger: label, id, said, by, reason, at: now, outcome: String::new() };
    operators.keep_act(kept.clone()).await?;
    let note = OperatorNote { at: now, by: kept.by.clone(), reason: kept.reason.clone() };
    let deed = Deed {
        ledger: Arc::clone(&ledger),
        operators: operators.clone(),
        key: key.clone(),
        note,
        certificate_key: service.parts().certificate_key.clone(),
    };
    let done = tokio::task::spawn_blocking(move || deed.carry_out(standing.act));
    let done = done.await.map_err(|_| Unanswered::Away)?;
    let outcome = match &done {
        Ok(_) => "done",
        Err(NotDecided::Refused(_)) => "refused",
        Err(NotDecided::Unanswered(_)) => "",
    };
    operators.keep_act(PersonAct { outcome: outcome.to_owned(), ..kept }).await?;
    match &done {
        Ok(_) => operators.proposing(move |store| store.confirm(&key)).await?,
        Err(_) => {
            let by = operator.name.clone();
            operators.proposing(move |store| store.release(&key, &by)).await?
        }
    };
    Ok(decision_result(Outcome::Applied(None), Some(Response::ok(done?)), false, about))
}

const fn decision_result(
    outcome: Outcome,
    response: Option<Response>,
    wants_second: bool,
    about: Option<Value>,
) -> Decided {
    let preview =
        Preview { outcome, events: Vec::new(), reason: None, first: None, ignored: Vec::new() };
    Decided { preview, response, wants_second, about }
}

/// A line of a body, which is no personal value where it is a reason or a name of a hold.
fn text(body: &Value, name: &str) -> Option<String> {
    let text = body.get(name)?.as_str()?.trim();
    let fits = !text.is_empty() && text.chars().count() <= 280;
    (fits && !text.chars().any(char::is_control)).then(|| text.to_owned())
}

/// Reads what is decided, and of whom.
fn act(name: &str, body: &Value, reason: &str) -> Result<Act, Problem> {
    let hold = || text(body, "hold").ok_or_else(|| wrong("hold must be given, in a line"));
    if name == "person.released" {
        return Ok(Act::Release(hold()?));
    }
    let mut person = Person::default();
    if let Some(text) = text(body, "document") {
        let read = document(&text).ok_or_else(|| wrong("document is no CPF and no CNPJ"))?;
        person = person.document(&read);
    }
    if let Some(text) = text(body, "pix_key") {
        let kinds = ["cpf", "cnpj", "phone", "email", "random"].map(KeyType::parse);
        let keys = kinds.map(|kind| PixKey::parse(&text, kind, Letters::Accepted).ok());
        if keys.iter().all(Option::is_none) {
            return Err(wrong("pix_key is no PIX key of any kind"));
        }
        person = keys.iter().flatten().fold(person, Person::pix_key);
    }
    if let Some(text) = text(body, "email") {
        person = person.email(&text);
    }
    if let Some(text) = text(body, "name") {
        person = person.name(&text);
    }
    if person.is_empty() {
        return Err(wrong("nobody is named: give document, pix_key, email or name"));
    }
    if name == "person.erased" {
        return if person.is_in(reason) { Err(wrong(NAMELESS)) } else { Ok(Act::Erase(person)) };
    }
    let hold = hold()?;
    if person.is_in(reason) || person.is_in(&hold) {
        return Err(wrong(NAMELESS));
    }
    Ok(Act::Place(hold, person))
}

const NAMELESS: &str = "reason and hold are kept in clear: they name nobody";

fn wrong(detail: &str) -> Problem {
    Problem::new(Code::RequestInvalid, detail)
}

fn refusal(code: Code, detail: &str) -> NotDecided {
    Problem::new(code, detail).into()
}

/// Reads what an act would do, or why it would do nothing. Reads the whole journal.
async fn standing(
    ledger: &OpenLedger,
    operators: &Operators,
    act: Act,
) -> Result<Standing, NotDecided> {
    let engine = Arc::clone(ledger.engine());
    let state = engine.committed_state().await.map_err(|_| Unanswered::Away)?;
    let (operators, label) = (operators.clone(), ledger.label().to_owned());
    let looked = move || -> Result<Result<Standing, Problem>, Unanswered> {
        let away = |_| Unanswered::Away;
        let mut journal = engine.reader().map_err(|_| Unanswered::Away)?;
        let holds = journal.holds().map_err(|_| Unanswered::Away)?;
        let conflict = |detail: String| Ok(Err(Problem::new(Code::StateInvalid, detail)));
        let person = match &act {
            Act::Release(name) => {
                let in_force = holds.iter().any(|it| it.id == *name && it.released.is_none());
                if !in_force {
                    let detail = "no legal hold of this name is in force";
                    return Ok(Err(Problem::new(Code::NotFound, detail)));
                }
                return Ok(Ok(Standing { about: json!({ "releases": name }), act }));
            }
            Act::Place(name, _) if holds.iter().any(|it| it.id == *name) => {
                return conflict("a hold of this name was placed before: use another".to_owned());
            }
            Act::Place(_, person) | Act::Erase(person) => person.clone(),
        };
        let held = holding_person(&mut *journal, &person).map_err(|_| Unanswered::Away)?;
        let mentions = Mentions::read(&mut *journal, &person).map_err(|_| Unanswered::Away)?;
        let words = operators.mentioning(&person).map_err(away)?;
        let stand = mentions.values.iter().filter(|value| value.value.is_some());
        let values: Vec<Value> = stand
            .map(|value| erased_json(Erased { token: value.token, sort: value.sort }))
            .collect();
        if let (Act::Erase(_), Some(names)) = (&act, &held) {
            return conflict(format!(
                "the legal hold {names} is in force: person.released ends it"
            ));
        }
        if matches!(act, Act::Erase(_)) && values.is_empty() && words == 0 {
            return conflict("nothing is kept of them".to_owned());
        }
        let open = mentions.operations.iter().filter(|op| state.open(**op).is_some());
        let theirs = mentions.operations.iter().map(|op| op.text(&state.name)).collect();
        let stay = operators.words_about(&label, &person, &theirs).map_err(away)?.staying();
        let about = json!({
            "values": values,
            "words_of_operators": words,
            "words_that_stay": stay,
            "records_that_stay": mentions.records.len(),
            "open_operations": open.map(|op| op.text(&state.name)).collect::<Vec<_>>(),
            "legal_holds": held,
        });
        Ok(Ok(Standing { act, about }))
    };
    let looked = tokio::task::spawn_blocking(looked).await.map_err(|_| Unanswered::Away)??;
    Ok(looked?)
}

fn erased_json(erased: Erased) -> Value {
    json!({ "kind": erased.kind(), "token": erased.token_text() })
}

/// Where the console gives the certificate of an erasure.
pub(crate) fn certificate_path(ledger: &str, id: &str) -> String {
    format!("/{}/person/certificates/{}", segment(ledger), segment(id))
}

/// What carries an act out; its methods block.
struct Deed {
    ledger: Arc<OpenLedger>,
    operators: Operators,
    key: DecisionKey,
    note: OperatorNote,
    certificate_key: Option<Signer>,
}

impl Deed {
    fn carry_out(self, act: Act) -> Result<Value, NotDecided> {
        let engine = self.ledger.engine();
        match act {
            Act::Erase(person) => self.erase(person),
            Act::Place(name, person) => {
                let hold = LegalHold::new(&name, person.tokens(self.ledger.tokens()), self.note);
                match engine.place_hold(&hold) {
                    Ok(true) => Ok(json!({ "outcome": "applied", "held": name })),
                    Ok(false) => Err(refusal(Code::StateInvalid, "a hold of this name was placed")),
                    Err(_) => Err(Unanswered::Away.into()),
                }
            }
            Act::Release(name) => match engine.release_hold(&name, &self.note) {
                Ok(true) => Ok(json!({ "outcome": "applied", "released": name })),
                Ok(false) => Err(refusal(Code::NotFound, "no hold of this name is in force")),
                Err(_) => Err(Unanswered::Away.into()),
            },
        }
    }

    /// Erases a person, and keeps the certificate of it.
    fn erase(self, person: Person) -> Result<Value, NotDecided> {
        let Self { ledger, operators, key, note, certificate_key } = self;
        let id = (&*key.ledger, &*key.id);
        // What cannot be kept is not erased.
        operators.keep_certificate(id, "")?;
        let forget =
            |person: &Person| operators.forget(person).map(drop).map_err(|error| error.to_string());
        let certificate = ledger.engine().erase_certified(person, note, forget);
        let certificate = certificate.map_err(|error| match error {
            EngineError::Held(holds) => {
                refusal(Code::StateInvalid, &format!("the legal hold {holds} is in force"))
            }
            _ => Unanswered::Away.into(),
        })?;
        operators.keep_certificate(id, &certificate.issue(certificate_key.as_ref()))?;
        let erased: Vec<Value> =
            certificate.erased.iter().map(|it| erased_json(it.erased)).collect();
        Ok(json!({
            "outcome": "applied",
            "erased": erased,
            "left": certificate.left,
            "certificate": certificate_path(&key.ledger, &key.id),
        }))
    }
}
