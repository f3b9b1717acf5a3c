//! What calls lack and a ledger cannot know: randomness for keys, and what only a provider knows.

mod answer;
mod declared;
#[cfg(test)]
mod document;
mod remote;

use std::future::Future;
use std::pin::Pin;

use ledger_core::contract::{Call, Environment, Tokens};
use ledger_store::provider::supply::{Need, SecretFor, need};
use ledger_store::provider::{Supplier, SupplyError};
use serde_json::json;

pub use remote::{RemoteSupply, SupplySettings};

use crate::ledgers::{Ledgers, OpenLedger};
use crate::operation::metrics::Questions;

/// What is awaited for a call before a ledger decides it.
pub type Supplying<'a> = Pin<Box<dyn Future<Output = Result<(), ProviderAway>> + Send + 'a>>;

/// The provider has trouble that passes: the call is answered with `provedor_indisponivel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderAway;

/// Supplies what a call of a ledger lacks (rulings 39): a QR code, an address, a key's owner.
///
/// What it cannot find out it leaves out, and the contract answers for what it then lacks. It is
/// asked for every call, facts too, and most lack nothing.
///
/// ```
/// use ledger_core::contract::{Call, CallKind};
/// use ledger_http::{OpenLedger, Supply, Supplying};
///
/// /// A provider of QR codes.
/// struct Codes;
///
/// impl Supply for Codes {
///     fn supply<'a>(&'a self, _ledger: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
///         Box::pin(async move {
///             if matches!(&call.ask, CallKind::Request { target, .. } if target == "/cashin/charge")
///             {
///                 // A real one asks its bank here.
///                 call.supplied["qr_copypaste"] = "00020126".into();
///             }
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait Supply: Send + Sync + 'static {
    /// Puts what the call lacks into its `supplied`, which is null or an object.
    fn supply<'a>(&'a self, ledger: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a>;

    /// Tells whether there is anybody to ask. Where there is not, a request that needs a provider
    /// never passes, and its answer says `acao: falar_com_suporte`.
    fn is_configured(&self) -> bool {
        true
    }

    /// Returns the counts of the questions that it asks, which the service shows among its
    /// metrics: none unless said.
    fn questions(&self) -> Option<&Questions> {
        None
    }
}

/// Supplies nothing: ledgers have what keys are made of, and the sandbox's codes, from the service.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Supply for Nothing {
    fn supply<'a>(&'a self, _: &'a OpenLedger, _: &'a mut Call) -> Supplying<'a> {
        Box::pin(async { Ok(()) })
    }

    fn is_configured(&self) -> bool {
        false
    }
}

/// A provider supplies the ledger of real money; for test keys it is played. A plain one is asked
/// on a thread that may block, and an asynchronous one is awaited.
///
/// ```
/// use std::sync::Arc;
///
/// use ledger_http::{Ledgers, Service, ServiceBuilder};
/// use ledger_store::provider::{Provider, Supplier};
///
/// fn supplied_by(ledgers: Ledgers, bank: Arc<dyn Provider>) -> ServiceBuilder {
///     Service::builder(ledgers).supply(Supplier::new(bank))
/// }
/// ```
impl Supply for Supplier {
    fn supply<'a>(&'a self, ledger: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
        Box::pin(async move {
            let lacks = need(&call.ask, &call.body, &call.supplied);
            let asks = lacks.is_some_and(|need| !matches!(need, Need::Entropy(_)));
            if !asks || ledger.environment() != Environment::Live {
                return Ok(());
            }
            match self.supply_async(ledger.engine(), call).await {
                // A ledger that has ended says so by itself.
                Ok(()) | Err(SupplyError::Engine(_)) => Ok(()),
                // A provider that panicked has said nothing.
                Err(_) => Err(ProviderAway),
            }
        })
    }
}

/// Gives a call that makes a key or a secret what it is made of: of the system's randomness, 256
/// bits (rulings 10).
///
/// The production key of an agent is derived from the live ledger's own key instead, so that
/// whoever asks for it once more, after an answer that was lost, is shown the same, and whoever
/// reports it to the live ledger means the same.
///
/// # Errors
///
/// When the system gives no randomness.
pub(crate) fn supply_entropy(call: &mut Call, ledgers: &Ledgers) -> Result<(), getrandom::Error> {
    let entropy = match need(&call.ask, &call.body, &call.supplied) {
        Some(Need::Entropy(SecretFor::Call)) => fresh()?,
        Some(Need::Entropy(SecretFor::Production(agent))) => {
            derive_entropy(ledgers.for_environment(Environment::Live).tokens(), agent)
        }
        _ => return Ok(()),
    };
    if !call.supplied.is_object() {
        call.supplied = json!({});
    }
    call.supplied["entropy"] = entropy.into();
    Ok(())
}

/// Supplies a request for production with how many production keys its address was given today,
/// which the ledger of real money counts (rulings 71).
pub(crate) async fn supply_issued_keys(call: &mut Call, ledgers: &Ledgers) {
    let needed = need(&call.ask, &call.body, &call.supplied);
    let Some(Need::Entropy(SecretFor::Production(_))) = needed else { return };
    let (live, Some(ip)) = (ledgers.for_environment(Environment::Live), call.ip) else { return };
    // A ledger that is away issues no key either: the call that follows is not carried out there.
    let Ok(state) = live.engine().committed_state().await else { return };
    let issued = state.keys_issued(live.tokens().address(ip), call.at);
    if !call.supplied.is_object() {
        call.supplied = json!({});
    }
    call.supplied["production_keys_issued"] = issued.into();
}

/// 256 bits of the system's randomness, in hexadecimal digits.
pub(crate) fn fresh() -> Result<String, getrandom::Error> {
    let part = getrandom::u64;
    Ok(digits([part()?, part()?, part()?, part()?]))
}

/// Four times the keyed hash of a text that is another each time.
fn derive_entropy(tokens: &Tokens, agent: &str) -> String {
    let part = |part: u8| tokens.line(&format!("the production key of {agent}, part {part}"));
    digits([part(0), part(1), part(2), part(3)])
}

fn digits([a, b, c, d]: [u64; 4]) -> String {
    format!("{a:016x}{b:016x}{c:016x}{d:016x}")
}
