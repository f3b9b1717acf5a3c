//! How a world goes on: who acts next, and what actors learn from answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::agent::Fact as AgentFact;
use ledger_core::ledger::{Command, Fact, Intent, Outcome, Public, Refusal, Reported, Request};
use ledger_core::time::{Instant, Span};

use crate::actors;
use crate::domains::{customer_of, each_kind};
use crate::odd::Odd;
use crate::oracle::Oracle;
use crate::rng::Rng;
use crate::settings::Faults;
use crate::world::{BEGINNING, Client, World, has_identity};

impl World {
    /// A world at its beginning, with three integrators about to open accounts.
    pub(crate) fn new(seed: u64, faults: Faults) -> Self {
        let now = Instant::from_micros(BEGINNING).expect("this century");
        let mut world = Self {
            rng: Rng::new(seed),
            odd: Odd::from_seed(seed, faults),
            now,
            faults,
            plans: BTreeMap::new(),
            counter: 0,
            clients: Vec::new(),
            charges: Vec::new(),
            payouts: Vec::new(),
            holds: Vec::new(),
            suspense: Vec::new(),
            returned: Vec::new(),
            conversions: Vec::new(),
            erroneous_deliveries: Vec::new(),
            sales: Vec::new(),
            unmatched: Vec::new(),
            suggested: Vec::new(),
            asked: Vec::new(),
            reported: Vec::new(),
            wallet_deposits: Vec::new(),
            withdrawals: Vec::new(),
            wallet_payments: Vec::new(),
            keys: Vec::new(),
            injected: BTreeMap::new(),
        };
        actors::open_accounts(&mut world);
        world
    }

    /// Returns what is said next, and when.
    pub(crate) fn next_command(&mut self, oracle: &Oracle) -> Box<Command> {
        loop {
            if let Some(planned) = self.due_now() {
                match self.issue_command(planned, oracle) {
                    Some(command) => return command,
                    None => continue,
                }
            }
            let target = self.now.after(actors::step(&mut self.rng));
            match self.plans.first_key_value() {
                Some(((at, _), _)) if *at <= target => self.now = self.now.max(*at),
                _ => {
                    self.now = target;
                    actors::act(self, oracle);
                }
            }
        }
    }

    /// What the one who spoke learns from the answer.
    pub(crate) fn learn(
        &mut self,
        what: &Intent,
        answer: &Result<Outcome, Refusal>,
        oracle: &Oracle,
    ) {
        if let (Intent::Fact(Reported { fact: Fact::HandedOut(Some(key)), .. }), Ok(handed)) =
            (what, answer)
            && matches!(handed, Outcome::Applied(_))
        {
            actors::carry_out(self, oracle, *key);
        }
        match answer {
            Ok(Outcome::Created(op) | Outcome::Repeated(op)) => self.learn_op(*op, what, oracle),
            Ok(Outcome::Done) => {
                if let Intent::Request(_, Request::AcceptCashOut { order, .. }) = what {
                    actors::expect_deposit(self, oracle, *order);
                }
            }
            Ok(Outcome::Applied(Some(op)) | Outcome::SetAside(Some(op))) => {
                self.learn_op(*op, what, oracle);
            }
            Err(Refusal::BelowMinimum { minimum: Some(minimum) }) => {
                actors::learn_minimum(self, what, *minimum);
            }
            Err(Refusal::DailyCeiling { until }) => actors::learn_limit(self, what, *until),
            Err(Refusal::PayerLimit { allowance }) => {
                if let Some(until) = allowance.matures_at {
                    actors::learn_limit(self, what, until);
                }
            }
            Err(Refusal::TooManyTestKeys { until, .. }) => actors::learn_day(self, what, *until),
            Err(refusal @ Refusal::MandateExceeded { .. }) => {
                actors::learn_mandate(self, what, refusal);
            }
            Err(Refusal::Waiting { until }) => actors::learn_wait(self, what, *until),
            Err(Refusal::JumpTooFar { .. }) if matches!(what, Intent::Fact(_)) => {
                let soon = self.now.after(Span::seconds(1));
                self.plan(soon, what.clone());
            }
            Err(refusal) => actors::learn_refusal(self, oracle, what, refusal),
            Ok(_) => {}
        }
        if let (Intent::Request(account, request), Ok(_)) = (what, answer)
            && has_identity(request)
        {
            self.asked.push((*account, request.clone()));
        }
        let opened = match what {
            Intent::Fact(Reported {
                fact: Fact::Account(AccountFact::Opened { name, .. }),
                ..
            }) => oracle.account_named(name),
            Intent::Fact(Reported {
                fact: Fact::Agent(AgentFact::Activated(newcomer)), ..
            }) => oracle.account_named(&newcomer.id),
            // A stranger comes for the keys alone.
            Intent::Public(Public::Register(asked)) if asked.address.is_none() => {
                oracle.account_of_key(&asked.key)
            }
            // Who opens an account and learns no name of it; some never use it.
            Intent::Enrolment(asked) if !actors::is_strangers(&asked.key) => {
                oracle.account_of_key(&asked.key).filter(|_| self.rng.percent(8))
            }
            _ => None,
        };
        if let Some(id) = opened.filter(|id| self.client_of(*id).is_none()) {
            // Whoever enrols learns no name: facts that name one then name somebody unheard of.
            let name = Some(oracle.accounts[id.0 as usize].name.clone());
            let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| "ac_unheard".into());
            self.clients.push(Arc::new(Client { id, name, customers: Vec::new() }));
        }
    }

    pub(crate) fn learn_op(&mut self, op: OpId, what: &Intent, oracle: &Oracle) {
        let Some(list) = self.list_of(op.kind()) else { return self.expect(oracle, op) };
        if list.contains(&op) {
            return;
        }
        list.push(op);
        if let Intent::Request(account, request) = what {
            let client = self.clients.iter_mut().find(|client| client.id == *account);
            let client = client.expect("only those who opened an account ask");
            let known = |name: &&str| client.customers.iter().any(|known| **known == **name);
            if let Some(customer) = customer_of(request).filter(|name| !known(name)) {
                Arc::make_mut(client).customers.push(customer.into());
            }
        }
        self.expect(oracle, op);
    }
}

/// Of each kind the list of those that actors go on with, and what they do once they learn of one.
macro_rules! actors_columns {
    ($($($kind:ident)|+, [$($list:ident)?], [$($expect:ident)?], $compare:tt, $time:tt;)*) => {
        impl World {
            fn list_of(&mut self, kind: Kind) -> Option<&mut Vec<OpId>> {
                match kind {
                    $($(Kind::$kind)|+ => None$(.or(Some(&mut self.$list)))?,)*
                }
            }

            fn expect(&mut self, oracle: &Oracle, op: OpId) {
                match op.kind() {
                    $($(Kind::$kind)|+ => {$(actors::$expect(self, oracle, op);)?})*
                }
            }
        }
    };
}

each_kind!(actors_columns);
