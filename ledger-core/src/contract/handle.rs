//! The door: a call goes in, a response and the decision behind it come out.

use serde_json::{Value, json};

use super::adopted;
use super::call::{Ask, Call, Handled, Response};
use super::error::{Code, Problem, Route};
use super::extrato::{Asked, View};
use super::facts;
use super::fields::{Fields, missing, wrong};
use super::query::{Target, invalid};
use super::requests::{self, Unoffered};
use super::shapes;
use super::tokens::{Personal, Tokens, Vault};
use super::views::Desk;
use crate::id::{AccountId, CustodyId, Kind, OpId};
use crate::ledger::{
    Archive, Cause, ChargeRequest, Command, FactKind, Ledger, Outcome, Record, Request, What,
};
use crate::time::Instant;

/// What is refused: how, on which kind of route, and what time had brought due before.
struct Refused {
    problem: Problem,
    route: Route,
    records: Vec<Record>,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self { problem, route: Route::Other, records: Vec::new() }
    }
}

/// Handles one call against a ledger and its vault.
///
/// The response is true once the records are durable; an answer to a read, once those before it are.
pub fn handle<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    call: &Call,
) -> Handled {
    let handled = match &call.ask {
        Ask::Request { method, target, key } => {
            request(ledger, vault, tokens, call, method, target, key.as_deref())
        }
        Ask::Fact(name) => fact(ledger, vault, tokens, call, name),
    };
    handled.unwrap_or_else(|refused| {
        let Refused { problem, route, records } = refused;
        let response = Response::problem(&problem, route, call.at, call.request_id());
        Handled { response, records }
    })
}

#[allow(clippy::too_many_lines)] // The table of routes, one arm each.
fn request<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    call: &Call,
    method: &str,
    target: &str,
    key: Option<&str>,
) -> Result<Handled, Refused> {
    let target = Target::parse(target)?;
    let segments = target.segments();
    let known: &[&str] = match segments[..] {
        ["cashin", "charge"] | ["saldo", "transferir"] => &["POST"],
        ["payouts"] => &["POST", "GET"],
        ["cashin", "charges"] | ["cashin", _, "status"] | ["saldo"] => &["GET"],
        ["saldo", "consolidado" | "clientes" | "extrato"] => &["GET"],
        _ => {
            let detail = format!("there is no route {method} /{}", segments.join("/"));
            return Err(Problem::new(Code::NotFound, detail).into());
        }
    };
    if !known.contains(&method) {
        let detail = format!("/{} takes {}", segments.join("/"), known.join(" and "));
        return Err(Problem::new(Code::MethodNotAllowed, detail).into());
    }
    let name = ledger.state.name.to_string();
    let mut door = Door { ledger, vault, tokens, call, key };
    match (method, &segments[..]) {
        ("POST", ["cashin", "charge"]) => {
            let mut fields = Fields::of(&call.body, tokens, &name)?;
            let policy = door.ledger.state.policy.clone();
            let (asked, unoffered) = requests::charge(&mut fields, &call.supplied, &policy)?;
            door.create_if_offered(asked, unoffered, fields.into_personal())
        }
        ("POST", ["saldo", "transferir"]) => {
            let mut fields = Fields::of(&call.body, tokens, &name)?;
            let asked = requests::transfer(&mut fields)?;
            door.create(Request::Transfer(asked), fields.into_personal(), Route::Other)
        }
        ("POST", _) => {
            let mut fields = Fields::of(&call.body, tokens, &name)?;
            let policy = door.ledger.state.policy.clone();
            let asked = requests::payout(&mut fields, &policy)?;
            door.create(Request::Payout(asked), fields.into_personal(), Route::Withdrawal)
        }
        (_, ["cashin", "charges"]) => door.listing(&target, Kind::Charge, "charges"),
        (_, ["payouts"]) => door.listing(&target, Kind::Payout, "payouts"),
        (_, ["cashin", id, _]) => {
            target.only(&[])?;
            let op = OpId::parse(id, &name).filter(|op| op.kind() == Kind::Charge);
            door.read(|desk, account, _| {
                let found = op.and_then(|op| Some((op, desk.operation(op)?)));
                let found = found.filter(|(_, known)| known.account() == Some(account));
                let view = found
                    .as_ref()
                    .and_then(|(op, known)| Some(desk.charge_status(*op, known.charge()?)));
                view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such charge"))
            })
        }
        (_, ["saldo"]) => {
            target.only(&["customer_ref"])?;
            let customer = target.customer()?;
            door.read(|desk, account, at| {
                Ok(desk.balance(account, desk.party(account, customer), at))
            })
        }
        (_, ["saldo", "consolidado"]) => {
            target.only(&[])?;
            door.read(|desk, account, _| Ok(desk.consolidated(account)))
        }
        (_, ["saldo", "clientes"]) => {
            target.only(&["limit", "com_saldo", "cursor"])?;
            let limit = target.limit()?;
            let with_balance = match target.get("com_saldo") {
                None | Some("0") => false,
                Some("1") => true,
                Some(_) => return Err(invalid("com_saldo must be 1 or 0".into()).into()),
            };
            let cursor = target.get("cursor");
            door.read(|desk, account, _| desk.customers(account, limit, with_balance, cursor))
        }
        _ => {
            target.only(&["customer_ref", "limit", "before", "visao"])?;
            let view = match target.get("visao") {
                None | Some("lancamentos") => View::Entries,
                Some("operacoes") => View::Operations,
                Some(_) => return Err(invalid("visao must be operacoes, or absent".into()).into()),
            };
            let (customer, limit) = (target.customer()?, target.limit()?);
            let before = target.get("before");
            door.read(|desk, account, _| {
                let custody = desk.party(account, customer);
                desk.statement(&Asked { account, custody, customer, view, limit, before })
            })
        }
    }
}

