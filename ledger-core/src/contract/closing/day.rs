//! Facts of days: closed as their books were, and opened again.

use super::statement::{SHA256, amount_if, count_if, evidence_hash};
use crate::accounting::{DayAccount, OpenCount};
use crate::coin::Scale;
use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{ACTOR, EVIDENCE, ID, REASON, decided_by};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::schema::bounds::{Checked, checked};
use crate::contract::schema::field::FieldType::{Decimal, Objects, Text};
use crate::contract::schema::field::{Field, optional, required};
use crate::id::EvidenceHash;
use crate::ledger::closing::{DayReport, Fact as ClosingFact};
use crate::ledger::{Fact, FactKind, Refusal, State};
use crate::time::Instant;

const DAY: Field = required("day", Text(10), "the day in Brasília, YYYY-MM-DD");
const NAME: Field = required("name", Text(64), "the account's name in the chart");
const WORD: Field = required("reason", Text(64), "why it is open, a word");

const ACCOUNT: &[Field] = &[
    NAME,
    optional("asset", Text(32), "the asset; absent: reais"),
    optional("chain", Text(32), "the network that coins are kept on"),
    optional("opening_debit", Decimal(40), "what it had at the beginning, where debits were more"),
    optional("opening_credit", Decimal(40), "the same, where credits were more"),
    optional("debits", Decimal(40), "the sum of what was debited"),
    optional("credits", Decimal(40), "the sum of what was credited"),
];

const OPEN: &[Field] = &[WORD, required("count", Decimal(20), "how many things, a whole number")];

checked!(enum ClosingFact { StatementReceived { statement }, DayClosed { day } } else DayReopened);
checked!(DayAccount { account: NAME });
checked!(OpenCount { reason: WORD });

impl Checked for DayReport {
    fn check_bounds(&self) -> Result<(), Refusal> {
        self.accounts.check_bounds()?;
        self.open.check_bounds()
    }
}

/// The facts of days.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::DayClosed,
        name: "day.closed",
        subject: Subject::Ledger,
        meaning: "A day that is over is closed, after the day before it, as the books were at its \
                  end; with other amounts it is set aside.",
        fields: &[
            ID,
            DAY,
            required(
                "accounts",
                Objects(ACCOUNT),
                "every account of the chart that had something or was booked on, each once",
            ),
            optional(
                "statements",
                Objects(&[SHA256]),
                "the statements that it was held against, each reported before",
            ),
            optional(
                "matching_sha256",
                Text(64),
                "the SHA-256 of what the matching came to, 64 hexadecimal digits",
            ),
            optional("open", Objects(OPEN), "what is open, by reason"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"day.closed","body":{"id":"close-2026-11-19","day":"2026-11-19","accounts":[{"name":"prov.pay","debits":"50000.00"},{"name":"equity.funding","credits":"50000.00"}],"open":[{"reason":"hold","count":"2"}],"actor":"bia","reason":"close of the day"}}"#,
        read: |fields, context| {
            let account = |item: &Fields<'_>| day_account(item, context.state);
            let accounts = fields.objects("accounts", account)?;
            let day = DayReport {
                day: day(fields)?,
                accounts: accounts.ok_or_else(|| missing("accounts"))?,
                statements: fields.objects("statements", statement)?.unwrap_or_default(),
                matching: match fields.value("matching_sha256") {
                    Some(_) => Some(evidence_hash(fields, "matching_sha256")?),
                    None => None,
                },
                open: fields.objects("open", open_count)?.unwrap_or_default(),
            };
            let (day, decided_by) = (Box::new(day), decided_by(fields)?);
            Ok(Fact::Closing(ClosingFact::DayClosed { day, decided_by }))
        },
    },
    FactShape {
        kind: FactKind::DayReopened,
        name: "day.reopened",
        subject: Subject::Ledger,
        meaning: "A person opens the last closed day again; while a later one is closed, it is set \
                  aside.",
        fields: &[ID, DAY, ACTOR, REASON, EVIDENCE],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"day.reopened","body":{"id":"reopen-1","day":"2026-11-19","actor":"bia","reason":"a statement came late"}}"#,
        read: |fields, _| {
            let (day, decided_by) = (day(fields)?, decided_by(fields)?);
            Ok(Fact::Closing(ClosingFact::DayReopened { day, decided_by }))
        },
    },
];

/// Noon in Brasília of the day that the body names.
fn day(fields: &Fields<'_>) -> Result<Instant, Problem> {
    let text = fields.required_text(DAY.name, 10)?;
    let noon = Instant::parse(&format!("{text}T12:00:00-03:00"));
    noon.filter(|_| text.len() == 10).ok_or_else(|| wrong(DAY.name, "must be a day, YYYY-MM-DD"))
}

fn day_account(item: &Fields<'_>, state: &State) -> Result<DayAccount, Problem> {
    item.only(ACCOUNT)?;
    let (asset, scale) = match item.text("asset", 32)? {
        None => (None, Scale::new(2).expect("centavos are two decimals")),
        Some(name) => {
            let known = state.catalogue.asset(name).or_else(|| state.catalogue.unit(name));
            let (asset, scale) =
                known.ok_or_else(|| wrong("asset", "was never on the catalogue"))?;
            (Some(asset), scale)
        }
    };
    let chain = match item.text("chain", 32)? {
        None => None,
        Some(name) => {
            let known = state.catalogue.chain(name);
            Some(known.ok_or_else(|| wrong("chain", "was never on the catalogue"))?)
        }
    };
    let sum = |name| amount_if(item, name, scale);
    let (opening_debit, opening_credit) = (sum("opening_debit")?, sum("opening_credit")?);
    if opening_debit.is_some() && opening_credit.is_some() {
        return Err(wrong("opening_credit", "excludes opening_debit"));
    }
    Ok(DayAccount {
        asset,
        account: item.required_text(NAME.name, 64)?.into(),
        chain,
        opening_debit,
        opening_credit,
        debits: sum("debits")?,
        credits: sum("credits")?,
    })
}

fn statement(item: &Fields<'_>) -> Result<EvidenceHash, Problem> {
    item.only(&[SHA256])?;
    evidence_hash(item, SHA256.name)
}

fn open_count(item: &Fields<'_>) -> Result<OpenCount, Problem> {
    item.only(OPEN)?;
    let reason = item.required_text(WORD.name, 64)?.into();
    let count = count_if(item, "count")?.ok_or_else(|| missing("count"))?;
    Ok(OpenCount { reason, count })
}
