//! The world: who there is, what time it is, what is under way, and what its people know.
//!
//! People know an operation once its request was answered, not before: after a crash they ask
//! again.

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger_core::id::{AccountId, KeyHash, OpId, Token};
use ledger_core::ledger::{
    Cause, Command, Fact, InstructionKey, Intent, OperatorDecision, Origin, Reported, Request,
    SaleReport,
};
use ledger_core::time::{Instant, Span};

use crate::checker::wire::{Carried, carry};
use crate::domains::{IntoFact, IntoRequest};
use crate::odd::Odd;
use crate::oracle::{Oracle, created_operation, happened_at};
use crate::rng::Rng;
use crate::settings::Faults;
use crate::spelling::{self, respell, respell_wallets};

/// Where every history begins: 2026-11-20T11:00:00Z.
pub(crate) const BEGINNING: i64 = 1_795_172_400_000_000;

/// How far the clock of a reporter may run ahead: thirty hours, or a hundred years.
const FAR_AHEAD: [i64; 2] = [108_000_000_000, 3_153_600_000_000_000];

/// Everything outside the ledger.
pub(crate) struct World {
    pub(crate) rng: Rng,
    pub(crate) odd: Odd,
    pub(crate) now: Instant,
    pub(crate) faults: Faults,
    /// What will be said, in order.
    pub(crate) plans: BTreeMap<(Instant, u64), Box<Command>>,
    pub(crate) counter: u64,
    pub(crate) clients: Vec<Arc<Client>>,
    pub(crate) charges: Vec<OpId>,
    pub(crate) payouts: Vec<OpId>,
    pub(crate) holds: Vec<OpId>,
    pub(crate) suspense: Vec<OpId>,
    /// The ids of returns out of suspense, which may be told again.
    pub(crate) returned: Vec<Box<str>>,
    pub(crate) conversions: Vec<OpId>,
    pub(crate) erroneous_deliveries: Vec<OpId>,
    pub(crate) sales: Vec<OpId>,
    pub(crate) unmatched: Vec<OpId>,
    /// Purchases made for the minimum that a refusal suggested.
    pub(crate) suggested: Vec<Intent>,
    /// Requests that were made under an id of the client's own.
    pub(crate) asked: Vec<(AccountId, Request)>,
    /// Facts that were reported, for those who report twice.
    pub(crate) reported: Vec<Reported>,
    pub(crate) wallet_deposits: Vec<OpId>,
    pub(crate) withdrawals: Vec<OpId>,
    pub(crate) wallet_payments: Vec<OpId>,
    /// Keys that were ever offered.
    pub(crate) keys: Vec<KeyHash>,
    /// What was injected, by name.
    pub(crate) injected: BTreeMap<&'static str, u64>,
}

/// An integrator and the customers it knows.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) id: AccountId,
    pub(crate) name: Box<str>,
    pub(crate) customers: Vec<Box<str>>,
}

impl World {
    /// The next thing planned for any time at all; none when nothing is under way. Nobody waits any
    /// longer for what a line would need.
    pub(crate) fn next_planned(&mut self, oracle: &Oracle) -> Option<Box<Command>> {
        loop {
            let ((at, _), mut planned) = self.plans.pop_first()?;
            self.now = self.now.max(at);
            if carry(&mut planned.what, self.now, oracle) == Carried::Now {
                return Some(self.command(self.now, planned));
            }
        }
    }

    /// Time is made to pass to what it is in the world.
    pub(crate) fn time_passes(&mut self) -> Box<Command> {
        self.command(self.now, plan_command(nothing_but_time()))
    }

    pub(crate) fn due_now(&mut self) -> Option<Box<Command>> {
        let entry = self.plans.first_entry()?;
        if entry.key().0 <= self.now { Some(entry.remove()) } else { None }
    }

