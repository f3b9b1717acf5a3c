//! Agents of the mesh, from their registration in the sandbox to production (AGT, A15).

use std::fs;
use std::process::Command;

use ledger_core::contract::{Environment, Line, Response, Tokens};
use ledger_core::id::{AgentId, Seq};
use ledger_core::ledger::Origin;
use ledger_store::engine::Engine;
use ledger_store::{OpenMode, SqliteJournal};
use serde_json::{Value, json};

use crate::agent::{AGENT, ENTROPY, WALLET};
use crate::day::{Day, KEY, OWNER, fields, judged, payout_body};
use crate::killed::PROGRAM;

const NOON: &str = "2026-10-20T12:00:00Z";

fn body() -> Value {
    json!({
        "name": "Ada", "contact": "ada@example.com", "capabilities": ["usdt_to_pix", "brl_to_pix"],
    })
}

/// A day with an agent registered in the sandbox: its id and its test key.
fn registered() -> (Day, String, String) {
    let mut day = Day::new();
    let made = day.ask_with("", NOON, "POST /mesh/agents", &body());
    assert_eq!(made.status, 200, "{}", made.body);
    let text = |name: &str| made.body[name].as_str().unwrap().to_owned();
    (day, text("agent_id"), text("api_key"))
}

fn post(day: &mut Day, key: &str, id: &str, what: &str, body: &Value) -> Response {
    day.ask_with(key, NOON, &format!("POST /mesh/agents/{id}/{what}"), body)
}

fn status(answer: &Response) -> &str {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["status"].as_str().unwrap()
}

/// Everything that production demands.
fn ready(day: &mut Day, key: &str, id: &str) {
    let mandate = json!({
        "max_por_operacao_cents": 500_000, "max_diario_cents": 1_000_000, "contrapartes": [OWNER],
    });
    post(day, key, id, "validate", &Value::Null);
    post(day, key, id, "settlement", &json!({ "settlement_address": WALLET }));
    assert_eq!(status(&post(day, key, id, "mandate", &mandate)), "validated");
}

#[test]
fn an_id_that_the_ledger_gives_agents_is_nobodys_before_it_is_given() {
    let mut day = Day::new();
    for number in 1..=24 {
        let id = AgentId::text(Seq(number), "sandbox");
        let opened = json!({ "id": format!("o-{number}"), "account": id });
        let activated = json!({
            "id": format!("a-{number}"), "agent_id": id, "name": "Ada",
            "contact": "ada@example.com", "capabilities": ["brl_to_pix"],
            "settlement_address": WALLET,
        });
        for (fact, body) in [("account.opened", opened), ("agent.activated", activated)] {
            let line = json!({
                "at": NOON, "fact": fact, "environment": "sandbox", "body": body,
                "supplied": { "key": format!("svc_test_{}{number}", fact.len()) },
            });
            let answer = day.line(&line.to_string()).body;
            assert_eq!(answer["outcome"], "set_aside", "{line}: {answer}");
        }
        if number == 12 {
            assert_eq!(day.ask_with("", NOON, "POST /mesh/agents", &body()).status, 200);
        }
    }
}

#[test]
fn agt_10_an_agent_is_registered_without_a_key_and_gets_one_for_the_sandbox() {
    let (day, id, key) = registered();
    assert!(id.starts_with("ag_") && id.len() == 31, "{id}");
    assert!(key.starts_with("svc_test_"), "{key}");
    let sandbox = &day.book_of(Environment::Sandbox).ledger().state;
    assert_eq!(sandbox.members().count(), 1);
    assert_eq!(day.sequencer().ledger().state.seq.0, 0, "the live ledger knows nothing of it");
    let mut day = day;
    let again = day.ask_with("", NOON, "POST /mesh/agents", &body());
    assert_eq!(again.body["agent_id"], *id, "the same key names the same agent");
    let mut changed = body();
    changed["name"] = "Eva".into();
    let other = day.ask_with("", NOON, "POST /mesh/agents", &changed);
    assert_eq!((other.status, &other.body["erro"]), (400, &json!("requisicao_invalida")));
    assert_eq!(
        fields(&again.body),
        [
            "agent_id",
            "status",
            "environment",
            "name",
            "contact",
            "capabilities",
            "referral",
            "settlement",
            "mandate",
            "reputation",
            "api_key",
        ]
    );
    assert_eq!(again.body["capabilities"], json!(["brl_to_pix", "usdt_to_pix"]));
}

