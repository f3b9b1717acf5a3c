//! The payer ladder: how much one document may pay a day, at once or held (LIM-04 to LIM-14,
//! rulings 12).

use minicbor::{Decode, Encode};

use crate::money::{Amount, Balance, Cents};
use crate::time::{Instant, Span};

/// The numbers of the ladder, in centavos (P:LadderStages).
///
/// ```
/// use ledger_core::money::Amount;
/// use ledger_core::terms::{Band, Ladder, Payer};
/// use ledger_core::time::Instant;
///
/// let amount = |cents| Amount::new(cents).expect("it is above zero");
/// let noon = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// let mut payer = Payer::default();
/// assert_eq!(Ladder::default().allowance(&payer, noon).admits(amount(20_001)), None);
///
/// // Once it has paid, it may pay more; what passes the band of its first day is held.
/// payer.pay(amount(20_000), noon, noon);
/// let allowance = Ladder::default().allowance(&payer, noon);
/// assert_eq!(allowance.admits(amount(20_001)), Some(Band::Held(24)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Ladder {
    /// The largest QR of a document the provider does not know yet.
    #[n(0)]
    pub first_qr: Amount,
    /// What a known document may pay at once before its first payment.
    #[n(1)]
    pub first_transaction: Amount,
    /// What it may pay at once within 24 hours of its first payment.
    #[n(2)]
    pub first_day: Amount,
    /// What it may pay at once on any later day.
    #[n(3)]
    pub mature_day: Amount,
    /// What it may pay in one window at all; what passes the band is held at the provider.
    #[n(4)]
    pub held: Amount,
    /// For how many hours.
    #[n(5)]
    pub hours: u16,
}

/// Where a document stands on the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// It never paid, and the provider does not know it.
    FirstQr,
    /// It never paid, but is known.
    FirstTransaction,
    /// Within 24 hours of its first payment.
    FirstDay,
    /// More than 24 hours after its first payment.
    Mature,
}

/// What a review of a document found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Review {
    /// Nothing is known of it.
    #[default]
    #[n(0)]
    Unknown,
    /// The provider knows it.
    #[n(1)]
    Identified,
    /// It may not pay.
    #[n(2)]
    Blocked,
}

/// What the ledger counts of one document, across all accounts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Payer {
    /// What a review found.
    #[n(0)]
    pub review: Review,
    /// When its first payment was confirmed.
    #[n(1)]
    pub first_paid_at: Option<Instant>,
    /// Charges issued and not paid yet.
    #[n(2)]
    pub pending: Cents,
    /// Paid within 24 hours of the first payment.
    #[n(3)]
    pub first_day: Cents,
    /// The day of Brasília of the last payment, as its first instant.
    #[n(4)]
    pub day: Instant,
    /// Paid on that day.
    #[n(5)]
    pub today: Cents,
}

/// What a document may pay now.
///
/// ```
/// use ledger_core::terms::{Ladder, Payer, Review, Stage};
/// use ledger_core::time::Instant;
///
/// // A document that the provider knows, and that never paid.
/// let payer = Payer { review: Review::Identified, ..Payer::default() };
/// let allowance = Ladder::default().allowance(&payer, Instant::default());
/// assert_eq!(allowance.stage, Stage::FirstTransaction);
/// assert_eq!((allowance.at_once.cents(), allowance.most.cents()), (20_000, 600_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Where it stands.
    pub stage: Stage,
    /// What its window counts already: paid, and pending, of that of other accounts at most half of
    /// what may be held.
    pub used: Cents,
    /// What it may still pay at once.
    pub at_once: Cents,
    /// The largest charge that passes, held or not.
    pub most: Cents,
    /// What it may still pay if held.
    pub held: Cents,
    /// When the next stage begins by itself.
    pub matures_at: Option<Instant>,
    /// The numbers behind it.
    pub ladder: Ladder,
}

/// Tells whether a charge that passes is held at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Band {
    /// It is not held there.
    Instant,
    /// For so many hours, as a whole (P:HoldWhole).
    Held(u16),
}

impl Default for Ladder {
    fn default() -> Self {
        let amount = |cents| Amount::new(cents).expect("positive");
        Self {
            first_qr: amount(20_000),
            first_transaction: amount(20_000),
            first_day: amount(20_000),
            mature_day: amount(20_000),
            held: amount(600_000),
            hours: 24,
        }
    }
}