    /// Returns what was planned as it is said, at about its time; none where its line is refused.
    pub(crate) fn issue_command(
        &mut self,
        mut planned: Box<Command>,
        oracle: &Oracle,
    ) -> Option<Box<Command>> {
        let passes =
            matches!(&planned.what, Intent::Fact(reported) if reported.fact == Fact::TimePassed);
        let bound = oracle.now.after(oracle.policy.largest_jump);
        if oracle.seq > 0 && bound < self.now && !passes && self.rng.percent(85) {
            self.put_off(self.now, planned);
            return Some(self.time_passes());
        }
        let at = if oracle.seq == 0 { self.now } else { self.draw_instant(passes, bound) };
        match carry(&mut planned.what, at, oracle) {
            Carried::Now => {
                self.spell(&mut planned.what, oracle);
                Some(self.command(at, planned))
            }
            Carried::Later => {
                self.put_off(self.now.after(Span::seconds(900)), planned);
                None
            }
            Carried::Never => None,
        }
    }

    /// The instant that is said: mostly now, sometimes too early, seldom at the bound or beyond it.
    fn draw_instant(&mut self, passes: bool, bound: Instant) -> Instant {
        if self.rng.percent(self.faults.scale(6)) {
            self.inject("instants before the ledger's");
            return shift_instant(self.now, -self.rng.within(1, 7_200_000_000));
        }
        if passes || !self.rng.bps(self.faults.scale(60)) {
            return self.now;
        }
        self.inject("jumps to the bound and beyond");
        let beyond = [0, 1, 1, 1, 1, 3_600_000_000, 31_536_000_000_000];
        let at = shift_instant(bound, *self.rng.pick(&beyond).unwrap_or(&1));
        if at == bound {
            self.now = self.now.max(at);
        }
        at
    }

    fn command(&mut self, at: Instant, mut planned: Box<Command>) -> Box<Command> {
        self.counter += 1;
        planned.at = at;
        if self.counter.is_multiple_of(3) {
            planned.cause = Cause::new(Origin::Request(numbered_name("req", self.counter)));
        }
        planned
    }

    /// Plans that something is said at `at`.
    pub(crate) fn plan(&mut self, at: Instant, what: Intent) {
        self.put_off(at, plan_command(what));
    }

    fn put_off(&mut self, at: Instant, planned: Box<Command>) {
        self.counter += 1;
        self.plans.insert((at, self.counter), planned);
    }

    /// Plans a request for now.
    pub(crate) fn ask(&mut self, account: AccountId, request: impl IntoRequest) {
        self.plan(self.now, Intent::Request(account, request.into_request()));
    }

    /// Plans a fact for `at`, which the wire carries as it is.
    pub(crate) fn plan_fact(&mut self, at: Instant, id: Box<str>, fact: impl IntoFact) {
        self.plan(at, Intent::Fact(Reported { id: Some(id), fact: fact.into_fact() }));
    }

    /// Reports a fact now; the wire may delay or double it.
    pub(crate) fn report(&mut self, fact: impl IntoFact) {
        self.report_at(self.now, fact);
    }

    /// Reports a fact at `at`; the wire may delay or double it.
    pub(crate) fn report_at(&mut self, at: Instant, fact: impl IntoFact) {
        let id = (!self.rng.percent(4)).then(|| self.fresh("f"));
        self.transmit(at, Reported { id, fact: fact.into_fact() });
    }

    fn transmit(&mut self, mut at: Instant, mut reported: Reported) {
        self.run_ahead(&mut reported.fact, at);
        if self.rng.percent(self.faults.scale(15)) {
            self.inject("facts late and out of order");
            at = at.after(Span::seconds(u32::try_from(self.rng.within(1, 5_400)).unwrap_or(1)));
        }
        if self.rng.percent(self.faults.scale(12)) {
            self.inject("facts reported twice");
            let again =
                at.after(Span::seconds(u32::try_from(self.rng.within(0, 90_000)).unwrap_or(0)));
            let mut again_reported = reported.clone();
            self.name_first_output(&mut again_reported.fact);
            self.plan(again, Intent::Fact(again_reported));
        }
        if self.rng.percent(3) {
            self.reported.push(reported.clone());
        }
        self.name_first_output(&mut reported.fact);
        self.plan(at, Intent::Fact(reported));
    }

