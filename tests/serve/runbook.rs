//! The runbook's commands, typed as they stand there in a shell, against a service and its store:
//! each does what its section says.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use super::serving::{PROGRAM, Serving, TOKEN, program, serve};

const RUNBOOK: &str = include_str!("../../docs/runbook.md");

/// An account, its balance, and a payout whose outcome nobody knows: long ago, so that a start
/// doubts the clock.
const OPENING: &str = r#"{"at":"2024-01-01T12:00:00Z","fact":"account.opened","environment":"live","body":{"id":"a-1","account":"loja","terms":{"carencia_horas":0,"liberacao":"imediata","sem_retencao":true}},"supplied":{"key":"svc_live_loja"}}
{"at":"2024-01-01T12:00:00Z","as":"c1","key":"svc_live_loja","request":"POST /cashin/charge","body":{"destino":"saldo","customer_ref":"ana","amount_cents":20000,"payer_tax_number":"52998224725","external_id":"order-1"}}
{"at":"2024-01-01T12:00:00Z","fact":"pix.received","body":{"cashin_id":"$c1.cashin_id","e2e":"E9999999920240101120200000000001","amount_cents":20000}}
{"at":"2024-01-01T12:00:00Z","as":"p1","key":"svc_live_loja","request":"POST /payouts","body":{"customer_ref":"ana","amount_cents":1000,"pix_key":"52998224725","tax_number":"52998224725","external_id":"payout-1"}}
{"at":"2024-01-01T12:00:00Z","fact":"payout.submitted","body":{"id":"s-1","payout_id":"$p1.payout_id"}}
{"at":"2024-01-01T12:00:00Z","fact":"payout.unknown","body":{"id":"u-1","payout_id":"$p1.payout_id"}}
"#;

/// Every command of the page, in its order, by how it begins; and what it prints there.
const COMMANDS: [(&str, &str); 12] = [
    ("curl -s \"$WORLD/health/ready\"", "custody-ledger runbook ClockDoubted"),
    ("custody-ledger serve --store \"$STORE\" --standby", "custody-ledger stands by for"),
    ("custody-ledger scrub ", ""),
    ("curl -s \"$WORLD/clock/accept\"", "\"accepted\":"),
    ("custody-ledger trial-balance ", "prov.pix"),
    ("custody-ledger decide payout.evidence ", "\"outcome\":\"applied\""),
    ("custody-ledger explain ", "bia: the bank never had it"),
    ("custody-ledger look webhooks ", "Events waiting"),
    ("custody-ledger audit ", "Checkpoints of live: "),
    ("custody-ledger person-holds ", "case-12"),
    ("custody-ledger decide person.erased ", "\"erased\":[{"),
    ("custody-ledger erase ", "\"erased\":\"document\""),
];

/// Spans of the page that are typed or asked elsewhere than here, each with why.
const NOT_TYPED: [(&str, &str); 7] = [
    ("chronyc tracking", "another program, of a machine whose clock is kept by it"),
    ("date -u", "another program, on another machine"),
    ("--standby", "an option of a command that is typed"),
    ("--take-over", "wants a process that hangs: tests/serve/held.rs"),
    (
        "--accept-loss RECORD:LINK",
        "wants a journal that lost a record: tests/acceptance/audited.rs",
    ),
    ("GET /instructions", "wants an outbox: ledger-http/tests/service/instructions.rs"),
    (
        "POST /webhooks/deliveries/recover?since=",
        "of an endpoint's owner: ledger-http/tests/webhooks/client_requests.rs",
    ),
];

/// The lines of the page's blocks of commands.
fn commands() -> Vec<&'static str> {
    let blocks = RUNBOOK.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).collect()
}

/// The store of the opening, with its payout's id; and a copy that nobody serves.
fn opened(folder: &Path) -> String {
    let (lines, store) = (folder.join("opening.jsonl"), folder.join("ledger.db"));
    std::fs::write(&lines, OPENING).unwrap();
    let [lines, store] = [&lines, &store].map(|path| path.to_str().unwrap());
    let played = program(&["run", lines, "--store", store]);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let by = ["--actor", "bia", "--reason", "an order", "--document", "11144477735"];
    let held = program(&[&["hold-person", store, "--hold", "case-12"], &by[..]].concat());
    assert!(held.status.success(), "{}", String::from_utf8_lossy(&held.stderr));
    std::fs::copy(store, folder.join("unserved.db")).unwrap();
    let found = String::from_utf8(program(&["find", "payout-1", "--store", store]).stdout).unwrap();
    found.split_whitespace().next().expect("the payout is found").to_owned()
}

