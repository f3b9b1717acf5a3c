//! The decisions of persons: facts that name an `actor`, and what is decided about a person; and
//! the right that each asks for.

use ledger_core::contract::{FACTS, FactShape, Field, FieldType, mask_input, nearest_name};
use ledger_core::id::Kind;
use serde_json::Value;

use super::persons::shape::{PERSONS, Shape};
use super::role::Right;

/// The facts that operators decide, in the order in which they are listed.
const DECISIONS: [(&str, Right); 26] = [
    ("suspense.attached", Right::Decide),
    ("suspense.returned", Right::Decide),
    ("payout.evidence", Right::Decide),
    ("payout.stopped", Right::Decide),
    ("payout.cleared", Right::Decide),
    ("delivery.evidence", Right::Decide),
    ("delivery.given_up", Right::Decide),
    ("delivery.resumed", Right::Decide),
    ("stray.settled", Right::Decide),
    ("refund.decided", Right::Decide),
    ("cashout.stopped", Right::Decide),
    ("cashout.cleared", Right::Decide),
    ("wallet.deposit.assigned", Right::Decide),
    ("wallet.deposit.judged", Right::Decide),
    ("wallet.deposit.reversed", Right::Decide),
    ("wallet.payment.resolved", Right::Decide),
    ("wallet.withdrawal.evidence", Right::Decide),
    ("payer.reviewed", Right::Decide),
    ("fee.adjusted", Right::Decide),
    ("balance.written_off", Right::Decide),
    ("hold.placed", Right::HoldFunds),
    ("hold.released", Right::HoldFunds),
    ("court.ordered", Right::HoldFunds),
    ("recovery.opened", Right::HoldFunds),
    ("recovery.blocked", Right::HoldFunds),
    ("recovery.decided", Right::HoldFunds),
];

/// The decision of this name, and the right that it asks for.
pub(crate) fn find_by_name(name: &str) -> Option<(Shape, Right)> {
    all().find(|(shape, _)| shape.name == name)
}

/// Says that there is no decision of a name, and which one is near.
pub(super) fn unknown_decision(name: &str) -> String {
    let shown = mask_input(name);
    match nearest_name(name, all().map(|(shape, _)| shape.name)) {
        Some(near) => format!("there is no decision {shown}; the nearest is {near}"),
        None => format!("there is no decision {shown}"),
    }
}

/// All decisions, each with the right that it asks for.
pub(crate) fn all() -> impl Iterator<Item = (Shape, Right)> {
    let facts = DECISIONS.into_iter().filter_map(|(name, right)| {
        let FactShape { name, meaning, fields, .. } =
            *FACTS.iter().find(|shape| shape.name == name)?;
        Some((Shape { name, meaning, fields }, right))
    });
    facts.chain(PERSONS.iter().map(|shape| (*shape, Right::HoldFunds)))
}

/// The fields that whoever decides gives; `actor` is who they are.
pub(crate) fn fields(shape: Shape) -> impl Iterator<Item = &'static Field> {
    shape.fields.iter().filter(|field| field.name != "actor")
}

/// The field in which a decision names an operation of this kind; none where it is about others.
pub(crate) fn field_for(shape: Shape, kind: Kind) -> Option<&'static str> {
    // A withdrawal of commission is delivered as a purchase is, and shares the name of its field
    // with a wallet's withdrawal.
    let field = match kind.name() {
        "commission_withdrawal" if shape.name.starts_with("delivery.") => "cashin_id",
        "commission_withdrawal" => return None,
        _ => kind.field(),
    };
    let is_of_purchase = shape.name == "delivery.resumed";
    let field = shape.field(field).filter(|_| !is_of_purchase || kind.name() == "charge");
    field.map(|field| field.name)
}

/// Returns what a person has written into a field, as its JSON: digits are a number where the field
/// holds one. What is none of its kind stays a text, and is refused by name.
pub(crate) fn value(field: &Field, text: &str) -> Value {
    let read: Option<Value> = match field.holds {
        FieldType::Centavos
        | FieldType::CentavosOrZero
        | FieldType::SignedCentavos
        | FieldType::Whole(..)
        | FieldType::BasisPoints => text.trim().parse::<i64>().ok().map(Value::from),
        FieldType::Flag => text.trim().parse::<bool>().ok().map(Value::from),
        _ => None,
    };
    read.unwrap_or_else(|| text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What names an `actor` and is none of the console's: keys and agents are looked after by
    /// whoever runs the service, and the answer to the first shows a key; products say the last.
    const OTHERS: [&str; 16] = [
        "key.replaced",
        "key.revoked",
        "agent.suspended",
        "agent.reinstated",
        "product_account.declared",
        "entry.posted",
        "entry.reversed",
        "reservation.made",
        "reservation.captured",
        "template.adopted",
        "template.posted",
        "balance.opened",
        "opening_balances.closed",
        "statement.received",
        "day.closed",
        "day.reopened",
    ];

    #[test]
    fn every_fact_that_names_who_decided_is_a_decision_or_said_to_be_none() {
        let named: Vec<_> = FACTS.iter().filter(|shape| shape.field("actor").is_some()).collect();
        for shape in &named {
            let decided = super::find_by_name(shape.name).is_some();
            assert!(decided != OTHERS.contains(&shape.name), "{}", shape.name);
            assert!(shape.field("id").is_some(), "{} is known by an id of its own", shape.name);
            assert!(shape.field("reason").is_some(), "{}", shape.name);
        }
        assert_eq!(named.len(), DECISIONS.len() + OTHERS.len());
        assert_eq!(all().count(), DECISIONS.len() + PERSONS.len());
    }

    #[test]
    fn the_glossary_lists_every_decision_with_its_role() {
        let glossary = include_str!("../../../GLOSSARY.md");
        for (shape, right) in all() {
            let role = if right == Right::HoldFunds { "hold" } else { "decide" };
            let row = format!("| `{}` | {role} | {} |", shape.name, shape.meaning);
            assert!(glossary.contains(&row), "{row}");
        }
    }

    #[test]
    fn what_a_person_writes_is_read_as_the_field_holds_it() {
        let field = |name: &str| {
            let (shape, _) = super::find_by_name("fee.adjusted").unwrap();
            *shape.field(name).unwrap()
        };
        assert_eq!(value(&field("effect_cents"), " -25 "), Value::from(-25));
        assert_eq!(value(&field("effect_cents"), "0.25"), Value::from("0.25"));
        assert_eq!(value(&field("reason"), "25"), Value::from("25"));
    }
}
