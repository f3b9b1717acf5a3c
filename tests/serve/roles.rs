//! `serve` on PostgreSQL under the role that `ledger-store/grants/` gives it, and no more.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::server;
use super::{PROGRAM, Serving, TOKEN, agent, post, program};

const GRANTS: [&str; 4] = [
    include_str!("../../ledger-store/grants/postgres.sql"),
    include_str!("../../ledger-store/grants/service.sql"),
    include_str!("../../ledger-store/grants/dashboard.sql"),
    include_str!("../../ledger-store/grants/operators.sql"),
];

/// How long is waited for a webhook.
const PATIENCE: Duration = Duration::from_mins(1);

/// An endpoint that takes everything, and what it took.
struct Endpoint {
    address: SocketAddr,
    taken: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let taken = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&taken);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let (mut request, mut part) = (Vec::new(), [0; 4_096]);
                while let Ok(read @ 1..) = stream.read(&mut part) {
                    request.extend_from_slice(&part[..read]);
                    let text = String::from_utf8_lossy(&request);
                    // Bodies are objects, sent whole.
                    if text.contains("\r\n\r\n{") && text.ends_with('}') {
                        break;
                    }
                }
                let text = String::from_utf8_lossy(&request).into_owned();
                kept.lock().unwrap().push(text);
                let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(answer);
            }
        });
        Self { address, taken }
    }

    fn waits_for(&self, event: &str) {
        let began = Instant::now();
        let named = format!("\"event\":\"{event}\"");
        while !self.taken.lock().unwrap().iter().any(|taken| taken.contains(&named)) {
            assert!(began.elapsed() < PATIENCE, "{event} did not come");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn serving(store: &str, endpoint: &Endpoint) -> Serving {
    let mut command = std::process::Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
    command.args(["--internal-token", TOKEN, "--log", "off", "--outbox", "true"]);
    command.args(["--webhooks-to", &format!("http://{}", endpoint.address), "--store", store]);
    // No server is there: links are written down before they are mailed.
    command.args(["--mail-url", "smtp://127.0.0.1:9", "--mail-from", "painel@example.com"]);
    command.args(["--console-listen", "127.0.0.1:0"]);
    Serving::from_command(command)
}

fn ended(serving: Serving) {
    serving.signal("TERM");
    let (said, well) = serving.rest();
    assert!(well, "{said}");
}

fn get_json(url: &str, key: &str) -> Value {
    let mut answer = agent().get(url).header("x-api-key", key).call().unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    answer.body_mut().read_json().unwrap()
}

/// A charge of the sandbox that is paid, and told of; gives the key that it was made with.
fn lives(base: &str, endpoint: &Endpoint) -> String {
    let body = json!({ "email": "ana@exemplo.com.br" });
    let (status, made) = post(&agent(), &format!("{base}/keys/sandbox"), ("x-none", "-"), &body);
    assert_eq!(status, 200, "{made}");
    let key = made["api_key"].as_str().unwrap().to_owned();
    let header = ("x-api-key", &*key);
    let url = json!({ "webhook_url": "https://loja.example/hooks" });
    let set = agent().patch(format!("{base}/keys/me")).header(header.0, header.1).send_json(&url);
    assert_eq!(set.unwrap().status(), 200);
    let charge = json!({ "amount_cents": 5_000, "destino": "saldo", "external_id": "d",
        "payer_tax_number": "52998224725" });
    let (status, charge) = post(&agent(), &format!("{base}/cashin/charge"), header, &charge);
    assert_eq!(status, 200, "{charge}");
    let id = charge["cashin_id"].as_str().unwrap();
    let (status, paid) =
        post(&agent(), &format!("{base}/sandbox/cashin/{id}/pay"), header, &json!({}));
    assert_eq!(status, 200, "{paid}");
    endpoint.waits_for("cashin.paid");
    key
}

/// A link for the account's e-mail, written down; sessions are looked for.
fn mailed(base: &str, writer: &str) {
    let body = json!({ "email": "ana@exemplo.com.br" });
    let (status, answer) =
        post(&agent(), &format!("{base}/keys/painel-link"), ("x-none", "-"), &body);
    assert_eq!(status, 200, "{answer}");
    let began = Instant::now();
    // Without a row this divides by zero.
    while server::execute(writer, "SELECT 1 / count(*) FROM dashboard_openers").is_err() {
        assert!(began.elapsed() < PATIENCE, "no link was written down");
        std::thread::sleep(Duration::from_millis(20));
    }
    let cookie = format!("painel={}", "0".repeat(64));
    let page = agent().get(format!("{base}/painel/sandbox/x/")).header("cookie", cookie);
    let page = page.config().max_redirects(0).build().call().unwrap();
    assert_eq!(page.status(), 303, "no session is begun, and the tables can be read");
}

/// An operator signs in to the console: who they are is read, and a session is begun and used.
fn signed_in(console: &str, credential: &str) {
    let url = format!("{console}/sign-in");
    let sent = agent().post(&url).header("origin", console).config().max_redirects(0).build();
    let answer = sent.send_form([("to", "/live/decide"), ("credential", credential)]).unwrap();
    assert_eq!(answer.status(), 303);
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let page = agent().get(format!("{console}/live/decide")).header("cookie", cookie).call();
    let page = page.unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains("(bia)"), "{page}");
}

#[test]
fn the_service_and_its_courier_work_under_the_writers_role_which_may_do_no_more() {
    let (owner, endpoint) = (server::database(), Endpoint::start());
    ended(serving(&owner, &endpoint));
    for role in ["ledger_writer", "ledger_reader"] {
        server::execute(&owner, &format!("CREATE ROLE {role} LOGIN")).unwrap();
    }
    let hired = ["operator", "add", "bia", "--role", "decide", "--store", &owner];
    let hired = program(&hired);
    let credential = String::from_utf8(hired.stdout).unwrap();
    for grants in GRANTS {
        server::execute(&owner, grants).unwrap();
    }
    let writer = owner.replace("ledger@", "ledger_writer@");

    let first = serving(&writer, &endpoint);
    let base = first.address("serves");
    let key = lives(&base, &endpoint);
    let header = ("x-api-key", &*key);
    let began = Instant::now();
    let id = loop {
        let listed = get_json(&format!("{base}/webhooks/deliveries"), &key);
        let items = listed["items"].as_array().unwrap();
        let delivered = items.iter().find(|item| item["status"] == "delivered");
        if let Some(delivered) = delivered {
            break delivered["id"].as_str().unwrap().to_owned();
        }
        assert!(began.elapsed() < PATIENCE, "{listed}");
        std::thread::sleep(Duration::from_millis(20));
    };
    let resend = format!("{base}/webhooks/deliveries/{id}/resend");
    assert_eq!(post(&agent(), &resend, header, &json!({})).0, 200);
    assert_eq!(post(&agent(), &format!("{base}/webhooks/test"), header, &json!({})).0, 200);
    let events = json!({ "events": ["cashin.paid"] });
    let chosen = agent().put(format!("{base}/webhooks/filter")).header(header.0, header.1);
    assert_eq!(chosen.send_json(&events).unwrap().status(), 200);
    mailed(&base, &writer);
    signed_in(&first.address("the console"), credential.trim());
    ended(first);

    // Another start goes on, and the world acknowledges what it carried out.
    let second = serving(&writer, &endpoint);
    let base = second.address("serves");
    let shown = get_json(&format!("{base}/webhooks/deliveries/{id}"), &key);
    assert_eq!(shown["history"].as_array().unwrap().len(), 2, "{shown}");
    assert_eq!(get_json(&format!("{base}/webhooks/filter"), &key), events);
    ended(second);

    // What pruning removes, and nothing else.
    for allowed in [
        "DELETE FROM webhook_attempts WHERE at < 0",
        "DELETE FROM webhook_deliveries WHERE updated_at < 0",
        "DELETE FROM dashboard_openers WHERE expires_at < 0",
        "DELETE FROM operator_sessions WHERE expires_at < 0",
    ] {
        server::execute(&writer, allowed).unwrap();
    }
    for forbidden in [
        "UPDATE webhook_attempts SET outcome = ''",
        "DELETE FROM webhook_endpoints",
        "DELETE FROM webhook_filters",
        "DELETE FROM outbox",
        "UPDATE dashboard_openers SET live = ''",
        "UPDATE operators SET roles = 'decide-above'",
        "INSERT INTO operators VALUES ('eva', '', 'hold', 0, 0, NULL)",
        "UPDATE operator_sessions SET credential = ''",
        "DELETE FROM operator_acts",
        "DELETE FROM operator_certificates",
        "UPDATE journal SET payload = ''",
        "DELETE FROM journal",
        "TRUNCATE webhook_deliveries",
        "DROP TABLE webhook_deliveries",
        "ALTER TABLE webhook_deliveries ADD COLUMN mine TEXT",
    ] {
        assert!(server::execute(&writer, forbidden).is_err(), "{forbidden}");
    }
    let reader = owner.replace("ledger@", "ledger_reader@");
    for table in [
        "outbox",
        "webhook_deliveries",
        "webhook_attempts",
        "webhook_endpoints",
        "dashboard_openers",
        "operators",
        "operator_sessions",
        "operator_proposals",
        "operator_assignments",
        "operator_acts",
        "operator_certificates",
    ] {
        let read = server::execute(&reader, &format!("SELECT * FROM {table}"));
        assert!(read.is_err(), "{table}");
    }
}
