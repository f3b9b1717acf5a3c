//! Views of charges, payouts, transfers and balances, with the contract's exact field names.

use serde_json::{Value, json};

use super::coins::{delivered, usdt};
use super::names;
use super::tokens::Vault;
use crate::id::{AccountId, CustodyId, Kind, OpId, Token};
use crate::ledger::{Archive, Machine, Operation, Scope, State};
use crate::machine::{charge, payout, transfer};
use crate::money::{Amount, Share};
use crate::terms::Tariff;
use crate::time::{Instant, Span};

/// What views are computed from: committed state, its archive, and the vault.
pub struct Desk<'a, A, V> {
    /// The state.
    pub state: &'a State,
    /// The archive.
    pub archive: &'a A,
    /// The vault.
    pub vault: &'a V,
}

/// What stands where a person was erased.
const ERASED: &str = "[apagado]";

impl<A: Archive, V: Vault> Desk<'_, A, V> {
    /// An operation by the id this ledger gave it, wherever it is kept.
    #[must_use]
    pub fn operation(&self, op: OpId) -> Option<Operation> {
        self.state.open(op).cloned().or_else(|| self.archive.ended(op))
    }

    /// The answer to the request that created an operation, as the operation stands now.
    #[must_use]
    pub fn created(&self, op: OpId, operation: &Operation) -> Value {
        match &operation.machine {
            Machine::Charge(state) => self.charge(op, state),
            Machine::Payout(state) => self.payout(op, operation, state),
            Machine::Transfer(state) => self.transfer(op, operation, state),
            Machine::Conversion(state) => match op.kind() {
                Kind::CommissionWithdrawal => self.commission_withdrawal(op, state),
                _ => self.conversion(op, state),
            },
            Machine::CashOut(state) => self.cash_out(op, operation, state),
            Machine::WalletDeposit(_) => self.wallet_deposit(op, operation),
            Machine::CryptoWithdrawal(_) => self.wallet_withdrawal(op, operation),
            Machine::Quote(_) => self.wallet_quote(op, operation),
            Machine::WalletPayment(_) => self.wallet_payment(op, operation),
            Machine::Hold(_)
            | Machine::Suspense(_)
            | Machine::Stray(_)
            | Machine::Receipt(_)
            | Machine::Adjustment(_) => Value::Null,
        }
    }

    /// `POST /cashin/charge` (CIN-21).
    #[must_use]
    pub fn charge(&self, op: OpId, state: &charge::State) -> Value {
        let Some(order) = state.order() else { return Value::Null };
        let delay_until = match state {
            charge::State::Delayed(arrived) => arrived.until,
            _ => None,
        };
        let local = local_hold(state);
        json!({
            "cashin_id": op.text(&self.state.name),
            "status": names::charge_status(state),
            "amount_cents": order.amount.cents(),
            "asset": order.delivery.asset,
            "chain": order.delivery.chain,
            "payout_address": order.delivery.address,
            "qr_copypaste": order.qr.copypaste,
            "qr_image_url": order.qr.image_url,
            "expires_at": order.expires_at.to_string(),
            "held": order.retention_hours.is_some(),
            "held_hours": order.retention_hours,
            "delay_until": delay_until.map(|at| at.to_string()),
            "liberar_em": local.map(|(until, _)| until.to_string()),
            "hold_hours": local.map(|(_, hours)| hours),
            "external_id": order.external_id,
            "created_at": order.created_at.to_string(),
        })
    }

    /// `GET /cashin/{cashin_id}/status`: the charge and the fields of CIN-30.
    #[must_use]
    pub fn charge_status(&self, op: OpId, state: &charge::State) -> Value {
        let mut view = self.charge(op, state);
        let (Some(order), Some(map)) = (state.order(), view.as_object_mut()) else {
            return Value::Null;
        };
        let (receipt, settled_at, returned) = match state {
            charge::State::UnderReview(arrived) | charge::State::Delayed(arrived) => {
                (Some(&arrived.receipt), None, arrived.returned)
            }
            charge::State::Bought(bought) => {
                let settled_at = bought.delivery.sent().map(|sent| sent.at);
                let returned = if bought.is_refunded() { Share::ZERO } else { bought.returned };
                (Some(&bought.receipt), settled_at, returned)
            }
            charge::State::Paid(paid) => {
                (Some(&paid.receipt), paid.settled_at, paid.returned_in_all())
            }
            charge::State::Refunded(refunded) => {
                (Some(&refunded.receipt), refunded.settled_at, Share::ZERO)
            }
            _ => (None, None, Share::ZERO),
        };
        let purchase = order.purchase.as_deref();
        let (sent, rest) = match state {
            charge::State::Bought(bought) => (bought.delivery.sent(), bought.rest),
            _ => (None, None),
        };
        let page =
            sent.and_then(|sent| self.state.catalogue.page_of(&order.delivery.chain, &sent.hash));
        let customer = match purchase {
            Some(terms) => terms.customer.as_deref(),
            None => self.archive.customer(order.custody),
        };
        let more = json!({
            "settlement_status": names::settlement_status(state),
            "depix_received_cents": receipt.map(|receipt| receipt.amount.cents()),
            "usdt_amount": purchase.and_then(|terms| {
                usdt(rest.map_or(terms.usdt, |rest| rest.usdt))
            }),
            "settlement_tx_hash": sent.map(|sent| &sent.hash),
            "settlement_tx_url": page,
            "e2e": receipt.map(|receipt| &receipt.e2e),
            "payer_name": order.payer_name.map(|name| self.value(name)),
            "payer_tax_number": self.mask(order.payer),
            "destino": if purchase.is_some() { "cripto" } else { "saldo" },
            "customer_ref": customer,
            "fonte": "pix",
            "paid_at": receipt.map(|receipt| receipt.paid_at.to_string()),
            "settled_at": settled_at.map(|at| at.to_string()),
            "fee_cents": null,
            "debited_cents": null,
        });
        if let Value::Object(more) = more {
            map.extend(more);
        }
        // Ours, and present only where crypto is delivered (EVT-13).
        if let Some(terms) = purchase {
            let parcel = rest.map_or(terms.parcel, |rest| rest.parcel);
            map.insert("amount".into(), delivered(&parcel, terms.scale));
        }
        // Ours, and present only after a partial return (CIN-30, rulings 27).
        if !returned.is_zero() {
            map.insert("returned_cents".into(), returned.cents().into());
        }
        view
    }

    /// A payout (rulings 41, PAY-04).
    #[must_use]
    pub fn payout(&self, op: OpId, operation: &Operation, state: &payout::State) -> Value {
        let Some(order) = state.order() else { return Value::Null };
        let (e2e, returned) = match state {
            payout::State::Completed(paid) | payout::State::Returned(paid) => {
                (Some(&paid.e2e), paid.returned)
            }
            _ => (None, Share::ZERO),
        };
        let mut view = json!({
            "payout_id": op.text(&self.state.name),
            "status": names::payout_status(state),
            "amount_cents": order.amount.cents(),
            "customer_ref": self.archive.customer(order.custody),
            "external_id": order.external_id,
            "pix_key": self.mask(order.pix_key),
            "fee_service_total_cents": order.fees.service_total().cents(),
            "fee_provider_cents": order.fees.tariff.cents(),
            "fee_cents": order.fees.total().map(Share::cents),
            "fee_partner_cents": order.fees.partner.cents(),
            "fee_service_cents": order.fees.house.cents(),
            "debited_cents": order.debited().map(Amount::cents),
            "returned_cents": returned.cents(),
            "e2e": e2e,
            "created_at": order.created_at.to_string(),
            "updated_at": operation.updated_at.to_string(),
        });
        self.show_details(&mut view, Scope::SentPix, e2e.map(|e2e| &**e2e));
        view
    }

    /// A transfer (rulings 41).
    #[must_use]
    pub fn transfer(&self, op: OpId, operation: &Operation, state: &transfer::State) -> Value {
        let transfer::State::Done(order) = state else { return Value::Null };
        let party = |custody: CustodyId| self.archive.customer(custody).unwrap_or("casa");
        json!({
            "transfer_id": op.text(&self.state.name),
            "status": "concluida",
            "amount_cents": order.amount.cents(),
            "from_customer_ref": party(order.from),
            "to_customer_ref": party(order.to),
            "external_id": order.external_id,
            "descricao": order.note.map(|note| self.value(note)),
            "created_at": operation.created_at.to_string(),
        })
    }

    /// `GET /saldo` of the house or one subaccount (CUS-01); one never seen reads as zero (CUS-17).
    #[must_use]
    pub fn balance(&self, account: AccountId, custody: Option<CustodyId>, at: Instant) -> Value {
        let terms = self.state.terms(account, at);
        let buckets = custody.map(|id| self.state.books.custody(id)).unwrap_or_default();
        let waiting = custody.and_then(|id| self.state.waiting_until(id, at));
        let releases: Vec<Value> = custody
            .into_iter()
            .flat_map(|id| self.state.releases(id))
            .map(|(at, _, part)| {
                json!({ "valor_cents": part.cents(), "disponivel_em": at.to_string() })
            })
            .collect();
        let (kind, tariff) = match terms.payout_tariff {
            Tariff::Fixed(tariff) => ("fixo", Some(tariff.cents())),
            Tariff::Unknown => ("desconhecido", None),
        };
        let total_bps = terms.payout_house.plus(terms.payout_partner);
        json!({
            "custodia_ativa": terms.custody.is_on(),
            "disponivel_cents": buckets.available.cents(),
            "bloqueado_cents": buckets.blocked().cents(),
            "deposito_fee_bps": terms.deposit.bps.get(),
            "deposito_fee_fixed_cents": terms.deposit.fixed.cents(),
            "saque_fee_bps": terms.payout_house.get(),
            "saque_fee_total_bps": total_bps.map(crate::money::Bps::get),
            "saque_taxa_estimada_cents": tariff,
            "saque_taxa_provedor_tipo": kind,
            "saque_cripto_fee_bps": terms.crypto_withdrawal.get(),
            "saque_cripto_conversao_fee_bps": terms.conversion.bps.get(),
            "saque_cripto_conversao_fee_fixed_cents": terms.conversion.fixed.cents(),
            "carencia_horas": terms.waiting_hours,
            "carencia_ate": waiting.map(|until| until.to_string()),
            "retencao_acima_cents": terms.retention_above.map(Amount::cents),
            "proximas_liberacoes": releases,
            "as_of": at.to_string(),
        })
    }

    /// `GET /saldo/consolidado` (rulings 24 and 41, W36).
    #[must_use]
    pub fn consolidated(&self, account: AccountId) -> Value {
        let house = self.state.account(account).map(|account| account.house);
        let (mut own, mut clients) = ([0_i128; 2], [0_i128; 2]);
        let (mut count, mut negative) = (0_u64, 0_i128);
        for (custody, buckets) in self.state.custodies_of(account, None) {
            let is_house = house == Some(custody);
            let sums = if is_house { &mut own } else { &mut clients };
            sums[0] += i128::from(buckets.available.cents());
            sums[1] += i128::from(buckets.blocked().cents());
            negative += i128::from(buckets.available.cents().min(0));
            count += u64::from(!is_house && buckets.rows > 0);
        }
        json!({
            "casa": { "disponivel_cents": whole(own[0]), "bloqueado_cents": whole(own[1]) },
            "clientes": {
                "disponivel_cents": whole(clients[0]),
                "bloqueado_cents": whole(clients[1]),
                "quantidade": count,
            },
            "total_cents": whole(own.iter().chain(&clients).sum()),
            "total_negativo_cents": whole(negative),
        })
    }

    /// A value from the vault, or the word that it was erased.
    #[must_use]
    pub fn value(&self, token: Token) -> String {
        self.vault.value(token).unwrap_or(ERASED).to_owned()
    }

    pub(super) fn mask(&self, token: Token) -> String {
        self.vault.mask(token).unwrap_or(ERASED).to_owned()
    }
}

/// Sums of balances that were each checked; as a JSON integer where one holds it.
pub(super) fn whole(sum: i128) -> Value {
    i64::try_from(sum).map_or_else(|_| sum.to_string().into(), Value::from)
}

/// Until when, and for how many hours begun, the credit is held by us (CIN-26, P:HoldHoursType).
fn local_hold(state: &charge::State) -> Option<(Instant, u64)> {
    let charge::State::Paid(paid) = state else { return None };
    let until = paid.credit.available_at?;
    let held = until.since(paid.credit.booked_at);
    let begun = held.micros() > Span::hours(1).micros() * held.whole_hours();
    Some((until, held.whole_hours() + u64::from(begun)))
}
