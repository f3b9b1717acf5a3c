//! The words of a route for the documents, and its answer.

use crate::contract::schema::answer::AnswerField;
use crate::contract::schema::field::Field;

/// The name of a route, and the words that people read of it.
#[derive(Clone, Copy, Debug)]
pub struct RouteText {
    /// What it is called in clients, as a verb and what it acts on: `CreateCharge`.
    pub name: &'static str,
    /// The domain it is of; [`TAGS`] describes each.
    pub tag: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What it does, in sentences.
    pub description: &'static str,
}

/// The answer of a route that refuses nothing.
#[derive(Clone, Copy, Debug)]
pub struct AnswerShape {
    /// What its answer is called in clients.
    pub schema: &'static str,
    /// The fields that an answer may have, in their order.
    pub fields: &'static [AnswerField],
    /// The statuses of the answer.
    pub statuses: &'static [u16],
    /// What it is with a parameter that changes its answer; none of most.
    pub variant: Option<&'static Variant>,
}

/// A route asked with a parameter of ours, of its query or its body, that makes another answer of
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The name of the parameter, in query or body.
    pub parameter: &'static str,
    /// The name and the words of the route with it.
    pub text: RouteText,
    /// The fields of its body then; empty where the parameter stands in the query.
    pub body: &'static [Field],
    /// What it answers then.
    pub answer: AnswerShape,
}

/// An answer of these fields, as found or made now.
pub(in crate::contract) const fn answers(
    schema: &'static str,
    fields: &'static [AnswerField],
) -> AnswerShape {
    AnswerShape { schema, fields, statuses: &[200], variant: None }
}

impl AnswerShape {
    /// Of what is made each time.
    pub(in crate::contract) const fn with_created_status(mut self) -> Self {
        self.statuses = &[201];
        self
    }

    /// Of what is made now, or as found when it was made before.
    pub(in crate::contract) const fn or_created(mut self) -> Self {
        self.statuses = &[200, 201];
        self
    }

    /// Of a route that a parameter makes another of.
    pub(in crate::contract) const fn with(mut self, variant: &'static Variant) -> Self {
        self.variant = Some(variant);
        self
    }

    /// Tells whether an answer may have a field of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }
}

/// The domains of routes, and what each is about.
pub const TAGS: [(&str, &str); 11] = [
    ("Charges", "A PIX collected, kept as reais or delivered as crypto."),
    ("Balance", "Custody of reais: balances, statements, transfers, conversions, commission."),
    ("Payouts", "PIX sent from the balance."),
    ("Cash-outs", "Crypto deposited and sold for a PIX."),
    ("Wallet", "USDT and USDC deposited, and PIX paid from them."),
    ("Account", "Keys, limits, fees and settings."),
    ("Webhooks", "The endpoint of events, and their deliveries."),
    ("Verification", "Public verification of a PIX."),
    ("Agents", "The mesh: agents, mandates, production, referrals."),
    ("Sandbox", "Test operations and their events."),
    ("Discovery", "Documents about this service."),
];
