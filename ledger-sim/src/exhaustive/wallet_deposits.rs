//! One deposit into a USDT wallet, and one withdrawal from it.

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, OpId};
use ledger_core::ledger::Intent;
use ledger_core::ledger::wallet::{
    DepositFinding, DepositRequest, Fact as WalletFact, Request as WalletRequest,
    WithdrawalQuoteRequest, WithdrawalReport, WithdrawalRequest,
};
use ledger_core::machine::wallet::deposit::{Doubt, Mark, Rejection, Transfer};
use ledger_core::machine::wallet::withdrawal::{Finding, Sent};
use ledger_core::terms::Stablecoin;

use super::Small;
use super::ground::{by_client, decided_by, intent};
use crate::oracle::Oracle;

/// A request for 10 USDT on Polygon.
pub(super) const DEPOSIT: Small = Small {
    name: "a deposit into a wallet",
    begins: super::ground::beginning,
    opening: |_| await_deposit(),
    more: &[],
    alphabet: &[&[
        ("another request for as much", |_| await_deposit()),
        ("seen", |it| see_deposit(it, "0x1", wanted_units(it)?)),
        ("seen again", |it| see_deposit(it, "0x1", wanted_units(it)?)),
        ("confirmed", |it| confirm_deposit(it, "k-1", "0x1")),
        ("confirmed, and all of it told", |it| {
            let transfer = Some(transfer("0x1", wanted_units(it)?)?);
            let (deposit, mark) = (deposit(it), mark("0x1"));
            submit("k-2", WalletFact::DepositConfirmed { deposit, mark, transfer })
        }),
        ("other coins seen", |it| see_deposit(it, "0x2", wanted_units(it)? + 1)),
        ("those confirmed", |it| confirm_deposit(it, "k-3", "0x2")),
        ("in doubt", |it| doubt_deposit(it, "q-1", Doubt::Reorganisation)),
        ("looked at", |it| doubt_deposit(it, "q-2", Doubt::Compliance)),
        ("let in", |it| clear_deposit(it, "j-1", None)),
        ("let in, in part", |it| clear_deposit(it, "j-2", Some(4_000_000))),
        ("sent back", |it| reject_deposit(it, "j-3", Rejection::Returned)),
        ("vanished", |it| reject_deposit(it, "j-4", Rejection::Vanished)),
        ("reversed", |it| {
            let (deposit, decided_by) = (deposit(it), decided_by());
            submit("j-5", WalletFact::DepositReversed { deposit, decided_by })
        }),
        ("a withdrawal quoted", |_| quote(Stablecoin::Usdt)),
        ("withdrawn", |it| withdraw(it, "w-1")),
    ]],
};

/// A withdrawal as USDT of what one deposit brought.
pub(super) const WITHDRAWAL: Small = Small {
    name: "a withdrawal from a wallet",
    begins: super::ground::beginning,
    opening: |_| await_deposit(),
    more: &[
        |it| see_deposit(it, "0x1", wanted_units(it)?),
        |it| confirm_deposit(it, "k-1", "0x1"),
        |_| quote(Stablecoin::Usdt),
        |it| withdraw(it, "w-1"),
    ],
    alphabet: &[OUT],
};

/// The same, converted into USDC on its way.
pub(super) const CONVERTED: Small = Small {
    name: "a withdrawal as USDC",
    begins: super::ground::beginning,
    opening: |_| await_deposit(),
    more: &[
        |it| see_deposit(it, "0x1", wanted_units(it)?),
        |it| confirm_deposit(it, "k-1", "0x1"),
        |_| quote(Stablecoin::Usdc),
        |it| withdraw(it, "w-1"),
    ],
    alphabet: &[OUT],
};

/// What may become of a withdrawal.
const OUT: &[(&str, super::Say)] = &[
    ("the same again", |it| withdraw(it, "w-1")),
    ("the quote used again", |it| withdraw(it, "w-2")),
    ("begun", |it| move_withdrawal(it, "n-1", WithdrawalReport::Begin)),
    ("funded", |it| move_withdrawal(it, "n-2", WithdrawalReport::Fund)),
    ("converted", |it| move_withdrawal(it, "n-3", WithdrawalReport::Convert(units(8_950_000)))),
    ("converted into too little", |it| {
        move_withdrawal(it, "n-4", WithdrawalReport::Convert(units(7_000_000)))
    }),
    ("sent", |it| move_withdrawal(it, "n-5", WithdrawalReport::Send(sent_coins(it, "0xa", 0)?))),
    ("sent, and too little arrived", |it| {
        move_withdrawal(it, "n-6", WithdrawalReport::Send(sent_coins(it, "0xa", -1_000_000)?))
    }),
    ("sent twice", |it| {
        move_withdrawal(it, "n-7", WithdrawalReport::Send(sent_coins(it, "0xb", 0)?))
    }),
    ("lost from sight", |it| move_withdrawal(it, "n-8", WithdrawalReport::Lose)),
    ("found sent", |it| evidence(it, "f-1", Finding::Completed(sent_coins(it, "0xa", 0)?))),
    ("found not sent", |it| evidence(it, "f-2", Finding::Failed)),
    ("let go on", |it| evidence(it, "f-3", Finding::Resumed)),
    ("the deposit reversed", |it| {
        let (deposit, decided_by) = (deposit(it), decided_by());
        submit("j-1", WalletFact::DepositReversed { deposit, decided_by })
    }),
];

