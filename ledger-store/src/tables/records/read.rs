//! Reading a file of records: proving it whole, and only then importing it.

use std::collections::HashSet;
use std::io::{ErrorKind, Read};

use ledger_core::contract::Tokens;

use super::{ANY_VERSION, Contents, ImportError, Item, LONGEST_ITEM, MAGIC, key_check};
use crate::bytes::chain::{Algorithm, Link};
use crate::engines::sequencer::Sequencer;
use crate::journal::{Commit, Identity, Journal, OpenError, OpenMode, Row, VaultRow};
use crate::state::vault::named::NamedTokens;

/// How many rows one commit brings: as many records as an engine's largest.
const ROWS_AT_ONCE: usize = 8;

/// How many tokens are noted in one transaction.
const NOTED_AT_ONCE: usize = 10_000;

/// Proves a file from its first byte to its last: what it names, every record's link, decoding and
/// place, the heads, and the check at its end. Writes nothing.
///
/// # Errors
///
/// [`ImportError`] saying what is wrong with it.
pub fn prove(file: impl Read) -> Result<Vec<Contents>, ImportError> {
    let mut reader = Reader::new(file)?;
    let contents = reader.contents()?;
    for ledger in &contents {
        let algorithm = ledger.algorithm()?;
        if ledger.vault_key.is_some_and(|key| key_check(&key) != ledger.key_check) {
            let within = format!("the vault key of ledger \"{}\"", ledger.name);
            return Err(ImportError::Damaged { within });
        }
        // Nothing that is replayed depends on the key.
        let designation = ledger.designation()?;
        let identity = Identity { algorithm, vault_key: [0; 32], designation };
        let mut sequencer = Sequencer::new(&ledger.name, identity).exact();
        reader.rows(ledger, |row| {
            let name = ledger.name.clone();
            sequencer.replay(&row).map_err(|source| ImportError::Broken { name, source })
        })?;
        if sequencer.head() != ledger.head() {
            return Err(ImportError::HeadDiffers { name: ledger.name.clone() });
        }
        for _ in 0..ledger.values {
            reader.value(ledger)?;
        }
    }
    reader.end()?;
    Ok(contents)
}

/// Imports a file that [`prove`] has found sound into journals that `open` opens, each ledger under
/// the key the file brings, or else `vault_key`, or else a new one.
///
/// # Errors
///
/// [`ImportError`]; some say that a part has been written.
pub fn import(
    file: impl Read,
    vault_key: Option<[u8; 32]>,
    mut open: impl FnMut(&str, OpenMode) -> Result<Box<dyn Journal>, OpenError>,
) -> Result<Vec<Contents>, ImportError> {
    let mut reader = Reader::new(file)?;
    let contents = reader.contents()?;
    for ledger in &contents {
        if vault_key.is_some_and(|key| key_check(&key) != ledger.key_check) {
            return Err(ImportError::KeyDiffers { name: ledger.name.clone() });
        }
    }
    for ledger in &contents {
        let vault_key = ledger.vault_key.or(vault_key);
        let (algorithm, designation) = (Some(ledger.algorithm()?), Some(ledger.designation()?));
        let mode = OpenMode::Create { vault_key, algorithm, designation };
        let mut journal = open(&ledger.name, mode)?;
        copy(&mut reader, ledger, &mut *journal)?;
    }
    reader.end()?;
    Ok(contents)
}

fn copy<R: Read>(
    reader: &mut Reader<R>,
    ledger: &Contents,
    journal: &mut dyn Journal,
) -> Result<(), ImportError> {
    let name = || ledger.name.clone();
    let journal_failed = |source| ImportError::Journal { name: name(), source };
    let mut previous = journal.open_writer().map_err(journal_failed)?.head;
    if previous.seq != 0 {
        return Err(ImportError::NotEmpty { name: name() });
    }
    let mut append = |rows: &mut Vec<Row>, vault| {
        let commit = Commit { previous, rows: std::mem::take(rows), vault };
        previous = commit.head();
        let appended = journal.append(&commit);
        appended.map_err(|error| ImportError::Append { name: name(), source: error.into() })
    };
    let (mut waiting, mut named) = (Vec::new(), NamedTokens::default());
    reader.rows(ledger, |row| {
        for frame in row.frames().map_while(Result::ok) {
            named.read(frame.seq, frame.record);
        }
        if waiting.len() == ROWS_AT_ONCE {
            append(&mut waiting, Vec::new())?;
        }
        waiting.push(row);
        Ok(())
    })?;
    // Values come after the rows that name them, and land with the last of them.
    let values: Result<Vec<_>, _> = (0..ledger.values).map(|_| reader.value(ledger)).collect();
    let values = values?;
    let kept: HashSet<_> = values.iter().map(|value| value.token).collect();
    if !waiting.is_empty() {
        append(&mut waiting, values)?;
    }
    if journal.head().map_err(journal_failed)? != ledger.head() {
        return Err(ImportError::HeadDiffers { name: name() });
    }
    // What did not come along is not missing here.
    for tokens in named.without_value(&kept).chunks(NOTED_AT_ONCE) {
        journal.note_erased(tokens).map_err(journal_failed)?;
    }
    Ok(())
}

