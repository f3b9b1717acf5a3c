//! How a cash-out order looks (contract, 2.2; rulings 50 to 52 and 59).

use serde_json::Value;

use super::body::path;
use crate::coin::Scale;
use crate::contract::error::{Code, Problem};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, PublicPix, Receiver, Shown, shown_as, unseen};
use crate::contract::views::{Recall, Views};
use crate::contract::wire_names;
use crate::id::{AccountId, OpId};
use crate::ledger::{Archive, Operation, Scope};
use crate::machine::cash_out::{self, AmountBasis, Entered, Funding, HeldDeposit, Progress, Stage};
use crate::machine::refund::{Coins, Refund, RefundStatus};
use crate::machine::unmatched_deposit;
use crate::money::Cents;
use crate::network::address::{Validity, validity};
use crate::pix::KeyType;
use crate::terms::Switch;

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// An order of this account.
    ///
    /// # Errors
    ///
    /// `nao_encontrado` where there is none of this id.
    pub fn sale(&self, account: AccountId, op: Option<OpId>) -> Result<Value, Problem> {
        let found = op.and_then(|op| Some((op, self.operation(op)?)));
        let found = found.filter(|(_, known)| known.account() == Some(account));
        let order = found.filter(|(_, known)| known.cash_out().is_some());
        let view = order.map(|(op, known)| self.creation_response(op, &known).into());
        view.ok_or_else(|| Problem::new(Code::NotFound, "there is no such cash-out"))
    }

    /// An order, with the unmatched deposits about it as they stand now.
    #[must_use]
    pub fn cash_out(&self, op: OpId, operation: &Operation, state: &cash_out::State) -> Value {
        let listed = state.progress().map_or(&[][..], |progress| &progress.unmatched);
        let unmatched = listed.iter().filter_map(|op| Some((*op, self.operation(*op)?)));
        self.cash_out_beside(op, operation, state, &unmatched.collect::<Vec<_>>()).into()
    }
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// An order beside the unmatched deposits about it (COUT-32 lets it carry more).
    #[must_use]
    pub fn cash_out_beside<'v>(
        &'v self,
        op: OpId,
        operation: &Operation,
        state: &'v cash_out::State,
        unmatched: &'v [(OpId, Operation)],
    ) -> Json<'v> {
        let Some(progress) = state.progress() else { return Json::Null };
        let view = object! {
            "cashout_id": op.text(&self.state.name),
            "state": wire_names::cash_out_state(progress),
        };
        let view = view.with(self.quoted_terms(&progress.order)).with(self.actual_terms(progress));
        let mut view = view.with(so_far(progress)).with(object! {
            "surplus_refunds": self.surplus(unmatched),
            "created_at": progress.order.created_at.to_string(),
            "updated_at": operation.updated_at.to_string(),
        });
        let to = progress.refund.as_ref().and_then(|refund| refund.to.as_ref());
        let to = to.or(progress.order.refund_address.as_ref());
        if to.is_some_and(|to| validity(&progress.order.chain_name, to) == Validity::Unchecked) {
            view = view.with(object! { "refund_address_checked": false });
        }
        if let Funding::Wallet(payment) = progress.order.funding {
            // It is part of its payment, which no deadline ends, and nobody deposits into it
            // (rulings 59).
            view = view.with(object! {
                "payment_id": payment.text(&self.state.name),
                "funding_source": "crypto_usdt",
                "expires_at": Json::Null,
                "deposit_address": Json::Null,
                "deposit_tag": Json::Null,
            });
        }
        let pix = progress.pix.as_ref();
        self.show_details(&mut view, Scope::SentPix, pix.map(|pix| &*pix.e2e));
        view
    }

    /// The terms of an order, quoted or only previewed (COUT-65).
    #[must_use]
    pub fn quoted_terms<'v>(&'v self, order: &'v cash_out::Order) -> Json<'v> {
        let code = match order.asked {
            AmountBasis::Code(token) => Some(self.value(token)),
            AmountBasis::Units(_) | AmountBasis::Net(_) => None,
        };
        let reserve = order.reserve_usdt.map(|units| units.text(Scale::SIX));
        let (of_code, of_key) = if code.is_some() { (reserve, None) } else { (None, reserve) };
        let payee = &order.payee;
        object! {
            "path": path(order.route),
            "asset": &order.asset_name,
            "network": &order.chain_name,
            "amount": order.coins.units.text(order.scale),
            "brl_amount": text(order.deal.net.as_cents()),
            "fee_brl": order.deal.fees.total().map(text),
            "reserve_brl": order.deal.reserve.amount().map(|reserve| text(reserve.as_cents())),
            "pix_key_reserve_usd": of_key,
            "copia_e_cola_buffer_usd": of_code,
            "rate": order.quote.price.text(),
            "rate_source": &order.quote.source,
            "pix_key": payee.pix_key.map(|key| self.mask(key)),
            "pix_key_type": payee.key_type.map(KeyType::name),
            "br_code": code,
            "merchant_name": payee.merchant.map(|name| self.value(name)),
            "payee_tax_number": payee.tax_number.map(|number| self.mask(number)),
            "refund_address": order.refund_address.as_ref(),
            "external_id": &order.external_id,
            "expires_at": order.expires_at.to_string(),
        }
    }

    /// What happened to it, in the place of what was quoted where the two differ (rulings 50).
    fn actual_terms<'v>(&'v self, progress: &'v Progress) -> Json<'v> {
        let order = &progress.order;
        let accepted = progress.accepted.as_ref();
        let pix = progress.pix.as_ref();
        let refund = progress.refund.as_ref();
        let seen = progress.deposits.first();
        let received = progress.received_coins();
        let paid = progress.sale.filter(|_| pix.is_some());
        let fee = match progress.sale.filter(|_| progress.stage != Stage::Failed) {
            _ if progress.earns_nothing() => Some(Cents::ZERO),
            Some(sale) => sale.deal.fees.total(),
            None => order.deal.fees.total(),
        };
        let net = progress.sale.map_or(order.deal.net, |sale| sale.deal.net);
        let quote = progress.quote();
        let payee = &progress.payee;
        let reversed = Some(progress.reversed).filter(|as_cents| !as_cents.is_zero());
        object! {
            "brl_amount": text(net.as_cents()),
            "fee_brl": fee.map(text),
            "rate": quote.price.text(),
            "rate_source": &quote.source,
            "pix_key": payee.pix_key.map(|key| self.mask(key)),
            "pix_key_type": payee.key_type.map(KeyType::name),
            "deposit_address": accepted.map(|accepted| &accepted.address),
            "deposit_tag": accepted.and_then(|accepted| accepted.tag.as_ref()),
            "deposit_from": seen.and_then(|held| held.deposit.from.as_ref()),
            "deposit_tx_hash": seen.map(|held| &held.deposit.hash),
            "amount_received": received.map(|coins| self.amount(coins)),
            "asset_received": received.and_then(|coins| self.asset(coins)),
            "network_received": received.and_then(|coins| self.state.catalogue.chain_of(coins.chain)),
            "brl_paid": paid.map(|sale| text(sale.deal.net.as_cents())),
            "brl_reversed": reversed.map(text),
            "refund_address": refund.and_then(|refund| refund.to.as_ref())
                .or(order.refund_address.as_ref()),
            "refund_amount": refund.map(|refund| self.amount(refund.coins)),
            "refund_tx_hash": refund.and_then(|refund| refund.sent_hash()),
            "pix_e2e": pix.map(|pix| &pix.e2e),
            "pix_paid_at": pix.map(|pix| pix.paid_at.to_string()),
            "receipt_url": pix.and_then(|pix| pix.receipt_url.as_ref()),
            "receipt_pdf_url": pix.and_then(|pix| pix.receipt_pdf_url.as_ref()),
            "verify_url": pix.and_then(|pix| pix.verify_url.as_ref()),
        }
    }

    /// What it did not take and goes back, each with an id and a state of its own (rulings 32, 50).
    fn surplus<'v>(&'v self, unmatched: &'v [(OpId, Operation)]) -> Vec<Json<'v>> {
        let items = unmatched.iter().filter_map(|(op, known)| {
            let state = known.unmatched_deposit()?;
            let order = state.order()?;
            let (coins, refund) = (order.deposit.coins, state.refund());
            let liquid = self.state.catalogue.chain_of(coins.chain) == Some("liquid");
            Some(object! {
                "receipt_id": op.text(&self.state.name),
                "state": surplus_state(state, liquid)?,
                "amount": self.amount(coins),
                "asset": self.asset(coins),
                "network": self.state.catalogue.chain_of(coins.chain),
                "deposit_tx_hash": order.deposit.transaction(),
                "refund_address": refund.and_then(|refund| refund.to.as_ref()).or(order.to.as_ref()),
                "refund_tx_hash": refund.and_then(Refund::sent_hash),
            })
        });
        items.collect()
    }

    fn amount(&self, coins: Coins) -> String {
        let known = self.state.catalogue.asset_of(coins.asset);
        coins.units.text(known.map_or(Scale::SIX, |(_, scale)| scale))
    }

    fn asset(&self, coins: Coins) -> Option<&str> {
        self.state.catalogue.asset_of(coins.asset).map(|(name, _)| name)
    }
}

