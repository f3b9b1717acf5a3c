//! The parts of a request that a route reads: path, query, body, and what is supplied.

use serde_json::Value;

use super::shape::{RouteShape, is_parameter, segments_of};
use crate::contract::call::Call;
use crate::contract::error::Problem;
use crate::contract::input::fields::{Fields, Reads};
use crate::contract::input::query::Target;
use crate::contract::input::tokens::Tokens;
use crate::id::{Kind, LedgerName, OpId};
use crate::terms::Policy;

/// What a request brings, as the function that answers it reads it.
pub struct RequestParts<'a> {
    /// The route that is asked for.
    pub shape: &'static RouteShape,
    /// The path as it came, and the parameters of the query, percent-decoded.
    pub target: &'a Target,
    pub call: &'a Call,
    /// Derives tokens of what it brings.
    pub tokens: &'a Tokens,
    /// Which fields of the body were read.
    pub reads: &'a Reads,
    /// The name of the ledger that is asked, and its environment.
    pub ledger: &'a LedgerName,
    /// The policy in force when the request is read.
    pub policy: &'a Policy,
    /// An object without fields, for a body that is not there.
    pub nothing: &'a Value,
}

impl<'a> RequestParts<'a> {
    /// The body, which must be an object.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is something else, or absent.
    pub fn body(&self) -> Result<Fields<'a>, Problem> {
        self.fields(&self.call.body)
    }

    /// The body, which may be absent.
    ///
    /// # Errors
    ///
    /// A [`Problem`] when it is something other than an object.
    pub fn body_if(&self) -> Result<Fields<'a>, Problem> {
        self.fields(if self.call.body.is_null() { self.nothing } else { &self.call.body })
    }

    fn fields(&self, body: &'a Value) -> Result<Fields<'a>, Problem> {
        let fields = Fields::new(body, self.tokens, self.ledger)?;
        let besides = self.shape.answer.variant.map_or(&[][..], |variant| variant.body);
        Ok(fields.with_declared(self.shape.body).or_declared(besides).noting(self.reads))
    }

    /// What stands in the path for its parameter; each path has one at most.
    ///
    /// # Panics
    ///
    /// When the path has no parameter: then the route must not ask for one.
    #[must_use]
    pub fn parameter(&self) -> &'a str {
        let path = self.shape.ask.path().unwrap_or_default();
        let place = segments_of(path).position(is_parameter);
        let given = place.and_then(|place| self.target.segments().get(place).copied());
        given.expect("a route that reads a parameter of its path declares it")
    }

    /// The operation of one of these kinds that the path names; none when it is no such id.
    #[must_use]
    pub fn operation(&self, kinds: &[Kind]) -> Option<OpId> {
        OpId::parse(self.parameter(), self.ledger).filter(|op| kinds.contains(&op.kind()))
    }
}
