//! Payments from wallets as clients see them (WAL-26 to WAL-33).

use serde_json::{Value, json};

use super::{reais, six, six_if};
use crate::coin::{Scale, units_text};
use crate::contract::input::tokens::Vault;
use crate::contract::object::{Json, object};
use crate::contract::registry::{Facts, PublicPix, Receiver, Shown, shown_as};
use crate::contract::views::{Recall, Views};
use crate::id::{AccountId, Kind, OpId};
use crate::ledger::{Archive, Operation, Scope};
use crate::machine::cash_out::AmountBasis;
use crate::machine::wallet::payment::{FailureReason, Progress, Stage, State};

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// The 100 latest payments (WAL-25).
    #[must_use]
    pub fn wallet_payments(&self, account: AccountId) -> Value {
        let ops = self.state.wallets().latest(account, Kind::WalletPayment);
        let items = ops.filter_map(|op| Some(self.wallet_payment(op, &self.operation(op)?).into()));
        json!({ "items": items.collect::<Vec<Value>>() })
    }
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// A payment from the wallet, as its route shows it.
    #[must_use]
    pub fn wallet_payment<'v>(&'v self, op: OpId, operation: &'v Operation) -> Json<'v> {
        let Some(state) = operation.wallet_payment() else { return Json::Null };
        let Some(progress) = state.progress() else { return Json::Null };
        let order = &progress.order;
        // What only a payment that was paid shows (WAL-28).
        let pix = progress.pix.as_ref().filter(|_| progress.stage == Stage::Completed);
        let of_paid = |token: Option<crate::id::Token>| pix.and(token);
        let details = |e2e: &str| self.archive.details_of(Scope::SentPix, e2e);
        let reported = pix.map(|pix| details(&pix.e2e)).unwrap_or_default();
        let recipient = reported.recipient.or(of_paid(order.payee.merchant));
        let document = reported.document.or(of_paid(order.payee.tax_number));
        let receipt_url = pix.and_then(|pix| pix.receipt_url.as_ref());
        let mut view = object! {
            "payment_id": op.text(&self.state.name),
            "external_id": &order.external_id,
            "status": status(state),
            "final": is_final(progress.stage),
            "payment_method": method(order.asked),
            "brl_amount": reais(order.net),
            "pix_key": order.payee.pix_key.map(|key| self.mask(key)),
            "usdt_reserved": six(order.reserved),
            "usdt_debited": six_if(progress.debited_units()),
            "usdt_order": six_if(progress.cashout.map(|(_, cost)| cost.units)),
            "withdrawal_fee": six_if(order.fee),
            "cashout_id": progress.cashout.map(|(cashout, _)| cashout.text(&self.state.name)),
            "error": progress.reason.map(error),
            "pix_e2e": pix.map(|pix| &pix.e2e),
            "recipient_name": recipient.map(|name| self.value(name)),
            "recipient_document": document.map(|number| self.mask(number)),
            "receipt_url": receipt_url.filter(|_| !self.is_sandbox()),
            "created_at": order.created_at.to_string(),
            "updated_at": operation.updated_at.to_string(),
            "sandbox": self.is_sandbox(),
        };
        // Ours, and present only where an operator decides, or decided, on the reserve.
        if progress.stage == Stage::FailedAfterSend {
            let returned = progress.given_back().map(|units| units_text(units, Scale::SIX));
            view["usdt_returned"] = returned.into();
            view["reserve_status"] = reserve(progress).into();
        }
        view
    }
}

/// How a payment names whom it pays: `payment_method`.
#[must_use]
pub const fn method(asked: AmountBasis) -> &'static str {
    match asked {
        AmountBasis::Code(_) => "br_code",
        AmountBasis::Net(_) | AmountBasis::Units(_) => "pix_key",
    }
}

/// What became of the reserve of a payment that failed after it was sent; the words are ours.
fn reserve(progress: &Progress) -> &'static str {
    match (progress.is_reserved(), progress.debited_units()) {
        (true, _) => "reservada",
        (false, Some(_)) => "consumida",
        (false, None) => "devolvida",
    }
}

/// The wire's word for how a payment stands; none before it exists (WAL-30).
#[must_use]
fn status(state: &State) -> Option<&'static str> {
    state.progress().map(|progress| match progress.stage {
        Stage::Reserved => "reservado",
        Stage::Ordered => "ordem_criada",
        Stage::Accepted => "aceita",
        Stage::Sending => "sacando",
        Stage::Sent => "enviado",
        Stage::UnderReview => "revisao",
        Stage::Completed => "concluido",
        Stage::Failed => "falhou",
        Stage::FailedAfterSend => "falhou_apos_envio",
    })
}

/// Tells whether the status is one of the final ones (WAL-32).
const fn is_final(stage: Stage) -> bool {
    matches!(stage, Stage::Completed | Stage::Failed | Stage::FailedAfterSend)
}

/// Why a payment failed, in the contract's codes.
pub(in crate::contract) const fn error(reason: FailureReason) -> &'static str {
    match reason {
        FailureReason::Cost => "cotacao_recusada",
        FailureReason::Provider => "provedor_indisponivel",
        FailureReason::Key => "pix_key_invalida",
        FailureReason::Ceiling => "limite_diario_recebedor",
    }
}

impl Shown for State {
    fn facts(&self) -> Facts<'_> {
        let Some(progress) = self.progress() else { return Facts::NONE };
        let verified = progress.proven_pix().map(|pix| PublicPix {
            e2e: &pix.e2e,
            amount: progress.order.net,
            at: Some(pix.paid_at),
            paid: true,
            receiver: Receiver::Person(progress.order.payee.merchant),
            receipt_url: pix.receipt_url.as_deref(),
        });
        Facts {
            status: status(self),
            pix: progress.pix.as_ref().map(|pix| (Scope::SentPix, &*pix.e2e)),
            verified: verified.into(),
            ..Facts::NONE
        }
    }

    shown_as!(|_, views, of| views.wallet_payment(of.op, of.operation));
}
