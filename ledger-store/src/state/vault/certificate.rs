//! What says, afterwards, that a person was erased, without saying who it was.

use std::fmt::{self, Write as _};

use ledger_core::id::Environment;

use super::row::Token;
use super::{Erased, OperatorNote};
use crate::bytes::signing::key::Signer;
use crate::bytes::signing::note::Note;
use crate::journal::{Head, Journal, JournalError};

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
/// # use ledger_store::signing::key::Signer;
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
/// assert_eq!(certificate.sign(&signer).verify(&signer.verifier()), Ok(()));
/// # Ok::<(), ledger_store::signing::key::KeyMalformed>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The ledger's name.
    pub ledger: String,
    /// The environment of the ledger: live or sandbox.
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
    /// Tells whether a text that was signed is that of a certificate, and not of a checkpoint.
    #[must_use]
    pub fn is_text_of_one(text: &str) -> bool {
        text.lines().next() == Some(FIRST)
    }

    /// The certificate with a signature under it.
    #[must_use]
    pub fn sign(&self, signer: &Signer) -> Note {
        Note::sign(&self.to_string(), signer)
    }

    /// The certificate as it is handed out: signed in the name of its ledger, where there is a key.
    #[must_use]
    pub fn issue(&self, key: Option<&Signer>) -> String {
        match key {
            Some(key) => self.sign(&key.of_ledger(&self.ledger, &self.ledger)).to_string(),
            None => self.to_string(),
        }
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

#[cfg(test)]
mod tests {
    use ledger_core::time::Instant;

    use super::*;
    use crate::bytes::frame::FrameWriter;
    use crate::journal::{Commit, OpenMode};
    use crate::{MemoryDisk, MemoryJournal};

    fn certificate(reason: &str) -> Certificate {
        let note = OperatorNote { at: Instant::default(), by: "bia".into(), reason: reason.into() };
        let (ledger, environment) = ("live".into(), Environment::Live);
        let head = Head { seq: 2, link: crate::Link([1; 32]) };
        Certificate { ledger, environment, head, note, erased: Vec::new(), left: Vec::new() }
    }

    #[test]
    fn a_reason_of_several_lines_says_nothing_else_in_a_certificate() {
        let text = certificate("case 17\nerased document 07 3\r").to_string();
        assert!(text.lines().all(|line| !line.starts_with("erased")), "{text}");
        assert!(text.ends_with("reason case 17 erased document 07 3 \n"), "{text}");
    }

    #[test]
    fn a_text_is_a_certificates_where_it_begins_as_one_does() {
        let text = certificate("case 17").to_string();
        assert!(Certificate::is_text_of_one(&text));
        assert!(!Certificate::is_text_of_one(&format!("ledger.example.com/live/live\n{text}")));
    }

    #[test]
    fn records_after_the_head_of_a_certificate_are_not_counted() {
        let mut journal =
            MemoryJournal::open(&MemoryDisk::new(), "live", OpenMode::create()).unwrap();
        let opening = journal.open_writer().unwrap();
        let (token, other) = ([7; 16], [8; 16]);
        let mut writer = FrameWriter::new(opening.head.chain(journal.identity().algorithm));
        for named in [token, other, token] {
            writer.push(&[&b"names "[..], &named].concat());
        }
        let rows = vec![writer.cut().unwrap()];
        let commit = Commit { previous: opening.head, rows, vault: Vec::new() };
        journal.append(&commit).unwrap();
        let mut counts = |seq| {
            let head = Head { seq, ..commit.head() };
            records_naming(&mut journal, head, &[token, other]).unwrap()
        };
        assert_eq!([counts(1), counts(2), counts(3)], [[1, 0], [1, 1], [2, 1]]);
    }
}
