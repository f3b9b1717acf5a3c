//! Whom a running ledger knows something of: what its vault keeps for an operation or a balance.

mod erasing;

use std::collections::BTreeSet;

use ledger_core::contract::Personal;
use ledger_core::id::{OpId, SubaccountId};
use ledger_store::engine::{Engine, EngineError};
use ledger_store::sequencer::Sequencer;

pub use erasing::HoldFailed;

use crate::ledger::{Ledger, Pending};
use crate::value::{AccountName, OperationId, Party};

/// How many rows of a statement are looked at before others have their turn.
const ROWS_AT_ONCE: u32 = 256;

/// What persons are asked for; see [`Ledger::persons_of`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Whose {
    /// Those that an operation names.
    Operation(OperationId),
    /// Those that the operations of a statement name: whatever moved this balance.
    Balance {
        /// The account's name.
        account: AccountName,
        /// Whose balance of it.
        party: Party,
    },
}

impl Ledger {
    /// Returns what is stored of persons for an operation, or for all that a statement shows: each
    /// value once, with its sort and what may be shown of it, in the order in which they were
    /// named. What was erased is stored no more, and of what is not there nothing is.
    ///
    /// It reads the running ledger, everything before it included. A statement shows what moved its
    /// balance: a charge that nobody paid has its persons by its own operation.
    ///
    /// ```
    /// use custody_ledger::fact::account::AccountOpened;
    /// use custody_ledger::prelude::*;
    /// use custody_ledger::request::charge::{CreateCharge, CreateChargeDestination};
    /// use custody_ledger::{Person, Whose};
    ///
    /// # let ledger = Ledger::open("memory:").wait()?;
    /// # let opened = AccountOpened::new(FactId::new("acc-1")?, AccountName::new("loja")?);
    /// # ledger.report(&opened.key("svc_live_loja".try_into()?)).wait()?.ensure_applied()?;
    /// # let loja = ledger.client(ApiKey::new("svc_live_loja")?);
    /// let (ten, payer) = (Amount::new(1_000)?, Document::new("52998224725")?);
    /// let charge = CreateCharge::new(ten, payer, Party::House, ExternalId::new("p-1")?);
    /// let charge = charge.destination(CreateChargeDestination::Balance);
    /// let charge = loja.ask(&charge.qr_copypaste("a code".try_into()?)).wait()?.answer;
    ///
    /// let whose = Whose::Operation(charge.id);
    /// let known = ledger.persons_of(&whose).wait()?;
    /// assert_eq!(&*known[0].value, "52998224725");
    ///
    /// // Erased by what is stored, it is stored no more.
    /// let person = known.iter().fold(Person::default(), Person::with_stored);
    /// ledger.erase(person).wait()?;
    /// assert_eq!(ledger.persons_of(&whose).wait()?, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn persons_of(&self, whose: &Whose) -> Pending<Result<Vec<Personal>, EngineError>> {
        let (ledger, whose) = (self.clone(), whose.clone());
        Pending::blocking(move || {
            let engine = &ledger.0.engine;
            match whose {
                Whose::Operation(id) => with_sequencer(engine, move |sequencer| {
                    let op = OpId::parse(id.as_str(), &sequencer.ledger().state.name);
                    op.map(|op| sequencer.persons_of(op)).unwrap_or_default()
                }),
                Whose::Balance { account, party } => {
                    let found = move |sequencer: &mut Sequencer| {
                        let state = &sequencer.ledger().state;
                        let account = state.account_named(account.as_str())?;
                        sequencer.views().party(account, party.name())
                    };
                    match with_sequencer(engine, found)? {
                        Some(subaccount) => of_balance(engine, subaccount),
                        None => Ok(Vec::new()),
                    }
                }
            }
        })
    }
}

/// The persons of a statement, some rows at a time, so that nobody else waits for long.
fn of_balance(engine: &Engine, subaccount: SubaccountId) -> Result<Vec<Personal>, EngineError> {
    let (mut persons, mut known) = (Vec::new(), BTreeSet::new());
    let mut from = 1;
    loop {
        let named = with_sequencer(engine, move |sequencer| {
            let mut operations = sequencer.operations_of(subaccount, from, ROWS_AT_ONCE)?;
            // An operation has several rows, one after the other for the most part.
            operations.dedup();
            let each = operations.into_iter().flat_map(|op| sequencer.persons_of(op));
            Some(each.collect::<Vec<_>>())
        })?;
        let Some(named) = named else { break };
        persons.extend(named.into_iter().filter(|person| known.insert(person.token)));
        from += ROWS_AT_ONCE;
    }
    // Somebody may have been erased since the first rows were read.
    with_sequencer(engine, move |sequencer| {
        persons.retain(|person: &Personal| sequencer.vault().get(person.token.0).is_some());
        persons
    })
}

fn with_sequencer<T: Send + 'static>(
    engine: &Engine,
    work: impl FnOnce(&mut Sequencer) -> T + Send + 'static,
) -> Result<T, EngineError> {
    engine.decide(work).wait()
}
