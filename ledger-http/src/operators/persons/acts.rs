//! What operators did about persons: who, when, why and what came of it, naming none of them.

use std::sync::Arc;

use ledger_core::time::Instant;
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

use crate::operators::connection::OperatorTables;
use crate::operators::{Operators, OperatorsFailed};

const TABLE: &str = "operator_acts";

const MAKING: &str = "CREATE TABLE IF NOT EXISTS operator_acts ( \
    ledger TEXT NOT NULL, id TEXT NOT NULL, said TEXT NOT NULL, done_by TEXT NOT NULL, \
    reason TEXT NOT NULL, at BIGINT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (ledger, id))";

/// A decision about a person that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PersonAct {
    pub(crate) ledger: String,
    pub(crate) id: String,
    /// The decision's name and a keyed hash of all that was said.
    pub(crate) said: String,
    pub(crate) by: String,
    pub(crate) reason: String,
    pub(crate) at: Instant,
    /// `done` or `refused`; empty while nobody knows.
    pub(crate) outcome: String,
}

impl PersonAct {
    pub(crate) fn is_done(&self) -> bool {
        self.outcome == "done"
    }

    /// The decision's name.
    pub(crate) fn decision(&self) -> &str {
        self.said.split(':').next().unwrap_or_default()
    }
}

/// The table, of one connection. Its methods block.
pub(crate) struct ActStore(ServiceTables);

impl OperatorTables for ActStore {
    fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, TABLE, &[MAKING])?))
    }

    fn existing(target: &Target) -> Result<Option<Self>, TablesFailed> {
        Ok(ServiceTables::existing(target, TABLE)?.map(Self))
    }
}

impl ActStore {
    /// Keeps one, or what came of it.
    pub(crate) fn keep(&mut self, act: &PersonAct) -> Result<(), TablesFailed> {
        let sql = "INSERT INTO operator_acts (ledger, id, said, done_by, reason, at, outcome) \
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (ledger, id) DO UPDATE SET \
            done_by = excluded.done_by, at = excluded.at, outcome = excluded.outcome \
            WHERE operator_acts.said = excluded.said";
        let values = vec![
            (&*act.ledger).into(),
            (&*act.id).into(),
            (&*act.said).into(),
            (&*act.by).into(),
            (&*act.reason).into(),
            act.at.micros().into(),
            (&*act.outcome).into(),
        ];
        self.0.write(&[(sql.to_owned(), values)]).map(drop)
    }

    /// The last hundred of a ledger, the latest first; or the one of an id.
    pub(crate) fn all(
        &mut self,
        ledger: &str,
        id: Option<&str>,
    ) -> Result<Vec<PersonAct>, TablesFailed> {
        let sql = "SELECT ledger, id, said, done_by, reason, at, outcome FROM operator_acts \
            WHERE ledger = $1 AND ($2 = '' OR id = $2) ORDER BY at DESC, id LIMIT 100";
        let rows = self.0.read(sql, &[ledger.into(), id.unwrap_or_default().into()])?;
        let malformed = || TablesFailed("a row of the operators' tables is malformed".into());
        rows.iter().map(|row| act(row).ok_or_else(malformed)).collect()
    }
}

impl Operators {
    /// Keeps what is done about a person, or what came of it.
    pub(crate) async fn keep_act(&self, act: PersonAct) -> Result<(), OperatorsFailed> {
        let shared = Arc::clone(&self.0);
        let keep = move || shared.acts.with_tables(|store| store.keep(&act));
        Ok(tokio::task::spawn_blocking(keep).await??)
    }

    /// Returns what was done about a person under an id.
    pub(crate) async fn person_act(
        &self,
        ledger: &str,
        id: &str,
    ) -> Result<Option<PersonAct>, OperatorsFailed> {
        Ok(self.acts(ledger, Some(id)).await?.pop())
    }

    /// The last things done about persons, the latest first; or those under an id.
    pub(crate) async fn acts(
        &self,
        ledger: &str,
        id: Option<&str>,
    ) -> Result<Vec<PersonAct>, OperatorsFailed> {
        let (shared, ledger) = (Arc::clone(&self.0), ledger.to_owned());
        let id = id.map(str::to_owned);
        let read = move || shared.acts.existing(|store| store.all(&ledger, id.as_deref()));
        Ok(tokio::task::spawn_blocking(read).await??.unwrap_or_default())
    }
}

fn act(row: &[Cell]) -> Option<PersonAct> {
    let [ledger, id, said, by, reason, at, outcome] = row else { return None };
    let text = |cell: &Cell| cell.text().map(str::to_owned);
    Some(PersonAct {
        ledger: text(ledger)?,
        id: text(id)?,
        said: text(said)?,
        by: text(by)?,
        reason: text(reason)?,
        at: Instant::from_micros(at.number()?)?,
        outcome: text(outcome)?,
    })
}
