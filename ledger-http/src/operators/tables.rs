//! The tables of operators and of their sessions: hashes, names, roles, and until when.

use ledger_core::time::{Instant, Span};
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

use super::connection::OperatorTables;
use super::role::{self, Operator, Role};

/// For how long a session goes on unused.
const IDLE: Span = Span::hours(1);
/// For how long a session goes on in all.
pub(crate) const WHOLE: Span = Span::hours(12);
/// A session that was renewed less than this ago is not written again.
const RENEWED: Span = Span::seconds(5 * 60);

/// The last table that is made: where it is, the others are.
const LAST: &str = "operators";

const MAKING: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS operator_sessions ( \
        hash TEXT PRIMARY KEY, credential TEXT NOT NULL, created_at BIGINT NOT NULL, \
        expires_at BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS operators ( \
        name TEXT PRIMARY KEY, credential TEXT NOT NULL, roles TEXT NOT NULL, \
        up_to_cents BIGINT NOT NULL, added_at BIGINT NOT NULL, removed_at BIGINT)",
];

/// An operator as the list shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedOperator {
    /// Who, and what they may do.
    pub operator: Operator,
    /// When their credential was made.
    pub added_at: Instant,
    /// When they were removed; none while they are not.
    pub removed_at: Option<Instant>,
}

/// The tables, of one connection. Its methods block.
pub(super) struct OperatorStore(ServiceTables);

impl OperatorTables for OperatorStore {
    fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, LAST, &MAKING)?))
    }

    fn existing(target: &Target) -> Result<Option<Self>, TablesFailed> {
        Ok(ServiceTables::existing(target, LAST)?.map(Self))
    }
}

impl OperatorStore {
    /// Adds an operator, or one again who was removed; `false` where one is there.
    pub(super) fn add(
        &mut self,
        operator: &Operator,
        credential: &str,
        now: Instant,
    ) -> Result<bool, TablesFailed> {
        let sql = "INSERT INTO operators \
            (name, credential, roles, up_to_cents, added_at, removed_at) \
            VALUES ($1, $2, $3, $4, $5, NULL) ON CONFLICT (name) DO UPDATE SET \
            credential = excluded.credential, roles = excluded.roles, \
            up_to_cents = excluded.up_to_cents, added_at = excluded.added_at, removed_at = NULL \
            WHERE operators.removed_at IS NOT NULL";
        let values = vec![
            (&*operator.name).into(),
            credential.into(),
            role::to_text(&operator.roles).into(),
            operator.up_to_cents.into(),
            now.micros().into(),
        ];
        Ok(self.0.write(&[(sql.to_owned(), values)])? == 1)
    }

    /// Removes an operator and ends their sessions; `false` where there is none of the name.
    pub(super) fn remove(&mut self, name: &str, now: Instant) -> Result<bool, TablesFailed> {
        let sql = "UPDATE operators SET removed_at = $2, credential = '' \
            WHERE name = $1 AND removed_at IS NULL";
        Ok(self.0.write(&[(sql.to_owned(), vec![name.into(), now.micros().into()])])? == 1)
    }

    /// Gives an operator other roles; `false` where there is none of the name.
    pub(super) fn change(&mut self, operator: &Operator) -> Result<bool, TablesFailed> {
        let sql = "UPDATE operators SET roles = $2, up_to_cents = $3 \
            WHERE name = $1 AND removed_at IS NULL";
        let roles = role::to_text(&operator.roles);
        let values = vec![(&*operator.name).into(), roles.into(), operator.up_to_cents.into()];
        Ok(self.0.write(&[(sql.to_owned(), values)])? == 1)
    }

    pub(super) fn list(&mut self) -> Result<Vec<ListedOperator>, TablesFailed> {
        let sql = "SELECT name, roles, up_to_cents, added_at, removed_at FROM operators \
            ORDER BY name";
        let rows = self.0.read(sql, &[])?;
        let listed = |row: &Vec<Cell>| match &row[..] {
            [name, roles, up_to, added_at, removed_at] => Ok(ListedOperator {
                operator: operator(name, roles, up_to)?,
                added_at: instant(added_at)?,
                removed_at: removed_at.number().and_then(Instant::from_micros),
            }),
            _ => Err(malformed_row()),
        };
        rows.iter().map(listed).collect()
    }

    /// The operator whose credential has this hash.
    pub(super) fn identify(&mut self, hash: &str) -> Result<Option<Operator>, TablesFailed> {
        let sql = "SELECT name, roles, up_to_cents FROM operators \
            WHERE credential = $1 AND removed_at IS NULL";
        match self.0.read(sql, &[hash.into()])?.first().map(|row| &row[..]) {
            Some([name, roles, up_to]) => operator(name, roles, up_to).map(Some),
            _ => Ok(None),
        }
    }

    /// Begins a session of whoever's credential has this hash, and removes what has expired.
    pub(super) fn enter(
        &mut self,
        credential: &str,
        session: &str,
        now: Instant,
    ) -> Result<(), TablesFailed> {
        let expired = "DELETE FROM operator_sessions WHERE expires_at <= $1".to_owned();
        let begins = "INSERT INTO operator_sessions (hash, credential, created_at, expires_at) \
            VALUES ($1, $2, $3, $4)";
        let until = now.after(IDLE).micros().into();
        let values = vec![session.into(), credential.into(), now.micros().into(), until];
        let statements = [(expired, vec![now.micros().into()]), (begins.to_owned(), values)];
        self.0.write(&statements).map(drop)
    }

