//! Entries that balance, and the books they add up to (INV-01, INV-02, INV-04, INV-07).

use std::collections::BTreeMap;

use ledger_core::accounting::{Account, Books, Class, Commission, Control, Entry, Fault, Nature};
use ledger_core::id::{AccountId, Kind, OpId, SubaccountId};
use ledger_core::money::{Amount, Balance};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::legs::{imbalance, legs, rows, touched};
use crate::samples::{ANA, BIA, amount, as_cents, balance, op};

/// Books with three subaccounts: house, Ana, Bia.
fn books() -> Books {
    let mut books = Books::default();
    for expected in 0..3 {
        assert_eq!(books.open_subaccount(), SubaccountId(expected));
    }
    books
}

fn charge() -> OpId {
    op(Kind::Charge, 7)
}

/// An entry posted to a copy; books are dropped after a fault.
fn posted(books: &Books, entry: &Entry) -> Result<Books, Fault> {
    let mut books = books.clone();
    books.post(entry).map(|_| books)
}

fn deposit(subaccount: SubaccountId, cents: i64) -> Entry {
    Entry::NONE.principal(Account::ProviderPix, Account::Available(subaccount), amount(cents))
}

fn withdrawal(subaccount: SubaccountId, cents: i64) -> Entry {
    Entry::NONE.principal(Account::Available(subaccount), Account::ProviderPay, amount(cents))
}

#[test]
fn nothing_moves_where_the_share_is_zero() {
    let entry = Entry::NONE
        .principal(Account::ProviderPix, Account::SuspensePix, as_cents(0))
        .fee(Account::Available(ANA), Account::DepositIncome, as_cents(0))
        .shift(Account::Held(ANA), Account::Available(ANA), as_cents(0));
    assert!(entry.is_empty());
    assert_eq!(entry, Entry::NONE);
    assert_eq!((legs(&entry), rows(&entry)), ("-".to_owned(), "no rows".to_owned()));
}

#[test]
fn legs_on_one_account_and_side_are_merged_where_no_statement_tells_them_apart() {
    let flight = Account::PayoutInFlight(op(Kind::Payout, 9));
    let entry = Entry::NONE.principal(flight, Account::ProviderPay, amount(5_000)).fee(
        flight,
        Account::PayoutIncome,
        amount(75),
    );
    assert_eq!(legs(&entry), "Dr flight.payout[Payout#9] 5075 / Cr prov.pay 5000, rev.payout 75");
    let back = Entry::NONE.principal(flight, Account::Available(ANA), amount(5_000)).fee(
        flight,
        Account::Available(ANA),
        amount(75),
    );
    assert_eq!(
        legs(&back),
        "Dr flight.payout[Payout#9] 5075 / Cr cust.avail[1] 5000, cust.avail[1] 75"
    );
}

#[test]
#[should_panic(expected = "not a move between buckets of one subaccount")]
fn a_shift_stays_within_one_subaccount() {
    let _ = Entry::NONE.shift(Account::Held(ANA), Account::Available(BIA), amount(1));
}

#[test]
#[should_panic(expected = "not a move between buckets of one subaccount")]
fn a_shift_stays_within_custody() {
    let _ = Entry::NONE.shift(Account::SuspensePix, Account::ProviderPix, amount(1));
}

#[test]
fn available_falls_below_zero_by_a_forced_entry_only() {
    // INV-07, rulings 21.
    let books = posted(&books(), &deposit(ANA, 100)).unwrap();
    assert!(posted(&books, &withdrawal(ANA, 100)).is_ok());
    let account = Account::Available(ANA);
    let fault = posted(&books, &withdrawal(ANA, 101)).unwrap_err();
    assert_eq!(fault, Fault::Negative { account, balance: -1 });
    let forced = Entry::FORCED.principal(account, Account::ProviderPix, amount(101));
    let owing = posted(&books, &forced).unwrap();
    assert_eq!(owing.subaccount(ANA).available, balance(-1));
    // While it is negative nothing more is taken, and every credit is welcome (rulings 24).
    assert!(posted(&owing, &withdrawal(ANA, 1)).is_err());
    let cured = posted(&owing, &deposit(ANA, 1)).unwrap();
    assert_eq!(cured.subaccount(ANA).available, balance(0));
}

