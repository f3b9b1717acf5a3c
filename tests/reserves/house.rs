//! A house whose ledger has lived every flow of the contract, with something of each kind owed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use custody_ledger::reserves::{HolderProof, LeavesFile, ReservesFile, Statement};
use ledger_store::signing::key::Signer;
use tempfile::TempDir;

use crate::statements::{EVIDENCE, bank, bitcoin, ethereum, unsigned_float};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_custody-ledger");

/// The root of the repository.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Own bitcoin, so that the ledger knows the asset.
const STOCK: &str = r#"{"at":"2026-11-21T09:00:00Z","fact":"markets.updated","body":{"id":"mk-btc","items":[{"asset":"usdt","network":"polygon","path":"FAST"},{"asset":"btc","network":"bitcoin","path":"DEX","decimals":8,"eta_minutes":20}]}}
{"at":"2026-11-21T09:00:00Z","fact":"treasury.moved","body":{"id":"estoque-btc","from":"equity.funding","to":"treas","asset":"btc","chain":"bitcoin","amount":"0.5"}}
"#;

/// A store with checkpoints, the keys, and statements of what is held.
pub struct House {
    folder: TempDir,
}

impl House {
    pub fn new() -> Self {
        let house = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(house.path("house.key"), key().secret_text()).unwrap();
        fs::write(house.path("bank.key"), bank().secret_text()).unwrap();
        fs::write(house.path("stock.jsonl"), STOCK).unwrap();
        let stock = house.path("stock.jsonl");
        for lines in ["examples/whole-contract.jsonl", "tests/pages/unsettled.jsonl", &stock] {
            let lines = Path::new(ROOT).join(lines).display().to_string();
            let (store, key) = (house.path("ledger.db"), house.path("house.key"));
            let given = ["run", &lines, "--store", &store, "--checkpoint-key", &key];
            succeeds(&[&given[..], &["--checkpoint-every", "20"]].concat());
        }
        fs::create_dir(house.path("held")).unwrap();
        fs::write(house.path("held/saldo.csv"), EVIDENCE).unwrap();
        house.state("bitcoin", &bitcoin());
        house.state("ethereum", &ethereum());
        house.state("float", &unsigned_float());
        let (float, key) = (house.path("held/float.json"), house.path("bank.key"));
        let origin = signer().name().to_owned();
        let given = ["reserves", "statement", &float, "--ledger", &origin, "--key", &key];
        succeeds(&[&given[..], &["--out", &float]].concat());
        house
    }

    /// Writes a statement into the folder of what is held.
    pub fn state(&self, name: &str, statement: &Statement) {
        fs::write(self.path(&format!("held/{name}.json")), statement.json()).unwrap();
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Writes the file with these options beside, and its leaves; returns what the program prints.
    pub fn write(&self, more: &[&str]) -> Output {
        let paths = ["ledger.db", "held", "house.key", "leaves", "day.reserves"];
        let [store, held, key, leaves, file] = paths.map(|name| self.path(name));
        let mut program = Command::new(PROGRAM);
        program.args(["reserves", "--store", &store, "--statements", &held, "--leaves", &leaves]);
        program.args(["--checkpoint-key", &key, "--out", &file, "--leaves-at-least", "16"]);
        program.args(more).output().unwrap()
    }

    /// The file that was written.
    pub fn file(&self) -> ReservesFile {
        ReservesFile::parse(&fs::read_to_string(self.path("day.reserves")).unwrap()).unwrap()
    }

    /// Its leaves, as text.
    pub fn leaves(&self) -> String {
        let text = fs::read_to_string(self.path("leaves")).unwrap();
        assert_eq!(LeavesFile::parse(&text).unwrap().text(), text);
        text
    }

    /// One holder's proof, of these options.
    pub fn proof(&self, name: &str, holder: &[&str]) -> HolderProof {
        let [store, file, proof] = ["ledger.db", "day.reserves", name].map(|name| self.path(name));
        let given = ["reserves", "proof", &file, "--store", &store, "--out", &proof];
        succeeds(&[&given[..], holder].concat());
        HolderProof::parse(&fs::read_to_string(proof).unwrap()).unwrap()
    }
}

/// The house's key, as its file has it.
fn key() -> Signer {
    Signer::new("ledger.example.com", [7; 32]).unwrap()
}

/// The key under the name of the ledger.
pub fn signer() -> Signer {
    key().of_ledger("live", "live")
}

/// The public text of that key.
pub fn public() -> String {
    signer().verifier().to_string()
}

/// Returns what the program prints; it must succeed.
pub fn succeeds(arguments: &[&str]) -> String {
    let done = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Returns what the program prints to standard error; it must fail.
pub fn fails(arguments: &[&str]) -> String {
    let done = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(!done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stdout));
    String::from_utf8(done.stderr).unwrap()
}
