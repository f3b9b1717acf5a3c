//! What is secret or personal stays where it was said: after a load of requests it stands in no log
//! line, metric, error or page.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use ledger_http::documents::Config;
use ledger_http::{LineFormat, LineLog, console_router};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::served::{Answer, KEY, Lines, Served};

/// How often everything is asked, each time by an account of its own.
const ROUNDS: usize = 20;

/// Persons, their documents and keys, and what clients wrote, as they come in requests.
const SAID: [&str; 12] = [
    "52998224725",
    "11144477735",
    "529.982.247-25",
    "dona.secreta@exemplo.com.br",
    "segredo.pix@exemplo.com.br",
    "+5511987650001",
    "123e4567-e12b-12d1-a456-426614174000",
    "Dona Secreta",
    "palavra particular",
    "caminho-secreto",
    "svc_test_que_ninguem_tem",
    "0x52908400098527886e0f7030069857d2e4169ee7",
];

/// A text, and where it was found.
struct SearchedText {
    place: String,
    text: String,
}

/// The texts to be searched, and what must not stand in them.
#[derive(Default)]
struct Search {
    found: Vec<SearchedText>,
    secrets: Vec<String>,
}

impl Search {
    fn add(&mut self, place: impl Into<String>, text: impl Into<String>) {
        self.found.push(SearchedText { place: place.into(), text: text.into() });
    }

    /// An answer to a client is its own, unless it is an error: those end in logs and in support.
    fn add_answer(&mut self, place: &str, answer: &Answer) {
        if answer.status >= 400 {
            self.add(place, &*answer.text);
        }
        let headers = answer.headers.iter().map(|(name, value)| format!("{name}: {value:?}"));
        self.add(format!("headers of {place}"), headers.collect::<Vec<_>>().join("\n"));
    }

    /// A secret that stands somewhere, and where.
    fn leak(&self) -> Option<String> {
        let secrets = SAID.iter().copied().chain(self.secrets.iter().map(String::as_str));
        let leaks = secrets.flat_map(|secret| {
            let held = self.found.iter().filter(move |found| found.text.contains(secret));
            held.map(move |found| format!("{secret} stands in {}: {}", found.place, found.text))
        });
        leaks.into_iter().next()
    }
}

fn secret(answer: &Value, name: &str) -> String {
    let secret = answer[name].as_str().unwrap_or_else(|| panic!("{name}: {answer}"));
    secret.rsplit_once("/monitor/").map_or(secret, |(_, token)| token).to_owned()
}

