//! Sales: what sellers ask, and the reports of what they deposited, what it sold for, and what was
//! paid.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{Kind, OpId};
use ledger_core::ledger::{CashOutRequest, SaleReport};
use ledger_core::machine::cash_out::{AmountBasis, Command, Deposit, Pix, Proceeds};
use ledger_core::machine::refund::{Coins, RefundReport};
use ledger_core::money::Amount;
use ledger_core::terms::{Market, Route, Switch};
use ledger_core::time::Instant;
use serde_json::{Map, Value, json};

use super::end_to_end;
use super::requests::RequestLine;
use super::{LineWriter, Unrepresentable, Written, body, merge_fields, request};

impl RequestLine for CashOutRequest {
    fn line(&self, writer: &mut LineWriter<'_>, key: &str) -> Written<Map<String, Value>> {
        let (amount, reais) = match self.asked {
            AmountBasis::Units(units) => {
                let known = writer.state.catalogue.asset(&self.asset);
                let scale = known.map(|(_, scale)| scale).or(Scale::new(18));
                (scale.map(|scale| units.text(scale)), None)
            }
            AmountBasis::Net(net) => (None, Some(reais(net))),
            AmountBasis::Code(_) => (None, None),
        };
        let payee = &self.payee;
        let (code, pix) = match self.asked {
            AmountBasis::Code(code) => {
                (Some(writer.people.code(code, self.code_amount, payee)?), None)
            }
            AmountBasis::Units(_) | AmountBasis::Net(_) => {
                let key = payee.pix_key.ok_or(Unrepresentable("a sale to nobody"))?;
                (None, Some(writer.people.any_key(key)?))
            }
        };
        let (pix_key, kind) = pix.unzip();
        let others = json!({
            "amount": amount,
            "brl_amount": reais,
            "pix_key": pix_key,
            "pix_key_type": kind,
            "br_code": code,
            "payee_tax_number": payee.tax_number.map(|token| writer.people.document(token)),
        });
        let fields = merge_fields(self.clear_fields(), others);
        let mut line = request("POST /cash-outs", key, fields);
        writer.insert_owner(&mut line, payee);
        Ok(line)
    }
}

impl LineWriter<'_> {
    /// A report of a sale, or of crypto that no order took.
    pub(super) fn sale_fields(
        &mut self,
        order: Option<OpId>,
        report: &SaleReport,
        at: Instant,
    ) -> Written<Value> {
        let mut fields = match report {
            SaleReport::Seen(deposit) => self.deposit_fields(deposit, at)?,
            SaleReport::Unlisted => {
                return Err(Unrepresentable("coins that were never on a catalogue"));
            }
            SaleReport::Confirmed { deposit: Some(deposit), .. } => {
                self.deposit_fields(deposit, at)?
            }
            SaleReport::Confirmed { hash, deposit: None } | SaleReport::Vanished(hash) => {
                transaction(hash)
            }
            SaleReport::Moved(command) => self.move_fields(command)?,
            SaleReport::Paid { pix, amount } => {
                let mut fields = pix_fields(pix);
                fields["amount_cents"] = amount.map(Amount::cents).into();
                fields
            }
            SaleReport::Reversed { return_id, amount } => json!({
                "return_id": end_to_end(return_id), "amount_cents": amount.cents(),
            }),
            SaleReport::TokenReturned(units) => json!({ "amount": self.of_order(order, *units) }),
            SaleReport::Stopped(decided_by) => self.with_decision(json!({}), decided_by),
            SaleReport::Cleared { pix_key, decided_by } => {
                let key = pix_key.map(|key| self.people.any_key(key.token)).transpose()?;
                let (text, kind) = key.unzip();
                self.with_decision(json!({ "pix_key": text, "pix_key_type": kind }), decided_by)
            }
            SaleReport::RefundDecided { to: Some(_), decided_by: None } => {
                return Err(Unrepresentable("a return wallet that nobody names"));
            }
            SaleReport::RefundDecided { to, decided_by } => {
                let fields = json!({ "refund_address": to });
                match decided_by {
                    Some(decided_by) => self.with_decision(fields, decided_by),
                    None => fields,
                }
            }
            SaleReport::Refund(RefundReport::Sent(hash)) => json!({ "tx_hash": hash }),
            SaleReport::Refund(RefundReport::Failed | RefundReport::Lost) => json!({}),
            SaleReport::RefundFailed { attempt } => json!({ "attempt": attempt }),
        };
        let name = if order.is_some_and(|op| op.kind() == Kind::UnmatchedDeposit) {
            "receipt_id"
        } else {
            "cashout_id"
        };
        let may_be_absent = matches!(
            report,
            SaleReport::Seen(_) | SaleReport::Confirmed { .. } | SaleReport::Vanished(_)
        );
        if order.is_some() || !may_be_absent {
            fields[name] = self.op(order).into();
        }
        Ok(body(fields))
    }

    fn move_fields(&self, command: &Command) -> Written<Value> {
        Ok(match command {
            Command::Fill(Proceeds::Reais(amount)) | Command::Arrive(amount) => {
                json!({ "amount_cents": amount.cents() })
            }
            Command::Fill(Proceeds::Coins(coins)) => self.coins_of(coins)?,
            Command::RefuseKey(returned) => json!({ "returned_cents": returned.cents() }),
            _ => json!({}),
        })
    }

    fn deposit_fields(&self, deposit: &Deposit, at: Instant) -> Written<Value> {
        if at < deposit.seen_at {
            return Err(Unrepresentable("a deposit seen before its time"));
        }
        let mut fields = self.coins_of(&deposit.coins)?;
        if let (Value::Object(all), Value::Object(more)) = (&mut fields, transaction(&deposit.hash))
        {
            all.extend(more);
        }
        fields["from"] = deposit.from.as_deref().into();
        fields["seen_at"] = deposit.seen_at.to_string().into();
        fields["confirmations"] = deposit.confirmations.into();
        Ok(body(fields))
    }

    fn coins_of(&self, coins: &Coins) -> Written<Value> {
        let unknown = Unrepresentable("crypto of a sale that was never on a catalogue");
        let (asset, scale) = self.state.catalogue.asset_of(coins.asset).ok_or(unknown)?;
        let network = self.state.catalogue.chain_of(coins.chain).ok_or(unknown)?;
        let amount = coins.units.text(scale);
        Ok(json!({ "asset": asset, "network": network, "amount": amount }))
    }

    /// An amount in the units of an order's asset, as the reader takes it.
    fn of_order(&self, order: Option<OpId>, units: Units) -> Option<String> {
        let known = order.and_then(|op| {
            self.state.open(op)?.cash_out()?.progress().map(|progress| progress.order.scale)
        });
        known.or(Scale::new(8)).map(|scale| units.text(scale))
    }
}

