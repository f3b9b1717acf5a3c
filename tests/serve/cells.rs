//! One process that serves several ledgers of real money: killed under load while an account moves,
//! started again, and proved store by store.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use super::serving::{PROGRAM, Serving, TOKEN, agent, post, program, report, transfer};

const CELLS: [&str; 3] = ["cell-a", "cell-b", "cell-c"];

fn serve(folder: &Path, cells: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
    command.args(["--internal-token", TOKEN, "--log", "off"]);
    for cell in cells {
        let file = folder.join(format!("{cell}.db"));
        command.arg("--cell").arg(format!("{cell}={}", file.display()));
    }
    command.arg("--directory").arg(folder.join("directory.db"));
    command
}

fn move_to(world: &str, account: &str, to: &str, id: &str) -> (u16, Value) {
    let bearer = format!("Bearer {TOKEN}");
    let body = json!({ "id": id, "account": account, "to": to });
    post(&agent(), &format!("{world}/moves"), ("authorization", &bearer), &body)
}

fn opened(world: &str, account: &str) -> String {
    let body = json!({ "id": format!("o-{account}"), "account": account,
        "terms": { "carencia_horas": 0 } });
    let key = report(world, "account.opened", &body)["api_key"].as_str().unwrap().to_owned();
    let gift = json!({ "id": format!("g-{account}"), "account": account,
        "effect_cents": 9_000_000, "actor": "bia", "reason": "a gift", "evidence": "case-1" });
    assert_eq!(report(world, "fee.adjusted", &gift)["outcome"], "applied");
    key
}

fn house_transfer(id: &str) -> Value {
    let mut body = transfer(id);
    body.as_object_mut().unwrap().remove("from_customer_ref");
    body
}

/// The answers to transfers that a client was given, until the service is gone.
fn asked_until_gone(base: &str, key: &str, name: &str) -> Vec<(String, Value)> {
    let (agent, mut answered) = (agent(), Vec::new());
    for number in 0.. {
        let id = format!("{name}-{number}");
        let asked = agent
            .post(format!("{base}/saldo/transferir"))
            .header("x-api-key", key)
            .send_json(house_transfer(&id));
        let Ok(mut answer) = asked else { break };
        let Ok(body) = answer.body_mut().read_json::<Value>() else { break };
        match answer.status().as_u16() {
            200 => answered.push((id, body)),
            503 => std::thread::sleep(Duration::from_millis(5)),
            status => panic!("{status}: {body}"),
        }
    }
    answered
}

#[test]
fn cells_that_were_killed_under_load_and_a_move_answer_the_same_and_every_store_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::from_command(serve(folder.path(), &CELLS));
    let (base, world) = (serving.address("serves"), serving.address("the world"));
    assert!(serving.said[0].contains("3 cells"), "{:?}", serving.said);
    let accounts = ["loja", "bazar", "feira"];
    let keys = accounts.map(|account| opened(&world, account));
    let answered = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for (account, key) in accounts.iter().zip(&keys) {
            let (base, answered) = (&base, &answered);
            scope.spawn(move || {
                let answers = asked_until_gone(base, key, account);
                answered.lock().unwrap().push((key.clone(), answers));
            });
        }
        std::thread::sleep(Duration::from_millis(500));
        let (status, moved) = move_to(&world, "loja", "cell-b", "mv-1");
        assert_eq!((status, &moved["state"]), (200, &json!("done")), "{moved}");
        std::thread::sleep(Duration::from_millis(300));
        serving.signal("KILL");
    });
    drop(serving);

    let serving = Serving::from_command(serve(folder.path(), &CELLS));
    let (base, world) = (serving.address("serves"), serving.address("the world"));
    for (key, answers) in answered.into_inner().unwrap() {
        assert!(20 < answers.len(), "{}", answers.len());
        for (id, expected) in answers {
            let (status, again) = post(
                &agent(),
                &format!("{base}/saldo/transferir"),
                ("x-api-key", &key),
                &house_transfer(&id),
            );
            assert_eq!((status, &again), (200, &expected), "{id}");
        }
    }
    let (status, again) = move_to(&world, "loja", "cell-b", "mv-1");
    assert_eq!((status, &again["state"]), (200, &json!("done")), "{again}");
    let refused = agent().get(format!("{base}/saldo")).header("x-api-key", "svc_live_x").call();
    assert_eq!(refused.unwrap().status().as_u16(), 401);
    serving.signal("TERM");
    let (said, well) = serving.rest();
    assert!(well, "{said}");

    for cell in CELLS {
        let line = said.lines().find(|line| line.starts_with(&format!("{cell}: ")));
        let head = line.unwrap_or_else(|| panic!("no {cell}: {said}")).rsplit(' ').next().unwrap();
        let file = folder.path().join(format!("{cell}.db"));
        let audit = program(&["audit", file.to_str().unwrap(), "--ledger", cell]);
        let proved = String::from_utf8_lossy(&audit.stdout).into_owned();
        assert!(audit.status.success() && proved.contains(head), "{proved}");
    }
    let directory = folder.path().join("directory.db");
    let shown = program(&["directory", directory.to_str().unwrap(), "--json"]);
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let of = |name: &str| {
        let accounts = shown["accounts"].as_array().unwrap();
        accounts.iter().find(|account| account["account"] == name).unwrap()["cell"].clone()
    };
    assert_eq!(accounts.map(of), ["cell-b", "cell-b", "cell-c"]);
}

