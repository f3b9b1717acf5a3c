//! Facts by their documented names and shapes.

use ledger_core::contract::{FactShape, key_of};
use ledger_core::ledger::{Fact, GiveUpTo, Income, OperatorDecision, Reported};
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::delivery::{Command, DeliveryReport};
use ledger_core::machine::{erroneous_delivery, hold};
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{Review, Terms};
use ledger_core::time::Instant;
use serde_json::{Map, Value, json};

use super::parts::end_to_end;
use super::{Pen, Unrepresentable, Written, body, line, market, sales, terms};

impl Pen<'_> {
    pub(super) fn fact(&mut self, reported: &Reported, at: Instant) -> Written<Map<String, Value>> {
        let kind = reported.fact.kind();
        let shape = FactShape::of(kind);
        let mut fields = self.fields(&reported.fact, at)?;
        if shape.field("id").is_some() {
            let id =
                reported.id.as_deref().ok_or(Unrepresentable("a fact without an id of its own"))?;
            fields["id"] = id.into();
        }
        let mut named = fields.as_object().into_iter().flatten();
        if let Some((name, _)) = named.find(|(name, _)| shape.field(name).is_none()) {
            return Err(misplaced(&reported.fact, name));
        }
        let mut line = line(json!({ "fact": shape.name, "body": fields }));
        if let Some(key) = key_of(&reported.fact) {
            line.insert("supplied".into(), json!({ "key": self.people.key(key) }));
        }
        Ok(line)
    }

    #[allow(clippy::too_many_lines)] // The table of facts, one arm each.
    fn fields(&mut self, fact: &Fact, at: Instant) -> Written<Value> {
        Ok(match fact {
            Fact::AccountOpened { name, terms, .. } => {
                let published = Terms::published();
                let terms = terms.as_ref().map(|terms| terms::terms(terms, &published));
                body(json!({ "account": name, "terms": terms.transpose()? }))
            }
            Fact::PolicyAdopted(policy) => terms::policy(policy, &self.state.policy)?,
            Fact::TermsAdopted { account, from, terms } => {
                let known = self.state.account_named(account);
                let current = known.map_or_else(Terms::published, |known| {
                    self.state.terms(known, from.unwrap_or(at))
                });
                let mut fields = terms::terms(terms, &current)?;
                fields["account"] = (**account).into();
                if let Some(from) = from {
                    fields["effective_from"] = from.to_string().into();
                }
                fields
            }
            Fact::TreasuryMoved { from, to, .. } if from == to => {
                return Err(Unrepresentable("own money moved to where it was"));
            }
            Fact::TreasuryMoved { from, to, amount } => json!({
                "from": from.account().control().name(),
                "to": to.account().control().name(),
                "amount_cents": amount.cents(),
            }),
            Fact::CoinsMoved { asset, from, to, units } => {
                self.coins(*asset, (*from, *to), *units)?
            }
            Fact::PixReceived { charge: None, payment } => paid(json!({}), payment),
            Fact::PixReceived { charge, payment } | Fact::PixSeen { charge, payment } => {
                paid(json!({ "cashin_id": self.op(*charge) }), payment)
            }
            Fact::PixReturned { charge, return_id, amount } => json!({
                "cashin_id": self.op(*charge),
                "return_id": end_to_end(return_id),
                "amount_cents": amount.cents(),
            }),
            Fact::ProviderReleased { charge, payment } => {
                let fields = json!({ "cashin_id": self.op(*charge) });
                payment.as_ref().map_or_else(|| fields.clone(), |it| paid(fields.clone(), it))
            }
            Fact::ProviderCancelled { charge } | Fact::ProviderSettled { charge } => {
                json!({ "cashin_id": self.op(*charge) })
            }
            Fact::ProviderHeld { charge, until } => body(json!({
                "cashin_id": self.op(*charge), "until": until.map(|until| until.to_string()),
            })),
            Fact::PayoutSubmitted { payout }
            | Fact::PayoutRefused { payout }
            | Fact::PayoutUnknown { payout } => json!({ "payout_id": self.op(*payout) }),
            Fact::PayoutPaid { payout, e2e, amount } => body(json!({
                "payout_id": self.op(*payout),
                "e2e": end_to_end(e2e),
                "amount_cents": amount.map(Amount::cents),
            })),
            Fact::PayoutReturned { payout, return_id, amount } => json!({
                "payout_id": self.op(*payout),
                "return_id": end_to_end(return_id),
                "amount_cents": amount.cents(),
            }),
            Fact::PayoutEvidence { payout, paid, decided_by } => {
                let fields = json!({
                    "payout_id": self.op(*payout),
                    "outcome": if paid.is_some() { "paid" } else { "not_paid" },
                    "e2e": paid.as_deref().map(end_to_end),
                });
                self.judged(fields, decided_by)
            }
            Fact::PayoutStopped { payout, decided_by }
            | Fact::PayoutCleared { payout, decided_by } => {
                let fields = json!({ "payout_id": self.op(*payout) });
                self.judged(fields, decided_by)
            }
            Fact::HoldPlaced { account, customer, cause, kind, amount, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "cashin_id": cause.map(|cause| self.op(Some(cause))),
                    "kind": hold_kind(*kind)?,
                    "amount_cents": amount.cents(),
                });
                self.judged(fields, decided_by)
            }
            Fact::HoldReleased { hold, amount, decided_by } => {
                let amount = amount.map(Amount::cents);
                let fields = json!({ "hold_id": self.op(*hold), "amount_cents": amount });
                self.judged(fields, decided_by)
            }
            Fact::SuspenseAttached { suspense, charge, decided_by } => {
                let fields = json!({
                    "suspense_id": self.op(*suspense), "cashin_id": self.op(*charge),
                });
                self.judged(fields, decided_by)
            }
            Fact::SuspenseReturned { suspense, decided_by } => {
                let fields = json!({ "suspense_id": self.op(*suspense) });
                self.judged(fields, decided_by)
            }
            Fact::FeeAdjusted { account, customer, given, charged, income, decided_by } => {
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "effect_cents": effect(*given, *charged)?,
                    "income": income_name(*income),
                });
                self.judged(fields, decided_by)
            }
            Fact::BalanceWrittenOff { account, customer, amount, decided_by } => {
                proved(decided_by)?;
                let amount = amount.cents();
                let fields =
                    json!({ "account": account, "customer_ref": customer, "amount_cents": amount });
                self.judged(fields, decided_by)
            }
            Fact::CourtOrdered { account, customer, hold, amount, decided_by } => {
                proved(decided_by)?;
                let fields = json!({
                    "account": account,
                    "customer_ref": customer,
                    "hold_id": hold.map(|hold| self.op(Some(hold))),
                    "amount_cents": amount.cents(),
                });
                self.judged(fields, decided_by)
            }
            Fact::CatalogueUpdated { listed, dropped } => market::catalogue(listed, dropped),
            Fact::RateQuoted { asset, quote } => market::rate(asset, quote, at)?,
            Fact::PayerReviewed { payer, review, decided_by } => {
                let finding = match review {
                    Review::Identified => "identified",
                    Review::Blocked => "blocked",
                    Review::Unknown => "unknown",
                };
                let payer = self.people.document(*payer);
                let fields = json!({ "payer_tax_number": payer, "finding": finding });
                self.judged(fields, decided_by)
            }
            Fact::Delivery { op, command, payment } => {
                let fields = self.report(*op, command);
                payment.as_ref().map_or_else(|| fields.clone(), |it| paid(fields.clone(), it))
            }
            Fact::DeliveryEvidence { op, sent, decided_by } => {
                let fields = json!({
                    "cashin_id": self.op(*op),
                    "outcome": if sent.is_some() { "sent" } else { "not_sent" },
                    "tx_hash": sent,
                });
                self.judged(fields, decided_by)
            }
            Fact::DeliveryGivenUp { op, to, decided_by } => {
                let (to, return_id) = match to {
                    GiveUpTo::Payer(id) => ("pagador", Some(end_to_end(id))),
                    GiveUpTo::Custody => ("saldo", None),
                };
                let op = self.op(*op);
                let fields = json!({ "cashin_id": op, "to": to, "return_id": return_id });
                self.judged(fields, decided_by)
            }
            Fact::DeliveryResumed { op, decided_by } => {
                let fields = json!({ "cashin_id": self.op(*op) });
                self.judged(fields, decided_by)
            }
            Fact::ErroneousDeliverySettled { erroneous_delivery, end, decided_by } => {
                let outcome = match end {
                    erroneous_delivery::End::Recovered => "recovered",
                    erroneous_delivery::End::Lost => "lost",
                };
                let fields =
                    json!({ "stray_id": self.op(*erroneous_delivery), "outcome": outcome });
                self.judged(fields, decided_by)
            }
            Fact::KeyReplaced { account, decided_by, .. }
            | Fact::KeyRevoked { account, decided_by } => {
                self.judged(json!({ "account": account }), decided_by)
            }
            Fact::Described { fact, .. } => self.fields(fact, at)?,
            Fact::TimePassed => json!({}),
            Fact::MarketsUpdated { opened, closed } => sales::markets(opened, closed)?,
            Fact::Sale { order, report } => self.sold(*order, report, at)?,
            Fact::Wallet(reported) => self.wallet(reported)?,
            Fact::AgentActivated(newcomer) => self.newcomer(newcomer),
            Fact::AgentSuspended { agent, decided_by }
            | Fact::AgentReinstated { agent, decided_by } => {
                self.judged(json!({ "agent_id": agent }), decided_by)
            }
        })
    }

    fn report(&mut self, op: Option<ledger_core::id::OpId>, command: &Command) -> Value {
        let hash = match &command.report {
            DeliveryReport::Confirm(hash) => Some(hash),
            DeliveryReport::Begin
            | DeliveryReport::Accept
            | DeliveryReport::Fail
            | DeliveryReport::Lose => None,
        };
        body(json!({ "cashin_id": self.op(op), "attempt": command.attempt, "tx_hash": hash }))
    }

    /// Fields with who decided, why, and on what evidence.
    pub(super) fn judged(&mut self, mut fields: Value, decided_by: &OperatorDecision) -> Value {
        fields["actor"] = self.people.text(decided_by.actor).into();
        fields["reason"] = self.people.text(decided_by.reason).into();
        fields["evidence"] = decided_by.evidence.map(|evidence| self.people.text(evidence)).into();
        body(fields)
    }
}