/// How far it got: the states it entered, and how its deposit confirms (rulings 51).
fn so_far(progress: &Progress) -> Json<'_> {
    let entered = |step: &Entered| {
        object! { "state": wire_names::phase(step.phase), "at": step.at.to_string() }
    };
    object! {
        "timeline": progress.entered.iter().map(entered).collect::<Vec<_>>(),
        "confirmations": confirmations(progress),
        "confirmations_required": progress.order.confirmations,
        "confirmations_complete": progress.deposits.first().map(|held| held.confirmed.is_on()),
        "review_reason": wire_names::review(progress),
    }
}

/// How many confirmations its deposit has: of several, the one that has the fewest.
fn confirmations(progress: &Progress) -> Option<u16> {
    let of = |held: &HeldDeposit| {
        let reported = held.confirmations.unwrap_or(0);
        if held.confirmed.is_on() { reported.max(progress.order.confirmations) } else { reported }
    };
    progress.deposits.iter().map(of).min()
}

/// A surplus in the words of an order; none for one that vanished and is no surplus.
fn surplus_state(state: &unmatched_deposit::State, liquid: bool) -> Option<&'static str> {
    Some(match state {
        unmatched_deposit::State::Absent | unmatched_deposit::State::Vanished(_) => return None,
        unmatched_deposit::State::Waiting(_, Switch::Off) => "DEPOSIT_DETECTED",
        unmatched_deposit::State::Waiting(_, Switch::On) => "MANUAL_REVIEW",
        unmatched_deposit::State::Refunding(_, refund) => match &refund.status {
            RefundStatus::Sent(_) => "REFUNDED",
            RefundStatus::Lost => "MANUAL_REVIEW",
            RefundStatus::Due if refund.to.is_none() => "AWAITING_REFUND_ADDRESS",
            RefundStatus::Due if !refund.allowed.is_on() => "MANUAL_REVIEW",
            RefundStatus::Due if liquid => "REFUNDING",
            RefundStatus::Due => "REFUNDING_CRYPTO",
        },
    })
}

/// Reais as the contract writes them in sales: `100.00`.
fn text(as_cents: Cents) -> String {
    format!("{}.{:02}", as_cents.cents() / 100, as_cents.cents() % 100)
}

impl Shown for cash_out::State {
    fn facts(&self) -> Facts<'_> {
        let Some(progress) = self.progress() else { return Facts::NONE };
        let pix = progress.pix.as_ref();
        let verified = progress.sale.zip(pix).map(|(sale, pix)| PublicPix {
            e2e: &pix.e2e,
            amount: sale.deal.net,
            at: Some(pix.paid_at),
            paid: progress.reversed != sale.deal.net.as_cents(),
            receiver: Receiver::Person(progress.payee.merchant),
            receipt_url: pix.receipt_url.as_deref(),
        });
        Facts {
            status: Some(wire_names::cash_out_state(progress)),
            pix: pix.map(|pix| (Scope::SentPix, &*pix.e2e)),
            verified: verified.into(),
            ..Facts::NONE
        }
    }

    shown_as!(
        |state, views, of| views.cash_out_beside(of.op, of.operation, state, of.unmatched),
        views.cash_out(of.op, of.operation, state)
    );
}

unseen!(unmatched_deposit::State);
