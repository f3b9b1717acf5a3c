//! The table of routes: what the domains declare, put together, and the way to each.

use std::sync::OnceLock;

use serde_json::json;

use super::call::context::{Refused, RequestContext};
use super::call::{CallKind, CallOutcome};
use super::error::{Code, Problem};
use super::input::echo::mask_input;
use super::input::query::{Target, not_taken, unknown};
use super::input::tokens::Vault;
use super::route::index::PathIndex;
use super::route::own_paths::OWN_PATHS;
use super::route::parts::RequestParts;
use super::route::shape::{Invocation, Method, RouteShape};
use super::route::{Route, Routes};
use super::{account, agent, charge, conversion, payout, sale, sandbox, transfer, wallet};
use crate::ledger::Archive;

/// The routes that each domain declares.
fn domains<A: Archive, V: Vault>() -> [&'static [Route<A, V>]; 12] {
    [
        charge::Charges::ROUTES,
        transfer::Transfers::ROUTES,
        conversion::Conversions::ROUTES,
        payout::Payouts::ROUTES,
        sale::Sales::ROUTES,
        account::balance_routes::Balances::ROUTES,
        account::Accounts::ROUTES,
        account::lookup::Lookups::ROUTES,
        wallet::Wallets::ROUTES,
        wallet::withdrawal_routes::WalletWithdrawals::ROUTES,
        agent::Mesh::ROUTES,
        sandbox::Sandbox::ROUTES,
    ]
}

/// Every route that any domain declares, each once.
fn all<A: Archive, V: Vault>() -> impl Iterator<Item = &'static Route<A, V>> {
    domains().into_iter().flatten()
}

/// The route at a place of [`all`].
fn at<A: Archive, V: Vault>(mut place: usize) -> &'static Route<A, V> {
    for domain in domains() {
        if let Some(route) = domain.get(place) {
            return route;
        }
        place -= domain.len();
    }
    unreachable!("an index is made of the table that it leads to")
}

/// The paths of the contract, by their places in [`all`]: the same for every ledger.
fn contract_paths<A: Archive, V: Vault>() -> &'static PathIndex {
    static INDEX: OnceLock<PathIndex> = OnceLock::new();
    INDEX.get_or_init(|| PathIndex::new(all::<A, V>().map(|route| route.shape.ask.path())))
}

/// A method that a path takes, and the route that both lead to.
type MethodRoute = (Method, &'static RouteShape);

/// The paths that a service answers, with the methods that each takes: the contract's and our own.
fn service_paths<A: Archive, V: Vault>() -> &'static (PathIndex, Vec<MethodRoute>) {
    static INDEX: OnceLock<(PathIndex, Vec<MethodRoute>)> = OnceLock::new();
    INDEX.get_or_init(|| {
        let declared = routes::<A, V>().filter_map(|shape| match shape.ask {
            Invocation::Route(method, path) => Some((path, (method, shape))),
            Invocation::Command(_) => None,
        });
        let own = OWN_PATHS.iter().filter_map(|own| {
            let route = by_name::<A, V>(own.command).ok()?;
            Some((own.path, (own.method, &route.shape)))
        });
        let (paths, routes): (Vec<_>, Vec<_>) = declared.chain(own).unzip();
        (PathIndex::new(paths.into_iter().map(Some)), routes)
    })
}

/// The methods of the path that a target means, with their routes.
///
/// The path that declares the fewest parameters is meant, as it is where a route is looked for.
fn methods_at<A: Archive, V: Vault>(target: &str) -> impl Iterator<Item = MethodRoute> + use<A, V> {
    let path = target.split('?').next().unwrap_or_default();
    let (paths, routes) = service_paths::<A, V>();
    let places = paths.meant(path).map(|known| &known.places[..]).unwrap_or_default();
    places.iter().map(|place| routes[*place])
}

/// Every route and command as data, each once.
pub fn routes<A: Archive, V: Vault>() -> impl Iterator<Item = &'static RouteShape> {
    all::<A, V>().map(|route| &route.shape)
}

