//! One decision of an operator: tried first, refused where it decides about nothing, and carried
//! out in the same turn of the thread that decides.

use ledger_core::contract::{
    Call, CallKind, Code, FieldType, Problem, Response, Tokens, set_aside_word,
};
use ledger_core::id::OpId;
use ledger_core::ledger::{Archive as _, Event, Origin, Outcome, SetAsideReason, WaitingSum};
use ledger_store::sequencer::{Preview, Sequencer};
use serde_json::Value;

use super::confirming::{claim, proposal_to_confirm};
use super::decided::{Decided, NotDecided, Proposal, in_order};
use super::persons::shape::{Shape, is_about_a_person};
use super::role::{Operator, Right};
use super::second::{DecisionKey, Proposed};
use super::{decisions, persons};
use crate::edge::supply;
use crate::service::Service;
use crate::world::fact::routes;

/// Tries a decision, and carries it out unless it is a dry run; one that wants a second operator is
/// kept until another says the same.
pub(crate) async fn decide(
    service: &Service,
    operator: &Operator,
    proposal: Proposal,
) -> Result<Decided, NotDecided> {
    let Some((shape, right)) = decisions::find_by_name(&proposal.name) else {
        let detail = decisions::unknown_decision(&proposal.name);
        return Err(Problem::new(Code::NotFound, detail).into());
    };
    if !operator.has(right) {
        let detail = format!("{} may not decide this", operator.name);
        return Err(Problem::new(Code::NotPermitted, detail).into());
    }
    if is_about_a_person(shape.name) {
        return persons::decide(service, operator, proposal).await;
    }
    let Proposal { name, ledger, body, dry_run } = proposal;
    let now = service.now();
    let said = body.clone();
    let body = with_actor(body, operator)?;
    let ask = CallKind::Fact(name.clone());
    let (origin, supplied) = (Origin::Call, Value::Null);
    let mut call = Call { at: now, origin, ask, body, supplied, ip: None };
    let mut routes = routes(service, &call, None, ledger.as_deref()).await??;
    let (Some(route), true) = (routes.pop(), routes.is_empty()) else {
        let detail = "ledger must be given: this may be of several";
        return Err(Problem::new(Code::RequestInvalid, detail).into());
    };
    if !dry_run {
        supply(service, &route.ledger, &mut call).await?;
    }
    let id = said["id"].as_str().unwrap_or_default().to_owned();
    let key = DecisionKey { ledger: route.ledger.label().to_owned(), decision: name.clone(), id };
    let confirmed = proposal_to_confirm(service, (&key, &said), operator).await?;
    if let Some(first) = &confirmed {
        call.body["actor"] = format!("{}, {}", first.by, operator.name).into();
        if !dry_run {
            claim(service, first, operator).await?;
        }
    }
    let tokens = *route.ledger.tokens();
    call.origin = origin_of(&tokens, &name, &call.body);
    let (asks, second) = (operator.clone(), service.parts().second_operator.clone());
    let is_confirmed = confirmed.is_some();
    let done = route.ledger.in_turn(call, now, move |sequencer, call| {
        named_are_known(sequencer, shape, &call.body)?;
        let preview = sequencer.preview(call)?;
        ensure_effective(
            sequencer,
            &preview,
            call,
            (&asks, |body| origin_of(&tokens, &name, body)),
        )?;
        let cents = about(&preview, &sums(sequencer, shape, &call.body));
        within_right(&preview, cents, (&asks, right))?;
        let repeats = preview.outcome == Outcome::Known;
        let wants_second = !repeats && !is_confirmed && second.is_wanted(shape.name, cents);
        let response = (!dry_run && !wants_second).then(|| carried_out(sequencer, call));
        Ok::<_, Problem>(Decided { preview, response, wants_second, about: None })
    });
    let decided = done.await?;
    drop(route.turn);
    if let (Some(operators), false) = (service.operators(), dry_run) {
        let by = operator.name.clone();
        match &decided {
            Ok(decided) if decided.wants_second => {
                let (confirming, ended) = (None, None);
                let proposed = Proposed { key, body: said, by, at: now, confirming, ended };
                operators.propose(proposed).await?;
            }
            Ok(_) if is_confirmed => {
                operators.proposing(move |store| store.confirm(&key)).await?;
            }
            Err(_) if is_confirmed => {
                operators.proposing(move |store| store.release(&key, &by)).await?;
            }
            _ => {}
        }
    }
    Ok(decided?)
}

