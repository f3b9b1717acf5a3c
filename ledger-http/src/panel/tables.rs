//! The tables of links and sessions: hashes, whose they are, and until when.
//!
//! Whose a link is, is said by the tokens of its e-mail in both ledgers: keyed hashes, as in the
//! journal, so no e-mail stands here (P:DashboardSession).

use ledger_core::contract::Environment;
use ledger_core::hexadecimal::digits;
use ledger_core::id::Token;
use ledger_core::time::{Instant, Span};
use ledger_store::ServiceTables;
use ledger_store::projection::schema::table::Cell;
use ledger_store::projection::{TablesFailed, Target};

use super::secret::{self, Seal};

/// For how long a link opens a session.
pub(crate) const LINK: Span = Span::seconds(15 * 60);
/// For how long a session goes on unused.
pub(crate) const IDLE: Span = Span::hours(12);
/// For how long a session goes on in all.
pub(crate) const WHOLE: Span = Span::days(7);
/// A session that was renewed less than this ago is not written again.
const RENEWED: Span = Span::seconds(5 * 60);

/// One table takes the place of the two in which rows had no seal: their links and sessions end.
const MAKING: [&str; 3] = [
    "CREATE TABLE IF NOT EXISTS dashboard_openers ( \
        hash TEXT PRIMARY KEY, kind TEXT NOT NULL, live TEXT NOT NULL, sandbox TEXT NOT NULL, \
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, seal TEXT NOT NULL)",
    "DROP TABLE IF EXISTS dashboard_links",
    "DROP TABLE IF EXISTS dashboard_sessions",
];

/// The kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Link,
    Session,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Session => "session",
        }
    }

    /// How long it opens something while it is not used, and in all.
    const fn lasts(self) -> (Span, Span) {
        match self {
            Self::Link => (LINK, LINK),
            Self::Session => (IDLE, WHOLE),
        }
    }
}

/// Whose accounts are shown: the tokens of one e-mail in both ledgers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) live: Token,
    pub(crate) sandbox: Token,
}

