//! What a charge is agreed under, what paid it, and what was booked for it.

use minicbor::{Decode, Encode};

use crate::id::{AccountId, SubaccountId, Token};
use crate::machine::purchase;
use crate::money::{Amount, Cents};
use crate::network::address;
use crate::terms::{Rate, Release, Switch};
use crate::time::Instant;

/// The terms of a charge: fixed when requested.
///
/// ```
/// use ledger_core::machine::charge::{Order, PixPayment};
/// # use ledger_core::id::{AccountId, SubaccountId, Token};
/// # use ledger_core::machine::charge::{Delivery, Qr};
/// # use ledger_core::{money::Amount, terms::{Rate, Release, Switch}, time::{Instant, Span}};
/// # let amount = |cents| Amount::new(cents).expect("it is above zero");
/// # let noon = Instant::parse("2026-11-20T12:00:00Z").expect("it is RFC 3339");
/// # let order = Order {
/// #     account: AccountId(0), subaccount: SubaccountId(1), amount: amount(10_000),
/// #     fee: Rate::default(), retention_hours: None, release: Release::Immediate,
/// #     waiting_hours: 0, created_at: noon, expires_at: noon.after(Span::hours(1)),
/// #     payer: Token([1; 16]), payer_name: None, allow_hold: Switch::Off,
/// #     delivery: Delivery { asset: "usdt".into(), chain: "polygon".into(), address: None },
/// #     qr: Qr { copypaste: "0002".into(), image_url: None }, external_id: None, purchase: None,
/// # };
///
/// // R$ 100.00, to be paid within an hour: exactly, and in time by the provider's clock.
/// let pix = |cents, paid_at| PixPayment { e2e: "E1".into(), amount: amount(cents), paid_at };
/// assert!(order.is_paid_by(&pix(10_000, order.expires_at)));
/// assert!(!order.is_paid_by(&pix(10_001, noon)));
/// assert!(!order.is_paid_by(&pix(10_000, noon.after(Span::hours(2)))));
/// let before = Instant::from_micros(noon.micros() - 1).expect("it is an instant");
/// assert!(!order.is_paid_by(&pix(10_000, before)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account that issued it.
    #[n(0)]
    pub account: AccountId,
    /// The subaccount credited when it is paid.
    #[n(1)]
    pub subaccount: SubaccountId,
    /// What the QR asks for, in centavos; only exactly this pays it (CIN-28).
    #[n(2)]
    pub amount: Amount,
    /// The deposit fee, as in force at creation (P:FeeTiming).
    #[n(3)]
    pub fee: Rate,
    /// How many hours the provider holds it, if it does: `held`, `held_hours` (CIN-25).
    #[n(4)]
    pub retention_hours: Option<u16>,
    /// When the credit becomes available, if the provider does not hold it.
    #[n(5)]
    pub release: Release,
    /// How long a first deposit blocks withdrawals, in hours.
    #[n(6)]
    pub waiting_hours: u16,
    /// When it was created.
    #[n(7)]
    pub created_at: Instant,
    /// The last instant at which it can be paid (CIN-24).
    #[n(8)]
    pub expires_at: Instant,
    /// The payer's CPF or CNPJ.
    #[n(9)]
    pub payer: Token,
    /// The payer's name, if given.
    #[n(10)]
    pub payer_name: Option<Token>,
    /// Tells whether retention was allowed: `allow_hold`.
    #[n(11)]
    pub allow_hold: Switch,
    /// Asset, chain and wallet as requested or defaulted; they do not matter to custody (CIN-22).
    #[n(12)]
    pub delivery: Delivery,
    /// What the payer scans.
    #[n(13)]
    pub qr: Qr,
    /// The client's own id.
    #[n(14)]
    pub external_id: Option<Box<str>>,
    /// What it buys, when it is a purchase; the custody is then the house balance, which bears what
    /// is returned after delivery (rulings 28).
    #[n(15)]
    pub purchase: Option<Box<purchase::Terms>>,
}

/// Where crypto would go; echoed on custody charges.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Delivery {
    /// The asset's name, as the contract writes it.
    #[n(0)]
    pub asset: Box<str>,
    /// The network's name, as the contract writes it.
    #[n(1)]
    pub chain: Box<str>,
    /// The wallet, if one was given.
    #[n(2)]
    pub address: Option<Box<str>>,
}