#[test]
fn a_registration_that_is_not_in_shape_is_named_and_leaves_nothing() {
    let mut day = Day::new();
    for (field, value, erro, what) in [
        ("name", Value::Null, "campos_obrigatorios", "name"),
        ("contact", json!(""), "formato_invalido", "contact"),
        ("capabilities", Value::Null, "campos_obrigatorios", "capabilities"),
        ("capabilities", json!([]), "formato_invalido", "capabilities"),
        ("capabilities", json!(["ok", "Not Ok"]), "formato_invalido", "capabilities[1]"),
        ("capabilities", json!([1]), "formato_invalido", "capabilities[0]"),
        ("referral", json!(7), "formato_invalido", "referral"),
    ] {
        let mut wrong = body();
        wrong[field] = value;
        let answer = day.ask_with("", NOON, "POST /mesh/agents", &wrong);
        assert_eq!((answer.status, &answer.body["erro"]), (400, &json!(erro)), "{wrong}");
        assert!(answer.body["detail"].as_str().unwrap().contains(what), "{}", answer.body);
    }
    let bare = json!({ "at": NOON, "request": "POST /mesh/agents", "body": body() });
    let answer = day.line(&bare.to_string());
    assert_eq!((answer.status, &answer.body["erro"]), (400, &json!("formato_invalido")));
    assert_eq!(day.book_of(Environment::Sandbox).ledger().state.seq.0, 0);
}

#[test]
fn agt_01_to_08_from_registration_to_production() {
    let (mut day, id, key) = registered();
    let production = |day: &mut Day| post(day, &key, &id, "production-request", &Value::Null);
    let refused = production(&mut day);
    assert_eq!(refused.status, 422);
    assert_eq!(refused.body["erro"], "nao_processavel");
    assert_eq!(refused.body["status"], "production_requirements_incomplete");
    let missing = json!(["validated", "settlement_address", "mandate"]);
    assert_eq!(refused.body["missing"], missing);
    let actions = refused.body["next_actions"].as_array().unwrap();
    let endpoints: Vec<_> = actions.iter().map(|action| action["endpoint"].clone()).collect();
    assert_eq!(
        endpoints,
        [
            "/mesh/agents/{agent_id}/validate",
            "/mesh/agents/{agent_id}/settlement",
            "/mesh/agents/{agent_id}/mandate",
        ]
    );
    for action in actions {
        assert_eq!(fields(action), ["method", "endpoint", "why"]);
    }
    // AGT-07: the first operation in the sandbox.
    let charge = json!({
        "destino": "saldo", "amount_cents": 1_000, "payer_tax_number": OWNER, "external_id": "c",
    });
    assert_eq!(day.ask_with(&key, NOON, "POST /cashin/charge", &charge).status, 200);
    let set = post(&mut day, &key, &id, "settlement", &json!({ "settlement_address": WALLET }));
    assert_eq!(status(&set), "sandbox_active");
    assert_eq!(set.body["settlement"], json!({ "address": WALLET, "network": "polygon" }));
    let invalid = post(&mut day, &key, &id, "settlement", &json!({ "settlement_address": "x" }));
    assert_eq!(invalid.body["erro"], "payout_address_invalido");
    assert_eq!(status(&post(&mut day, &key, &id, "validate", &Value::Null)), "validated");
    assert_eq!(production(&mut day).body["missing"], json!(["mandate"]));
    ready(&mut day, &key, &id);
    let granted = production(&mut day);
    assert_eq!(status(&granted), "production_active");
    let live = format!("svc_live_{}", &ENTROPY[..48]);
    assert_eq!(
        granted.body,
        json!({
            "status": "production_active",
            "environment": "production",
            "activated_by": "policy",
            "agent_id": id,
            "api_key": live,
            "settlement": { "address": WALLET, "network": "polygon" },
        })
    );
    let again = production(&mut day);
    assert_eq!(again.body["api_key"], Value::Null, "AGT-06: no new key, nor the old one again");
    assert_eq!(again.body["settlement"], granted.body["settlement"]);
}

