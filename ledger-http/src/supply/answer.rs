//! What a provider's service answers, read strictly: anything else is no answer.

use ledger_core::contract::{Need, json};
use ledger_core::network::address::may_be_wallet;
use ledger_core::pix::{BrCode, Document, Letters};
use ledger_store::provider::{
    ChargeAnswer, DepositAddress, KeyHolder, KeyLookup, PixDescription, QrCode,
};
use serde_json::{Map, Value};

use super::declared::{Question, UNKNOWN, fault};
use crate::courier::sender::ANSWER_BYTES;

/// The fields of an answer.
pub(super) type Answered = Map<String, Value>;

/// Reads the text of an answer; none where the provider says that it does not know.
///
/// # Errors
///
/// What is wrong with it, without what it says of a person.
pub(super) fn read(question: &Question, text: &str) -> Result<Option<Answered>, String> {
    if text.len() >= ANSWER_BYTES {
        return Err(format!("it has {ANSWER_BYTES} bytes or more"));
    }
    // Bytes that are no text were read as this character.
    if text.contains('\u{fffd}') {
        return Err("it is no text in UTF-8, or has a zero byte".to_owned());
    }
    let value = json::parse(text);
    let value = value.map_err(|error| format!("it is no JSON ({:?})", error.classify()))?;
    let Value::Object(found) = value else { return Err("it is no object".to_owned()) };
    if fault(UNKNOWN, &found).is_none() && found["unknown"] == true {
        return Ok(None);
    }
    let has = |name: &str| found.get(name).is_some_and(|value| !value.is_null());
    let mut answers = question.answers.iter().filter(|fields| {
        let mut required = fields.iter().filter(|field| field.need == Need::Required);
        required.all(|field| has(field.name))
    });
    let fields = answers.next().or(question.answers.first()).copied().unwrap_or_default();
    fault(fields, &found).map_or(Ok(Some(found)), Err)
}

/// The code of a charge of this amount, or that its payer is refused.
pub(super) fn code(found: &Answered, cents: Option<i64>) -> Result<ChargeAnswer, String> {
    let Some(copypaste) = text(found, "qr_copypaste") else {
        let reference = text(found, "payer_refused").unwrap_or_default();
        return Ok(ChargeAnswer::PayerRefused(reference));
    };
    let code = BrCode::parse(&copypaste);
    let code = code.map_err(|error| format!("qr_copypaste is no BR Code: {error}"))?;
    if code.amount().is_some_and(|amount| Some(amount.cents()) != cents) {
        return Err("qr_copypaste is of another amount".to_owned());
    }
    Ok(ChargeAnswer::Issued(QrCode { copypaste, image_url: link(found, "qr_image_url")? }))
}

/// Whose a key is.
pub(super) fn holder(found: &Answered) -> Result<KeyLookup, String> {
    let [name, document, institution] =
        ["name", "document", "institution"].map(|name| text(found, name));
    if found.get("found") != Some(&Value::Bool(true)) {
        let silent = name.is_none() && document.is_none() && institution.is_none();
        return if silent {
            Ok(KeyLookup::NoSuchKey)
        } else {
            Err("a key that is not found has no holder".to_owned())
        };
    }
    if document.as_deref().is_some_and(|document| !is_document(document)) {
        return Err("document is no CPF or CNPJ, and none that is masked".to_owned());
    }
    Ok(KeyLookup::Held(KeyHolder { name, document, institution }))
}

/// A CPF or CNPJ, or one that hides something, as the contract shows it.
fn is_document(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    Document::parse(text, Letters::Accepted).is_some() || (text.contains('*') && digits <= 8)
}

/// Where to deposit by this network.
pub(super) fn address(found: &Answered, network: Option<&str>) -> Result<DepositAddress, String> {
    let address = text(found, "address").unwrap_or_default();
    if !network.is_some_and(|network| may_be_wallet(network, &address)) {
        return Err("address is none of the network".to_owned());
    }
    Ok(DepositAddress { address, tag: text(found, "tag") })
}

/// Returns what is known of a PIX.
pub(super) fn description(found: &Answered) -> Result<PixDescription, String> {
    Ok(PixDescription {
        institution: text(found, "institution"),
        settled_by: text(found, "settled_by"),
        receipt_url: link(found, "receipt_url")?,
        recipient_name: text(found, "recipient_name"),
    })
}

fn text(found: &Answered, name: &str) -> Option<String> {
    found.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn link(found: &Answered, name: &str) -> Result<Option<String>, String> {
    match text(found, name) {
        Some(url) if !url.starts_with("https://") => Err(format!("{name} is no https:// address")),
        url => Ok(url),
    }
}
