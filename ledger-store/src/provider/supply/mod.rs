//! What a call lacks and only a provider or the system can know, filled in beside it (rulings 39).
//!
//! What was brought is left as it is: an explicit null says that nobody knows. What the provider
//! does not know stays away, and the contract says what that means for the request.

mod entropy;
mod needs;
mod supplier;

use ledger_core::contract::CallKind;
use ledger_core::pix::{Document, Letters};
use serde_json::{Map, Value, json};

pub use entropy::{Entropy, SecretFor, SystemEntropy};
pub use needs::{AskedKey, Need, need};
pub use supplier::Supplier;

use super::{
    Answer, ChargeAnswer, ChargeToIssue, DepositToTake, KeyLookup, PixKeyToLookUp, Provider,
};

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
        need => supply_need(&need, body, known, provider),
    };
    let Some(Value::Object(found)) = found else { return };
    if !supplied.is_object() {
        *supplied = json!({});
    }
    if let Value::Object(supplied) = supplied {
        supplied.extend(found);
    }
}

fn supply_need<P: Provider + ?Sized>(
    need: &Need<'_>,
    body: &Value,
    known: &Background,
    provider: &P,
) -> Option<Value> {
    match need {
        Need::QrCode => code(body, known, provider),
        Need::WalletAddress | Need::SaleAddress(_) => address(need, body, known, provider),
        Need::Lookup(key) => holder(key, known, provider).map(|found| match found {
            KeyLookup::NoSuchKey => json!({ "lookup": { "found": false } }),
            KeyLookup::Held(holder) => {
                let shown = texts([
                    ("name", holder.name, 255),
                    ("document", holder.document, 255),
                    ("institution", holder.institution, 255),
                ]);
                let mut shown = shown.unwrap_or_else(|| json!({}));
                shown["found"] = true.into();
                json!({ "lookup": shown })
            }
        }),
        Need::Owner(key) => {
            let KeyLookup::Held(holder) = holder(key, known, provider)? else { return None };
            // One that is masked proves nothing.
            let document = holder.document?;
            Document::parse(&document, Letters::Accepted)?;
            Some(json!({ "owner": document }))
        }
        Need::Description(e2e) => {
            let found = known_answer(provider.describe_pix(e2e))?;
            let receipt = found.receipt_url.filter(|url| url.starts_with("https://"));
            texts([
                ("instituicao", found.institution, 255),
                ("liquidado_por", found.settled_by, 255),
                ("comprovante_url", receipt, 255),
                ("recebedor_nome", found.recipient_name, 255),
            ])
        }
        Need::Entropy(_) => None,
    }
}

fn code<P: Provider + ?Sized>(body: &Value, known: &Background, provider: &P) -> Option<Value> {
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let charge = ChargeToIssue {
        account: known.account.as_deref(),
        external_id: text("external_id"),
        amount_cents: body.get("amount_cents").and_then(Value::as_i64),
        payer_tax_number: text("payer_tax_number"),
        payer_name: text("payer_name"),
    };
    match known_answer(provider.qr_code(&charge))? {
        ChargeAnswer::Issued(code) => texts([
            ("qr_copypaste", Some(code.copypaste), 1024),
            ("qr_image_url", code.image_url, 1024),
        ]),
        ChargeAnswer::PayerRefused(reference) => {
            texts([("provider_reference", Some(reference), 255)])
        }
    }
}

fn address<P: Provider + ?Sized>(
    need: &Need<'_>,
    body: &Value,
    known: &Background,
    provider: &P,
) -> Option<Value> {
    let account = known.account.as_deref();
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    if let Need::SaleAddress(id) = need {
        let [asset, network, amount] = match &known.deposit {
            Some(known) => known.each_ref().map(|text| Some(text.as_str())),
            None => [None; 3],
        };
        let cashout_id = Some(*id);
        let deposit = DepositToTake { account, cashout_id, asset, network, amount };
        let found = known_answer(provider.deposit_address(&deposit))?;
        let address = ("deposit_address", Some(found.address), 128);
        return texts([address, ("deposit_tag", found.tag, 128)]);
    }
    let (network, amount) = (Some(text("network").unwrap_or("polygon")), text("amount"));
    let deposit = DepositToTake { account, cashout_id: None, asset: None, network, amount };
    let found = known_answer(provider.deposit_address(&deposit))?;
    texts([("address", Some(found.address), 128)])
}

fn holder<P: Provider + ?Sized>(
    key: &AskedKey,
    known: &Background,
    provider: &P,
) -> Option<KeyLookup> {
    let (account, kind) = (known.account.as_deref(), key.kind.as_deref());
    known_answer(provider.key_holder(&PixKeyToLookUp { account, key: &key.key, kind }))
}

fn known_answer<T>(answer: Answer<T>) -> Option<T> {
    match answer {
        Answer::Known(found) => Some(found),
        Answer::Unknown => None,
    }
}

/// The texts that a provider gave, of at most so many bytes; one that the contract would not take
/// is as good as none, and no fault of whoever asks.
fn texts<const N: usize>(fields: [(&str, Option<String>, usize); N]) -> Option<Value> {
    let mut found = Map::new();
    for (name, text, most) in fields {
        let text = text.filter(|text| (1..=most).contains(&text.len()) && !text.contains('\0'));
        found.extend(text.map(|text| (name.to_owned(), text.into())));
    }
    (!found.is_empty()).then_some(Value::Object(found))
}
