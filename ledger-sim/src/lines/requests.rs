//! Requests by their routes and bodies.

use ledger_core::id::AccountId;
use ledger_core::ledger::{
    ChargeRequest, ConversionRequest, Destination, FundingRequest, GroupRequest, LegRequest,
    Ownership, PayoutRequest, Request, TransferRequest,
};
use serde_json::{Map, Value, json};

use super::{LineWriter, Unrepresentable, Written, body, line, merge_fields, request};
use crate::domains::operation_request;

impl LineWriter<'_> {
    pub(super) fn request(
        &mut self,
        account: AccountId,
        asked: &Request,
    ) -> Written<Map<String, Value>> {
        if let Request::Described { request, metadata } = asked {
            let mut line = self.request(account, request)?;
            line["body"]["metadata"] = self.people.metadata(*metadata);
            return Ok(line);
        }
        let key = self.key_of(account)?;
        match asked {
            Request::Settings(asked) => self.settings(account, &key, asked),
            Request::RotateKey(next) => Ok(self.rotation(&key, *next)),
            Request::Wallet(asked) => self.wallet_request(&key, asked),
            Request::AcceptCashOut { order, supplied } => {
                let route = format!("POST /cash-outs/{}/accept", self.op(Some(*order)));
                let supplied = body(json!({
                    "deposit_address": supplied.as_ref().map(|to| to.address.clone()),
                    "deposit_tag": supplied.as_ref().and_then(|to| to.tag.clone()),
                }));
                Ok(line(json!({ "request": route, "key": key, "supplied": supplied })))
            }
            Request::RefundAddress { order, address } => {
                let route = format!("POST /cash-outs/{}/refund-address", self.op(Some(*order)));
                Ok(request(&route, &key, json!({ "refund_address": address })))
            }
            Request::Agent(asked) => self.agent_request(account, &key, asked),
            begins => {
                operation_request!(
                    begins,
                    asked => asked.line(self, &key),
                    unreachable!("its parts are written above")
                )
            }
        }
    }
}

/// A request that begins an operation, which is written as a line.
pub(super) trait RequestLine {
    /// The line, of an account's key.
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>>;
}

impl RequestLine for ChargeRequest {
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>> {
        let (destination, memo) = match &self.destination {
            Destination::Custody => ("saldo", None),
            Destination::Crypto { memo } => ("cripto", memo.clone()),
        };
        let mut line = request(
            "POST /cashin/charge",
            key,
            json!({
                "amount_cents": self.amount.cents(),
                "destino": destination,
                "customer_ref": self.customer,
                "payer_tax_number": writer.people.document(self.payer),
                "payer_name": self.payer_name.map(|name| writer.people.name(name)),
                "allow_hold": (!self.allow_hold.is_on()).then_some(false),
                "asset": self.delivery.asset,
                "chain": self.delivery.chain,
                "payout_address": self.delivery.address,
                "payout_tag": memo,
                "external_id": self.external_id,
            }),
        );
        let qr = self.qr.as_ref();
        let supplied = body(json!({
            "qr_copypaste": qr.map(|qr| qr.copypaste.clone()),
            "qr_image_url": qr.and_then(|qr| qr.image_url.clone()),
            "provider_reference": self.payer_refused,
        }));
        line.insert("supplied".into(), supplied);
        Ok(line)
    }
}

impl RequestLine for TransferRequest {
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>> {
        let note = json!({ "descricao": self.note.map(|note| writer.people.text(note)) });
        let fields = merge_fields(self.clear_fields(), note);
        Ok(request("POST /saldo/transferir", key, fields))
    }
}

impl RequestLine for GroupRequest {
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>> {
        let leg = |leg: &LegRequest| {
            json!({
                "from_customer_ref": leg.from,
                "to_customer_ref": leg.to,
                "amount_cents": leg.amount.cents(),
            })
        };
        Ok(request(
            "POST /saldo/transferir",
            key,
            json!({
                "amount_cents": self.legs.iter().map(|leg| leg.amount.cents()).sum::<i64>(),
                "pernas": self.legs.iter().map(leg).collect::<Vec<_>>(),
                "descricao": self.note.map(|note| writer.people.text(note)),
                "external_id": self.external_id,
            }),
        ))
    }
}

impl RequestLine for PayoutRequest {
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>> {
        let owner = writer.people.document(self.tax_number);
        let (pix_key, kind) = writer.people.pix_key(self.pix_key, &owner, self.ownership)?;
        let payee = json!({ "pix_key": pix_key, "pix_key_type": kind, "tax_number": owner });
        Ok(request("POST /payouts", key, merge_fields(self.clear_fields(), payee)))
    }
}

impl RequestLine for ConversionRequest {
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>> {
        if self.target.address.is_none() {
            return Err(Unrepresentable("a conversion without a wallet"));
        }
        let (customer, tax_number) = match &self.source {
            FundingRequest::Custody { customer, tax_number, .. } => {
                (customer.clone(), Some(writer.people.document(*tax_number)))
            }
            FundingRequest::Commission => (None, None),
        };
        let others = json!({
            "customer_ref": customer,
            "tax_number": tax_number,
            "asset": self.target.asset,
            "chain": self.target.chain,
            "payout_address": self.target.address,
        });
        let fields = merge_fields(self.clear_fields(), others);
        match self.source {
            FundingRequest::Custody { ownership: Ownership::Refuted, .. } => {
                Err(Unrepresentable("a wallet that is somebody else's"))
            }
            FundingRequest::Custody { ownership, .. } => {
                let mut line = request("POST /saldo/sacar-cripto", key, fields);
                if ownership == Ownership::Proven {
                    line.insert("supplied".into(), json!({ "owner": tax_number }));
                }
                Ok(line)
            }
            FundingRequest::Commission if self.cap.is_some() => {
                Err(Unrepresentable("a commission withdrawal with a cap"))
            }
            FundingRequest::Commission => {
                let parts = json!({ "command": "commission.withdraw", "key": key });
                let mut line = line(parts);
                line.insert("body".into(), body(fields));
                Ok(line)
            }
        }
    }
}
