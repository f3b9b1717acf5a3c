//! A declaration as a table, for the test that holds it against the contract's.

/// A fact, a request, an answer, or a structure within one, as it is declared.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// What it is.
    pub of: Of,
    /// The name of its type.
    pub name: &'static str,
    /// The documentation of its type.
    pub doc: &'static str,
    /// Its fields, in their order.
    pub fields: &'static [Field],
}

/// What is declared.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// A fact, by its name on the wire.
    Fact(&'static str),
    /// A request of a client, by its route.
    Request {
        /// Its method and path, or its name where the contract shows no route.
        route: &'static str,
        /// Who may ask it.
        by: &'static str,
        /// The name of its answer's type.
        answer: &'static str,
        /// What its answer is made of.
        answered: Within,
    },
    /// An answer, or a structure within a fact, a request or an answer.
    Part,
}

/// A field, as its line declares it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Where it is sent: `target`, `body` or `supplied`; or `answer`.
    pub place: &'static str,
    /// Its name in Rust.
    pub name: &'static str,
    /// Its name on the wire.
    pub wire: &'static str,
    /// The field that is sent beside it: the kind of a key.
    pub beside: Option<&'static str>,
    /// The type in Rust, as the declaration writes it.
    pub of: &'static str,
    /// It is always there: the constructor takes it, or every answer has it.
    pub required: bool,
    /// What it is.
    pub meaning: &'static str,
    /// What its type is made of.
    pub within: Within,
}

/// What the type of a field is made of, where this crate declares that.
#[derive(Clone, Copy, Debug)]
pub enum Within {
    /// It is a value.
    Value,
    /// Fields of its own.
    Fields(&'static Declared),
    /// One of a few words.
    Words {
        /// The type's documentation.
        doc: &'static str,
        /// The words, as the wire has them.
        words: &'static [&'static str],
    },
}
