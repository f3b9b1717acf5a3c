//! One server of a cluster: Patroni and its PostgreSQL in namespaces of their own.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::setup;
use super::shell;

/// How long a process may take to begin.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between two looks at whether the disk has room again.
const REFILL: Duration = Duration::from_millis(20);

/// Which of its networks a server has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Networks {
    /// The cluster's own: its clients still reach it.
    Cluster,
    /// Its clients' too.
    All,
}

/// A server, by its number.
pub struct Node {
    pub number: u8,
    folder: PathBuf,
    python: PathBuf,
    user: (u32, u32),
    running: Option<Running>,
    filling: Option<Filling>,
}

/// Its processes: a process namespace of their own ends with its first process.
struct Running {
    outer: Child,
    first: u32,
}

/// Who takes every byte of its disk that becomes free.
struct Filling {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<std::io::Result<()>>,
}

impl Node {
    /// Makes a server's network, disk and settings; `python` is that of Patroni.
    pub fn new(number: u8, folder: &Path, python: &Path) -> Result<Self, Box<dyn Error>> {
        shell(&format!(
            "ip netns add n{number}
             ip -n n{number} link set lo up
             for net in 1 2; do
                 ip link add v$net-{number} type veth peer name net$net netns n{number}
                 ip link set v$net-{number} master bridge$net up
                 ip -n n{number} addr add 10.0.$net.{number}/24 dev net$net
                 ip -n n{number} link set net$net up
             done"
        ))?;
        let folder = folder.join(format!("n{number}"));
        let wal = folder.join("wal");
        fs::create_dir_all(&wal)?;
        shell(&format!("mount -t tmpfs -o size=128m none {}", wal.display()))?;
        fs::DirBuilder::new().mode(0o700).create(wal.join("pg_wal"))?;
        let user = setup::unprivileged()?;
        let settings = include_str!("patroni.yml")
            .replace("{number}", &number.to_string())
            .replace("{folder}", &folder.display().to_string())
            .replace("{programs}", &setup::postgres()?.display().to_string());
        fs::write(folder.join("patroni.yml"), settings)?;
        for path in [&folder, &wal, &wal.join("pg_wal")] {
            chown(path, Some(user.0), Some(user.1))?;
        }
        let python = python.to_owned();
        Ok(Self { number, folder, python, user, running: None, filling: None })
    }

    /// Its settings, for `patronictl` too.
    pub fn settings(&self) -> PathBuf {
        self.folder.join("patroni.yml")
    }

    /// Where clients find it.
    pub fn host(&self) -> String {
        format!("10.0.2.{}", self.number)
    }

    /// Starts Patroni, which starts PostgreSQL.
    pub fn start(&mut self) -> Result<(), Box<dyn Error>> {
        let log = OpenOptions::new().create(true).append(true).open(self.folder.join("log"))?;
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &format!("n{}", self.number), "unshare", "--pid", "--fork"]);
        // PostgreSQL refuses root; whoever it runs as may search the folders that Python is in.
        command.args(["--mount-proc", "setpriv", "--clear-groups"]);
        command.args(["--reuid", &self.user.0.to_string(), "--regid", &self.user.1.to_string()]);
        command.args(["--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"]);
        command.arg(&self.python).arg(self.python.with_file_name("patroni")).arg(self.settings());
        command.current_dir(&self.folder).env("HOME", &self.folder);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let outer = command.spawn()?;
        let start = Instant::now();
        let first = loop {
            if let Some(first) = first_within(outer.id()) {
                break first;
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("Patroni does not start on n{}", self.number).into());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        self.running = Some(Running { outer, first });
        Ok(())
    }

    /// Ends every process of it at once, as a loss of power would.
    pub fn kill(&mut self) -> Result<(), Box<dyn Error>> {
        let mut running = self.running.take().ok_or("it does not run")?;
        shell(&format!("kill -KILL {}", running.first))?;
        running.outer.wait()?;
        Ok(())
    }

    /// Stops every process of it where it is: it says nothing more, and closes nothing.
    pub fn freeze(&self) -> Result<(), Box<dyn Error>> {
        // Those that were not yet stopped may have made others.
        loop {
            let running = self.processes(|state| state != "T" && state != "Z")?;
            if running.is_empty() {
                return Ok(());
            }
            // One that has ended meanwhile needs no stopping.
            shell(&format!("kill -STOP {} || true", running.join(" ")))?;
        }
    }

    /// Lets every process go on.
    pub fn thaw(&self) -> Result<(), Box<dyn Error>> {
        let stopped = self.processes(|state| state == "T")?;
        shell(&format!("kill -CONT {}", stopped.join(" ")))
    }

    /// Takes it off its networks; they lose what is sent, and say nothing.
    pub fn cut_off(&self, networks: Networks) -> Result<(), Box<dyn Error>> {
        self.links(networks, "down")
    }

    /// Puts it back.
    pub fn reconnect(&self, networks: Networks) -> Result<(), Box<dyn Error>> {
        self.links(networks, "up")
    }

    fn links(&self, networks: Networks, state: &str) -> Result<(), Box<dyn Error>> {
        let networks = if networks == Networks::All { "1 2" } else { "1" };
        let number = self.number;
        shell(&format!("for net in {networks}; do ip link set v$net-{number} {state}; done"))
    }

    /// Leaves no room for its write-ahead log, nor lets any come free.
    pub fn fill(&mut self) -> Result<(), Box<dyn Error>> {
        let mut ballast = File::create(self.ballast())?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let block = vec![0; 64 * 1024];
            while !stopped.load(Ordering::Relaxed) {
                match ballast.write(&block) {
                    Ok(_) => {}
                    Err(error) if error.kind() == std::io::ErrorKind::StorageFull => {
                        std::thread::sleep(REFILL);
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        });
        self.filling = Some(Filling { stop, thread });
        Ok(())
    }

    /// Gives the room back.
    pub fn free(&mut self) -> Result<(), Box<dyn Error>> {
        let filling = self.filling.take().ok_or("its disk is not full")?;
        filling.stop.store(true, Ordering::Relaxed);
        filling.thread.join().map_err(|_| "who fills the disk panicked")??;
        Ok(fs::remove_file(self.ballast())?)
    }

    fn ballast(&self) -> PathBuf {
        self.folder.join("wal/ballast")
    }

    /// The last lines of what it says.
    pub fn last_words(&self) -> String {
        let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        let lines: Vec<_> = log.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }

    /// Its processes that are in such a state, by their numbers.
    fn processes(&self, wanted: impl Fn(&str) -> bool) -> Result<Vec<String>, Box<dyn Error>> {
        let running = self.running.as_ref().ok_or("it does not run")?;
        let namespace = |process: &Path| fs::read_link(process.join("ns/pid")).ok();
        let own = namespace(&Path::new("/proc").join(running.first.to_string()));
        let own = own.ok_or("its first process has ended")?;
        let of_it = |process: fs::DirEntry| {
            let is_own = namespace(&process.path())? == own;
            let stat = fs::read_to_string(process.path().join("stat")).ok()?;
            let state = stat.rsplit_once(')')?.1.split_whitespace().next()?;
            (is_own && wanted(state)).then(|| process.file_name().to_string_lossy().into_owned())
        };
        Ok(fs::read_dir("/proc")?.flatten().filter_map(of_it).collect())
    }
}

/// The first process of the namespace that this one has made.
fn first_within(outer: u32) -> Option<u32> {
    let children = format!("/proc/{outer}/task/{outer}/children");
    fs::read_to_string(children).ok()?.split_whitespace().next()?.parse().ok()
}
