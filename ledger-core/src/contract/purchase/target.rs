//! Where a delivery goes, as a body says it.

use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::Fields;
use crate::machine::charge::Delivery;

/// Asset, network and wallet, the first two with their defaults (CIN-05, CIN-06).
pub(in crate::contract) fn target(fields: &Fields<'_>) -> Result<Delivery, Problem> {
    Ok(Delivery {
        asset: fields.text("asset", 32)?.unwrap_or("usdt").into(),
        chain: fields.text("chain", 32)?.unwrap_or("polygon").into(),
        address: fields.text("payout_address", 128)?.map(Into::into),
    })
}

/// The wallet's memo, by any of its names; two that differ contradict each other (P:MemoRequired).
pub(in crate::contract) fn memo(fields: &Fields<'_>) -> Result<Option<Box<str>>, Problem> {
    let mut memo: Option<&str> = None;
    for name in ["payout_tag", "memo", "tag", "destination_tag"] {
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
