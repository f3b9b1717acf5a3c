//! Connections to a PostgreSQL server are encrypted, and it is the right server, as its URL asks.
#![allow(missing_docs)] // A test binary has no readers of its documentation.

mod authority;
#[path = "../setup/mod.rs"]
mod setup;

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::OnceLock;

use authority::Authority;
use ledger_store::journal::{Journal as _, OpenError, PgConnectOptions, PostgresJournal};
use ledger_store::{Commit, FrameWriter, PostgresServer};
use setup::server::{Server, execute, number};
use setup::{IDENTITY, LIVE, mode};

/// Where the server is trusted from, who is let in by a certificate only, and who by none.
const ADMITTED: &str = "\
local all all trust
hostssl all certified 127.0.0.1/32 cert
host all all 127.0.0.1/32 trust
";

/// A server with a certificate for `localhost`, in whose directory the files stand.
struct Secure {
    server: Server,
    port: u16,
}

fn secure() -> &'static Secure {
    static SECURE: OnceLock<Secure> = OnceLock::new();
    SECURE.get_or_init(|| {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let server = Server::prepared(|folder| {
            let authority = Authority::new(folder, "ours");
            Authority::new(folder, "foreign");
            authority.sign("localhost", "subjectAltName=DNS:localhost");
            authority.sign("certified", "extendedKeyUsage=clientAuth");
            std::fs::write(folder.join("admitted"), ADMITTED).unwrap();
            let path = |name: &str| folder.join(name).display().to_string();
            vec![
                "listen_addresses=127.0.0.1".to_owned(),
                format!("port={}", free.port()),
                "ssl=on".to_owned(),
                format!("ssl_cert_file={}", path("localhost.crt")),
                format!("ssl_key_file={}", path("localhost.key")),
                format!("ssl_ca_file={}", path("ours.crt")),
                format!("hba_file={}", path("admitted")),
            ]
        });
        execute(&server.url("postgres"), "CREATE ROLE certified SUPERUSER LOGIN").unwrap();
        Secure { server, port: free.port() }
    })
}

impl Secure {
    fn folder(&self) -> &Path {
        self.server.socket()
    }

    /// A new database, and its URL by this user and host.
    fn database(&self, user_at_host: &str) -> (String, String) {
        let url = self.server.database();
        let name = url.split(['/', '?']).nth(3).unwrap().to_owned();
        let url = format!("postgres://{user_at_host}:{}/{name}", self.port);
        (name, url)
    }

    /// How many sessions a database has that are encrypted, and that are not.
    fn sessions(&self, database: &str) -> (i64, i64) {
        let count = |is_encrypted| {
            let sql = format!(
                "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
                 WHERE datname = '{database}' AND ssl = {is_encrypted}"
            );
            number(&self.server.url("postgres"), &sql)
        };
        (count(true), count(false))
    }
}

fn open(url: &str) -> Result<PostgresJournal, OpenError> {
    PostgresJournal::open(&url.parse().unwrap(), LIVE, mode())
}

/// Why the server was not reached.
fn refused(url: &str) -> String {
    let error = open(url).unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error:?}");
    format!("{error}: {}", std::error::Error::source(&error).unwrap())
}

/// Appends a record: what is written and read goes the same way as opening does.
fn use_it(journal: &mut PostgresJournal) {
    let head = journal.open_writer().unwrap().head;
    let mut writer = FrameWriter::new(head.chain(IDENTITY.algorithm));
    writer.push(&vec![b'r'; 100_000]);
    let commit = Commit { previous: head, rows: vec![writer.cut().unwrap()], vault: Vec::new() };
    journal.append(&commit).unwrap();
    assert!(journal.read(1, 10).unwrap() == commit.rows, "rows come back as they were written");
    assert_eq!(journal.head().unwrap(), commit.head());
}

#[test]
fn a_connection_is_encrypted_unless_the_url_says_otherwise() {
    let secure = secure();
    for (mode, sessions) in [
        ("", (1, 0)),
        ("?sslmode=disable", (0, 1)),
        ("?sslmode=allow", (1, 0)),
        ("?sslmode=prefer", (1, 0)),
        ("?sslmode=require", (1, 0)),
    ] {
        let (name, url) = secure.database("ledger@localhost");
        let mut journal = open(&format!("{url}{mode}")).unwrap();
        use_it(&mut journal);
        assert_eq!(secure.sessions(&name), sessions, "{mode}");
    }
}

