//! Facts of opening balances: brought one by one, until their account is closed for them.

use super::holder::{OF, holder_if};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, AMOUNT, EVIDENCE, ID, REASON, account, decided_by, description,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::missing;
use crate::contract::schema::field::FieldType::{Object, Text};
use crate::contract::schema::field::{optional, required};
use crate::ledger::product::Fact as ProductFact;
use crate::ledger::{Fact, FactKind};

/// Brings a balance.
pub(super) const OPENED: FactShape = FactShape {
    kind: FactKind::BalanceOpened,
    name: "balance.opened",
    subject: Subject::Ledger,
    meaning: "A company brings a balance that a customer or the house had elsewhere; it is available \
              at once, counts against no limit, and is debited to equity.opening.",
    fields: &[
        ID,
        required("of", Object(OF), "whose it is"),
        AMOUNT,
        optional("description", Text(255), "what the customer's statement says"),
        ACTOR,
        REASON,
        EVIDENCE,
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"balance.opened","body":{"id":"opening-1","of":{"account":"loja","customer_ref":"ana"},"amount_cents":125000,"description":"Saldo anterior","actor":"bia","reason":"migration"}}"#,
    read: |fields, _| {
        let holder = holder_if(fields)?.ok_or_else(|| missing("of"))?;
        Ok(Fact::Product(ProductFact::BalanceOpened {
            holder,
            amount: fields.amount("amount_cents")?,
            note: description(fields)?,
            decided_by: decided_by(fields)?,
        }))
    },
};

/// Closes an account for opening balances.
pub(super) const CLOSED: FactShape = FactShape {
    kind: FactKind::OpeningBalancesClosed,
    name: "opening_balances.closed",
    subject: Subject::Account,
    meaning: "An account takes no opening balances any more: all that come later are set aside.",
    fields: &[ID, ACCOUNT, ACTOR, REASON, EVIDENCE],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"opening_balances.closed","body":{"id":"closed-1","account":"loja","actor":"bia","reason":"every balance is here"}}"#,
    read: |fields, _| {
        Ok(Fact::Product(ProductFact::OpeningBalancesClosed {
            account: account(fields)?,
            decided_by: decided_by(fields)?,
        }))
    },
};
