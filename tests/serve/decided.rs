//! Operators and their decisions, as whoever runs the service meets them: added and removed by the
//! program, heard by the service that holds the ledgers, or by the store where nobody does.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::server;
use super::serving::{PROGRAM, Serving, folder, program, report, serve};

/// A store of each kind that keeps operators: its name, and what removes it.
fn stores() -> [(String, Option<tempfile::TempDir>); 2] {
    let (kept, file) = folder();
    [(file.to_str().unwrap().to_owned(), Some(kept)), (server::database(), None)]
}

/// Returns what the program prints, which must end well.
fn printed(arguments: &[&str]) -> String {
    let output = program(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A decision that costs us R$ 25,00, by whoever's credential stands in the file.
fn courtesy(id: &str, credential: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(["decide", "fee.adjusted", "account=loja", "effect_cents=2500", "--id", id]);
    command.args(["--reason", "a courtesy", "--credential-file"]).arg(credential).args(more);
    command
}

fn json_output(mut command: Command) -> Result<Value, String> {
    let output = command.output().unwrap();
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout).unwrap());
    }
    Err(String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_operator_decides_by_the_service_until_removed_and_by_the_store_once_it_has_ended() {
    for (store, _kept) in stores() {
        let mut command = serve(Path::new(&store));
        command.args(["--console-listen", "127.0.0.1:0"]);
        let serving = Serving::from_command(command);
        let world = serving.address("the world");
        report(&world, "account.opened", &json!({ "id": "o-1", "account": "loja" }));
        let console = serving.address("the console");
        let files = tempfile::tempdir().unwrap();
        let credential = files.path().join("bia.credential");
        let added = ["operator", "add", "bia", "--role", "decide", "--store", &store];
        std::fs::write(&credential, printed(&added)).unwrap();
        assert!(!program(&added).status.success(), "the name is taken");
        let at = ["--url", &*console];
        let dry = courtesy("c-1", &credential, &["--url", &console, "--dry-run"]);
        assert_eq!(json_output(dry).unwrap()["outcome"], "applied");
        let first = json_output(courtesy("c-1", &credential, &at)).unwrap();
        assert_eq!((&first["outcome"], &first["record"]), (&json!("applied"), &json!(2)));
        let again = json_output(courtesy("c-1", &credential, &at)).unwrap();
        assert_eq!(again["outcome"], "known", "{again}");
        let key = ["--credential-file", credential.to_str().unwrap(), "--url", &*console];
        let found = printed(&[&["find", "c-1"], &key[..]].concat());
        assert!(found.starts_with("ad_") && found.ends_with("fact's id\n"), "{found}");
        assert!(found.contains("  adjustment  loja  "), "{found}");
        assert_eq!(printed(&[&["find", "R$ 25,00"], &key[..]].concat()).lines().count(), 1);
        assert!(!program(&[&["find", "nobody"], &key[..]].concat()).status.success());
        // The store is the service's while it lives.
        let held = json_output(courtesy("c-2", &credential, &["--store", &store])).unwrap_err();
        assert!(held.contains(&format!("held by process {}", serving.process())), "{held}");
        printed(&["operator", "role", "bia", "--store", &store]);
        let looks = json_output(courtesy("c-2", &credential, &at)).unwrap_err();
        assert!(looks.contains("403") && looks.contains("nao_permitido"), "{looks}");
        printed(&["operator", "remove", "bia", "--store", &store]);
        let removed = json_output(courtesy("c-2", &credential, &at)).unwrap_err();
        assert!(removed.contains("401") && removed.contains("nao_autenticado"), "{removed}");
        serving.signal("TERM");
        assert!(serving.rest().1);
        let in_store = ["--store", &*store];
        assert!(json_output(courtesy("c-2", &credential, &in_store)).is_err());
        std::fs::write(&credential, printed(&added)).unwrap();
        let second = json_output(courtesy("c-2", &credential, &in_store)).unwrap();
        assert_eq!(second["outcome"], "applied", "{second}");
        let listed: Value =
            serde_json::from_str(&printed(&["operator", "list", "--store", &store]))
                .expect("one operator is a line");
        assert_eq!(listed["roles"], json!(["look", "decide"]), "{listed}");
        assert_eq!(listed["up_to_cents"], 500_000, "{listed}");
        printed(&["operator", "role", "bia", "--role", "hold", "--store", &store]);
        let holds = printed(&["operator", "list", "--store", &store]);
        assert!(
            holds.contains("\"up_to_cents\":null"),
            "an amount bounds decisions alone: {holds}"
        );
        printed(&["operator", "role", "bia", "--role", "decide", "--store", &store]);
        let found = printed(&["find", "c-2", "--store", &store]);
        assert!(found.starts_with("ad_") && found.ends_with("fact's id\n"), "{found}");
        assert!(!program(&["find", "nobody", "--store", &store]).status.success());
        let mut reviewed = Command::new(PROGRAM);
        reviewed.args(["decide", "payer.reviewed", "payer_tax_number=52998224725"]);
        reviewed.args(["finding=identified", "--id", "rev-1", "--reason", "known"]);
        let reviewed = reviewed.arg("--credential-file").arg(&credential);
        let reviewed = reviewed.args(in_store).args(["--ledger", "live"]).output().unwrap();
        assert!(reviewed.status.success(), "{}", String::from_utf8_lossy(&reviewed.stderr));
        let log = files.path().join("readings.jsonl");
        let by = ["--by", "caio", "--reason", "case 12", "--log", log.to_str().unwrap()];
        let person = [&["person", &store, "--document", "52998224725"], &by[..]].concat();
        let person: Value = serde_json::from_str(&printed(&person)).unwrap();
        assert_eq!(person["decisions"][0]["actor"], "bia", "{person:#}");
        assert_eq!(person["values"][0]["value"], "52998224725", "{person:#}");
        let noted = std::fs::read_to_string(&log).unwrap();
        assert!(noted.contains("\"actor\":\"caio\"") && !noted.contains("52998224725"), "{noted}");
        let nobody = [&["person", &store, "--document", "11144477735"], &by[..]].concat();
        assert!(!program(&nobody).status.success());
        let explained = printed(&["explain", &store, "loja"]);
        assert_eq!(explained.matches("decided by bia: a courtesy").count(), 2, "{explained}");
        printed(&["audit", &store]);
    }
}

#[test]
fn what_operators_keep_beside_a_ledger_is_kept_on_both_databases() {
    const CPF: &str = "52998224725";
    for (store, _kept) in stores() {
        let mut command = serve(Path::new(&store));
        command.args(["--console-listen", "127.0.0.1:0", "--second-operator", "person.erased"]);
        let files = tempfile::tempdir().unwrap();
        let secret = files.path().join("house.key").to_str().unwrap().to_owned();
        let named = ["checkpoint-key", &*secret, "--name", "ledger.example.com"];
        let public = printed(&named);
        command.args(["--checkpoint-key", &secret]);
        let serving = Serving::from_command(command);
        let (world, console) = (serving.address("the world"), serving.address("the console"));
        report(&world, "account.opened", &json!({ "id": "o-1", "account": "loja" }));
        let received = json!({ "e2e": "E9040088820261120120400000000001", "amount_cents": 777 });
        let waits = report(&world, "pix.received", &received);
        let waits = waits["suspense_id"].as_str().unwrap();
        let hired = |name: &str| {
            let roles = ["--role", "hold", "--role", "decide", "--store", &store];
            let credential = printed(&[&["operator", "add", name], &roles[..]].concat());
            let file = files.path().join(name);
            std::fs::write(&file, credential).unwrap();
            file.to_str().unwrap().to_owned()
        };
        let (caio, dora) = (hired("caio"), hired("dora"));
        let by = |file: &str, said: &[&str]| {
            let key = ["--credential-file", file, "--url", &*console];
            let output = program(&[said, &key[..]].concat());
            let text = |bytes| String::from_utf8(bytes).unwrap();
            if output.status.success() {
                Ok(serde_json::from_str::<Value>(&text(output.stdout)).unwrap())
            } else {
                Err(text(output.stderr))
            }
        };
        let taken = by(&caio, &["assign", waits, "--to", "me", "--note", "asks the bank"]).unwrap();
        assert_eq!((&taken["with"], &taken["note"]), (&json!("caio"), &json!("asks the bank")));
        let noted = ["assign", waits, "--note", &format!("asked of {CPF}")];
        assert_eq!(by(&dora, &noted).unwrap()["with"], "caio");
        assert!(by(&dora, &["assign", waits, "--to", "zoe"]).unwrap_err().contains("400"));
        let decided = |file: &str, name: &str, fields: &[&str], id: &str| {
            let more = ["--id", id, "--reason", "request 17", "--ledger", "live"];
            by(file, &[&["decide", name], fields, &more[..]].concat())
        };
        let payer = [&*format!("payer_tax_number={CPF}"), "finding=identified"];
        decided(&caio, "payer.reviewed", &payer, "rev-1").unwrap();
        let (whom, hold) = (format!("document={CPF}"), "hold=case-1");
        let log = files.path().join("readings.jsonl").to_str().unwrap().to_owned();
        let person = ["person", &store, "--document", CPF, "--by", "caio", "--reason", "case 12"];
        let read =
            || serde_json::from_str::<Value>(&printed(&[&person[..], &["--log", &log]].concat()));
        let first = read().unwrap()["notes"][0].clone();
        let said = ["note", "changed_by", "names_person"].map(|name| &first[name]);
        assert_eq!(said, [&json!(format!("asked of {CPF}")), &json!("dora"), &json!(true)]);
        decided(&caio, "person.held", &[hold, &whom], "h-1").unwrap();
        let refused = decided(&caio, "person.erased", &[&whom], "e-1").unwrap_err();
        assert!(refused.contains("409") && refused.contains("case-1"), "{refused}");
        decided(&dora, "person.released", &[hold], "r-1").unwrap();
        for (file, outcome) in [(&caio, "proposed"), (&caio, "proposed"), (&dora, "applied")] {
            let said = decided(file, "person.erased", &[&whom], "e-1").unwrap();
            assert_eq!(said["outcome"], outcome, "{said}");
        }
        assert_eq!(read().unwrap()["notes"], json!([]), "erased");
        let known = decided(&caio, "person.erased", &[&whom], "e-1").unwrap();
        let certificate = "/live/person/certificates/e-1";
        assert_eq!(known, json!({ "outcome": "known", "certificate": certificate }));
        let view = certificate.strip_prefix("/live/").unwrap();
        let text = printed(&["look", view, "--credential-file", &dora, "--url", &console]);
        let file = files.path().join("e-1.erased").to_str().unwrap().to_owned();
        std::fs::write(&file, text).unwrap();
        let live = public.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
        let verified = printed(&["verify-erasure", &file, "--key", live]);
        assert!(verified.contains("\nby caio, dora\nreason request 17\n"), "{verified}");
        assert!(!verified.contains(CPF), "{verified}");
        let left = by(&dora, &["assign", waits, "--to", "me"]).unwrap();
        assert_eq!((&left["with"], &left["note"]), (&json!("dora"), &json!("")), "{left}");
        serving.signal("TERM");
        assert!(serving.rest().1);
        printed(&["audit", &store]);
    }
}
