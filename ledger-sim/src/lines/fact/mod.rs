//! Facts by their documented names and shapes.

mod account;
mod closing;
mod product;
mod purchase;
mod recovery;

use ledger_core::contract::{FactShape, key_of};
use ledger_core::ledger::adjustment::Fact as AdjustmentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::purchase::Fact as PurchaseFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::treasury::Fact as TreasuryFact;
use ledger_core::ledger::{Fact, FactDetails, Income, OperatorDecision, Reported};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::hold;
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::Review;
use ledger_core::time::Instant;
use serde_json::{Map, Value, json};

use self::product::holder;
use super::end_to_end;
use super::{LineWriter, Unrepresentable, Written, body, line};

impl LineWriter<'_> {
    pub(in crate::lines) fn fact(
        &mut self,
        reported: &Reported,
        at: Instant,
    ) -> Written<Map<String, Value>> {
        let kind = reported.fact.kind();
        let shape = FactShape::by_kind(kind);
        let mut fields = self.fields(&reported.fact, at)?;
        if shape.field("id").is_some() {
            let id =
                reported.id.as_deref().ok_or(Unrepresentable("a fact without an id of its own"))?;
            fields["id"] = id.into();
        }
        let mut named = fields.as_object().into_iter().flatten();
        if let Some((name, _)) = named.find(|(name, _)| shape.field(name).is_none()) {
            return Err(misplaced_field(&reported.fact, name));
        }
        let mut line = line(json!({ "fact": shape.name, "body": fields }));
        if let Some(key) = key_of(&reported.fact) {
            line.insert("supplied".into(), json!({ "key": self.people.key(key) }));
        }
        Ok(line)
    }

    fn fields(&mut self, fact: &Fact, at: Instant) -> Written<Value> {
        Ok(match fact {
            Fact::Account(fact) => self.account_fact(fact, at)?,
            Fact::Charge(fact) => self.charge_fact(fact),
            Fact::Payout(fact) => self.payout_fact(fact),
            Fact::Hold(fact) => self.hold_fact(fact)?,
            Fact::Suspense(fact) => self.suspense_fact(fact)?,
            Fact::Adjustment(fact) => self.adjustment_fact(fact)?,
            Fact::Purchase(fact) => self.purchase_fact(fact, at)?,
            Fact::Treasury(fact) => self.treasury_fact(fact)?,
            Fact::Product(fact) => self.product_fact(fact),
            Fact::Sale { order, report } => self.sale_fields(*order, report, at)?,
            Fact::Agent(fact) => self.agent_fact(fact),
            Fact::Wallet(fact) => self.wallet(fact)?,
            Fact::Cell(fact) => self.cell_fact(fact),
            Fact::Closing(fact) => self.closing_fact(fact)?,
            Fact::Recovery(fact) => self.recovery_fact(fact),
            Fact::Described { fact, beside } => {
                let mut fields = self.fields(fact, at)?;
                if let FactDetails::Metadata(metadata) = beside {
                    fields["metadata"] = self.people.metadata(*metadata);
                }
                fields
            }
            Fact::HandedOut(key) => {
                let operation = self.op(key.map(|key| key.op));
                let key = key.map_or_else(String::new, |key| key.text(&"live".into()));
                let task = key.split_once(':').map_or("send", |(_, task)| task);
                json!({ "idempotency_key": format!("{operation}:{task}"), "operation": operation })
            }
            Fact::TimePassed => json!({}),
        })
    }

    /// Fields with who decided, why, and on what evidence.
    pub(in crate::lines) fn with_decision(
        &mut self,
        mut fields: Value,
        decided_by: &OperatorDecision,
    ) -> Value {
        fields["actor"] = self.people.text(decided_by.actor).into();
        fields["reason"] = self.people.text(decided_by.reason).into();
        fields["evidence"] = decided_by.evidence.map(|evidence| self.people.text(evidence)).into();
        body(fields)
    }
}

/// Why a fact cannot be written with a field that it does not declare.
fn misplaced_field(fact: &Fact, name: &str) -> Unrepresentable {
    match fact.bare() {
        Fact::Purchase(PurchaseFact::Delivery { .. }) | Fact::Sale { .. } => {
            Unrepresentable("news that name a PIX or a receipt where none belongs")
        }
        fact => panic!("{:?} is written with {name}, which it does not declare", fact.kind()),
    }
}

