//! One block on money that moves, and one transfer.

use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::hold::Fact as HoldFact;
use ledger_core::ledger::suspense::Fact as SuspenseFact;
use ledger_core::ledger::{Destination, Intent, TransferRequest};
use ledger_core::machine::hold;

use super::Small;
use super::ground::{ana, by_client, cents, decided_by, intent};
use super::received::{FUNDED, back, charge, first, pay_charge, spend};
use crate::oracle::Oracle;

/// A block of R$ 60.00 on a subaccount that one deposit funded.
pub(super) const HOLD: Small = Small {
    name: "a block",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Custody, "c-1")),
    more: &[FUNDED[0], |it| place(it, "h-1", hold::Kind::Dispute, 6_000)],
    alphabet: &[&[
        ("the same block again", |it| place(it, "h-1", hold::Kind::Dispute, 6_000)),
        ("a second block", |it| place(it, "h-2", hold::Kind::Judicial, 8_000)),
        ("a precaution", |it| place(it, "h-3", hold::Kind::Precautionary, 500)),
        ("a part let go", |it| let_go(it, "g-1", Some(1_000))),
        ("let go", |it| let_go(it, "g-2", None)),
        ("more let go than is held", |it| let_go(it, "g-3", Some(9_000))),
        ("spent", |_| spend(3_000, "t-1")),
        ("spent to the last", |_| spend(600, "t-2")),
        ("returned in part", |it| back(it, "d-1", 2_000)),
        ("the rest returned", |it| back(it, "d-2", 8_000)),
        ("a court takes the blocked", |it| court(it, "j-1", true)),
        ("a court takes from the balance", |it| court(it, "j-2", false)),
        ("another deposit", |_| by_client(charge(7_000, Destination::Custody, "c-2"))),
        ("it is paid", |it| {
            let charge = it.charges.keys().nth(1).copied()?;
            let payment = super::ground::pix(it, "e-2", 7_000);
            intent("e-2", ChargeFact::PixReceived { charge: Some(charge), payment })
        }),
    ]],
};

/// A transfer of R$ 30.00 between subaccounts of one account.
pub(super) const TRANSFER: Small = Small {
    name: "a transfer",
    begins: super::ground::beginning,
    opening: |_| by_client(charge(10_000, Destination::Custody, "c-1")),
    more: &[FUNDED[0]],
    alphabet: &[&[
        ("given", |_| spend(3_000, "t-1")),
        ("another body", |_| spend(3_001, "t-1")),
        ("given again", |_| spend(3_000, "t-2")),
        ("all given", |_| spend(9_600, "t-3")),
        ("given to the house", |_| give(ana(), None, 1_000, "t-4")),
        ("given back", |_| give(Some("bia".into()), ana(), 3_000, "t-5")),
        ("given to itself", |_| give(ana(), ana(), 1, "t-6")),
        ("given by somebody unknown", |_| give(Some("zoe".into()), ana(), 1, "t-7")),
        ("the deposit returned", |it| back(it, "d-1", 10_000)),
        ("paid once more", |it| pay_charge(it, "e-2", 10_000)),
        ("a block", |it| place(it, "h-1", hold::Kind::Dispute, 10_000)),
        ("let go", |it| let_go(it, "g-1", None)),
    ]],
};

fn place(oracle: &Oracle, id: &str, kind: hold::Kind, amount: i64) -> Option<Intent> {
    let (account, customer, cause) = ("loja".into(), ana(), first(oracle));
    let (amount, decided_by) = (cents(amount), decided_by());
    intent(id, HoldFact::Placed { account, customer, cause, kind, amount, decided_by })
}

fn let_go(oracle: &Oracle, id: &str, amount: Option<i64>) -> Option<Intent> {
    let hold = oracle.holds.keys().next().copied();
    let (amount, decided_by) = (amount.map(cents), decided_by());
    intent(id, HoldFact::Released { hold, amount, decided_by })
}

fn court(oracle: &Oracle, id: &str, blocked: bool) -> Option<Intent> {
    let hold = oracle.holds.keys().next().copied().filter(|_| blocked);
    let (account, customer) = ("loja".into(), ana());
    let (amount, decided_by) = (cents(7_000), decided_by());
    intent(id, SuspenseFact::CourtOrdered { account, customer, hold, amount, decided_by })
}

fn give(
    from: Option<Box<str>>,
    to: Option<Box<str>>,
    amount: i64,
    external_id: &str,
) -> Option<Intent> {
    let external_id = Some(external_id.into());
    let amount = cents(amount);
    by_client(TransferRequest { from, to, external_id, ..TransferRequest::new(amount) })
}