    /// The clock of a reporter runs ahead: it dates what happened after the report of it.
    fn run_ahead(&mut self, fact: &mut Fact, at: Instant) {
        let Some(happened) = happened_at(fact).filter(|happened| **happened == at) else { return };
        if self.rng.percent(self.faults.scale(3)) {
            *happened = shift_instant(at, self.rng.within(1, 60_000_000));
            if self.odd.happens(4_000) {
                *happened = shift_instant(at, *self.odd.rng.pick(&FAR_AHEAD).unwrap_or(&0));
            }
            self.inject("a reporter's clock that runs ahead");
        }
    }

    /// A watcher names the first output of a transaction, which another leaves out.
    fn name_first_output(&mut self, fact: &mut Fact) {
        let Fact::Sale { report, .. } = fact else { return };
        let (hash, deposit) = match report {
            SaleReport::Seen(deposit) => (&mut deposit.hash, None),
            SaleReport::Confirmed { hash, deposit } => (hash, deposit.as_mut()),
            SaleReport::Vanished(hash) => (hash, None),
            _ => return,
        };
        if hash.contains('#') || !self.rng.percent(self.faults.scale(20)) {
            return;
        }
        let named: Box<str> = format!("{hash}#0").into();
        if let Some(deposit) = deposit {
            deposit.hash.clone_from(&named);
        }
        *hash = named;
        self.inject("deposits told with the number of their first output");
    }

    /// Whoever names a transaction or a wallet writes it in a way of the own.
    fn spell(&mut self, what: &mut Intent, oracle: &Oracle) {
        if self.rng.percent(self.faults.scale(60))
            && let Intent::Fact(Reported { fact, .. }) = what
        {
            let named = fact.about().and_then(|op| oracle.network_of(op));
            let network = |chain| oracle.market.chain_numbered(chain);
            if respell(fact, named, network, &mut self.rng) {
                self.inject("transactions told in another spelling");
            }
        }
        if self.rng.percent(self.faults.scale(30)) && respell_wallets(what, &mut self.rng) {
            self.inject("wallets named in another spelling");
        }
    }

    /// Somebody asks for an instruction to be handed out, and perhaps asks again: a poll that was
    /// not answered, or another sender.
    pub(crate) fn hand_out(&mut self, key: InstructionKey) {
        let asks = 1 + u64::from(self.rng.percent(30));
        for _ in 0..asks {
            let later = u32::try_from(self.rng.within(0, 600)).unwrap_or(0);
            let (fact, at) = (Fact::HandedOut(Some(key)), self.now.after(Span::seconds(later)));
            self.plan(at, Intent::Fact(Reported { id: None, fact }));
        }
    }

    /// Who decided something, why, and on what evidence.
    pub(crate) fn proven(&mut self) -> OperatorDecision {
        OperatorDecision { evidence: Some(self.token(3)), ..self.decided_by() }
    }

    /// A name never used before; now and then one that looks like another of its kind.
    pub(crate) fn fresh(&mut self, prefix: &'static str) -> Box<str> {
        let name = numbered_name(prefix, self.number());
        let often = if prefix == "c" { 3_000 } else { 600 };
        let shown = matches!(prefix, "c" | "f" | "w" | "x");
        self.or_alike((prefix, name), often, |known, odd| spelling::look_alike(known, shown, odd))
    }

