//! Fields of answers as data: what each holds, in which unit, and an example of it.

use serde_json::{Value, json};

/// A field of an answer, as the documents describe it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnswerField {
    /// Its name on the wire.
    pub name: &'static str,
    /// What it holds.
    pub holds: AnswerType,
    /// What it says, in words.
    pub meaning: &'static str,
    /// Whether every answer has it.
    pub always: bool,
    /// Whether it may be null.
    pub nullable: bool,
}

/// What a field of an answer holds; examples stand beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnswerType {
    /// Text, and an example.
    Text(&'static str),
    /// One of these words; later versions may know more (contract, section 1, rule 8).
    Word(&'static [&'static str]),
    /// Centavos of BRL, of any sign, and an example.
    Centavos(i64),
    /// Basis points, 100 of which are 1 %, and an example.
    BasisPoints(u16),
    /// A whole number, its unit, and an example.
    Whole(&'static str, u32),
    /// A decimal string, its unit, and an example.
    Decimal(&'static str, &'static str),
    /// A JSON boolean, and an example.
    Flag(bool),
    /// An RFC 3339 instant of UTC.
    Moment,
    /// An object of these fields, and its name.
    Object(&'static str, &'static [AnswerField]),
    /// A list of objects of these fields, and the name of one.
    Objects(&'static str, &'static [AnswerField]),
    /// A list of texts, and an example.
    Texts(&'static [&'static str]),
    /// An object that another description is of: the operation that an event is about.
    Operation,
    /// An object of pairs that the account chose.
    Metadata,
}

/// An instant that examples show.
pub const EXAMPLE_INSTANT: &str = "2026-11-20T12:05:00Z";

/// A wallet that examples show.
pub(in crate::contract) const WALLET: &str = "0x52908400098527886e0f7030069857d2e4169ee7";

/// The end-to-end id that examples show.
pub(in crate::contract) const E2E: &str = "E9040088820261120120600000000001";

impl AnswerField {
    /// A value that it may hold, for examples.
    #[must_use]
    pub fn example(&self) -> Value {
        match self.holds {
            AnswerType::Text(text) | AnswerType::Decimal(_, text) => json!(text),
            AnswerType::Word(words) => json!(words.first()),
            AnswerType::Centavos(cents) => json!(cents),
            AnswerType::BasisPoints(points) => json!(points),
            AnswerType::Whole(_, number) => json!(number),
            AnswerType::Flag(flag) => json!(flag),
            AnswerType::Moment => json!(EXAMPLE_INSTANT),
            AnswerType::Object(_, fields) => example(fields),
            AnswerType::Objects(_, fields) => json!([example(fields)]),
            AnswerType::Texts(texts) => json!(texts),
            AnswerType::Operation => json!({ "status": "paid" }),
            AnswerType::Metadata => example_of_metadata(),
        }
    }

    /// The same field, which may be null.
    pub(in crate::contract) const fn or_null(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// The same field, which some answers do not have.
    pub(in crate::contract) const fn sometimes(mut self) -> Self {
        self.always = false;
        self
    }

    /// The unit of a number or an amount; none where there is none.
    #[must_use]
    pub const fn unit(&self) -> Option<&'static str> {
        match self.holds {
            AnswerType::Centavos(_) => Some(CENTAVOS),
            AnswerType::BasisPoints(_) => Some(BASIS_POINTS),
            AnswerType::Whole(unit, _) | AnswerType::Decimal(unit, _) => Some(unit),
            AnswerType::Moment => Some(MOMENT),
            _ => None,
        }
    }
}

/// Pairs that an account may choose.
pub(super) fn example_of_metadata() -> Value {
    json!({ "parcela": 2, "pedido": "A-17" })
}

/// An object of those of these fields that every answer has, each with its example.
#[must_use]
pub fn example(fields: &[AnswerField]) -> Value {
    let always = fields.iter().filter(|field| field.always);
    always.map(|field| (field.name.to_owned(), field.example())).collect()
}

/// The unit of integers of money.
pub const CENTAVOS: &str = "centavos of BRL";

/// The unit of percentages.
pub const BASIS_POINTS: &str = "basis points (100 are 1 %)";

/// The unit of instants.
pub const MOMENT: &str = "RFC 3339 instant in UTC";

/// The unit of decimal strings of reais.
pub(in crate::contract) const REAIS: &str = "reais of BRL";

/// The unit of decimal strings of crypto.
pub(in crate::contract) const UNITS: &str = "units of the asset";

/// The unit of amounts in USDT.
pub(in crate::contract) const USDT: &str = "USDT";

pub(in crate::contract) const fn field(
    name: &'static str,
    holds: AnswerType,
    meaning: &'static str,
) -> AnswerField {
    AnswerField { name, holds, meaning, always: true, nullable: false }
}

pub(in crate::contract) const fn text(
    name: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> AnswerField {
    field(name, AnswerType::Text(example), meaning)
}

pub(in crate::contract) const fn word(
    name: &'static str,
    meaning: &'static str,
    words: &'static [&'static str],
) -> AnswerField {
    field(name, AnswerType::Word(words), meaning)
}

pub(in crate::contract) const fn cents(
    name: &'static str,
    meaning: &'static str,
    example: i64,
) -> AnswerField {
    field(name, AnswerType::Centavos(example), meaning)
}

pub(in crate::contract) const fn bps(
    name: &'static str,
    meaning: &'static str,
    example: u16,
) -> AnswerField {
    field(name, AnswerType::BasisPoints(example), meaning)
}

pub(in crate::contract) const fn whole(
    name: &'static str,
    meaning: &'static str,
    unit: &'static str,
    example: u32,
) -> AnswerField {
    field(name, AnswerType::Whole(unit, example), meaning)
}

pub(in crate::contract) const fn decimal(
    name: &'static str,
    meaning: &'static str,
    unit: &'static str,
    example: &'static str,
) -> AnswerField {
    field(name, AnswerType::Decimal(unit, example), meaning)
}

pub(in crate::contract) const fn flag(
    name: &'static str,
    meaning: &'static str,
    example: bool,
) -> AnswerField {
    field(name, AnswerType::Flag(example), meaning)
}

pub(in crate::contract) const fn moment(name: &'static str, meaning: &'static str) -> AnswerField {
    field(name, AnswerType::Moment, meaning)
}

pub(in crate::contract) const fn texts(
    name: &'static str,
    meaning: &'static str,
    example: &'static [&'static str],
) -> AnswerField {
    field(name, AnswerType::Texts(example), meaning)
}