/// A new account asks for everything that takes a secret or names a person, well and ill.
fn asks(served: &Served, search: &mut Search, round: usize) {
    let email = json!({ "email": SAID[3] });
    let made = served.post("/keys/sandbox", &[], &email);
    assert_eq!(made.status, 200, "{}", made.text);
    let key = secret(&made.body(), "api_key");
    let header = [("x-api-key", &*key), ("content-type", "application/json")];
    let url = format!("https://loja.example/{}/{round}", SAID[9]);
    let set = json!({ "webhook_url": url, "rotate_webhook_secret": true,
        "rotate_monitor_token": true });
    let set = served.send("PATCH", "/keys/me", &header, Some(&set.to_string()));
    assert_eq!(set.status, 200, "{}", set.text);
    let set = set.body();
    let monitor = secret(&set, "monitor_url");
    let page = served.get(&format!("/monitor/{monitor}"), &[]);
    assert_eq!(page.status, 200);
    // Links of the monitor lead on by its own token.
    search.add("the monitor", page.text.replace(&monitor, ""));
    search.secrets.extend([key.clone(), secret(&set, "webhook_secret"), monitor]);
    search.secrets.push(secret(&set, "webhook_whsec"));

    let charge = json!({ "amount_cents": 2_500, "destino": "saldo", "customer_ref": "ana",
        "payer_tax_number": SAID[0], "external_id": format!("d-{round}") });
    let charge = served.post("/cashin/charge", &header, &charge);
    search.add_answer("charge", &charge);
    if charge.status == 200 {
        let id = secret(&charge.body(), "cashin_id");
        let paid = served.post(&format!("/sandbox/cashin/{id}/pay"), &header, &json!({}));
        search.add_answer("pay", &paid);
    }
    let wallet = SAID[11];
    for (path, body) in [
        ("/cashin/charge", json!({ "amount_cents": 2_500, "payer_tax_number": SAID[2] })),
        ("/cashin/charge", json!({ "amount_cents": SAID[4], "payer_tax_number": SAID[1] })),
        (
            "/payouts",
            json!({ "amount_cents": 99_000_000, "pix_key": SAID[4],
            "tax_number": SAID[1], "external_id": "p", "descricao": SAID[8] }),
        ),
        ("/payouts", json!({ "amount_cents": 100, "pix_key": SAID[0], "external_id": "q" })),
        ("/payouts", json!({ "amount_cents": 100, "pix_key": SAID[6], "pix_key_type": SAID[5] })),
        (
            "/cash-outs",
            json!({ "asset": "usdt", "network": "tron", "brl_amount": "100.00",
            "pix_key": SAID[5], "refund_address": wallet, "payee_tax_number": SAID[2] }),
        ),
        (
            "/saldo/sacar-cripto",
            json!({ "amount_cents": 1_000, "payout_address": wallet,
            "tax_number": SAID[0], "external_id": "s" }),
        ),
        (
            "/saldo/transferir",
            json!({ "amount_cents": 1_000, "to_customer_ref": "bia",
            "external_id": "t", "descricao": SAID[8] }),
        ),
        ("/keys/painel-link", json!({ "email": SAID[3] })),
        ("/keys/sandbox", json!({ "email": SAID[7] })),
        ("/mesh/agents", json!({ "name": SAID[7], "contact": SAID[3], "capabilities": [SAID[8]] })),
    ] {
        search.add_answer(path, &served.post(path, &header, &body));
    }
    for target in [
        "/pix/keys/lookup?key=segredo.pix%40exemplo.com.br",
        "/pix/keys/lookup?key=52998224725",
        "/pix/keys/lookup?key=%2B5511987650001&type=segredo.pix%40exemplo.com.br",
        "/cashin/limits?payer_tax=52998224725",
        "/cashin/limits?payer_tax=529.982.247-25",
        "/saldo?customer_ref=11144477735",
    ] {
        search.add_answer(target.split('?').next().unwrap(), &served.get(target, &header));
    }
    let stranger = [("x-api-key", SAID[10]), ("accept", "application/problem+json")];
    search.add_answer("a key of nobody", &served.get("/saldo", &stranger));
    let cut = served.send("POST", "/payouts", &header, Some("{\"pix_key\":\"+5511987650001\""));
    search.add_answer("a body that ends early", &cut);
    let twice = "{\"pix_key\":\"+5511987650001\",\"pix_key\":\"segredo.pix@exemplo.com.br\"}";
    search.add_answer("a field twice", &served.send("POST", "/payouts", &header, Some(twice)));
}

/// The console's pages that one ledger has.
async fn console(served: &Served, search: &mut Search) {
    let mut todo = vec!["/sandbox/".to_owned(), "/sandbox/requests".to_owned()];
    let mut seen = Vec::new();
    while let Some(target) = todo.pop() {
        if seen.contains(&target) || seen.len() >= 400 {
            continue;
        }
        let request = Request::get(&target).header("host", "127.0.0.1").body(Body::empty());
        let answer = console_router(&served.service, None).oneshot(request.unwrap()).await;
        let bytes = to_bytes(answer.unwrap().into_body(), 10_000_000).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let links = text.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        let own = links.filter(|link| link.starts_with("/sandbox/") && !link.contains("lang="));
        todo.extend(own.map(|link| link.replace("&#38;", "&")));
        search.add(format!("the console's {target}"), text);
        seen.push(target);
    }
    assert!(seen.len() > 50, "{seen:?}");
}

#[test]
fn keys_secrets_and_persons_stand_in_no_log_metric_error_or_page() {
    let text = Lines::default();
    let config = Config::at("https://api.example.com");
    let log = text.clone();
    let served = Served::with(64, |service| {
        service.documents(config).access_log(LineLog::new(LineFormat::Text, log))
    });
    served.open_account();
    let mut search = Search { secrets: vec![KEY.to_owned()], ..Search::default() };
    for round in 0..ROUNDS {
        asks(&served, &mut search, round);
    }
    search.add_answer("live", &served.get("/saldo", &[("x-api-key", KEY)]));
    // The world is told whole keys by its instructions alone.
    for target in ["/metrics", "/health/ready"] {
        search.add(target, served.world().get(target).text);
    }
    search.add("health", served.get("/health/ready", &[]).text);
    let lines = text.text();
    assert!(lines.lines().count() > ROUNDS * 20, "{lines}");
    search.add("the log", lines);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(console(&served, &mut search));
    let errors = search.found.iter().filter(|found| found.text.contains("\"erro\"")).count();
    assert!(errors > ROUNDS * 8, "{errors} errors were searched");
    assert_eq!(search.leak(), None);
    // What is found is what stands there.
    search.add("a place", format!("a line with {}", search.secrets[1]));
    assert!(search.leak().is_some_and(|leak| leak.contains("stands in a place")));
}