impl Ladder {
    /// Returns what `payer` may pay at `at`.
    #[must_use]
    pub fn allowance(self, payer: &Payer, at: Instant) -> Allowance {
        self.allowance_beside(payer, Cents::ZERO, at)
    }

    /// The same for an account beside others, which issued `elsewhere` of what is pending: that
    /// takes at most half of each bound (P:PayerScope).
    #[must_use]
    pub fn allowance_beside(self, payer: &Payer, elsewhere: Cents, at: Instant) -> Allowance {
        let stage = payer.stage(at);
        let all = payer.amount_used(at);
        let counted = |bound: Amount| {
            let most = Balance::new(bound.cents() / 2).spendable();
            all.less_or_nothing(elsewhere.less_or_nothing(most))
        };
        let (band, used) = (self.band(stage), counted(self.held));
        let held = self.held.as_cents().less_or_nothing(used);
        Allowance {
            stage,
            used,
            at_once: band.as_cents().less_or_nothing(counted(band)),
            most: match stage {
                Stage::FirstQr => held.min(self.first_qr.as_cents()),
                _ => held,
            },
            held,
            matures_at: payer.first_day_ends().filter(|ends| at < *ends),
            ladder: self,
        }
    }

    /// Returns what a stage may pay at once.
    #[must_use]
    pub fn band(self, stage: Stage) -> Amount {
        match stage {
            Stage::FirstQr => self.first_qr.min(self.first_transaction),
            Stage::FirstTransaction => self.first_transaction,
            Stage::FirstDay => self.first_day,
            Stage::Mature => self.mature_day,
        }
    }
}

impl Allowance {
    /// How a charge of `amount` passes; `None` when it does not.
    #[must_use]
    pub fn admits(&self, amount: Amount) -> Option<Band> {
        if amount.as_cents() <= self.at_once && amount.as_cents() <= self.most {
            Some(Band::Instant)
        } else if amount.as_cents() <= self.most {
            Some(Band::Held(self.ladder.hours))
        } else {
            None
        }
    }
}

impl Payer {
    /// Where the document stands at `at`.
    #[must_use]
    pub fn stage(&self, at: Instant) -> Stage {
        match self.first_day_ends() {
            None if self.review == Review::Unknown => Stage::FirstQr,
            None => Stage::FirstTransaction,
            Some(ends) if at < ends => Stage::FirstDay,
            Some(_) => Stage::Mature,
        }
    }

    /// Returns what counts at `at`: pending charges, and what was paid in the window: 24 hours
    /// rolling from the first payment, afterwards the calendar day of Brasília (P:PayerDay).
    #[must_use]
    pub fn amount_used(&self, at: Instant) -> Cents {
        let paid = match self.stage(at) {
            Stage::FirstQr | Stage::FirstTransaction => Cents::ZERO,
            Stage::FirstDay => self.first_day,
            Stage::Mature if self.day == at.day_begins_in_brasilia() => self.today,
            Stage::Mature => Cents::ZERO,
        };
        sum(self.pending, paid)
    }

    /// A charge was issued.
    pub fn issue(&mut self, amount: Amount) {
        self.pending = sum(self.pending, amount.as_cents());
    }

    /// A charge issued came to nothing.
    pub fn release(&mut self, amount: Amount) {
        self.pending = self.pending.less_or_nothing(amount.as_cents());
    }

    /// Counts a payment that was made at `paid_at` and is confirmed at `at`: the first window
    /// counts from a confirmation, a day what was paid on it. One of an earlier day than the last
    /// counts nothing today.
    pub fn pay(&mut self, amount: Amount, paid_at: Instant, at: Instant) {
        let first = *self.first_paid_at.get_or_insert(at);
        if at < first.after(Span::days(1)) {
            self.first_day = sum(self.first_day, amount.as_cents());
        }
        let day = paid_at.day_begins_in_brasilia();
        if day < self.day {
            return;
        }
        let before = if self.day == day { self.today } else { Cents::ZERO };
        self.day = day;
        self.today = sum(before, amount.as_cents());
    }

    /// Tells whether nothing about the document needs remembering.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        *self == Self::default()
    }

    fn first_day_ends(&self) -> Option<Instant> {
        self.first_paid_at.map(|first| first.after(Span::days(1)))
    }
}

/// Sums of what one document pays in a day; a ceiling where a journal no ledger wrote would pass
/// it.
fn sum(a: Cents, b: Cents) -> Cents {
    a.plus(b).unwrap_or(Balance::new(i64::MAX).spendable())
}
