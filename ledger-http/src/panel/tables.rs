//! The tables of links and sessions: hashes, whose they are, and until when.
//!
//! Whose a link is, is said by the tokens of its e-mail in both ledgers: keyed hashes, as in the
//! journal, so no e-mail stands here (P:DashboardSession).

use ledger_core::contract::Environment;
use ledger_core::id::Token;
use ledger_core::time::{Instant, Span};
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

/// For how long a link opens a session.
pub(crate) const LINK: Span = Span::seconds(15 * 60);
/// For how long a session goes on unused.
pub(crate) const IDLE: Span = Span::hours(12);
/// For how long a session goes on in all.
pub(crate) const WHOLE: Span = Span::days(7);
/// A session that was renewed less than this ago is not written again.
const RENEWED: Span = Span::seconds(5 * 60);

const MAKING: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS dashboard_links ( \
        hash TEXT PRIMARY KEY, live TEXT NOT NULL, sandbox TEXT NOT NULL, \
        expires_at BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS dashboard_sessions ( \
        hash TEXT PRIMARY KEY, live TEXT NOT NULL, sandbox TEXT NOT NULL, \
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)",
];

/// Whose accounts are shown: the tokens of one e-mail in both ledgers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) live: Token,
    pub(crate) sandbox: Token,
}

impl Owner {
    /// Its token in the ledger of an environment.
    pub(crate) const fn of(&self, environment: Environment) -> Token {
        match environment {
            Environment::Live => self.live,
            Environment::Sandbox => self.sandbox,
        }
    }
}

/// A session that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) owner: Owner,
    /// When it ends, used or not.
    pub(crate) ends_at: Instant,
}

/// The tables. Its methods block.
pub(super) struct PanelStore(ServiceTables);

impl PanelStore {
    pub(super) fn open(target: &Target) -> Result<Self, TablesFailed> {
        Ok(Self(ServiceTables::open(target, "dashboard_sessions", &MAKING)?))
    }

    /// Keeps a link, and forgets whatever has ended.
    pub(super) fn add_link(
        &mut self,
        hash: &str,
        owner: &Owner,
        now: Instant,
    ) -> Result<(), TablesFailed> {
        let ended = |table| {
            (format!("DELETE FROM {table} WHERE expires_at <= $1"), vec![now.micros().into()])
        };
        let adding = "INSERT INTO dashboard_links (hash, live, sandbox, expires_at) \
            VALUES ($1, $2, $3, $4)";
        let mut values = row(hash, owner);
        values.push(now.after(LINK).micros().into());
        self.0.write(&[
            ended("dashboard_links"),
            ended("dashboard_sessions"),
            (adding.to_owned(), values),
        ])?;
        Ok(())
    }

    /// Whose link this is, if it opens something.
    pub(super) fn link(&mut self, hash: &str, now: Instant) -> Result<Option<Owner>, TablesFailed> {
        let sql = "SELECT live, sandbox FROM dashboard_links WHERE hash = $1 AND expires_at > $2";
        let rows = self.0.read(sql, &[hash.into(), now.micros().into()])?;
        let Some([live, sandbox]) = rows.first().map(|row| &row[..]) else { return Ok(None) };
        owner(live, sandbox).map(Some)
    }

    /// Uses a link up for a session; says whether it opened one. Of two that use it at once, one
    /// alone removes its row.
    pub(super) fn enter(
        &mut self,
        link: &str,
        session: &str,
        now: Instant,
    ) -> Result<bool, TablesFailed> {
        let Some(owner) = self.link(link, now)? else { return Ok(false) };
        let using = "DELETE FROM dashboard_links WHERE hash = $1".to_owned();
        if self.0.write(&[(using, vec![link.into()])])? != 1 {
            return Ok(false);
        }
        let beginning = "INSERT INTO dashboard_sessions \
            (hash, live, sandbox, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)";
        let mut values = row(session, &owner);
        values.extend([now.micros().into(), now.after(IDLE).micros().into()]);
        self.0.write(&[(beginning.to_owned(), values)])?;
        Ok(true)
    }

