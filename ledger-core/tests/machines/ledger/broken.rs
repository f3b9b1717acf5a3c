//! Invariants that cannot be broken prove nothing: each is broken here once, and says so.

use ledger_core::accounting::{Account, CoinAccount, Entry};
use ledger_core::coin::Units;
use ledger_core::id::{AgentId, AssetId, ChainId, Kind, OpId, Seq, SubaccountId};
use ledger_core::ledger::{
    AgentRequest, Cause, Command, Event, Intent, Request, TransferRequest, invariants,
};
use ledger_core::machine::payout;
use ledger_core::terms::Mandate;

use super::{HOUSE, Harness, SHOP, instant};
use crate::samples::{SOMEBODY, amount, as_cents};

const CHARGE: OpId = OpId::new(Kind::Charge, Seq(2));

/// Books that an entry of nobody's was posted to.
fn with(entry: &Entry) -> Harness {
    let mut harness = Harness::open(instant());
    harness.deposit(None, 10_000);
    harness.ledger.state.books.post(entry).unwrap();
    harness
}

fn broken(entry: &Entry) -> &'static str {
    let Harness { ledger, .. } = with(entry);
    invariants::check_all(&ledger.state, &ledger.archive).unwrap_err().invariant
}

fn moved(debit: Account, credit: Account) -> Entry {
    Entry::NONE.principal(debit, credit, amount(100))
}

fn coins(debit: CoinAccount, credit: CoinAccount) -> Entry {
    Entry::NONE.coins(AssetId(0), debit, credit, Units::new(100))
}

#[test]
fn books_without_a_stranger_keep_every_law() {
    let Harness { ledger, .. } = with(&Entry::NONE);
    invariants::check_all(&ledger.state, &ledger.archive).unwrap();
    invariants::check_statements(&ledger.state, &ledger.archive).unwrap();
}

#[test]
fn a_balance_that_no_row_shows_is_found() {
    assert_eq!(broken(&moved(Account::ProviderPix, Account::Available(HOUSE))), "INV-08");
    assert_eq!(broken(&moved(Account::Available(HOUSE), Account::Funding)), "INV-08");
}

#[test]
fn what_no_charge_holds_and_no_hold_freezes_is_found() {
    let from = Account::Available(HOUSE);
    let shift = |to| Entry::NONE.shift(from, to, amount(100));
    assert_eq!(broken(&shift(Account::Held(HOUSE))), "INV-14");
    assert_eq!(broken(&shift(Account::Frozen(HOUSE))), "INV-14");
}

#[test]
fn what_is_in_flight_for_nobody_is_found() {
    let payout = OpId::new(Kind::Payout, Seq(900));
    let flights = [
        Account::PixInFlight(CHARGE),
        Account::PayoutInFlight(payout),
        Account::ConversionInFlight(OpId::new(Kind::Conversion, Seq(900))),
        Account::SaleInFlight(OpId::new(Kind::CashOut, Seq(900))),
    ];
    for flight in flights {
        assert_eq!(broken(&moved(Account::ProviderPix, flight)), "INV-33", "{flight}");
    }
    let stock = CoinAccount::Treasury(ChainId(0));
    let flights = [
        CoinAccount::DeliveryInFlight(CHARGE),
        CoinAccount::Deposited(CHARGE),
        CoinAccount::RefundDue(CHARGE),
        CoinAccount::Suspense,
    ];
    for flight in flights {
        assert_eq!(broken(&coins(stock, flight)), "INV-33", "{}", flight.name());
    }
}

#[test]
fn what_of_a_wallet_belongs_to_no_operation_is_found() {
    let stock = CoinAccount::Treasury(ChainId(0));
    for bucket in [CoinAccount::WalletReserved(SHOP), CoinAccount::WalletConfirming(SHOP)] {
        assert_eq!(broken(&coins(stock, bucket)), "INV-36", "{}", bucket.name());
    }
}

#[test]
fn a_control_that_is_not_the_sum_of_its_parts_is_found() {
    assert_eq!(broken(&moved(Account::ProviderPix, Account::SuspensePix)), "CONTROL");
    assert_eq!(broken(&moved(Account::ProviderPix, Account::Commission(SHOP))), "CONTROL");
    // Of no agent there is.
    assert_eq!(broken(&moved(Account::RewardExpense, Account::Reward(AgentId(7)))), "CONTROL");
}

/// What the invariants say after a payout's record, with this many centavos ordered in it.
fn let_pass(harness: &Harness, cents: i64) -> Result<(), &'static str> {
    let mut record = harness.records.last().unwrap().clone();
    for event in &mut record.events {
        if let Event::Payout { event: payout::Event::Requested(order), .. } = event {
            order.amount = amount(cents);
        }
    }
    let checked =
        invariants::check_touched(&harness.ledger.state, &harness.ledger.archive, &record);
    checked.map_err(|broken| broken.invariant)
}

#[test]
fn a_payout_above_the_platforms_limit_is_found() {
    let mut harness = with(&Entry::NONE);
    harness.pay(None, 5_000).unwrap();
    let most = instant().payout_most.cents();
    assert_eq!((let_pass(&harness, 5_000), let_pass(&harness, most)), (Ok(()), Ok(())));
    assert_eq!(let_pass(&harness, most + 1), Err("INV-42"));
}

#[test]
fn a_payout_against_its_mandate_is_found() {
    let mut harness = Harness::open(instant());
    let mandate = |most| Mandate::new(Some(as_cents(most)), None, vec![SOMEBODY]);
    let account = harness.come(1, None, mandate(5_000));
    harness.send(account, 5_000, SOMEBODY).unwrap();
    let record = harness.records.last().unwrap().clone();
    let check = |harness: &Harness| {
        invariants::check_touched(&harness.ledger.state, &harness.ledger.archive, &record)
    };
    check(&harness).unwrap();
    // The same payout, had the mandate been a centavo less.
    let less = AgentRequest::Mandate(Box::new(mandate(4_999)));
    harness.execute(Intent::Request(account, Request::Agent(less))).unwrap();
    assert_eq!(check(&harness).unwrap_err().invariant, "INV-42");
}

#[test]
fn a_statement_that_lacks_a_row_is_found() {
    let mut harness = with(&Entry::NONE);
    harness.deposit(Some("ana"), 5_000);
    let check = |harness: &Harness| {
        invariants::check_statements(&harness.ledger.state, &harness.ledger.archive)
    };
    check(&harness).unwrap();
    // A row that the books count and nobody wrote.
    let nothing = Entry::NONE
        .principal(Account::ProviderPix, Account::Available(SubaccountId(1)), amount(1))
        .principal(Account::Available(SubaccountId(1)), Account::ProviderPix, amount(1));
    harness.ledger.state.books.post(&nothing).unwrap();
    assert_eq!(check(&harness).unwrap_err().invariant, "INV-08");
}

#[test]
fn touched_accounts_are_looked_at_after_every_record() {
    let mut harness =
        with(&Entry::NONE.shift(Account::Available(HOUSE), Account::Held(HOUSE), amount(100)));
    let request = TransferRequest { to: Some("ana".into()), ..TransferRequest::new(amount(500)) };
    let what = Intent::Request(SHOP, Request::Transfer(request));
    let command = Command { at: harness.now, cause: Cause::default(), what };
    let touching = harness.ledger.execute(command).records;
    let record = touching.last().expect("a transfer is recorded");
    let seen = invariants::check_touched(&harness.ledger.state, &harness.ledger.archive, record);
    assert_eq!(seen.unwrap_err().invariant, "INV-14");
}
