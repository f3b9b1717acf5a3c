//! The database file, changed by somebody who has it: what is not the ledger's content may change
//! unseen, what is may not.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::Duration;

use ledger_store::SqliteJournal;
use ledger_store::journal::OpenMode;
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use tokio::runtime::Builder;

use super::setup::story::Dice;
use super::setup::{LIVE, lived_in_commits_of, mode, write};
use super::{IN_A_ROW, STEPS, Verified, audited, verified};

/// Bytes of a page.
const PAGE: usize = 4_096;

/// How many places of the file are tried.
const PLACES: usize = 600;

/// No audit of so small a file takes so long.
const LONGEST: Duration = Duration::from_secs(30);

/// What became of a file with one byte changed.
enum Became {
    /// It could not be opened, and the error says why.
    Unopened(String),
    /// The audit found something; whether it named a record, and what it said.
    Found(Option<u64>, String),
    /// The audit verified it.
    Verified(Verified),
}

fn audit_of(path: &Path) -> Became {
    let mut journal = match SqliteJournal::open(path, LIVE, OpenMode::ReadOnly) {
        Ok(journal) => journal,
        Err(error) => return Became::Unopened(error.to_string()),
    };
    match audited(&mut journal, None) {
        Ok(report) => Became::Verified(verified(&report)),
        Err(finding) => Became::Found(finding.seq(), format!("{finding:?}")),
    }
}

/// A sound file: its path, its bytes, and what its audit comes to.
fn sound_file(folder: &Path) -> (PathBuf, Vec<u8>, Verified) {
    let path = folder.join("ledger.db");
    let (sequencer, commits) = lived_in_commits_of(IN_A_ROW, STEPS);
    write(&mut SqliteJournal::open(&path, LIVE, mode()).unwrap(), &commits);
    let whole = (Some(sequencer.head()), Some(ledger_store::digest::digest(sequencer.ledger())));
    assert!(matches!(audit_of(&path), Became::Verified(found) if found == whole));
    let bytes = fs::read(&path).unwrap();
    (path, bytes, whole)
}

/// The page of the file where the index of the journal's rows begins.
fn index_page(path: &Path) -> usize {
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_journal_1'";
    let page: i64 = Builder::new_current_thread().build().unwrap().block_on(async {
        let options = SqliteConnectOptions::new().filename(path).read_only(true);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::query_scalar(root).fetch_one(&mut connection).await.unwrap()
    });
    usize::try_from(page).unwrap() - 1
}

/// The audit of a file, in a thread of its own: one that panics or hangs is not waited for.
fn patiently(path: &Path, place: usize) -> Became {
    let (sender, receiver) = channel();
    let file = path.to_owned();
    std::thread::spawn(move || sender.send(audit_of(&file)));
    receiver.recv_timeout(LONGEST).unwrap_or_else(|error| panic!("byte {place}: {error}"))
}

/// Flips each bit in turn; gives how many were unopened, found and without effect.
fn every_flip_is_found_or_harmless(bits: impl IntoIterator<Item = (usize, u64)>) -> [usize; 3] {
    let folder = tempfile::tempdir().unwrap();
    let (_, sound, whole) = sound_file(folder.path());
    let mut seen = [0; 3];
    let mut deceived = Vec::new();
    for (number, (place, bit)) in bits.into_iter().enumerate() {
        let mut bytes = sound.clone();
        bytes[place] ^= 1 << bit;
        let changed = folder.path().join(format!("changed-{number}.db"));
        fs::write(&changed, &bytes).unwrap();
        match patiently(&changed, place) {
            Became::Unopened(reason) => {
                assert!(
                    reason.contains("changed-") || reason.contains(LIVE),
                    "byte {place}: {reason}"
                );
                seen[0] += 1;
            }
            // Where the database itself cannot be asked, it says what it lacks; a trigger or a
            // token is named.
            Became::Found(seq, what) => {
                let named = ["Medium(", "Rules ", "Vault "].iter().any(|said| what.contains(said));
                assert!(seq.is_some() || named, "byte {place}: {what}");
                seen[1] += 1;
            }
            Became::Verified(outcome) if outcome == whole => seen[2] += 1,
            Became::Verified((head, _)) => deceived.push((place, bit, head.map(|head| head.seq))),
        }
        fs::remove_file(&changed).unwrap();
    }
    assert!(deceived.is_empty(), "byte, bit, and the end that was verified: {deceived:?}");
    seen
}

#[test]
fn a_changed_byte_of_the_file_is_found_or_is_no_content() {
    let folder = tempfile::tempdir().unwrap();
    let length = sound_file(folder.path()).1.len();
    let mut dice = Dice(11);
    let mut bit = |number: usize| {
        // The first page says how all others are to be read.
        let place = if number.is_multiple_of(4) { dice.index(PAGE) } else { dice.index(length) };
        (place, dice.below(8))
    };
    let [unopened, found, harmless] = every_flip_is_found_or_harmless((0..PLACES).map(&mut bit));
    assert!(unopened > 10 && found > 100 && harmless > 10, "{unopened} {found} {harmless}");
}

#[test]
fn a_changed_bit_of_the_index_hides_no_row() {
    let folder = tempfile::tempdir().unwrap();
    let (path, sound, _) = sound_file(folder.path());
    let start = index_page(&path) * PAGE;
    let used = (start..start + PAGE).filter(|place| sound[*place] != 0);
    let bits: Vec<_> = used.flat_map(|place| [0, 3, 6].map(|bit| (place, bit))).collect();
    assert!(bits.len() > 100, "the index has entries");
    let [_, found, _] = every_flip_is_found_or_harmless(bits);
    assert!(found > 10);
}
