//! The routes of keys, webhooks, verification and lookups: those that no balance stands behind.

use serde_json::{Value, json};

use super::body::{self, Asked};
use super::key_lookup;
use super::view::{ME, check_supplied};
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::rate_limiter::Counted;
use crate::contract::call::{CallOutcome, Response};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Personal, Vault};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Invocation, NO_QUERY, Query, RouteShape};
use crate::contract::route::{Route, Routes, get, patch, post};
use crate::contract::schema::field::joined;
use crate::contract::webhook::signature::standard_secret;
use crate::ledger::{Archive, Event, Intent, Request};
use crate::time::{Instant, Span};

/// `/keys`, `/webhooks`, the verification of a PIX and the lookup of a key, declared.
pub struct Accounts;

impl<A: Archive, V: Vault> Routes<A, V> for Accounts {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: post("/keys"),
                access: Access::Anybody,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::PRODUCTION,
                answer: &[
                    "api_key",
                    "key",
                    "limits",
                    "monitor_url",
                    "dashboard_url",
                    "grupos_obrigatorios",
                ],
                errors: &[
                    Code::Conflict,
                    Code::DocumentInvalid,
                    Code::EmailInvalid,
                    Code::NotFound,
                    Code::RateLimit,
                ],
            },
            handler: enrol_live,
        },
        Route {
            shape: RouteShape {
                ask: post("/keys/sandbox"),
                access: Access::Anybody,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::SANDBOX,
                answer: &["api_key", "sandbox", "como_usar", "key", "monitor_url"],
                errors: &[Code::EmailRequired, Code::TestKeyLimit, Code::NotFound],
            },
            handler: enrol_sandbox,
        },
        Route {
            shape: RouteShape {
                ask: post("/keys/painel-link"),
                access: Access::Anybody,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::LINK,
                answer: &["ok", "mensagem"],
                errors: &[Code::EmailRequired, Code::TooManyAttempts],
            },
            handler: link,
        },
        Route {
            shape: RouteShape {
                ask: get("/keys/me"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: ME,
                errors: &[],
            },
            handler: me,
        },
        Route {
            shape: RouteShape {
                ask: patch("/keys/me"),
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::SETTINGS,
                answer: &joined::<&str, { ME.len() + 2 }>(&[
                    ME,
                    &["webhook_secret", "webhook_whsec"],
                ]),
                errors: &[
                    Code::Conflict,
                    Code::AddressInvalid,
                    Code::ValueInvalid,
                    Code::WebhookUrlInvalid,
                ],
            },
            handler: settings,
        },
        Route {
            shape: RouteShape {
                ask: Invocation::Command("key.rotate"),
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: &[],
                answer: &["api_key", "account"],
                errors: &[Code::Conflict],
            },
            handler: rotate,
        },
        Route {
            shape: RouteShape {
                ask: post("/webhooks/test"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &["event", "status", "latency_ms", "entregue"],
                errors: &[Code::EndpointSilent, Code::WebhookNotConfigured],
            },
            handler: test,
        },
        Route {
            shape: RouteShape {
                ask: get("/webhooks/deliveries"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &[
                    "items",
                    "webhook_configurado",
                    "webhook_desligado_em",
                    "webhook_desligado_motivo",
                ],
                errors: &[Code::LookupUnavailable],
            },
            handler: deliveries,
        },
        Route {
            shape: RouteShape {
                ask: get("/v1/verificar/{e2e}"),
                access: Access::Anybody,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: &[
                    "verificado",
                    "pago",
                    "valor_brl",
                    "pago_em",
                    "recebedor_iniciais",
                    "instituicao",
                    "liquidado_por",
                    "comprovante_url",
                    "sandbox",
                ],
                errors: &[Code::NotFound],
            },
            handler: verify,
        },
        Route {
            shape: RouteShape {
                ask: get("/pix/keys/lookup"),
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: Query::Only(&["key", "type"]),
                body: &[],
                answer: &[
                    "key",
                    "type",
                    "available",
                    "verified",
                    "verification_status",
                    "name",
                    "document",
                    "institution",
                    "source",
                ],
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

fn enrol_live<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    of_this_ledger(parts, context.ledger.state.is_live())?;
    let mut fields = parts.body()?;
    let asked = body::production(&mut fields, parts.call, parts.policy)?;
    enrol(context, asked, fields.into_personal())
}

fn enrol_sandbox<A: Archive, V: Vault>(
    context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    of_this_ledger(parts, !context.ledger.state.is_live())?;
    let mut fields = parts.body()?;
    let asked = body::sandbox(&mut fields, parts.call)?;
    enrol(context, asked, fields.into_personal())
}

/// Keys of one ledger are made in no other (KEY-15).
fn of_this_ledger(parts: &RequestParts<'_>, made_here: bool) -> Result<(), Problem> {
    if !made_here {
        let detail = format!("keys of this kind are not made in the ledger {}", parts.ledger);
        return Err(Problem::new(Code::NotFound, detail));
    }
    check_supplied(&parts.call.supplied)
}

fn enrol<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    Asked { enrolment, key }: Asked,
    personal: Vec<Personal>,
) -> Result<CallOutcome, Refused> {
    let supplied = &context.call.supplied;
    let hash = enrolment.key;
    let (_, execution) = context.execute(Intent::Enrolment(Box::new(enrolment)), personal)?;
    let views = context.views();
    let account = views.state.account_of_key(&hash).expect("the key just made opens its account");
    let body = views.enrolled(account, &key, supplied, views.state.now);
    Ok(CallOutcome::new(Response::ok(body), Some(execution)))
}

fn me<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let supplied = &parts.call.supplied;
    check_supplied(supplied)?;
    context.read(|views, account, at| Ok(views.me(account, supplied, at)))
}

/// `PATCH /keys/me`: the account as it stands then, and what was made of entropy, once.
fn settings<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let supplied = &parts.call.supplied;
    check_supplied(supplied)?;
    let mut fields = parts.body()?;
    let mut asked = body::settings(&mut fields, supplied)?;
    let mut personal = fields.into_personal();
    let account = context.account()?;
    let known = context.ledger.state.account(account);
    let signed = known.is_some_and(|known| known.credentials.secret.is_some());
    if signed && !asked.rotate_secret.is_on() {
        // An address changes and its secret stays: what the entropy would make is made nowhere.
        let unused = asked.secret.take();
        personal.retain(|value| Some(value.token) != unused);
    }
    let offered = personal.iter().find(|value| Some(value.token) == asked.secret);
    let secret = offered.map(|value| Secret::new(&value.value));
    let what = Intent::Request(account, Request::Settings(Box::new(asked)));
    let (_, execution) = context.execute(what, personal)?;
    let events = execution.records.iter().flat_map(|record| &record.events);
    let made = events.filter(|event| matches!(event, Event::WebhookSecretReplaced { .. })).count();
    let views = context.views();
    let mut body = views.me(account, supplied, views.state.now);
    if let Some(secret) = secret.filter(|_| made > 0) {
        body["webhook_secret"] = secret.expose().into();
        body["webhook_whsec"] = standard_secret(&secret).expose().into();
    }
    Ok(CallOutcome::new(Response::ok(body), Some(execution)))
}

/// `key.rotate`: the account's next key, shown once; the one it was asked with is dead (KEY-13).
fn rotate<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    parts.body_if()?;
    let account = context.account()?;
    let key = Secret::api_key(&parts.call.supplied, parts.ledger.environment())?;
    let request = Request::RotateKey(parts.tokens.api_key(key.expose()));
    let (_, execution) = context.execute(Intent::Request(account, request), Vec::new())?;
    let views = context.views();
    let known = views.state.account(account).map(|known| &known.name);
    let body = json!({ "api_key": key.expose(), "account": known });
    Ok(CallOutcome::new(Response::ok(body), Some(execution)))
}

