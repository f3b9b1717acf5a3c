//! The table of routes: what the domains declare, put together, and the way to each.

use serde_json::json;

use super::call::context::{Refused, RequestContext};
use super::call::{CallKind, CallOutcome};
use super::error::{Code, Problem};
use super::input::echo::echoed;
use super::input::query::{Target, not_taken, unknown};
use super::input::tokens::Vault;
use super::route::own_paths::OwnPath;
use super::route::parts::RequestParts;
use super::route::shape::{Invocation, Method, RouteShape, is_parameter, matches, segments_of};
use super::route::{Route, Routes};
use super::{account, agent, charge, conversion, payout, sale, sandbox, transfer, wallet};
use crate::ledger::Archive;

/// Every route that any domain declares, each once.
fn all<A: Archive, V: Vault>() -> impl Iterator<Item = &'static Route<A, V>> {
    let domains = [
        charge::routes::Charges::ROUTES,
        transfer::routes::Transfers::ROUTES,
        conversion::routes::Conversions::ROUTES,
        payout::routes::Payouts::ROUTES,
        sale::routes::Sales::ROUTES,
        account::balance_routes::Balances::ROUTES,
        account::routes::Accounts::ROUTES,
        wallet::routes::Wallets::ROUTES,
        wallet::withdrawal_routes::WalletWithdrawals::ROUTES,
        agent::routes::Mesh::ROUTES,
        sandbox::routes::Sandbox::ROUTES,
    ];
    domains.into_iter().flatten()
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
    found.map(|(route, _)| &route.shape)
}

/// The methods that the path of a target takes, those of our own paths included; none where no
/// domain declares it.
///
/// The path that declares the fewest parameters is meant, as it is where a route is looked for.
#[must_use]
pub fn methods_of<A: Archive, V: Vault>(target: &str) -> Vec<Method> {
    let path = target.split('?').next().unwrap_or_default();
    let segments: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    let own = OwnPath::on(target).map(|own| (own.path, own.method));
    let declared = all::<A, V>().filter_map(|route| match route.shape.ask {
        Invocation::Route(method, path) => Some((path, method)),
        Invocation::Command(_) => None,
    });
    let taken: Vec<_> = declared.chain(own).filter(|(path, _)| matches(path, &segments)).collect();
    let parameters = |path| segments_of(path).filter(|known| is_parameter(known)).count();
    let fewest = taken.iter().map(|(path, _)| parameters(path)).min();
    let meant = taken.into_iter().filter(|(path, _)| Some(parameters(path)) == fewest);
    let mut methods: Vec<Method> = meant.map(|(_, method)| method).collect();
    methods.dedup();
    methods
}

/// A route, and the path and query it is asked with.
type Found<A, V> = (&'static Route<A, V>, Target);

/// The route of a method and target.
///
/// # Errors
///
/// `nao_encontrado` for a path that no domain declares, `metodo_nao_permitido` for one that is
/// declared with other methods, and what is wrong with the query.
pub fn by_target<A: Archive, V: Vault>(method: &str, target: &str) -> Result<Found<A, V>, Problem> {
    let target = Target::parse(target)?;
    let path = path_of::<A, V>(&target.segments()).ok_or_else(|| unknown(method, &target))?;
    let mut taken = Vec::new();
    for route in all::<A, V>() {
        match route.shape.ask {
            Invocation::Route(known, other) if other == path => {
                if known.name() == method {
                    route.shape.query.admits(&target)?;
                    return Ok((route, target));
                }
                taken.push(known.name());
            }
            Invocation::Route(..) | Invocation::Command(_) => {}
        }
    }
    Err(not_taken(&target, &taken))
}

/// The declared path that is meant: where several fit, the one with the fewest parameters.
fn path_of<A: Archive, V: Vault>(segments: &[&str]) -> Option<&'static str> {
    let paths = all::<A, V>().filter_map(|route| route.shape.ask.path());
    let fitting = paths.filter(|path| matches(path, segments));
    fitting.min_by_key(|path| segments_of(path).filter(|known| is_parameter(known)).count())
}

/// What the contract describes and shows no route for, by its name.
///
/// # Errors
///
/// `nao_encontrado` for a name that no domain declares.
pub fn by_name<A: Archive, V: Vault>(name: &str) -> Result<Found<A, V>, Problem> {
    let mut known = Vec::new();
    for route in all::<A, V>() {
        match route.shape.ask {
            Invocation::Command(command) if command == name => {
                return Ok((route, Target::default()));
            }
            Invocation::Command(command) => known.push(command),
            Invocation::Route(..) => {}
        }
    }
    let known = known.join(", ");
    let detail = format!("there is no command {}; known are {known}", echoed(name));
    Err(Problem::new(Code::NotFound, detail))
}

/// Lets the function behind a route answer.
pub fn answer<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    (route, target): &Found<A, V>,
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
