//! A service of several ledgers of real money: each account's requests, facts, instructions and
//! webhooks find the ledger that the account lives in.

use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use ledger_core::contract::{Call, CallKind};
use ledger_http::courier::{CourierTask, WebhookSettings, Webhooks};
use ledger_http::{OpenLedger, Supply, Supplying};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::receiver::Receiver;
use crate::served::{Answer, Served};

pub const CELLS: [&str; 3] = ["cell-a", "cell-b", "cell-c"];

/// A provider of codes, each the same.
pub struct Codes;

impl Supply for Codes {
    fn supply<'a>(&'a self, _: &'a OpenLedger, call: &'a mut Call) -> Supplying<'a> {
        Box::pin(async move {
            if matches!(&call.ask, CallKind::Request { target, .. } if target == "/cashin/charge") {
                let id = call.body["external_id"].as_str().unwrap_or_default();
                call.supplied["qr_copypaste"] = format!("00020126-{id}").into();
            }
            Ok(())
        })
    }
}

pub fn started() -> Served {
    let served = Served::in_cells(&CELLS, |service, _| service.supply(Codes));
    open(&served, &["loja", "bazar", "feira"]);
    served
}

pub fn open(served: &Served, accounts: &[&str]) {
    for account in accounts {
        let body = json!({ "id": format!("open-{account}"), "account": account,
            "terms": { "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0 } });
        let answer = reported(served, "account.opened", &body);
        assert_eq!(answer["outcome"], "applied", "{answer}");
        let key = json!({ "id": format!("key-{account}"), "account": account, "actor": "bia",
            "reason": "as the tests know it" });
        let line = json!({ "at": served.clock.now().to_string(), "fact": "key.replaced",
            "body": key, "supplied": { "key": key_of(account) } });
        let answer = served.world().post("/lines", &format!("{line}\n"));
        assert!(answer.text.contains("\"applied\""), "{}", answer.text);
    }
}

pub fn key_of(account: &str) -> String {
    format!("svc_live_{account}")
}

pub fn reported(served: &Served, name: &str, body: &Value) -> Value {
    let answer = served.world().post(&format!("/facts/{name}"), &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body()
}

pub fn post_as(served: &Served, account: &str, path: &str, body: &Value) -> Answer {
    served.post(path, &[("x-api-key", &key_of(account))], body)
}

pub fn read(served: &Served, account: &str, target: &str) -> Value {
    let answer = served.get(target, &[("x-api-key", &key_of(account))]);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.body()
}

pub fn charged(served: &Served, account: &str, cents: i64, id: &str) -> Answer {
    let body = json!({ "amount_cents": cents, "destino": "saldo", "customer_ref": "ana",
        "payer_tax_number": "52998224725", "external_id": id });
    post_as(served, account, "/cashin/charge", &body)
}

pub fn e2e(number: u32) -> String {
    format!("E90400888202611201200{number:011}")
}

/// Collects a PIX; gives the id of its charge.
pub fn collect(served: &Served, account: &str, cents: i64, number: u32) -> String {
    let made = charged(served, account, cents, &format!("charge-{number}"));
    assert_eq!(made.status, 200, "{}", made.text);
    let id = made.body()["cashin_id"].as_str().unwrap().to_owned();
    let body = json!({ "cashin_id": id, "e2e": e2e(number), "amount_cents": cents });
    assert_eq!(reported(served, "pix.received", &body)["outcome"], "applied");
    id
}

fn give(served: &Served, account: &str, cents: i64) {
    let gift = json!({ "id": format!("gift-{account}"), "account": account,
        "effect_cents": cents, "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    assert_eq!(reported(served, "fee.adjusted", &gift)["outcome"], "applied");
}

fn pay_out(served: &Served, account: &str, id: &str) -> String {
    let body = json!({ "amount_cents": 1_000, "pix_key": "52998224725",
        "tax_number": "52998224725", "external_id": id });
    let made = post_as(served, account, "/payouts", &body);
    assert_eq!(made.status, 200, "{}", made.text);
    made.body()["payout_id"].as_str().unwrap().to_owned()
}

fn records(served: &Served, cell: &str) -> u64 {
    let ready = served.world().get("/health/ready").body();
    ready["ledgers"][cell]["seq"].as_u64().unwrap()
}

#[test]
fn accounts_are_placed_where_the_fewest_are_and_requests_by_key_reach_them() {
    let served = started();
    let before = CELLS.map(|cell| records(&served, cell));
    collect(&served, "bazar", 5_000, 1);
    let after = CELLS.map(|cell| records(&served, cell));
    assert_eq!(after[0], before[0]);
    assert_eq!(after[1], before[1] + 2, "a charge and its payment");
    assert_eq!(after[2], before[2]);
    let balance =
        |account| read(&served, account, "/saldo?customer_ref=ana")["disponivel_cents"].clone();
    assert_ne!(balance("bazar"), 0);
    assert_eq!((balance("loja"), balance("feira")), (json!(0), json!(0)));
}

#[test]
fn a_key_that_opens_nothing_is_refused_as_by_one_ledger() {
    let (served, one) = (started(), Served::start());
    for key in ["svc_live_nobody", "nobody", "svc_old_1"] {
        let of = |served: &Served| {
            let answer = served.get("/saldo", &[("x-api-key", key)]);
            (answer.status, answer.body()["erro"].clone(), answer.body()["detail"].clone())
        };
        assert_eq!(of(&served), of(&one), "{key}");
        assert_eq!(of(&served).0, 401, "{key}");
    }
}

#[test]
fn a_fact_that_opens_no_account_places_none_and_is_answered_as_by_one_ledger() {
    let (served, one) = (Served::in_cells(&CELLS, |service, _| service), Served::start());
    let long = "x".repeat(201);
    for wrong in [
        json!({ "account": "mercado" }),
        json!({ "id": "a-9", "account": "" }),
        json!({ "id": "a-9", "account": long }),
        json!({ "id": "a-9", "account": "mercado", "terms": { "deposito_fee_bps": 10_001 } }),
    ] {
        let of = |served: &Served| {
            let answer = served.world().post("/facts/account.opened", &wrong.to_string());
            let mut body = answer.body();
            body.as_object_mut().unwrap().remove("request_id");
            (answer.status, body)
        };
        assert_eq!(of(&served), of(&one), "{wrong}");
        assert_eq!(of(&served).0, 400, "{wrong}");
    }
    // So the next goes where the fewest are, as if nothing had been reported.
    open(&served, &["loja"]);
    assert_eq!(CELLS.map(|cell| records(&served, cell)), [2, 0, 0]);
}

#[test]
fn a_key_opens_one_account_over_all_cells() {
    let (served, one) = (started(), Served::with(64, |service| service));
    open(&one, &["loja", "bazar", "feira"]);
    let before = CELLS.map(|cell| records(&served, cell));
    let agent = json!({ "id": "g-1", "agent_id": "ag_0000000000010123456789abcdef",
        "name": "Ada", "contact": "ada@example.com", "capabilities": ["brl_to_pix"],
        "settlement_address": "0x52908400098527886E0F7030069857D2E4169EE7" });
    let decided = json!({ "id": "r-1", "account": "feira", "actor": "bia", "reason": "a test" });
    let facts = [
        ("account.opened", json!({ "id": "a-1", "account": "mercado" }), "bazar"),
        ("agent.activated", agent, "bazar"),
        ("key.replaced", decided, "bazar"),
        // Two at once with a key that nobody has yet.
        ("account.opened", json!({ "id": "a-2", "account": "padaria" }), "padaria"),
        ("account.opened", json!({ "id": "a-3", "account": "mercado" }), "padaria"),
    ];
    let lines = |served: &Served| {
        let line = |(fact, body, of): &(&str, Value, &str)| {
            json!({ "at": served.clock.now().to_string(), "fact": fact, "body": body,
                "supplied": { "key": key_of(of) } })
        };
        let lines: Vec<String> = facts.iter().map(|fact| line(fact).to_string()).collect();
        served.world().post("/lines", &(lines.join("\n") + "\n")).text
    };
    let [answers, again] = [(); 2].map(|()| {
        let answers = lines(&served);
        assert_eq!(answers, lines(&one), "as by one ledger");
        answers
    });
    let said: Vec<_> = answers.lines().map(|line| line.matches("id_taken").count()).collect();
    assert_eq!(said, [1, 1, 1, 0, 1], "{answers}");
    assert_eq!(again.matches("known").count(), facts.len(), "{again}");
    // Each waits where its key is known, and nothing was placed for it: the account that was opened
    // went where the fewest are.
    let after = CELLS.map(|cell| records(&served, cell));
    assert_eq!(after, [before[0] + 2, before[1] + 3, before[2]]);
    assert_eq!(read(&served, "padaria", "/saldo")["disponivel_cents"], 0);
}

#[test]
fn facts_as_lines_keep_their_order_and_each_finds_its_ledger() {
    let served = started();
    let mut lines = String::new();
    for number in 1..=30_u32 {
        let account = ["loja", "bazar", "feira"][number as usize % 3];
        let id = charged(&served, account, 500, &format!("c-{number}")).body()["cashin_id"].clone();
        let at = served.clock.now().to_string();
        let body = json!({ "cashin_id": id, "e2e": e2e(number), "amount_cents": 500 });
        // Twice at once: the second is judged when the first is durable.
        for _ in 0..2 {
            let line = json!({ "at": at, "fact": "pix.received", "body": body });
            lines += &line.to_string();
            lines += "\n";
        }
    }
    let answer = served.world().post("/lines", &lines);
    let outcomes: Vec<String> = answer
        .text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| line["body"]["outcome"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(outcomes, ["applied", "known"].repeat(30));
}

#[test]
fn what_is_of_each_ledger_is_told_to_each_and_what_is_of_one_to_the_one_that_is_named() {
    let served = started();
    let before = CELLS.map(|cell| records(&served, cell));
    let policy = json!({ "id": "policy-1", "cashin_paused": true });
    assert_eq!(reported(&served, "policy.adopted", &policy)["outcome"], "applied");
    for account in ["loja", "bazar", "feira"] {
        let refused = charged(&served, account, 500, "c-1");
        assert_eq!(refused.status, 503, "{account}: {}", refused.text);
    }
    let world = served.world();
    let again = json!({ "id": "policy-2", "cashin_paused": false }).to_string();
    let answer = world.post("/facts/policy.adopted?ledger=cell-b", &again);
    assert_eq!(answer.body()["outcome"], "applied", "{}", answer.text);
    assert_eq!(charged(&served, "bazar", 500, "c-1").status, 200);
    assert_eq!(charged(&served, "loja", 500, "c-1").status, 503);
    assert_eq!(records(&served, "cell-a"), before[0] + 1);
    for wrong in ["ledger=live", "ledger=cell-b&environment=live"] {
        let answer = world.post(&format!("/facts/policy.adopted?{wrong}"), &again);
        assert_eq!((answer.status, &answer.body()["erro"]), (400, &json!("requisicao_invalida")));
    }
}

#[test]
fn instructions_of_all_cells_are_one_list_and_are_acknowledged_where_they_came_from() {
    let served = started();
    let world = served.world();
    let mut made = Vec::new();
    for account in ["feira", "loja", "bazar"] {
        give(&served, account, 10_000);
        served.clock.advance(ledger_core::time::Span::seconds(1));
        made.push(pay_out(&served, account, "p-1"));
    }
    let items = || world.get("/instructions").body()["items"].as_array().unwrap().clone();
    let given = items();
    let of = |name: &str| given.iter().map(|item| item[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("operation"), made, "the oldest first");
    assert_eq!(of("ledger"), ["cell-c", "cell-a", "cell-b"]);
    let first = world.get("/instructions?limit=1").body()["items"].clone();
    assert_eq!(first, json!([given[0]]));
    for (place, item) in given.iter().enumerate() {
        let path = format!("/instructions/{}/acknowledge", item["id"].as_str().unwrap());
        assert_eq!(world.post(&path, "").body()["acknowledged"], "now");
        assert_eq!(world.post(&path, "").body()["acknowledged"], "before");
        assert_eq!(items().len(), 2 - place);
    }
    let unknown = world.post("/instructions/in_1_0_none/acknowledge", "");
    assert_eq!((unknown.status, &unknown.body()["erro"]), (404, &json!("nao_encontrado")));
}

#[test]
fn health_and_metrics_name_every_cell() {
    let served = started();
    let ready = served.world().get("/health/ready");
    assert_eq!(ready.status, 200);
    let names: Vec<_> = ready.body()["ledgers"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["cell-a", "cell-b", "cell-c", "sandbox"]);
    let metrics = served.world().get("/metrics").text;
    for cell in CELLS {
        assert!(metrics.contains(&format!("head_seq{{ledger=\"{cell}\"}} 2")), "{metrics}");
    }
    let one = Served::start().world().get("/health/ready").body();
    let names: Vec<_> = one["ledgers"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["live", "sandbox"], "as with one ledger of real money");
}

#[test]
fn the_console_shows_each_cell_by_its_name() {
    let served = started();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let page = |path: &str| {
        let console = ledger_http::console_router(&served.service, None);
        let request = Request::get(path).header("host", "127.0.0.1").body(Body::empty()).unwrap();
        runtime.block_on(async {
            let answer = console.oneshot(request).await.unwrap();
            let (head, body) = answer.into_parts();
            let text = to_bytes(body, 10_000_000).await.unwrap();
            (head, String::from_utf8(text.to_vec()).unwrap())
        })
    };
    let (head, _) = page("/");
    assert_eq!(head.headers["location"], "/cell-a/");
    for (cell, account) in CELLS.into_iter().zip(["loja", "bazar", "feira"]) {
        let (head, text) = page(&format!("/{cell}/accounts"));
        assert_eq!(head.status, 200);
        assert!(text.contains(&format!("Console · {cell}")) && text.contains(account), "{text}");
    }
    assert_eq!(page("/live/").0.status, 404, "no cell is named so");
}

/// Three cells with these accounts, whose webhooks go to a receiver.
pub fn sending_to(receiver: &Receiver, accounts: &[&str]) -> (Served, Option<CourierTask>) {
    let settings = WebhookSettings {
        look: Duration::from_millis(5),
        receiver: Some(format!("http://{}", receiver.address).parse().unwrap()),
        ..WebhookSettings::default()
    };
    let served = Served::in_cells(&CELLS, |service, tables| {
        service.supply(Codes).webhooks(Webhooks::open(tables, settings).unwrap())
    });
    open(&served, accounts);
    let courier = CourierTask::start(&served.service).unwrap();
    (served, courier)
}

#[test]
fn webhooks_are_delivered_for_accounts_of_two_cells() {
    let receiver = Receiver::start();
    let (served, courier) = sending_to(&receiver, &["loja", "bazar"]);
    for account in ["loja", "bazar"] {
        listen(&served, account);
        collect(&served, account, 5_000, if account == "loja" { 1 } else { 2 });
    }
    for account in ["loja", "bazar"] {
        let path = format!("/{account}");
        let seen = awaited(|| Some(receiver.seen_on(&path)).filter(|seen| !seen.is_empty()));
        let listed = awaited(|| {
            let items = read(&served, account, "/webhooks/deliveries")["items"].clone();
            Some(items).filter(|items| items[0]["status"] == "delivered")
        });
        let ids: Vec<&Value> = listed.as_array().unwrap().iter().map(|item| &item["id"]).collect();
        assert!(ids.contains(&&json!(seen[0].id())), "{listed}");
        let one = read(&served, account, &format!("/webhooks/deliveries/{}", seen[0].id()));
        assert_eq!(one["payload"], seen[0].event());
    }
    drop(courier);
}

pub fn listen(served: &Served, account: &str) {
    let body = json!({ "webhook_url": format!("https://{account}.example/{account}") });
    let headers = [("x-api-key", &*key_of(account)), ("content-type", "application/json")];
    let answer = served.send("PATCH", "/keys/me", &headers, Some(&body.to_string()));
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// Waits for something that must come.
pub fn awaited<T>(look: impl Fn() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "it never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}
