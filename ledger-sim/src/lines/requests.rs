//! Requests by their routes and bodies.

use ledger_core::id::AccountId;
use ledger_core::ledger::{
    ChargeRequest, ConversionRequest, Destination, FundingRequest, GroupRequest, LegRequest,
    Ownership, PayoutRequest, Request, TransferRequest,
};
use ledger_core::money::Amount;
use serde_json::{Map, Value, json};

use super::{LineWriter, Unrepresentable, Written, body, line, request};

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
            Request::Charge(asked) => Ok(self.charge(&key, asked)),
            Request::Transfer(asked) => Ok(self.transfer(&key, asked)),
            Request::Group(asked) => Ok(self.group(&key, asked)),
            Request::Payout(asked) => self.payout(&key, asked),
            Request::Conversion(asked) => self.conversion(&key, asked),
            Request::Settings(asked) => self.settings(account, &key, asked),
            Request::RotateKey(next) => Ok(self.rotation(&key, *next)),
            Request::Wallet(asked) => self.wallet_request(&key, asked),
            Request::CashOut(asked) => self.sale(&key, asked),
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
            Request::Described { .. } => unreachable!("its parts are written above"),
        }
    }

    fn charge(&mut self, key: &str, asked: &ChargeRequest) -> Map<String, Value> {
        let (destination, memo) = match &asked.destination {
            Destination::Custody => ("saldo", None),
            Destination::Crypto { memo } => ("cripto", memo.clone()),
        };
        let mut line = request(
            "POST /cashin/charge",
            key,
            json!({
                "amount_cents": asked.amount.cents(),
                "destino": destination,
                "customer_ref": asked.customer,
                "payer_tax_number": self.people.document(asked.payer),
                "payer_name": asked.payer_name.map(|name| self.people.name(name)),
                "allow_hold": (!asked.allow_hold.is_on()).then_some(false),
                "asset": asked.delivery.asset,
                "chain": asked.delivery.chain,
                "payout_address": asked.delivery.address,
                "payout_tag": memo,
                "external_id": asked.external_id,
            }),
        );
        let qr = asked.qr.as_ref();
        let supplied = body(json!({
            "qr_copypaste": qr.map(|qr| qr.copypaste.clone()),
            "qr_image_url": qr.and_then(|qr| qr.image_url.clone()),
            "provider_reference": asked.payer_refused,
        }));
        line.insert("supplied".into(), supplied);
        line
    }

    fn transfer(&mut self, key: &str, asked: &TransferRequest) -> Map<String, Value> {
        request(
            "POST /saldo/transferir",
            key,
            json!({
                "from_customer_ref": asked.from,
                "to_customer_ref": asked.to,
                "amount_cents": asked.amount.cents(),
                "descricao": asked.note.map(|note| self.people.text(note)),
                "external_id": asked.external_id,
            }),
        )
    }

    fn group(&mut self, key: &str, asked: &GroupRequest) -> Map<String, Value> {
        let leg = |leg: &LegRequest| {
            json!({
                "from_customer_ref": leg.from,
                "to_customer_ref": leg.to,
                "amount_cents": leg.amount.cents(),
            })
        };
        request(
            "POST /saldo/transferir",
            key,
            json!({
                "amount_cents": asked.legs.iter().map(|leg| leg.amount.cents()).sum::<i64>(),
                "pernas": asked.legs.iter().map(leg).collect::<Vec<_>>(),
                "descricao": asked.note.map(|note| self.people.text(note)),
                "external_id": asked.external_id,
            }),
        )
    }

    fn payout(&mut self, key: &str, asked: &PayoutRequest) -> Written<Map<String, Value>> {
        let owner = self.people.document(asked.tax_number);
        let (pix_key, kind) = self.people.pix_key(asked.pix_key, &owner, asked.ownership)?;
        let asked = json!({
            "amount_cents": asked.amount.cents(),
            "customer_ref": asked.customer,
            "pix_key": pix_key,
            "pix_key_type": kind,
            "tax_number": owner,
            "external_id": asked.external_id,
        });
        Ok(request("POST /payouts", key, asked))
    }

    fn conversion(&mut self, key: &str, asked: &ConversionRequest) -> Written<Map<String, Value>> {
        if asked.target.address.is_none() {
            return Err(Unrepresentable("a conversion without a wallet"));
        }
        let (customer, tax_number) = match &asked.source {
            FundingRequest::Custody { customer, tax_number, .. } => {
                (customer.clone(), Some(self.people.document(*tax_number)))
            }
            FundingRequest::Commission => (None, None),
        };
        let fields = json!({
            "amount_cents": asked.amount.cents(),
            "customer_ref": customer,
            "tax_number": tax_number,
            "asset": asked.target.asset,
            "chain": asked.target.chain,
            "payout_address": asked.target.address,
            "payout_tag": asked.memo,
            "max_debited_cents": asked.cap.map(Amount::cents),
            "external_id": asked.external_id,
        });
        match asked.source {
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
            FundingRequest::Commission if asked.cap.is_some() => {
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
