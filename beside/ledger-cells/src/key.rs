//! The key that a fact or a request brings to an account: over all cells it is one account's only.

use ledger_core::contract::{Call, Secret, opened_account};
use ledger_core::id::Environment;
use ledger_core::ledger::Archive as _;
use ledger_core::ledger::ExternalId;

use super::turn::Identity;
use super::{Cell, CellLedger, Cells, RoutingError, Turn};
use ledger_store::engine::EngineError;

impl<L: CellLedger + Clone> Cells<L> {
    /// The key that a fact brings, or that is made of the entropy it brings. None of a fact that
    /// brings none, or one that is no key, which any ledger refuses.
    pub(super) fn key_of_fact(&self, name: &str, call: &Call) -> Option<Secret> {
        let brings = name == "key.replaced" || opened_account(name).is_some();
        Secret::from_supply(&call.supplied, self.environment()).ok().filter(|_| brings)
    }

    /// The key that is made of the entropy that a request brings, if it brings any.
    pub(super) fn key_of_entropy(&self, call: &Call) -> Option<Secret> {
        Secret::api_key(&call.supplied, self.environment()).ok()
    }

    /// Waits until nothing else that brings this key is passed on.
    pub(super) fn turn_of_key(&self, key: &Secret) -> Turn {
        self.under_way.turn(Identity::Key(self.tokens.api_key(key.expose())))
    }

    /// The cell for a fact that brings a key which is known: the one that knows the key, dead or
    /// alive, the account's home before any other. It says whose the key is, as one ledger does,
    /// before it looks for the account. A home that knows the fact itself answers it.
    ///
    /// None where no cell knows the key: it is free.
    pub(super) fn cell_of_known_key(
        &self,
        name: &str,
        call: &Call,
        key: &Secret,
    ) -> Result<Option<&Cell<L>>, RoutingError> {
        let text = |field: &str| call.body.get(field)?.as_str();
        let home = match text(opened_account(name).unwrap_or("account")) {
            Some(account) => self.home(account, None, call.at)?,
            None => None,
        };
        let knows = self.that_ever_knew(key, home)?;
        match home {
            Some(home) if knows.is_some() && home.knows_fact(name, call)? => Ok(Some(home)),
            _ => Ok(knows),
        }
    }

    /// The cell that knows a key, dead or alive, `home` before any other.
    pub(super) fn that_ever_knew<'a>(
        &'a self,
        key: &Secret,
        home: Option<&'a Cell<L>>,
    ) -> Result<Option<&'a Cell<L>>, EngineError> {
        for cell in home.into_iter().chain(&self.each) {
            let state = cell.ledger.engine().committed_now()?;
            if state.knows_key(&cell.tokens.api_key(key.expose())) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn environment(&self) -> Environment {
        self.unclaimed_cell().name.environment()
    }
}

impl<L: CellLedger + Clone> Cell<L> {
    /// Tells whether a fact is known here whatever key it brings: by its id, or because the agent
    /// that it activates is here.
    fn knows_fact(&self, name: &str, call: &Call) -> Result<bool, EngineError> {
        let text = |field: &str| call.body.get(field)?.as_str();
        let id = text("id").map(ExternalId::fact);
        let activates = opened_account(name).filter(|field| *field == "agent_id");
        let agent = activates.and_then(text).map(str::to_owned);
        let knows = self.ledger.engine().decide(move |sequencer| {
            let ledger = sequencer.ledger();
            id.is_some_and(|id| ledger.archive.fact_seq(&id).is_some())
                || agent.is_some_and(|agent| ledger.state.agent_named(&agent).is_some())
        });
        knows.wait()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ledger_core::contract::{CallKind, FACTS, Line};
    use ledger_core::ledger::Origin;

    use super::*;
    use crate::CellsBuilder;
    use crate::directory::DIRECTORY;
    use ledger_store::engine::Engine;
    use ledger_store::{MemoryDisk, MemoryJournal, OpenMode};

    #[test]
    fn every_fact_that_brings_a_key_is_known_by_it() {
        let disk = MemoryDisk::new();
        let open = |name: &str, mode| Box::new(MemoryJournal::open(&disk, name, mode).unwrap());
        let engine = Engine::builder("live").start(open("live", OpenMode::create())).unwrap();
        let mode = OpenMode::Directory { environment: Some(Environment::Live) };
        let at = ledger_core::time::Instant::default();
        let builder = CellsBuilder::new([Arc::new(engine)]).unwrap();
        let cells = builder.open(open(DIRECTORY, mode), at).unwrap();
        let mut keyed = Vec::new();
        for shape in FACTS {
            let line = Line::parse(shape.example, |label| Ok(label.to_owned()));
            let mut call = line.unwrap().call(Origin::Call);
            let key = |call: &Call| cells.key_of_fact(shape.name, call).is_some();
            let brings = call.supplied.get("key").is_some();
            assert_eq!(key(&call), brings, "{}", shape.name);
            // Of entropy that nobody supplied none is made here.
            call.supplied = serde_json::Value::Null;
            assert!(!key(&call) && matches!(call.ask, CallKind::Fact(_)), "{}", shape.name);
            keyed.extend(brings.then_some(shape.name));
        }
        assert_eq!(keyed, ["account.opened", "key.replaced", "agent.activated"]);
    }
}
