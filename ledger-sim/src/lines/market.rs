//! Facts of the market: pairs, prices, own crypto.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::AssetId;
use ledger_core::ledger::OwnCoins;
use ledger_core::terms::{Listing, Quote, Rail};
use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::{LineWriter, Unrepresentable, Written, body};

/// The fields of `catalog.updated`, but its id.
pub(super) fn catalogue(listed: &[Listing], dropped: &[(Box<str>, Box<str>)]) -> Value {
    let items: Vec<Value> = listed.iter().map(item).collect();
    let gone = dropped.iter().map(|(asset, chain)| json!({ "asset": asset, "chain": chain }));
    let gone: Vec<Value> = gone.collect();
    body(json!({
        "items": (!items.is_empty()).then_some(items),
        "dropped": (!gone.is_empty()).then_some(gone),
    }))
}

fn item(pair: &Listing) -> Value {
    let rail = match pair.rail {
        Rail::Instant => "instant",
        Rail::Convert => "convert",
        Rail::Liquid => "liquid",
    };
    let text = |units: Units| units.text(pair.scale);
    json!({
        "asset": pair.asset_name,
        "chain": pair.chain_name,
        "rail": rail,
        "decimals": pair.scale.decimals(),
        "minBuyAmount": text(pair.least),
        "withdrawFee": pair.network_fee.map_or_else(|| "0".to_owned(), text),
        "entregavel": pair.deliverable.is_on(),
        "memoRequired": pair.memo.is_on(),
        "eta": pair.eta,
        "etaSeconds": pair.eta_seconds,
    })
}

/// The fields of `rate.quoted`, but its id.
pub(super) fn rate(asset: &str, quote: &Quote, at: Instant) -> Written<Value> {
    if at < quote.at {
        return Err(Unrepresentable("a price told before its time"));
    }
    let (price, quoted_at) = (quote.price.text(), quote.at.to_string());
    let source = Some(&quote.source).filter(|source| !source.is_empty());
    Ok(body(json!({
        "asset": asset, "brl_per_unit": price, "source": source, "quoted_at": quoted_at,
    })))
}

impl LineWriter<'_> {
    /// The fields of `treasury.moved` for crypto, but its id.
    pub(super) fn coins(
        &self,
        asset: AssetId,
        (from, to): (OwnCoins, OwnCoins),
        units: Units,
    ) -> Written<Value> {
        if from == to {
            return Err(Unrepresentable("own money moved to where it was"));
        }
        let known = self.state.catalogue.asset_of(asset);
        let (name, scale): (&str, Scale) =
            known.ok_or(Unrepresentable("own crypto that was never on the catalogue"))?;
        let chain = [from, to].into_iter().find_map(|own| match own {
            OwnCoins::Treasury(chain) => Some(chain),
            _ => None,
        });
        let chain = chain.map(|chain| {
            let known = self.state.catalogue.chain_of(chain);
            known.ok_or(Unrepresentable("own crypto that was never on the catalogue"))
        });
        let differs = matches!((from, to), (OwnCoins::Treasury(_), OwnCoins::Treasury(_)));
        if differs {
            return Err(Unrepresentable("own crypto moved from network to network"));
        }
        Ok(body(json!({
            "from": account(from),
            "to": account(to),
            "asset": name,
            "chain": chain.transpose()?,
            "amount": units.text(scale),
        })))
    }
}

const fn account(own: OwnCoins) -> &'static str {
    match own {
        OwnCoins::Funding => "equity.funding",
        OwnCoins::Treasury(_) => "treas",
        OwnCoins::Gas => "exp.gas",
        OwnCoins::ProviderClaim => "recv.prov",
        OwnCoins::Fx => "fx",
        OwnCoins::Loss => "exp.loss",
    }
}
