//! The routes of keys, webhooks, verification and lookups: those that no balance stands behind.

use serde_json::{Value, json};

use super::body::{self, Asked};
use super::key_lookup;
use super::view::check_supplied;
use crate::contract::call::context::{Door, Refused};
use crate::contract::call::rate_limiter::Counted;
use crate::contract::call::{Handled, Response};
use crate::contract::error::{Code, Problem, Route};
use crate::contract::input::fields::Fields;
use crate::contract::input::query::Target;
use crate::contract::input::secret::Secret;
use crate::contract::input::tokens::{Personal, Vault};
use crate::ledger::{Archive, Event, Request, What};
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
    mut door: Door<'_, A, V>,
    method: &str,
    segments: &[&str],
    target: &Target,
) -> Result<Handled, Refused> {
    let call = door.call;
    if !matches!(segments, ["pix", ..]) {
        target.only(&[])?;
    }
    match (method, segments) {
        (_, ["keys"] | ["keys", "sandbox"]) => enrol(door, segments.len() == 1),
        (_, ["keys", "painel-link"]) => link(door),
        ("PATCH", ["keys", ..]) => settings(door),
        (_, ["keys", ..]) => {
            check_supplied(&call.supplied)?;
            door.read(|desk, account, at| Ok(desk.me(account, &call.supplied, at)))
        }
        ("POST", _) => door.read(|desk, account, at| desk.tested(account, &call.supplied, at)),
        (_, ["webhooks", ..]) => {
            door.read(|desk, account, _| desk.deliveries(account, &call.supplied))
        }
        (_, ["v1", _, e2e]) => door.look(|desk, _, _| desk.verification(e2e, &call.supplied)),
        _ => {
            let account = door.account();
            let policy = door.ledger.state.policy.clone();
            let (key, account) = (key_lookup::key(target, &policy)?, account?);
            door.look(|desk, recent, at| {
                let limit = (policy.key_lookups(), Span::seconds(60));
                recent.count(Counted::Lookup(account), at, limit).map_err(|wait| {
                    let detail = "this account looked up as many keys as it may a minute";
                    let seconds = wait.micros().div_ceil(1_000_000);
                    Problem::new(Code::LookupLimit, detail)
                        .with("retry_after_seconds", seconds.into())
                })?;
                key_lookup::owner(&key, &call.supplied, desk.state.is_live())
            })
        }
    }
}

/// `POST /keys` in the ledger of real money, `POST /keys/sandbox` in any other (KEY-15).
fn enrol<A: Archive, V: Vault>(
    mut door: Door<'_, A, V>,
    production: bool,
) -> Result<Handled, Refused> {
    let (call, tokens) = (door.call, door.tokens);
    let name = door.ledger.state.name.to_string();
    if production != door.ledger.state.is_live() {
        let detail = format!("keys of this kind are not made in the ledger {name}");
        return Err(Problem::new(Code::NotFound, detail).into());
    }
    check_supplied(&call.supplied)?;
    let mut fields = Fields::of(&call.body, tokens, &name)?.noting(door.reads);
    let Asked { enrolment, key } = if production {
        body::production(&mut fields, call, &door.ledger.state.policy)?
    } else {
        body::sandbox(&mut fields, call)?
    };
    let personal = fields.into_personal();
    let hash = enrolment.key;
    let what = What::Enrolment(Box::new(enrolment));
    let (_, execution) = door.execute(what, personal, Route::Other)?;
    let desk = door.desk();
    let account = desk.state.account_of_key(&hash).expect("the key just made opens its account");
    let body = desk.enrolled(account, &key, &call.supplied, desk.state.now);
    Ok(Handled::new(Response::ok(body), Some(execution)))
}

/// `PATCH /keys/me`: the account as it stands then, and what was made of entropy, once.
fn settings<A: Archive, V: Vault>(mut door: Door<'_, A, V>) -> Result<Handled, Refused> {
    let (call, tokens) = (door.call, door.tokens);
    check_supplied(&call.supplied)?;
    let name = door.ledger.state.name.to_string();
    let mut fields = Fields::of(&call.body, tokens, &name)?.noting(door.reads);
    let mut asked = body::settings(&mut fields, &call.supplied)?;
    let mut personal = fields.into_personal();
    let account = door.account()?;
    let known = door.ledger.state.account(account);
    let signed = known.is_some_and(|known| known.credentials.secret.is_some());
    if signed && !asked.rotate_secret.is_on() {
        // An address changes and its secret stays: what the entropy would make is made nowhere.
        let unused = asked.secret.take();
        personal.retain(|value| Some(value.token) != unused);
    }
    let offered = personal.iter().find(|value| Some(value.token) == asked.secret);
    let secret = offered.map(|value| Secret::new(&value.value));
    let what = What::Request(account, Request::Settings(Box::new(asked)));
    let (_, execution) = door.execute(what, personal, Route::Other)?;
    let events = execution.records.iter().flat_map(|record| &record.events);
    let made = events.filter(|event| matches!(event, Event::WebhookSecretReplaced { .. })).count();
    let desk = door.desk();
    let mut body = desk.me(account, &call.supplied, desk.state.now);
    if let Some(secret) = secret.filter(|_| made > 0) {
        body["webhook_secret"] = secret.expose().into();
    }
    Ok(Handled::new(Response::ok(body), Some(execution)))
}

/// `key.rotate`: the account's next key, shown once; the one it was asked with is dead (KEY-13).
pub fn rotate<A: Archive, V: Vault>(mut door: Door<'_, A, V>) -> Result<Handled, Refused> {
    let (call, tokens) = (door.call, door.tokens);
    let name = door.ledger.state.name.to_string();
    if !call.body.is_null() {
        Fields::of(&call.body, tokens, &name)?;
    }
    let account = door.account()?;
    let key = Secret::api_key(&call.supplied, &name)?;
    let request = Request::RotateKey(tokens.api_key(key.expose()));
    let (_, execution) = door.execute(What::Request(account, request), Vec::new(), Route::Other)?;
    let desk = door.desk();
    let known = desk.state.account(account).map(|known| &known.name);
    let body = json!({ "api_key": key.expose(), "account": known });
    Ok(Handled::new(Response::ok(body), Some(execution)))
}

/// `POST /keys/painel-link`: the same answer whether the e-mail is registered or not (KEY-11).
/// Whoever embeds the ledger sends the links of [`crate::contract::Desk::registered`].
fn link<A: Archive, V: Vault>(mut door: Door<'_, A, V>) -> Result<Handled, Refused> {
    let (call, tokens) = (door.call, door.tokens);
    let name = door.ledger.state.name.to_string();
    let fields = Fields::of(&call.body, tokens, &name)?.noting(door.reads);
    let email = fields.text("email", 254)?;
    let email = email.ok_or_else(|| Problem::new(Code::EmailRequired, "email is required"))?;
    let ip = call.ip.ok_or_else(|| {
        let detail = "the call brings no ip: links are counted by the address they are asked from";
        Problem::new(Code::RequestInvalid, detail)
    })?;
    let Personal { token, .. } = tokens.email(email);
    let counted = [Counted::LinkFrom(tokens.address(ip)), Counted::LinkFor(token)];
    door.look(|desk, recent, at: Instant| {
        let limit = (desk.state.policy.panel_links(), Span::hours(1));
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
