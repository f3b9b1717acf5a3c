//! One payout, asked for out of money that a charge brought.

use ledger_core::id::{OpId, Token};
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{Destination, Intent, Ownership, PayoutRequest};

use super::Small;
use super::ground::{ana, by_client, cents, decided_by, intent};
use super::received::{FUNDED, charge};
use crate::oracle::Oracle;

/// A payout of R$ 50.00 from a subaccount that one deposit funded.
pub(super) const PAYOUT: Small = Small {
    name: "a payout",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Custody, "c-1")),
    more: &[FUNDED[0], |_| pay_out(5_000)],
    alphabet: &[&[
        ("the same again", |_| pay_out(5_000)),
        ("another body", |_| pay_out(5_001)),
        ("taken", |it| intent("taken", PayoutFact::Submitted { payout: first(it) })),
        ("paid", |it| pay_payout(it, "o-1")),
        ("paid twice", |it| pay_payout(it, "o-2")),
        ("refused", |it| intent("refused", PayoutFact::Refused { payout: first(it) })),
        ("unknown", |it| intent("unknown", PayoutFact::Unknown { payout: first(it) })),
        ("found paid", |it| evidence(it, "found-1", Some("o-1"))),
        ("found paid otherwise", |it| evidence(it, "found-2", Some("o-3"))),
        ("found not paid", |it| evidence(it, "found-3", None)),
        ("back in part", |it| back(it, "b-1", 2_000)),
        ("the rest back", |it| back(it, "b-2", 3_000)),
        ("more back than was paid", |it| back(it, "b-3", 5_001)),
        ("stopped", |it| {
            let decided_by = decided_by();
            intent("stopped", PayoutFact::Stopped { payout: first(it), decided_by })
        }),
        ("cleared", |it| {
            let decided_by = decided_by();
            intent("cleared", PayoutFact::Cleared { payout: first(it), decided_by })
        }),
    ]],
};

/// Ana is paid out.
pub(super) fn pay_out(amount: i64) -> Option<Intent> {
    by_client(PayoutRequest {
        customer: ana(),
        external_id: Some("p-1".into()),
        ..PayoutRequest::new(cents(amount), Token([7; 16]), Token([8; 16]), Ownership::Proven)
    })
}

/// The payout the world is about.
pub(super) fn first(oracle: &Oracle) -> Option<OpId> {
    oracle.payouts.keys().next().copied()
}

pub(super) fn pay_payout(oracle: &Oracle, e2e: &str) -> Option<Intent> {
    let amount = Some(cents(5_000));
    intent(e2e, PayoutFact::Paid { payout: first(oracle), e2e: e2e.into(), amount })
}

fn evidence(oracle: &Oracle, id: &str, paid: Option<&str>) -> Option<Intent> {
    let paid = paid.map(Into::into);
    intent(id, PayoutFact::Evidence { payout: first(oracle), paid, decided_by: decided_by() })
}

fn back(oracle: &Oracle, return_id: &str, amount: i64) -> Option<Intent> {
    let (payout, amount) = (first(oracle), cents(amount));
    intent(return_id, PayoutFact::Returned { payout, return_id: return_id.into(), amount })
}
