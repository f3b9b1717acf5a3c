//! Purchases on the wire: what is offered, where a delivery goes, and what is reported
//! of it.

pub(super) mod catalogue_fact;
pub(super) mod fact;

use super::registry::unseen;
use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::Fields;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::Text;
use crate::contract::schema::field::{Field, optional};
use crate::machine::charge::Delivery;
use crate::machine::erroneous_delivery;

unseen!(erroneous_delivery::State);

pub(super) const ASSET: Field = optional("asset", Text(32), "the asset; absent: usdt");
pub(super) const CHAIN: Field = optional("chain", Text(32), "the network; absent: polygon");
const ADDRESS: Field = optional("payout_address", Text(128), "the wallet");

/// The fields that name what crypto is bought and to which address it goes.
pub(super) const TARGET: &[Field] = &[ASSET, CHAIN, ADDRESS];

checked!(Delivery { asset: ASSET, chain: CHAIN, address: ADDRESS });

pub(super) const PAYOUT_TAG: Field =
    optional("payout_tag", Text(120), "the wallet's memo, where its network needs one")
        .like("7781");

/// The wallet's memo and its other names.
pub(super) const MEMO: &[Field] = &[
    PAYOUT_TAG,
    optional("memo", Text(120), "another name of payout_tag").like("7781"),
    optional("tag", Text(120), "another name of payout_tag"),
    optional("destination_tag", Text(120), "another name of payout_tag").like("7781"),
];

/// Asset, network and wallet, the first two with their defaults (CIN-05, CIN-06).
pub(super) fn target(fields: &Fields<'_>) -> Result<Delivery, Problem> {
    Ok(Delivery {
        asset: fields.text("asset", 32)?.unwrap_or("usdt").into(),
        chain: fields.text("chain", 32)?.unwrap_or("polygon").into(),
        address: fields.text("payout_address", 128)?.map(Into::into),
    })
}

/// The wallet's memo, by any of its names; two that differ contradict each other (P:MemoRequired).
pub(super) fn memo(fields: &Fields<'_>) -> Result<Option<Box<str>>, Problem> {
    let mut memo: Option<&str> = None;
    for name in MEMO.iter().map(|field| field.name) {
        let given = fields.text(name, 120)?;
        if let (Some(known), Some(given)) = (memo, given)
            && known != given
        {
            let detail = format!("{name} contradicts another name of payout_tag");
            return Err(Problem::new(Code::FieldsConflict, detail));
        }
        memo = memo.or(given);
    }
    Ok(memo.map(Into::into))
}
