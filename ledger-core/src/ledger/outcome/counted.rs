//! One transaction is counted once, in whichever spelling it is reported (OUT-15; rulings 64).
//!
//! What brings crypto is counted while it has not vanished, whoever it is of; what takes it away,
//! for each operation. [`check_dates`] looks at when it happened.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use minicbor::{Decode, Encode};

use super::{Findings, delivery_event, violates};
use crate::hexadecimal;
use crate::id::{ChainId, Kind, OpId};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::refund::Coins;
use crate::machine::wallet::deposit::{Event as Moved, Rejection, Transfer};
use crate::machine::{
    cash_out, charge, delivery, erroneous_delivery, purchase, unmatched_deposit, wallet,
};
use crate::time::Instant;

/// Networks that write a transaction in 64 hexadecimal digits, with `0x` or without.
const PREFIXED: [&str; 8] =
    ["polygon", "eth", "ethereum", "bsc", "arbitrum", "base", "tron", "ton"];
/// Networks that write one in 64 hexadecimal digits and nothing else.
const PLAIN: [&str; 3] = ["liquid", "bitcoin", "litecoin"];

/// What was counted, each transaction in one form.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Counted {
    /// Networks by their names.
    #[n(0)]
    networks: BTreeMap<ChainId, Box<str>>,
    /// Outputs that brought a deposit, until they vanish; what, and whether that became a claim.
    #[n(1)]
    brought: BTreeMap<Box<str>, (Coins, bool)>,
    /// The output of each unmatched deposit.
    #[n(2)]
    unmatched: BTreeMap<OpId, Box<str>>,
    /// Outputs that brought coins for a wallet, until they vanish or their credit is undone.
    #[n(3)]
    coins: BTreeSet<(ChainId, Box<str>)>,
    /// What left for an operation, and how that stands.
    #[n(4)]
    left: BTreeMap<(OpId, Box<str>), Course>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
enum Course {
    /// It left as it was asked for.
    #[n(0)]
    Sent,
    /// It left without a reason, and is a claim.
    #[n(1)]
    Claimed,
    /// That claim ended.
    #[n(2)]
    Settled,
}

impl Counted {
    pub(super) fn record(&mut self, record: &Record, found: &mut Findings) {
        for event in &record.events {
            self.learn(event);
            if let Some((op, chain, hash)) = sent_transaction(event) {
                // The claim of what was sent early ends where it is booked, in the same record.
                let settled = record.events.iter().any(|other| self.settles(other, op, hash));
                self.leaves((op, self.form(chain, hash)), settled, found);
            }
            match event {
                Event::CashOut { event, .. } => self.sale(event, found),
                Event::UnmatchedDeposit { op, event } => {
                    self.count_unmatched_deposit(*op, event, found);
                }
                Event::WalletDeposit { event, .. } => self.wallet(event, found),
                Event::ErroneousDelivery { event, .. } => self.claim(event, found),
                _ => {}
            }
        }
    }

    fn learn(&mut self, event: &Event) {
        match event {
            Event::CatalogueUpdated { listed, .. } => {
                let named = listed.iter().map(|it| (it.chain, it.chain_name.clone()));
                self.networks.extend(named);
            }
            Event::MarketsUpdated { opened, .. } => {
                let named = opened.iter().map(|it| (it.chain, it.chain_name.clone()));
                self.networks.extend(named);
            }
            _ => {}
        }
    }

    fn sale(&mut self, event: &cash_out::Event, found: &mut Findings) {
        match event {
            cash_out::Event::DepositSeen { deposit, .. } => {
                self.arrives(deposit, found);
            }
            cash_out::Event::DepositVanished { hash, coins, .. } => {
                self.brought.remove(&self.form(coins.chain, hash));
            }
            _ => {}
        }
    }