#[test]
fn no_entry_takes_another_account_below_zero_and_a_forced_one_neither() {
    let payout = Account::PayoutInFlight(op(Kind::Payout, 9));
    let conversion = Account::ConversionInFlight(op(Kind::Conversion, 5));
    let suspense = Account::SuspensePix;
    for account in [
        Account::Held(ANA),
        Account::Frozen(ANA),
        Account::PixInFlight(charge()),
        payout,
        conversion,
        suspense,
    ] {
        let credit = Entry::NONE.principal(Account::ProviderPix, account, amount(100));
        let books = posted(&books(), &credit).unwrap();
        for empty in [Entry::NONE, Entry::FORCED] {
            let whole = empty.clone().principal(account, Account::ProviderPix, amount(100));
            assert!(posted(&books, &whole).is_ok(), "{account}");
            let more = empty.principal(account, Account::ProviderPix, amount(101));
            let fault = posted(&books, &more).unwrap_err();
            assert_eq!(fault, Fault::Negative { account, balance: -1 });
        }
    }
}

#[test]
fn what_an_entry_credits_counts_before_what_it_debits() {
    // A deposit of 100 with a fee of 100 leaves nothing, in whatever order the legs come.
    let (available, income) = (Account::Available(ANA), Account::DepositIncome);
    let entry = Entry::NONE.fee(available, income, amount(100)).principal(
        Account::ProviderPix,
        available,
        amount(100),
    );
    let books = posted(&books(), &entry).unwrap();
    assert_eq!(books.subaccount(ANA).total(), balance(0));
    assert_eq!(books.balance(Control::DepositIncome), 100);
    // A debt that grows is refused also where the entry credits something.
    let owing = Entry::FORCED.principal(available, Account::ProviderPix, amount(50));
    let owing = posted(&books, &owing).unwrap();
    let worse = Entry::NONE.principal(available, Account::ProviderPix, amount(60)).fee(
        income,
        available,
        amount(50),
    );
    assert!(posted(&owing, &worse).is_err());
}

#[test]
fn a_balance_beyond_counting_is_a_fault() {
    // LED-08.
    let most = posted(&books(), &deposit(ANA, i64::MAX)).unwrap();
    assert_eq!(most.subaccount(ANA).available, balance(i64::MAX));
    let overflow = |account, cents| Err(Fault::Overflow { account, amount: amount(cents) });
    let post = |books: &Books, entry: &Entry| posted(books, entry).map(|_| ());
    assert_eq!(post(&most, &deposit(ANA, 1)), overflow(Account::Available(ANA), 1));
    // The buckets together are one balance.
    let held = Entry::NONE.principal(Account::ProviderPix, Account::Held(ANA), amount(1));
    assert_eq!(post(&most, &held), overflow(Account::Held(ANA), 1));
    assert!(post(&most, &deposit(BIA, 1)).is_ok());
    let least =
        Entry::FORCED.principal(Account::Available(ANA), Account::ProviderPix, amount(i64::MAX));
    let least = posted(&books(), &least).unwrap();
    let more = Entry::FORCED.principal(Account::Available(ANA), Account::ProviderPix, amount(2));
    assert_eq!(post(&least, &more), overflow(Account::Available(ANA), 2));
    for account in [Account::PixInFlight(charge()), Account::Commission(AccountId(3))] {
        let credit = Entry::NONE.principal(Account::ProviderPix, account, amount(i64::MAX));
        let most = posted(&books(), &credit).unwrap();
        let more = Entry::NONE.principal(Account::ProviderPix, account, amount(1));
        assert_eq!(post(&most, &more), overflow(account, 1));
    }
}

#[test]
fn a_subaccount_that_was_never_opened_takes_no_money() {
    let stranger = SubaccountId(3);
    let fault = posted(&books(), &deposit(stranger, 1)).unwrap_err();
    assert_eq!(fault, Fault::Unopened { account: Account::Available(stranger) });
    assert_eq!(books().subaccount(stranger).total(), Balance::ZERO);
}

#[test]
fn the_books_tell_of_what_is_open() {
    let flight = Account::PixInFlight(charge());
    let delayed = Entry::NONE.principal(Account::ProviderPix, flight, amount(100));
    let books = posted(&books(), &delayed).unwrap();
    assert_eq!(books.flights().collect::<Vec<_>>(), [(flight, 100)]);
    let returned = Entry::NONE.principal(flight, Account::ProviderPix, amount(100));
    let books = posted(&books, &returned).unwrap();
    assert_eq!(books.flights().count(), 0);
    // Commission may be negative after a reversal (INV-23).
    let partner = AccountId(3);
    let reversed =
        Entry::NONE.fee(Account::Commission(partner), Account::Available(ANA), as_cents(7));
    let books = posted(&books, &reversed).unwrap();
    let owed = Commission { balance: balance(-7), rows: 1 };
    assert_eq!(books.commissions().collect::<Vec<_>>(), [(partner, owed)]);
}

