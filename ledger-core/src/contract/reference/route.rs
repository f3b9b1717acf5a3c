//! What a route is called and does, in words, and what its answer holds.

use crate::contract::route::shape::Invocation;
use crate::contract::schema::answer::AnswerField;

/// What the documents say of a route, beside its shape.
#[derive(Clone, Copy, Debug)]
pub struct RouteText {
    /// Method and path, or the name of a command.
    pub route: &'static str,
    /// What it is called in clients, as a verb and what it acts on: `CreateCharge`.
    pub name: &'static str,
    /// The domain it is of; `TAGS` describes each.
    pub tag: &'static str,
    /// What its answer is called in clients.
    pub schema: &'static str,
    /// The fields that its answer is described by; `RouteShape::answer` says which it has.
    pub fields: &'static [AnswerField],
    /// The statuses of its answer when it is not refused.
    pub statuses: &'static [u16],
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What it does, in sentences.
    pub description: &'static str,
    /// What it is with a parameter that changes its answer; none of most.
    pub variant: Option<&'static Variant>,
}

/// A route asked with a parameter of ours that makes another answer of it.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The parameter.
    pub parameter: &'static str,
    /// What the route is called in clients with it.
    pub name: &'static str,
    /// What its answer is called in clients then.
    pub schema: &'static str,
    /// The fields that its answer then has.
    pub fields: &'static [AnswerField],
    /// What it does then, in a few words.
    pub summary: &'static str,
    /// What it does then, in sentences.
    pub description: &'static str,
}

/// Answered as found, or made now.
pub(super) const OK: &[u16] = &[200];

/// Made now, or as found when it was made before.
pub(super) const OK_OR_CREATED: &[u16] = &[200, 201];

/// Made now, each time.
pub(super) const CREATED: &[u16] = &[201];

pub(super) const fn described(
    route: &'static str,
    (name, tag): (&'static str, &'static str),
    (schema, fields, statuses): (&'static str, &'static [AnswerField], &'static [u16]),
    summary: &'static str,
    description: &'static str,
) -> RouteText {
    RouteText { route, name, tag, schema, fields, statuses, summary, description, variant: None }
}

impl RouteText {
    /// The same route, which a parameter makes another of.
    pub(super) const fn with(mut self, variant: &'static Variant) -> Self {
        self.variant = Some(variant);
        self
    }

    /// Whether it is of the route that is asked for so.
    #[must_use]
    pub fn is_of(&self, ask: Invocation) -> bool {
        match ask {
            Invocation::Route(method, path) => {
                let rest = self.route.strip_prefix(method.name());
                rest.and_then(|rest| rest.strip_prefix(' ')) == Some(path)
            }
            Invocation::Command(name) => self.route == name,
        }
    }
}
