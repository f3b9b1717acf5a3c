//! Fields of the wallet's deposits, payments and withdrawals, as events tell them.

use super::recorded::FirstReport;
use super::sale::pix_sent;
use super::text::{FieldText, units, word};
use crate::coin::{Scale, Units};
use crate::contract::wallet::payments;
use crate::id::OpId;
use crate::ledger::{Archive, Event, Fact, FactKind, wallet};
use crate::machine::cash_out;
use crate::machine::refund::Coins;
use crate::machine::wallet::deposit::{self, Doubt, Rejection, Transfer};
use crate::machine::wallet::payment::{self, Resolution};
use crate::machine::wallet::withdrawal::{self, Sent};

impl<A: Archive> FirstReport<'_, A> {
    /// Fields of deposits into wallets, payments and withdrawals from them.
    pub(super) fn wallet_fields(&self) -> Vec<FieldText> {
        let events = &self.record.events;
        let mut fields: Vec<FieldText> =
            events.iter().flat_map(|event| self.wallet_event_fields(event)).collect();
        // A step implies those before it: the last is the one that was reported.
        if let Some(last) = fields.iter().rposition(|(name, _)| *name == "step") {
            let mut at = 0..;
            fields.retain(|(name, _)| at.next() == Some(last) || *name != "step");
        }
        fields
    }

    fn wallet_event_fields(&self, event: &Event) -> Vec<FieldText> {
        match event {
            Event::WalletDeposit { event, .. } => self.wallet_deposit_fields(event),
            Event::WalletPayment { event, .. } => wallet_payment_fields(self.fact, event),
            Event::CryptoWithdrawal { event, .. } => withdrawal_fields(event),
            Event::CashOut { event: cash_out::Event::Accepted { address, .. }, .. } => {
                vec![word("address", address)]
            }
            _ => Vec::new(),
        }
    }

    fn wallet_deposit_fields(&self, event: &deposit::Event) -> Vec<FieldText> {
        match event {
            deposit::Event::Requested(order) => vec![
                self.account(order.account),
                units("amount", order.requested, Scale::SIX),
                word("network", &order.network),
                word("address", &order.address),
            ],
            deposit::Event::Seen { transfer, .. }
            | deposit::Event::Mismatched(transfer)
            | deposit::Event::Found { transfer, .. } => {
                let coins =
                    Coins { asset: transfer.asset, chain: transfer.chain, units: transfer.units };
                self.coins(coins).into_iter().chain(mark_fields(transfer)).collect()
            }
            // What arrived is told as it was seen, whatever the confirmation says of it.
            deposit::Event::Credited { transfer, .. }
            | deposit::Event::Settled(transfer)
            | deposit::Event::Reappeared(transfer)
            | deposit::Event::MinedAgain(transfer) => mark_fields(transfer).to_vec(),
            deposit::Event::Doubted { transfer, doubt, .. } => {
                let cause = match doubt {
                    Doubt::Reorganisation => "reorg",
                    Doubt::Compliance => "compliance",
                };
                mark_fields(transfer).into_iter().chain([word("cause", cause)]).collect()
            }
            deposit::Event::Cleared { account, credited, .. } => vec![
                word("outcome", "cleared"),
                self.account(*account),
                units("credited", *credited, Scale::SIX),
            ],
            deposit::Event::Rejected { rejection, .. } => vec![word(
                "outcome",
                match rejection {
                    Rejection::Returned => "returned",
                    Rejection::Vanished => "vanished",
                },
            )],
            deposit::Event::Expired | deposit::Event::Reversed { .. } => Vec::new(),
        }
    }
}

/// Tells whether the event is what a fact of this kind said of a payment or a withdrawal.
pub(super) fn tells(kind: FactKind, event: &Event) -> bool {
    use {payment::Event as Paid, withdrawal::Event as Sent};
    match event {
        Event::WalletPayment { event, .. } => {
            let failed = matches!(event, Paid::Failed { .. } | Paid::FailedAfterSend(_));
            failed && kind == FactKind::WalletPaymentFailed
        }
        Event::CryptoWithdrawal { event, .. } => match event {
            Sent::Converted { .. } => kind == FactKind::CryptoWithdrawalConverted,
            Sent::Questioned(Some(_)) | Sent::Completed { .. } => {
                kind == FactKind::CryptoWithdrawalSent
            }
            _ => false,
        },
        _ => false,
    }
}