/// Fields with the PIX that paid.
fn with_payment(mut fields: Value, payment: &PixPayment) -> Value {
    fields["e2e"] = end_to_end(&payment.e2e).into();
    fields["amount_cents"] = payment.amount.cents().into();
    fields["paid_at"] = payment.paid_at.to_string().into();
    fields
}

pub(in crate::lines) fn ensure_evidence(decided_by: &OperatorDecision) -> Written<()> {
    decided_by.evidence.map(|_| ()).ok_or(Unrepresentable("a decision whose evidence is missing"))
}

/// Facts of one domain each.
impl LineWriter<'_> {
    fn charge_fact(&mut self, fact: &ChargeFact) -> Value {
        match fact {
            ChargeFact::PixReceived { charge: None, payment } => with_payment(json!({}), payment),
            ChargeFact::PixReceived { charge, payment }
            | ChargeFact::PixSeen { charge, payment } => {
                with_payment(json!({ "cashin_id": self.op(*charge) }), payment)
            }
            ChargeFact::PixReturned { charge, return_id, amount } => json!({
                "cashin_id": self.op(*charge),
                "return_id": end_to_end(return_id),
                "amount_cents": amount.cents(),
            }),
            ChargeFact::ProviderReleased { charge, payment } => {
                let fields = json!({ "cashin_id": self.op(*charge) });
                payment
                    .as_ref()
                    .map_or_else(|| fields.clone(), |it| with_payment(fields.clone(), it))
            }
            ChargeFact::ProviderCancelled { charge } | ChargeFact::ProviderSettled { charge } => {
                json!({ "cashin_id": self.op(*charge) })
            }
            ChargeFact::ProviderHeld { charge, until } => body(json!({
                "cashin_id": self.op(*charge), "until": until.map(|until| until.to_string()),
            })),
            ChargeFact::PayerReviewed { payer, review, decided_by } => {
                let finding = match review {
                    Review::Identified => "identified",
                    Review::Blocked => "blocked",
                    Review::Unknown => "unknown",
                };
                let payer = self.people.document(*payer);
                let fields = json!({ "payer_tax_number": payer, "finding": finding });
                self.with_decision(fields, decided_by)
            }
        }
    }

    fn payout_fact(&mut self, fact: &PayoutFact) -> Value {
        match fact {
            PayoutFact::Submitted { payout }
            | PayoutFact::Refused { payout }
            | PayoutFact::Unknown { payout } => {
                json!({ "payout_id": self.op(*payout) })
            }
            PayoutFact::Paid { payout, e2e, amount } => body(json!({
                "payout_id": self.op(*payout),
                "e2e": end_to_end(e2e),
                "amount_cents": amount.map(Amount::cents),
            })),
            PayoutFact::Returned { payout, return_id, amount } => json!({
                "payout_id": self.op(*payout),
                "return_id": end_to_end(return_id),
                "amount_cents": amount.cents(),
            }),
            PayoutFact::Evidence { payout, paid, decided_by } => {
                let fields = json!({
                    "payout_id": self.op(*payout),
                    "outcome": if paid.is_some() { "paid" } else { "not_paid" },
                    "e2e": paid.as_deref().map(end_to_end),
                });
                self.with_decision(fields, decided_by)
            }
            PayoutFact::Stopped { payout, decided_by }
            | PayoutFact::Cleared { payout, decided_by } => {
                let fields = json!({ "payout_id": self.op(*payout) });
                self.with_decision(fields, decided_by)
            }
        }
    }

    fn hold_fact(&mut self, fact: &HoldFact) -> Written<Value> {
        Ok(match fact {
            HoldFact::Placed { account, customer, cause, kind, amount, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "cashin_id": cause.map(|cause| self.op(Some(cause))),
                    "kind": hold_kind(*kind)?,
                    "amount_cents": amount.cents(),
                });
                self.with_decision(fields, decided_by)
            }
            HoldFact::Released { hold, amount, decided_by } => {
                let amount = amount.map(Amount::cents);
                let fields = json!({ "hold_id": self.op(*hold), "amount_cents": amount });
                self.with_decision(fields, decided_by)
            }
            HoldFact::Reserved { account, customer, amount, ends_at, label, note, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "amount_cents": amount.cents(),
                    "expires_at": ends_at.map(|at| at.to_string()),
                    "kind": label,
                    "description": note.map(|note| self.people.text(note)),
                });
                self.with_decision(fields, decided_by)
            }
            HoldFact::Captured { hold, amount, to, last, note, decided_by } => {
                let fields = json!({
                    "hold_id": self.op(*hold),
                    "amount_cents": amount.cents(),
                    "to": { "name": to.account, "of": to.holder.as_ref().map(holder) },
                    "final": last.is_on(),
                    "description": note.map(|note| self.people.text(note)),
                });
                self.with_decision(fields, decided_by)
            }
        })
    }

    fn suspense_fact(&mut self, fact: &SuspenseFact) -> Written<Value> {
        Ok(match fact {
            SuspenseFact::Attached { suspense, charge, decided_by } => {
                let fields = json!({
                    "suspense_id": self.op(*suspense), "cashin_id": self.op(*charge),
                });
                self.with_decision(fields, decided_by)
            }
            SuspenseFact::Returned { suspense, return_id, decided_by } => {
                let return_id = return_id.as_deref().map(end_to_end);
                let fields = json!({ "suspense_id": self.op(*suspense), "return_id": return_id });
                self.with_decision(fields, decided_by)
            }
            SuspenseFact::CourtOrdered { account, customer, hold, amount, decided_by } => {
                ensure_evidence(decided_by)?;
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "hold_id": hold.map(|hold| self.op(Some(hold))),
                    "amount_cents": amount.cents(),
                });
                self.with_decision(fields, decided_by)
            }
        })
    }

    fn adjustment_fact(&mut self, fact: &AdjustmentFact) -> Written<Value> {
        Ok(match fact {
            AdjustmentFact::FeeAdjusted {
                account,
                customer,
                given,
                charged,
                income,
                decided_by,
            } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "effect_cents": effect(*given, *charged)?,
                    "income": income_name(*income),
                });
                self.with_decision(fields, decided_by)
            }
            AdjustmentFact::BalanceWrittenOff { account, customer, amount, decided_by } => {
                ensure_evidence(decided_by)?;
                let amount = amount.cents();
                let fields =
                    json!({ "account": account, "customer_ref": customer, "amount_cents": amount });
                self.with_decision(fields, decided_by)
            }
        })
    }

    fn treasury_fact(&mut self, fact: &TreasuryFact) -> Written<Value> {
        Ok(match fact {
            TreasuryFact::Moved { from, to, .. } if from == to => {
                return Err(Unrepresentable("own money moved to where it was"));
            }
            TreasuryFact::Moved { from, to, amount } => json!({
                "from": from.account().control().name(),
                "to": to.account().control().name(),
                "amount_cents": amount.cents(),
            }),
            TreasuryFact::CoinsMoved { asset, from, to, units } => {
                self.coins(*asset, (*from, *to), *units)?
            }
        })
    }
}

fn hold_kind(kind: hold::Kind) -> Written<&'static str> {
    match kind {
        hold::Kind::Dispute => Ok("dispute"),
        hold::Kind::Precautionary => Ok("precautionary"),
        hold::Kind::Judicial => Ok("judicial"),
        hold::Kind::Administrative => Ok("administrative"),
        hold::Kind::Maturity => Err(Unrepresentable("a block of the kind that only time places")),
        hold::Kind::Reservation => {
            Err(Unrepresentable("a block of the kind that services reserve"))
        }
    }
}

const fn income_name(income: Income) -> &'static str {
    match income {
        Income::Deposit => "deposit",
        Income::Payout => "payout",
        Income::Purchase => "purchase",
        Income::Conversion => "conversion",
    }
}

fn effect(given: Cents, charged: Cents) -> Written<i64> {
    match (given.cents(), charged.cents()) {
        (0, 0) => Err(Unrepresentable("a correction of nothing")),
        (given, 0) => Ok(given),
        (0, charged) => Ok(-charged),
        _ => Err(Unrepresentable("a correction in both directions")),
    }
}
