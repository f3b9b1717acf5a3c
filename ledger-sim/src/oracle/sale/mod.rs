//! Sales of crypto as the oracle sees them: Parts A7 to A11; rulings 14 and 31 to 33.
//!
//! What an order is stands here; what is asked and reported of it, its deposits, liquidation,
//! payment and refund each have a file.

mod ceiling;
mod deposit;
pub(super) mod fact;
mod held_back;
mod liquidation;
mod mined;
mod payment;
mod refund;
mod refund_fact;
mod request;
mod reversal;
pub(super) mod terms;
mod unmatched_deposit;
mod wallet;

use std::collections::BTreeSet;

use ledger_core::accounting::CoinAccount;
use ledger_core::id::{AccountId, ChainId, OpId, Token};
use ledger_core::ledger::{Outcome, Topic};
use ledger_core::machine::cash_out::{KeyOwner, Payee};
use ledger_core::terms::{Route, Switch};
use ledger_core::time::{Instant, Span};

use self::terms::{Priced, Rates};
use super::{Oracle, next_midnight};

pub(crate) use liquidation::{Got, Liquidation};
pub(crate) use mined::Mined;
pub(crate) use refund::{Due, Way};
pub(crate) use terms::Split;
pub(crate) use unmatched_deposit::{UnmatchedDeposit, UnmatchedDepositStatus};

/// So much of one asset on one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coin {
    pub(crate) asset: u16,
    pub(crate) chain: u16,
    pub(crate) units: u128,
}

/// An order to sell crypto.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sale {
    pub(crate) account: AccountId,
    /// The payment from a wallet that it pays for, if it is no seller's.
    pub(crate) payment: Option<OpId>,
    pub(crate) route: Route,
    pub(crate) pair: (Box<str>, Box<str>),
    /// What the seller is to send, and how its reais are divided when exactly that comes.
    pub(crate) coin: Coin,
    pub(crate) split: Split,
    pub(crate) pays_code: bool,
    rates: Rates,
    priced: Priced,
    range: (i64, i64),
    /// The largest refund without an operator; none: any.
    pub(crate) alone: Option<u128>,
    /// The recipients it counts on the day of its acceptance: its key, and every document named
    /// (rulings 66).
    pub(crate) whom: BTreeSet<Token>,
    /// The document that the client claims.
    claimed: Option<Token>,
    /// The recipient's document, where it is proven.
    pub(super) document: Option<Token>,
    pub(crate) wallet: Option<Box<str>>,
    pub(crate) made_at: Instant,
    pub(crate) expires_at: Instant,
    pub(crate) revival: Span,
    retries: (Span, Span),
    /// When it was accepted: it counts on that day.
    pub(crate) accepted: Option<Instant>,
    pub(crate) phase: Phase,
    pub(crate) delayed: bool,
    /// The price and decimals in force where they are not the order's own.
    repriced: Option<Priced>,
    pub(crate) deposits: Vec<HeldDeposit>,
    /// What became an unmatched deposit: by the transaction of which it was a part.
    pub(crate) split_off: Vec<(Box<str>, Coin)>,
    /// What it went on without, which waits as an unmatched deposit: by its transaction.
    odd: Vec<(Box<str>, OpId)>,
    /// What vanished, as it was last seen: transaction, what, when.
    pub(crate) gone: Vec<(Box<str>, Coin, Instant)>,
    /// What was promised of the recipient's day: that of its acceptance (rulings 44).
    pub(crate) promised: i64,
    /// What is sold for the recipient, once that is settled.
    pub(crate) sold: Option<(Coin, Split)>,
    pub(crate) liquidation: Liquidation,
    /// What the provider has of the token.
    pub(crate) handed: Option<u128>,
    /// Tells whether it kept the token for its payment.
    pub(crate) kept: Switch,
    pub(crate) attempts: PayoutAttempts,
    pub(crate) e2e: Option<Box<str>>,
    pub(crate) reversed: i64,
    /// What the provider gave back of a refused key.
    pub(crate) given_back: Option<i64>,
    pub(crate) refund: Option<Due>,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Quoted,
    Awaiting,
    Expired,
    Failed,
    Detected,
    /// Confirmed, to be sold before it is paid.
    Secured,
    Paying,
    Completed,
    /// A person has to look.
    Review(Reason),
    /// A refund is due, or sent.
    Refunding,
}

