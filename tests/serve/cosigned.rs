//! A ledger's checkpoints, cosigned by the program's own witness.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::serving::{PROGRAM, program};

/// A ledger in a folder, and a witness that is served until this is dropped. The witness knows the
/// ledger under both names, `one.example` and `two.example`.
struct House {
    folder: TempDir,
    witness: Child,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.witness.kill();
        let _ = self.witness.wait();
    }
}

/// Returns what the program prints where it succeeds.
fn done(arguments: &[&str]) -> String {
    let output = program(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns what the program prints to standard error where it fails.
fn refused(arguments: &[&str]) -> String {
    let output = program(arguments);
    assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let logs = ["one", "two"].map(|name| {
            let name_of_key = format!("{name}.example");
            let keys = done(&["checkpoint-key", &path(name), "--name", &name_of_key]);
            let live = keys.lines().find_map(|line| line.strip_prefix("live: ")).unwrap();
            format!("log {live}\n")
        });
        let logs = logs.concat();
        fs::write(path("logs"), format!("{logs}quorum none\n")).unwrap();
        let public = done(&["witness", "create", &path("w"), "--name", "witness.example/w"]);
        let mut serve = Command::new(PROGRAM);
        serve.args(["witness", "serve", &path("w"), "--policy", &path("logs")]);
        serve.args(["--listen", "127.0.0.1:0"]);
        let mut witness = serve.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(witness.stdout.take().unwrap()).lines();
        let said = lines.map(Result::unwrap).find(|line| line.contains(" cosigns for 2 logs on "));
        let said = said.unwrap();
        let (_, url) = said.rsplit_once(' ').unwrap();
        let policy = format!("{logs}witness w {} {url}\nquorum w\n", public.trim());
        fs::write(path("policy"), policy).unwrap();
        Self { folder, witness }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Runs lines of a file of this name, which moves so many cents in each.
    fn run(&self, name: &str, cents: &[u32], options: &[&str]) {
        let moved = |cents: &u32| {
            format!(
                r#"{{"at":"2026-11-20T12:00:00Z","fact":"treasury.moved","body":{{"id":"float-{cents}","from":"equity.funding","to":"prov.pay","amount_cents":{cents}}}}}"#
            )
        };
        let lines: Vec<String> = cents.iter().map(moved).collect();
        fs::write(self.path(name), lines.join("\n") + "\n").unwrap();
        done(
            &[&["run", &self.path(name), "--store", &self.path("ledger.db")][..], options].concat(),
        );
    }

    /// Runs lines, and signs a checkpoint at their end by the key of this name.
    fn sign(&self, key: &str, name: &str, cents: &[u32]) {
        self.run(name, cents, &["--checkpoint-key", &self.path(key)]);
    }

    fn ask(&self, options: &[&str]) -> Vec<String> {
        let (store, policy) = (self.path("ledger.db"), self.path("policy"));
        let given = ["witness", "ask", &store, "--policy", &policy];
        [&given[..], options].concat().into_iter().map(str::to_owned).collect()
    }

    /// Tells that every witness cosigned the last checkpoint, by what `ask` prints.
    fn assert_cosigned(&self, origin: &str) {
        let asked = self.ask(&[]);
        let said = done(&asked.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(said.starts_with(origin) && said.contains("cosigned by 1 of 1"), "{said}");
    }

    /// The files of the ledger, by their names.
    fn stored(&self) -> Vec<(String, Vec<u8>)> {
        let files = fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap());
        let named = files.map(|file| (file.file_name().into_string().unwrap(), file.path()));
        let of_store = named.filter(|(name, path)| name.starts_with("ledger.db") && path.is_file());
        of_store.map(|(name, path)| (name, fs::read(path).unwrap())).collect()
    }
}

#[test]
fn a_log_that_is_renamed_is_cosigned_under_its_new_name() {
    let house = House::new();
    house.sign("one", "first", &[1, 2]);
    house.assert_cosigned("one.example/live/live at 2 records");
    house.sign("two", "second", &[3]);
    house.assert_cosigned("two.example/live/live at 3 records");
    house.sign("two", "third", &[4]);
    house.assert_cosigned("two.example/live/live at 4 records");
    let status = ["witness", "status", &house.path("ledger.db"), "--policy", &house.path("policy")];
    assert!(done(&status).contains("cosigned by 1 of 1"));
    assert!(done(&[&status[..], &["--at", "2"]].concat()).contains("cosigned by 1 of 1"));
}

#[test]
fn a_store_restored_from_a_backup_goes_on_when_it_has_passed_what_the_witness_knows() {
    let house = House::new();
    house.sign("one", "first", &[1, 2]);
    house.assert_cosigned("one.example/live/live at 2 records");
    let backup = house.stored();
    house.run("second", &[3], &[]);
    house.run("third", &[4], &[]);
    let kept = house.path("kept");
    let file = ["--checkpoints", &*kept, "--checkpoint-key", &house.path("one")];
    house.run("fourth", &[5], &file);
    house.assert_cosigned("one.example/live/live at 5 records");

    for (name, _) in house.stored() {
        fs::remove_file(house.path(&name)).unwrap();
    }
    for (name, bytes) in backup {
        fs::write(house.path(&name), bytes).unwrap();
    }
    // The tree's file has the hashes of more records; the ledger that it is of has not.
    let asked = house.ask(&["--checkpoint", &kept]);
    let said = refused(&asked.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(said.contains("the tree has 2 records, and record "), "{said}");
    // The same lines are run again, and more checkpoints signed than the first time.
    house.sign("one", "second", &[3]);
    house.sign("one", "third", &[4]);
    house.sign("one", "fourth", &[5]);
    house.sign("one", "fifth", &[6]);
    house.assert_cosigned("one.example/live/live at 6 records");
    house.sign("one", "sixth", &[7]);
    house.assert_cosigned("one.example/live/live at 7 records");
}

#[test]
fn a_witness_that_can_cosign_nothing_or_be_asked_by_nobody_is_not_served() {
    let house = House::new();
    let (folder, none) = (house.path("v"), house.path("none"));
    done(&["witness", "create", &folder, "--name", "witness.example/v"]);
    let again = refused(&["witness", "create", &folder, "--name", "witness.example/v"]);
    assert!(again.contains(&format!("--name writes a new file, and {folder} is there")), "{again}");
    fs::write(&none, "quorum none\n").unwrap();
    let served = refused(&["witness", "serve", &folder, "--policy", &none]);
    assert!(served.contains("it names no log"), "{served}");
    let logs = house.path("logs");
    let nowhere = ["witness", "serve", &folder, "--policy", &logs, "--listen", "8080"];
    assert!(refused(&nowhere).contains("listen is an address and a port, such as 127.0.0.1:8080"));
}
