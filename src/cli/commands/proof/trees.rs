//! What `audit` proves of the trees over records, and of the checkpoints that were signed.

use std::path::{Path, PathBuf};

use ledger_core::contract::Environment;
use ledger_proofs::checkpoint::Checkpoint;
use ledger_proofs::record_tree::{RecordTree, link_at};
use ledger_store::Journal;
use ledger_store::signing::note::Note;

use crate::Failure;
use crate::checkpoints::{check_rules, in_store, is_of, tree_path};
use crate::store::Store;

/// Where trees stand, and the checkpoints that are to be proved.
pub struct Trees {
    folder: Option<PathBuf>,
    checkpoints: Vec<Checkpoint>,
}

impl Trees {
    /// Reads the checkpoints of a file, which must have one: of them those of the ledger that alone
    /// is audited, if it is one.
    pub fn new(
        folder: Option<&Path>,
        checkpoints: Option<&Path>,
        only: Option<&str>,
    ) -> Result<Self, Failure> {
        let read = |path: &Path| -> Result<Vec<Checkpoint>, Failure> {
            let named = |error: &(dyn std::error::Error + 'static)| Failure::of_file(path, error);
            let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
            let notes = Note::all(&text);
            if notes.is_empty() {
                return Err(Failure::new(format!(
                    "{}: there is no checkpoint in it",
                    path.display()
                )));
            }
            let each = notes.iter().map(|note| Checkpoint::parse(&note.text));
            each.collect::<Result<_, _>>().map_err(|error| named(&error))
        };
        let mut checkpoints = checkpoints.map(read).transpose()?.unwrap_or_default();
        checkpoints.retain(|known| only.is_none_or(|only| is_of(&known.origin, only)));
        Ok(Self { folder: folder.map(Path::to_owned), checkpoints })
    }

    /// The first checkpoint of a ledger that `is_there` says not to be.
    pub fn first_missing(&self, is_there: impl Fn(&str) -> bool) -> Option<&Checkpoint> {
        self.checkpoints.iter().find(|known| !is_there(&known.origin))
    }

    /// Proves a ledger's tree, where there is one, and every checkpoint of it; gives what was.
    pub fn prove(
        &self,
        store: &Store,
        journal: &mut dyn Journal,
        name: &str,
    ) -> Result<Vec<String>, Failure> {
        let mut proved = Vec::new();
        let environment = Environment::ALL.into_iter().find(|known| known.name() == name);
        let path = environment.and_then(|of| tree_path(store, self.folder.as_deref(), of));
        if let Some(path) = path.filter(|path| path.exists()) {
            let size = RecordTree::open(&path).and_then(|mut tree| tree.audit(journal, name));
            let size =
                size.map_err(|error| Failure::because(&format!("tree of {name}"), &error))?;
            proved.push(format!("Tree of {name}: {size} records, equal to the journal"));
        }
        let mine = self.checkpoints.iter().filter(|known| is_of(&known.origin, name));
        let mine: Vec<&Checkpoint> = mine.collect();
        let stored = in_store(store, name)?;
        let stored = stored.iter().map(|note| of_store(note, name));
        let stored = stored.collect::<Result<Vec<Checkpoint>, Failure>>()?;
        let (in_file, in_table) = (mine.len(), stored.len());
        let mine: Vec<&Checkpoint> = mine.into_iter().chain(&stored).collect();
        if mine.is_empty() {
            return Ok(proved);
        }
        // Not the file's tree: what is proved here rests on the journal alone.
        let mut tree = RecordTree::in_memory();
        tree.follow(journal, name)?;
        for Checkpoint { origin, size, root, head, .. } in &mine {
            if tree.size() < *size {
                let ends = tree.size();
                return Err(Failure::new(format!(
                    "truncated: ledger {name} ends at record {ends}, and {origin} signed {size}"
                )));
            }
            let found = tree.root(*size)?;
            if found != *root {
                return Err(Failure::new(format!(
                    "ledger {name} has another past than {origin} signed at {size} records: root \
                     {found}, and not {root}"
                )));
            }
            let there = link_at(journal, name, *size)?;
            if there != *head {
                return Err(Failure::new(format!(
                    "ledger {name} has link {there} at record {size}, and {origin} signed {head}"
                )));
            }
        }
        check_rules(store)?;
        let last = |places: &[&Checkpoint]| places.iter().map(|known| known.size).max();
        for (count, place, last) in [
            (in_file, "", last(&mine[..in_file])),
            (in_table, " in the store", last(&mine[in_file..])),
        ] {
            if let Some(last) = last {
                proved.push(format!(
                    "Checkpoints of {name}{place}: {count}, the last of record {last}"
                ));
            }
        }
        Ok(proved)
    }
}

/// A checkpoint of the store, which must be of the ledger it stands for.
fn of_store(note: &Note, name: &str) -> Result<Checkpoint, Failure> {
    let wrong = format!("checkpoints of {name} in the store");
    let checkpoint = Checkpoint::parse(&note.text);
    let checkpoint = checkpoint.map_err(|error| Failure::because(&wrong, &error))?;
    if is_of(&checkpoint.origin, name) {
        Ok(checkpoint)
    } else {
        Err(Failure::new(format!("{wrong}: one is of {}", checkpoint.origin)))
    }
}
