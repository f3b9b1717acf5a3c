//! The table of facts: what the domains declare, put together.
//!
//! The names and shapes are ours; where the contract has a word for a field, it is the contract's.

use super::shape::FactShape;
use super::{instruction, time, treasury};
use crate::contract::schema::field::concat;
use crate::contract::{
    account, adjustment, agent, cell, charge, closing, hold, payout, product, purchase, recovery,
    sale, suspense, wallet,
};
use crate::ledger::FactKind;

/// What each domain declares, in the order people meet them.
const DOMAINS: &[&[FactShape]] = &[
    account::fact::FACTS,
    account::policy_fact::FACTS,
    account::terms_fact::FACTS,
    treasury::FACTS,
    charge::fact::FACTS,
    payout::fact::FACTS,
    hold::fact::FACTS,
    suspense::fact::FACTS,
    adjustment::fact::FACTS,
    product::fact::FACTS,
    purchase::catalogue_fact::FACTS,
    purchase::fact::FACTS,
    sale::market_fact::FACTS,
    sale::deposit_fact::FACTS,
    sale::fact::FACTS,
    agent::fact::FACTS,
    wallet::settings_fact::FACTS,
    wallet::fact::FACTS,
    wallet::withdrawal_fact::FACTS,
    wallet::payment_fact::FACTS,
    cell::fact::FACTS,
    closing::statement::FACTS,
    closing::day::FACTS,
    recovery::FACTS,
    instruction::FACTS,
    time::FACTS,
];

/// Every fact that the ledger takes, each once, domain by domain.
pub const FACTS: &[FactShape] = &concat::<FactShape, { count() }>(DOMAINS);

const fn count() -> usize {
    let (mut domain, mut count) = (0, 0);
    while domain < DOMAINS.len() {
        count += DOMAINS[domain].len();
        domain += 1;
    }
    count
}

/// The name that a mistyped one is nearest to: one that a third of its letters at most differ from.
///
/// ```
/// use ledger_core::contract::{FACTS, nearest_name};
///
/// let facts = || FACTS.iter().map(|shape| shape.name);
/// assert_eq!(nearest_name("pix.recieved", facts()), Some("pix.received"));
/// assert_eq!(nearest_name("moon.landed", facts()), None);
/// ```
pub fn nearest_name<'a>(
    mistyped: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Nobody mistypes a name to something far longer, and what is compared is bounded so.
    let letters = mistyped.chars().count();
    let near = |name: &&str| letters.abs_diff(name.len()) <= name.len() / 3;
    let distances = names.into_iter().filter(near).map(|name| (distance(mistyped, name), name));
    let nearest = distances.min_by_key(|(distance, _)| *distance);
    nearest.filter(|(distance, name)| *distance <= name.len() / 3).map(|(_, name)| name)
}

/// How many letters are inserted, removed or replaced to make one text of another.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (made, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], made + 1);
        for (place, other) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[row.len() - 1]
}

impl FactShape {
    /// The fact of this name; none when there is no such fact.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        FACTS.iter().find(|shape| shape.name == name)
    }

    /// The declaration of a kind of fact.
    ///
    /// # Panics
    ///
    /// When no domain declares the kind; a test goes over all kinds.
    #[must_use]
    pub fn by_kind(kind: FactKind) -> &'static Self {
        let shape = FACTS.iter().find(|shape| shape.kind == kind);
        shape.expect("a test finds every kind declared once")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use minicbor::decode;

    use super::*;
    use crate::contract::fact::shape::Subject;
    use crate::contract::schema::field::{Field, FieldType};

    /// Every kind, by the number it is journaled as.
    fn kinds() -> Vec<FactKind> {
        let number = |number: u8| minicbor::to_vec(number).unwrap();
        (0..u8::MAX).map_while(|at| decode(&number(at)).ok()).collect()
    }

    #[test]
    fn every_kind_of_fact_is_declared_once_and_every_name_is_one_facts() {
        let kinds = kinds();
        assert!(90 < kinds.len() && kinds.len() == FACTS.len(), "{}", kinds.len());
        for kind in kinds {
            assert_eq!(FACTS.iter().filter(|shape| shape.kind == kind).count(), 1, "{kind:?}");
            let shape = FactShape::by_kind(kind);
            assert_eq!(FactShape::by_name(shape.name).map(|named| named.kind), Some(kind));
        }
    }

    #[test]
    fn whom_a_fact_is_about_is_named_by_its_fields() {
        for shape in FACTS {
            let holds = |name: &str| shape.field(name).map(|field| field.holds);
            match shape.subject {
                Subject::Operation(names) => {
                    let all = names.iter().all(|name| holds(name) == Some(FieldType::Operation));
                    assert!(all && !names.is_empty(), "{}", shape.name);
                }
                Subject::Account => assert!(holds("account").is_some(), "{}", shape.name),
                Subject::Agent => assert!(holds("agent_id").is_some(), "{}", shape.name),
                Subject::Payer => assert!(holds("payer_tax_number").is_some(), "{}", shape.name),
                Subject::Ledger => {
                    let operation = |field: &Field| field.holds == FieldType::Operation;
                    assert!(!shape.fields.iter().any(operation), "{}", shape.name);
                }
            }
        }
    }

    /// So what a typed fact needs is what the wire asks for.
    #[test]
    fn a_fact_needs_an_id_of_its_own_where_its_body_has_one() {
        for shape in FACTS {
            assert_eq!(shape.field("id").is_some(), shape.kind.needs_id(), "{}", shape.name);
        }
    }

    #[test]
    fn a_fact_has_no_field_twice() {
        for shape in FACTS {
            let names: BTreeSet<_> = shape.fields.iter().map(|field| field.name).collect();
            assert_eq!(names.len(), shape.fields.len(), "{}", shape.name);
        }
    }
}
