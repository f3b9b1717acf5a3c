//! A call being handled: who asks, what is created, what is read.

use serde_json::{Value, json};

use super::rate_limiter::RateLimiter;
use super::{Call, CallOutcome, Response};
use crate::contract::body::Body;
use crate::contract::error::{Code, Problem, RouteKind, malformed_field, wrong};
use crate::contract::input::fields::{Reads, missing};
use crate::contract::input::query::Target;
use crate::contract::input::tokens::{Personal, Tokens, Vault};
use crate::contract::route::shape::{Access, Effect, RouteShape};
use crate::contract::views::Views;
use crate::id::{AccountId, Kind, SubaccountId};
use crate::ledger::{
    Archive, Command, Execution, Intent, Ledger, Malformed, Operation, Outcome, Public, Request,
    State,
};
use crate::time::Instant;

/// What is refused: how, on which kind of route, and what time had brought due before.
pub struct Refused {
    pub problem: Problem,
    /// The kind of route, on which the HTTP status of some codes depends (ERR-18).
    pub kind: RouteKind,
    /// What time had brought due before.
    pub execution: Option<Box<Execution>>,
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self { problem, kind: RouteKind::Other, execution: None }
    }
}

/// A request being handled: what was asked, by whom, and the ledger that answers.
pub struct RequestContext<'a, A, V> {
    /// The route that is asked for.
    pub shape: &'static RouteShape,
    pub ledger: &'a mut Ledger<A>,
    /// Where the ledger's personal values stand under their tokens.
    pub vault: &'a mut V,
    /// Derives tokens under the vault's key.
    pub tokens: &'a Tokens,
    /// Counts what leaves no record.
    pub recent: &'a mut RateLimiter,
    pub call: &'a Call,
    /// The key it came with.
    pub key: Option<&'a str>,
    /// The account that the key opens, of a route that needs one.
    pub opened: Option<AccountId>,
    /// Which fields of its body were read.
    pub reads: &'a Reads,
    /// Where the command is put, when the call is only read and nothing is carried out.
    pub heard: Option<&'a mut Option<Command>>,
}