/// `POST /keys/painel-link`: the same answer whether the e-mail is registered or not (KEY-11).
/// Whoever embeds the ledger sends the links of [`crate::contract::Views::registered`].
fn link<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let fields = parts.body()?;
    let email = fields.text("email", 254)?;
    let email = email.ok_or_else(|| Problem::new(Code::EmailRequired, "email is required"))?;
    let ip = parts.call.ip.ok_or_else(|| {
        let detail = "the call brings no ip: links are counted by the address they are asked from";
        Problem::new(Code::RequestInvalid, detail)
    })?;
    let Personal { token: email, .. } = parts.tokens.email(email);
    let from = parts.tokens.address(ip);
    // An address uses up its own links alone, never those of the e-mail's owner (rulings 71).
    let counted = [Counted::LinkFrom(from), Counted::LinkFor { email, from }];
    context.look(|views, recent, at: Instant| {
        let limit = (views.state.policy.panel_links(), Span::hours(1));
        for what in counted {
            recent.count(what, at, limit).map_err(|wait| {
                let seconds = wait.micros().div_ceil(1_000_000);
                Problem::new(Code::TooManyAttempts, "too many links were asked for")
                    .with("retry_after_seconds", seconds.into())
            })?;
        }
        let mensagem = "Se este e-mail estiver cadastrado, o link chega em instantes.";
        Ok::<Value, Problem>(json!({ "ok": true, "mensagem": mensagem }))
    })
}

fn test<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    let supplied = &parts.call.supplied;
    context.read(|views, account, at| views.tested(account, supplied, at))
}

fn deliveries<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, _| views.deliveries(account, &parts.call.supplied))
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