/// Why a fact cannot be written with a field that it does not declare.
fn misplaced(fact: &Fact, name: &str) -> Unrepresentable {
    match fact.bare() {
        Fact::Delivery { .. } | Fact::Sale { .. } => {
            Unrepresentable("news that name a PIX or a receipt where none belongs")
        }
        fact => panic!("{:?} is written with {name}, which it does not declare", fact.kind()),
    }
}

/// Fields with the PIX that paid.
fn paid(mut fields: Value, payment: &PixPayment) -> Value {
    fields["e2e"] = end_to_end(&payment.e2e).into();
    fields["amount_cents"] = payment.amount.cents().into();
    fields["paid_at"] = payment.paid_at.to_string().into();
    fields
}

fn hold_kind(kind: hold::Kind) -> Written<&'static str> {
    match kind {
        hold::Kind::Dispute => Ok("dispute"),
        hold::Kind::Precautionary => Ok("precautionary"),
        hold::Kind::Judicial => Ok("judicial"),
        hold::Kind::Administrative => Ok("administrative"),
        hold::Kind::Maturity => Err(Unrepresentable("a block of the kind that only time places")),
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

pub(super) fn proved(decided_by: &OperatorDecision) -> Written<()> {
    decided_by.evidence.map(|_| ()).ok_or(Unrepresentable("a decision whose evidence is missing"))
}
