//! Supplying calls on their way to an engine.

use std::fmt;
use std::sync::Arc;

use ledger_core::contract::{Call, CallKind};
use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::State;
use ledger_core::machine::cash_out::Stage;
use serde_json::Value;

use super::{Background, Need, SystemEntropy, need, supply};
use crate::engine::{Engine, EngineError, Ticket};
use crate::provider::Provider;
use crate::sequencer::Sequencer;

/// Supplies calls of one ledger, by one provider, with keys made of the system's entropy.
///
/// The provider is asked only of what the ledger may take: nobody without an account's key makes it
/// issue a code, and an order that was accepted has its address.
#[derive(Clone)]
pub struct Supplier {
    provider: Arc<dyn Provider>,
}

impl Supplier {
    /// Returns a supplier by this provider.
    #[must_use]
    pub fn new(provider: Arc<dyn Provider>) -> Self {
        Self { provider }
    }

    /// Tells whether the call lacks something that is asked of the provider or the system. Asks
    /// nobody.
    #[must_use]
    pub fn is_needed(call: &Call) -> bool {
        need(&call.ask, &call.body, &call.supplied).is_some()
    }

    /// Supplies what the call lacks. Blocks while the provider is asked; from async code, call it
    /// by `spawn_blocking`, where [`Supplier::is_needed`].
    ///
    /// # Errors
    ///
    /// [`EngineError`] when the ledger, which is asked first, has ended.
    pub fn supply(&self, engine: &Engine, call: &mut Call) -> Result<(), EngineError> {
        let known = match need(&call.ask, &call.body, &call.supplied) {
            None => return Ok(()),
            Some(Need::Entropy(_)) => Some(Background::default()),
            Some(_) => background(engine, call).wait()?,
        };
        // The ledger refuses it anyway, or needs nothing more for its answer.
        let Some(known) = known else { return Ok(()) };
        let Call { ask, body, supplied, .. } = call;
        supply(ask, body, supplied, &known, &*self.provider, &SystemEntropy);
        Ok(())
    }
}

/// Returns what the ledger knows of a call; none where the provider need not be asked.
fn background(engine: &Engine, call: &Call) -> Ticket<Option<Background>> {
    let ask = call.ask.clone();
    engine.decide(move |sequencer| known_of(sequencer, &ask))
}

fn known_of(sequencer: &Sequencer, ask: &CallKind) -> Option<Background> {
    let views = sequencer.views();
    let key = match ask {
        CallKind::Request { key, .. } | CallKind::Command { key, .. } => key.as_deref(),
        CallKind::Fact(_) => return None,
    };
    let needed = need(ask, &Value::Null, &Value::Null);
    if let Some(Need::Description(e2e)) = needed {
        let seen = views.verification(e2e, &Value::Null, true).ok()?;
        return (seen["verificado"] == true).then(Background::default);
    }
    let account = views.state.account_of_key(&sequencer.tokens().api_key(key?))?;
    let deposit = match needed {
        Some(Need::SaleAddress(id)) => Some(quoted_coins(views.state, account, id)?),
        _ => None,
    };
    Some(Background { account: Some(views.state.account(account)?.name.to_string()), deposit })
}

/// The asset, network and amount of an account's order that waits to be accepted.
fn quoted_coins(state: &State, account: AccountId, id: &str) -> Option<[String; 3]> {
    let progress = state.open(OpId::parse(id, &state.name)?)?.cash_out()?.progress()?;
    let order = &progress.order;
    let waits = order.account == account && progress.stage == Stage::Quoted;
    let amount = order.coins.units.text(order.scale);
    waits.then(|| [order.asset_name.to_string(), order.chain_name.to_string(), amount])
}

impl fmt::Debug for Supplier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Supplier").finish_non_exhaustive()
    }
}
