//! Routes on the wire: how they are declared, and what the function behind one is given.

pub(super) mod index;
pub(super) mod own_paths;
pub(super) mod parts;
pub(super) mod shape;
pub(super) mod text;

use super::call::CallOutcome;
use super::call::context::{Refused, RequestContext};
use parts::RequestParts;
use shape::{Invocation, Method, RouteShape};

/// A route as its domain declares it, with the function that answers it.
pub struct Route<A: 'static, V: 'static> {
    /// What it takes and what it answers.
    pub shape: RouteShape,
    /// The function that answers it.
    pub handler: Handler<A, V>,
}

/// The routes that a domain declares.
pub trait Routes<A: 'static, V: 'static> {
    /// Each once, in the order people meet them.
    const ROUTES: &'static [Route<A, V>];
}

/// Answers a request that was asked for by the route's method and path, or by its name.
pub type Handler<A, V> =
    fn(RequestContext<'_, A, V>, &RequestParts<'_>) -> Result<CallOutcome, Refused>;

/// A route of the contract by `GET` on this path.
pub const fn get(path: &'static str) -> Invocation {
    Invocation::Route(Method::Get, path)
}

/// A route of the contract by `POST` on this path.
pub const fn post(path: &'static str) -> Invocation {
    Invocation::Route(Method::Post, path)
}

/// A route of the contract by `PATCH` on this path.
pub const fn patch(path: &'static str) -> Invocation {
    Invocation::Route(Method::Patch, path)
}
