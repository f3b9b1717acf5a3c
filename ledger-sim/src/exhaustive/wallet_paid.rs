//! One PIX paid from a USDT wallet, with what funds it and what may be found of it.

use ledger_core::id::{OpId, Token};
use ledger_core::ledger::wallet::{
    Fact as WalletFact, PaymentFinding, PaymentRequest, Request as WalletRequest, Step,
};
use ledger_core::ledger::{Fact, Intent, SaleReport};
use ledger_core::machine::cash_out::{AmountBasis, KeyOwner, Payee, Pix};
use ledger_core::machine::wallet::payment::{Adjudication, FailureReason, Finding};
use ledger_core::terms::Switch;

use super::ground::{by_client, cents, decided_by, intent};
use super::wallet_deposits::{
    await_deposit, confirm_deposit, see_deposit, submit, units, wanted_units,
};
use super::{Say, Small};
use crate::oracle::Oracle;

/// A payment to a key, its reserve just taken from what one deposit brought.
pub(super) const RESERVED: Small = Small {
    name: "a payment from a wallet",
    begins: super::ground::beginning,
    opening: |_| await_deposit(),
    more: &[
        |it| see_deposit(it, "0x1", wanted_units(it)?),
        |it| confirm_deposit(it, "k-1", "0x1"),
        |_| pay("p-1", 2_000),
    ],
    alphabet: &[STEPS, FOUND],
};

/// The same, when its coins are under way.
pub(super) const SENT: Small = Small {
    name: "a payment from a wallet, sent",
    begins: super::ground::beginning,
    opening: |_| await_deposit(),
    more: &[
        |it| see_deposit(it, "0x1", wanted_units(it)?),
        |it| confirm_deposit(it, "k-1", "0x1"),
        |_| pay("p-1", 2_000),
        |it| move_payment(it, "s-1", Step::Order),
        |it| move_payment(it, "s-2", Step::Accept("addr-1".into())),
        |it| move_payment(it, "s-3", Step::Begin),
        |it| move_payment(it, "s-4", Step::Send("0xa".into(), None)),
    ],
    alphabet: &[STEPS, FOUND],
};

/// How it moves.
const STEPS: &[(&str, Say)] = &[
    ("the same again", |_| pay("p-1", 2_000)),
    ("the same name for more", |_| pay("p-1", 2_100)),
    ("ordered", |it| move_payment(it, "n-1", Step::Order)),
    ("accepted", |it| move_payment(it, "n-2", Step::Accept("addr-2".into()))),
    ("begun", |it| move_payment(it, "n-3", Step::Begin)),
    ("sent", |it| move_payment(it, "n-4", Step::Send("0xa".into(), None))),
    ("sent, and too little", |it| {
        move_payment(it, "n-5", Step::Send("0xc".into(), Some(units(1_000))))
    }),
    ("sent twice", |it| move_payment(it, "n-6", Step::Send("0xb".into(), None))),
    ("confirmed", |it| move_payment(it, "n-7", Step::Confirm)),
    ("paid", |it| move_payment(it, "n-8", Step::Pay(pix(it, "E1")))),
    ("paid by another", |it| move_payment(it, "n-9", Step::Pay(pix(it, "E2")))),
    ("failed", |it| move_payment(it, "n-10", Step::Fail(FailureReason::Provider))),
    ("lost from sight", |it| move_payment(it, "n-11", Step::Lose)),
    ("its order paid", |it| {
        let (order, ..) = it.payments.get(&first(it)?)?.order?;
        let report = SaleReport::Paid { pix: pix(it, "E1"), amount: None };
        intent("n-12", Fact::Sale { order: Some(order), report })
    }),
];

/// What a person finds, or decides.
const FOUND: &[(&str, Say)] = &[
    ("found sent", |it| evidence(it, "f-1", Finding::Sent("0xa".into()))),
    ("found paid", |it| evidence(it, "f-2", Finding::Paid(pix(it, "E1")))),
    ("found failed", |it| evidence(it, "f-3", Finding::Failed)),
    ("given back", |it| decide_reserve(it, "f-4", Adjudication::Return(Switch::Off))),
    ("given back, and the coins are lost", |it| {
        decide_reserve(it, "f-5", Adjudication::Return(Switch::On))
    }),
    ("taken as paid", |it| decide_reserve(it, "f-6", Adjudication::Paid(pix(it, "E1")))),
    ("taken as lost", |it| decide_reserve(it, "f-7", Adjudication::Lost)),
];

fn pay(external_id: &str, amount: i64) -> Option<Intent> {
    let (net, key) = (cents(amount), Token([100; 16]));
    let payee = Payee {
        pix_key: Some(key),
        merchant: None,
        tax_number: None,
        counted_as: key,
        key_type: None,
        owner: Some(KeyOwner::Unproven),
    };
    let request = PaymentRequest {
        asked: AmountBasis::Net(net),
        net: Some(net),
        payee,
        quote: None,
        external_id: Some(external_id.into()),
    };
    by_client(WalletRequest::Payment(Box::new(request)))
}

fn first(oracle: &Oracle) -> Option<OpId> {
    oracle.payments.keys().next().copied()
}

fn pix(oracle: &Oracle, e2e: &str) -> Pix {
    let (receipt_url, receipt_pdf_url, verify_url) = (None, None, None);
    Pix { e2e: e2e.into(), paid_at: oracle.now, receipt_url, receipt_pdf_url, verify_url }
}

fn move_payment(oracle: &Oracle, id: &str, step: Step) -> Option<Intent> {
    submit(id, WalletFact::Payment { payment: Some(first(oracle)?), step })
}

fn evidence(oracle: &Oracle, id: &str, finding: Finding) -> Option<Intent> {
    resolve_payment(oracle, id, PaymentFinding::Found(finding))
}

fn decide_reserve(oracle: &Oracle, id: &str, decision: Adjudication) -> Option<Intent> {
    resolve_payment(oracle, id, PaymentFinding::Decided(decision))
}

fn resolve_payment(oracle: &Oracle, id: &str, finding: PaymentFinding) -> Option<Intent> {
    let (payment, decided_by) = (Some(first(oracle)?), decided_by());
    submit(id, WalletFact::PaymentResolved { payment, finding, decided_by })
}
