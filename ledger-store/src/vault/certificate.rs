//! What says, afterwards, that a person was erased, without saying who it was.

use std::fmt::{self, Write as _};

use ledger_core::id::Environment;

use super::row::Token;
use super::{Erased, OperatorNote};
use crate::journal::{Head, Journal, JournalError};
use crate::proof::key::Signer;
use crate::proof::note::Note;

/// The first line of a certificate: no checkpoint begins so.
const FIRST: &str = "custody-ledger erasure 1";

/// How many rows of the journal are read at once.
const ROWS: usize = 256;

/// A certificate of erasure: what was erased, when, by whom, and of which ledger as it stood.
///
/// Its text is lines of a name and a value, and has no empty line, so that a [`Note`] can sign it:
///
/// ```
/// # use ledger_core::contract::Sort;
/// # use ledger_core::id::{Environment, Token};
/// # use ledger_core::time::Instant;
/// # use ledger_store::proof::key::Signer;
/// # use ledger_store::vault::{Certificate, Erased, ErasedRecords, OperatorNote};
/// # use ledger_store::{Head, Link};
///
/// let erased = Erased { token: Token([7; 16]), sort: Sort::Document };
/// let certificate = Certificate {
///     ledger: "live".into(),
///     environment: Environment::Live,
///     head: Head { seq: 12, link: Link([1; 32]) },
///     note: OperatorNote { at: Instant::default(), by: "bia".into(), reason: "case 17".into() },
///     erased: vec![ErasedRecords { erased, records: 3 }],
///     left: Vec::new(),
/// };
/// assert!(certificate.to_string().contains("erased document 07070707070707070707070707070707 3"));
/// let signer = Signer::new("ledger.example.com", [7; 32])?.of_ledger("live", "live");
/// assert_eq!(certificate.signed(&signer).verify(&signer.verifier()), Ok(()));
/// # Ok::<(), ledger_store::proof::key::KeyMalformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The ledger's name.
    pub ledger: String,
    /// Its environment.
    pub environment: Environment,
    /// Where its journal ended: the number of its records, and the link after the last.
    pub head: Head,
    /// Who erased, when and why.
    pub note: OperatorNote,
    /// What was erased.
    pub erased: Vec<ErasedRecords>,
    /// What may be left in the files of the medium, a sentence each.
    pub left: Vec<String>,
}

/// A value that was erased, and how many records name it by its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErasedRecords {
    /// The token, and what sort of value it stood for.
    pub erased: Erased,
    /// In how many records the token stands, which now show nothing of the person.
    pub records: u64,
}

impl Certificate {
    /// Whether a text that was signed is that of a certificate, and not of a checkpoint.
    #[must_use]
    pub fn is_text_of_one(text: &str) -> bool {
        text.lines().next() == Some(FIRST)
    }

    /// The certificate with a signature under it.
    #[must_use]
    pub fn signed(&self, signer: &Signer) -> Note {
        Note::sign(&self.to_string(), signer)
    }
}

/// The text that is signed.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ledger, environment, head, note, erased, left } = self;
        writeln!(f, "{FIRST}")?;
        writeln!(f, "ledger {}", OneLine(ledger))?;
        writeln!(f, "environment {environment}")?;
        writeln!(f, "records {}", head.seq)?;
        writeln!(f, "head {}", head.link)?;
        writeln!(f, "at {}", note.at)?;
        writeln!(f, "by {}", OneLine(&note.by))?;
        writeln!(f, "reason {}", OneLine(&note.reason))?;
        for ErasedRecords { erased, records } in erased {
            writeln!(f, "erased {} {} {records}", erased.kind(), erased.token_text())?;
        }
        left.iter().try_for_each(|left| writeln!(f, "left {}", OneLine(left)))
    }
}

/// A text in which nothing ends the line.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut characters = self.0.chars();
        characters.try_for_each(|c| f.write_char(if c.is_control() { ' ' } else { c }))
    }
}

/// In how many records up to `head` each of these tokens stands. Reads the whole journal.
///
/// # Errors
///
/// [`JournalError`] when it cannot be read.
pub fn records_naming(
    journal: &mut dyn Journal,
    head: Head,
    tokens: &[Token],
) -> Result<Vec<u64>, JournalError> {
    let mut counts = vec![0; tokens.len()];
    let mut next = 1;
    while next <= head.seq {
        let rows = journal.read(next, ROWS)?;
        let Some(last) = rows.last() else { break };
        next = last.last() + 1;
        for frame in rows.iter().flat_map(|row| row.frames()) {
            let frame =
                frame.map_err(|error| JournalError::Damaged { seq: next, source: error.into() })?;
            if frame.seq > head.seq {
                break;
            }
            for (token, count) in tokens.iter().zip(&mut counts) {
                let named = frame.record.windows(token.len()).any(|bytes| bytes == token);
                *count += u64::from(named);
            }
        }
    }
    Ok(counts)
}
