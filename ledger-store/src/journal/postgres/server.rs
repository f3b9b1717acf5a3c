//! Which server and database, and connections to it.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sqlx::postgres::PgConnection;

use super::hosts::Hosts;
use super::limit::within;
use super::pool::Pool;
use super::tls::TlsFiles;

/// How long a statement may take unless set, those aside that read the whole journal.
pub(super) const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

/// How much longer than that an answer is awaited, at most: the server undoes the statement itself,
/// and says so, if it is still there.
const GRACE: Duration = Duration::from_secs(5);

/// How long a statement may take that reads the whole journal.
const LONG: Duration = Duration::from_mins(10);

/// How long a statement of a session may take, and after how long the server gives a session up,
/// with the locks that it holds: five seconds after it stopped within a transaction, as a process
/// does that is frozen there, and ten after its host died. An engine that only speaks PostgreSQL's
/// protocol may not know a setting; a socket of the same machine has no use for the last four.
const SESSION: &str = "\
    SELECT set_config(name, setting, false)
    FROM (VALUES ('statement_timeout', $1), ('idle_in_transaction_session_timeout', '5000'),
        ('tcp_keepalives_idle', '4'), ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3'),
        ('tcp_user_timeout', '10000')) AS wanted (name, setting)
    WHERE current_setting(name, true) IS NOT NULL";

/// A database of a PostgreSQL server: by its URL, `postgres://user@host/database` or
/// `postgres://user@/database?host=/directory/of/the/socket`, or by options of sqlx.
///
/// `statement-timeout=SECONDS` among its parameters is [`PostgresServer::statement_timeout`].
///
/// # Several hosts
///
/// A cluster that heals itself is named by all its hosts, `postgres://user@one,two:5433/database`,
/// or `host=/one/socket,/two/socket` with as many ports, or one, in `port`. Each new connection
/// tries them in this order, for `connect_timeout` seconds each: three unless set, and ten where
/// there is but one. `target_session_attrs` says which server is accepted, as to libpq: `any`
/// unless set, `read-write` for whoever writes, or `read-only`, `primary` or `standby`.
///
/// # TLS
///
/// `sslmode`, `sslrootcert`, `sslcert` and `sslkey` mean what they mean to libpq:
///
/// | `sslmode` | Encrypted | Whose certificate the server must have |
/// |---|---|---|
/// | `disable` | no | |
/// | `prefer`, `allow`, or none | if the server can | anybody's |
/// | `require` | yes | anybody's; with `sslrootcert` as under `verify-ca` |
/// | `verify-ca` | yes | one that an authority signed |
/// | `verify-full` | yes | one that an authority signed for the host of the URL |
///
/// Authorities are those of the system, and beside them those in the file `sslrootcert`; so where
/// the system trusts anybody at all, only `verify-full` proves which server answers.
/// `sslrootcert=system` names those of the system alone, and means `verify-full`. `sslcert` and
/// `sslkey` are the files of the client's own certificate and key. All are PEM. A server's socket
/// on the same machine is never encrypted.
///
/// ```
/// # use ledger_store::PostgresServer;
/// let server: PostgresServer = "postgres://ledger@/live?host=/run/postgresql".parse()?;
/// assert!(!server.to_string().contains("password"));
/// assert!("postgres://ledger@db.example".parse::<PostgresServer>().is_err()); // No database.
/// "postgres://ledger@db.example/live?sslmode=verify-full".parse::<PostgresServer>()?;
/// let cluster = "postgres://ledger@one,two/live?target_session_attrs=read-write";
/// assert!(cluster.parse::<PostgresServer>()?.to_string().contains("@one:5432,two:5432/"));
///
/// # use ledger_store::PgConnectOptions;
/// let options = PgConnectOptions::new().host("db.example").database("live");
/// let server = PostgresServer::try_from(options.password("never shown"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PostgresServer {
    // Shared: a store is passed about by value, and this is large.
    hosts: Arc<Hosts>,
    pub(super) statement_timeout: Duration,
    // Those that its URL names.
    pub(super) files: TlsFiles,
    // What its clones share.
    pool: Option<Arc<Pool>>,
    // Why its advisory locks are not to be trusted, once somebody has looked.
    locks: Arc<OnceLock<Option<String>>>,
}