/// A call being handled.
struct Door<'a, A, V> {
    ledger: &'a mut Ledger<A>,
    vault: &'a mut V,
    tokens: &'a Tokens,
    call: &'a Call,
    key: Option<&'a str>,
}

impl<A: Archive, V: Vault> Door<'_, A, V> {
    fn account(&self) -> Result<AccountId, Problem> {
        let key = self.key.ok_or_else(|| Problem::new(Code::KeyMissing, "X-API-Key is missing"))?;
        let account = self.ledger.state.account_of_key(&self.tokens.api_key(key));
        account.ok_or_else(|| Problem::new(Code::KeyUnknown, "this key opens no account"))
    }

    /// A charge that asks for what is not offered is refused where a feature switched off is: after
    /// authentication and idempotency (rulings 6).
    fn create_if_offered(
        &mut self,
        asked: ChargeRequest,
        unoffered: Option<Unoffered>,
        personal: Vec<Personal>,
    ) -> Result<Handled, Refused> {
        let Some(unoffered) = unoffered else {
            return self.create(Request::Charge(asked), personal, Route::Other);
        };
        let account = self.account()?;
        let id = asked.external_id.as_deref();
        let archive = &self.ledger.archive;
        let known = id.and_then(|id| archive.identity(account, Kind::Charge, id)).is_some();
        let strict = self.ledger.state.policy.divergent_charge_is_refused.is_on();
        match unoffered.differs {
            _ if !known => Err(unoffered.problem.into()),
            Some(field) if strict => {
                let detail = format!("this external_id was used with another {field}");
                let problem = Problem::new(Code::ExternalIdDiverges, detail);
                Err(problem.with("campos_divergentes", json!([field])).into())
            }
            _ => self.create(Request::Charge(asked), personal, Route::Other),
        }
    }

    fn create(
        &mut self,
        request: Request,
        personal: Vec<Personal>,
        route: Route,
    ) -> Result<Handled, Refused> {
        let account = self.account()?;
        let what = What::Request(account, request);
        let cause = Cause::of(self.call.origin.clone());
        let execution = self.ledger.execute(Command { at: self.call.at, cause, what });
        let records = execution.records;
        match execution.answer {
            Ok(Outcome::Created(op) | Outcome::Repeated(op)) => {
                if !records.is_empty() {
                    for value in personal {
                        self.vault.learn(value);
                    }
                }
                let desk = self.desk();
                let operation = desk.operation(op).expect("what was created or found is kept");
                Ok(Handled { response: Response::ok(desk.created(op, &operation)), records })
            }
            Ok(other) => unreachable!("a request is created, repeated or refused, not {other:?}"),
            Err(refusal) => Err(Refused { problem: refusal.into(), route, records }),
        }
    }

    /// A read: time advances as for any line, then the view is computed.
    fn read(
        &mut self,
        view: impl FnOnce(&Desk<'_, A, V>, AccountId, Instant) -> Result<Value, Problem>,
    ) -> Result<Handled, Refused> {
        let account = self.account()?;
        self.ledger.state.admits(self.call.at).map_err(Problem::from)?;
        let at = self.call.at.max(self.ledger.state.now);
        let records = self.ledger.advance(at, &Cause::of(self.call.origin.clone()));
        match view(&self.desk(), account, at) {
            Ok(body) => Ok(Handled { response: Response::ok(body), records }),
            Err(problem) => Err(Refused { problem, route: Route::Other, records }),
        }
    }

    /// `GET /cashin/charges` and `GET /payouts`: what was created under an `external_id`.
    fn listing(&mut self, target: &Target, kind: Kind, name: &str) -> Result<Handled, Refused> {
        target.only(&["external_id"])?;
        let id = target.get("external_id").ok_or_else(|| missing("external_id"))?;
        if id.is_empty() || id.chars().count() > 64 {
            return Err(wrong("external_id", "must have 1 to 64 characters").into());
        }
        self.read(|desk, account, _| {
            let op = desk.archive.identity(account, kind, id);
            let found = op.and_then(|op| Some((op, desk.operation(op)?)));
            let items: Vec<Value> = found
                .iter()
                .map(|(op, known)| match known.charge() {
                    Some(state) => desk.charge_status(*op, state),
                    None => desk.created(*op, known),
                })
                .collect();
            Ok(json!({ name: items }))
        })
    }

    fn desk(&self) -> Desk<'_, A, V> {
        Desk { state: &self.ledger.state, archive: &self.ledger.archive, vault: self.vault }
    }
}