    /// A session that goes on; it does so for longer by being used, but not beyond its whole time.
    pub(super) fn session(
        &mut self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<Session>, TablesFailed> {
        let sql = "SELECT live, sandbox, created_at, expires_at FROM dashboard_sessions \
            WHERE hash = $1 AND expires_at > $2";
        let rows = self.0.read(sql, &[hash.into(), now.micros().into()])?;
        let Some([live, sandbox, created_at, expires_at]) = rows.first().map(|row| &row[..]) else {
            return Ok(None);
        };
        let (owner, created_at) = (owner(live, sandbox)?, instant(created_at)?);
        let ends_at = created_at.after(WHOLE);
        let until = now.after(IDLE).min(ends_at);
        if until > instant(expires_at)?.after(RENEWED) {
            let renewing = "UPDATE dashboard_sessions SET expires_at = $2 WHERE hash = $1";
            let values = vec![hash.into(), until.micros().into()];
            self.0.write(&[(renewing.to_owned(), values)])?;
        }
        Ok(Some(Session { owner, ends_at }))
    }

    pub(super) fn leave(&mut self, hash: &str) -> Result<(), TablesFailed> {
        let sql = "DELETE FROM dashboard_sessions WHERE hash = $1".to_owned();
        self.0.write(&[(sql, vec![hash.into()])]).map(drop)
    }
}

fn row(hash: &str, owner: &Owner) -> Vec<Cell> {
    let shown = |Token(bytes): Token| Cell::Text(format!("{:032x}", u128::from_be_bytes(bytes)));
    vec![hash.into(), shown(owner.live), shown(owner.sandbox)]
}

fn owner(live: &Cell, sandbox: &Cell) -> Result<Owner, TablesFailed> {
    let read = |cell: &Cell| match cell {
        Cell::Text(text) => {
            u128::from_str_radix(text, 16).ok().map(|bits| Token(bits.to_be_bytes()))
        }
        _ => None,
    };
    let found = read(live).zip(read(sandbox)).map(|(live, sandbox)| Owner { live, sandbox });
    found.ok_or_else(malformed)
}

fn instant(cell: &Cell) -> Result<Instant, TablesFailed> {
    let micros = if let Cell::Integer(micros) = cell { Some(*micros) } else { None };
    micros.and_then(Instant::from_micros).ok_or_else(malformed)
}

fn malformed() -> TablesFailed {
    TablesFailed("a row of the dashboard's tables is malformed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Owner = Owner { live: Token([0x0a; 16]), sandbox: Token([0xf0; 16]) };

    fn store() -> (tempfile::TempDir, PanelStore) {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        (folder, PanelStore::open(&target).unwrap())
    }

    fn noon() -> Instant {
        Instant::parse("2026-11-20T12:00:00Z").unwrap()
    }

    #[test]
    fn a_link_opens_one_session_and_not_after_its_time() {
        let (_folder, mut store) = store();
        store.add_link("link", &OWNER, noon()).unwrap();
        store.add_link("late", &OWNER, noon()).unwrap();
        assert_eq!(store.link("link", noon()).unwrap(), Some(OWNER));
        assert!(store.enter("link", "session", noon()).unwrap());
        assert!(!store.enter("link", "again", noon()).unwrap(), "it was used");
        assert!(!store.enter("nobody's", "again", noon()).unwrap());
        let after = noon().after(LINK);
        assert!(!store.enter("late", "again", after).unwrap(), "it is over");
        let session = Session { owner: OWNER, ends_at: noon().after(WHOLE) };
        assert_eq!(store.session("session", noon()).unwrap(), Some(session));
        assert_eq!(store.session("again", noon()).unwrap(), None);
        store.leave("session").unwrap();
        assert_eq!(store.session("session", noon()).unwrap(), None);
    }

    #[test]
    fn auth_04_a_session_of_12_hours_is_renewed_by_use_up_to_7_days() {
        let (_folder, mut store) = store();
        for name in ["unused", "used"] {
            store.add_link(name, &OWNER, noon()).unwrap();
            assert!(store.enter(name, name, noon()).unwrap());
        }
        let hour = |hours: u32| noon().after(Span::hours(hours));
        for hours in (11..7 * 24).step_by(11) {
            assert!(store.session("used", hour(hours)).unwrap().is_some(), "{hours}");
        }
        assert_eq!(store.session("unused", hour(12)).unwrap(), None);
        assert!(store.session("used", hour(7 * 24 - 1)).unwrap().is_some());
        assert_eq!(store.session("used", hour(7 * 24)).unwrap(), None, "seven days are the most");
        // A link that comes later removes what has ended.
        store.add_link("new", &OWNER, hour(200)).unwrap();
        let rows = store.0.read("SELECT hash FROM dashboard_sessions", &[]).unwrap();
        assert!(rows.is_empty(), "{rows:?}");
    }
}
