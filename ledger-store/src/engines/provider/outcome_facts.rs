//! The facts that tell what came of an order.
//!
//! ```text
//! order               handed out Accepted   Done             Failed       Refused         Unknown
//! payout.*                       submitted  paid             (again)      refused         unknown
//! cashout.*                                 paid             send_failed  pix_impossible  unknown
//! delivery.*          started    accepted   sent             failed       failed          unknown
//! sale.*              started               filled, ...      (again)      failed          unknown
//! refund.*                                  sent             failed       failed          unknown
//! wallet.withdrawal.* started               funded .. sent   (again)      unknown         unknown
//! wallet.payment.*                          started .. paid  (again)      failed          unknown
//! ```
//!
//! That it is handed out is recorded before it is carried out (`Engine::hand_out`); what stands in
//! that column is the fact that says so. The facts of an order have ids made of the instruction's
//! id, so one that is told again is known.

use serde_json::{Value, json};

use super::order::{
    CryptoAmount, Delivery, Order, PixPurpose, Refund, Sale, SendPix, Task, WalletPayment,
    WalletWithdrawal,
};
use super::outcome::{Outcome, PaidFromWallet, PixPaid, Sold, Transaction, Withdrawn};
use super::report::Report;

/// What is done about an order after its outcome.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    /// These facts are told, and the order is over.
    Tell(Vec<Report>),
    /// These facts are told, and the operation waits a while: another order may follow at once.
    TellAndWait(Vec<Report>),
    /// It is asked again after a while.
    Again,
}

/// What an order's outcome comes to, by its kind.
pub(super) trait Errand: Sized {
    /// What shows that it was done.
    type Proof;

    /// Returns what is told of its outcome.
    fn next_reports(order: &Order<Self>, outcome: Outcome<Self::Proof>) -> Next;
}

impl<T> Order<T> {
    /// A fact about the order, which has an id of its own.
    fn fact(&self, name: &'static str, mut body: Value) -> Report {
        body["id"] = format!("{}:{name}", self.id).into();
        self.report(name, body)
    }

    /// A fact about the order that the world gives an id.
    fn report(&self, name: &'static str, mut body: Value) -> Report {
        body[self.field] = self.operation.as_str().into();
        Report::new(name, body)
    }

    fn one(&self, name: &'static str) -> Next {
        Next::Tell(vec![self.fact(name, json!({}))])
    }
}

impl Errand for SendPix {
    type Proof = PixPaid;

    fn next_reports(order: &Order<Self>, outcome: Outcome<PixPaid>) -> Next {
        let paid = |name, pix: PixPaid| Next::Tell(vec![order.report(name, pix_body(pix))]);
        match (order.what.purpose, outcome) {
            (_, Outcome::Reported) | (PixPurpose::Sale, Outcome::Accepted) => Next::Tell(vec![]),
            (_, Outcome::NotNow) | (PixPurpose::Payout, Outcome::Failed) => Next::Again,
            (PixPurpose::Payout, Outcome::Accepted) => order.one("payout.submitted"),
            (PixPurpose::Payout, Outcome::Done(pix)) => paid("payout.paid", pix),
            (PixPurpose::Payout, Outcome::Refused) => order.one("payout.refused"),
            (PixPurpose::Payout, Outcome::Unknown) => order.one("payout.unknown"),
            (PixPurpose::Sale, Outcome::Done(pix)) => paid("cashout.paid", pix),
            (PixPurpose::Sale, Outcome::Failed) => order.one("cashout.send_failed"),
            (PixPurpose::Sale, Outcome::Refused) => order.one("cashout.pix_impossible"),
            (PixPurpose::Sale, Outcome::Unknown) => order.one("cashout.unknown"),
        }
    }
}

impl Errand for Delivery {
    type Proof = Transaction;

    fn next_reports(order: &Order<Self>, outcome: Outcome<Transaction>) -> Next {
        let report = |name| order.fact(name, json!({ "attempt": order.attempt }));
        match outcome {
            Outcome::Done(sent) => {
                let body = json!({ "attempt": order.attempt, "tx_hash": sent.hash });
                Next::Tell(vec![order.fact("delivery.sent", body)])
            }
            Outcome::Accepted => Next::Tell(vec![report("delivery.accepted")]),
            Outcome::Failed | Outcome::Refused => {
                Next::TellAndWait(vec![report("delivery.failed")])
            }
            Outcome::Unknown => Next::Tell(vec![report("delivery.unknown")]),
            Outcome::NotNow => Next::Again,
            Outcome::Reported => Next::Tell(vec![]),
        }
    }
}

