//! The first accept of a sale whose ending is `.07`: nobody settles it, and the next one does
//! (SBX-06).

use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Problem, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::id::{AccountId, OpId};
use crate::ledger::{Archive, ExternalId, Fact, Intent, Operation, Refusal, Reported, State};
use crate::machine::cash_out::{self, Stage};
use crate::terms::Ending;
use crate::time::Instant;

/// Refuses the first accept of such a sale with 503.
///
/// That it came is remembered as any fact is, by an id that is known for ever: a record of nothing
/// but time. So the second accept passes, whatever crashed between them.
///
/// # Errors
///
/// `liquidante_indisponivel`, once an order; 401 without an account.
pub fn first_accept<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    order: OpId,
) -> Result<(), Refused> {
    let state = &context.ledger.state;
    if !state.is_sandbox() {
        return Ok(());
    }
    let account = context.account()?;
    state.admits(context.call.at).map_err(Problem::from)?;
    let id = format!("sandbox:{}:accepted", order.text(&state.name));
    let first = context.ledger.archive.fact_seq(&ExternalId::fact(&id)).is_none();
    if !first || !awaits_settler(state, order, account, context.call.at.max(state.now)) {
        return Ok(());
    }
    let what = Intent::Fact(Reported { id: Some(id.into()), fact: Fact::TimePassed });
    let (_, execution) = context.execute(what, Vec::new())?;
    let problem = Refusal::SettlerUnavailable.into();
    let kind = RouteKind::Other;
    Err(Refused { problem, kind, execution: Some(Box::new(execution)) })
}

/// Tells whether the order is one of this account whose acceptance would pass but for its ending.
fn awaits_settler(state: &State, order: OpId, account: AccountId, at: Instant) -> bool {
    let known = state.open(order).filter(|known| known.account() == Some(account));
    let progress = known.and_then(Operation::cash_out).and_then(cash_out::State::progress);
    let paused = state.policy.sale_limits().paused.is_on();
    progress.is_some_and(|progress| {
        let order = &progress.order;
        let waits = progress.stage == Stage::Quoted && at < order.expires_at;
        waits && !paused && order.is_sellers() && order.ending() == Ending::SettlerAway
    })
}
