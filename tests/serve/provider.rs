//! `serve` beside `examples/provider.py`, on ports of their own, with accounts that trade.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::serving::{PROGRAM, Serving, TOKEN, agent, report};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// How long is waited for an operation to end.
const PATIENCE: Duration = Duration::from_mins(1);

/// Ports below those that the system gives to connections.
static PORT: AtomicU16 = AtomicU16::new(0);

fn port() -> u16 {
    let first = u16::try_from(std::process::id() % 10_000).unwrap();
    loop {
        let port = 20_000 + (first + PORT.fetch_add(1, Ordering::Relaxed)) % 10_000;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Both sides, each of which can be killed and started again.
pub struct Sides {
    folder: tempfile::TempDir,
    /// Of clients, of the world, of the provider.
    ports: [u16; 3],
    provider: Option<Child>,
    serving: Option<Serving>,
    pub key: String,
}

impl Sides {
    /// With an account that may do everything, a catalogue, prices, stock and float.
    pub fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("secret"), SECRET).unwrap();
        std::fs::write(folder.path().join("token"), TOKEN).unwrap();
        let ports = [port(), port(), port()];
        let mut sides = Self { folder, ports, provider: None, serving: None, key: String::new() };
        sides.start_provider();
        sides.start_service();
        let terms = json!({ "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0,
            "carteira_usdt": true, "cashout_fee_bps": 200, "cashout_fee_fixed_cents": 200 });
        let opened = json!({ "id": "acc-1", "account": "loja", "terms": terms });
        let opened = report(&sides.world(), "account.opened", &opened);
        opened["api_key"].as_str().unwrap().clone_into(&mut sides.key);
        for (name, body) in market() {
            assert_eq!(report(&sides.world(), name, &body)["outcome"], "applied", "{name}");
        }
        sides
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn world(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports[1])
    }

    pub fn start_provider(&mut self) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/provider.py");
        let said = std::fs::OpenOptions::new().create(true).append(true).open(self.path("said"));
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(self.ports[2].to_string());
        command.arg(format!("127.0.0.1:{}", self.ports[1]));
        command.args(["provider.db", "secret", "token"].map(|name| self.path(name)));
        let mut child = command.stdout(Stdio::piped()).stderr(said.unwrap()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("listens"), "{line}");
        self.provider = Some(child);
    }

    pub fn start_service(&mut self) {
        let [clients, world, provider] = self.ports.map(|port| format!("127.0.0.1:{port}"));
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--listen", &clients, "--internal-listen", &world, "--log", "off"]);
        command.args(["--internal-token", TOKEN, "--outbox", "--sentinel", "--key-rate", "0"]);
        command.args(["--address-rate", "0", "--webhooks", "false"]);
        command.args(["--supply-url", &format!("http://{provider}/supply")]);
        command.arg("--supply-secret-file").arg(self.path("secret"));
        command.args(["--instructions-to", &format!("http://{provider}/instructions")]);
        command.args(["--instructions-secret", SECRET, "--store"]).arg(self.path("ledger.db"));
        self.serving = Some(Serving::from_command(command));
    }

    pub fn kill_provider(&mut self) {
        if let Some(mut provider) = self.provider.take() {
            provider.kill().unwrap();
            provider.wait().unwrap();
        }
    }

    pub fn kill_service(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.signal("KILL");
            let _ = serving.rest();
        }
    }

    /// A client of the service, which goes on over kills.
    pub fn client(&self) -> Client {
        let base = format!("http://127.0.0.1:{}", self.ports[0]);
        let provider = format!("http://127.0.0.1:{}", self.ports[2]);
        Client { base, provider, key: self.key.clone() }
    }

    /// Waits until nothing is due any more, and ends both sides; gives what the provider did, as
    /// (topic, operation), in the order of its keys.
    pub fn end(mut self) -> Vec<(String, String)> {
        let began = Instant::now();
        let bearer = format!("Bearer {TOKEN}");
        loop {
            let url = format!("{}/instructions", self.world());
            let mut answer = agent().get(url).header("authorization", &bearer).call().unwrap();
            let answer: Value = answer.body_mut().read_json().unwrap();
            let owed = self.rows("SELECT name, answer FROM facts WHERE answer IS NULL");
            if answer["items"] == json!([]) && owed.is_empty() {
                break;
            }
            assert!(began.elapsed() < PATIENCE, "{answer}, {owed:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
        let serving = self.serving.take().unwrap();
        serving.signal("TERM");
        let (said, well) = serving.rest();
        assert!(well, "{said}");
        self.kill_provider();
        let said = std::fs::read_to_string(self.path("said")).unwrap();
        // Whoever was killed took its connections with it.
        let broken = ["BrokenPipeError", "ConnectionResetError"];
        let faults = said.lines().filter(|line| line.split(':').next().unwrap().ends_with("Error"));
        let faults = faults.filter(|line| !broken.iter().any(|known| line.starts_with(known)));
        assert_eq!(faults.count(), 0, "{said}");
        assert!(!said.contains("a person looks"), "{said}");
        let audit = super::program(&["audit", self.path("ledger.db").to_str().unwrap()]);
        assert!(audit.status.success(), "{}", String::from_utf8_lossy(&audit.stdout));
        self.rows("SELECT what, subject FROM done WHERE what LIKE '%.%' ORDER BY key")
    }

    /// Rows of two texts of the provider's own store.
    fn rows(&self, query: &str) -> Vec<(String, String)> {
        let script = "import json, sqlite3, sys\n\
            print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))";
        let mut command = Command::new("python3");
        command.args(["-c", script]).arg(self.path("provider.db")).arg(query);
        let output = command.output().unwrap();
        let rows: Vec<[Option<String>; 2]> = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
        rows.into_iter().map(|[one, two]| (one.unwrap(), two.unwrap_or_default())).collect()
    }
}

impl Drop for Sides {
    fn drop(&mut self) {
        self.kill_provider();
    }
}

/// Whoever asks the service, and plays the world outside of the provider.
#[derive(Clone)]
pub struct Client {
    base: String,
    provider: String,
    key: String,
}

impl Client {
    /// An address of the provider's.
    pub fn provider(&self, path: &str) -> String {
        format!("{}/{path}", self.provider)
    }

    /// Asks until there is an answer that no further asking would change.
    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let began = Instant::now();
        loop {
            let url = format!("{}{path}", self.base);
            let sent = if method == "GET" {
                agent().get(url).header("x-api-key", &self.key).call()
            } else {
                agent().post(url).header("x-api-key", &self.key).send_json(body)
            };
            if let Ok(mut answer) = sent {
                let status = answer.status().as_u16();
                let read = answer.body_mut().read_json::<Value>();
                if let (true, Ok(body)) = (status < 500, read) {
                    assert!(status < 300, "{method} {path}: {status} {body}");
                    return body;
                }
            }
            assert!(began.elapsed() < PATIENCE, "no answer to {method} {path}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, body)
    }

    pub fn get(&self, path: &str) -> Value {
        self.ask("GET", path, &Value::Null)
    }

    /// Plays until the provider has heard it.
    pub fn play(&self, said: &Value) {
        let began = Instant::now();
        while !agent()
            .post(self.provider("play"))
            .send_json(said)
            .is_ok_and(|it| it.status() == 200)
        {
            assert!(began.elapsed() < PATIENCE, "the provider did not hear {said}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until a field of what is got says so.
    pub fn until(&self, path: &str, field: &str, is: &str) -> Value {
        let began = Instant::now();
        loop {
            let found = self.get(path);
            if found.pointer(field).is_some_and(|found| found == is) {
                return found;
            }
            assert!(began.elapsed() < PATIENCE, "{path} is not {is}: {found}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn market() -> [(&'static str, Value); 7] {
    let pair = |network: &str, path: &str| {
        json!({ "asset": "usdt", "network": network,
        "path": path, "eta_minutes": 2 })
    };
    [
        (
            "policy.adopted",
            json!({ "id": "f-1", "payer_ladder": false, "auto_refund_max_usdt": 5000 }),
        ),
        (
            "catalog.updated",
            json!({ "id": "f-2", "items": [{ "asset": "usdt", "chain": "polygon",
            "rail": "instant", "minBuyAmount": "5", "eta": "1 min", "etaSeconds": 60 }] }),
        ),
        (
            "markets.updated",
            json!({ "id": "f-3", "items":
            [pair("polygon", "FAST"), pair("arbitrum", "DEX")] }),
        ),
        ("rate.quoted", json!({ "id": "f-4", "asset": "usdt", "brl_per_unit": "5.40" })),
        (
            "treasury.moved",
            json!({ "id": "f-5", "from": "equity.funding", "to": "treas",
            "asset": "usdt", "chain": "polygon", "amount": "1000" }),
        ),
        (
            "treasury.moved",
            json!({ "id": "f-6", "from": "equity.funding", "to": "prov.pay",
            "amount_cents": 5_000_000 }),
        ),
        (
            "wallet.configured",
            json!({ "id": "f-7", "min_deposit": "5", "withdrawal_fee": "0.1",
            "networks": [{ "network": "polygon", "name": "Polygon", "assets": ["USDT"],
                "eta_minutes": 2, "network_fee": "0.1" }] }),
        ),
    ]
}
