//! Facts of statements: evidence that a close may name.

use crate::accounting::{ReceivedStatement, StatementSource, StatementTotal};
use crate::coin::{Scale, Units};
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACTOR, EVIDENCE, ID, REASON, decided_by};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::input::units::units;
use crate::contract::schema::bounds::{OrEmpty, checked};
use crate::contract::schema::field::FieldType::{Decimal, Moment, Objects, Text, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::hexadecimal;
use crate::id::EvidenceHash;
use crate::ledger::closing::Fact as ClosingFact;
use crate::ledger::{Fact, FactKind};

const ORIGIN: Field = optional("origin", Text(255), "whose statement it is, as the file says");
const NAME: Field = required("name", Text(255), "the account, as matching names it");

const TOTAL: &[Field] = &[
    NAME,
    optional("opening", Decimal(40), "its balance before the first movement; absent: zero"),
    optional("closing", Decimal(40), "its balance after the last; absent: zero"),
    optional("incoming", Decimal(40), "the sum of what came in"),
    optional("outgoing", Decimal(40), "the sum of what left"),
    optional("movements", Decimal(20), "how many movements it has, a whole number"),
];

pub(super) const SHA256: Field =
    required("sha256", Text(64), "the SHA-256 of the file, 64 hexadecimal digits");

checked!(ReceivedStatement { origin: OrEmpty(ORIGIN), totals });
checked!(StatementTotal { account: NAME });

/// The fact of a statement.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::StatementReceived,
    name: "statement.received",
    subject: Subject::Ledger,
    meaning: "A statement of accounts outside was received; its file stands elsewhere, under its \
              hash. It books nothing.",
    fields: &[
        ID,
        SHA256,
        required("source", Word(16), "provider, chain or exchange"),
        ORIGIN,
        required("begins", Moment, "the first instant that it is of"),
        required("ends", Moment, "the last instant that it is of"),
        optional("made_at", Moment, "when it was made"),
        required("totals", Objects(TOTAL), "what each account comes to"),
        ACTOR,
        REASON,
        EVIDENCE,
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"statement.received","body":{"id":"statement-1","sha256":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","source":"provider","origin":"conta 1","begins":"2026-11-19T03:00:00Z","ends":"2026-11-20T02:59:59Z","totals":[{"name":"provider prov.pix BRL","closing":"50.00","incoming":"50.00","movements":"1"}],"actor":"bia","reason":"close of the day"}}"#,
    read: |fields, _| {
        let source = fields.required_text("source", 16)?;
        let source = StatementSource::ALL.into_iter().find(|known| known.name() == source);
        let instant = |name| fields.instant_if(name)?.ok_or_else(|| missing(name));
        let totals = fields.objects("totals", total)?.ok_or_else(|| missing("totals"))?;
        let statement = ReceivedStatement {
            sha256: evidence_hash(fields, SHA256.name)?,
            source: source.ok_or_else(|| wrong("source", "must be provider, chain or exchange"))?,
            origin: fields.text(ORIGIN.name, 255)?.unwrap_or_default().into(),
            begins: instant("begins")?,
            ends: instant("ends")?,
            made_at: fields.instant_if("made_at")?,
            totals,
        };
        if statement.ends < statement.begins {
            return Err(wrong("ends", "must not be before begins"));
        }
        Ok(Fact::Closing(ClosingFact::StatementReceived {
            statement: Box::new(statement),
            decided_by: decided_by(fields)?,
        }))
    },
}];

fn total(item: &Fields<'_>) -> Result<StatementTotal, Problem> {
    item.only(TOTAL)?;
    let scale = Scale::new(18).expect("18 decimals are the most");
    let amount = |name| amount_if(item, name, scale);
    Ok(StatementTotal {
        account: item.required_text(NAME.name, 255)?.into(),
        opening: amount("opening")?,
        closing: amount("closing")?,
        incoming: amount("incoming")?,
        outgoing: amount("outgoing")?,
        movements: count_if(item, "movements")?.unwrap_or_default(),
    })
}

/// An amount above zero, if given.
pub(super) fn amount_if(
    item: &Fields<'_>,
    name: &str,
    scale: Scale,
) -> Result<Option<Units>, Problem> {
    match item.value(name) {
        Some(_) => units(item, name, scale).map(Some),
        None => Ok(None),
    }
}

/// A whole number above zero, if given.
pub(super) fn count_if(fields: &Fields<'_>, name: &str) -> Result<Option<u64>, Problem> {
    let Some(text) = fields.text(name, 20)? else { return Ok(None) };
    let whole = text.bytes().all(|digit| digit.is_ascii_digit());
    let count = text.parse().ok().and_then(Units::new).filter(|_| whole);
    let count = count.and_then(|count| u64::try_from(count.get()).ok());
    count.map(Some).ok_or_else(|| wrong(name, "must be a whole number above zero, as text"))
}

/// The hash of a file that is evidence, which must be given.
pub(super) fn evidence_hash(fields: &Fields<'_>, name: &str) -> Result<EvidenceHash, Problem> {
    let bytes = hexadecimal::bytes(fields.required_text(name, 64)?);
    let hash = bytes.and_then(|bytes| bytes.try_into().ok()).map(EvidenceHash);
    hash.ok_or_else(|| wrong(name, "must be 64 hexadecimal digits"))
}
