//! A PostgreSQL server of the test's own, made of the system's programs.
//!
//! It listens on a socket in a temporary directory and nowhere else, keeps its promises to the disk
//! (`fsync` on), and is shared by the tests of one process, each with a database of its own.
//! A shell stands guard over it: when the process of the tests is gone, however it went, the pipe
//! between them closes, and the shell stops the server and removes its directory.
#![allow(dead_code)] // Each test binary uses its own part of it.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};
use tokio::runtime::{Builder, Runtime};

/// The owner of the server's databases.
const USER: &str = "ledger";

/// How long a new server may take before it answers.
const PATIENCE: Duration = Duration::from_mins(1);

/// What to do where the programs are missing; a test is never skipped.
const MISSING: &str = "PostgreSQL's programs initdb and postgres are neither on the PATH nor under \
    /usr/lib/postgresql/*/bin: install them (Debian: apt-get install postgresql), or run \
    ./tests/run as root, which does";

/// A server of its own.
pub struct Server {
    directory: PathBuf,
    /// Its port, where it is not the usual one.
    port: Option<u16>,
    /// Its input is the pipe the guard reads: it closes when this process ends.
    guard: Child,
    /// The guards of servers that were killed before it.
    killed: Vec<Child>,
}

/// The server of this process's tests, started by the first who asks.
pub fn shared() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(&[]))
}

/// A new database on the shared server, by its URL.
pub fn database() -> String {
    shared().database()
}

impl Server {
    /// Makes a server with these settings, each as `name=value`, and waits until it answers.
    pub fn start(settings: &[&str]) -> Self {
        Self::prepared(|_| settings.iter().map(ToString::to_string).collect())
    }

    /// The same, with settings that name files: `prepare` puts them into the server's directory.
    pub fn prepared(prepare: impl FnOnce(&Path) -> Vec<String>) -> Self {
        let place = Installation::new();
        place.done(
            "initdb",
            &["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--username", USER],
        );
        let settings = prepare(&place.directory);
        place.own();
        Self::serve(place, &settings)
    }

    /// A server that follows this one and answers readers only, until it is promoted.
    pub fn standby(&self) -> Self {
        let (place, host) = (Installation::new(), self.directory.display().to_string());
        place.done(
            "pg_basebackup",
            &[
                "--host",
                &host,
                "--username",
                USER,
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync",
            ],
        );
        Self::serve(place, &[])
    }

    /// Ends the recovery of a standby: from here on it is written to.
    pub fn promote(&self) {
        execute(&self.url("postgres"), "SELECT pg_promote(true, 60)").expect("it is promoted");
    }

    /// Kills the server and all its processes with SIGKILL.
    pub fn kill(&self) {
        self.signal("KILL");
    }

