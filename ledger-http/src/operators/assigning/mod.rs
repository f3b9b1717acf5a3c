//! Assigning an operation of the inbox: by any operator who may decide, to anybody who is one.

pub(super) mod table;

use ledger_core::contract::{Code, Problem};
use ledger_core::id::OpId;
use ledger_core::ledger::State;
use ledger_core::ledger::recovery::Recovery;
use serde_json::{Value, json};

use super::decided::NotDecided;
use super::role::{Operator, Right};
use crate::service::Service;

pub(crate) use table::Assignment;

/// The most letters of a note.
pub(crate) const LONGEST: usize = 280;

/// With whom an operation is to be, and what is to stand beside it.
pub(crate) struct Assigning {
    /// The ledger, by its label.
    pub(crate) ledger: String,
    /// The operation's id.
    pub(crate) operation: String,
    /// An operator's name, `me`, or `nobody`; none leaves it as it is.
    pub(crate) with: Option<String>,
    /// The note; none leaves it as it is.
    pub(crate) note: Option<String>,
    /// With whom it was when it was looked at; empty for nobody, and none where anybody had it.
    pub(crate) was: Option<String>,
}

impl Operator {
    /// Tells whether they may take something of the inbox upon themselves.
    pub(crate) fn may_assign(&self) -> bool {
        self.has(Right::Decide) || self.has(Right::HoldFunds)
    }
}

/// Tells whether there may be something to do about an operation: it has not ended, or a recovery
/// of its PIX is to be decided.
pub(crate) fn is_at_hand(state: &State, op: OpId) -> bool {
    let contested = |it: &Recovery| it.cause == op && it.accepted.is_none();
    state.open(op).is_some() || state.recoveries().any(|(_, it)| contested(it))
}

/// Assigns an operation that there may be something to do about.
pub(crate) async fn assign(
    service: &Service,
    operator: &Operator,
    asked: Assigning,
) -> Result<Assignment, NotDecided> {
    let refused = |code, detail: &str| NotDecided::from(Problem::new(code, detail));
    let Some(operators) = service.operators().filter(|_| operator.may_assign()) else {
        let detail = format!("{} may not decide, and so not take this", operator.name);
        return Err(refused(Code::NotPermitted, &detail));
    };
    let Assigning { ledger, operation, with, note, was } = asked;
    let Some(known) = service.ledgers().by_label(&ledger) else {
        return Err(refused(Code::NotFound, "there is no ledger of this name"));
    };
    let id = operation.clone();
    let is_open = known.read(move |sequencer| {
        let state = &sequencer.ledger().state;
        let op = OpId::parse(&id, &state.name)?;
        sequencer.views().operation(op).map(|_| is_at_hand(state, op))
    });
    match is_open.await? {
        None => return Err(refused(Code::NotFound, "there is no operation of this id")),
        Some(false) => return Err(refused(Code::StateInvalid, "the operation has ended")),
        Some(true) => {}
    }
    let before = operators.assignments(&ledger).await?;
    let before = before.into_iter().find(|it| it.operation == operation);
    let with = match with.as_deref().map(str::trim) {
        None => before.as_ref().and_then(|it| it.with.clone()),
        Some("" | "nobody") => None,
        Some("me") => Some(operator.name.clone()),
        Some(name) if operators.is_one(name).await? => Some(name.to_owned()),
        Some(_) => return Err(refused(Code::RequestInvalid, "there is no operator of this name")),
    };
    let note = note.map(|note| note.trim().to_owned());
    let note = note.or_else(|| before.map(|it| it.note)).unwrap_or_default();
    if note.chars().count() > LONGEST || note.chars().any(char::is_control) {
        let detail = format!("a note is one line of at most {LONGEST} letters");
        return Err(refused(Code::RequestInvalid, &detail));
    }
    let (by, at) = (operator.name.clone(), service.now());
    let assignment = Assignment { operation, with, note, by, at };
    if operators.keep_assignment(ledger, assignment.clone(), was).await? {
        return Ok(assignment);
    }
    Err(refused(Code::StateInvalid, "it is with another operator meanwhile"))
}

/// An assignment as JSON.
pub(crate) fn assignment_json(assignment: &Assignment) -> Value {
    json!({
        "operation": assignment.operation,
        "with": assignment.with,
        "note": assignment.note,
        "changed_by": assignment.by,
        "changed_at": assignment.at.to_string(),
    })
}
