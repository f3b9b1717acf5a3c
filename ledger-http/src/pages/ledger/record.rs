//! A record: what it says, its place in the chain, and the bytes that prove it.

use ledger_core::id::Seq;
use ledger_core::ledger::{Archive as _, Origin};
use ledger_store::Algorithm;
use ledger_store::sequencer::{Evidence, Sequencer};

use super::viewer::{Viewer, form_encode};
use super::{decision, event, operation, words};
use crate::pages::format::{count, local};
use crate::pages::layout::{Cell, Section};
use ledger_core::hexadecimal::digits;

/// The sections of a record's page; none where there is no such record, or it is not the viewer's.
pub(in crate::pages) fn sections(
    sequencer: &Sequencer,
    seq: u64,
    viewer: &Viewer,
) -> Option<Vec<Section>> {
    let record = sequencer.ledger().archive.record(Seq(seq))?;
    if !operation::is_of(sequencer, Seq(seq), viewer) {
        return None;
    }
    let evidence = sequencer.evidence(seq)?;
    let lang = viewer.lang;
    let mut rows = vec![
        (viewer.t("Quando, Brasília", "When, Brasília"), Cell::text(local(record.at, lang))),
        (viewer.t("Quando, UTC", "When, UTC"), Cell::code(record.at.to_string())),
    ];
    if viewer.only.is_none() {
        let origin = Cell::text(words::cause(&record, lang));
        let origin = match &record.cause.origin {
            Origin::Request(id) => {
                origin.to(format!("{}/requests?id={}", viewer.base, form_encode(id)))
            }
            _ => origin,
        };
        rows.push((viewer.t("Origem", "Origin"), origin));
        if let Some(outside) = &record.outside {
            let scope = words::apart(&format!("{:?}", outside.scope));
            let text = format!("{scope} {}", outside.id);
            rows.push((viewer.t("Identidade do fato", "Identity of the fact"), Cell::code(text)));
        }
        let last = sequencer.ledger().state.seq.0;
        let neighbours = [
            (seq > 1, seq - 1, viewer.t("Registro anterior", "Record before")),
            (seq < last, seq + 1, viewer.t("Registro seguinte", "Record after")),
        ];
        for (_, seq, name) in neighbours.into_iter().filter(|(is, ..)| *is) {
            rows.push((name, viewer.record_cell(seq)));
        }
    }
    let mut sections = vec![Section::Facts { title: String::new(), rows }];
    sections.push(Section::Table(operation::entries(
        sequencer,
        std::slice::from_ref(&record),
        None,
        viewer,
    )));
    sections.extend(decision::section(sequencer, std::slice::from_ref(&record), viewer));
    sections.push(proof(&evidence, viewer));
    if viewer.only.is_none() {
        let events = record.events.iter();
        sections.extend(events.map(|event| event::section(sequencer, event, viewer)));
        let bytes = count(evidence.bytes.len() as u64, lang);
        let title = format!("{}: {bytes}", viewer.t("Bytes", "Bytes"));
        sections.push(Section::Verbatim { title, text: rows_of_hex(&evidence.bytes) });
    }
    Some(sections)
}

/// The links around a record, and how the second follows from the first.
fn proof(evidence: &Evidence, viewer: &Viewer) -> Section {
    let hash = match evidence.algorithm {
        Algorithm::Blake3 => "BLAKE3",
        Algorithm::Sha256 => "SHA-256",
    };
    let rule = format!(
        "{hash}({} ‖ {} ‖ {})",
        viewer.t("elo anterior", "link before"),
        viewer.t("número em 8 bytes, little endian", "number as 8 bytes, little endian"),
        viewer.t("bytes do registro", "bytes of the record"),
    );
    let rows = vec![
        (viewer.t("Elo anterior", "Link before"), Cell::code(digits(&evidence.before.0))),
        (
            viewer.t("Elo deste registro", "Link of this record"),
            Cell::code(digits(&evidence.after.0)),
        ),
        (viewer.t("Como se calcula", "How it is computed"), Cell::text(rule)),
    ];
    Section::Facts { title: viewer.t("Prova", "Proof"), rows }
}

/// Sixteen bytes a row, as they are compared by eye.
fn rows_of_hex(bytes: &[u8]) -> String {
    let row = |(place, chunk): (usize, &[u8])| {
        let pairs: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{:06x}  {}", place * 16, pairs.join(" "))
    };
    bytes.chunks(16).enumerate().map(row).collect::<Vec<_>>().join("\n")
}
