//! A fact as data: its name, whom it is about, its fields, one example, and what reads it.

use serde_json::Value;

use crate::contract::error::Problem;
use crate::contract::input::fields::Fields;
use crate::contract::schema::field::Field;
use crate::ledger::{Fact, FactKind, Reported, State};
use crate::time::Instant;

/// One fact, declared: the list that the program shows, the reader and its errors come of it.
#[derive(Clone, Copy, Debug)]
pub struct FactShape {
    /// The fact's kind in the domain; each kind is declared once.
    pub kind: FactKind,
    /// Its name on the wire.
    pub name: &'static str,
    /// The operation, account or person it is about.
    pub subject: Subject,
    /// What the world says by it, a sentence for whoever reports it.
    pub meaning: &'static str,
    /// The fields that its body may have, and no others.
    pub fields: &'static [Field],
    /// One line as `run` reads it.
    pub example: &'static str,
    /// Reads a body that has no other fields than these.
    pub(in crate::contract) read: Reader,
}

/// The operation, account or person that a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The operation that one of these fields names.
    Operation(&'static [&'static str]),
    /// The account that `account` names.
    Account,
    /// The agent that `agent_id` names.
    Agent,
    /// The payer that `payer_tax_number` names.
    Payer,
    /// Neither account nor operation: the ledger as a whole, such as a price.
    Ledger,
}

/// What a reader knows beside the body.
#[derive(Clone, Copy)]
pub struct ReadContext<'a> {
    /// The JSON object of `supplied` (rulings 39).
    pub supplied: &'a Value,
    /// The committed state, by which names of the wire become ids.
    pub state: &'a State,
    /// When the fact is reported.
    pub at: Instant,
}

impl ReadContext<'_> {
    /// The instant at which the fact takes effect: one before the ledger's is taken as that.
    pub fn effective_at(&self) -> Instant {
        self.at.max(self.state.now)
    }
}

/// Reads the body of one kind of fact.
pub type Reader = fn(&mut Fields<'_>, &ReadContext<'_>) -> Result<Fact, Problem>;

impl FactShape {
    /// The field of this name, where it has one.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Reads the body of a fact.
    ///
    /// # Errors
    ///
    /// A [`Problem`] naming the field that is missing, unknown or malformed.
    pub(in crate::contract) fn read_body(
        &self,
        fields: &mut Fields<'_>,
        context: &ReadContext<'_>,
    ) -> Result<Reported, Problem> {
        fields.only(self.fields)?;
        let has_id = self.field("id").is_some();
        let id = if has_id { Some(fields.required_text("id", 80)?.into()) } else { None };
        Ok(Reported { id, fact: (self.read)(fields, context)? })
    }
}
