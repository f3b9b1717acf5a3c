//! What is offered to payers and buyers: catalogue, preview, limits (CIN-37 to CIN-46, CIN-68).

use serde_json::{Value, json};

use crate::coin::units_text;
use crate::contract::error::Problem;
use crate::contract::input::tokens::Vault;
use crate::contract::views::Views;
use crate::id::{AccountId, Token};
use crate::ledger::{Archive, Refusal};
use crate::machine::charge::Delivery;
use crate::money::{Amount, Cents};
use crate::terms::{Allowance, Ladder, Listing, Payer, Rail, Review, Stage};
use crate::time::Instant;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// `GET /cashin/catalog` (CIN-37, CIN-38); `liquid` is ours, beside the contract's two rails.
    ///
    /// # Errors
    ///
    /// `catalogo_indisponivel` while there is no catalogue.
    pub fn catalogue(&self) -> Result<Value, Problem> {
        let catalogue = &self.state.catalogue;
        let updated = catalogue.updated_at.ok_or(Refusal::CatalogueMissing)?;
        let on = |rail: Rail| -> Vec<Value> {
            catalogue.listings().filter(|listing| listing.rail == rail).map(item).collect()
        };
        let (instant, convert, liquid) = (on(Rail::Instant), on(Rail::Convert), on(Rail::Liquid));
        let dropped: Vec<Value> = catalogue
            .dropped_pairs()
            .map(|(asset, chain)| json!({ "asset": asset, "chain": chain }))
            .collect();
        let offered = catalogue.listings().filter(|listing| listing.is_offered()).count();
        let totals = json!({
            "instant": instant.len(),
            "convert": convert.len(),
            "liquid": liquid.len(),
            "dropped": dropped.len(),
            "entregaveis": offered,
        });
        Ok(json!({
            "updatedAt": updated.to_string(),
            "instant": instant,
            "convert": convert,
            "liquid": liquid,
            "dropped": dropped,
            "totals": totals,
        }))
    }

    /// `POST /cashin/preview` (CIN-46): creates nothing.
    ///
    /// # Errors
    ///
    /// The refusals a purchase of this amount and pair would get, the payer's and the wallet's
    /// excepted.
    pub fn preview(
        &self,
        account: AccountId,
        (amount, target): (Amount, &Delivery),
        at: Instant,
    ) -> Result<Value, Problem> {
        let offered = self.state.pair_offer(&target.asset, &target.chain, at)?;
        let (rates, least) = self.state.purchase_rates(account, &offered, at);
        let most = self.state.terms(account, at).charge_most;
        let below = Refusal::BelowMinimum { minimum: least };
        if least.is_none_or(|least| amount < least) {
            return Err(below.into());
        }
        if most < amount {
            return Err(Refusal::AboveMaximum { maximum: most }.into());
        }
        let agreed = rates.net(amount).and_then(|cost| Some((cost, offered.delivery_terms(cost)?)));
        let (Some((cost, delivery_terms)), Some(fees)) = (agreed, rates.on(amount)) else {
            return Err(below.into());
        };
        let Listing { scale, least: network_min, network_fee, eta, .. } = offered.listing;
        let six = crate::coin::Scale::SIX;
        Ok(json!({
            "asset": target.asset,
            "chain": target.chain,
            "amount": delivery_terms.delivered_units().map(|units| units.text(*scale)),
            "network_min": network_min.text(*scale),
            "withdraw_fee": units_text(network_fee.map_or(0, crate::coin::Units::get), *scale),
            "min_brl_cents": least.map(Amount::cents),
            "eta": eta,
            "admin_fee_bps": rates.total_bps().map(crate::money::Bps::get),
            "house_fee_bps": rates.house.bps.get(),
            "partner_fee_bps": rates.partner.get(),
            "admin_fee_fixed_cents": rates.house.fixed.cents(),
            "fee_total_cents": fees.total().map(crate::money::Cents::cents),
            "net_cents": cost.cents(),
            "brl_per_usdt": offered.usdt.map(crate::terms::Price::text),
            "usdt_amount": offered.usdt(cost).map(|units| units.text(six)),
        }))
    }

    /// `GET /cashin/limits` (CIN-68): advisory; a charge is judged by the same function.
    #[must_use]
    pub fn limits(&self, account: AccountId, payer: Token, at: Instant) -> Value {
        let mut known = self.state.payer(&payer);
        let most = self.state.terms(account, at).charge_most;
        // Without a ladder, every charge in range passes at once.
        let ladder = self.state.policy.ladder.unwrap_or(Ladder {
            first_qr: most,
            first_transaction: most,
            first_day: most,
            mature_day: most,
            held: most,
            hours: 0,
        });
        if self.state.policy.ladder.is_none() && known.review != Review::Blocked {
            known = Payer { review: Review::Identified, ..Payer::default() };
        }
        let elsewhere = self.state.unpaid_elsewhere(&payer, account);
        let allowance = ladder.allowance_beside(&known, elsewhere.min(known.pending), at);
        let mut view = payer_limits(&allowance);
        if known.review == Review::Blocked {
            view["instant_available_cents"] = 0.into();
            view["max_amount_cents"] = 0.into();
            view["held_qr"] = held_qr((Cents::ZERO, Cents::ZERO, allowance.used), ladder.hours);
            view["next_stage"] = Value::Null;
            view["explicacao"] = BLOCKED.into();
        } else if self.state.policy.ladder.is_none() {
            view["held_qr"] = held_qr((Cents::ZERO, Cents::ZERO, Cents::ZERO), 0);
            view["next_stage"] = Value::Null;
            view["explicacao"] = WITHOUT_LADDER.into();
        }
        view
    }
}