/// Why a person has to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Strange,
    Short,
    TooMuch,
    Unpriced,
    KeyRefused,
    Stopped,
    SaleLost,
    ReturnAwaited,
    RecipientDay,
    RecipientOrder,
    MandateOperation,
    MandateDay,
    MandateRecipient,
}

impl Reason {
    /// Tells whether a ceiling stands against the payment (rulings 44).
    pub(crate) const fn is_ceiling(self) -> bool {
        use Reason::{
            MandateDay, MandateOperation, MandateRecipient, RecipientDay, RecipientOrder,
        };
        matches!(
            self,
            RecipientDay | RecipientOrder | MandateOperation | MandateDay | MandateRecipient
        )
    }
}

/// A deposit of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldDeposit {
    pub(crate) hash: Box<str>,
    pub(crate) coin: Coin,
    /// Tells whether it stands in suspense.
    pub(crate) strange: bool,
    pub(crate) confirmed: bool,
    /// How many confirmations it was reported to have.
    pub(crate) confirmations: Option<u16>,
    pub(crate) seen_at: Instant,
}

/// The sends of a payment (P:RetrySchedule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PayoutAttempts {
    pub(crate) count: u32,
    pub(crate) first: Option<Instant>,
    pub(crate) again_at: Option<Instant>,
    pub(crate) lost: bool,
}

impl Sale {
    /// Until when it waits for time alone.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.phase {
            _ if self.payment.is_some() => None,
            Phase::Quoted | Phase::Awaiting => Some(self.expires_at),
            Phase::Paying => self.attempts.again_at,
            _ => None,
        }
    }

    /// Price and decimals that its crypto counts by.
    fn counts_by(&self) -> Priced {
        self.repriced.unwrap_or(self.priced)
    }

    /// Returns what it sends its recipient, and whether that came to nothing.
    pub(crate) fn sends(&self) -> (i64, bool) {
        let net = self.sold.map_or(self.split.net, |(_, split)| split.net);
        let gone = matches!(self.phase, Phase::Expired | Phase::Failed | Phase::Refunding);
        (net, gone)
    }

    /// All that this transaction brought it and did not take back, what became an unmatched deposit
    /// included.
    pub(crate) fn had(&self, hash: &str) -> Option<Coin> {
        let held = self.deposits.iter().map(|held| (&held.hash, held.coin));
        let split = self.split_off.iter().map(|(hash, coin)| (hash, *coin));
        let all = held.chain(split).filter(|(known, _)| ***known == *hash).map(|(_, coin)| coin);
        all.reduce(|sum, more| Coin { units: sum.units + more.units, ..sum })
    }

    /// Tells whether this transaction brought coins for it, whatever became of them.
    pub(crate) fn was_brought_by(&self, hash: &str) -> bool {
        let gone = self.gone.iter().any(|(gone, ..)| **gone == *hash);
        gone || self.had(hash).is_some() || self.odd(hash).is_some()
    }

    /// The unmatched deposit of a transaction that it went on without.
    fn odd(&self, hash: &str) -> Option<OpId> {
        self.odd.iter().rev().find(|(known, _)| **known == *hash).map(|(_, op)| *op)
    }

    /// Tells whether more of its own token still adds up: nothing of it is ordered sold or paid,
    /// and no refund is decided (rulings 67).
    fn adds_up(&self) -> bool {
        match self.phase {
            Phase::Awaiting | Phase::Expired => true,
            _ if self.payment.is_some() => false,
            Phase::Detected => true,
            Phase::Review(Reason::Strange | Reason::Short | Reason::TooMuch | Reason::Unpriced) => {
                true
            }
            Phase::Review(reason) => reason.is_ceiling() && self.sold.is_none(),
            _ => false,
        }
    }

    /// All that was deposited and belongs to it; none of several kinds.
    pub(crate) fn total_deposit(&self) -> Option<Coin> {
        let first = self.deposits.first()?.coin;
        let units = self.deposits.iter().map(|held| held.coin.units).sum();
        let alike = self.deposits.iter().all(|held| held.coin.is_like(first));
        alike.then_some(Coin { units, ..first })
    }

    pub(crate) fn all_confirmed(&self) -> bool {
        !self.deposits.is_empty() && self.deposits.iter().all(|held| held.confirmed)
    }

    /// Tells whether its PIX is being paid, or waits to be, after crypto was exchanged for reais.
    pub(crate) fn is_paying(&self) -> bool {
        match self.phase {
            Phase::Paying | Phase::Review(Reason::Stopped) => true,
            Phase::Review(reason) => reason.is_ceiling() && self.attempts.count > 0,
            _ => false,
        }
    }

    /// Returns what stands in flight for it in reais.
    pub(crate) fn in_flight(&self) -> i64 {
        let Some((_, split)) = self.sold.filter(|_| self.payment.is_none()) else { return 0 };
        match self.phase {
            Phase::Review(Reason::KeyRefused) => split.gross(),
            _ if self.is_paying() => split.gross(),
            // Fees and reserve are earned when the refund is sent (W54).
            Phase::Refunding if self.given_back.is_some() && !self.is_refunded() => {
                split.deductions()
            }
            _ => 0,
        }
    }

    pub(crate) fn is_refunded(&self) -> bool {
        self.refund.as_ref().is_some_and(|due| matches!(due.way, Way::Sent(_)))
    }

    /// Tells whether nothing more happens by itself: it ended, or a person has to act.
    pub(crate) fn is_over(&self) -> bool {
        match self.phase {
            Phase::Expired | Phase::Failed => true,
            Phase::Completed | Phase::Refunding => self.refund.is_none() || self.is_refunded(),
            _ => false,
        }
    }
}