/// Tells whether the event is of a transfer that none awaited, and that was said to be of `op`.
pub(super) fn is_transfer_about(event: &Event, op: Option<OpId>) -> bool {
    let Event::WalletDeposit { event, .. } = event else { return false };
    matches!(event, deposit::Event::Found { about, .. } if *about == op)
}

/// Which transaction brought a transfer, and its place there.
fn mark_fields(transfer: &Transfer) -> [FieldText; 2] {
    let mark = &transfer.mark;
    [word("tx_hash", &mark.hash), ("output_index", Some(mark.index.to_string()))]
}

fn wallet_payment_fields(fact: &Fact, event: &payment::Event) -> Vec<FieldText> {
    match event {
        payment::Event::Ordered { .. } => vec![word("step", "order_created")],
        payment::Event::Accepted => vec![word("step", "accepted")],
        payment::Event::Begun => vec![word("step", "started")],
        payment::Event::Sent { units: sent, excess, hash, .. } => {
            let all = Units::new(sent.get() + excess.map_or(0, Units::get)).unwrap_or(*sent);
            // Less than what it costs is not told from that.
            let told = amount_sent(fact).filter(|left| excess.is_none() && left < sent);
            let amount = units("amount", told.unwrap_or(all), Scale::SIX);
            vec![word("outcome", "sent"), word("tx_hash", hash), amount]
        }
        payment::Event::Completed { pix, .. } => {
            pix_sent(pix).into_iter().chain([word("outcome", "paid")]).collect()
        }
        payment::Event::Failed { reason, .. } | payment::Event::FailedAfterSend(reason) => {
            vec![word("outcome", "failed"), word("error", payments::error(*reason))]
        }
        payment::Event::Resolved { resolution, .. } => match resolution {
            Resolution::Returned(lost) => {
                vec![word("outcome", "return"), ("coins_lost", Some(lost.is_some().to_string()))]
            }
            Resolution::Paid(pix) => {
                pix_sent(pix).into_iter().chain([word("outcome", "consume_paid")]).collect()
            }
            Resolution::Lost(_) => vec![word("outcome", "consume_lost")],
        },
        payment::Event::Requested(_)
        | payment::Event::Confirmed
        | payment::Event::Questioned
        | payment::Event::Resumed
        | payment::Event::Recovered { .. } => Vec::new(),
    }
}

/// The USDT that a fact says left for a payment, where it says so.
fn amount_sent(fact: &Fact) -> Option<Units> {
    let Fact::Wallet(fact) = fact.bare() else { return None };
    match &**fact {
        wallet::Fact::Payment { step: wallet::Step::Send(_, left), .. } => *left,
        _ => None,
    }
}

fn withdrawal_fields(event: &withdrawal::Event) -> Vec<FieldText> {
    match event {
        withdrawal::Event::Converted { obtained, .. } => {
            vec![units("obtained", *obtained, Scale::SIX)]
        }
        withdrawal::Event::Resumed => vec![word("outcome", "resumed")],
        withdrawal::Event::Questioned(Some(sent)) => sent_fields(sent),
        withdrawal::Event::Completed { sent, .. } => {
            sent_fields(sent).into_iter().chain([word("outcome", "completed")]).collect()
        }
        withdrawal::Event::Failed { .. } => vec![word("outcome", "failed")],
        withdrawal::Event::Requested(_)
        | withdrawal::Event::Begun
        | withdrawal::Event::Funded(_)
        | withdrawal::Event::Questioned(None) => Vec::new(),
    }
}

fn sent_fields(sent: &Sent) -> Vec<FieldText> {
    let fee = sent.network_fee.map(|fee| units("network_fee", fee, Scale::SIX));
    vec![
        word("tx_hash", &sent.hash),
        units("received", sent.received, Scale::SIX),
        fee.unwrap_or(("network_fee", None)),
    ]
}