#[test]
fn agt_09_the_identity_comes_to_the_live_ledger_whole_and_once() {
    let (mut day, id, key) = registered();
    ready(&mut day, &key, &id);
    let granted = post(&mut day, &key, &id, "production-request", &Value::Null);
    let live = granted.body["api_key"].as_str().unwrap().to_owned();
    let records = day.sequencer().ledger().state.seq;
    post(&mut day, &key, &id, "production-request", &Value::Null);
    assert_eq!(day.sequencer().ledger().state.seq, records, "it is reported once");
    let network =
        day.ask_with(&live, NOON, &format!("GET /mesh/agents/{id}/network"), &Value::Null);
    assert_eq!(network.body["agent_id"], *id);
    // The mandate came with it, and the wallet.
    let mut day_of = |mut body: Value| {
        body["pix_key"] = OWNER.into();
        day.ask_with(&live, NOON, "POST /payouts", &body)
    };
    assert_eq!(day_of(payout_body("a", 500_001)).body["erro"], "mandate_valor_acima_do_teto");
    assert_eq!(day_of(payout_body("a", 500_000)).body["erro"], "saldo_insuficiente");
    let shown = post(&mut day, &live, &id, "settlement", &json!({ "settlement_address": WALLET }));
    assert_eq!(status(&shown), "production_active");
    assert_eq!(shown.body["environment"], "production");
    assert_eq!(
        (&shown.body["name"], &shown.body["contact"]),
        (&json!("Ada"), &json!("ada@example.com"))
    );
    // From here on each environment's mandate is its own.
    let free = post(&mut day, &live, &id, "mandate", &json!({}));
    assert_eq!(free.body["mandate"]["max_por_operacao_cents"], Value::Null);
    let kept = post(&mut day, &key, &id, "validate", &Value::Null);
    assert_eq!(kept.body["mandate"]["max_por_operacao_cents"], 500_000);
}

#[test]
fn agt_05_each_route_wants_the_key_of_the_agent_it_names() {
    let (mut day, id, key) = registered();
    day.admit(NOON, AGENT, KEY);
    let routes = ["validate", "settlement", "mandate", "production-request"];
    let body = json!({ "settlement_address": WALLET });
    for what in routes {
        for (other, expected) in [
            ("", (401, "chave_ausente")),
            ("svc_live_x", (401, "chave_desconhecida")),
            (KEY, (404, "nao_encontrado")),
        ] {
            let answer = post(&mut day, other, &id, what, &body);
            let erro = answer.body["erro"].as_str().unwrap();
            assert_eq!((answer.status, erro), expected, "{what} with {other}");
        }
    }
    for what in ["network", "rewards"] {
        let target = format!("GET /mesh/agents/{AGENT}/{what}");
        assert_eq!(day.ask_with(&key, NOON, &target, &Value::Null).status, 404, "{what}");
        assert_eq!(day.ask_with(KEY, NOON, &target, &Value::Null).status, 200, "{what}");
    }
    let refused = day.ask_with(&key, NOON, "POST /mesh/referrals", &json!({ "capability": "x" }));
    assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("nao_permitido")));
}

