//! Metrics are valid for whoever reads them, and say how the business stands; every alert is of what
//! is measured and leads to what is to be done.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cells;
use crate::served::{KEY, Served};

/// What the runbook's line after an audit writes, and what is counted where an outbox is kept,
/// webhooks are sent, instructions pushed and a provider asked, as the tests of those have it.
const ELSEWHERE: [&str; 7] = [
    "custody_ledger_outbox_behind",
    "custody_ledger_audit_passed_timestamp_seconds",
    "custody_ledger_webhooks_waiting",
    "custody_ledger_webhook_attempts_total",
    "custody_ledger_instructions_waiting",
    "custody_ledger_oldest_instruction_age_seconds",
    "custody_ledger_questions_total",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it stands in the workspace").to_owned()
}

/// Runs a program of Prometheus, and shows what it says where it is not content.
fn promtool(args: &[&str], input: &str) {
    let mut command = Command::new("promtool");
    command.args(args).current_dir(root().join("ops"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("promtool is installed (Debian: prometheus)");
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}\n{input}", String::from_utf8_lossy(&said));
}

/// The number of a line of metrics.
fn figure(text: &str, line: &str) -> f64 {
    let found = text.lines().find_map(|known| known.strip_prefix(line)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("{line}: {text}")).parse().expect("a number")
}

/// Names of metrics: ours, and the process's.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let of_ours = |word: &&str| word.starts_with("custody_ledger_") || word.starts_with("process_");
    words.filter(of_ours).map(str::to_owned).collect()
}

fn reported(served: &Served, name: &str, body: &Value) {
    let answer = served.world().post(&format!("/facts/{name}"), &body.to_string());
    assert_eq!(answer.status, 200, "{}", answer.text);
}

fn gift(served: &Served, id: &str, cents: i64) {
    let gift = json!({ "id": id, "account": "loja", "effect_cents": cents, "actor": "bia",
        "reason": "a gift", "evidence": "case-1" });
    reported(served, "fee.adjusted", &gift);
}

#[test]
fn reads_are_counted_by_which_the_time_they_take_is_divided() {
    let served = Served::start();
    let text = || served.world().get("/metrics").text;
    let of = |text: &str, name: &str| {
        figure(text, &format!("custody_ledger_{name}_total{{ledger=\"live\"}}"))
    };
    let before = text();
    for _ in 0..3 {
        assert_eq!(served.get("/saldo/extrato", &[("x-api-key", KEY)]).status, 200);
    }
    let after = text();
    for counted in ["reads", "commands"] {
        let more = of(&after, counted) - of(&before, counted);
        assert!((more - 3.0).abs() < 1e-9, "{counted}: {after}");
    }
    assert!(of(&after, "reading_seconds") > of(&before, "reading_seconds"), "{after}");
}

/// A payout that the provider loses is money that nobody knows of.
fn lost_payout(served: &Served) {
    gift(served, "g-2", 20_000);
    lose(served, "p-1", 5_000);
}

/// Asks for a payout of so many centavos, whose outcome nobody learns.
fn lose(served: &Served, external_id: &str, cents: i64) {
    let payout = json!({ "amount_cents": cents, "tax_number": "52998224725",
        "pix_key": "52998224725", "external_id": external_id });
    let made = served.post("/payouts", &[("x-api-key", KEY)], &payout);
    assert!((200..300).contains(&made.status), "{}", made.text);
    let id = made.body()["payout_id"].clone();
    let fact = |kind: &str| json!({ "id": format!("{kind}-{external_id}"), "payout_id": id });
    reported(served, "payout.submitted", &fact("s"));
    reported(served, "payout.unknown", &fact("u"));
}

/// A PIX that nobody waits for stands in suspense.
fn stray(served: &Served, cents: i64) {
    let stray = json!({ "e2e": "E00000000202611201200aaaaaaaaaaa", "amount_cents": cents,
        "paid_at": "2026-11-20T12:00:00Z" });
    reported(served, "pix.received", &stray);
}

#[test]
fn metrics_of_several_ledgers_are_valid_and_each_family_stands_once() {
    let served = cells::started();
    promtool(&["check", "metrics"], &served.world().get("/metrics").text);
    let answer = served.world().metrics("application/openmetrics-text;version=1.0.0,*/*;q=0.1");
    assert!(answer.header("content-type").starts_with("application/openmetrics-text"));
    let text = answer.text;
    assert!(text.ends_with("# EOF\n") && text.matches("# EOF").count() == 1, "{text}");
    let mut families: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let all = families.len();
    families.sort_unstable();
    families.dedup();
    assert_eq!(families.len(), all, "{families:?}");
}

