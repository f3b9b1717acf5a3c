//! The digest of a report, and the statement that a key signs: what holds it against the journal.

use ledger_core::hexadecimal::digits;
use ledger_store::signing::key::{Signer, Verifier};
use ledger_store::signing::note::{Note, NoteRefused};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// The first line of a statement: no checkpoint begins so.
const FIRST: &str = "custody-ledger client report 1";

/// The error of a report that is not what it says.
#[derive(Debug, Error)]
pub enum ReportRefused {
    /// It is no report, or its JSON is malformed.
    #[error("this is no client's report")]
    Malformed,
    /// Its content was changed.
    #[error("its content has the digest {content}, and it says {stated}")]
    Digest {
        /// The digest of its content.
        content: String,
        /// The digest that it states.
        stated: String,
    },
    /// Its statement is of other records or content than the report.
    #[error("its statement is not of its content")]
    Statement,
    /// Nobody signed it.
    #[error("it is not signed")]
    Unsigned,
    /// Its signature is not the key's.
    #[error(transparent)]
    Signature(#[from] NoteRefused),
}

/// Returns SHA-256 of the content as compact JSON, in hexadecimal digits.
pub(super) fn content_digest(content: &Value) -> String {
    digits(&Sha256::digest(content.to_string().as_bytes()))
}

/// Returns the lines that stand for a report, signed where there is a key. No client is named.
pub(super) fn statement_text(content: &Value, signer: Option<&Signer>) -> String {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (journal, days) = (&content["diario"], &content["periodo"]);
    let text = format!(
        "{FIRST}\nledger {}\nfrom {}\nto {}\nrecord {}\nlink {}\nsha256 {}\n",
        word(&content["ledger"]),
        word(&days["de"]),
        word(&days["ate"]),
        word(&journal["registros"]),
        word(&journal["elo"]),
        content_digest(content),
    );
    match signer {
        Some(signer) => Note::sign(&text, signer).to_string(),
        None => text,
    }
}

/// Checks a report as JSON: its digest and its statement and, where a key is given, the signature.
/// Returns the statement's text, whose record and link a checkpoint proves.
///
/// # Errors
///
/// [`ReportRefused`], saying what does not match.
pub fn check_report(text: &str, key: Option<&Verifier>) -> Result<String, ReportRefused> {
    let report: Value = serde_json::from_str(text).map_err(|_| ReportRefused::Malformed)?;
    let stated = report["sha256"].as_str().ok_or(ReportRefused::Malformed)?;
    let statement = report["declaracao"].as_str().ok_or(ReportRefused::Malformed)?;
    if report["relatorio"] != FIRST {
        return Err(ReportRefused::Malformed);
    }
    let content = content_digest(&report["conteudo"]);
    if content != stated {
        return Err(ReportRefused::Digest { content, stated: stated.to_owned() });
    }
    let expected = statement_text(&report["conteudo"], None);
    let notes = Note::all(statement);
    let signed = notes.first().map_or(statement, |note| &note.text);
    if signed != expected {
        return Err(ReportRefused::Statement);
    }
    match (key, notes.first()) {
        (None, _) => {}
        (Some(_), None) => return Err(ReportRefused::Unsigned),
        (Some(key), Some(note)) => note.verify(key)?,
    }
    Ok(expected)
}