impl PostgresServer {
    /// The server at one of these hosts.
    pub(super) fn new(hosts: Hosts, statement_timeout: Duration, files: TlsFiles) -> Self {
        Self { hosts: Arc::new(hosts), statement_timeout, files, pool: None, locks: Arc::default() }
    }

    /// The same, with at most so many connections, one or more, for all journals and tables that
    /// are opened by this value and its clones, outboxes among them: each call takes one and gives
    /// it back, and waits while there is none. A process with many ledgers in one database opens
    /// them so; one with a single ledger does not need it.
    ///
    /// Only who reads tables as of one moment, to prove them, has a connection of its own then, and
    /// the locks of all ledgers that are written have one together.
    ///
    /// ```no_run
    /// # use ledger_store::engine::Engine;
    /// # use ledger_store::{OpenMode, PostgresJournal, PostgresServer};
    /// let server: PostgresServer = "postgres://ledger@db.example/books".parse()?;
    /// let server = server.with_pool(16);
    /// // Each of a thousand ledgers is opened by this server: they share 16 connections.
    /// # let engines: Result<Vec<_>, Box<dyn std::error::Error>> = (0..1_000)
    /// #     .map(|number| {
    /// #         let name = format!("tenant-{number}");
    /// #         let journal = PostgresJournal::open(&server, &name, OpenMode::create())?;
    /// #         Ok(Engine::builder(&name).start(Box::new(journal))?)
    /// #     })
    /// #     .collect();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_pool(mut self, connections: usize) -> Self {
        self.pool = Some(Arc::new(Pool::new(connections)));
        self
    }

    /// The connections that its clones share, if they share any.
    pub(super) const fn pool(&self) -> Option<&Arc<Pool>> {
        self.pool.as_ref()
    }

    /// The same, with another limit to how long a statement may take: 30 seconds unless set.
    ///
    /// The server undoes an append that takes longer. Where the server says nothing at all for
    /// twice as long, or five seconds longer, the connection is given up, and what became of the
    /// append is found out as after any lost connection. What reads the whole journal may take ten
    /// minutes, or this if it is longer.
    #[must_use]
    pub fn statement_timeout(mut self, limit: Duration) -> Self {
        self.statement_timeout = limit.max(Duration::from_millis(1));
        self
    }

    /// Why advisory locks are not to be trusted, once somebody has looked; its clones share it.
    pub(super) fn locks(&self) -> &OnceLock<Option<String>> {
        &self.locks
    }

    /// Tells whether this is the same database of the same host, by the names of both.
    pub(crate) fn is_same_database(&self, other: &Self) -> bool {
        let place = |server: &Self| {
            let at = server.hosts.first();
            let socket = at.get_socket().cloned();
            (socket, at.get_host().to_owned(), at.get_port(), at.get_database().map(str::to_owned))
        };
        place(self) == place(other)
    }

    /// In which mode of TLS it is spoken to.
    #[cfg(test)]
    pub(super) fn ssl_mode(&self) -> sqlx::postgres::PgSslMode {
        self.hosts.first().get_ssl_mode()
    }

    /// How long the server may say nothing to a statement.
    pub(super) fn patience(&self) -> Duration {
        self.statement_timeout + self.statement_timeout.min(GRACE)
    }

    /// How long it may say nothing to a statement whose work grows with the journal.
    pub(super) fn long_patience(&self) -> Duration {
        self.patience().max(LONG)
    }

    /// A new connection, whose commits are flushed before they are acknowledged.
    pub(crate) async fn connect(&self) -> sqlx::Result<PgConnection> {
        let mut connection = self.hosts.connect(&self.files).await?;
        within(self.patience(), async {
            // A role may have it off; stricter settings than "on" stay as they are.
            sqlx::query(
                "SELECT set_config('synchronous_commit', 'on', false)
                 WHERE current_setting('synchronous_commit') IN ('off', 'local')",
            )
            .execute(&mut connection)
            .await?;
            sqlx::query(SESSION)
                .bind(self.statement_timeout.as_millis().to_string())
                .execute(&mut connection)
                .await?;
            Ok(connection)
        })
        .await
    }
}

/// The server, its database and the user; never the password.
impl fmt::Display for PostgresServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.hosts.first();
        let database = options.get_database().unwrap_or_default();
        let (place, parameters) = self.hosts.in_url();
        write!(f, "postgres://{}@{place}/{database}{parameters}", options.get_username())
    }
}

/// Shows no password.
impl fmt::Debug for PostgresServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresServer({self})")
    }
}