impl Errand for Sale {
    type Proof = Sold;

    fn next_reports(order: &Order<Self>, outcome: Outcome<Sold>) -> Next {
        let filled = |body| order.fact("sale.filled", body);
        match outcome {
            Outcome::Done(Sold::Crypto(CryptoAmount { asset, network, amount })) => {
                let body = json!({ "asset": asset, "network": network, "amount": amount });
                Next::Tell(vec![filled(body), order.fact("payment.started", json!({}))])
            }
            Outcome::Done(Sold::Reais { amount_cents, arrived_cents }) => {
                let mut reports = vec![filled(json!({ "amount_cents": amount_cents }))];
                if let Some(arrived) = arrived_cents {
                    reports.push(order.fact("sale.forwarding", json!({})));
                    let body = json!({ "amount_cents": arrived });
                    reports.push(order.fact("sale.forwarded", body));
                }
                Next::Tell(reports)
            }
            Outcome::Refused => order.one("sale.failed"),
            Outcome::Unknown => order.one("sale.unknown"),
            Outcome::Accepted | Outcome::Reported => Next::Tell(vec![]),
            Outcome::Failed | Outcome::NotNow => Next::Again,
        }
    }
}

impl Errand for Refund {
    type Proof = Transaction;

    fn next_reports(order: &Order<Self>, outcome: Outcome<Transaction>) -> Next {
        match outcome {
            Outcome::Done(sent) => {
                Next::Tell(vec![order.fact("refund.sent", json!({ "tx_hash": sent.hash }))])
            }
            Outcome::Failed | Outcome::Refused => {
                let body = json!({ "attempt": order.attempt });
                Next::TellAndWait(vec![order.fact("refund.failed", body)])
            }
            Outcome::Unknown => order.one("refund.unknown"),
            Outcome::Accepted | Outcome::Reported => Next::Tell(vec![]),
            Outcome::NotNow => Next::Again,
        }
    }
}

impl Errand for WalletWithdrawal {
    type Proof = Withdrawn;

    fn next_reports(order: &Order<Self>, outcome: Outcome<Withdrawn>) -> Next {
        match outcome {
            Outcome::Done(Withdrawn { obtained, transaction, received }) => {
                let mut reports = vec![order.fact("wallet.withdrawal.funded", json!({}))];
                if let Some(obtained) = obtained {
                    let body = json!({ "obtained": obtained });
                    reports.push(order.fact("wallet.withdrawal.converted", body));
                }
                let body = json!({ "tx_hash": transaction.hash, "received": received });
                reports.push(order.fact("wallet.withdrawal.sent", body));
                Next::Tell(reports)
            }
            // The ledger is told by a person, with proof, that nothing left.
            Outcome::Refused | Outcome::Unknown => order.one("wallet.withdrawal.unknown"),
            Outcome::Accepted | Outcome::Reported => Next::Tell(vec![]),
            Outcome::Failed | Outcome::NotNow => Next::Again,
        }
    }
}

impl Errand for WalletPayment {
    type Proof = PaidFromWallet;

    fn next_reports(order: &Order<Self>, outcome: Outcome<PaidFromWallet>) -> Next {
        match outcome {
            Outcome::Done(PaidFromWallet { address, transaction, pix }) => {
                let step = |step: &str, mut body: Value| {
                    body["step"] = step.into();
                    body["id"] = format!("{}:{step}", order.id).into();
                    order.report("wallet.payment.started", body)
                };
                let sent = json!({ "tx_hash": transaction.hash });
                Next::Tell(vec![
                    step("accepted", json!({ "address": address })),
                    step("started", json!({})),
                    order.fact("wallet.payment.sent", sent),
                    order.fact("wallet.payment.confirmed", json!({})),
                    order.report("wallet.payment.paid", pix_body(pix)),
                ])
            }
            Outcome::Refused => order.one("wallet.payment.failed"),
            Outcome::Unknown => order.one("wallet.payment.unknown"),
            Outcome::Accepted | Outcome::Reported => Next::Tell(vec![]),
            Outcome::Failed | Outcome::NotNow => Next::Again,
        }
    }
}