/// The items of a file, and the hash of what was read.
struct Reader<R> {
    file: R,
    hasher: blake3::Hasher,
}

impl<R: Read> Reader<R> {
    fn new(file: R) -> Result<Self, ImportError> {
        let mut reader = Self { file, hasher: blake3::Hasher::new() };
        let mut magic = Vec::new();
        let begin = reader.file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic);
        begin.map_err(ImportError::Read)?;
        reader.hasher.update(&magic);
        if magic == MAGIC {
            Ok(reader)
        } else if magic.starts_with(ANY_VERSION) {
            Err(ImportError::Version)
        } else if !magic.is_empty() && MAGIC.starts_with(&magic) {
            Err(ImportError::Truncated { within: "its first line".to_owned() })
        } else {
            Err(ImportError::Foreign)
        }
    }

    fn contents(&mut self) -> Result<Vec<Contents>, ImportError> {
        let within = || "its contents".to_owned();
        match self.item(within)? {
            Item::Contents(contents) => Ok(contents),
            _ => Err(ImportError::Damaged { within: within() }),
        }
    }

    /// Hands every row of `ledger` to `each`.
    fn rows(
        &mut self,
        ledger: &Contents,
        mut each: impl FnMut(Row) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let mut next = 1;
        while next <= ledger.head().seq {
            let within = || format!("the row of record {next} of ledger \"{}\"", ledger.name);
            let Item::Row { first, count, link, payload } = self.item(within)? else {
                return Err(ImportError::Damaged { within: within() });
            };
            let row = Row { first, count, link: Link(link), payload };
            if row.first != next || row.count == 0 || row.last() > ledger.head().seq {
                return Err(ImportError::Damaged { within: within() });
            }
            next = row.last() + 1;
            each(row)?;
        }
        Ok(())
    }

    /// The next value, proved under the key that came with it.
    fn value(&mut self, ledger: &Contents) -> Result<VaultRow, ImportError> {
        let within = || format!("a value of the vault of ledger \"{}\"", ledger.name);
        let (Item::Value { token, kind, value, mask }, Some(key)) =
            (self.item(within)?, ledger.vault_key)
        else {
            return Err(ImportError::Damaged { within: within() });
        };
        let row = VaultRow { token, kind, value, mask };
        row.prove(&Tokens::new(key)).map_err(|source| ImportError::Value {
            name: ledger.name.clone(),
            token: row.token_text(),
            source,
        })?;
        Ok(row)
    }

    fn end(&mut self) -> Result<(), ImportError> {
        let found = *self.hasher.finalize().as_bytes();
        let within = || "its end".to_owned();
        match self.item(within)? {
            Item::End { check } if check == found => {}
            Item::End { .. } => return Err(ImportError::CheckDiffers),
            _ => return Err(ImportError::Damaged { within: within() }),
        }
        match self.file.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(ImportError::Trailing),
            Err(error) => Err(ImportError::Read(error)),
        }
    }

    fn item(&mut self, within: impl Fn() -> String) -> Result<Item, ImportError> {
        let cut = |error: std::io::Error| match error.kind() {
            ErrorKind::UnexpectedEof => ImportError::Truncated { within: within() },
            _ => ImportError::Read(error),
        };
        let mut length = [0; 4];
        self.file.read_exact(&mut length).map_err(cut)?;
        self.hasher.update(&length);
        let length = u32::from_le_bytes(length);
        if length > LONGEST_ITEM {
            return Err(ImportError::Damaged { within: within() });
        }
        // Grows as bytes come: a damaged length takes no memory that the file does not fill.
        let mut bytes = Vec::new();
        let read = self.file.by_ref().take(length.into()).read_to_end(&mut bytes);
        if read.map_err(ImportError::Read)? as u64 != u64::from(length) {
            return Err(ImportError::Truncated { within: within() });
        }
        self.hasher.update(&bytes);
        let mut decoder = minicbor::Decoder::new(&bytes);
        match decoder.decode() {
            Ok(item) if decoder.position() == bytes.len() => Ok(item),
            _ => Err(ImportError::Damaged { within: within() }),
        }
    }
}

impl Contents {
    fn algorithm(&self) -> Result<Algorithm, ImportError> {
        Algorithm::try_from(self.algorithm)
            .map_err(|source| ImportError::Algorithm { name: self.name.clone(), source })
    }
}
