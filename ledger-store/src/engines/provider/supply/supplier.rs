//! Supplying calls on their way to an engine.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ledger_core::contract::{Call, CallKind};
use ledger_core::id::{AccountId, OpId};
use ledger_core::ledger::State;
use ledger_core::machine::cash_out::Stage;
use serde_json::{Value, json};
use thiserror::Error;

use super::{Background, Entropy as _, Lacking, Need, SystemEntropy, fill_in, need, supply};
use crate::engines::engine::{Engine, EngineError, Ticket};
use crate::engines::provider::{Provider, ProviderRuntime};
use crate::engines::sequencer::Sequencer;

/// Supplies calls of one ledger, by one provider, with keys made of the system's entropy.
///
/// The provider is asked only of what the ledger may take: nobody without an account's key makes it
/// issue a code, and an order that was accepted has its address.
#[derive(Clone)]
pub struct Supplier {
    provider: Source,
}

/// Whom a supplier asks.
#[derive(Clone)]
enum Source {
    Blocking(Arc<dyn Provider>),
    Async(ProviderRuntime),
}

/// Why a call is not supplied.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SupplyError {
    /// The ledger, which is asked first, has ended.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The provider panicked, or its runtime has ended: nobody knows.
    #[error("the provider gave no answer to a question")]
    Panicked,
}

impl Supplier {
    /// Returns a supplier by this provider.
    #[must_use]
    pub fn new(provider: Arc<dyn Provider>) -> Self {
        Self { provider: Source::Blocking(provider) }
    }

    /// Tells whether the call lacks something that is asked of the provider or the system. Asks
    /// nobody.
    #[must_use]
    pub fn is_needed(call: &Call) -> bool {
        need(&call.ask, &call.body, &call.supplied).is_some()
    }

    /// Supplies what the call lacks. Blocks while the provider is asked; from async code, use
    /// [`Supplier::supply_async`].
    ///
    /// # Errors
    ///
    /// [`SupplyError`] when the ledger has ended, or the provider panicked: the call then lacks
    /// what it lacked.
    pub fn supply(&self, engine: &Engine, call: &mut Call) -> Result<(), SupplyError> {
        let known = match need(&call.ask, &call.body, &call.supplied) {
            None => return Ok(()),
            Some(Need::Entropy(_)) => Some(Background::default()),
            Some(_) => background(engine, call).wait()?,
        };
        // The ledger refuses it anyway, or needs nothing more for its answer.
        let Some(known) = known else { return Ok(()) };
        let found = match &self.provider {
            Source::Blocking(provider) => return supply_by(&**provider, &known, call),
            Source::Async(_) if supply_entropy(call) => return Ok(()),
            Source::Async(runtime) => runtime.supply_now(lacking(call, known)),
        };
        fill_in(&mut call.supplied, found.map_err(|_| log_panic())?);
        Ok(())
    }

    /// Supplies what the call lacks without holding a thread: an asynchronous provider is awaited,
    /// and a plain one is asked on a thread of tokio's that may block. Dropped, it leaves the call
    /// as it is.
    ///
    /// # Errors
    ///
    /// [`SupplyError`], as [`Supplier::supply`].
    pub async fn supply_async(
        &self,
        engine: &Arc<Engine>,
        call: &mut Call,
    ) -> Result<(), SupplyError> {
        let Some(needed) = need(&call.ask, &call.body, &call.supplied) else { return Ok(()) };
        let asks_provider = !matches!(needed, Need::Entropy(_));
        let Source::Async(runtime) = &self.provider else {
            let (supplier, engine, mut asked) = (self.clone(), Arc::clone(engine), call.clone());
            let answer = move || supplier.supply(&engine, &mut asked).map(|()| asked.supplied);
            let done = tokio::task::spawn_blocking(answer).await;
            call.supplied = done.map_err(|_| log_panic())??;
            return Ok(());
        };
        if !asks_provider {
            supply_entropy(call);
            return Ok(());
        }
        let ask = call.ask.clone();
        let permit = engine.reserve().await?;
        let known = permit.decide(move |sequencer| known_of(sequencer, &ask)).await?;
        // The ledger refuses it anyway, or needs nothing more for its answer.
        let Some(known) = known else { return Ok(()) };
        let found = runtime.supply(lacking(call, known)).await;
        fill_in(&mut call.supplied, found.map_err(|_| log_panic())?);
        Ok(())
    }
}

/// A supplier by an asynchronous provider.
impl From<ProviderRuntime> for Supplier {
    fn from(provider: ProviderRuntime) -> Self {
        Self { provider: Source::Async(provider) }
    }
}

/// Supplies a call by a provider that blocks; one that panics has said nothing.
fn supply_by(
    provider: &dyn Provider,
    known: &Background,
    call: &mut Call,
) -> Result<(), SupplyError> {
    let Call { ask, body, supplied, .. } = call;
    let asks = || supply(ask, body, supplied, known, provider, &SystemEntropy);
    catch_unwind(AssertUnwindSafe(asks)).map_err(|_| log_panic())
}

/// The error of a provider that panicked over a question, which is logged.
fn log_panic() -> SupplyError {
    tracing::error!("the provider panicked over a question: nobody knows its answer");
    SupplyError::Panicked
}

/// Supplies a call that makes a key with the system's entropy; tells whether it is one.
fn supply_entropy(call: &mut Call) -> bool {
    let Some(Need::Entropy(secret)) = need(&call.ask, &call.body, &call.supplied) else {
        return false;
    };
    let found = SystemEntropy.hex(secret).map(|hex| json!({ "entropy": hex }));
    fill_in(&mut call.supplied, found);
    true
}

fn lacking(call: &Call, known: Background) -> Lacking {
    let Call { ask, body, supplied, .. } = call.clone();
    Lacking { ask, body, supplied, known }
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