#[test]
fn the_business_is_measured_as_the_books_have_it() {
    let served = Served::start();
    let world = served.world();
    let reais = "ledger=\"live\",commodity=\"BRL\"";
    let before = world.get("/metrics").text;
    let owed = |text: &str| figure(text, &format!("custody_ledger_owed{{{reais}}}"));
    gift(&served, "g-1", 90_050);
    assert!((owed(&world.get("/metrics").text) - owed(&before) - 900.5).abs() < 1e-9, "{before}");

    lost_payout(&served);
    stray(&served, 1_234);
    let text = world.get("/metrics").text;
    let of =
        |name: &str, labels: &str| figure(&text, &format!("custody_ledger_{name}{{{labels}}}"));
    assert!((of("unknown_money", reais) - 50.0).abs() < 1e-9, "{text}");
    assert!((of("suspense", reais) - 12.34).abs() < 1e-9, "{text}");
    let waits = |why: &str| of("waiting_operations", &format!("ledger=\"live\",why=\"{why}\""));
    assert!((waits("unknown payout") - 1.0).abs() < 1e-9 && (waits("suspense") - 1.0).abs() < 1e-9);
    let age = of("oldest_waiting_operation_age_seconds", "ledger=\"live\",why=\"unknown payout\"");
    assert!((0.0..3_600.0).contains(&age), "{age}");
    let open = of("open_operations", "ledger=\"live\",kind=\"payout\"");
    assert!((open - 1.0).abs() < 1e-9, "{text}");
    let writes = of("ledger_status", "ledger=\"live\",status=\"writing\"");
    assert!((writes - 1.0).abs() < 1e-9 && text.contains("custody_ledger_build_info"), "{text}");
    assert!(figure(&text, "process_resident_memory_bytes") > 1e6, "{text}");
    promtool(&["check", "metrics"], &text);
}

/// As floats, 19.1 and 1.03 are more than 20.13, and 50.02 and 50.22 less than 100.24: an alert that
/// compares sums would fire on exact books.
#[test]
fn sums_of_the_books_are_exact_to_the_centavo() {
    let served = Served::start();
    gift(&served, "g-1", 1_910);
    stray(&served, 103);
    let has = |text: &str, name: &str, sum: &str| {
        let line = format!("custody_ledger_{name}{{ledger=\"live\",commodity=\"BRL\"}} {sum}\n");
        assert!(text.contains(&line), "{line}{text}");
    };
    has(&served.world().get("/metrics").text, "owed", "20.13");
    gift(&served, "g-2", 20_000);
    lose(&served, "p-1", 5_002);
    lose(&served, "p-2", 5_022);
    has(&served.world().get("/metrics").text, "unknown_money", "100.24");
}

#[test]
fn every_alert_fires_as_it_says_and_leads_to_what_is_to_be_done() {
    promtool(&["check", "rules", "alerts.yml"], "");
    promtool(&["test", "rules", "alerts.test.yml"], "");
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is read");
    let (rules, tested) = (read("ops/alerts.yml"), read("ops/alerts.test.yml"));
    let runbook = read("docs/runbook.md");
    let after = |line: &str, word: &str| line.trim().strip_prefix(word).map(str::to_owned);
    let alerts: Vec<String> = rules.lines().filter_map(|line| after(line, "- alert: ")).collect();
    assert!(alerts.len() >= 15, "{alerts:?}");
    for alert in &alerts {
        assert!(tested.contains(&format!("alertname: {alert}\n")), "{alert} is never seen to fire");
        assert!(runbook.contains(&format!("\n### {alert}\n")), "{alert} is not in the runbook");
        let link = format!("runbook: docs/runbook.md#{}\n", alert.to_lowercase());
        assert!(rules.contains(&link), "{alert} does not lead there");
    }
}

#[test]
fn alerts_and_dashboard_are_of_what_is_measured() {
    let served = Served::start();
    lost_payout(&served);
    let shown = names(&served.world().get("/metrics").text);
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it is read");
    for path in ["ops/alerts.yml", "ops/grafana.json"] {
        for name in names(&read(path)) {
            let measured = shown.contains(&name) || ELSEWHERE.contains(&&*name);
            assert!(measured, "{path} names {name}");
        }
    }
    let dashboard: Value = serde_json::from_str(&read("ops/grafana.json")).expect("it is JSON");
    assert!(dashboard["panels"].as_array().is_some_and(|panels| panels.len() > 20));
}
