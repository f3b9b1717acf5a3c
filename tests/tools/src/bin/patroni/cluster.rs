//! Three servers that Patroni manages, and etcd, which says who leads them.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::database;
use super::node::Node;
use super::shell;

/// The servers, by number.
pub const NUMBERS: [u8; 3] = [1, 2, 3];

/// How long a cluster may take to become whole, or to find another leader.
pub const PATIENCE: Duration = Duration::from_mins(3);

/// Between two looks at it.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a server may take to say what it knows.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);

/// How long the engine waits for a server that says nothing.
const LIMITS: &str = "target_session_attrs=read-write&statement-timeout=2&connect_timeout=1";

/// A cluster in the namespaces of this process.
pub struct Cluster {
    pub nodes: Vec<Node>,
    python: PathBuf,
}

impl Cluster {
    /// Starts it, and waits until every commit waits for one of two standbys.
    pub fn start(folder: &Path, python: &Path) -> Result<Self, Box<dyn Error>> {
        shell(
            "mount -t tmpfs none /run
             mkdir /run/netns
             ip link set lo up
             for net in 1 2; do
                 ip link add bridge$net type bridge
                 ip link set bridge$net up
                 ip addr add 10.0.$net.100/24 dev bridge$net
             done",
        )?;
        let clients = "http://10.0.1.100:2379";
        let mut etcd = Command::new("etcd");
        etcd.args(["--data-dir", "/run/etcd", "--log-level", "error"]);
        etcd.args(["--listen-client-urls", clients, "--advertise-client-urls", clients]);
        // It ends with the namespace.
        etcd.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let nodes = NUMBERS.into_iter().map(|number| Node::new(number, folder, python));
        let mut cluster = Self { nodes: nodes.collect::<Result<_, _>>()?, python: python.into() };
        for node in &mut cluster.nodes {
            node.start()?;
        }
        let leader = cluster.whole()?;
        let quorum = "SELECT count(*) FROM pg_settings
            WHERE name = 'synchronous_standby_names' AND setting LIKE 'ANY 1 (%,%)'";
        match database::numbers(&cluster.url_of(leader, "postgres"), quorum)?[..] {
            [1] => Ok(cluster),
            _ => Err("commits do not wait for one of two standbys".into()),
        }
    }

    /// The node of this number.
    pub fn node(&mut self, number: u8) -> &mut Node {
        &mut self.nodes[usize::from(number) - 1]
    }

    /// The books, at whichever server takes writes.
    pub fn url(&self) -> String {
        let hosts: Vec<_> = self.nodes.iter().map(Node::host).collect();
        format!("postgres://ledger@{}/books?{LIMITS}", hosts.join(","))
    }

    /// A database of one server.
    pub fn url_of(&self, number: u8, database: &str) -> String {
        format!("postgres://ledger@{}/{database}", self.nodes[usize::from(number) - 1].host())
    }

    /// Waits until one leads and two follow it, by what each of them says, and says who leads.
    pub fn whole(&self) -> Result<u8, Box<dyn Error>> {
        self.wait_for("the cluster does not become whole", |views| {
            // One that was frozen still says for a moment what it knew before.
            let leaders: Option<Vec<_>> = views.iter().map(|view| followed_leader(view)).collect();
            let leaders = leaders.filter(|leaders| leaders.len() == NUMBERS.len())?;
            leaders.iter().all(|leader| *leader == leaders[0]).then_some(leaders[0])
        })
    }

    /// Who leads now, as far as any server knows.
    pub fn leader(&self) -> Option<u8> {
        self.nodes.iter().find_map(|node| leader_of(&members(&node.host())?))
    }

    /// Waits until another leads than `former`, and says who.
    pub fn other_leader(&self, former: u8) -> Result<u8, Box<dyn Error>> {
        let what = format!("nobody takes the place of n{former}");
        self.wait_for(&what, |views| {
            views.iter().filter_map(|view| leader_of(view)).find(|leader| *leader != former)
        })
    }

    /// Lets `patronictl` replace the leader.
    pub fn switch_over(&self, leader: u8) -> Result<(), Box<dyn Error>> {
        let mut patronictl = Command::new(&self.python);
        patronictl.arg(self.python.with_file_name("patronictl")).arg("-c");
        patronictl.arg(self.nodes[usize::from(leader) - 1].settings());
        patronictl.args(["switchover", "books", "--leader", &format!("n{leader}"), "--force"]);
        let output = patronictl.output()?;
        let [out, err] = [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it));
        let is_done = output.status.success() && out.contains("Successfully switched over");
        if is_done { Ok(()) } else { Err(format!("patronictl: {out}{err}").into()) }
    }

    /// Returns what `wanted` finds, once it does, in the members as each server that answers sees
    /// them.
    fn wait_for<T>(
        &self,
        unless: &str,
        wanted: impl Fn(&[Vec<Value>]) -> Option<T>,
    ) -> Result<T, Box<dyn Error>> {
        let start = Instant::now();
        loop {
            let views = self.nodes.iter().filter_map(|node| members(&node.host()));
            let views: Vec<_> = views.collect();
            if let Some(found) = wanted(&views) {
                return Ok(found);
            }
            if start.elapsed() > PATIENCE {
                let seen: Vec<_> = views.into_iter().map(Value::from).collect();
                let words =
                    self.nodes.iter().map(|it| format!("n{}:\n{}", it.number, it.last_words()));
                let words = words.collect::<Vec<_>>().join("\n");
                return Err(format!("{unless}: {}\n{words}", Value::from(seen)).into());
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// Who leads, of these members.
fn leader_of(members: &[Value]) -> Option<u8> {
    let leads = |member: &&Value| member["role"] == "leader" && member["state"] == "running";
    members.iter().find(leads)?["name"].as_str()?.strip_prefix('n')?.parse().ok()
}

/// Who leads, of these members, if two follow it.
fn followed_leader(members: &[Value]) -> Option<u8> {
    let leads = |member: &&Value| member["role"] == "leader";
    let timeline = &members.iter().find(leads)?["timeline"];
    let follows = |member: &&Value| {
        member["role"] == "quorum_standby"
            && member["state"] == "streaming"
            && member["timeline"] == *timeline
    };
    leader_of(members).filter(|_| members.iter().filter(follows).count() == 2)
}

/// The members of the cluster as the server at `host` knows them.
fn members(host: &str) -> Option<Vec<Value>> {
    let address: SocketAddr = format!("{host}:8008").parse().ok()?;
    let mut stream = TcpStream::connect_timeout(&address, ANSWERS_WITHIN).ok()?;
    stream.set_read_timeout(Some(ANSWERS_WITHIN)).ok()?;
    stream.write_all(b"GET /cluster HTTP/1.0\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    let body: Value = serde_json::from_str(body).ok()?;
    Some(body["members"].as_array()?.clone())
}