fn fact<A: Archive, V: Vault>(
    ledger: &mut Ledger<A>,
    vault: &mut V,
    tokens: &Tokens,
    call: &Call,
    name: &str,
) -> Result<Handled, Refused> {
    let shape = shapes::shape(name).ok_or_else(|| {
        Problem::new(Code::NotFound, format!("there is no fact {name}; `facts` lists them"))
    })?;
    let empty = json!({});
    let body = if call.body.is_null() { &empty } else { &call.body };
    let ledger_name = ledger.state.name.to_string();
    let mut fields = Fields::of(body, tokens, &ledger_name)?;
    let reported = facts::read(shape, &mut fields, &call.supplied, &ledger.state, call.at)?;
    let personal = fields.into_personal();
    let cause = Cause::of(call.origin.clone());
    let what = What::Fact(reported);
    let seen = what.outside();
    let execution = ledger.execute(Command { at: call.at, cause, what });
    let records = execution.records;
    let outcome = match execution.answer {
        Ok(outcome) => outcome,
        Err(refusal) => {
            return Err(Refused { problem: refusal.into(), route: Route::Other, records });
        }
    };
    if records.iter().any(|record| !record.cause.deadline) {
        for value in personal {
            vault.learn(value);
        }
    }
    let text = |op: OpId| (op.field(), op.text(&ledger_name));
    let mut response = match outcome {
        Outcome::Applied(created) => Response::outcome("applied", created.map(text)),
        Outcome::SetAside(created) => Response::outcome("set_aside", created.map(text)),
        Outcome::Known => {
            // A repeat names what the original created, so that whoever forgot can go on.
            let first = seen.and_then(|outside| ledger.archive.seen(&outside));
            let kinds = [Kind::Suspense, Kind::Hold, Kind::Adjustment];
            let created = first.and_then(|seq| {
                let ops = kinds.into_iter().map(|kind| OpId::new(kind, seq));
                let mut known = ops.filter(|op| {
                    ledger.state.open(*op).is_some() || ledger.archive.ended(*op).is_some()
                });
                known.next()
            });
            Response::outcome("known", created.map(text))
        }
        Outcome::Created(_) | Outcome::Repeated(_) => {
            unreachable!("a fact creates nothing a client asked for")
        }
    };
    let brought = call.supplied.get("key").is_some();
    if shape.kind == FactKind::AccountOpened && !brought && outcome == Outcome::Applied(None) {
        let key = adopted::api_key(&call.supplied, &ledger_name)?;
        response.body["api_key"] = key.into();
    }
    Ok(Handled { response, records })
}

impl<A: Archive, V: Vault> Desk<'_, A, V> {
    /// The house, or the subaccount of this name; none when it was never seen.
    #[must_use]
    pub fn party(&self, account: AccountId, customer: Option<&str>) -> Option<CustodyId> {
        match customer {
            Some(customer) => self.archive.subaccount(account, customer),
            None => self.state.account(account).map(|account| account.house),
        }
    }

    /// `GET /saldo/clientes`: subaccounts in the order they were named, those ever credited.
    fn customers(
        &self,
        account: AccountId,
        limit: usize,
        with_balance: bool,
        cursor: Option<&str>,
    ) -> Result<Value, Problem> {
        let after = cursor.map(|text| self.read_customer_cursor(account, text)).transpose()?;
        let house = self.state.account(account).map(|account| account.house);
        let mut shown = self
            .state
            .custodies_of(account, after)
            .filter(|(custody, _)| house != Some(*custody))
            .filter(|(_, buckets)| buckets.rows > 0)
            .filter(|(_, buckets)| !with_balance || buckets.total().cents() != 0);
        let page: Vec<_> = shown.by_ref().take(limit).collect();
        let last = page.last().map(|(custody, _)| *custody);
        let next = last.filter(|_| shown.next().is_some());
        let items: Vec<Value> = page
            .iter()
            .map(|(custody, buckets)| {
                json!({
                    "customer_ref": self.archive.customer(*custody),
                    "disponivel_cents": buckets.available.cents(),
                    "bloqueado_cents": buckets.blocked().cents(),
                })
            })
            .collect();
        let next = next.map(|custody| self.customer_cursor(account, custody));
        Ok(json!({ "items": items, "next_cursor": next }))
    }
}