/// The body with who decides.
fn with_actor(mut body: Value, operator: &Operator) -> Result<Value, Problem> {
    let wrong = |detail: &str| Problem::new(Code::RequestInvalid, detail);
    let fields = body.as_object_mut().ok_or_else(|| wrong("the body must be an object"))?;
    if fields.contains_key("actor") {
        return Err(wrong("actor is whoever asks, and is not given"));
    }
    fields.insert("actor".to_owned(), operator.name.clone().into());
    Ok(body)
}

/// What is said twice under one id is one decision if all of it is the same.
fn origin_of(tokens: &Tokens, name: &str, body: &Value) -> Origin {
    Origin::Request(format!("{name}:{:016x}", tokens.line(&in_order(body))).into())
}

/// Refuses a decision about an operation or an account that this ledger does not know.
fn named_are_known(sequencer: &Sequencer, shape: Shape, body: &Value) -> Result<(), Problem> {
    let unknown = |field: &str| {
        let detail = format!("{field} names nothing of this ledger");
        Problem::new(Code::NotFound, detail)
    };
    let given = |field: &'static str| Some((field, body.get(field)?.as_str()?));
    for (field, id) in operation_fields(shape).filter_map(given) {
        let op = OpId::parse(id, &sequencer.ledger().state.name);
        if op.and_then(|op| sequencer.views().operation(op)).is_none() {
            return Err(unknown(field));
        }
    }
    match given("account") {
        Some((field, name)) if sequencer.ledger().state.account_named(name).is_none() => {
            Err(unknown(field))
        }
        _ => Ok(()),
    }
}

/// The fields of a decision that name an operation.
fn operation_fields(shape: Shape) -> impl Iterator<Item = &'static str> {
    let fields = shape.fields.iter();
    let named = fields.filter(|field| field.holds == FieldType::Operation);
    named.map(|field| field.name)
}

/// Refuses what would decide nothing.
fn ensure_effective(
    sequencer: &Sequencer,
    preview: &Preview,
    call: &Call,
    (operator, again): (&Operator, impl Fn(&Value) -> Origin),
) -> Result<(), Problem> {
    match preview.outcome {
        Outcome::Applied(_) if !preview.events.is_empty() => return Ok(()),
        Outcome::Known => {}
        _ => return Err(set_aside(preview.reason)),
    }
    let Some(first) = preview.first else {
        let detail = "it stands so already: there is nothing to decide";
        return Err(Problem::new(Code::StateInvalid, detail));
    };
    // Whoever proposed or confirmed it may say it again: the record names both.
    let same = sequencer.ledger().archive.record(first).is_some_and(|record| {
        let decided = record.events.iter().find_map(|event| match event {
            Event::Judged(by) => Some(sequencer.views().value(by.actor)),
            _ => None,
        });
        let decided = decided.filter(|by| by.split(", ").any(|one| one == operator.name));
        let body = decided.map(|by| {
            let mut body = call.body.clone();
            body["actor"] = by.into();
            body
        });
        record.cause.origin == again(body.as_ref().unwrap_or(&call.body))
    });
    if same {
        return Ok(());
    }
    let detail = format!("the id was used in record {} for something else", first.0);
    Err(Problem::new(Code::ExternalIdDiverges, detail).with("record", first.0.into()))
}

/// The refusal of what would be set aside, were it a fact of the world.
fn set_aside(reason: Option<SetAsideReason>) -> Problem {
    let Some(reason) = reason else {
        return Problem::new(Code::StateInvalid, "there is nothing to decide");
    };
    let word = set_aside_word(reason);
    let (code, detail) = match reason {
        SetAsideReason::Unmatched => (Code::NotFound, "nothing matches it".to_owned()),
        SetAsideReason::OutcomeUnknown => {
            let detail = "it may have been sent: name the evidence of what came of it";
            (Code::NotProcessable, detail.to_owned())
        }
        _ => (Code::StateInvalid, format!("it cannot be decided so: {word}")),
    };
    Problem::new(code, detail).with("reason", word.into())
}

/// How much an operation is about that a decision names.
#[derive(Debug)]
enum NamedSum {
    /// It waits for a person.
    Waits(WaitingSum),
    /// It is under way, as a payout that is stopped before it is sent.
    UnderWay(WaitingSum),
}

