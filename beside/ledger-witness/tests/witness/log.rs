//! A log that signs whatever a test asks it to, and a witness that knows it.

use ledger_proofs::Hash;
use ledger_proofs::tree::{self, Frontier, leaf_hash};
use ledger_store::signing::{key::Signer, note::Note};
use ledger_witness::{
    AddCheckpoint, Handled, PublicKey, SignedNote, Witness, WitnessFolder, WitnessKey, WitnessState,
};

/// The origin of every test's log.
pub const ORIGIN: &str = "log.example/live/live";

/// The instant of most cosignatures.
pub const NOW: u64 = 1_793_000_000;

/// A tree of leaves, of which any beginning can be signed.
#[derive(Clone, Default)]
pub struct Log {
    frontier: Frontier,
    pub stored: Vec<Hash>,
}

impl Log {
    /// A log of so many leaves, the same for the same salt.
    pub fn new(size: u64, salt: u64) -> Self {
        let mut log = Self::default();
        (0..size).for_each(|leaf| log.push(leaf, salt));
        log
    }

    pub fn size(&self) -> u64 {
        self.frontier.size()
    }

    pub fn push(&mut self, leaf: u64, salt: u64) {
        let data = [leaf.to_le_bytes(), salt.to_le_bytes()].concat();
        let stored = &mut self.stored;
        self.frontier.push(leaf_hash(&data), |hash| stored.push(hash));
    }

    /// The log of the first leaves.
    pub fn beginning(&self, size: u64) -> Self {
        let stored = self.stored[..usize::try_from(tree::stored_count(size)).unwrap()].to_vec();
        let Ok(frontier) = Frontier::read(&mut stored.clone(), size);
        Self { frontier, stored }
    }

    pub fn root(&self, size: u64) -> Hash {
        let Ok(root) = tree::root(&mut self.stored.clone(), size);
        root
    }

    /// The proof from one size to another; from 0 it is empty.
    pub fn proof(&self, old: u64, new: u64) -> Vec<Hash> {
        if old == 0 {
            return Vec::new();
        }
        let Ok(path) = tree::consistency(&mut self.stored.clone(), old, new);
        path
    }

    /// The checkpoint of the first leaves, signed.
    pub fn checkpoint(&self, size: u64) -> SignedNote {
        let text = format!("{ORIGIN}\n{size}\n{}\nextension\n", self.root(size).base64());
        sign(&text)
    }

    /// The request of a log that tells the truth.
    pub fn request(&self, old: u64, new: u64) -> AddCheckpoint {
        AddCheckpoint { old, proof: self.proof(old, new), checkpoint: self.checkpoint(new) }
    }
}

pub fn signer() -> Signer {
    Signer::new(ORIGIN, [1; 32]).unwrap()
}

/// Signs any text by the log's key.
pub fn sign(text: &str) -> SignedNote {
    Note::sign(text, &signer()).to_string().parse().unwrap()
}

pub fn log_key() -> PublicKey {
    signer().verifier().to_string().parse().unwrap()
}

pub fn witness_key() -> WitnessKey {
    WitnessKey::new("witness.example/w1", [2; 32]).unwrap()
}

/// A witness of the log with this memory.
pub fn witness(state: impl WitnessState + 'static) -> Witness {
    Witness::new(witness_key(), [(ORIGIN.to_owned(), vec![log_key()])], Box::new(state))
}

/// A witness of the log in a folder, which is made where it is missing.
pub fn witness_in(folder: &std::path::Path) -> Witness {
    if !folder.exists() {
        WitnessFolder::create(folder, &witness_key()).unwrap();
    }
    witness(WitnessFolder::open(folder).unwrap().1)
}

pub fn ask(witness: &Witness, request: &AddCheckpoint) -> Handled {
    witness.add_checkpoint(request.to_string().as_bytes(), &|| NOW)
}

/// The status of an answer.
pub fn status(witness: &Witness, request: &AddCheckpoint) -> u16 {
    ask(witness, request).answer.status()
}
