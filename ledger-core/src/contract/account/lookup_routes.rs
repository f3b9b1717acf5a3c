//! The routes of what is looked up: whether a PIX was paid, and whose a key is.

use super::{key_lookup, wire};
use crate::contract::call::CallOutcome;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::rate_limiter::Counted;
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::tokens::Vault;
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get};
use crate::ledger::Archive;
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
    let key = key_lookup::key(parts.target, parts.policy)?;
    context.read_counted(|views, recent, account, at| {
        let limit = (views.state.policy.key_lookups(), Span::seconds(60));
        recent.count(Counted::Lookup(account), at, limit).map_err(|wait| {
            let detail = "this account looked up as many keys as it may a minute";
            let seconds = wait.micros().div_ceil(1_000_000);
            Problem::new(Code::LookupLimit, detail).with("retry_after_seconds", seconds.into())
        })?;
        key_lookup::owner(&key, &parts.call.supplied, views.state.is_live())
    })
}