    fn count_unmatched_deposit(
        &mut self,
        op: OpId,
        event: &unmatched_deposit::Event,
        found: &mut Findings,
    ) {
        use unmatched_deposit::Event as E;
        match event {
            // What a provider gave back names no transaction, and words of ours stand for one.
            E::Received(order) if order.deposit.transaction().is_some() => {
                self.arrives(&order.deposit, found);
                let form = self.form(order.deposit.coins.chain, &order.deposit.hash);
                self.unmatched.insert(op, form);
            }
            // Its order counted it.
            E::Parted { order, .. } => {
                let form = self.form(order.deposit.coins.chain, &order.deposit.hash);
                self.unmatched.insert(op, form);
            }
            E::Vanished(_) => {
                if let Some(form) = self.unmatched.get(&op) {
                    self.brought.remove(form);
                }
            }
            _ => {}
        }
    }

    fn arrives(&mut self, deposit: &cash_out::Deposit, found: &mut Findings) {
        let cash_out::Deposit { coins, hash, .. } = deposit;
        let form = self.form(coins.chain, hash);
        if self.brought.insert(form, (*coins, false)).is_some() {
            violates(found, "OUT-15", format!("a deposit of {hash} is counted twice"));
        }
    }

    /// What vanishes once it is confirmed is a claim: once, on all that the transaction brought.
    fn vanishes(&mut self, claim: &erroneous_delivery::Order, found: &mut Findings) {
        let deposit = matches!(claim.about.kind(), Kind::CashOut | Kind::UnmatchedDeposit);
        let form = self.form(claim.chain, &claim.hash);
        let Some((coins, claimed)) = self.brought.get_mut(&form).filter(|_| deposit) else {
            return;
        };
        if coins.asset != claim.asset || coins.units != claim.units || *claimed {
            let (of, brought) = (claim.units.get(), coins.units.get());
            let what = format!("{}: {of} are claimed of {brought} that it brought", claim.hash);
            violates(found, "OUT-15", what);
        }
        *claimed = true;
    }

    fn wallet(&mut self, event: &Moved, found: &mut Findings) {
        match event {
            Moved::Seen { transfer, .. }
            | Moved::Mismatched(transfer)
            | Moved::Found { transfer, .. }
            | Moved::MinedAgain(transfer)
                if !self.coins.insert(self.output(transfer)) =>
            {
                let hash = &transfer.mark.hash;
                violates(found, "OUT-15", format!("coins of {hash} are counted twice"));
            }
            Moved::Rejected { transfer, rejection: Rejection::Vanished }
            | Moved::Reversed { transfer, .. } => {
                self.coins.remove(&self.output(transfer));
            }
            _ => {}
        }
    }

    fn output(&self, transfer: &Transfer) -> (ChainId, Box<str>) {
        let form = self.form(transfer.chain, &transfer.mark.hash);
        (transfer.chain, format!("{form}#{}", transfer.mark.index).into())
    }

    fn claim(&mut self, event: &erroneous_delivery::Event, found: &mut Findings) {
        match event {
            erroneous_delivery::Event::Claimed(order) => {
                self.vanishes(order, found);
                let key = (order.about, self.form(order.chain, &order.hash));
                let before = self.left.insert(key, Course::Claimed);
                let anew = order.again.is_some() && before == Some(Course::Settled);
                if before.is_some() && !anew {
                    let (about, hash) = (order.about, &order.hash);
                    violates(found, "OUT-15", format!("{about:?}: {hash} is claimed besides"));
                }
            }
            erroneous_delivery::Event::Settled { order, end } => {
                let key = (order.about, self.form(order.chain, &order.hash));
                // What is there again may vanish anew.
                if let (erroneous_delivery::End::Recovered, Some((_, claimed))) =
                    (end, self.brought.get_mut(&key.1))
                {
                    *claimed = false;
                }
                if let Some(course) = self.left.get_mut(&key)
                    && *course == Course::Claimed
                {
                    *course = Course::Settled;
                }
            }
        }
    }

    fn settles(&self, event: &Event, op: OpId, hash: &str) -> bool {
        let Event::ErroneousDelivery {
            event: erroneous_delivery::Event::Settled { order, .. },
            ..
        } = event
        else {
            return false;
        };
        order.about == op && self.form(order.chain, &order.hash) == self.form(order.chain, hash)
    }