/// The fields of `markets.updated`, but its id.
pub(super) fn markets(opened: &[Market], closed: &[(Box<str>, Box<str>)]) -> Written<Value> {
    let exchanged = |pair: &Market| matches!(pair.route, Route::Dex | Route::Convert);
    let unbounded = |pair: &Market| pair.least.is_none() || pair.most.is_none();
    if opened.iter().any(|pair| exchanged(pair) && unbounded(pair)) {
        return Err(Unrepresentable("a pair of the exchange without bounds"));
    }
    let items: Vec<Value> = opened.iter().map(item).collect();
    let gone = closed.iter().map(|(asset, chain)| json!({ "asset": asset, "network": chain }));
    let gone: Vec<Value> = gone.collect();
    Ok(body(json!({
        "items": (!items.is_empty()).then_some(items),
        "dropped": (!gone.is_empty()).then_some(gone),
    })))
}

fn item(pair: &Market) -> Value {
    let path = match pair.route {
        Route::Fast => "FAST",
        Route::Dex => "DEX",
        Route::Convert => "CONVERT",
        Route::Liquid => "depix_liquid",
    };
    let text = |units: Option<Units>| units.map(|units| units.text(pair.scale));
    body(json!({
        "asset": pair.asset_name,
        "network": pair.chain_name,
        "path": path,
        "decimals": pair.scale.decimals(),
        "min": text(pair.least),
        "max": text(pair.most),
        "available": Switch::is_on(pair.offered),
        "valid_minutes": pair.valid_minutes,
        "confirmations": pair.confirmations,
        "eta_minutes": pair.eta_minutes,
    }))
}

/// Reais as the wire writes them: `100.00`.
pub(super) fn reais(amount: Amount) -> String {
    format!("{}.{:02}", amount.cents() / 100, amount.cents() % 100)
}

/// A transaction, with the output's number where it has several.
fn transaction(hash: &str) -> Value {
    match hash.rsplit_once('#').map(|(hash, output)| (hash, output.parse::<u16>())) {
        Some((hash, Ok(output))) => json!({ "tx_hash": hash, "output": output }),
        _ => json!({ "tx_hash": hash }),
    }
}

fn pix_fields(pix: &Pix) -> Value {
    json!({
        "e2e": end_to_end(&pix.e2e),
        "paid_at": pix.paid_at.to_string(),
        "receipt_url": pix.receipt_url,
        "receipt_pdf_url": pix.receipt_pdf_url,
        "verify_url": pix.verify_url,
    })
}
