//! Payments from the USDT wallet: what clients ask, and how each goes on.

use ledger_core::id::OpId;
use ledger_core::ledger::Ownership;
use ledger_core::ledger::wallet::{PaymentFinding, PaymentRequest, Step};
use ledger_core::machine::cash_out::{AmountBasis, KeyOwner, Payee, Pix};
use ledger_core::machine::wallet::payment::{Adjudication, FailureReason, Finding};
use serde_json::{Map, Value, json};

use super::end_to_end;
use super::sales::reais;
use super::wallets::usdt;
use super::{LineWriter, Unrepresentable, Written, body, request};

impl LineWriter<'_> {
    /// `POST /carteira-usdt/payments`, and its quote: by an amount, with or without a key, or by
    /// code.
    pub(super) fn payment(
        &mut self,
        route: &str,
        key: &str,
        asked: &PaymentRequest,
    ) -> Written<Map<String, Value>> {
        let payee = &asked.payee;
        // Nobody is named besides: a document is known where the key is one.
        let paid_to = match (payee.pix_key, payee.tax_number) {
            (None, _) => None,
            (Some(key), None) => Some(self.people.any_key(key)?),
            (Some(key), Some(document)) => {
                let owner = self.people.document(document);
                Some(self.people.pix_key(key, &owner, Ownership::Proven)?)
            }
        };
        let mut fields = match (asked.asked, paid_to) {
            (AmountBasis::Units(_), _) => {
                return Err(Unrepresentable("a payment of so much crypto"));
            }
            (AmountBasis::Code(code), _) => {
                json!({ "br_code": self.people.code(code, asked.net, payee)? })
            }
            (AmountBasis::Net(net), None) => json!({ "brl_amount": reais(net) }),
            (AmountBasis::Net(net), Some((text, kind))) => {
                json!({ "brl_amount": reais(net), "pix_key": text, "pix_key_type": kind })
            }
        };
        fields["quote_id"] = asked.quote.map(|quote| self.op(quote)).into();
        fields["external_id"] = asked.external_id.as_deref().into();
        let mut line = request(route, key, fields);
        self.insert_owner(&mut line, payee);
        Ok(line)
    }

    /// What a lookup told of the key of a payee, where the key does not say it.
    pub(super) fn insert_owner(&mut self, line: &mut Map<String, Value>, payee: &Payee) {
        let proven = payee.owner.and_then(KeyOwner::document);
        if let Some(owner) = proven.filter(|owner| *owner != payee.counted_as) {
            line.insert("supplied".into(), json!({ "owner": self.people.document(owner) }));
        }
    }

    /// The fields of a payment's report, but its id.
    pub(super) fn paid_by_wallet(&mut self, op: Option<OpId>, step: &Step) -> Written<Value> {
        let mut fields = match step {
            Step::Order => json!({ "step": "order_created" }),
            Step::Accept(address) => json!({ "step": "accepted", "address": address }),
            Step::Begin => json!({ "step": "started" }),
            Step::Send(hash, amount) => json!({ "tx_hash": hash, "amount": amount.map(usdt) }),
            Step::Confirm | Step::Lose => json!({}),
            Step::Pay(pix) => proven(pix)?,
            Step::Fail(reason) => json!({ "error": failure_code(*reason) }),
        };
        fields["payment_id"] = self.op(op).into();
        Ok(fields)
    }

    /// Returns what an operator found out of a payment, or decides of its reserve.
    pub(super) fn payment_finding_fields(
        &mut self,
        op: Option<OpId>,
        finding: &PaymentFinding,
    ) -> Written<Value> {
        let (outcome, mut fields) = match finding {
            PaymentFinding::Found(Finding::Sent(hash)) => ("sent", json!({ "tx_hash": hash })),
            PaymentFinding::Found(Finding::Paid(pix)) => ("paid", proven(pix)?),
            PaymentFinding::Found(Finding::Failed) => ("failed", json!({})),
            PaymentFinding::Decided(Adjudication::Return(lost)) => {
                ("return", json!({ "coins_lost": lost.is_on().then_some(true) }))
            }
            PaymentFinding::Decided(Adjudication::Paid(pix)) => ("consume_paid", proven(pix)?),
            PaymentFinding::Decided(Adjudication::Lost) => ("consume_lost", json!({})),
        };
        fields["payment_id"] = self.op(op).into();
        fields["outcome"] = outcome.into();
        Ok(body(fields))
    }
}

fn proven(pix: &Pix) -> Written<Value> {
    if pix.receipt_pdf_url.is_some() || pix.verify_url.is_some() {
        return Err(Unrepresentable("a payment's PIX with more than one address of its receipt"));
    }
    Ok(json!({
        "e2e": end_to_end(&pix.e2e),
        "paid_at": pix.paid_at.to_string(),
        "receipt_url": pix.receipt_url,
    }))
}

const fn failure_code(reason: FailureReason) -> &'static str {
    match reason {
        FailureReason::Provider => "provedor_indisponivel",
        FailureReason::Key => "pix_key_invalida",
        FailureReason::Ceiling => "limite_diario_recebedor",
        FailureReason::Cost => "cotacao_recusada",
    }
}
