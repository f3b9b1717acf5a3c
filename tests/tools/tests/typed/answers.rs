//! The typed answers, held against the fields that the contract's reference declares.

use std::collections::BTreeSet;

use custody_ledger::declared::{Declared, Field, Of, Within};
use custody_ledger::request;
use ledger_core::contract::{AnswerField, AnswerType, routes};
use ledger_store::Vault;
use ledger_store::archive::JournalArchive;

use super::contract::nothing;
use super::lines::plain;

/// Types of answers that are written by hand, since one declaration does not say all of them.
const STANDING: [&str; 6] = [
    "CashOutState",
    "ChargeStatus",
    "PayoutStatus",
    "SettlementStatus",
    "Statement",
    "StatementKind",
];

/// Fields that are left out of an answer where they have no value, rather than null.
const ABSENT: [(&str, &str); 7] = [
    ("ChargeDetail", "amount"),
    ("ChargeDetail", "returned_cents"),
    ("WalletPayment", "usdt_returned"),
    ("WalletPayment", "reserve_status"),
    ("WebhookDelivery", "attempts"),
    ("WebhookDelivery", "http_status"),
    ("WebhookDelivery", "updated_at"),
];

/// Fields that every answer of the structure has, although not every answer that is declared with
/// it does.
const PRESENT: [(&str, &str); 3] =
    [("ChargeDetail", "settlement_status"), ("ChargeDetail", "destino"), ("ChargeDetail", "fonte")];

/// Texts of answers that are the id of an operation.
const OPERATIONS: [&str; 10] = [
    "cashin_id",
    "payout_id",
    "transfer_id",
    "cashout_id",
    "withdrawal_id",
    "deposit_id",
    "payment_id",
    "quote_id",
    "receipt_id",
    "origem_id",
];

/// Types of values that stand as plain numbers and texts in JSON.
const PLAIN: [&str; 8] =
    ["Amount", "ApiKey", "Cents", "Decimal", "Instant", "Party", "Secret", "value::Balance"];

#[test]
fn every_answer_that_is_declared_has_a_type_of_its_fields() {
    let mut seen = Seen::default();
    for shape in routes::<JournalArchive, Vault>() {
        let answer = &shape.answer;
        seen.answer(answer.schema, &answered_first(answer.schema), answer.fields);
        if let Some(variant) = answer.variant {
            let (ask, parameter) = (shape.ask, variant.parameter);
            let doc = if variant.body.is_empty() {
                format!("What {ask}?{parameter}= is answered")
            } else {
                format!("What {ask} with {parameter} is answered")
            };
            seen.answer(variant.answer.schema, &doc, variant.answer.fields);
        }
    }
    assert!(seen.types.len() > 50, "{} types were seen", seen.types.len());
    nothing(&seen.wrong);
}

#[test]
fn a_field_of_an_answer_that_has_no_line_is_named_with_the_line_to_write() {
    const FIELDS: &[AnswerField] = &[
        AnswerField {
            name: "transfer_id",
            holds: AnswerType::Text("tr_1"),
            meaning: "the id of the transfer",
            always: true,
            nullable: false,
        },
        AnswerField {
            name: "fee_cents",
            holds: AnswerType::Centavos(1),
            meaning: "what it cost",
            always: true,
            nullable: true,
        },
    ];
    let mut seen = Seen::default();
    seen.answer("Transfer", "What POST /saldo/transferir is answered", FIELDS);
    let line = "Transfer: write fee_cents: Option<Cents> as plain, \"What it cost.\";";
    assert!(seen.wrong.contains(&line.to_owned()), "{:?}", seen.wrong);
    assert!(seen.wrong.contains(&"Transfer: amount is not declared".to_owned()));
}

/// Returns what the first route that is answered so says of its answer.
fn answered_first(schema: &str) -> String {
    let shape = routes::<JournalArchive, Vault>().find(|shape| shape.answer.schema == schema);
    format!("What {} is answered", shape.expect("it is a route's").ask)
}

/// The types that were compared, and what is wrong with them.
#[derive(Default)]
struct Seen {
    types: BTreeSet<&'static str>,
    wrong: Vec<String>,
}

impl Seen {
    /// Compares the answer of a request.
    fn answer(&mut self, schema: &str, doc: &str, fields: &[AnswerField]) {
        if STANDING.contains(&schema) {
            return;
        }
        let answered = request::declarations().find_map(|type_| match type_.of {
            Of::Request { answer, answered, .. } if answer == schema => Some(answered),
            _ => None,
        });
        match answered {
            Some(Within::Fields(type_)) => self.compare(type_, doc, fields),
            _ => self.wrong.push(format!("write answer! {{ {schema} {{ … }} }}")),
        }
    }

    /// Compares a structure with its fields; it is documented as what it is of first.
    fn compare(&mut self, type_: &'static Declared, doc: &str, fields: &[AnswerField]) {
        let name = type_.name;
        if self.types.insert(name) && named(type_.doc) != doc {
            self.wrong.push(format!("{name}: document it as: {doc}\n  not: {}", named(type_.doc)));
        }
        for field in fields {
            let Some(written) = type_.fields.iter().find(|it| it.wire == field.name) else {
                let line = line(field.name, type_, field, None);
                self.wrong.push(format!("{name}: write {line}"));
                continue;
            };
            let is = standing(written);
            let should = line(written.name, type_, field, Some(written));
            if is != should {
                self.wrong.push(format!("{name}: write {should}\n  not: {is}"));
            }
            self.within(type_, field, written);
        }
        for written in type_.fields {
            if !fields.iter().any(|field| field.name == written.wire) {
                self.wrong.push(format!("{name}: {} is not declared", written.name));
            }
        }
    }

