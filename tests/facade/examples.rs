//! The examples of the library run, as they say.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use custody_ledger::Ledger;
use custody_ledger::request::account::UpdateAccount;
use ledger_core::contract::signature;
use serde_json::{Value, json};

use super::shop::{CPF, Shop, e2e};

#[test]
fn the_first_example_collects_and_pays() {
    let folder = tempfile::tempdir().unwrap();
    let said = run("embed", &[&folder.path().join("ledger.db").display().to_string()]);
    assert!(said.starts_with("available: 4900\npayout po_"), "{said}");
}

#[test]
fn a_sale_is_split_whole_and_given_back_whole_or_not_at_all() {
    let said = run("marketplace", &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..3], ["ana to casa: 250", "ana to bia: 6500", "ana to eva: 3250"], "{said}");
    assert!(lines[3].contains("pernas[1].amount_cents"), "{said}");
    let balances = [
        "5000 centavos after 7 rows",
        "3250 centavos after 2 rows",
        "1625 centavos after 2 rows",
        "125 centavos after 2 rows",
    ];
    assert_eq!(lines[4..], balances);
}

#[test]
fn money_in_escrow_is_the_sellers_as_captured_and_the_buyers_when_nobody_did() {
    let said = run("escrow", &[]);
    let lines = [
        "at first: buyer 10000 and 0 held, seller 0",
        "reserved: buyer 4000 and 6000 held, seller 0",
        "captured: buyer 4000 and 1800 held, seller 4000",
        "released: buyer 5800 and 0 held, seller 4000",
        "reserved again: buyer 800 and 5000 held, seller 4000",
        "expired: buyer 5800 and 0 held, seller 4000",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn a_template_is_proven_before_it_splits_a_sale() {
    let said = run("template", &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].contains("legs[3]: it cannot be proven that this never falls"), "{said}");
    assert!(lines[1].contains("outside_template"), "{said}");
    assert_eq!(lines[2..], ["ana: 30000 centavos", "bia: 17550 centavos"]);
}

#[test]
fn the_property_of_a_service_holds() {
    assert_eq!(run("property", &[]), "64 histories, and the sum stood in each\n");
}

#[test]
fn points_are_given_and_spent_as_money_and_no_more_than_there_are() {
    let said = run("points", &[]);
    let lines =
        ["given: Applied", "spent-1: Applied", "spent-2: SetAside", "mixed: ", "available: 150"];
    let begin = said.lines().zip(lines).all(|(line, begins)| line.starts_with(begins));
    assert!(begin && said.lines().count() == lines.len(), "{said}");
    assert!(said.contains("legs must balance in pontos"), "{said}");
}

#[test]
fn the_service_collects_pays_and_sends_signed_webhooks() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("service.db").display());
    // The program goes on by the machine's clock.
    let now = custody_ledger::Clock::now(&custody_ledger::SystemClock);
    let shop = Shop::dated(Ledger::builder(&store), &now.to_string());
    let hooks = "https://loja.example/hooks".try_into().unwrap();
    let update = UpdateAccount::new()
        .webhook_url(hooks)
        .entropy("7".repeat(64).as_str().try_into().unwrap());
    let secret = shop.loja.ask(&update).wait().unwrap().answer.webhook_secret.unwrap();
    shop.ledger.shutdown().unwrap();

    let (forwarder, webhooks) = forwarder();
    let mut service = Service::start(&store, &forwarder);
    let charge = service.post(
        "/charges",
        json!({ "cents": 5_000, "payer": CPF, "customer": "ana",
        "id": "c-1", "qr": "a code" }),
    );
    let e2e = e2e(1);
    let paid = service.post(
        "/provider/pix",
        json!({ "e2e": e2e.as_str(), "cents": 5_000,
        "charge": charge["cashin_id"] }),
    );
    assert_eq!(paid["outcome"], "applied");
    service.post("/transfers", json!({ "from": "ana", "to": "bia", "cents": 1_000, "id": "t-1" }));
    let payout = service.post(
        "/payouts",
        json!({ "cents": 1_000, "customer": "ana",
        "document": CPF, "pix_key": "ana@example.com", "id": "p-1" }),
    );
    let balance: Value = ureq::get(&format!("{}/balances/bia", service.address))
        .call()
        .unwrap()
        .body_mut()
        .read_json()
        .unwrap();
    assert_eq!(balance["disponivel_cents"], 1_000);

    let mut events = Vec::new();
    while !events.iter().any(|event: &Value| event["event"] == "payout.processing") {
        let (signature, body) = webhooks.recv_timeout(Duration::from_secs(30)).unwrap();
        let now = custody_ledger::Clock::now(&custody_ledger::SystemClock);
        signature::verify(&secret, &signature, body.as_bytes(), now, signature::TOLERANCE).unwrap();
        events.push(serde_json::from_str(&body).unwrap());
    }
    let paid = events.iter().find(|event| event["event"] == "cashin.paid").unwrap();
    assert_eq!(paid["data"]["cashin_id"], charge["cashin_id"]);
    let created = events.iter().find(|event| event["event"] == "payout.created").unwrap();
    assert_eq!(created["data"]["payout_id"], payout["payout_id"]);
    let said = service.stop();
    assert!(said.starts_with("stopped at record "), "{said}");
}

/// The service as a program of its own.
struct Service {
    process: Child,
    output: BufReader<ChildStdout>,
    address: String,
}

impl Service {
    fn start(store: &str, forwarder: &str) -> Self {
        let mut process = example("service")
            .args([store, "127.0.0.1:0", forwarder])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").expect("it listens");
        let address = format!("http://{address}");
        Self { process, output, address }
    }

    fn post(&mut self, path: &str, body: Value) -> Value {
        let answer = ureq::post(&format!("{}{path}", self.address)).send_json(body);
        answer.unwrap().body_mut().read_json().unwrap()
    }

    /// Closes its input; gives what it says last.
    fn stop(mut self) -> String {
        drop(self.process.stdin.take());
        let mut said = String::new();
        self.output.read_to_string(&mut said).unwrap();
        assert!(self.process.wait().unwrap().success());
        said
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // One that stopped is gone already.
        let _ = self.process.kill();
    }
}

/// An address that takes whatever is posted, and the signatures and bodies that come there.
fn forwarder() -> (String, Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut length, mut signature) = (0, String::new());
            for line in (&mut stream).lines().map(Result::unwrap).take_while(|it| !it.is_empty()) {
                let (name, value) = line.split_once(": ").unwrap_or_default();
                match name.to_ascii_lowercase().as_str() {
                    "content-length" => length = value.parse().unwrap(),
                    "x-webhook-signature" => value.clone_into(&mut signature),
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let answer = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
            stream.get_mut().write_all(answer).unwrap();
            if sender.send((signature, String::from_utf8(body).unwrap())).is_err() {
                break;
            }
        }
    });
    (address, received)
}

/// An example as `cargo test` has built it beside the tests; built now, where this test alone was.
fn example(name: &str) -> Command {
    let own = std::env::current_exe().unwrap();
    let path = own.ancestors().nth(2).unwrap().join("examples").join(name);
    if !path.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--locked", "--example", name]);
        assert!(build.status().unwrap().success(), "{name} is not built");
    }
    Command::new(path)
}

fn run(name: &str, arguments: &[&str]) -> String {
    let done = example(name).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}