fn item(listing: &Listing) -> Value {
    let fee = listing.network_fee.map_or(0, crate::coin::Units::get);
    json!({
        "asset": listing.asset_name,
        "chain": listing.chain_name,
        "minBuyAmount": listing.least.text(listing.scale),
        "withdrawFee": units_text(fee, listing.scale),
        "entregavel": listing.is_offered(),
        "memoRequired": listing.memo.is_on(),
        "eta": listing.eta,
        "etaSeconds": listing.eta_seconds,
    })
}

/// The wire's word for a stage of the payer ladder (P:LadderStages).
#[must_use]
pub const fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::FirstQr => "provider_first_qr",
        Stage::FirstTransaction => "first_transaction",
        Stage::FirstDay => "first_24h",
        Stage::Mature => "mature",
    }
}

/// What a payer may pay now: the answer of `GET /cashin/limits`, and `payer_limits` of a refusal.
#[must_use]
pub fn payer_limits(allowance: &Allowance) -> Value {
    let ladder = allowance.ladder;
    // The first QR has a ceiling of its own: what passes it is refused, not held.
    let (most_held, available) = match allowance.stage {
        Stage::FirstQr if allowance.most <= allowance.at_once => (Cents::ZERO, Cents::ZERO),
        Stage::FirstQr => (allowance.most, allowance.most),
        Stage::FirstTransaction | Stage::FirstDay | Stage::Mature => {
            (ladder.held.as_cents(), allowance.held)
        }
    };
    let next = match allowance.stage {
        Stage::FirstQr | Stage::FirstTransaction => Some((Stage::FirstDay, None)),
        Stage::FirstDay => Some((Stage::Mature, allowance.matures_at)),
        Stage::Mature => None,
    };
    let next = next.map(|(next, at)| {
        json!({
            "stage": stage(next),
            "limit_cents": ladder.band(next).cents(),
            "quando": at.map(|at| at.to_string()),
        })
    });
    json!({
        "stage": stage(allowance.stage),
        "instant_available_cents": allowance.at_once.cents(),
        "max_amount_cents": allowance.most.cents(),
        "held_qr": held_qr((most_held, available, allowance.used), ladder.hours),
        "ladder": {
            "first_transaction_cents": ladder.first_transaction.cents(),
            "first_24h_cents": ladder.first_day.cents(),
            "mature_day_cents": ladder.mature_day.cents(),
            "held_max_cents": ladder.held.cents(),
            "hold_hours": ladder.hours,
        },
        "next_stage": next,
        "explicacao": explanation(allowance.stage),
    })
}

/// What may be paid in a QR that the provider holds: the most of one, and what of it is left.
fn held_qr((most, available, used): (Cents, Cents, Cents), hours: u16) -> Value {
    json!({
        "max_amount_cents": most.cents(),
        "used_cents": used.cents(),
        "available_cents": available.cents(),
        "hold_hours": hours,
    })
}

const BLOCKED: &str = "Pagador bloqueado: nenhuma cobrança é aceita deste documento.";

const WITHOUT_LADDER: &str =
    "Sem escada de limites por pagador: vale a faixa da conta, e nada é retido por documento.";

const fn explanation(stage: Stage) -> &'static str {
    match stage {
        Stage::FirstQr => {
            "Documento ainda não identificado pelo provedor: o primeiro QR tem um teto próprio; acima \
             dele a cobrança é recusada, não retida."
        }
        Stage::FirstTransaction => {
            "Documento identificado, sem pagamento confirmado: acima da faixa imediata, retenção."
        }
        Stage::FirstDay => {
            "Primeiras 24 horas desde o primeiro pagamento: acima da faixa imediata, retenção."
        }
        Stage::Mature => {
            "Faixa por dia civil de Brasília: acima da faixa imediata, retenção no provedor."
        }
    }
}