#[test]
fn rows_are_counted_by_subaccount_from_one() {
    let mut books = posted(&books(), &deposit(ANA, 100)).unwrap();
    let moved =
        Entry::NONE.principal(Account::Available(ANA), Account::Available(BIA), as_cents(7));
    let touched = books.post(&moved).unwrap();
    let rows: Vec<_> = touched.iter().map(|(id, was, is)| (id, was.rows, is.rows)).collect();
    assert_eq!(rows, [(&ANA, 1, 2), (&BIA, 0, 1)]);
    let shifted = Entry::NONE.shift(Account::Available(ANA), Account::Frozen(ANA), as_cents(5));
    books.post(&shifted).unwrap();
    assert_eq!((books.subaccount(ANA).rows, books.subaccount(BIA).rows), (2, 1));
}

#[test]
fn every_account_has_its_class() {
    // Part A0.
    let classes = Control::ALL.map(|control| format!("{} {:?}", control.name(), control.class()));
    assert_eq!(
        classes.join("\n"),
        "\
prov.pix Asset
prov.pay Asset
recv.prov Asset
equity.funding Equity
cust.avail Liability
cust.held Liability
cust.frozen Liability
flight.pix_in Liability
flight.payout Liability
comm Liability
tariff.due Liability
susp.pix Liability
rev.deposit Income
rev.payout Income
exp.loss Expense
flight.conv Liability
rev.purchase Income
rev.conv Income
fx Trading
flight.pixout Liability
rev.cashout Income
rev.reserve Income
rounding Income
exch Asset
exp.reward Expense
reward Liability
cells Liability
prod.asset Asset
prod.liability Liability
prod.equity Equity
prod.income Income
prod.expense Expense"
    );
}

fn accounts() -> Vec<Account> {
    let mut accounts = vec![
        Account::ProviderPix,
        Account::ProviderPay,
        Account::ProviderClaim,
        Account::Funding,
        Account::PixInFlight(charge()),
        Account::PayoutInFlight(op(Kind::Payout, 9)),
        Account::ConversionInFlight(op(Kind::Conversion, 5)),
        Account::Commission(AccountId(3)),
        Account::TariffDue,
        Account::SuspensePix,
        Account::DepositIncome,
        Account::PayoutIncome,
        Account::PurchaseIncome,
        Account::ConversionIncome,
        Account::Fx,
        Account::Loss,
    ];
    for subaccount in [ANA, BIA] {
        accounts
            .extend([Account::Available, Account::Held, Account::Frozen].map(|of| of(subaccount)));
    }
    accounts
}

/// Entries of at most five moves, forced or not; moves within one subaccount are shifts.
fn entries() -> impl Strategy<Value = Entry> {
    let account = || proptest::sample::select(accounts());
    let moves = vec((account(), account(), 1..10_000_i64, any::<bool>()), 0..=5);
    (any::<bool>(), moves).prop_map(|(forced, moves)| {
        let empty = if forced { Entry::FORCED } else { Entry::NONE };
        moves.into_iter().fold(empty, |entry, (debit, credit, cents, fee)| {
            let within = debit.subaccount().is_some() && debit.subaccount() == credit.subaccount();
            match (within, fee) {
                (true, _) => entry.shift(debit, credit, amount(cents)),
                (false, true) => entry.fee(debit, credit, amount(cents)),
                (false, false) => entry.principal(debit, credit, amount(cents)),
            }
        })
    })
}

/// Tells whether an account may never be below zero; available may, by a forced entry (INV-07).
fn guarded(account: Account, forced: bool) -> bool {
    match account {
        Account::Available(_) => !forced,
        Account::Held(_)
        | Account::Frozen(_)
        | Account::PixInFlight(_)
        | Account::PayoutInFlight(_)
        | Account::ConversionInFlight(_)
        | Account::SuspensePix => true,
        _ => false,
    }
}

fn seen(books: &Books, account: Account) -> i128 {
    let buckets = |id| books.subaccount(id);
    match account {
        Account::Available(id) => buckets(id).available.cents().into(),
        Account::Held(id) => buckets(id).held.cents().into(),
        Account::Frozen(id) => buckets(id).frozen.cents().into(),
        Account::PixInFlight(_) | Account::PayoutInFlight(_) | Account::ConversionInFlight(_) => {
            books.flight(account).into()
        }
        Account::Commission(partner) => {
            let known = books.commissions().find(|(id, _)| *id == partner);
            known.map_or(0, |(_, known)| known.balance.cents().into())
        }
        other => books.net_credit(other.control()),
    }
}