#[test]
fn a_cell_that_is_missing_at_the_start_is_named_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::from_command(serve(folder.path(), &CELLS));
    serving.signal("TERM");
    assert!(serving.rest().1);
    let refused = |cells: &[&str]| {
        let mut command = serve(folder.path(), cells);
        let ended = command.stdin(Stdio::null()).output().unwrap();
        assert!(!ended.status.success());
        String::from_utf8_lossy(&ended.stderr).into_owned()
    };
    let said = refused(&["cell-a", "cell-c", "cell-x"]);
    assert!(said.contains("cell cell-b") || said.contains("a cell cell-b"), "{said}");
    assert!(!folder.path().join("cell-x.db").exists());
}

#[test]
fn cells_of_two_vault_keys_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    // Each alone is made with a key of its own.
    for cell in ["cell-a", "cell-b"] {
        let mut command = Command::new(PROGRAM);
        command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
        command.args(["--internal-token", TOKEN, "--log", "off"]);
        let file = folder.path().join(format!("{cell}.db"));
        command.arg("--cell").arg(format!("{cell}={}", file.display()));
        let serving = Serving::from_command(command);
        serving.signal("TERM");
        assert!(serving.rest().1);
    }
    let ended = serve(folder.path(), &["cell-a", "cell-b"]).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(
        !ended.status.success() && said.contains("ledger cell-b has another vault key"),
        "{said}"
    );
    assert!(!folder.path().join("directory.db").exists());
}

#[test]
fn a_ledger_that_was_served_alone_goes_on_as_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("ledger.db");
    let serving = Serving::start(&store);
    let key = opened(&serving.address("the world"), "loja");
    serving.signal("TERM");
    assert!(serving.rest().1);
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--listen", "127.0.0.1:0", "--internal-listen", "127.0.0.1:0"]);
    command.args(["--internal-token", TOKEN, "--log", "off"]);
    command.arg("--cell").arg(format!("live={}", store.display()));
    command.arg("--cell").arg(format!("cell-b={}", folder.path().join("b.db").display()));
    let serving = Serving::from_command(command);
    let (base, world) = (serving.address("serves"), serving.address("the world"));
    let (status, moved) = move_to(&world, "loja", "cell-b", "mv-1");
    assert_eq!((status, &moved["state"]), (200, &json!("done")), "{moved}");
    let answer = agent().get(format!("{base}/saldo")).header("x-api-key", &key).call();
    let balance: Value = answer.unwrap().body_mut().read_json().unwrap();
    assert_eq!(balance["disponivel_cents"], 9_000_000, "{balance}");
}