    /// The operator of a session that has not expired; use renews it, but not beyond its whole
    /// time. One whose credential is no more has none.
    pub(super) fn session(
        &mut self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<Operator>, TablesFailed> {
        let sql = "SELECT o.name, o.roles, o.up_to_cents, s.created_at, s.expires_at \
            FROM operator_sessions s JOIN operators o ON o.credential = s.credential \
            WHERE s.hash = $1 AND s.expires_at > $2 AND o.removed_at IS NULL";
        let rows = self.0.read(sql, &[hash.into(), now.micros().into()])?;
        let Some([name, roles, up_to, created_at, expires_at]) = rows.first().map(|row| &row[..])
        else {
            return Ok(None);
        };
        let ends_at = instant(created_at)?.after(WHOLE);
        if ends_at <= now {
            return Ok(None);
        }
        let until = now.after(IDLE).min(ends_at);
        if until > instant(expires_at)?.after(RENEWED) {
            let renewing = "UPDATE operator_sessions SET expires_at = $2 WHERE hash = $1";
            let values = vec![hash.into(), until.micros().into()];
            self.0.write(&[(renewing.to_owned(), values)])?;
        }
        operator(name, roles, up_to).map(Some)
    }

    pub(super) fn leave(&mut self, hash: &str) -> Result<(), TablesFailed> {
        let sql = "DELETE FROM operator_sessions WHERE hash = $1".to_owned();
        self.0.write(&[(sql, vec![hash.into()])]).map(drop)
    }
}

fn operator(name: &Cell, roles: &Cell, up_to: &Cell) -> Result<Operator, TablesFailed> {
    let name = name.text().ok_or_else(malformed_row)?.to_owned();
    let roles: Vec<Role> = roles.text().and_then(role::read).ok_or_else(malformed_row)?;
    Ok(Operator { name, roles, up_to_cents: up_to.number().ok_or_else(malformed_row)? })
}

fn instant(cell: &Cell) -> Result<Instant, TablesFailed> {
    cell.number().and_then(Instant::from_micros).ok_or_else(malformed_row)
}

fn malformed_row() -> TablesFailed {
    TablesFailed("a row of the operators' tables is malformed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, OperatorStore) {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        assert!(OperatorStore::existing(&target).unwrap().is_none());
        let store = OperatorStore::open(&target).unwrap();
        assert!(OperatorStore::existing(&target).unwrap().is_some());
        (folder, store)
    }

    fn bia() -> Operator {
        Operator { name: "bia".into(), roles: vec![Role::Decide], up_to_cents: 100 }
    }

    fn noon() -> Instant {
        Instant::parse("2026-11-20T12:00:00Z").unwrap()
    }

    #[test]
    fn a_removed_operators_credential_and_sessions_open_nothing_at_once() {
        let (_folder, mut store) = store();
        assert!(store.add(&bia(), "one", noon()).unwrap());
        assert!(!store.add(&bia(), "two", noon()).unwrap(), "she is there");
        assert_eq!(store.identify("two").unwrap(), None);
        store.enter("one", "session", noon()).unwrap();
        assert_eq!(store.session("session", noon()).unwrap(), Some(bia()));
        assert!(store.remove("bia", noon()).unwrap());
        assert!(!store.remove("bia", noon()).unwrap(), "she is gone");
        assert!(!store.change(&bia()).unwrap());
        for hash in ["one", ""] {
            assert_eq!(store.identify(hash).unwrap(), None, "{hash:?}");
        }
        assert_eq!(store.session("session", noon()).unwrap(), None);
        assert_eq!(store.list().unwrap()[0].removed_at, Some(noon()));
        // Added again she has another credential, and no session of before.
        assert!(store.add(&bia(), "three", noon()).unwrap());
        assert_eq!(store.identify("three").unwrap(), Some(bia()));
        assert_eq!(store.identify("one").unwrap(), None);
        assert_eq!(store.session("session", noon()).unwrap(), None);
    }

    #[test]
    fn other_roles_count_in_sessions_that_go_on() {
        let (_folder, mut store) = store();
        store.add(&bia(), "one", noon()).unwrap();
        store.enter("one", "session", noon()).unwrap();
        let looks = Operator { roles: vec![Role::Look], ..bia() };
        assert!(store.change(&looks).unwrap());
        assert_eq!(store.session("session", noon()).unwrap(), Some(looks));
    }

    #[test]
    fn a_session_of_an_hour_is_renewed_by_use_up_to_12_hours() {
        let (_folder, mut store) = store();
        store.add(&bia(), "one", noon()).unwrap();
        for name in ["unused", "used", "left"] {
            store.enter("one", name, noon()).unwrap();
        }
        store.leave("left").unwrap();
        assert_eq!(store.session("left", noon()).unwrap(), None);
        let after = |minutes: u32| noon().after(Span::seconds(minutes * 60));
        for minutes in (50..12 * 60).step_by(50) {
            assert!(store.session("used", after(minutes)).unwrap().is_some(), "{minutes}");
        }
        assert_eq!(store.session("unused", after(60)).unwrap(), None);
        assert_eq!(store.session("used", after(12 * 60)).unwrap(), None, "that is the most");
    }
}
