//! Nothing that fits an order is sent back (OUT-16).
//!
//! From the acceptance of an order until its coins are ordered sold, its PIX is submitted, a refund
//! is decided or its revival window ends, a receipt of its token at its own address is the order's
//! (rulings 67, 75): it is no unmatched deposit. What was seen before came before the order had an
//! address, and so did what is mined once more of a transaction that was told of before.

use std::collections::BTreeMap;

use minicbor::{Decode, Encode};

use super::counted::Counted;
use super::{Findings, violates};
use crate::id::{AssetId, ChainId, OpId};
use crate::ledger::record::Record;
use crate::ledger::record::event::Event;
use crate::machine::{cash_out, unmatched_deposit};
use crate::time::Instant;

/// The orders of sellers that receipts still belong to.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Fitting {
    #[n(0)]
    orders: BTreeMap<OpId, Awaited>,
}

/// What an order awaits, and until when.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
struct Awaited {
    #[n(0)]
    kind: (AssetId, ChainId),
    /// The last instant at which a receipt may be seen.
    #[n(1)]
    until: Instant,
    #[n(2)]
    accepted: bool,
    /// When it was accepted: what was seen before had no address of it.
    #[n(3)]
    #[cbor(default)]
    accepted_at: Instant,
    /// The transactions that were told of the order before it was accepted, each in one form.
    #[n(4)]
    #[cbor(default)]
    before: Vec<Box<str>>,
}

impl Fitting {
    /// Takes in a record, once `counted` has learned what networks it names.
    pub(super) fn record(
        &mut self,
        record: &Record,
        counted: Option<&Counted>,
        found: &mut Findings,
    ) {
        for (index, event) in record.events.iter().enumerate() {
            match event {
                Event::CashOut { op, event } => self.sale(*op, event, record.at),
                Event::UnmatchedDeposit {
                    op,
                    event: unmatched_deposit::Event::Received(receipt),
                } => {
                    let gone = record.events[index..].iter().any(|later| {
                        matches!(later, Event::UnmatchedDeposit {
                            op: whose,
                            event: unmatched_deposit::Event::Vanished(_),
                        } if whose == op)
                    });
                    // What a provider gave back is no receipt at the order's address: it names no
                    // transaction, and words of ours stand for one.
                    let brought = receipt.deposit.transaction().is_some();
                    let hash = &receipt.deposit.hash;
                    let form = counted.map_or_else(
                        || hash.clone(),
                        |counted| counted.form(receipt.deposit.coins.chain, hash),
                    );
                    if brought && !gone && self.fits(receipt, &form) {
                        let what = format!("{op:?} fits {:?}, and is not its", receipt.about);
                        violates(found, "OUT-16", what);
                    }
                    self.tells(receipt, form);
                }
                _ => {}
            }
        }
    }

    fn sale(&mut self, op: OpId, event: &cash_out::Event, at: Instant) {
        use cash_out::Event as E;
        match event {
            E::Quoted(order) if order.is_sellers() => {
                let kind = (order.coins.asset, order.coins.chain);
                let until = order.expires_at.after(order.revival);
                let accepted_at = Instant::default();
                let (accepted, before) = (false, Vec::new());
                self.orders.insert(op, Awaited { kind, until, accepted, accepted_at, before });
            }
            E::Accepted { .. } => {
                if let Some(awaited) = self.orders.get_mut(&op) {
                    (awaited.accepted, awaited.accepted_at) = (true, at);
                }
            }
            E::Secured { .. } | E::PaymentBegun { .. } | E::RefundDecided { .. } | E::Failed => {
                self.orders.remove(&op);
            }
            _ => {}
        }
    }

    /// Remembers a transaction that is told of an order which is only quoted.
    fn tells(&mut self, receipt: &unmatched_deposit::Order, form: Box<str>) {
        let order = receipt.about.and_then(|order| self.orders.get_mut(&order));
        if let Some(order) = order.filter(|order| !order.accepted) {
            order.before.push(form);
        }
    }

    fn fits(&self, receipt: &unmatched_deposit::Order, form: &str) -> bool {
        let coins = receipt.deposit.coins;
        let awaited = receipt.about.and_then(|order| self.orders.get(&order));
        awaited.is_some_and(|awaited| {
            let own = awaited.kind == (coins.asset, coins.chain);
            let in_time = awaited.accepted_at..=awaited.until;
            let told_before = awaited.before.iter().any(|told| **told == *form);
            own && awaited.accepted && !told_before && in_time.contains(&receipt.deposit.seen_at)
        })
    }
}