impl Owner {
    /// Its token in the ledger of an environment.
    pub(crate) const fn token_in(&self, environment: Environment) -> Token {
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

/// The table of links and sessions. A row that this service did not write, or that was changed,
/// opens nothing. Its methods block.
pub(super) struct PanelStore {
    tables: ServiceTables,
    seal: Seal,
}

impl PanelStore {
    pub(super) fn open(target: &Target, seal: Seal) -> Result<Self, TablesFailed> {
        Ok(Self { tables: ServiceTables::open(target, "dashboard_openers", &MAKING)?, seal })
    }

    /// Keeps a link, and removes the rows that have expired.
    pub(super) fn add_link(
        &mut self,
        hash: &str,
        owner: &Owner,
        now: Instant,
    ) -> Result<(), TablesFailed> {
        let expired = "DELETE FROM dashboard_openers WHERE expires_at <= $1".to_owned();
        let adding = self.adding(Kind::Link, hash, owner, now);
        self.tables.write(&[(expired, vec![now.micros().into()]), adding])?;
        Ok(())
    }

    /// The owner of a link that opens a session now.
    pub(super) fn link(&mut self, hash: &str, now: Instant) -> Result<Option<Owner>, TablesFailed> {
        Ok(self.row(Kind::Link, hash, now)?.map(|row| row.session.owner))
    }

    /// Uses a link up for a session; returns whether it opened one. Of two that use it at once, one
    /// alone removes its row.
    pub(super) fn enter(
        &mut self,
        link: &str,
        session: &str,
        now: Instant,
    ) -> Result<bool, TablesFailed> {
        let Some(owner) = self.link(link, now)? else { return Ok(false) };
        if self.remove(link)? != 1 {
            return Ok(false);
        }
        let beginning = self.adding(Kind::Session, session, &owner, now);
        self.tables.write(&[beginning])?;
        Ok(true)
    }

    /// A session that has not expired; use renews it, but not beyond its whole time.
    pub(super) fn session(
        &mut self,
        hash: &str,
        now: Instant,
    ) -> Result<Option<Session>, TablesFailed> {
        let Some(Row { session, expires_at }) = self.row(Kind::Session, hash, now)? else {
            return Ok(None);
        };
        let until = now.after(IDLE).min(session.ends_at);
        if until > expires_at.after(RENEWED) {
            let renewing = "UPDATE dashboard_openers SET expires_at = $2 WHERE hash = $1";
            let values = vec![hash.into(), until.micros().into()];
            self.tables.write(&[(renewing.to_owned(), values)])?;
        }
        Ok(Some(session))
    }

    pub(super) fn leave(&mut self, hash: &str) -> Result<(), TablesFailed> {
        self.remove(hash).map(drop)
    }

    fn remove(&mut self, hash: &str) -> Result<u64, TablesFailed> {
        let sql = "DELETE FROM dashboard_openers WHERE hash = $1".to_owned();
        self.tables.write(&[(sql, vec![hash.into()])])
    }

    fn adding(&self, kind: Kind, hash: &str, owner: &Owner, now: Instant) -> (String, Vec<Cell>) {
        let sql = "INSERT INTO dashboard_openers \
            (hash, kind, live, sandbox, created_at, expires_at, seal) \
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let (live, sandbox) = (digits(&owner.live.0), digits(&owner.sandbox.0));
        let seal = self.compute_seal(kind, hash, (&live, &sandbox), now);
        let values = vec![
            hash.into(),
            kind.name().into(),
            Cell::Text(live),
            Cell::Text(sandbox),
            now.micros().into(),
            now.after(kind.lasts().0).micros().into(),
            Cell::Text(seal),
        ];
        (sql.to_owned(), values)
    }

    /// The row of a hash that has not expired and is as this service wrote it. Use moves
    /// `expires_at`, which is not sealed; the end in all follows from the beginning, which is.
    fn row(&mut self, kind: Kind, hash: &str, now: Instant) -> Result<Option<Row>, TablesFailed> {
        let sql = "SELECT live, sandbox, created_at, expires_at, seal FROM dashboard_openers \
            WHERE hash = $1 AND kind = $2 AND expires_at > $3";
        let values = [hash.into(), kind.name().into(), now.micros().into()];
        let rows = self.tables.read(sql, &values)?;
        let Some([live, sandbox, created_at, expires_at, seal]) = rows.first().map(|row| &row[..])
        else {
            return Ok(None);
        };
        let text = |cell: &Cell| cell.text().map(str::to_owned).ok_or_else(malformed_row);
        let (live, sandbox, created_at) = (text(live)?, text(sandbox)?, instant(created_at)?);
        let ends_at = created_at.after(kind.lasts().1);
        let sealed = self.compute_seal(kind, hash, (&live, &sandbox), created_at);
        if ends_at <= now || !secret::same(&sealed, &text(seal)?) {
            return Ok(None);
        }
        let owner = Owner { live: token(&live)?, sandbox: token(&sandbox)? };
        let session = Session { owner, ends_at };
        Ok(Some(Row { session, expires_at: instant(expires_at)? }))
    }

    fn compute_seal(
        &self,
        kind: Kind,
        hash: &str,
        (live, sandbox): (&str, &str),
        created_at: Instant,
    ) -> String {
        let created_at = created_at.micros().to_string();
        self.seal.tag(&[kind.name(), hash, live, sandbox, &created_at])
    }
}

/// A link or a session as its row has it.
struct Row {
    session: Session,
    /// When it ends unless it is used.
    expires_at: Instant,
}

fn token(text: &str) -> Result<Token, TablesFailed> {
    let bits = u128::from_str_radix(text, 16).map_err(|_| malformed_row())?;
    Ok(Token(bits.to_be_bytes()))
}

fn instant(cell: &Cell) -> Result<Instant, TablesFailed> {
    cell.number().and_then(Instant::from_micros).ok_or_else(malformed_row)
}

fn malformed_row() -> TablesFailed {
    TablesFailed("a row of the dashboard's tables is malformed".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWNER: Owner = Owner { live: Token([0x0a; 16]), sandbox: Token([0xf0; 16]) };

    fn store() -> (tempfile::TempDir, PanelStore) {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        (folder, PanelStore::open(&target, Seal::by("a secret of the tests")).unwrap())
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
        assert_eq!(store.session("link", noon()).unwrap(), None, "a link is no session");
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
        let sessions = "SELECT hash FROM dashboard_openers WHERE kind = 'session'";
        let rows = store.tables.read(sessions, &[]).unwrap();
        assert!(rows.is_empty(), "{rows:?}");
    }

    #[test]
    fn a_row_that_the_service_did_not_write_opens_nobodys_dashboard() {
        let (folder, mut store) = store();
        let victim = Owner { live: Token([0x0b; 16]), sandbox: Token([0x0c; 16]) };
        let target = Target::Sqlite(folder.path().join("ledger.db"));
        let mut another = PanelStore::open(&target, Seal::by("a guess")).unwrap();
        let forged = another.adding(Kind::Session, "put", &victim, noon());
        store.tables.write(&[forged]).unwrap();
        assert_eq!(store.session("put", noon()).unwrap(), None, "it was sealed by another");
        assert!(another.session("put", noon()).unwrap().is_some());
        let alter = |store: &mut PanelStore, set: &str| {
            store.add_link(set, &OWNER, noon()).unwrap();
            assert!(store.enter(set, "own", noon()).unwrap());
            store.add_link("own link", &OWNER, noon()).unwrap();
            let sql = format!("UPDATE dashboard_openers SET {set}");
            store.tables.write(&[(sql, Vec::new())]).unwrap();
            let opened = (store.session("own", noon()), store.link("own link", noon()));
            store.tables.write(&[("DELETE FROM dashboard_openers".into(), Vec::new())]).unwrap();
            (opened.0.unwrap(), opened.1.unwrap())
        };
        let later = noon().after(Span::days(30)).micros();
        for set in [
            format!("live = '{}'", "0b".repeat(16)),
            format!("sandbox = '{}'", "0c".repeat(16)),
            format!("created_at = {later}"),
            "seal = ''".to_owned(),
            "kind = CASE kind WHEN 'link' THEN 'session' ELSE 'link' END".to_owned(),
        ] {
            assert_eq!(alter(&mut store, &set), (None, None), "{set}");
        }
        // A later expiry is cut to what was sealed.
        store.add_link("link", &OWNER, noon()).unwrap();
        assert!(store.enter("link", "own", noon()).unwrap());
        store.add_link("late", &OWNER, noon()).unwrap();
        let sql = format!("UPDATE dashboard_openers SET expires_at = {later}");
        store.tables.write(&[(sql, Vec::new())]).unwrap();
        assert_eq!(store.session("own", noon().after(WHOLE)).unwrap(), None);
        assert_eq!(store.link("late", noon().after(LINK)).unwrap(), None);
    }
}
