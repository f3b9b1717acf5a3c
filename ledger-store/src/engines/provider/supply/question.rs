//! The questions that calls put to a provider, and the fields that its answers supply.

use ledger_core::contract::CallKind;
use ledger_core::pix::{Document, Letters};
use serde_json::{Map, Value, json};

use super::{AskedKey, Background, Need, need};
use crate::engines::provider::{
    Answer, ChargeAnswer, ChargeToIssue, DepositAddress, DepositToTake, KeyLookup, PixDescription,
    PixKeyToLookUp, Provider,
};

/// A call that lacks something only a provider knows, apart from the engine that it is for.
#[derive(Clone, Debug)]
pub(in crate::engines::provider) struct Lacking {
    pub(super) ask: CallKind,
    pub(in crate::engines::provider) body: Value,
    pub(super) supplied: Value,
    pub(in crate::engines::provider) known: Background,
}

impl Lacking {
    /// Returns what it lacks.
    pub(in crate::engines::provider) fn need(&self) -> Option<Need<'_>> {
        need(&self.ask, &self.body, &self.supplied)
    }
}

/// A question for a provider.
#[derive(Clone, Copy, Debug)]
pub(in crate::engines::provider) enum Question<'a> {
    /// The code of a charge, by [`Provider::qr_code`].
    QrCode(ChargeToIssue<'a>),
    /// The address for a deposit, by [`Provider::deposit_address`].
    Address(DepositToTake<'a>),
    /// The holder of a PIX key, by [`Provider::key_holder`].
    Key(PixKeyToLookUp<'a>),
    /// The PIX of an end-to-end id, by [`Provider::describe_pix`].
    Description(&'a str),
}

/// A provider's answer, by the question.
#[derive(Debug)]
pub(in crate::engines::provider) enum Reply {
    /// The answer to [`Question::QrCode`].
    QrCode(Answer<ChargeAnswer>),
    /// The answer to [`Question::Address`].
    Address(Answer<DepositAddress>),
    /// The answer to [`Question::Key`].
    Key(Answer<KeyLookup>),
    /// The answer to [`Question::Description`].
    Description(Answer<PixDescription>),
}

impl<'a> Question<'a> {
    /// The question that a call's need puts; none where the system alone is asked.
    pub(in crate::engines::provider) fn new(
        need: &'a Need<'_>,
        body: &'a Value,
        known: &'a Background,
    ) -> Option<Self> {
        let text = |name: &str| body.get(name).and_then(Value::as_str);
        let account = known.account.as_deref();
        Some(match need {
            Need::QrCode => Self::QrCode(ChargeToIssue {
                account,
                external_id: text("external_id"),
                amount_cents: body.get("amount_cents").and_then(Value::as_i64),
                payer_tax_number: text("payer_tax_number"),
                payer_name: text("payer_name"),
            }),
            Need::WalletAddress => {
                let (network, amount) =
                    (Some(text("network").unwrap_or("polygon")), text("amount"));
                let (cashout_id, asset) = (None, None);
                Self::Address(DepositToTake { account, cashout_id, asset, network, amount })
            }
            Need::SaleAddress(id) => {
                let [asset, network, amount] = match &known.deposit {
                    Some(known) => known.each_ref().map(|text| Some(text.as_str())),
                    None => [None; 3],
                };
                let cashout_id = Some(*id);
                Self::Address(DepositToTake { account, cashout_id, asset, network, amount })
            }
            Need::Lookup(AskedKey { key, kind }) | Need::Owner(AskedKey { key, kind }) => {
                Self::Key(PixKeyToLookUp { account, key, kind: kind.as_deref() })
            }
            Need::Description(e2e) => Self::Description(e2e),
            Need::Entropy(_) => return None,
        })
    }

    /// Asks a provider that blocks.
    pub(super) fn ask<P: Provider + ?Sized>(self, provider: &P) -> Reply {
        match self {
            Self::QrCode(charge) => Reply::QrCode(provider.qr_code(&charge)),
            Self::Address(deposit) => Reply::Address(provider.deposit_address(&deposit)),
            Self::Key(key) => Reply::Key(provider.key_holder(&key)),
            Self::Description(e2e) => Reply::Description(provider.describe_pix(e2e)),
        }
    }
}

impl Reply {
    /// The fields that it supplies to a call of this need; none where the provider does not know.
    pub(in crate::engines::provider) fn supplied(self, need: &Need<'_>) -> Option<Value> {
        match self {
            Self::QrCode(answer) => match known_answer(answer)? {
                ChargeAnswer::Issued(code) => texts([
                    ("qr_copypaste", Some(code.copypaste), 1024),
                    ("qr_image_url", code.image_url, 1024),
                ]),
                ChargeAnswer::PayerRefused(reference) => {
                    texts([("provider_reference", Some(reference), 255)])
                }
            },
            Self::Address(answer) => {
                let found = known_answer(answer)?;
                if matches!(need, Need::SaleAddress(_)) {
                    let address = ("deposit_address", Some(found.address), 128);
                    return texts([address, ("deposit_tag", found.tag, 128)]);
                }
                texts([("address", Some(found.address), 128)])
            }
            Self::Key(answer) => key_fields(known_answer(answer)?, matches!(need, Need::Owner(_))),
            Self::Description(answer) => {
                let found = known_answer(answer)?;
                let receipt = found.receipt_url.filter(|url| url.starts_with("https://"));
                texts([
                    ("instituicao", found.institution, 255),
                    ("liquidado_por", found.settled_by, 255),
                    ("comprovante_url", receipt, 255),
                    ("recebedor_nome", found.recipient_name, 255),
                ])
            }
        }
    }
}

/// The fields of a key's holder: its document alone, where that proves the owner of a payment.
fn key_fields(lookup: KeyLookup, proves_owner: bool) -> Option<Value> {
    let holder = match lookup {
        KeyLookup::Held(holder) => holder,
        KeyLookup::NoSuchKey if proves_owner => return None,
        KeyLookup::NoSuchKey => return Some(json!({ "lookup": { "found": false } })),
    };
    if proves_owner {
        // One that is masked proves nothing.
        let document = holder.document?;
        Document::parse(&document, Letters::Accepted)?;
        return Some(json!({ "owner": document }));
    }
    let shown = texts([
        ("name", holder.name, 255),
        ("document", holder.document, 255),
        ("institution", holder.institution, 255),
    ]);
    let mut shown = shown.unwrap_or_else(|| json!({}));
    shown["found"] = true.into();
    Some(json!({ "lookup": shown }))
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