    /// Compares what stands within a field.
    fn within(&mut self, parent: &Declared, field: &AnswerField, written: &Field) {
        match (field.holds, written.within) {
            (AnswerType::Object(name, fields) | AnswerType::Objects(name, fields), within) => {
                let Within::Fields(type_) = within else {
                    return self.wrong.push(format!("write answer! {{ {name} {{ … }} }}"));
                };
                let whole = routes::<JournalArchive, Vault>().any(|it| it.answer.schema == name);
                let part = format!("Of {}: {}", parent.name, plain(field.meaning));
                let doc = if whole { answered_first(name) } else { part };
                self.compare(type_, &doc, fields);
            }
            (AnswerType::Word(words), Within::Words { words: known, .. }) => {
                let (words, known) = (BTreeSet::from_iter(words), BTreeSet::from_iter(known));
                if words != known {
                    let name = parent.name;
                    let why = format!("{name}: {} may be {words:?}, not {known:?}", written.name);
                    self.wrong.push(why);
                }
            }
            _ => {}
        }
    }
}

/// A documentation without its links.
fn named(doc: &str) -> String {
    plain(&doc.replace("[`", "").replace("`]", ""))
}

/// The line that stands.
fn standing(written: &Field) -> String {
    let optional = if written.required { "" } else { "?" };
    let (name, of) = (written.name, written.of);
    format!(
        "{name}{optional}: {of}{}, {:?};",
        shown(name, written.wire, of),
        named(written.meaning)
    )
}

/// How a value of this type stands in JSON, as its line says it.
fn shown(name: &str, wire: &str, of: &str) -> String {
    let value = of.trim_start_matches("Option<").trim_end_matches('>');
    let plain = PLAIN.contains(&value);
    match (plain, name == wire) {
        (false, true) => String::new(),
        (false, false) => format!(" as {wire:?}"),
        (true, true) => " as plain".to_owned(),
        (true, false) => format!(" as plain {wire:?}"),
    }
}

/// The line that should stand, under this name; without one that stands, as it is written.
fn line(name: &str, parent: &Declared, field: &AnswerField, written: Option<&Field>) -> String {
    let known = |list: &[(&str, &str)]| list.contains(&(parent.name, field.name));
    let present = known(&PRESENT);
    let skipped = !present && (!field.always && !field.nullable || known(&ABSENT));
    let of = type_of(parent.name, field, written);
    let of = if field.nullable && !skipped && !present { format!("Option<{of}>") } else { of };
    let optional = if skipped { "?" } else { "" };
    let meaning = format!("{}.", capital(field.meaning));
    let meaning = if written.is_some() { plain(&meaning) } else { meaning };
    format!("{name}{optional}: {of}{}, {meaning:?};", shown(name, field.name, &of))
}

/// The type of a field; a type of words bears the name that stands.
fn type_of(parent: &str, field: &AnswerField, written: Option<&Field>) -> String {
    let of = match field.holds {
        AnswerType::Text(_) if OPERATIONS.contains(&field.name) => "OperationId",
        AnswerType::Text(_) if field.name == "api_key" => "ApiKey",
        // Either may be the house.
        AnswerType::Text(_) if ["from_customer_ref", "to_customer_ref"].contains(&field.name) => {
            "Party"
        }
        AnswerType::Text(_) if field.name == "webhook_secret" => "Secret",
        AnswerType::Text(_) | AnswerType::Word([_]) => "String",
        AnswerType::Word(_) => {
            let is = written.map_or("_", |written| written.of);
            let name = is.trim_start_matches("Option<").trim_end_matches('>');
            let open = written.is_some_and(|it| matches!(it.within, Within::Words { .. }));
            if open || STANDING.contains(&name) { name } else { "_" }
        }
        AnswerType::Centavos(_) => amount(parent, field.name),
        AnswerType::BasisPoints(_) => "u16",
        AnswerType::Whole(..) => "u64",
        AnswerType::Decimal(..) => "Decimal",
        AnswerType::Flag(_) => "bool",
        AnswerType::Moment => "Instant",
        AnswerType::Object(name, _) => name,
        AnswerType::Objects(name, _) => return format!("Vec<{name}>"),
        // What groups a service asks its customers to join, only the service knows.
        AnswerType::Texts(_) if field.name == "grupos_obrigatorios" => "Vec<Value>",
        AnswerType::Texts(_) => "Vec<String>",
        AnswerType::Operation => "Value",
        AnswerType::Metadata => "Metadata",
    };
    of.to_owned()
}

/// Returns what centavos of a field are: above zero, zero or more, or of any sign.
fn amount(parent: &str, wire: &str) -> &'static str {
    match (parent, wire) {
        ("Release", "valor_cents") | (_, "amount_cents" | "debited_cents") => "Amount",
        (
            _,
            "disponivel_cents"
            | "saldo_cents"
            | "saldo_apos_cents"
            | "valor_cents"
            | "total_cents"
            | "total_negativo_cents"
            | "balance_cents",
        ) => "value::Balance",
        _ => "Cents",
    }
}

fn capital(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}