proptest! {
    #[test]
    fn every_entry_balances(entry in entries()) {
        prop_assert_eq!(imbalance(&entry), 0);
        let net: i128 = touched(&entry).into_iter().map(|account| entry.net_credit(account)).sum();
        prop_assert_eq!(net, 0);
        prop_assert_eq!(entry.is_empty(), entry.moves().next().is_none());
    }

    #[test]
    fn the_legs_tell_what_the_moves_do(entry in entries()) {
        for account in touched(&entry) {
            let legs = entry.postings().into_iter().filter(|leg| leg.account == account);
            let signed = legs.map(|leg| match leg.side {
                ledger_core::accounting::Side::Debit => -i128::from(leg.amount.cents()),
                ledger_core::accounting::Side::Credit => i128::from(leg.amount.cents()),
            });
            prop_assert_eq!(signed.sum::<i128>(), entry.net_credit(account));
        }
    }

    #[test]
    fn balances_are_the_sums_of_the_entries_posted(entries in vec(entries(), 1..30)) {
        // INV-02, INV-04: against a plain map, which also predicts what is refused (INV-07).
        let mut books = books();
        let mut sums: BTreeMap<Account, i128> = BTreeMap::new();
        for entry in entries {
            let mut next = sums.clone();
            for m in entry.moves() {
                *next.entry(m.debit).or_default() -= i128::from(m.amount.cents());
                *next.entry(m.credit).or_default() += i128::from(m.amount.cents());
            }
            let fell = next.iter().any(|(account, sum)| {
                let before = sums.get(account).copied().unwrap_or(0);
                guarded(*account, entry.is_forced()) && *sum < 0 && *sum < before
            });
            let posted = posted(&books, &entry);
            prop_assert_eq!(posted.is_err(), fell, "{:?}", posted.err());
            if let Ok(posted) = posted {
                (books, sums) = (posted, next);
            }
        }
        for account in accounts() {
            let sum = sums.get(&account).copied().unwrap_or(0);
            prop_assert_eq!(seen(&books, account), sum, "{}", account);
        }
        prop_assert_eq!(books.trial_balance(), 0);
        for control in Control::ALL {
            let own = sums.iter().filter(|(account, _)| account.control() == control);
            let sum: i128 = own.map(|(_, sum)| sum).sum();
            let natural = match control.class() {
                Class::Asset | Class::Expense => -sum,
                Class::Liability | Class::Equity | Class::Income | Class::Trading => sum,
            };
            prop_assert_eq!(books.net_credit(control), sum, "{}", control.name());
            prop_assert_eq!(books.balance(control), natural, "{}", control.name());
        }
        for (_, buckets) in books.subaccounts() {
            let sum = buckets.available.cents() + buckets.held.cents() + buckets.frozen.cents();
            prop_assert_eq!(buckets.total(), Balance::new(sum));
            prop_assert_eq!(buckets.blocked_balance().cents(), sum - buckets.available.cents());
        }
    }

    #[test]
    fn the_rows_of_a_subaccount_sum_to_the_change_of_its_balance(entry in entries()) {
        // INV-08: shifts make no row and change no total.
        for subaccount in [ANA, BIA] {
            let row = |account: Account, cents: i64| {
                if account.subaccount() == Some(subaccount) { i128::from(cents) } else { 0 }
            };
            let sum_of_rows: i128 = entry
                .moves()
                .filter(|m| m.nature != Nature::Shift)
                .map(|m| row(m.credit, m.amount.cents()) - row(m.debit, m.amount.cents()))
                .sum();
            let buckets = [Account::Available, Account::Held, Account::Frozen];
            let change: i128 = buckets.iter().map(|of| entry.net_credit(of(subaccount))).sum();
            prop_assert_eq!(sum_of_rows, change);
        }
    }
}

#[test]
fn amounts_are_positive_and_shares_are_not_negative() {
    assert_eq!([Amount::new(0), Amount::new(-1), Amount::new(i64::MIN)], [None; 3]);
    assert_eq!(ledger_core::money::Cents::new(-1), None);
    assert_eq!(amount(5).minus(as_cents(6)), None);
    assert_eq!(amount(5).minus(as_cents(5)), Some(as_cents(0)));
    assert_eq!(amount(i64::MAX).plus(as_cents(1)), None);
    assert_eq!(as_cents(5).less_or_nothing(as_cents(6)), as_cents(0));
    assert!(balance(5).covers(amount(5)) && !balance(4).covers(amount(5)));
    assert_eq!((balance(-5).spendable(), balance(5).spendable()), (as_cents(0), as_cents(5)));
    assert_eq!(
        [balance(-9_135), balance(5), balance(i64::MIN)].map(|b| b.to_string()),
        ["-91.35", "0.05", "-92233720368547758.08"]
    );
}
