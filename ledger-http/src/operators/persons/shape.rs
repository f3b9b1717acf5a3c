//! Decisions, declared; those about persons, which are no facts, here.

use ledger_core::contract::{Field, FieldType, optional, required};

/// A decision, declared: a fact, or what is no fact since it is about a person.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// What it is, in a sentence.
    pub(crate) meaning: &'static str,
    pub(crate) fields: &'static [Field],
}

impl Shape {
    /// The field of this name, where it has one.
    pub(crate) fn field(self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

const ID: Field =
    required("id", FieldType::Text(64), "the decision's own id, which makes it known for ever");
const WHY: Field =
    required("reason", FieldType::Text(280), "why; kept in clear, so it names nobody");
const HOLD: Field =
    required("hold", FieldType::Text(80), "what the hold is called: a case, an order");
const DOCUMENT: Field =
    optional("document", FieldType::Text(18), "the CPF or CNPJ, and texts that mention it");
const KEY: Field = optional("pix_key", FieldType::Text(77), "a PIX key of theirs");
const EMAIL: Field = optional("email", FieldType::Text(254), "an e-mail address of theirs");
const NAME: Field =
    optional("name", FieldType::Text(200), "a name, letter by letter: of everybody who bears it");

/// The decisions about persons.
pub(crate) static PERSONS: [Shape; 3] = [
    Shape {
        name: "person.erased",
        meaning: "What the vault keeps of a person is erased; records go on naming it by tokens.",
        fields: &[ID, DOCUMENT, KEY, EMAIL, NAME, WHY],
    },
    Shape {
        name: "person.held",
        meaning: "A legal hold is placed on a person, who is then not erased.",
        fields: &[ID, HOLD, DOCUMENT, KEY, EMAIL, NAME, WHY],
    },
    Shape {
        name: "person.released",
        meaning: "A legal hold is released.",
        fields: &[ID, HOLD, WHY],
    },
];

/// Tells whether a decision of this name is about a person.
pub(crate) fn is_about_a_person(name: &str) -> bool {
    PERSONS.iter().any(|shape| shape.name == name)
}