impl<A: Archive, V: Vault> RequestContext<'_, A, V> {
    /// The account that the call's key opens.
    pub fn account(&self) -> Result<AccountId, Problem> {
        let looked_up = || account_of(&self.ledger.state, self.tokens, self.key);
        self.opened.map_or_else(looked_up, Ok)
    }

    /// Executes what was asked, which only a route may that is declared to decide, and learns the
    /// persons it brought where it left a record of its own.
    pub fn execute(
        &mut self,
        what: Intent,
        personal: Vec<Personal>,
    ) -> Result<(Outcome, Execution), Refused> {
        let Self { shape, .. } = self;
        assert!(shape.effect == Effect::Decides, "{:?} is declared to read", shape.ask);
        let command = Command { at: self.call.at, cause: self.call.cause(), what };
        if let Some(heard) = self.heard.as_deref_mut() {
            *heard = Some(command);
            return Err(only_read().into());
        }
        let execution = self.ledger.execute(command);
        match &execution.answer {
            Ok(outcome) => {
                if execution.records.iter().any(|record| !record.cause.deadline) {
                    for value in personal {
                        self.vault.learn(value);
                    }
                }
                Ok((*outcome, execution))
            }
            Err(refusal) => {
                let problem = refusal.clone().into();
                let kind = self.shape.kind;
                Err(Refused { problem, kind, execution: Some(Box::new(execution)) })
            }
        }
    }

    /// What a request creates, or created before.
    pub fn create(
        &mut self,
        request: Request,
        personal: Vec<Personal>,
    ) -> Result<CallOutcome, Refused> {
        let (_, outcome, execution) = self.execute_request(request, personal)?;
        let body = match outcome {
            Outcome::Created(op) => {
                let views = self.views();
                // What ended with its first record is not looked for where it was just put.
                let ended = || Operation::after(op, &execution.records);
                let operation = views.state.open(op).cloned().or_else(ended);
                views.creation_response(op, &operation.expect("what was created is kept"))
            }
            Outcome::Repeated(op) => {
                let views = self.views();
                views.creation_response(op, &views.operation(op).expect("what was found is kept"))
            }
            other => unreachable!("a request is created, repeated or refused, not {other:?}"),
        };
        Ok(CallOutcome::new(Response::ok(body), Some(execution)))
    }

    /// In the sandbox what was created just now is answered with 201, in production with 200
    /// (COUT-67).
    pub fn created_in_sandbox(&self, mut handled: CallOutcome) -> CallOutcome {
        let created = handled.records.iter().any(|record| !record.cause.deadline);
        if created && !self.ledger.state.is_live() {
            handled.response.status = 201;
        }
        handled
    }

    /// Carries a request out and answers with `view`.
    pub fn carry_out<B: Into<Body>>(
        &mut self,
        request: Request,
        personal: Vec<Personal>,
        view: impl FnOnce(&Views<'_, A, V>, AccountId, Outcome) -> B,
    ) -> Result<CallOutcome, Refused> {
        let (account, outcome, execution) = self.execute_request(request, personal)?;
        let body = view(&self.views(), account, outcome);
        Ok(CallOutcome::new(Response::ok(body), Some(execution)))
    }

    /// Executes a request of the account whose key the call has.
    fn execute_request(
        &mut self,
        request: Request,
        personal: Vec<Personal>,
    ) -> Result<(AccountId, Outcome, Execution), Refused> {
        self.expect_access(Access::Key);
        let account = self.account()?;
        let (outcome, execution) = self.execute(Intent::Request(account, request), personal)?;
        Ok((account, outcome, execution))
    }

    /// Carries out what may be asked without a key, and answers with `view`.
    pub fn carry_out_public<B: Into<Body>>(
        &mut self,
        asked: Public,
        personal: Vec<Personal>,
        view: impl FnOnce(&Views<'_, A, V>, Outcome) -> B,
    ) -> Result<CallOutcome, Refused> {
        self.expect_access(Access::Anybody);
        let (outcome, execution) = self.execute(Intent::Public(asked), personal)?;
        let body = view(&self.views(), outcome);
        Ok(CallOutcome::new(Response::ok(body), Some(execution)))
    }

    /// A read: time advances as for any line, then the view is computed.
    pub fn read<B: Into<Body>>(
        &mut self,
        view: impl FnOnce(&Views<'_, A, V>, AccountId, Instant) -> Result<B, Problem>,
    ) -> Result<CallOutcome, Refused> {
        self.read_counted(|views, _, account, at| view(views, account, at))
    }

    /// A read that counts itself.
    pub fn read_counted<B: Into<Body>>(
        &mut self,
        view: impl FnOnce(&Views<'_, A, V>, &mut RateLimiter, AccountId, Instant) -> Result<B, Problem>,
    ) -> Result<CallOutcome, Refused> {
        self.expect_access(Access::Key);
        let account = self.account()?;
        self.render_view(|views, recent, at| view(views, recent, account, at))
    }

    /// A read that needs no account, and may count itself.
    pub fn look<B: Into<Body>>(
        &mut self,
        view: impl FnOnce(&Views<'_, A, V>, &mut RateLimiter, Instant) -> Result<B, Problem>,
    ) -> Result<CallOutcome, Refused> {
        self.expect_access(Access::Anybody);
        self.render_view(view)
    }

    /// Tells that the call brings a key that opens an account here, on a route that needs none.
    pub fn opens_an_account(&self) -> bool {
        let hash = self.key.map(|key| self.tokens.api_key(key));
        hash.is_some_and(|hash| self.ledger.state.account_of_key(&hash).is_some())
    }

    /// Who may ask is what the route declares: a key it names is looked at, and no other.
    fn expect_access(&self, access: Access) {
        let shape = self.shape;
        assert!(shape.access == access, "{:?} is declared for {:?}", shape.ask, shape.access);
    }

    fn render_view<B: Into<Body>>(
        &mut self,
        view: impl FnOnce(&Views<'_, A, V>, &mut RateLimiter, Instant) -> Result<B, Problem>,
    ) -> Result<CallOutcome, Refused> {
        if self.heard.is_some() {
            return Err(only_read().into());
        }
        self.ledger.state.admits(self.call.at).map_err(Problem::from)?;
        let at = self.call.at.max(self.ledger.state.now);
        let execution = self.ledger.advance(at, &self.call.cause());
        let Self { ledger, vault, recent, .. } = self;
        let views = Views { state: &ledger.state, archive: &ledger.archive, vault: &**vault };
        match view(&views, recent, at) {
            Ok(body) => Ok(CallOutcome::new(Response::ok(body), Some(execution))),
            Err(problem) => {
                let kind = RouteKind::Other;
                Err(Refused { problem, kind, execution: Some(Box::new(execution)) })
            }
        }
    }

    /// `GET /cashin/charges` and `GET /payouts`: what was created under an `external_id`.
    pub fn listing(
        &mut self,
        target: &Target,
        kinds: &[Kind],
        name: &str,
    ) -> Result<CallOutcome, Refused> {
        let id = target.get("external_id").ok_or_else(|| missing("external_id"))?;
        if id.is_empty() || id.chars().count() > 64 {
            return Err(wrong("external_id", "must have 1 to 64 characters").into());
        }
        Malformed::external_id(id).map_err(|why| malformed_field("external_id", why))?;
        self.read(|views, account, _| {
            let ops = kinds.iter().filter_map(|kind| views.archive.identity(account, *kind, id));
            let found = ops.filter_map(|op| Some((op, views.operation(op)?)));
            let items: Vec<Value> = found
                .map(|(op, known)| match known.charge() {
                    Some(_) => views.operation_view(op, &known).into(),
                    None => views.creation_response(op, &known).into(),
                })
                .collect();
            Ok(json!({ name: items }))
        })
    }

    /// What views are computed from.
    pub fn views(&self) -> Views<'_, A, V> {
        Views { state: &self.ledger.state, archive: &self.ledger.archive, vault: self.vault }
    }
}

/// What ends a call that is only read; nobody is shown it.
pub(in crate::contract) fn only_read() -> Problem {
    Problem::new(Code::NotFound, "the call asks for a view: it brings no command")
}

/// Tells whether text is of the form of a key, of any age.
fn looks_like_a_key(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    text.starts_with("svc_") && (8..=128).contains(&text.len()) && text.bytes().all(plain)
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The house, or the subaccount of this name; none when it was never seen.
    #[must_use]
    pub fn party(&self, account: AccountId, customer: Option<&str>) -> Option<SubaccountId> {
        match customer {
            Some(customer) => self.archive.subaccount(account, customer),
            None => self.state.account(account).map(|account| account.house),
        }
    }

    /// As [`Views::party`], for a name that a query brings.
    ///
    /// # Errors
    ///
    /// `formato_invalido` for a name that no subaccount has, and that passes for another
    /// (P:LookAlikes).
    pub fn seen_party(
        &self,
        account: AccountId,
        customer: Option<&str>,
    ) -> Result<Option<SubaccountId>, Problem> {
        let found = self.party(account, customer);
        match customer.filter(|_| found.is_none()).map(Malformed::new_customer) {
            Some(Err(why)) => Err(malformed_field("customer_ref", why)),
            Some(Ok(())) | None => Ok(found),
        }
    }

    /// `GET /saldo/clientes`: subaccounts in the order they were named, those ever credited.
    ///
    /// # Errors
    ///
    /// `requisicao_invalida` for a cursor not issued for this account.
    pub fn customers(
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
            .subaccounts_of(account, after)
            .filter(|(subaccount, _)| house != Some(*subaccount))
            .filter(|(_, buckets)| buckets.rows > 0)
            .filter(|(_, buckets)| !with_balance || buckets.total().cents() != 0);
        let page: Vec<_> = shown.by_ref().take(limit).collect();
        let last = page.last().map(|(subaccount, _)| *subaccount);
        let next = last.filter(|_| shown.next().is_some());
        let items: Vec<Value> = page
            .iter()
            .map(|(subaccount, buckets)| {
                json!({
                    "customer_ref": self.archive.customer(*subaccount),
                    "disponivel_cents": buckets.available.cents(),
                    "bloqueado_cents": buckets.blocked_balance().cents(),
                })
            })
            .collect();
        let next = next.map(|subaccount| self.customer_cursor(account, subaccount));
        Ok(json!({ "items": items, "next_cursor": next }))
    }
}

/// The account that a key opens: by its hash, whatever it looks like (AUTH-02). What it looks like
/// only says which of the 401 codes tells the client most (AUTH-06).
///
/// # Errors
///
/// `chave_ausente`, `chave_obrigatoria`, `chave_desconhecida` or `chave_incorreta`.
pub fn account_of(state: &State, tokens: &Tokens, key: Option<&str>) -> Result<AccountId, Problem> {
    let key = key.ok_or_else(|| Problem::new(Code::KeyMissing, "X-API-Key is missing"))?;
    if key.trim().is_empty() {
        let detail = "this route needs a key, and X-API-Key is empty";
        return Err(Problem::new(Code::KeyRequired, detail));
    }
    state.account_of_key(&tokens.api_key(key)).ok_or_else(|| {
        if looks_like_a_key(key) {
            Problem::new(Code::KeyUnknown, "this key opens no account")
        } else if key.contains(',') {
            Problem::new(Code::KeyMalformed, "X-API-Key is given more than once: send one key")
        } else {
            Problem::new(Code::KeyMalformed, "X-API-Key is no key: one begins with svc_")
        }
    })
}