impl Task {
    /// Returns what is told of the order where nobody knows what came of it.
    pub(super) fn next_if_unknown(&self) -> Next {
        match self {
            Self::SendPix(order) => SendPix::next_reports(order, Outcome::Unknown),
            Self::Deliver(order) => Delivery::next_reports(order, Outcome::Unknown),
            Self::Sell(order) => Sale::next_reports(order, Outcome::Unknown),
            Self::Refund(order) => Refund::next_reports(order, Outcome::Unknown),
            Self::Withdraw(order) => WalletWithdrawal::next_reports(order, Outcome::Unknown),
            Self::Pay(order) => WalletPayment::next_reports(order, Outcome::Unknown),
        }
    }
}

/// A PIX that was paid, as facts tell it.
fn pix_body(pix: PixPaid) -> Value {
    let PixPaid { e2e, receipt_url, recipient_name, institution, settled_by } = pix;
    let mut body = json!({ "e2e": e2e });
    let beside = [
        ("receipt_url", receipt_url),
        ("recipient_name", recipient_name),
        ("institution", institution),
        ("settled_by", settled_by),
    ];
    for (name, value) in beside {
        if let Some(value) = value {
            body[name] = value.into();
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use ledger_core::contract::{FactShape, Need};
    use ledger_core::id::{Kind, OpId, Seq};
    use ledger_core::money::Amount;

    use super::*;

    fn order<T>(kind: Kind, what: T) -> Order<T> {
        let op = OpId::new(kind, Seq(12));
        Order {
            idempotency_key: format!("{}:key", op.text(&"live".into())),
            operation: op.text(&"live".into()),
            id: "in_12_0_0123456789abcdef".to_owned(),
            seq: 12,
            attempt: 2,
            what,
            field: op.field(),
        }
    }

    fn coins() -> CryptoAmount {
        let text = |text: &str| text.to_owned();
        CryptoAmount { asset: text("usdt"), network: text("polygon"), amount: text("19.4") }
    }

    fn pix() -> PixPaid {
        PixPaid { receipt_url: Some("https://banco.example/1".to_owned()), ..PixPaid::new("E9") }
    }

    /// The facts that an order tells, whatever its outcome; each is one that the ledger reads.
    fn facts_of<T: Errand>(order: &Order<T>, done: impl IntoIterator<Item = T::Proof>) -> String {
        let mut outcomes: Vec<Outcome<T::Proof>> = done.into_iter().map(Outcome::Done).collect();
        outcomes.extend([Outcome::Accepted, Outcome::Failed, Outcome::Refused, Outcome::Unknown]);
        outcomes.extend([Outcome::NotNow, Outcome::Reported]);
        let (mut lines, mut all) = (Vec::new(), Vec::new());
        for outcome in outcomes {
            let (reports, end) = match T::next_reports(order, outcome) {
                Next::Tell(reports) => (reports, ""),
                Next::TellAndWait(reports) => (reports, " waits"),
                Next::Again => (vec![], "again"),
            };
            let names: Vec<&str> = reports.iter().map(|report| &*report.fact).collect();
            lines.push(names.join(" ") + end);
            // What is told of one order is told apart: no fact makes another known.
            let ids = reports.iter().filter_map(|report| report.body.get("id"));
            let ids: Vec<&Value> = ids.collect();
            assert!(ids.iter().all(|id| ids.iter().filter(|it| it == &id).count() == 1), "{ids:?}");
            all.extend(reports);
        }
        for Report { fact, body, .. } in all {
            let shape = FactShape::by_name(&fact).expect("the ledger knows it");
            let body = body.as_object().expect("it has fields");
            for field in body.keys() {
                assert!(shape.field(field).is_some(), "{fact} has no {field}");
            }
            for field in shape.fields.iter().filter(|field| field.need == Need::Required) {
                assert!(body.contains_key(field.name), "{fact} lacks {}", field.name);
            }
        }
        lines.join("\n")
    }

    fn send(purpose: PixPurpose) -> SendPix {
        let (amount, pix_key) = (Amount::CENTAVO, Some("a@b.com.br".to_owned()));
        let (document, owner_proven) = (None, None);
        SendPix { amount, pix_key, br_code: None, document, owner_proven, purpose }
    }

    #[test]
    fn a_pix_is_told_by_the_facts_of_what_it_is_sent_for() {
        let payout = facts_of(&order(Kind::Payout, send(PixPurpose::Payout)), [pix()]);
        let facts = "payout.paid\npayout.submitted\nagain\npayout.refused\npayout.unknown\nagain\n";
        assert_eq!(payout, facts);
        let sale = facts_of(&order(Kind::CashOut, send(PixPurpose::Sale)), [pix()]);
        let facts = "cashout.paid\n\ncashout.send_failed\ncashout.pix_impossible\n\
                     cashout.unknown\nagain\n";
        assert_eq!(sale, facts);
    }

    #[test]
    fn a_delivery_and_a_refund_that_fail_wait_before_the_next_attempt() {
        let text = |text: &str| text.to_owned();
        let (asset, network, address) = (text("usdt"), text("tron"), text("T"));
        let what = Delivery { amount: None, asset, network, address, tag: None };
        let sent = || Transaction { hash: "0x1".to_owned() };
        assert_eq!(
            facts_of(&order(Kind::Charge, what), [sent()]),
            "delivery.sent\ndelivery.accepted\ndelivery.failed waits\n\
             delivery.failed waits\ndelivery.unknown\nagain\n"
        );
        for kind in [Kind::CashOut, Kind::UnmatchedDeposit] {
            let what = Refund { coins: coins(), address: text("0x5a") };
            assert_eq!(
                facts_of(&order(kind, what), [sent()]),
                "refund.sent\n\nrefund.failed waits\nrefund.failed waits\nrefund.unknown\n\
                 again\n"
            );
        }
    }

    #[test]
    fn a_sale_is_told_by_what_it_gave_and_its_payment_begins() {
        let proofs = || {
            let reais = |arrived_cents| Sold::Reais { amount_cents: 10_490, arrived_cents };
            [Sold::Crypto(coins()), reais(None), reais(Some(10_490))]
        };
        assert_eq!(
            facts_of(&order(Kind::CashOut, Sale { coins: coins() }), proofs()),
            "sale.filled payment.started\nsale.filled\n\
             sale.filled sale.forwarding sale.forwarded\n\nagain\nsale.failed\nsale.unknown\n\
             again\n"
        );
    }

    #[test]
    fn what_a_wallet_spends_is_told_step_by_step() {
        let text = |text: &str| text.to_owned();
        let what = WalletWithdrawal {
            asset: text("USDC"),
            network: text("polygon"),
            address: text("0x5a"),
            amount: text("20"),
            estimated: text("19.9"),
            minimum: text("19.8"),
        };
        let transaction = || Transaction { hash: text("0xe1") };
        let withdrawn =
            |obtained| Withdrawn { obtained, transaction: transaction(), received: text("19.9") };
        assert_eq!(
            facts_of(
                &order(Kind::CryptoWithdrawal, what),
                [withdrawn(None), withdrawn(Some(text("20")))]
            ),
            "wallet.withdrawal.funded wallet.withdrawal.sent\n\
             wallet.withdrawal.funded wallet.withdrawal.converted wallet.withdrawal.sent\n\nagain\n\
             wallet.withdrawal.unknown\nwallet.withdrawal.unknown\nagain\n"
        );
        let (pix_key, reserved) = (Some(text("a@b.com.br")), text("10"));
        let what = WalletPayment { amount: Amount::CENTAVO, pix_key, document: None, reserved };
        let paid = PaidFromWallet { address: text("0x5a"), transaction: transaction(), pix: pix() };
        assert_eq!(
            facts_of(&order(Kind::WalletPayment, what), [paid]),
            "wallet.payment.started wallet.payment.started wallet.payment.sent \
             wallet.payment.confirmed wallet.payment.paid\n\nagain\nwallet.payment.failed\n\
             wallet.payment.unknown\nagain\n"
        );
    }
}