/// The route that a call asks for; none for a fact, and for what no domain declares.
#[must_use]
pub fn route_of<A: Archive, V: Vault>(ask: &CallKind) -> Option<&'static RouteShape> {
    let found = match ask {
        CallKind::Request { method, target, .. } => by_target::<A, V>(method, target).ok(),
        CallKind::Command { name, .. } => by_name::<A, V>(name).ok(),
        CallKind::Fact(_) => None,
    };
    found.map(|route| &route.shape)
}

/// The methods that the path of a target takes, those of our own paths included; none where no
/// domain declares it.
#[must_use]
pub fn methods_of<A: Archive, V: Vault>(target: &str) -> Vec<Method> {
    methods_at::<A, V>(target).map(|(method, _)| method).collect()
}

/// The route that a method and a target of a service lead to: one of the contract's, or the command
/// of a path of ours. None where the path is not declared, or takes other methods.
#[must_use]
pub fn shape_of<A: Archive, V: Vault>(method: &str, target: &str) -> Option<&'static RouteShape> {
    let mut methods = methods_at::<A, V>(target);
    methods.find(|(known, _)| known.name() == method).map(|(_, shape)| shape)
}

/// A route, and the path and query it is asked with.
type RouteMatch<A, V> = (&'static Route<A, V>, Target);

/// The route of a method and target, whatever its query says.
///
/// # Errors
///
/// `nao_encontrado` for a path that no domain declares, `metodo_nao_permitido` for one that is
/// declared with other methods.
pub fn by_target<A: Archive, V: Vault>(
    method: &str,
    target: &str,
) -> Result<&'static Route<A, V>, Problem> {
    let path = target.split('?').next().unwrap_or_default();
    let meant = contract_paths::<A, V>().meant(path);
    let places = &meant.ok_or_else(|| unknown(method, path))?.places;
    let mut taken = Vec::new();
    for route in places.iter().map(|place| at::<A, V>(*place)) {
        let known = match route.shape.ask {
            Invocation::Route(known, _) => known.name(),
            Invocation::Command(_) => unreachable!("what has no path is on none"),
        };
        if known == method {
            return Ok(route);
        }
        taken.push(known);
    }
    Err(not_taken(path, &taken))
}

/// The path and query that a route is asked with.
///
/// # Errors
///
/// The problem with the query: malformed, or a parameter that the route does not take.
pub fn target_of(shape: &RouteShape, ask: &CallKind) -> Result<Target, Problem> {
    let CallKind::Request { target, .. } = ask else { return Ok(Target::default()) };
    let target = Target::parse(target)?;
    shape.query.admits(&target)?;
    Ok(target)
}

/// The route that the contract describes and shows no path for, by its name.
///
/// # Errors
///
/// `nao_encontrado` for a name that no domain declares.
pub fn by_name<A: Archive, V: Vault>(name: &str) -> Result<&'static Route<A, V>, Problem> {
    let mut known = Vec::new();
    for route in all::<A, V>() {
        match route.shape.ask {
            Invocation::Command(command) if command == name => return Ok(route),
            Invocation::Command(command) => known.push(command),
            Invocation::Route(..) => {}
        }
    }
    let known = known.join(", ");
    let detail = format!("there is no command {}; known are {known}", mask_input(name));
    Err(Problem::new(Code::NotFound, detail))
}

/// Lets the function behind a route answer.
pub fn answer<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    (route, target): &RouteMatch<A, V>,
) -> Result<CallOutcome, Refused> {
    let ledger = context.ledger.state.name.clone();
    let policy = context.ledger.state.policy.clone();
    let parts = RequestParts {
        shape: &route.shape,
        target,
        call: context.call,
        tokens: context.tokens,
        reads: context.reads,
        ledger: &ledger,
        policy: &policy,
        nothing: &json!({}),
    };
    (route.handler)(context, &parts)
}
