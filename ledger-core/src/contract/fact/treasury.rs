//! Movements of our own money and crypto, as facts.

use super::parts::{AMOUNT, ID};
use super::shape::{FactShape, Subject};
use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::input::units::units;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::{Centavos, Decimal, Text, Word};
use crate::contract::schema::field::{optional, required};
use crate::ledger::treasury::Fact as TreasuryFact;
use crate::ledger::{Fact, FactKind, OwnAccount, OwnCoins, State};

checked!(enum TreasuryFact { Moved { amount: AMOUNT } } else CoinsMoved);

/// The facts of our own money, and of nothing but time.
pub const FACTS: &[FactShape] = &[FactShape {
    kind: FactKind::TreasuryMoved,
    name: "treasury.moved",
    subject: Subject::Ledger,
    meaning: "Own money moved between own accounts.",
    fields: &[
        ID,
        required(
            "from",
            Word(32),
            "equity.funding, prov.pix, prov.pay, recv.prov, tariff.due or fx; of crypto: \
                 equity.funding, treas, exp.gas, exp.loss, recv.prov or fx",
        ),
        required("to", Word(32), "another of them"),
        optional("amount_cents", Centavos, "centavos; required for reais"),
        optional("asset", Text(32), "the asset, for crypto"),
        optional("chain", Text(32), "the network of treas"),
        optional("amount", Decimal(40), "units of the asset; required for crypto"),
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"treasury.moved","body":{"id":"float-1","from":"equity.funding","to":"prov.pay","amount_cents":5000000}}"#,
    read: |fields, context| match fields.value("asset") {
        Some(_) => coins(fields, context.state),
        None => reais(fields),
    },
}];

/// `treasury.moved` of crypto: with an asset beside the amount.
fn coins(fields: &Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let asset = fields.required_text("asset", 32)?;
    let known = state.catalogue.asset(asset);
    let (asset, scale) = known.ok_or_else(|| wrong("asset", "was never on the catalogue"))?;
    let chain = match fields.text("chain", 32)? {
        Some(name) => {
            let known = state.catalogue.chain(name);
            Some(known.ok_or_else(|| wrong("chain", "was never on the catalogue"))?)
        }
        None => None,
    };
    let own = |name: &str| match (fields.required_text(name, 32)?, chain) {
        ("equity.funding", _) => Ok(OwnCoins::Funding),
        ("treas", Some(chain)) => Ok(OwnCoins::Treasury(chain)),
        ("treas", None) => Err(missing("chain")),
        ("exp.gas", _) => Ok(OwnCoins::Gas),
        ("exp.loss", _) => Ok(OwnCoins::Loss),
        ("recv.prov", _) => Ok(OwnCoins::ProviderClaim),
        ("fx", _) => Ok(OwnCoins::Fx),
        _ => Err(wrong(name, "must be equity.funding, treas, exp.gas, exp.loss, recv.prov or fx")),
    };
    let (from, to) = (own("from")?, own("to")?);
    if from == to {
        return Err(wrong("to", "must differ from from"));
    }
    Ok(Fact::Treasury(TreasuryFact::CoinsMoved {
        asset,
        from,
        to,
        units: units(fields, "amount", scale)?,
    }))
}

fn reais(fields: &Fields<'_>) -> Result<Fact, Problem> {
    let own = |name: &str| {
        OwnAccount::parse(fields.required_text(name, 32)?).ok_or_else(|| {
            wrong(name, "must be equity.funding, prov.pix, prov.pay, recv.prov, tariff.due or fx")
        })
    };
    let (from, to) = (own("from")?, own("to")?);
    if from == to {
        return Err(wrong("to", "must differ from from"));
    }
    Ok(Fact::Treasury(TreasuryFact::Moved { from, to, amount: fields.amount("amount_cents")? }))
}
