//! A fact that is known names the fields that say something else than the first time (rulings 54).
//!
//! The first report is what its record tells: [`recorded`] gives that in the fields of the wire. A
//! field that left no trace in the record is not compared.

mod custody;
mod payments;
mod products;
mod recorded;
mod sale;
mod settings;
mod stated;
mod text;
mod wallet;

use serde_json::Value;

use self::recorded::FirstReport;
use self::text::{plain_decimal, token};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::field::{Field, FieldType};
use crate::ledger::{Archive, Fact, Ledger, Record};
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
        let Some(value) = fields.value(field.name) else { return false };
        let own = stated.iter().find(|(name, _)| *name == field.name);
        let given = own.map_or_else(|| plain_text(field, value, fields), |(_, text)| text.clone());
        let mut known = recorded.iter().filter(|(name, _)| *name == field.name).peekable();
        known.peek().is_some()
            && !known
                .any(|(_, known)| is_same(field, (given.as_deref(), known.as_deref()), record.at))
    };
    let is_read = |field: &&Field| !unread.iter().any(|name| *name == field.name);
    let read = shape.fields.iter().filter(is_read);
    let plain = read.filter(|field| differs(field)).map(|field| field.name);
    let named = operation_field(shape, fields).filter(|_| !first.is_about(fact.about()));
    let settings = settings::differing_settings(shape, fields, ledger, record);
    let posting = products::differing_posting(fact, ledger, record);
    named.into_iter().chain(plain).chain(settings).chain(posting).collect()
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
        FieldType::Text(_) | FieldType::Word(_) | FieldType::Operation | FieldType::Pix => {
            text.map(str::to_owned)
        }
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
/// A record of `first` has no instant after itself, so a later one is read alike; digits of hashes
/// and addresses, and names of assets, are one in either case.
fn is_same(field: &Field, (given, known): (Option<&str>, Option<&str>), first: Instant) -> bool {
    let (Some(said), Some(recorded)) = (given, known) else { return given == known };
    match field.name {
        "tx_hash" | "asset" | "sha256" | "matching_sha256" => said.eq_ignore_ascii_case(recorded),
        "address" | "refund_address" | "settlement_address" if said.starts_with("0x") => {
            said.eq_ignore_ascii_case(recorded)
        }
        _ if field.holds == FieldType::Moment => {
            let capped = || Instant::parse(said).is_some_and(|at| first < at);
            said == recorded || recorded == first.to_string() && capped()
        }
        _ => said == recorded,
    }
}
