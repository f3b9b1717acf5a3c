//! What a call lacks and only a provider or the system can know, filled in beside it (rulings 39).
//!
//! What was brought is left as it is: an explicit null says that nobody knows. What the provider
//! does not know stays away, and the contract says what that means for the request.

mod entropy;
mod needs;
mod question;
mod supplier;

use ledger_core::contract::CallKind;
use serde_json::{Value, json};

pub use entropy::{Entropy, SecretFor, SystemEntropy};
pub use needs::{AskedKey, Need, need};
pub(super) use question::{Lacking, Question, Reply};
pub use supplier::{Supplier, SupplyError};

use super::Provider;

/// What the ledger knows of a call, for the provider's sake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Background {
    /// The account whose key the call has, by name.
    pub account: Option<String>,
    /// The asset, network and amount of the order that is accepted.
    pub deposit: Option<[String; 3]>,
}

/// Supplies what a call lacks: asks the provider by what the route needs, and `entropy` where a key
/// or secret is made.
///
/// ```
/// use ledger_core::contract::CallKind;
/// use ledger_store::provider::supply::{Background, SystemEntropy};
/// use ledger_store::provider::{
///     Answer, ChargeAnswer, ChargeToIssue, Provider, QrCode, supply,
/// };
/// use serde_json::{Value, json};
///
/// struct Bank;
///
/// impl Provider for Bank {
///     fn qr_code(&self, charge: &ChargeToIssue<'_>) -> Answer<ChargeAnswer> {
///         let copypaste = format!("00020126-{}", charge.external_id.unwrap_or_default());
///         Answer::Known(ChargeAnswer::Issued(QrCode { copypaste, image_url: None }))
///     }
/// }
///
/// let (method, target) = ("POST".to_owned(), "/cashin/charge".to_owned());
/// let ask = CallKind::Request { method, target, key: None };
/// let (body, mut supplied) = (json!({ "external_id": "p-1" }), Value::Null);
/// supply(&ask, &body, &mut supplied, &Background::default(), &Bank, &SystemEntropy);
/// assert_eq!(supplied, json!({ "qr_copypaste": "00020126-p-1" }));
/// ```
pub fn supply<P: Provider + ?Sized>(
    ask: &CallKind,
    body: &Value,
    supplied: &mut Value,
    known: &Background,
    provider: &P,
    entropy: &impl Entropy,
) {
    let Some(need) = need(ask, body, supplied) else { return };
    let found = match need {
        Need::Entropy(secret) => entropy.hex(secret).map(|hex| json!({ "entropy": hex })),
        need => Question::new(&need, body, known)
            .and_then(|question| question.ask(provider).supplied(&need)),
    };
    fill_in(supplied, found);
}

/// Puts the fields that were found beside what was supplied.
fn fill_in(supplied: &mut Value, found: Option<Value>) {
    let Some(Value::Object(found)) = found else { return };
    if !supplied.is_object() {
        *supplied = json!({});
    }
    if let Value::Object(supplied) = supplied {
        supplied.extend(found);
    }
}
