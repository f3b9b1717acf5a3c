//! A fact that is known names the fields that say something else than the first time (rulings 54).
//!
//! The first report is what its record tells: [`recorded`] gives that in the fields of the wire. A
//! field that left no trace in the record is not compared.

mod custody;
mod earlier;
mod kind;
mod payments;
mod products;
mod recorded;
mod sale;
mod settings;
mod stated;
mod text;
mod wallet;

pub(in crate::contract) use self::earlier::earlier_record;

use std::borrow::Cow;

use serde_json::Value;

use self::recorded::FirstReport;
use self::text::{plain_decimal, token};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::field::{Field, FieldType};
use crate::ledger::{Archive, Fact, Ledger, Record};
use crate::network::{Scheme, address, hash};
use crate::time::Instant;

/// The fields of a body in which `fact`, read of it again, differs from what `record`, which made
/// it known, tells; those that its reader left `unread` mean nothing.
pub(in crate::contract) fn differing_fields<A: Archive>(
    shape: &FactShape,
    (fact, fields, unread): (&Fact, &Fields<'_>, &[String]),
    ledger: &Ledger<A>,
    record: &Record,
) -> Vec<&'static str> {
    let first = FirstReport { record, ledger, fact };
    let recorded = first.fields(shape.kind);
    let mut stated = stated::compound_fields(fact);
    stated.extend(payments::payer_fields(fact));
    stated.extend(custody::capture_fields(fact));
    let differs = |field: &Field| {
        let own = stated.iter().find(|(name, _)| *name == field.name);
        let given = match (own, fields.value(field.name)) {
            (Some((_, text)), Some(_)) => text.clone(),
            (None, Some(value)) => plain_text(field, value, fields),
            (_, None) => match first.field_left_out(shape.kind, field.name) {
                Some((_, text)) => text,
                None => return false,
            },
        };
        let mut known = recorded.iter().filter(|(name, _)| *name == field.name).peekable();
        known.peek().is_some()
            && !known
                .any(|(_, known)| is_same(field, (given.as_deref(), known.as_deref()), record.at))
    };
    let is_read = |field: &&Field| !unread.iter().any(|name| *name == field.name);
    let read = shape.fields.iter().filter(is_read);
    let plain = read.filter(|field| differs(field)).map(|field| field.name);
    let kind = (!first.is_of_kind(shape.kind)).then(|| identity_field(shape, fields));
    let named = operation_field(shape, fields).filter(|_| !first.is_about(fact.about()));
    let settings = settings::differing_settings(shape, fields, ledger, record);
    let posting = products::differing_posting(fact, ledger, record);
    kind.into_iter().chain(named).chain(plain).chain(settings).chain(posting).collect()
}

/// The field that says by which id a fact is known: its own, or that of its PIX or transaction.
fn identity_field(shape: &FactShape, fields: &Fields<'_>) -> &'static str {
    let mut of_world = shape.fields.iter().map(|field| field.name).filter(|name| {
        matches!(*name, "e2e" | "return_id" | "tx_hash") && fields.value(name).is_some()
    });
    of_world.next().filter(|_| !shape.kind.needs_id()).unwrap_or("id")
}

/// The field in which the body names the operation that the fact is about.
fn operation_field(shape: &FactShape, fields: &Fields<'_>) -> Option<&'static str> {
    let Subject::Operation(names) = shape.subject else { return None };
    names.iter().find(|name| fields.value(name).is_some()).copied()
}

/// The text of a field of one value; none of a field of several, whose fact tells its own.
fn plain_text(field: &Field, value: &Value, fields: &Fields<'_>) -> Option<String> {
    let text = value.as_str();
    match field.holds {
        FieldType::Text(_) if matches!(field.name, "description" | "evidence") => {
            text.map(|text| token(fields.tokens().text(text).token))
        }
        FieldType::Text(_)
        | FieldType::Reference(_)
        | FieldType::Word(_)
        | FieldType::Operation
        | FieldType::Pix => text.map(str::to_owned),
        FieldType::Decimal(_) => text.map(plain_decimal),
        FieldType::Moment => text.and_then(Instant::parse).map(|at| at.to_string()),
        FieldType::Centavos
        | FieldType::CentavosOrZero
        | FieldType::SignedCentavos
        | FieldType::Whole(..)
        | FieldType::BasisPoints
        | FieldType::Flag => Some(value.to_string()),
        FieldType::Object(_) | FieldType::Objects(_) | FieldType::List | FieldType::Metadata => {
            None
        }
    }
}

/// Tells whether a field says what the record does.
///
/// A record of `first` has no instant after itself, so a later one is read alike. Transactions and
/// addresses are one in every spelling of some network (rulings 64), names of assets and digits of
/// hashes in either case.
fn is_same(field: &Field, (given, known): (Option<&str>, Option<&str>), first: Instant) -> bool {
    let (Some(said), Some(recorded)) = (given, known) else { return given == known };
    let is_one = |canonical: fn(Scheme, &str) -> Cow<'_, str>| {
        Scheme::ALL.into_iter().any(|it| canonical(it, said) == canonical(it, recorded))
    };
    match field.name {
        "asset" | "sha256" | "matching_sha256" => said.eq_ignore_ascii_case(recorded),
        "tx_hash" => is_one(hash::canonical),
        "address" | "refund_address" | "settlement_address" => is_one(address::canonical),
        _ if field.holds == FieldType::Moment => {
            let capped = || Instant::parse(said).is_some_and(|at| first < at);
            said == recorded || recorded == first.to_string() && capped()
        }
        _ => said == recorded,
    }
}
