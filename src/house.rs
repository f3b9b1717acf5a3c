//! The house: both ledgers of a store, each with its engine, and the way to the right one.

use std::collections::HashSet;

use ledger_core::contract::{Ask, Environment, Line, Tokens};
use ledger_core::id::{KeyHash, Kind, OpId};
use ledger_store::OpenMode;
use ledger_store::engine::Engine;
use serde_json::Value;

use crate::Failure;
use crate::progress::Progress;
use crate::store::Store;
use crate::turn::Turn;

/// The facts that open an account.
pub const OPENING: [&str; 2] = ["account.opened", "agent.activated"];

/// One ledger, opened for writing.
pub struct Desk {
    /// Its engine.
    pub engine: Engine,
    /// Derives its tokens.
    pub tokens: Tokens,
    /// What its journal says of the file being run.
    pub progress: Progress,
    /// Whose turn it is among the lines of the file being run.
    pub turn: Turn,
    keys: HashSet<KeyHash>,
    names: HashSet<String>,
}

/// Both ledgers.
pub struct House {
    desks: Vec<(Environment, Desk)>,
}

impl House {
    /// Opens both ledgers for writing; `file` is the name of the lines to be run.
    pub fn open(store: &Store, vault_key: Option<[u8; 32]>, file: &str) -> Result<Self, Failure> {
        let open = |environment: Environment| -> Result<_, Failure> {
            let mode = OpenMode::Create { vault_key, algorithm: None };
            let journal = store.open(environment, mode)?;
            let name = environment.name();
            let mut progress = Progress::default();
            let engine = Engine::start(journal, name, |_, record| {
                progress.observe(file, name, record);
            });
            let engine = engine.map_err(|error| {
                Failure::because(&format!("{store}: ledger {name} cannot be opened"), &error)
            })?;
            let known = engine.decide(|book| {
                let state = &book.ledger().state;
                let accounts = state.accounts().map(|(_, known)| (known.key, known.name.clone()));
                (*book.tokens(), accounts.collect::<Vec<_>>())
            });
            let (tokens, accounts) = known.wait()?;
            let keys = accounts.iter().filter_map(|(key, _)| *key).collect();
            let names = accounts.into_iter().map(|(_, name)| name.into()).collect();
            let turn = Turn::default();
            Ok((environment, Desk { engine, tokens, progress, turn, keys, names }))
        };
        let desks: Result<Vec<_>, Failure> = Environment::ALL.into_iter().map(open).collect();
        Ok(Self { desks: desks? })
    }

    /// The desk of one ledger.
    pub fn desk(&self, environment: Environment) -> &Desk {
        let desk = self.desks.iter().find(|(known, _)| *known == environment);
        &desk.expect("every environment has a desk").1
    }

    /// All desks.
    pub fn desks(&self) -> impl Iterator<Item = (Environment, &Desk)> {
        self.desks.iter().map(|(environment, desk)| (*environment, desk))
    }

    /// Which ledgers a line is for: that of its key, of the operation or account it names, or the
    /// one it says; the passing of time is for both.
    pub fn route(&mut self, line: &Line) -> Vec<Environment> {
        let passes = matches!(&line.ask, Ask::Fact(name) if name == "time.passed");
        if passes && line.environment.is_none() {
            return Environment::ALL.into();
        }
        let of = |matches: &dyn Fn(&Environment, &Desk) -> bool| {
            let found = self.desks.iter().find(|(environment, desk)| matches(environment, desk));
            found.map(|(environment, _)| *environment)
        };
        let environment = line.ask.home().or_else(|| match &line.ask {
            Ask::Request { key: None, target, .. } => {
                Some(line.environment.unwrap_or_else(|| Environment::of_public(target)))
            }
            Ask::Request { key: Some(key), .. } => {
                of(&|_, desk| desk.keys.contains(&desk.tokens.api_key(key)))
            }
            Ask::Command { key, .. } => {
                let key = key.as_deref().unwrap_or_default();
                of(&|_, desk| desk.keys.contains(&desk.tokens.api_key(key)))
            }
            Ask::Fact(name) => {
                let text = |field: &str| line.body.get(field).and_then(Value::as_str);
                let named = Kind::fields().find_map(text);
                let account = text("account").filter(|_| name != "account.opened");
                line.environment
                    .or_else(|| {
                        let id = named?;
                        of(&|environment, _| OpId::parse(id, environment.name()).is_some())
                    })
                    .or_else(|| {
                        let account = account?;
                        of(&|_, desk| desk.names.contains(account))
                    })
            }
        });
        let environment = environment.unwrap_or(Environment::Live);
        if matches!(&line.ask, Ask::Fact(name) if OPENING.contains(&&**name)) {
            self.expect_account(environment, line);
        }
        vec![environment]
    }

    /// An account about to be opened: the lines after this one may already use it.
    fn expect_account(&mut self, environment: Environment, line: &Line) {
        // An agent's account is named after it.
        let text = |field: &str| line.body.get(field).and_then(Value::as_str);
        let name = text("account").or_else(|| text("agent_id")).map(str::to_owned);
        let key = line.supplied.get("key").and_then(Value::as_str).map(str::to_owned);
        if let Some((_, desk)) = self.desks.iter_mut().find(|(known, _)| *known == environment) {
            desk.names.extend(name);
            desk.keys.extend(key.map(|key| desk.tokens.api_key(&key)));
        }
    }

    /// A key that an answer showed once, and the name of the account it opens, if that is new.
    pub fn learn_key(&mut self, environment: Environment, answer: &Value) {
        // The key that production is granted with is the live ledger's, whoever shows it.
        let named = answer.pointer("/key/account").and_then(Value::as_str);
        let (key, name) = (answer["api_key"].as_str(), named.or(answer["agent_id"].as_str()));
        let granted = answer["environment"] == "production";
        let environment = if granted { Environment::Live } else { environment };
        if let (Some(key), Some((_, desk))) =
            (key, self.desks.iter_mut().find(|(known, _)| *known == environment))
        {
            desk.keys.insert(desk.tokens.api_key(key));
            desk.names.extend(name.map(str::to_owned));
        }
    }
}