#[test]
fn api_08_the_routes_of_the_mesh_take_their_methods_and_no_others() {
    let mut day = Day::agency(NOON, &json!({}));
    for (request, expected) in [
        ("POST /mesh", (405, "metodo_nao_permitido")),
        ("GET /mesh/agents", (405, "metodo_nao_permitido")),
        ("GET /mesh/referrals", (405, "metodo_nao_permitido")),
        ("GET /mesh/agents/x/validate", (405, "metodo_nao_permitido")),
        ("POST /mesh/agents/x/rewards", (405, "metodo_nao_permitido")),
        ("GET /mesh/agents/x/wishes", (404, "nao_encontrado")),
        ("GET /mesh/nowhere", (404, "nao_encontrado")),
        ("GET /mesh?x=1", (400, "requisicao_invalida")),
    ] {
        let answer = day.ask_with(KEY, NOON, request, &json!({}));
        assert_eq!((answer.status, answer.body["erro"].as_str().unwrap()), expected, "{request}");
    }
}

#[test]
fn agt_24_what_there_is_and_how_to_begin_is_public() {
    let mut day = Day::new();
    let mesh = day.ask_with("", NOON, "GET /mesh", &Value::Null);
    assert_eq!(mesh.status, 200, "{}", mesh.body);
    let names = ["capabilities", "intents", "execution", "limits", "how_to_start"];
    assert_eq!(fields(&mesh.body), names);
    assert_eq!(mesh.body["limits"]["payout"]["max_brl_cents"], 25_000_000);
    assert_eq!(mesh.body["how_to_start"][0]["endpoint"], "/mesh/agents");
    assert_eq!(day.sequencer().ledger().state.seq.0, 0, "reading it writes nothing");
}

#[test]
fn an_agent_that_policy_stops_begins_nothing_and_finishes_what_is_open() {
    let mut day = Day::agency(NOON, &json!({}));
    day.deposit("d", NOON, "", 50_000);
    assert_eq!(day.payout("a", NOON, "", 1_000).status, 200);
    let about = |id: &str| judged(json!({ "id": id, "agent_id": AGENT }));
    assert_eq!(day.report(NOON, "agent.suspended", &about("s1")), "applied");
    assert_eq!(day.report(NOON, "agent.suspended", &about("s2")), "known");
    let refused = day.payout("b", NOON, "", 1_000);
    assert_eq!((refused.status, &refused.body["erro"]), (403, &json!("nao_permitido")));
    assert_eq!(refused.body["acao"], "parar");
    assert_eq!(day.payout("a", NOON, "", 1_000).status, 200, "a repeat answers the original");
    assert_eq!(day.get(NOON, "/saldo")["custodia_ativa"], true, "reads go on");
    let request = day.ask_with(
        KEY,
        NOON,
        &format!("POST /mesh/agents/{AGENT}/production-request"),
        &Value::Null,
    );
    assert_eq!(request.status, 422, "AGT-06");
    assert_eq!(request.body["missing"], json!(["not_suspended"]));
    assert_eq!(day.paid("a", NOON), "applied");
    assert_eq!(day.report(NOON, "agent.reinstated", &about("r1")), "applied");
    assert_eq!(day.payout("b", NOON, "", 1_000).status, 200);
    let stranger = judged(json!({ "id": "s3", "agent_id": "ag_0000000000090123456789abcdef" }));
    assert_eq!(day.report(NOON, "agent.suspended", &stranger), "set_aside");
    let odd = judged(json!({ "id": "s4", "agent_id": "ada" }));
    let answer = day.report_as("", NOON, "agent.suspended", &odd);
    assert_eq!(answer["erro"], "formato_invalido");
}