#[test]
fn the_server_that_the_authority_signed_for_is_accepted() {
    let secure = secure();
    let root = secure.folder().join("ours.crt");
    for (host, mode) in [
        ("localhost", "verify-full"),
        ("localhost", "verify-ca"),
        // What it is called is not asked.
        ("127.0.0.1", "verify-ca"),
        ("127.0.0.1", "require"),
    ] {
        let (name, url) = secure.database(&format!("ledger@{host}"));
        let url = format!("{url}?sslmode={mode}&sslrootcert={}", root.display());
        let mut journal = open(&url).unwrap();
        use_it(&mut journal);
        assert_eq!(secure.sessions(&name), (1, 0), "{host}, {mode}");
    }
}

#[test]
fn a_server_of_another_authority_is_refused_by_the_authority_that_was_asked() {
    let secure = secure();
    let root = secure.folder().join("foreign.crt");
    let (_, url) = secure.database("ledger@localhost");
    for (mode, asked) in
        [("verify-full", "verify-full"), ("verify-ca", "verify-ca"), ("require", "verify-ca")]
    {
        let said = refused(&format!("{url}?sslmode={mode}&sslrootcert={}", root.display()));
        assert!(said.contains(&format!("sslmode={asked}, sslrootcert=")), "{mode}: {said}");
        assert!(said.contains("foreign.crt"), "{mode}: {said}");
        assert!(said.contains("UnknownIssuer"), "{mode}: {said}");
    }
}

#[test]
fn a_server_of_another_name_is_refused_by_its_name() {
    let secure = secure();
    let root = secure.folder().join("ours.crt");
    let (_, url) = secure.database("ledger@127.0.0.1");
    let said = refused(&format!("{url}?sslmode=verify-full&sslrootcert={}", root.display()));
    assert!(said.contains("127.0.0.1"), "{said}");
    assert!(said.contains("certificate not valid for name"), "{said}");
}

#[test]
fn a_file_that_is_missing_is_named_with_its_parameter() {
    let secure = secure();
    let (_, url) = secure.database("ledger@localhost");
    let said = refused(&format!("{url}?sslmode=verify-full&sslrootcert=/nowhere/root.crt"));
    assert!(said.contains("sslrootcert=/nowhere/root.crt: No such file"), "{said}");
}

#[test]
fn a_client_may_prove_itself_by_a_certificate() {
    let secure = secure();
    let (name, url) = secure.database("certified@localhost");
    assert!(refused(&format!("{url}?sslmode=require")).contains("certificate"));
    let file = |name: &str| secure.folder().join(name).display().to_string();
    let (certificate, key) = (file("certified.crt"), file("certified.key"));
    let url = format!("{url}?sslmode=require&sslcert={certificate}&sslkey={key}");
    let mut journal = open(&url).unwrap();
    use_it(&mut journal);
    assert_eq!(secure.sessions(&name), (1, 0));
}

#[test]
fn options_are_heeded_as_they_are_handed_in() {
    let secure = secure();
    let (name, _) = secure.database("ledger@localhost");
    let options = PgConnectOptions::new_without_pgpass()
        .host("localhost")
        .port(secure.port)
        .username("ledger")
        .database(&name)
        .ssl_mode("verify-full".parse().unwrap())
        .ssl_root_cert(secure.folder().join("ours.crt"));
    let server = PostgresServer::try_from(options.clone()).unwrap();
    let mut journal = PostgresJournal::open(&server, LIVE, mode()).unwrap();
    use_it(&mut journal);
    assert_eq!(secure.sessions(&name), (1, 0));

    let foreign = options.ssl_root_cert(secure.folder().join("foreign.crt"));
    let server = PostgresServer::try_from(foreign).unwrap();
    assert!(PostgresJournal::open(&server, LIVE, mode()).is_err());
}

/// A server that speaks no TLS says so by one letter, before anything was sent to it.
#[test]
fn nothing_is_sent_to_a_server_without_tls_where_tls_is_required() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut client, _): (TcpStream, _) = listener.accept().unwrap();
        let mut asked = [0; 8];
        client.read_exact(&mut asked).unwrap();
        client.write_all(b"N").unwrap();
        let mut more = Vec::new();
        client.read_to_end(&mut more).unwrap();
        (asked, more)
    });
    let url = format!("postgres://ledger:secret@127.0.0.1:{port}/books?sslmode=require");
    let said = refused(&url);
    assert!(said.contains("server does not support TLS (sslmode=require)"), "{said}");
    let (asked, more) = server.join().unwrap();
    assert_eq!(asked, [0, 0, 0, 8, 4, 210, 22, 47], "the request for TLS");
    assert!(more.is_empty(), "{more:?}");
}