    fn leaves(&mut self, key: (OpId, Box<str>), settled: bool, found: &mut Findings) {
        let op = key.0;
        let before = self.left.insert(key, Course::Sent);
        let again = match before {
            None | Some(Course::Settled) => false,
            Some(Course::Claimed) => !settled,
            Some(Course::Sent) => true,
        };
        if again {
            violates(found, "OUT-15", format!("{op:?}: one transaction is booked twice"));
        }
    }

    /// The one form of a transaction on a network, with the number of any output but the first.
    pub(super) fn form(&self, chain: ChainId, text: &str) -> Box<str> {
        let network = self.networks.get(&chain).map_or("", |name| name);
        let (hash, output) =
            text.rsplit_once('#').map_or((text, "0"), |(hash, output)| (hash, output));
        let bare = match hash.get(..2) {
            Some("0x" | "0X") if PREFIXED.contains(&network) => &hash[2..],
            _ => hash,
        };
        let hexadecimal = PREFIXED.contains(&network) || PLAIN.contains(&network);
        let digits = bare.len() == 64 && bare.bytes().all(|b| b.is_ascii_hexdigit());
        let hash = match (hexadecimal && digits, network) {
            (true, _) => bare.to_ascii_lowercase(),
            (false, "ton") => of_base64(hash).unwrap_or_else(|| hash.into()),
            (false, _) => hash.into(),
        };
        if output == "0" { hash.into() } else { format!("{hash}#{output}").into() }
    }
}

/// 32 bytes in base64, by either alphabet, in hexadecimal.
fn of_base64(text: &str) -> Option<String> {
    let plain = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
    let bytes = URL_SAFE_NO_PAD.decode(plain).ok().filter(|bytes| bytes.len() == 32)?;
    Some(hexadecimal::digits(&bytes))
}

/// The crypto that an event books as sent: for which operation, on which network, in which
/// transaction.
fn sent_transaction(event: &Event) -> Option<(OpId, ChainId, &str)> {
    if let Some((op, delivery::Event::Sent { delivery_terms, hash, .. })) = delivery_event(event) {
        return Some((op, delivery_terms.chain, hash));
    }
    match event {
        Event::CashOut { op, event: cash_out::Event::RefundSent { coins, hash, .. } }
        | Event::UnmatchedDeposit {
            op,
            event: unmatched_deposit::Event::RefundSent { coins, hash },
        } => Some((*op, coins.chain, hash)),
        Event::CryptoWithdrawal {
            op,
            event: wallet::withdrawal::Event::Completed { terms, sent, .. },
        } => Some((*op, terms.chain, &sent.hash)),
        Event::WalletPayment { op, event: wallet::payment::Event::Sent { chain, hash, .. } } => {
            Some((*op, *chain, hash))
        }
        _ => None,
    }
}

/// What came from outside happened before it was recorded (OUT-17; rulings 69): an instant ahead of
/// its record's would let a reporter's clock decide what time has not come to.
pub(super) fn check_dates(record: &Record, found: &mut Findings) {
    let later = record.events.iter().filter_map(happened_at).find(|happened| record.at < *happened);
    if let Some(happened) = later {
        let what = format!("what happened at {happened} is recorded at {}", record.at);
        violates(found, "OUT-17", what);
    }
}

/// The instant at which whoever reported it says that it happened.
fn happened_at(event: &Event) -> Option<Instant> {
    match event {
        Event::Charge {
            event:
                charge::Event::Delayed { payment, .. }
                | charge::Event::Credited { payment, .. }
                | charge::Event::UnderReview { payment }
                | charge::Event::Purchase(purchase::Event::Paid { payment, .. }),
            ..
        } => Some(payment.paid_at),
        Event::CashOut { event, .. } => match event {
            cash_out::Event::DepositSeen { deposit, .. } => Some(deposit.seen_at),
            cash_out::Event::Completed { pix, .. } => Some(pix.paid_at),
            _ => None,
        },
        Event::UnmatchedDeposit { event: unmatched_deposit::Event::Received(order), .. } => {
            Some(order.deposit.seen_at)
        }
        Event::WalletPayment { event: wallet::payment::Event::Completed { pix, .. }, .. } => {
            Some(pix.paid_at)
        }
        _ => None,
    }
}
