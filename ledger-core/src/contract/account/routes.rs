//! The routes of keys, webhooks, verification and lookups: those that no balance stands behind.

use serde_json::{Value, json};

use super::body::{self, Asked};
use super::key_lookup;
use super::view::check_supplied;
use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::call::rate_limiter::Counted;
use crate::contract::call::{CallOutcome, Response};
use crate::contract::error::{Code, Problem, Route};
use crate::contract::input::fields::Fields;
use crate::contract::input::query::Target;
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Personal, Vault};
use crate::ledger::{Archive, Event, Intent, Request};
use crate::time::{Instant, Span};

/// The methods of a route that is answered here; none of another.
pub fn methods(segments: &[&str]) -> Option<&'static [&'static str]> {
    Some(match segments {
        ["keys"] | ["keys", "sandbox" | "painel-link"] | ["webhooks", "test"] => &["POST"],
        ["keys", "me"] => &["GET", "PATCH"],
        ["webhooks", "deliveries"] | ["v1", "verificar", _] | ["pix", "keys", "lookup"] => &["GET"],
        _ => return None,
    })
}

/// Answers one of them.
pub fn answer<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    method: &str,
    segments: &[&str],
    target: &Target,
) -> Result<CallOutcome, Refused> {
    let call = context.call;
    if !matches!(segments, ["pix", ..]) {
        target.only(&[])?;
    }
    match (method, segments) {
        (_, ["keys"] | ["keys", "sandbox"]) => enrol(context, segments.len() == 1),
        (_, ["keys", "painel-link"]) => link(context),
        ("PATCH", ["keys", ..]) => settings(context),
        (_, ["keys", ..]) => {
            check_supplied(&call.supplied)?;
            context.read(|views, account, at| Ok(views.me(account, &call.supplied, at)))
        }
        ("POST", _) => context.read(|views, account, at| views.tested(account, &call.supplied, at)),
        (_, ["webhooks", ..]) => {
            context.read(|views, account, _| views.deliveries(account, &call.supplied))
        }
        (_, ["v1", _, e2e]) => context.look(|views, _, _| views.verification(e2e, &call.supplied)),
        _ => {
            let account = context.account();
            let policy = context.ledger.state.policy.clone();
            let (key, account) = (key_lookup::key(target, &policy)?, account?);
            context.look(|views, recent, at| {
                let limit = (policy.key_lookups(), Span::seconds(60));
                recent.count(Counted::Lookup(account), at, limit).map_err(|wait| {
                    let detail = "this account looked up as many keys as it may a minute";
                    let seconds = wait.micros().div_ceil(1_000_000);
                    Problem::new(Code::LookupLimit, detail)
                        .with("retry_after_seconds", seconds.into())
                })?;
                key_lookup::owner(&key, &call.supplied, views.state.is_live())
            })
        }
    }
}

/// `POST /keys` in the ledger of real money, `POST /keys/sandbox` in any other (KEY-15).
fn enrol<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
    production: bool,
) -> Result<CallOutcome, Refused> {
    let (call, tokens) = (context.call, context.tokens);
    let name = context.ledger.state.name.to_string();
    if production != context.ledger.state.is_live() {
        let detail = format!("keys of this kind are not made in the ledger {name}");
        return Err(Problem::new(Code::NotFound, detail).into());
    }
    check_supplied(&call.supplied)?;
    let mut fields = Fields::of(&call.body, tokens, &name)?.noting(context.reads);
    let Asked { enrolment, key } = if production {
        body::production(&mut fields, call, &context.ledger.state.policy)?
    } else {
        body::sandbox(&mut fields, call)?
    };
    let personal = fields.into_personal();
    let hash = enrolment.key;
    let what = Intent::Enrolment(Box::new(enrolment));
    let (_, execution) = context.execute(what, personal, Route::Other)?;
    let views = context.views();
    let account = views.state.account_of_key(&hash).expect("the key just made opens its account");
    let body = views.enrolled(account, &key, &call.supplied, views.state.now);
    Ok(CallOutcome::new(Response::ok(body), Some(execution)))
}

/// `PATCH /keys/me`: the account as it stands then, and what was made of entropy, once.
fn settings<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
) -> Result<CallOutcome, Refused> {
    let (call, tokens) = (context.call, context.tokens);
    check_supplied(&call.supplied)?;
    let name = context.ledger.state.name.to_string();
    let mut fields = Fields::of(&call.body, tokens, &name)?.noting(context.reads);
    let mut asked = body::settings(&mut fields, &call.supplied)?;
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
    let (_, execution) = context.execute(what, personal, Route::Other)?;
    let events = execution.records.iter().flat_map(|record| &record.events);
    let made = events.filter(|event| matches!(event, Event::WebhookSecretReplaced { .. })).count();
    let views = context.views();
    let mut body = views.me(account, &call.supplied, views.state.now);
    if let Some(secret) = secret.filter(|_| made > 0) {
        body["webhook_secret"] = secret.expose().into();
    }
    Ok(CallOutcome::new(Response::ok(body), Some(execution)))
}

/// `key.rotate`: the account's next key, shown once; the one it was asked with is dead (KEY-13).
pub fn rotate<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
) -> Result<CallOutcome, Refused> {
    let (call, tokens) = (context.call, context.tokens);
    let name = context.ledger.state.name.to_string();
    if !call.body.is_null() {
        Fields::of(&call.body, tokens, &name)?;
    }
    let account = context.account()?;
    let key = Secret::api_key(&call.supplied, &name)?;
    let request = Request::RotateKey(tokens.api_key(key.expose()));
    let (_, execution) =
        context.execute(Intent::Request(account, request), Vec::new(), Route::Other)?;
    let views = context.views();
    let known = views.state.account(account).map(|known| &known.name);
    let body = json!({ "api_key": key.expose(), "account": known });
    Ok(CallOutcome::new(Response::ok(body), Some(execution)))
}

/// `POST /keys/painel-link`: the same answer whether the e-mail is registered or not (KEY-11).
/// Whoever embeds the ledger sends the links of [`crate::contract::Views::registered`].
fn link<A: Archive, V: Vault>(
    mut context: RequestContext<'_, A, V>,
) -> Result<CallOutcome, Refused> {
    let (call, tokens) = (context.call, context.tokens);
    let name = context.ledger.state.name.to_string();
    let fields = Fields::of(&call.body, tokens, &name)?.noting(context.reads);
    let email = fields.text("email", 254)?;
    let email = email.ok_or_else(|| Problem::new(Code::EmailRequired, "email is required"))?;
    let ip = call.ip.ok_or_else(|| {
        let detail = "the call brings no ip: links are counted by the address they are asked from";
        Problem::new(Code::RequestInvalid, detail)
    })?;
    let Personal { token, .. } = tokens.email(email);
    let counted = [Counted::LinkFrom(tokens.address(ip)), Counted::LinkFor(token)];
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
