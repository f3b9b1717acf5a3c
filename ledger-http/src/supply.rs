//! What calls lack and a ledger cannot know: randomness for keys, and what only a provider knows.

use std::future::Future;
use std::pin::Pin;

use ledger_core::contract::{Call, CallKind, Environment, Tokens};
use serde_json::{Value, json};

use crate::ledgers::{Ledgers, OpenLedger};

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
}

/// Supplies nothing: ledgers have what keys are made of, and the sandbox's codes, from the service.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Supply for Nothing {
    fn supply<'a>(&'a self, _: &'a OpenLedger, _: &'a mut Call) -> Supplying<'a> {
        Box::pin(async { Ok(()) })
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
    let brought = |name: &str| call.supplied.get(name).is_some();
    if brought("key") || brought("entropy") {
        return Ok(());
    }
    let entropy = match made_by(&call.ask, &call.body) {
        Made::Nothing => return Ok(()),
        Made::Secrets => fresh()?,
        Made::ProductionKey(agent) => derived(ledgers.of(Environment::Live).tokens(), agent),
    };
    if !call.supplied.is_object() {
        call.supplied = json!({});
    }
    call.supplied["entropy"] = entropy.into();
    Ok(())
}

/// What a call makes of entropy.
enum Made<'a> {
    Nothing,
    Secrets,
    /// Of this agent.
    ProductionKey(&'a str),
}

fn made_by<'a>(ask: &'a CallKind, body: &'a Value) -> Made<'a> {
    match ask {
        CallKind::Request { method, target, .. } => of_request(method, target, body),
        CallKind::Command { name, .. } if name == "key.rotate" => Made::Secrets,
        CallKind::Fact(name) if name == "account.opened" || name == "key.replaced" => Made::Secrets,
        CallKind::Fact(name) if name == "agent.activated" => {
            let agent = body.get("agent_id").and_then(Value::as_str);
            agent.map_or(Made::Nothing, Made::ProductionKey)
        }
        CallKind::Command { .. } | CallKind::Fact(_) => Made::Nothing,
    }
}

fn of_request<'a>(method: &str, target: &'a str, body: &Value) -> Made<'a> {
    let path = target.split('?').next().unwrap_or_default();
    match (method, path) {
        ("POST", "/keys" | "/keys/sandbox" | "/mesh/agents") => Made::Secrets,
        ("PATCH", "/keys/me") => {
            let asks =
                |name: &&str| body.get(*name).is_some_and(|value| *value != Value::Bool(false));
            let settings = ["webhook_url", "rotate_webhook_secret", "rotate_monitor_token"];
            if settings.iter().any(asks) { Made::Secrets } else { Made::Nothing }
        }
        ("POST", path) => {
            let agent = path.strip_prefix("/mesh/agents/");
            let agent = agent.and_then(|rest| rest.strip_suffix("/production-request"));
            agent.map_or(Made::Nothing, Made::ProductionKey)
        }
        _ => Made::Nothing,
    }
}

/// 256 bits of the system's randomness, in hexadecimal digits.
pub(crate) fn fresh() -> Result<String, getrandom::Error> {
    let part = getrandom::u64;
    Ok(digits([part()?, part()?, part()?, part()?]))
}

/// Four times the keyed hash of a text that is another each time.
fn derived(tokens: &Tokens, agent: &str) -> String {
    let part = |part: u8| tokens.line(&format!("the production key of {agent}, part {part}"));
    digits([part(0), part(1), part(2), part(3)])
}

fn digits([a, b, c, d]: [u64; 4]) -> String {
    format!("{a:016x}{b:016x}{c:016x}{d:016x}")
}