#[test]
fn no_name_contact_or_counterparty_of_an_agent_enters_a_journal() {
    let (mut day, id, key) = registered();
    ready(&mut day, &key, &id);
    let granted = post(&mut day, &key, &id, "production-request", &Value::Null);
    let live = granted.body["api_key"].as_str().unwrap().to_owned();
    for environment in Environment::ALL {
        let commit = day.cut(environment).unwrap();
        let bytes: Vec<u8> = commit.rows.iter().flat_map(|row| row.payload.clone()).collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for secret in ["Ada", "ada@example.com", OWNER, &*key, &*live] {
            assert!(!text.contains(secret), "{environment:?} shows {secret}");
        }
        assert!(text.contains(&*id));
    }
}

/// The file that the program is given: an agent from its registration to a payout with real money.
fn lines() -> Vec<Value> {
    let sandbox = |what: &str, body: Value| {
        let request = format!("POST /mesh/agents/$a.agent_id/{what}");
        json!({ "at": NOON, "key": "svc_test_0011223344556677", "request": request, "body": body })
    };
    let live = format!("svc_live_{}", &ENTROPY[..48]);
    let production = "POST /mesh/agents/$a.agent_id/production-request";
    vec![
        json!({ "at": NOON, "as": "a", "request": "POST /mesh/agents", "body": body(),
            "supplied": { "key": "svc_test_0011223344556677" } }),
        sandbox("production-request", json!({})),
        sandbox("validate", json!({})),
        sandbox("settlement", json!({ "settlement_address": WALLET })),
        sandbox("mandate", json!({ "max_por_operacao_cents": 1_000 })),
        json!({ "at": NOON, "key": "svc_test_0011223344556677", "request": production,
            "supplied": { "entropy": ENTROPY } }),
        json!({ "at": NOON, "as": "r", "key": live, "request": "POST /mesh/referrals",
            "body": { "capability": "usdt_to_pix" } }),
        json!({ "at": NOON, "key": live, "request": "GET /mesh/agents/$a.agent_id/rewards" }),
        json!({ "at": NOON, "key": live, "request": "POST /payouts",
            "body": payout_body("p", 1_001) }),
        json!({ "at": NOON, "request": "POST /mesh/agents", "body": {
            "name": "Eva", "contact": "eva@example.com", "capabilities": ["brl_to_pix"],
            "referral": "$r.referral_id" } }),
    ]
}