    /// A name as it is, or one like the last of its kind that was looked at.
    fn or_alike(
        &mut self,
        (kind, name): (&'static str, Box<str>),
        bps: u64,
        like: impl FnOnce(&str, &mut Rng) -> Box<str>,
    ) -> Box<str> {
        if !self.odd.happens(self.faults.scale(bps)) {
            return name;
        }
        let Some(like) = self.odd.alike(kind, &name, like) else { return name };
        self.inject("names that look like another");
        like
    }

    /// A transaction never named before, on the network of this number where that is known; now and
    /// then a name that is no transaction's on any network.
    pub(crate) fn transaction(&mut self, chain: Option<u16>) -> Box<str> {
        if self.rng.percent(6) {
            return self.fresh("0xt");
        }
        let number = self.number();
        let (kind, hash) = if self.odd.happens(self.faults.scale(400)) {
            ("a transaction in two cases", spelling::in_base58(number))
        } else {
            ("a transaction in digits", spelling::transaction(chain, number))
        };
        let own = hash.clone();
        self.or_alike((kind, hash), 400, |known, odd| spelling::another_like(known, &own, odd))
    }

    /// A number never used before.
    pub(crate) fn number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// A token for some person or text.
    pub(crate) fn token(&mut self, of: u8) -> Token {
        let mut bytes = [of; 16];
        bytes[15] = u8::try_from(self.rng.below(40)).unwrap_or(0);
        Token(bytes)
    }

    /// Who decided something, why, and perhaps on what evidence.
    pub(crate) fn decided_by(&mut self) -> OperatorDecision {
        let evidence = self.rng.percent(50).then(|| self.token(3));
        OperatorDecision { actor: self.token(1), reason: self.token(2), evidence }
    }

    /// The integrator who has this account.
    pub(crate) fn client_of(&self, account: AccountId) -> Option<&Arc<Client>> {
        self.clients.iter().find(|client| client.id == account)
    }

    /// One of the integrators.
    pub(crate) fn client(&mut self) -> Option<Arc<Client>> {
        self.rng.pick(&self.clients).cloned()
    }

    /// A customer of the client: seldom the house, now and then somebody new.
    pub(crate) fn customer(&mut self, client: &Client) -> Option<Box<str>> {
        if self.rng.percent(14) {
            return None;
        }
        if client.customers.len() < 6 && self.rng.percent(30) || self.rng.percent(1) {
            return Some(self.fresh("c"));
        }
        self.rng.pick(&client.customers).cloned()
    }

    pub(crate) fn inject(&mut self, fault: &'static str) {
        *self.injected.entry(fault).or_default() += 1;
    }
}

/// That time passed, and nothing else: never refused, and always a record.
pub(crate) const fn nothing_but_time() -> Intent {
    Intent::Fact(Reported { id: None, fact: Fact::TimePassed })
}

/// Returns what will be said, once it is known when and by whom: in its place from now on, since a
/// command is large.
fn plan_command(what: Intent) -> Box<Command> {
    Box::new(Command { at: Instant::default(), cause: Cause::new(Origin::Call), what })
}

/// Said for almost every command, so put together by hand, without room to spare.
fn numbered_name(prefix: &str, number: u64) -> Box<str> {
    let (mut digits, mut start, mut left) = ([b'0'; 20], 20, number);
    while left > 0 || start == 20 {
        start -= 1;
        digits[start] += u8::try_from(left % 10).expect("a digit");
        left /= 10;
    }
    let digits = std::str::from_utf8(&digits[start..]).expect("digits");
    let mut name = String::with_capacity(prefix.len() + 1 + digits.len());
    name.extend([prefix, "-", digits]);
    name.into()
}

/// Later or earlier by so many microseconds, but not before the beginning.
fn shift_instant(at: Instant, micros: i64) -> Instant {
    Instant::from_micros((at.micros() + micros).max(BEGINNING)).expect("this century")
}

/// Tells whether a client can make the request again without making it twice.
pub(crate) fn has_identity(request: &Request) -> bool {
    match request {
        Request::Wallet(request) => request.identity().is_some(),
        request => created_operation(request).is_none_or(|(_, id)| id.is_some()),
    }
}
