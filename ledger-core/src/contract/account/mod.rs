//! Accounts on the wire: keys, settings, terms, commission, and what an account sees of itself. The
//! routes here are those of keys and webhooks.

pub(super) mod balance_routes;
pub(super) mod balance_wire;
pub(super) mod body;
pub(super) mod commission;
pub(super) mod fact;
pub(super) mod lookup;
pub(super) mod policy_fact;
pub(super) mod terms_fact;
pub(super) mod view;
pub(super) mod wire;

use serde_json::{Value, json};

use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::rate_limiter::Counted;
use crate::contract::call::{CallOutcome, Response};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Personal, Vault};
use crate::contract::route::parts::RequestParts;
use crate::contract::route::shape::{Access, Effect, Invocation, NO_QUERY, Query, RouteShape};
use crate::contract::route::text::{RouteText, answers};
use crate::contract::route::{Route, Routes, get, patch, post};
use crate::contract::webhook::signature::standard_secret;
use crate::ledger::{Archive, Event, Intent, Request};
use crate::time::{Instant, Span};
use body::EnrolmentRequest;
use view::check_supplied;

/// `/keys` and `/webhooks`, declared.
pub(super) struct Accounts;

impl<A: Archive, V: Vault> Routes<A, V> for Accounts {
    const ROUTES: &'static [Route<A, V>] = &[
        Route {
            shape: RouteShape {
                ask: post("/keys"),
                text: RouteText {
                    name: "CreateKey",
                    tag: "Account",
                    summary: "Create a production key",
                    description: "Opens an account. The key is shown once.",
                },
                access: Access::Anybody,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::PRODUCTION,
                answer: answers("CreatedKey", wire::ENROLLED),
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
                text: RouteText {
                    name: "CreateSandboxKey",
                    tag: "Account",
                    summary: "Create a test key",
                    description: "Opens an account of the sandbox, in which nothing moves. The key is shown once.",
                },
                access: Access::Anybody,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::SANDBOX,
                answer: answers("CreatedSandboxKey", wire::ENROLLED_IN_SANDBOX),
                errors: &[Code::EmailRequired, Code::TestKeyLimit, Code::NotFound],
            },
            handler: enrol_sandbox,
        },
        Route {
            shape: RouteShape {
                ask: post("/keys/painel-link"),
                text: RouteText {
                    name: "SendPanelLink",
                    tag: "Account",
                    summary: "Send the link of the private monitor",
                    description: "Sends the link to a registered address. The answer never says whether it is registered.",
                },
                access: Access::Anybody,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::LINK,
                answer: answers("PanelLink", wire::LINK_SENT),
                errors: &[Code::EmailRequired, Code::TooManyAttempts],
            },
            handler: link,
        },
        Route {
            shape: RouteShape {
                ask: get("/keys/me"),
                text: RouteText {
                    name: "GetAccount",
                    tag: "Account",
                    summary: "Show the account",
                    description: "Effective limits, fees and settings of this key.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("Account", wire::ACCOUNT),
                errors: &[],
            },
            handler: me,
        },
        Route {
            shape: RouteShape {
                ask: patch("/keys/me"),
                text: RouteText {
                    name: "UpdateAccount",
                    tag: "Account",
                    summary: "Change settings",
                    description: "Changes the settings that the body names, and no others. A new webhook secret is shown once.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: body::SETTINGS,
                answer: answers("UpdatedAccount", wire::CHANGED),
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
                text: RouteText {
                    name: "RotateKey",
                    tag: "Account",
                    summary: "Replace the key",
                    description: "The next key is shown once, and the one that asked is dead.",
                },
                access: Access::Key,
                effect: Effect::Decides,
                kind: RouteKind::Other,
                query: Query::Ignored,
                body: &[],
                answer: answers("RotatedKey", wire::ROTATED),
                errors: &[Code::Conflict],
            },
            handler: rotate,
        },
        Route {
            shape: RouteShape {
                ask: post("/webhooks/test"),
                text: RouteText {
                    name: "TestWebhook",
                    tag: "Webhooks",
                    summary: "Send a test event",
                    description: "Sends `webhook.test` to the endpoint that is set, and says what it answered.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("WebhookTest", wire::WEBHOOK_TEST),
                errors: &[Code::EndpointSilent, Code::WebhookNotConfigured],
            },
            handler: test,
        },
        Route {
            shape: RouteShape {
                ask: get("/webhooks/deliveries"),
                text: RouteText {
                    name: "ListWebhookDeliveries",
                    tag: "Webhooks",
                    summary: "List deliveries",
                    description: "The queue of webhooks. That an event is not in it proves no failed payment.",
                },
                access: Access::Key,
                effect: Effect::Reads,
                kind: RouteKind::Other,
                query: NO_QUERY,
                body: &[],
                answer: answers("WebhookDeliveries", wire::DELIVERIES),
                errors: &[Code::LookupUnavailable],
            },
            handler: deliveries,
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
    EnrolmentRequest { enrolment, key }: EnrolmentRequest,
    personal: Vec<Personal>,
) -> Result<CallOutcome, Refused> {
    let supplied = &context.call.supplied;
    let hash = enrolment.key;
    let (_, execution) = context.execute(Intent::Enrolment(Box::new(enrolment)), personal)?;
    let views = context.views();
    let account = views.state.account_of_key(&hash).expect("the key just made opens its account");
    let body = views.enrolment_response(account, &key, supplied, views.state.now);
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
/// A service that embeds the ledger sends the links of
/// [`crate::contract::Views::accounts_by_email`].
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
    context.read(|views, account, at| views.test_result(account, supplied, at))
}

fn deliveries<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    parts: &RequestParts<'_>,
) -> Result<CallOutcome, Refused> {
    context.read(|views, account, _| views.deliveries(account, &parts.call.supplied))
}
