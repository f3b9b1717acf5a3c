//! Transactions and addresses that events name, whichever machine they are of.

use ledger_core::id::OpId;
use ledger_core::ledger::Event;
use ledger_core::machine::{
    cash_out, charge, conversion, delivery, erroneous_delivery, purchase, unmatched_deposit, wallet,
};

/// The transaction that an event is of, as its network or whoever reported it spells it.
pub fn transaction(event: &Event) -> Option<&str> {
    match event {
        Event::Charge {
            event: charge::Event::Purchase(purchase::Event::Delivery(delivery)),
            ..
        }
        | Event::Conversion {
            event: conversion::Event::Delivery { event: delivery, .. }, ..
        } => match delivery {
            delivery::Event::Sent { hash, .. } => Some(hash),
            _ => None,
        },
        Event::CashOut { event, .. } => match event {
            cash_out::Event::DepositSeen { deposit, .. } => Some(&deposit.hash),
            cash_out::Event::DepositConfirmed { hash, .. }
            | cash_out::Event::DepositVanished { hash, .. }
            | cash_out::Event::RefundSent { hash, .. } => Some(hash),
            _ => None,
        },
        Event::UnmatchedDeposit { event, .. } => match event {
            unmatched_deposit::Event::Received(order) => Some(&order.deposit.hash),
            unmatched_deposit::Event::RefundSent { hash, .. } => Some(hash),
            _ => None,
        },
        Event::WalletDeposit { event, .. } => deposit_transaction(event),
        Event::WalletPayment { event: wallet::payment::Event::Sent { hash, .. }, .. } => Some(hash),
        Event::CryptoWithdrawal {
            event: wallet::withdrawal::Event::Completed { sent, .. },
            ..
        } => Some(&sent.hash),
        Event::ErroneousDelivery { event: erroneous_delivery::Event::Claimed(order), .. } => {
            Some(&order.hash)
        }
        _ => None,
    }
}

fn deposit_transaction(event: &wallet::deposit::Event) -> Option<&str> {
    use wallet::deposit::Event as E;
    match event {
        E::Seen { transfer, .. }
        | E::Mismatched(transfer)
        | E::Found { transfer, .. }
        | E::MinedAgain(transfer)
        | E::Credited { transfer, .. }
        | E::Settled(transfer) => Some(&transfer.mark.hash),
        _ => None,
    }
}

/// The address to which coins of an operation go from now on, where an event says one.
pub fn address(event: &Event) -> Option<(OpId, &str)> {
    match event {
        Event::Charge { op, event: charge::Event::Requested(order) } => {
            Some((*op, order.delivery.address.as_deref()?))
        }
        Event::Conversion { op, event: conversion::Event::Requested(order) } => {
            Some((*op, order.target.address.as_deref()?))
        }
        Event::CryptoWithdrawal { op, event: wallet::withdrawal::Event::Requested(order) } => {
            Some((*op, &order.terms.address))
        }
        Event::CashOut {
            op,
            event:
                cash_out::Event::RefundDecided { to: Some(to), .. }
                | cash_out::Event::RefundAddressed(to),
        }
        | Event::UnmatchedDeposit {
            op,
            event:
                unmatched_deposit::Event::RefundDecided { to: Some(to), .. }
                | unmatched_deposit::Event::RefundAllowed { to },
        } => Some((*op, to)),
        _ => None,
    }
}

/// Tells whether an event takes back what a deposit brought, since its network reorganised: coins
/// leave the books, and none were sent.
pub fn takes_back_deposit(event: &Event) -> bool {
    matches!(event, Event::WalletDeposit { event: wallet::deposit::Event::Reversed { .. }, .. })
}
