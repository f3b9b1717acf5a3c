//! Lookups: whether a PIX was paid, and whose a PIX key is, as the provider reports it (COUT-72 to
//! COUT-75).
//!
//! The owner of a key is advice to a person who is about to pay: it neither blocks nor proves
//! anything (COUT-73), so nothing of it is kept.

use serde_json::{Value, json};

use super::wire;
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::rate_limiter::Counted;
use crate::contract::error::{Code, Problem, RouteKind, wrong};
use crate::contract::input::fields::{letters, missing};
use crate::contract::input::query::Target;
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get};
use crate::ledger::Archive;
use crate::pix::{Document, KeyError, KeyType, Letters, PixKey};
use crate::terms::Policy;
use crate::time::Span;

/// The verification of a PIX and the lookup of a key, declared.
pub struct Lookups;

impl<A: Archive, V: Vault> Routes<A, V> for Lookups {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: get("/v1/verificar/{e2e}"),
                text: RouteText {
                    name: "VerifyPix",
                    tag: "Verification",
                    summary: "Verify a PIX",
                    description: "Whether a PIX is known and paid, without a key and without personal data.",
                },
                access: Access::Anybody,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Verification", wire::VERIFICATION),
                errors: &[Code::NotFound],
            },
            handler: verify,
        },
        Route {
            shape: RouteShape {
                ask: get("/pix/keys/lookup"),
                text: RouteText {
                    name: "LookUpKey",
                    tag: "Payouts",
                    summary: "Look up a PIX key",
                    description: "Whose a key is, as the provider reports it. With `available: false` show the recipient as not verified.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["key", "type"]),
                body: &[],
                answer: answers("KeyOwner", wire::LOOKUP),
                errors: &[
                    Code::PixKeyNotFound,
                    Code::LookupLimit,
                    Code::PixKeyInvalid,
                    Code::PixKeyRequired,
                    Code::KeyTypeAmbiguous,
                ],
            },
            handler: look_up,
        },
    ];
}

fn verify<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let supplied = &parts.call.supplied;
    let tested = context.opens_an_account();
    context.look(|views, _, _| views.verification(parts.parameter(), supplied, tested))
}

fn look_up<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let key = key(parts.target, parts.policy)?;
    context.read_counted(|views, recent, account, at| {
        let limit = (views.state.policy.key_lookups(), Span::seconds(60));
        recent.count(Counted::Lookup(account), at, limit).map_err(|wait| {
            let detail = "this account looked up as many keys as it may a minute";
            let seconds = wait.micros().div_ceil(1_000_000);
            Problem::new(Code::LookupLimit, detail).with("retry_after_seconds", seconds.into())
        })?;
        owner(&key, &parts.call.supplied, views.state.is_live())
    })
}

/// The key that is asked for, and what it is of.
///
/// # Errors
///
/// `pix_key_obrigatoria`, `pix_key_invalida` or `tipo_ambiguo`; a [`Problem`] for another type.
fn key(target: &Target, policy: &Policy) -> Result<PixKey, Problem> {
    let key = target.get("key").filter(|key| !key.is_empty());
    let key = key.ok_or_else(|| Problem::new(Code::PixKeyRequired, "key is required"))?;
    let declared = match target.get("type") {
        None => None,
        Some(name) => Some(
            KeyType::parse(name)
                .ok_or_else(|| wrong("type", "must be cpf, cnpj, phone, email or random"))?,
        ),
    };
    PixKey::parse(key, declared, letters(policy)).map_err(|error| match error {
        KeyError::Ambiguous => {
            let detail = "key is eleven bare digits, a CPF or a phone: send type";
            Problem::new(Code::KeyTypeAmbiguous, detail)
        }
        KeyError::Invalid => Problem::new(Code::PixKeyInvalid, "key is no valid PIX key"),
    })
}

/// The owner that is reported of a key: as `supplied.lookup` has it, which is
/// `{found, name, document, institution}`; without it, that nobody looked.
///
/// # Errors
///
/// `chave_nao_encontrada` when it is reported that there is no such key.
fn owner(key: &PixKey, supplied: &Value, live: bool) -> Result<Value, Problem> {
    let reported = supplied.get("lookup").filter(|reported| !reported.is_null());
    let view = |performed: bool, [name, document, institution]: [Option<String>; 3]| {
        json!({
            "key": key.mask(),
            "type": key.kind().name(),
            "available": performed,
            "verified": performed,
            "verification_status": if performed { "performed" } else { "not_performed" },
            "name": name,
            "document": document,
            "institution": institution,
        })
    };
    let Some(reported) = reported else {
        if live {
            return Ok(view(false, [None, None, None]));
        }
        let shown = ["Fulana de Teste", "***.982.247-**", "Banco de Teste"];
        let mut fictional = view(true, shown.map(|text| Some(text.to_owned())));
        fictional["source"] = "sandbox".into();
        return Ok(fictional);
    };
    let text = |name: &str| match reported.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if (1..=255).contains(&text.len()) => Ok(Some(text.clone())),
        Some(_) => {
            Err(wrong(&format!("supplied.lookup.{name}"), "must be a string of 1 to 255 bytes"))
        }
    };
    match reported.get("found").and_then(Value::as_bool) {
        Some(true) => {}
        Some(false) => {
            return Err(Problem::new(Code::PixKeyNotFound, "this PIX key is nobody's"));
        }
        None => return Err(missing("supplied.lookup.found")),
    }
    let document = match text("document")? {
        None => None,
        Some(document) => Some(mask_document(&document)?),
    };
    Ok(view(true, [text("name")?, document, text("institution")?]))
}

/// A document's mask; one that is masked already must hide something.
fn mask_document(document: &str) -> Result<String, Problem> {
    if let Some(whole) = Document::parse(document, Letters::Accepted) {
        return Ok(whole.mask());
    }
    let digits = document.bytes().filter(u8::is_ascii_digit).count();
    let hidden = document.contains('*') && digits <= 8;
    hidden.then(|| document.to_owned()).ok_or_else(|| {
        wrong("supplied.lookup.document", "must be a CPF or CNPJ, or one that is masked")
    })
}