/// A service of that store, which writes a checkpoint after each record.
fn served(folder: &Path) -> Serving {
    let key = folder.join("house.key");
    let made = program(&["checkpoint-key", key.to_str().unwrap(), "--name", "ledger.example.com"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut command = serve(&folder.join("ledger.db"));
    command.args(["--outbox", "--console-listen", "127.0.0.1:0", "--checkpoint-every", "1"]);
    command.arg("--checkpoint-key").arg(&key);
    command.arg("--checkpoints").arg(folder.join("checkpoints"));
    Serving::from_command(command)
}

/// A shell as the page takes it to be: in the folder, with what the page names.
fn typed(line: &str, folder: &Path, serving: &Serving) -> Output {
    let store = if line.contains(" erase ") { "unserved.db" } else { "ledger.db" };
    let programs = Path::new(PROGRAM).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).env("PATH", path);
    command.env("STORE", folder.join(store)).env("CREDENTIAL", folder.join("bia.credential"));
    command.env("WORLD", serving.address("the world")).env("TOKEN", TOKEN);
    command.env("CUSTODY_LEDGER_CONSOLE_URL", serving.address("the console"));
    command.env("CUSTODY_LEDGER_LISTEN", "127.0.0.1:0");
    command.env("CUSTODY_LEDGER_INTERNAL_LISTEN", "127.0.0.1:0");
    command.output().unwrap()
}

#[test]
fn each_command_of_the_runbook_does_what_its_section_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let payout = opened(folder);
    let serving = served(folder);
    let store = folder.join("ledger.db");
    let added = ["operator", "add", "bia", "--role", "decide", "--role", "hold", "--store"];
    let added = program(&[&added[..], &[store.to_str().unwrap()]].concat());
    std::fs::write(folder.join("bia.credential"), added.stdout).unwrap();
    let commands = commands();
    assert_eq!(commands.len(), COMMANDS.len(), "{commands:#?}");
    for (command, (begins, prints)) in commands.into_iter().zip(COMMANDS) {
        assert!(command.starts_with(begins), "{command}");
        let metrics = folder.display().to_string();
        let line = command.replace("po_…", &payout);
        let line = line.replace("/var/lib/prometheus/node-exporter", &metrics);
        // A standby waits for as long as the other lives.
        let waits = line.contains("--standby");
        let line = if waits { format!("timeout 5 {line}") } else { line };
        let output = typed(&line, folder, &serving);
        let [said, wrong] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        let expected = if waits { 124 } else { 0 };
        assert_eq!(output.status.code(), Some(expected), "{line}: {said}{wrong}");
        assert!(said.contains(prints), "{line}: {said}{wrong}");
    }
    let metric = std::fs::read_to_string(folder.join("ledger.prom")).unwrap();
    assert!(metric.starts_with("custody_ledger_audit_passed_timestamp_seconds "), "{metric}");
    let ready = typed("curl -s \"$WORLD/health/ready\"", folder, &serving);
    let ready = String::from_utf8(ready.stdout).unwrap();
    assert!(ready.starts_with("{\"status\":\"ready\""), "{ready}");
}

/// All else that the page has people type is in a list with why, so that nothing is forgotten.
#[test]
fn what_of_the_runbook_is_not_typed_is_listed_with_why() {
    let prose: String = RUNBOOK.split("```").step_by(2).collect();
    let begins = ["custody-ledger ", "curl ", "chronyc ", "date ", "GET ", "POST ", "--"];
    let spans = prose.split('`').skip(1).step_by(2);
    let is_typed = |span: &&str| begins.iter().any(|begin| span.starts_with(begin));
    let found: BTreeSet<&str> = spans.filter(is_typed).collect();
    // The list of facts is printed by the program, and changes nothing.
    let listed = NOT_TYPED.iter().map(|(what, _)| *what).chain(["custody-ledger facts"]);
    assert_eq!(found, listed.collect::<BTreeSet<_>>());
    assert!(program(&["facts"]).status.success());
    assert!(NOT_TYPED.iter().all(|(_, why)| why.len() > 20));
}
