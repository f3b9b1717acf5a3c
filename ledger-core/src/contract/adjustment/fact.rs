//! Facts of corrections: fees adjusted, and balances written off.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, AMOUNT, CUSTOMER, EVIDENCE, ID, REASON, account as account_of, decided_by,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::{Customer, checked};
use crate::contract::schema::field::FieldType::{SignedCentavos, Text, Word};
use crate::contract::schema::field::{Field, optional, required};
use crate::ledger::adjustment::Fact as AdjustmentFact;
use crate::ledger::{Fact, FactKind, Income};
use crate::money::Cents;

const EFFECT: Field =
    required("effect_cents", SignedCentavos, "signed: positive in the customer's favour");

checked!(
    enum AdjustmentFact {
        FeeAdjusted {
            account: ACCOUNT,
            customer: Customer(CUSTOMER),
            given: EFFECT,
            charged: EFFECT,
        },
        BalanceWrittenOff {
            account: ACCOUNT,
            customer: Customer(CUSTOMER),
            amount: AMOUNT,
        },
    }
);

/// Facts by which operators correct a balance: a fee adjusted, a deficit written off.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::FeeAdjusted,
        name: "fee.adjusted",
        subject: Subject::Account,
        meaning: "A fee is corrected without a principal.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            EFFECT,
            optional(
                "income",
                Word(16),
                "deposit, payout, purchase or conversion; absent: deposit",
            ),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-22T12:00:00Z","fact":"fee.adjusted","body":{"id":"fee-1","account":"loja","customer_ref":"ana","effect_cents":25,"actor":"bia","reason":"courtesy"}}"#,
        read: |fields, _| read_adjustment(fields),
    },
    FactShape {
        kind: FactKind::BalanceWrittenOff,
        name: "balance.written_off",
        subject: Subject::Account,
        meaning: "A negative balance is written off, at most what is owed.",
        fields: &[
            ID,
            ACCOUNT,
            CUSTOMER,
            AMOUNT,
            ACTOR,
            REASON,
            required("evidence", Text(255), "a reference to what was seen"),
        ],
        example: r#"{"at":"2026-12-22T12:00:00Z","fact":"balance.written_off","body":{"id":"wo-1","account":"loja","customer_ref":"ana","amount_cents":4235,"actor":"bia","reason":"customer unreachable","evidence":"case-77"}}"#,
        read: |fields, _| written_off(fields),
    },
];

fn read_adjustment(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let effect = fields.signed_cents("effect_cents")?;
    let as_cents = |cents: i64| Cents::new(cents.max(0)).unwrap_or_default();
    let income = match fields.text("income", 16)? {
        None | Some("deposit") => Income::Deposit,
        Some("payout") => Income::Payout,
        Some("purchase") => Income::Purchase,
        Some("conversion") => Income::Conversion,
        Some(_) => {
            return Err(wrong("income", "must be deposit, payout, purchase or conversion"));
        }
    };
    Ok(Fact::Adjustment(AdjustmentFact::FeeAdjusted {
        account: account_of(fields)?,
        customer: fields.customer("customer_ref")?,
        given: as_cents(effect),
        charged: as_cents(-effect),
        income,
        decided_by: decided_by(fields)?,
    }))
}

fn written_off(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    fields.required_text("evidence", 255)?;
    Ok(Fact::Adjustment(AdjustmentFact::BalanceWrittenOff {
        account: account_of(fields)?,
        customer: fields.customer("customer_ref")?,
        amount: fields.amount("amount_cents")?,
        decided_by: decided_by(fields)?,
    }))
}
