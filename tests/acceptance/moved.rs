//! Records move from store to store by file, and end with the head they began with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::program::{DAY, PROGRAM, done, refused};
use crate::server;

const VAULT_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn heads(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.contains(", head ")).map(str::to_owned).collect()
}

/// A folder with a store that has lived the day, and the heads it ended with.
struct Lived {
    folder: TempDir,
    store: String,
    heads: Vec<String>,
}

impl Lived {
    fn a_day() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("ledger.db").display().to_string();
        let (_, err) = done(&["run", DAY, "--store", &store, "--vault-key", VAULT_KEY]);
        Self { folder, store, heads: heads(&err) }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// The store as a file.
    fn exported(&self, more: &[&str]) -> String {
        let file = self.path("records");
        export(&self.store, &file, more);
        file
    }

    /// Returns what else than the store and the file is in the folder.
    fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        // Reading a store leaves its empty log beside it.
        let known = ["ledger.db", "ledger.db-wal", "ledger.db-shm", "records", "wrong"];
        entries.filter(|path| !known.iter().any(|name| path.ends_with(name))).collect()
    }
}

fn export(store: &str, file: &str, more: &[&str]) -> Vec<String> {
    let arguments = ["export", store, "--format", "records", "--output", file];
    heads(&done(&[&arguments[..], more].concat()).1)
}

#[test]
fn records_move_from_a_file_to_a_server_and_back_and_keep_their_heads() {
    let lived = Lived::a_day();
    let (postgres, back) = (server::database(), lived.path("back.db"));
    let file = lived.exported(&["--with-vault"]);
    let (_, err) = done(&["import", &file, "--store", &postgres]);
    assert_eq!(heads(&err), lived.heads);
    let again = lived.path("again");
    assert_eq!(export(&postgres, &again, &["--with-vault"]), lived.heads);
    assert_eq!(fs::read(&file).unwrap(), fs::read(&again).unwrap());
    done(&["import", &again, "--store", &back]);

    let saldo = |store: &str| done(&["saldo", store, "loja", "--customer", "ana", "--json"]).0;
    let audit = |store: &str| done(&["audit", store]).0;
    for store in [&postgres, &back] {
        assert_eq!(audit(store), audit(&lived.store));
        assert_eq!(saldo(store), saldo(&lived.store));
        // The vault and its key came along: the day goes on where it ended, without a new record.
        let (_, err) = done(&["run", DAY, "--store", store]);
        assert_eq!(heads(&err), lived.heads);
    }
}

#[test]
fn without_the_vault_a_file_names_nobody_and_still_proves_everything() {
    let lived = Lived::a_day();
    let secret = lived.exported(&["--with-vault"]);
    let holds = |file: &str, text: &[u8]| {
        fs::read(file).unwrap().windows(text.len()).any(|window| window == text)
    };
    let key: Vec<u8> = (0..16).map(|n| n * 0x11).collect();
    assert!(holds(&secret, b"52998224725") && holds(&secret, &key));
    let file = lived.exported(&[]);
    assert!(!holds(&file, b"52998224725") && !holds(&file, &key));

    let (bare, keyed) = (lived.path("bare.db"), lived.path("keyed.db"));
    let (_, err) = done(&["import", &file, "--store", &bare]);
    assert_eq!(heads(&err), lived.heads);
    assert!(err.contains("the vault's key was left behind"), "{err}");
    assert_eq!(done(&["audit", &bare]).0, done(&["audit", &lived.store]).0);

    let wrong = VAULT_KEY.replace('0', "1");
    let error = refused(&["import", &file, "--store", &keyed, "--vault-key", &wrong]);
    assert!(error.contains("another vault key"), "{error}");
    assert!(!Path::new(&keyed).exists());
    let (_, err) = done(&["import", &file, "--store", &keyed, "--vault-key", VAULT_KEY]);
    assert!(!err.contains("left behind"), "{err}");
    assert_eq!(heads(&done(&["run", DAY, "--store", &keyed]).1), lived.heads);
}

#[test]
fn one_ledger_is_exported_alone_and_by_redirection() {
    let lived = Lived::a_day();
    let file = lived.exported(&["--environment", "sandbox"]);
    let (_, err) = done(&["import", &file, "--store", &lived.path("sandbox.db")]);
    assert_eq!(heads(&err), lived.heads[1..]);
    let arguments = ["export", &lived.store, "--format", "records", "--environment", "sandbox"];
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert_eq!(output.stdout, fs::read(&file).unwrap());
}

#[test]
fn a_damaged_truncated_or_foreign_file_is_refused_and_leaves_nothing_behind() {
    let lived = Lived::a_day();
    let sound = fs::read(lived.exported(&["--with-vault"])).unwrap();
    let (wrong, new, postgres) = (lived.path("wrong"), lived.path("new.db"), server::database());
    let refuse = |bytes: &[u8], store: &str| {
        fs::write(&wrong, bytes).unwrap();
        refused(&["import", &wrong, "--store", store])
    };
    for (bytes, said) in [
        (&b""[..], "no file of a custody ledger's records"),
        (b"PK\x03\x04 an archive of something else", "no file of a custody ledger's records"),
        (&fs::read(&lived.store).unwrap(), "no file of a custody ledger's records"),
        (b"custody-ledger records 2\n", "a version that this program does not know"),
        (&sound[..10], "truncated"),
        (&sound[..sound.len() / 2], "truncated: it ends within"),
        (&sound[..sound.len() - 1], "truncated: it ends within its end"),
        (&[&sound[..], b"more"].concat(), "goes on after its end"),
    ] {
        for store in [&new, &postgres] {
            let error = refuse(bytes, store);
            assert!(error.contains(said) && error.contains("wrong is not imported"), "{error}");
        }
    }
    // A byte anywhere, a flipped bit, and the file is not the one that was exported.
    for place in (0..sound.len()).step_by(sound.len() / 150) {
        let mut damaged = sound.clone();
        damaged[place] ^= 1 << (place % 8);
        let error = refuse(&damaged, &new);
        assert!(error.contains("is not imported"), "{place}: {error}");
    }
    assert_eq!(lived.left(), Vec::<PathBuf>::new());
    assert!(refused(&["audit", &postgres]).contains("it holds no ledger"));
}

#[test]
fn records_are_imported_into_a_new_store_only() {
    let lived = Lived::a_day();
    let file = lived.exported(&["--with-vault"]);
    let before = fs::read(&lived.store).unwrap();
    let error = refused(&["import", &file, "--store", &lived.store]);
    assert!(error.contains("exists: records are imported into a new store"), "{error}");
    assert_eq!(fs::read(&lived.store).unwrap(), before);
    let postgres = server::database();
    done(&["import", &file, "--store", &postgres]);
    let error = refused(&["import", &file, "--store", &postgres]);
    assert!(error.contains("holds ledger live already"), "{error}");
    assert!(refused(&["import", &file, "--store", "memory:"]).contains("keeps nothing"));
    assert_eq!(lived.left(), Vec::<PathBuf>::new());
}
