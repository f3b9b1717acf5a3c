//! Fees adjusted, as facts.

use crate::contract::error::{Problem, wrong};
use crate::contract::fact::parts::{account as account_of, decided_by};
use crate::contract::input::fields::Fields;
use crate::ledger::{Fact, Income};

pub(in crate::contract) fn fee_adjusted(fields: &mut Fields<'_>) -> Result<Fact, Problem> {
    let effect = fields.signed("effect_cents")?;
    let as_cents = |cents: i64| crate::money::Cents::new(cents.max(0)).unwrap_or_default();
    let income = match fields.text("income", 16)? {
        None | Some("deposit") => Income::Deposit,
        Some("payout") => Income::Payout,
        Some("purchase") => Income::Purchase,
        Some("conversion") => Income::Conversion,
        Some(_) => {
            return Err(wrong("income", "must be deposit, payout, purchase or conversion"));
        }
    };
    Ok(Fact::FeeAdjusted {
        account: account_of(fields)?,
        customer: fields.customer("customer_ref")?,
        given: as_cents(effect),
        charged: as_cents(-effect),
        income,
        decided_by: decided_by(fields)?,
    })
}
