//! A route as data: how it is asked for, by whom, what it takes and what it answers.

use std::fmt;

use super::text::{AnswerShape, RouteText};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::query::Target;
use crate::contract::schema::field::Field;

/// One route, declared: dispatch, errors and the list that the program shows come of it.
#[derive(Clone, Copy, Debug)]
pub struct RouteShape {
    /// How it is asked for.
    pub ask: Invocation,
    /// What it is called and does.
    pub text: RouteText,
    /// Whether it takes the key of an account.
    pub access: Access,
    /// Whether it may leave a record of its own.
    pub effect: Effect,
    /// Which status a refusal for lack of money has.
    pub kind: RouteKind,
    /// What it takes of the query.
    pub query: Query,
    /// What it takes of the body; other fields are tolerated, and named in the answer.
    pub body: &'static [Field],
    /// What it answers.
    pub answer: AnswerShape,
    /// What it may refuse for, beside what [`RouteShape::may_refuse`] says of every route.
    pub errors: &'static [Code],
}

/// How a route is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocation {
    /// By method and path, whose parameters stand in braces.
    Route(Method, &'static str),
    /// By a name of ours: the contract describes it and shows no route.
    Command(&'static str),
}

/// The methods that routes take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads what stands.
    Get,
    /// Creates something, or moves what exists.
    Post,
    /// Changes the settings that the body names, and no others.
    Patch,
}

/// Whether it takes the key of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The holder of an account's key.
    Key,
    /// Anybody, without a key: catalogues, verification, enrolment.
    Anybody,
}

/// What a route may leave behind; what time brings due is recorded either way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it shows what stands.
    Reads,
    /// The records of what was decided, unless it is refused.
    Decides,
}

/// What a route takes of the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// It does not look at it.
    Ignored,
    /// These parameters, and no others.
    Only(&'static [&'static str]),
}

/// A query without any parameter.
pub const NO_QUERY: Query = Query::Only(&[]);

/// What any body may be refused for.
const OF_BODIES: &[Code] = &[Code::FormatInvalid, Code::FieldsRequired];

/// The answer to whoever has no key of an account (AUTH-06).
const OF_KEYS: &[Code] =
    &[Code::KeyMissing, Code::KeyRequired, Code::KeyUnknown, Code::KeyMalformed];

impl RouteShape {
    /// Tells whether it may refuse with this code: what every route may, or its key or body, or
    /// itself.
    #[must_use]
    pub fn may_refuse(&self, code: Code) -> bool {
        let needs_key = self.access == Access::Key;
        code == Code::RequestInvalid
            || OF_BODIES.contains(&code)
            || needs_key && OF_KEYS.contains(&code)
            || self.errors.contains(&code)
    }
}

impl Query {
    /// Refuses a parameter that is not taken: a misspelt one must not change what is shown.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` naming the parameter.
    pub(in crate::contract) fn admits(self, target: &Target) -> Result<(), Problem> {
        match self {
            Self::Ignored => Ok(()),
            Self::Only(parameters) => target.only(parameters),
        }
    }
}

impl Invocation {
    /// The path, where it has one.
    #[must_use]
    pub const fn path(self) -> Option<&'static str> {
        match self {
            Self::Route(_, path) => Some(path),
            Self::Command(_) => None,
        }
    }
}

/// Method and path, or the name of a command.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Route(method, path) => write!(f, "{} {path}", method.name()),
            Self::Command(name) => f.write_str(name),
        }
    }
}

impl Method {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
        }
    }
}

/// The segments of a declared path.
pub fn segments_of(path: &'static str) -> impl Iterator<Item = &'static str> {
    path.trim_start_matches('/').split('/')
}

/// Tells whether a segment of a declared path stands for any text.
#[must_use]
pub fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

/// Tells whether a path of these segments is the declared one.
#[must_use]
pub fn matches(path: &'static str, segments: &[&str]) -> bool {
    // Most paths differ from the first byte on: they are not taken apart.
    let begin = path.trim_start_matches('/');
    if !is_parameter(begin) && !begin.starts_with(segments.first().copied().unwrap_or_default()) {
        return false;
    }
    let mut given = segments.iter();
    let fits = segments_of(path)
        .all(|known| given.next().is_some_and(|given| is_parameter(known) || known == *given));
    fits && given.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_matches_segment_by_segment() {
        let split = |path: &'static str| path.split('/').collect::<Vec<_>>();
        for (declared, given, fits) in [
            ("/saldo", "saldo", true),
            ("/saldo", "saldo/extrato", false),
            ("/saldo/extrato", "saldo", false),
            ("/cashin/{cashin_id}/status", "cashin/ci_1/status", true),
            ("/cashin/{cashin_id}/status", "cashin//status", true),
            ("/cashin/{cashin_id}/status", "cashin/ci_1/state", false),
            ("/cashin/{cashin_id}/status", "cashin/ci_1/status/", false),
        ] {
            assert_eq!(matches(declared, &split(given)), fits, "{declared} {given}");
        }
    }
}