/// How much each operation is about that a decision names and that has not ended.
fn sums(sequencer: &Sequencer, shape: Shape, body: &Value) -> Vec<NamedSum> {
    let state = &sequencer.ledger().state;
    let named = operation_fields(shape).filter_map(|field| {
        let op = OpId::parse(body.get(field)?.as_str()?, &state.name)?;
        let machine = &state.open(op)?.machine;
        let waits = machine.waits(state.now).map(|waits| NamedSum::Waits(waits.sum().clone()));
        let under_way = || machine.awaited_amount().map(|it| NamedSum::UnderWay(it.sum));
        waits.or_else(under_way)
    });
    named.collect()
}

/// Refuses a decision about more than the operator may decide.
fn within_right(
    preview: &Preview,
    cents: Option<i64>,
    (operator, right): (&Operator, Right),
) -> Result<(), Problem> {
    let repeats = preview.outcome == Outcome::Known;
    if repeats || right == Right::HoldFunds {
        return Ok(());
    }
    if operator.may_decide_about(cents) {
        return Ok(());
    }
    let (name, most) = (&operator.name, operator.up_to_cents);
    let detail = match cents {
        Some(_) => format!("{name} may decide about {most} centavos at most"),
        None => format!(
            "{name} may decide about {most} centavos at most, and crypto has no sum in centavos"
        ),
    };
    Err(Problem::new(Code::NotPermitted, detail).with("up_to_cents", most.into()))
}

/// How many centavos a decision is about: those of the operations that it names or those that it
/// books, whichever are more; none where crypto is booked or meant, whose price nobody says.
fn about(preview: &Preview, named: &[NamedSum]) -> Option<i64> {
    let (mut waits, mut most) = (false, 0);
    for sum in named {
        let (NamedSum::Waits(WaitingSum::Reais(cents))
        | NamedSum::UnderWay(WaitingSum::Reais(cents))) = sum
        else {
            return None;
        };
        waits |= matches!(sum, NamedSum::Waits(_));
        most = most.max(*cents);
    }
    let mut booked = 0_i128;
    for leg in preview.events.iter().flatten() {
        match &*leg.commodity {
            "BRL" => booked += leg.amount.max(0),
            // What waits for reais is about them, whatever else is booked by it.
            _ if waits => {}
            _ => return None,
        }
    }
    Some(most.max(i64::try_from(booked).unwrap_or(i64::MAX)))
}

/// The answer to a decision that is carried out, with its record.
fn carried_out(sequencer: &mut Sequencer, call: &Call) -> Response {
    let outcome = sequencer.handle(call);
    let mut response = outcome.response;
    if let Some(record) = outcome.records.last() {
        response.body["record"] = record.seq.0.into();
    }
    response
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::Class;
    use ledger_core::coin::Scale;
    use ledger_store::export::{ChartAccount, Leg};

    use super::*;

    fn leg(commodity: &str, amount: i128) -> Leg {
        let place = ChartAccount { class: Class::Asset, chart: "any", kept_for: Vec::new() };
        Leg { place, commodity: commodity.to_owned(), amount, scale: Scale::SIX }
    }

    #[test]
    fn a_decision_is_about_what_it_names_or_books_and_of_crypto_nobody_says_how_much() {
        let reais = |cents: i64| vec![leg("BRL", cents.into()), leg("BRL", -i128::from(cents))];
        let coins = || vec![leg("usdt", 9), leg("usdt", -9)];
        let units = || WaitingSum::Crypto { asset: None, units: 9, text: "9 USDT".to_owned() };
        let crypto = || NamedSum::Waits(units());
        let five = || NamedSum::Waits(WaitingSum::Reais(500));
        let under_way = || NamedSum::UnderWay(WaitingSum::Reais(500));
        for (waits, books, expected) in [
            (vec![], vec![reais(700)], Some(700)),
            (vec![five()], vec![], Some(500)),
            (vec![five()], vec![reais(300), reais(400)], Some(700)),
            (vec![five()], vec![coins()], Some(500)),
            (vec![], vec![coins()], None),
            (vec![], vec![reais(1), coins()], None),
            (vec![crypto()], vec![], None),
            (vec![five(), crypto()], vec![reais(1)], None),
            (vec![under_way()], vec![], Some(500)),
            (vec![under_way()], vec![coins()], None),
            (vec![NamedSum::UnderWay(units())], vec![], None),
        ] {
            let said = format!("{waits:?} {books:?}");
            let outcome = Outcome::Applied(None);
            let preview =
                Preview { outcome, events: books, reason: None, first: None, ignored: Vec::new() };
            assert_eq!(about(&preview, &waits), expected, "{said}");
        }
    }
}