impl Delivery {
    /// Tells whether it goes to this wallet, in whichever spelling (rulings 64), or both to none.
    #[must_use]
    pub fn is_to(&self, wallet: Option<&str>) -> bool {
        address::is_same(&self.chain, self.address.as_deref(), wallet)
    }
}

/// The QR code, supplied by the provider (rulings 39).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Qr {
    /// The copy-and-paste code.
    #[n(0)]
    pub copypaste: Box<str>,
    /// Its picture, when the provider offers one.
    #[n(1)]
    pub image_url: Option<Box<str>>,
}

/// A PIX that paid the charge.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct PixPayment {
    /// The end-to-end id.
    #[n(0)]
    pub e2e: Box<str>,
    /// What was paid, in centavos.
    #[n(1)]
    pub amount: Amount,
    /// When the payer paid, by the provider's clock (rulings 13), and never after the report of it
    /// (rulings 69).
    #[n(2)]
    pub paid_at: Instant,
}

/// Where a credited PIX stood before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Origin {
    /// Just received by the provider.
    #[n(0)]
    Provider,
    /// In flight, because the provider held it.
    #[n(1)]
    Flight,
    /// In suspense, until an operator attached it.
    #[n(2)]
    Suspense,
}

/// Where a held part goes when it is taken before it matures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Into {
    /// To available, for a forced debit (rulings 23).
    #[n(0)]
    Available,
    /// To frozen, for a block (rulings 26).
    #[n(1)]
    Frozen,
}

/// A credit booked to the subaccount; complete without its neighbours.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Credit {
    /// The subaccount that it is booked to.
    #[n(0)]
    pub subaccount: SubaccountId,
    /// Where the money stood before.
    #[n(1)]
    pub origin: Origin,
    /// What was received and not returned before, in centavos.
    #[n(2)]
    pub gross: Amount,
    /// The deposit fee: never more than the gross (rulings 22).
    #[n(3)]
    pub fee: Cents,
    /// When it becomes available; none when at once.
    #[n(4)]
    pub available_at: Option<Instant>,
    /// When the waiting period it starts ends; none when it starts none.
    #[n(5)]
    pub waiting_until: Option<Instant>,
    /// When it was booked.
    #[n(6)]
    pub booked_at: Instant,
}

impl PixPayment {
    /// The end of the day on which it was paid, or, where the provider's clock runs ahead,
    /// reported.
    pub(super) fn released_at(&self, reported_at: Instant) -> Instant {
        self.paid_at.min(reported_at).next_day_in_brasilia()
    }
}

impl Order {
    /// Tells whether this PIX pays it: exactly, and in time by the provider's clock (CIN-28,
    /// rulings 13).
    #[must_use]
    pub fn is_paid_by(&self, payment: &PixPayment) -> bool {
        payment.amount == self.amount
            && payment.paid_at <= self.expires_at
            && !self.is_preceded_by(payment)
    }

    /// Tells whether the PIX was paid before the charge existed (rulings 69). Providers report
    /// whole seconds, so the second in which the charge was created counts as a whole.
    #[must_use]
    pub fn is_preceded_by(&self, payment: &PixPayment) -> bool {
        const SECOND: i64 = 1_000_000;
        let created = self.created_at.micros();
        payment.paid_at.micros() < created - created.rem_euclid(SECOND)
    }

    /// Tells whether an operator may give it this PIX from suspense: a purchase takes only what it
    /// was agreed for.
    #[must_use]
    pub fn can_take(&self, payment: &PixPayment) -> bool {
        self.purchase.is_none() || payment.amount == self.amount
    }

    /// Tells whether the credit is available at once: released by the provider, or by the terms
    /// (CUS-19).
    #[must_use]
    pub fn credits_at_once(&self) -> bool {
        self.retention_hours.is_some() || self.release == Release::Immediate
    }
}

impl Credit {
    /// Returns what the subaccount gained: gross less fee.
    #[must_use]
    pub fn net(&self) -> Cents {
        self.gross.minus(self.fee).expect("the fee is at most the gross")
    }

    pub(super) fn is_sound(
        &self,
        order: &Order,
        payment: &PixPayment,
        returned: Cents,
        at_once: bool,
    ) -> bool {
        let owed = order.fee.on(payment.amount).unwrap_or(self.gross.as_cents());
        self.subaccount == order.subaccount
            && match self.available_at {
                Some(_) => !at_once,
                None => at_once || payment.released_at(self.booked_at) <= self.booked_at,
            }
            && payment.amount.minus(returned) == Some(self.gross.as_cents())
            && self.fee == owed.min(self.gross.as_cents())
    }
}