    /// Starts a server anew that was killed and made without settings; it answers again a moment
    /// later.
    pub fn revive(&mut self) {
        let owner = fs::metadata(&self.directory).expect("it is there");
        let log = fs::File::options().append(true).open(self.directory.join("log"));
        let log = log.expect("a log");
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD, "guard"]).arg(programs().join("postgres"));
        guard.current_dir(&self.directory).process_group(0).stdin(Stdio::piped());
        guard.stdout(log.try_clone().expect("a log")).stderr(log);
        guard.uid(owner.uid()).gid(owner.gid());
        let before = std::mem::replace(&mut self.guard, guard.spawn().expect("a shell"));
        // Its input stays open: at its end it would remove the directory.
        self.killed.push(before);
    }

    /// Stops all its processes where they are: it says nothing more, and closes nothing.
    pub fn freeze(&self) {
        self.signal("STOP");
    }

    fn signal(&self, signal: &str) {
        let pid = fs::read_to_string(self.directory.join("data/postmaster.pid")).expect("it runs");
        let pid = pid.lines().next().expect("its first line is the server's process");
        // The server first: it would replace the others.
        let mut pids = vec![pid.to_owned()];
        pids.extend(children(pid));
        let kill = format!("kill -{signal} \"$@\"");
        let killed = Command::new("sh").args(["-c", &kill, "sh"]).args(pids).output();
        let killed = killed.expect("a shell");
        // One that was gone already is as good as killed.
        let message = String::from_utf8_lossy(&killed.stderr).into_owned();
        assert!(killed.status.success() || message.contains("No such process"), "{message}");
    }

    /// Serves what is in `place` until it is dropped.
    fn serve(place: Installation, settings: &[String]) -> Self {
        let Installation { programs, directory, user } = place;
        let log = fs::File::create(directory.join("log")).expect("a log");
        let mut guard = Command::new("sh");
        // The server inherits no end of the pipe, so that only this process keeps it open.
        guard
            .args(["-c", GUARD, "guard"])
            .arg(programs.join("postgres"))
            .args(settings.iter().flat_map(|setting| ["-c", setting.as_str()]))
            .current_dir(&directory)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log);
        if let Some((uid, gid)) = user {
            guard.uid(uid).gid(gid);
        }
        let port = settings.iter().find_map(|setting| setting.strip_prefix("port="));
        let port = port.map(|port| port.parse().expect("a port is a number"));
        let guard = guard.spawn().expect("a shell");
        let server = Self { directory, port, guard, killed: Vec::new() };
        server.wait_until_it_answers();
        server
    }

    /// The directory of its socket.
    pub fn socket(&self) -> &Path {
        &self.directory
    }

    /// A new and empty database, by its URL.
    pub fn database(&self) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("books_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        execute(&self.url("postgres"), &format!("CREATE DATABASE {name}")).expect("a database");
        self.url(&name)
    }

    /// The URL of a database of it.
    pub fn url(&self, database: &str) -> String {
        let port = self.port.map(|port| format!("&port={port}")).unwrap_or_default();
        format!("postgres://{USER}@/{database}?host={}{port}", self.directory.display())
    }

    fn wait_until_it_answers(&self) {
        let start = Instant::now();
        while let Err(error) = execute(&self.url("postgres"), "SELECT 1") {
            if start.elapsed() > PATIENCE {
                let mut log = String::new();
                let file = fs::File::open(self.directory.join("log"));
                let _ = file.and_then(|mut file| file.read_to_string(&mut log));
                panic!("the server does not answer: {error}\n{log}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A server that is not shared ends here; the shared one with its process.
impl Drop for Server {
    fn drop(&mut self) {
        for guard in std::iter::once(&mut self.guard).chain(&mut self.killed) {
            drop(guard.stdin.take());
            let _ = guard.wait();
        }
    }
}

/// Where a server is to be: its directory, the programs, and whom it runs as.
struct Installation {
    programs: PathBuf,
    directory: PathBuf,
    user: Option<(u32, u32)>,
}

impl Installation {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory").keep();
        let user = unprivileged(&directory);
        if let Some((uid, gid)) = user {
            chown(&directory, Some(uid), Some(gid)).expect("root gives the directory away");
        }
        Self { programs: programs(), directory, user }
    }

    /// Gives what is in the directory to whom the server runs as.
    fn own(&self) {
        for file in fs::read_dir(&self.directory).expect("it was just made").flatten() {
            if let Some((uid, gid)) = self.user {
                chown(file.path(), Some(uid), Some(gid)).expect("root gives the file away");
            }
        }
    }

    /// Runs one of the programs that make the server's data.
    fn done(&self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(found(&self.programs, program));
        command.arg("--pgdata=data").args(arguments);
        command.current_dir(&self.directory).stdin(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.uid(uid).gid(gid);
        }
        let made = command.output().unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(made.status.success(), "{program}: {}", String::from_utf8_lossy(&made.stderr));
    }
}

/// Returns what one of the server's own programs prints about the database of this URL, fed with
/// `input`.
pub fn output_of(program: &str, url: &str, input: &[u8]) -> Vec<u8> {
    let mut command = Command::new(found(&programs(), program));
    if program == "psql" {
        command.args(["--no-psqlrc", "--set=ON_ERROR_STOP=1"]);
    }
    command.arg("--dbname").arg(url).stdin(Stdio::piped());
    let mut running =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a program");
    let mut stdin = running.stdin.take().expect("it is piped");
    let fed = input.to_vec();
    let feeding = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, &fed));
    let output = running.wait_with_output().expect("it ends");
    feeding.join().expect("no panic").expect("it reads all");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The processes whose parent is this one.
fn children(parent: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let child = |process: fs::DirEntry| {
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        // The name may hold anything, and stands in brackets before the state and the parent.
        let of = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
        (of == parent).then(|| process.file_name().to_string_lossy().into_owned())
    };
    processes.filter_map(child).collect()
}

/// Starts the server by the command given, whose settings come last and so prevail, waits
/// for the end of its input, then ends the server at once and cleans up.
const GUARD: &str = r#"
program=$1
shift
"$program" -D data -k "$PWD" -c listen_addresses= -c max_connections=50 "$@" </dev/null &
cat >/dev/null
kill -QUIT $!
wait $!
cd / && rm -rf "$OLDPWD"
"#;

/// A program beside the others, or wherever the PATH has it.
fn found(programs: &Path, program: &str) -> PathBuf {
    let beside = Some(programs.join(program)).filter(|path| path.is_file());
    beside.unwrap_or_else(|| program.into())
}

/// Where the system keeps the server's programs.
fn programs() -> PathBuf {
    let has = |folder: &PathBuf| ["initdb", "postgres"].iter().all(|p| folder.join(p).is_file());
    let path = std::env::var_os("PATH").unwrap_or_default();
    if let Some(folder) = std::env::split_paths(&path).find(has) {
        return folder;
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin")).filter(has);
    let number = |folder: &PathBuf| {
        let version = folder.parent().and_then(Path::file_name).unwrap_or_default();
        version.to_string_lossy().parse::<u32>().unwrap_or_default()
    };
    folders.max_by_key(number).expect(MISSING)
}

/// Whom the server runs as where the tests run as root, which it refuses.
fn unprivileged(directory: &Path) -> Option<(u32, u32)> {
    if fs::metadata(directory).expect("it was just made").uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("a list of users");
    let ids = |name: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut numbers = line.split(':').skip(2).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    let found = ids("postgres").or_else(|| ids("nobody"));
    Some(found.expect("the server does not run as root, and there is no user postgres or nobody"))
}

/// Runs `sql` in a session of its own, as someone with a database shell would.
pub fn execute(url: &str, sql: &str) -> Result<u64, sqlx::Error> {
    let mut session = Session::open(url)?;
    let done = session.execute(sql);
    session.close();
    done
}

/// The one number that `sql` asks for.
pub fn number(url: &str, sql: &str) -> i64 {
    let mut session = Session::open(url).expect("the server answers");
    let number = session.number(sql);
    session.close();
    number
}

/// Someone with a database shell.
pub struct Session {
    connection: PgConnection,
    runtime: Runtime,
}

impl Session {
    pub fn open(url: &str) -> Result<Self, sqlx::Error> {
        // The strict reader of URLs wants a host; the parameter then says where the socket is.
        let url = url.replace("@/", "@localhost/");
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let connection = runtime.block_on(PgConnection::connect(&url))?;
        Ok(Self { connection, runtime })
    }

    pub fn execute(&mut self, sql: &str) -> Result<u64, sqlx::Error> {
        let done = self.connection.execute(sqlx::raw_sql(AssertSqlSafe(sql)));
        Ok(self.runtime.block_on(done)?.rows_affected())
    }

    pub fn number(&mut self, sql: &str) -> i64 {
        let number = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.connection);
        self.runtime.block_on(number).expect("a number")
    }

    fn close(self) {
        // A session that ends badly leaves nothing behind either.
        let _ = self.runtime.block_on(self.connection.close());
    }
}