pub(super) fn await_deposit() -> Option<Intent> {
    let address = Some(format!("0x{}", "b".repeat(40)).into());
    let amount = units(10_000_000);
    let request = DepositRequest { amount, network: "polygon".into(), address };
    by_client(WalletRequest::Deposit(request))
}

/// The deposit the world is about.
fn deposit(oracle: &Oracle) -> Option<OpId> {
    oracle.wallet_deposits.keys().next().copied()
}

/// Returns what its request awaits, trailing decimals included.
pub(super) fn wanted_units(oracle: &Oracle) -> Option<u128> {
    let deposit = oracle.wallet_deposits.get(&deposit(oracle)?)?;
    deposit.wanted.as_ref().map(|wanted| wanted.amount)
}

fn mark(hash: &str) -> Mark {
    Mark { hash: hash.into(), index: 0 }
}

fn transfer(hash: &str, amount: u128) -> Option<Transfer> {
    let (asset, chain) = (AssetId(0), ChainId(0));
    let units = Units::new(amount)?;
    Some(Transfer { asset, chain, units, mark: mark(hash), usdt: Some(asset) })
}

pub(super) fn see_deposit(oracle: &Oracle, hash: &str, amount: u128) -> Option<Intent> {
    let (deposit, transfer) = (deposit(oracle), transfer(hash, amount)?);
    submit(hash, WalletFact::DepositSeen { deposit, address: None, transfer })
}

pub(super) fn confirm_deposit(oracle: &Oracle, id: &str, hash: &str) -> Option<Intent> {
    let (deposit, mark) = (deposit(oracle), mark(hash));
    submit(id, WalletFact::DepositConfirmed { deposit, mark, transfer: None })
}

fn doubt_deposit(oracle: &Oracle, id: &str, doubt: Doubt) -> Option<Intent> {
    let (deposit, mark) = (deposit(oracle), mark("0x1"));
    submit(id, WalletFact::DepositDoubted { deposit, mark, doubt })
}

fn clear_deposit(oracle: &Oracle, id: &str, credited: Option<u128>) -> Option<Intent> {
    let finding = DepositFinding::Cleared { account: None, credited: credited.map(units) };
    let (deposit, decided_by) = (deposit(oracle), decided_by());
    submit(id, WalletFact::DepositJudged { deposit, finding, decided_by })
}

fn reject_deposit(oracle: &Oracle, id: &str, rejection: Rejection) -> Option<Intent> {
    let (deposit, decided_by) = (deposit(oracle), decided_by());
    let finding = DepositFinding::Rejected(rejection);
    submit(id, WalletFact::DepositJudged { deposit, finding, decided_by })
}

fn quote(coin: Stablecoin) -> Option<Intent> {
    let address = format!("0x{}", "d".repeat(40)).into();
    let (network, amount) = ("polygon".into(), units(9_000_000));
    let request = WithdrawalQuoteRequest { coin, network, address, amount };
    by_client(WalletRequest::WithdrawalQuote(request))
}

/// With the first quote; nothing to say while there is none.
fn withdraw(oracle: &Oracle, external_id: &str) -> Option<Intent> {
    let quote = Some(oracle.quotes.keys().next().copied()?);
    let external_id = external_id.into();
    let (coin, network, address, amount) = (None, None, None, None);
    let request = WithdrawalRequest { quote, coin, network, address, amount, external_id };
    by_client(WalletRequest::Withdrawal(request))
}

fn first(oracle: &Oracle) -> Option<OpId> {
    oracle.withdrawals.keys().next().copied()
}

/// In this transaction, so much more than was estimated.
fn sent_coins(oracle: &Oracle, hash: &str, more: i128) -> Option<Sent> {
    let terms = &oracle.withdrawals.get(&first(oracle)?)?.terms;
    let received = terms.estimated.checked_add_signed(more)?;
    Some(Sent { hash: hash.into(), received: Units::new(received)?, network_fee: None })
}

fn move_withdrawal(oracle: &Oracle, id: &str, report: WithdrawalReport) -> Option<Intent> {
    submit(id, WalletFact::Withdrawal { withdrawal: Some(first(oracle)?), report })
}

fn evidence(oracle: &Oracle, id: &str, finding: Finding) -> Option<Intent> {
    let (withdrawal, decided_by) = (Some(first(oracle)?), decided_by());
    submit(id, WalletFact::WithdrawalEvidence { withdrawal, finding, decided_by })
}

pub(super) fn submit(id: &str, fact: WalletFact) -> Option<Intent> {
    intent(id, fact)
}

pub(super) fn units(units: u128) -> Units {
    Units::new(units).expect("positive")
}