fn run(folder: &std::path::Path, file: &str, upto: usize) -> Vec<Value> {
    let path = folder.join(file);
    let text: Vec<String> = lines()[..upto].iter().map(|line| format!("{line}\n")).collect();
    let text = text.concat();
    fs::write(&path, text).unwrap();
    let store = folder.join("agents.db");
    let key = "07".repeat(32);
    let output = Command::new(PROGRAM)
        .args(["run", "--vault-key", &key, "--store"])
        .arg(&store)
        .arg(&path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn statuses(answers: &[Value]) -> Vec<i64> {
    answers.iter().map(|answer| answer["status"].as_i64().unwrap()).collect()
}

/// Returns what `audit` proves of both ledgers, their heads among it.
fn audited(folder: &std::path::Path) -> String {
    let output = Command::new(PROGRAM).arg("audit").arg(folder.join("agents.db")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Ledger live: verified") && text.contains("Ledger sandbox: verified"));
    text
}

#[test]
fn a_file_leads_an_agent_from_registration_to_production_and_resumes_anywhere() {
    let whole = tempfile::tempdir().unwrap();
    let answers = run(whole.path(), "day.jsonl", lines().len());
    assert_eq!(statuses(&answers), [200, 422, 200, 200, 200, 200, 200, 200, 403, 200]);
    assert_eq!(answers[8]["body"]["erro"], "mandate_valor_acima_do_teto");
    let referral = &answers[6]["body"]["referral_id"];
    assert_eq!(answers[9]["body"]["referral"], *referral);
    let undisturbed = audited(whole.path());
    let parts = tempfile::tempdir().unwrap();
    for upto in 1..=lines().len() {
        run(parts.path(), "day.jsonl", upto);
    }
    assert_eq!(audited(parts.path()), undisturbed);
}

/// Line 6 alone, as the sandbox records it: what a run does before it is killed.
fn half_a_line(folder: &std::path::Path, id: &str) {
    let store = folder.join("agents.db");
    let journal = SqliteJournal::open(&store, "sandbox", OpenMode::create()).unwrap();
    let engine = Engine::start(Box::new(journal), "sandbox", |_, _| ()).unwrap();
    let text = lines()[5].to_string();
    let hash = Tokens::new([7; 32]).line(&text);
    let line = Line::parse(&text, |_| Ok(id.to_owned())).unwrap();
    let origin = Origin::Line { source: "day.jsonl".into(), pass: 0, number: 6, hash };
    let handled = engine.handle(line.call(origin)).wait().unwrap();
    assert_eq!(handled.response.body["status"], "production_active");
    assert!(handled.onward.is_some(), "the live ledger never hears of it");
}

#[test]
fn a_run_killed_between_the_two_ledgers_tells_the_live_one_when_it_is_resumed() {
    let whole = tempfile::tempdir().unwrap();
    run(whole.path(), "day.jsonl", lines().len());
    let halved = tempfile::tempdir().unwrap();
    let answers = run(halved.path(), "day.jsonl", 5);
    half_a_line(halved.path(), answers[0]["body"]["agent_id"].as_str().unwrap());
    let answers = run(halved.path(), "day.jsonl", lines().len());
    assert_eq!(statuses(&answers), [200, 200, 200, 403, 200], "lines 6 to 10: the sixth in full");
    // The half line was hashed as programs of before hashed lines, so the heads differ in that
    // alone.
    let but_heads = |report: String| {
        let lines = report.lines().filter(|line| !line.starts_with("  head "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(but_heads(audited(halved.path())), but_heads(audited(whole.path())));
}

#[test]
fn agt_14_in_the_sandbox_a_mandate_stops_with_the_same_codes() {
    let (mut day, id, key) = registered();
    let mandate = json!({
        "max_por_operacao_cents": 1_000, "max_diario_cents": 1_500, "contrapartes": [OWNER],
    });
    assert_eq!(post(&mut day, &key, &id, "mandate", &mandate).status, 200);
    let charge = json!({
        "destino": "saldo", "amount_cents": 5_000, "payer_tax_number": OWNER, "external_id": "c",
    });
    let at_once = json!({
        "id": "t-1", "account": id, "sem_retencao": true, "liberacao": "imediata", "carencia_horas": 0,
    });
    let line = json!({
        "at": NOON, "fact": "terms.adopted", "environment": "sandbox", "body": at_once,
    });
    assert_eq!(day.line(&line.to_string()).body["outcome"], "applied");
    let made = day.ask_with(&key, NOON, "POST /cashin/charge", &charge).body;
    let paid =
        json!({ "cashin_id": made["cashin_id"], "e2e": day.outside_id(), "amount_cents": 5_000 });
    assert_eq!(day.report(NOON, "pix.received", &paid), "applied");
    let pay = |day: &mut Day, name: &str, cents: i64, owner: &str| {
        let mut body = payout_body(name, cents);
        body["tax_number"] = owner.into();
        let answer = day.ask_with(&key, NOON, "POST /payouts", &body);
        (answer.status, answer.body["erro"].as_str().unwrap_or("none").to_owned())
    };
    let above = (403, "mandate_valor_acima_do_teto".to_owned());
    let stranger = (403, "mandate_contraparte_nao_autorizada".to_owned());
    assert_eq!(pay(&mut day, "a", 1_001, OWNER), above, "one operation");
    assert_eq!(pay(&mut day, "b", 100, "11144477735"), stranger);
    assert_eq!(pay(&mut day, "c", 1_000, OWNER), (200, "none".to_owned()));
    assert_eq!(pay(&mut day, "d", 501, OWNER), above, "the day");
    assert_eq!(pay(&mut day, "d", 500, OWNER), (200, "none".to_owned()));
}
