//! The sandbox: the world with scripted providers, for the ledger of test keys (contract, 3.3,
//! 4.8).
//!
//! The rules are those of every ledger; only the providers are played. What they report next, and
//! when, is a function of the ledger's state alone: of an operation's terms, of where it stands and
//! since when. So nothing is remembered beside the journal, a run that was killed goes on as if it
//! had not been, and a fact reported by hand that came first makes the scripted one moot.

mod charges;
mod market;
pub(super) mod played;
mod provider;
mod sales;
mod script;
mod wallets;
mod world;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ledger_core::contract::{Call, CallKind, CallOutcome};
use ledger_core::id::OpId;
use ledger_core::ledger::{Origin, State};
use ledger_core::time::Instant;
use ledger_store::provider::supply;
use ledger_store::provider::supply::Background;
use ledger_store::sequencer::Sequencer;
use serde_json::{Value, json};

pub use world::SandboxWorld;

/// What the name of a file begins with where a record was reported by the sandbox before one of its
/// lines, so that nobody takes it for the line's own decision.
pub const PLAYED: &str = "sandbox/";

/// A simulated provider, exchange and network for one ledger of test keys. Prices come from the
/// seed.
///
/// ```
/// use ledger_core::contract::{Call, Line};
/// use ledger_core::ledger::Origin;
/// use ledger_sim::Sandbox;
/// use ledger_store::Algorithm;
/// use ledger_store::journal::Identity;
/// use ledger_store::sequencer::Sequencer;
///
/// let identity = Identity::by_name(Algorithm::Blake3, [7; 32]);
/// let (mut sequencer, sandbox) = (Sequencer::new("sandbox", identity), Sandbox::new(7));
/// let mut tell = |line: &str, id: &str| {
///     let line = Line::parse(line, |_label| Ok(id.to_owned())).expect("the line is well formed");
///     let mut call = line.call(Origin::Call);
///     sandbox.supply(&mut call);
///     sandbox.before(&mut sequencer, &call, |_, _| ());
///     sequencer.call(&call).body
/// };
///
/// tell(r#"{"at": "2026-11-20T12:00:00Z", "fact": "account.opened", "environment": "sandbox",
///          "body": {"id": "acc-1", "account": "loja"}, "supplied": {"key": "svc_test_loja"}}"#, "");
/// let order = tell(r#"{"at": "2026-11-20T12:00:00Z", "key": "svc_test_loja",
///          "request": "POST /cash-outs",
///          "body": {"asset": "usdt", "network": "polygon", "amount": "20.00",
///                   "pix_key": "bia@exemplo.com.br"}}"#, "");
/// let id = order["cashout_id"].as_str().expect("the order was created");
/// let accept = r#"{"at": "2026-11-20T12:00:10Z", "key": "svc_test_loja",
///          "request": "POST /cash-outs/$order.cashout_id/accept"}"#;
/// assert_eq!(tell(accept, id)["state"], "AWAITING_DEPOSIT");
/// let look = |at: &str| format!(r#"{{"at": "{at}", "key": "svc_test_loja",
///          "request": "GET /cash-outs/$order.cashout_id"}}"#);
/// assert_eq!(tell(&look("2026-11-20T12:00:18Z"), id)["state"], "PROCESSING");
/// assert_eq!(tell(&look("2026-11-20T12:00:25Z"), id)["state"], "COMPLETED");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sandbox {
    seed: u64,
}

/// A fact the sandbox reports: what, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// When it happens.
    pub at: Instant,
    /// The fact's name.
    pub fact: &'static str,
    /// The fact's body, as JSON.
    pub body: Value,
}

impl Step {
    /// The call that reports it.
    #[must_use]
    pub fn call(self, origin: Origin) -> Call {
        let ask = CallKind::Fact(self.fact.to_owned());
        Call { at: self.at, origin, ask, body: self.body, supplied: Value::Null, ip: None }
    }
}

impl Sandbox {
    /// A sandbox whose prices come from this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Returns what it reports next of the operations that are open, if they are left to it: a
    /// service that waits for nobody sets its clock by it.
    #[must_use]
    pub fn next(&self, state: &State) -> Option<Step> {
        if !state.is_sandbox() {
            return None;
        }
        let due = state.open_operations().filter_map(|(op, known)| {
            script::next(state, op, known).map(|step| (step.at, op, step))
        });
        due.min_by_key(|(at, op, _)| (*at, *op)).map(|(_, _, step)| step)
    }

    /// Tells what is due until an instant, in order; `heard` sees what came of each.
    pub fn advance(
        &self,
        sequencer: &mut Sequencer,
        until: Instant,
        origin: &Origin,
        mut heard: impl FnMut(&Sequencer, CallOutcome),
    ) {
        let state = &sequencer.ledger().state;
        if !state.is_sandbox() {
            return;
        }
        let due = state.open_operations().filter_map(|(op, known)| {
            let step = script::next(state, op, known)?;
            (step.at <= until).then_some(Reverse((step.at, op)))
        });
        let mut due: BinaryHeap<Reverse<(Instant, OpId)>> = due.collect();
        while let Some(Reverse((at, op))) = due.pop() {
            let Some(step) = script::next_step(&sequencer.ledger().state, op) else { continue };
            // What came before may have moved it.
            if step.at == at {
                // Nothing but the passing of time may jump further than the bound (rulings 3).
                if sequencer.ledger().state.admits(at).is_err() {
                    let passed = Step { at, fact: "time.passed", body: json!({}) };
                    let handled = sequencer.handle(&passed.call(origin.clone()));
                    heard(sequencer, handled);
                }
                let handled = sequencer.handle(&step.call(origin.clone()));
                let applied = handled.response.body["outcome"] == "applied";
                heard(sequencer, handled);
                // What changed nothing would be reported again and again.
                if !applied {
                    continue;
                }
            }
            let next =
                script::next_step(&sequencer.ledger().state, op).filter(|next| next.at <= until);
            due.extend(next.map(|next| Reverse((next.at, op))));
        }
    }

    /// Tells what comes before a call: what is due until its instant, then the market and the
    /// prices it asks for. Then the call itself is handled.
    pub fn before(
        &self,
        sequencer: &mut Sequencer,
        call: &Call,
        mut heard: impl FnMut(&Sequencer, CallOutcome),
    ) {
        let state = &sequencer.ledger().state;
        let jumps = matches!(&call.ask, CallKind::Fact(name) if name == "time.passed");
        // A call that is refused for its instant moves nothing here either.
        if !state.is_sandbox() || (!jumps && state.admits(call.at).is_err()) {
            return;
        }
        let origin = played_origin(&call.origin);
        self.advance(sequencer, call.at, &origin, &mut heard);
        for step in market::needed_steps(self.seed, sequencer, call) {
            let handled = sequencer.handle(&step.call(origin.clone()));
            heard(sequencer, handled);
        }
    }

    /// Supplies what a call lacks and only a provider can know: a code, an address. None of them
    /// can be paid or receive funds (COUT-13, WAL-13).
    pub fn supply(&self, call: &mut Call) {
        let Call { ask, body, supplied, .. } = call;
        supply(ask, body, supplied, &Background::default(), self, &provider::NoEntropy);
    }
}

/// Where a scripted record says it comes from: a line's is told apart from the line's own.
fn played_origin(origin: &Origin) -> Origin {
    match origin {
        Origin::Line { source, pass, number, hash } => {
            let source = format!("{PLAYED}{source}").into();
            Origin::Line { source, pass: *pass, number: *number, hash: *hash }
        }
        Origin::Call | Origin::Request(_) => Origin::Call,
    }
}