impl Coin {
    pub(crate) const fn is_like(self, other: Self) -> bool {
        self.asset == other.asset && self.chain == other.chain
    }

    pub(super) const fn stock(self) -> CoinAccount {
        CoinAccount::Treasury(ChainId(self.chain))
    }

    const fn transit(self) -> CoinAccount {
        CoinAccount::Transit(ChainId(self.chain))
    }
}

/// The recipients that a payee counts: its key or the address of its code, and each document that
/// the key is, a lookup named or the client claims.
fn whom(payee: &Payee) -> BTreeSet<Token> {
    let proven = payee.owner.and_then(KeyOwner::document);
    [Some(payee.counted_as), payee.tax_number, proven].into_iter().flatten().collect()
}

impl Oracle {
    fn sale(&mut self, op: OpId) -> &mut Sale {
        self.sales.get_mut(&op).expect("the caller found it")
    }

    /// What everybody whom a payee counts may still be promised on the day of `at` (rulings 14 and
    /// 66).
    pub(crate) fn room(&self, payee: &Payee, at: Instant) -> i64 {
        self.room_of(&whom(payee), at)
    }

    fn room_of(&self, whom: &BTreeSet<Token>, at: Instant) -> i64 {
        let day = next_midnight(at);
        let used = whom.iter().map(|of| self.promised.get(&(*of, day)).copied().unwrap_or(0));
        let most = self.policy.sale_limits().recipient_daily.cents();
        (most - used.max().unwrap_or(0)).max(0)
    }

    /// An order is paid to another key: that counts it from now on, and the first no longer.
    fn goes_to(&mut self, op: OpId, to: BTreeSet<Token>) {
        let promised = self.sales[&op].promised;
        self.unpromise(op);
        self.sale(op).whom = to;
        self.promise(op, promised);
    }

    /// So much more is promised, on the day the order was accepted.
    fn promise(&mut self, op: OpId, cents: i64) {
        if let Some(day) = self.sales[&op].day().filter(|_| cents > 0) {
            let sale = self.sale(op);
            sale.promised += cents;
            for recipient in sale.whom.clone() {
                *self.promised.entry((recipient, day)).or_default() += cents;
            }
        }
    }

    /// What was promised comes to nothing: its day gets it back.
    fn unpromise(&mut self, op: OpId) {
        let Some(day) = self.sales[&op].day() else { return };
        let sale = self.sale(op);
        let (whom, promised) = (sale.whom.clone(), std::mem::take(&mut sale.promised));
        for recipient in whom {
            *self.promised.entry((recipient, day)).or_default() -= promised;
        }
    }

    /// Debits one account of crypto and credits another.
    pub(super) fn shift(&mut self, coin: Coin, debit: CoinAccount, credit: CoinAccount) {
        self.coins(coin.asset, debit, credit, coin.units);
    }

    /// An order waits for a person.
    fn review(&mut self, op: OpId, reason: Reason) {
        let sale = self.sale(op);
        sale.phase = Phase::Review(reason);
        sale.delayed = false;
        self.notify(op, Topic::CashOutUnderReview);
    }
}

const APPLIED: Outcome = Outcome::Applied(None);
const ASIDE: Outcome = Outcome::SetAside(None);
