//! The kinds of operations, and what each is called.

use minicbor::{Decode, Encode};

/// What kind of operation an id names.
///
/// ```
/// use ledger_core::id::Kind;
///
/// assert_eq!(Kind::Payout.field(), "payout_id");
/// assert_eq!(Kind::Conversion.field(), Kind::Charge.field());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Kind {
    /// A cash-in charge.
    #[n(0)]
    Charge,
    /// An internal transfer.
    #[n(1)]
    Transfer,
    /// A PIX payout.
    #[n(2)]
    Payout,
    /// A hold on custody money.
    #[n(3)]
    Hold,
    /// Money that matched nothing and waits for a person.
    #[n(4)]
    Suspense,
    /// A correction: a fee adjusted, a balance written off.
    #[n(5)]
    Adjustment,
    /// A conversion of custody into crypto: a charge with `fonte: saldo`.
    #[n(6)]
    Conversion,
    /// A withdrawal of partner commission in crypto.
    #[n(7)]
    CommissionWithdrawal,
    /// Crypto that left and matched nothing.
    #[n(8)]
    ErroneousDelivery,
    /// A cash-out order: external crypto sold for PIX.
    #[n(9)]
    CashOut,
    /// Crypto received that no order takes: a surplus, a late deposit, one that matched nothing.
    #[n(10)]
    UnmatchedDeposit,
    /// A deposit request of the USDT wallet.
    #[n(11)]
    WalletDeposit,
    /// A PIX paid from the USDT wallet.
    #[n(12)]
    WalletPayment,
    /// A withdrawal from the USDT wallet to an external one.
    #[n(13)]
    CryptoWithdrawal,
    /// A quote of a wallet payment or withdrawal.
    #[n(14)]
    Quote,
}

impl Kind {
    /// Every kind, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|known| known.kind)
    }

    /// The kind of this number; every id that is read asks for one.
    #[inline]
    pub(super) const fn numbered(number: usize) -> Option<Self> {
        if number < KINDS.len() { Some(KINDS[number].kind) } else { None }
    }

    /// What ids of this kind begin with, but for a cash-out's in the sandbox.
    pub(super) const fn prefix(self) -> &'static str {
        KINDS[self as usize].prefix
    }

    /// What tables call operations of this kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        KINDS[self as usize].name
    }

    /// What lines and answers call an id of this kind: `cashin_id`, `payout_id`, ...
    #[must_use]
    pub const fn field(self) -> &'static str {
        KINDS[self as usize].field
    }

    /// The names of [`Kind::field`], each once, and that of an operation of any kind: whoever looks
    /// for an operation in a line looks there.
    pub fn fields() -> impl Iterator<Item = &'static str> {
        let fields = KINDS.iter().enumerate();
        let first = fields
            .filter(|(at, known)| KINDS[..*at].iter().all(|earlier| earlier.field != known.field));
        first.map(|(_, known)| known.field).chain(["operation"])
    }
}

/// What a kind is called: by its ids, in tables, and by lines and answers.
#[derive(Clone, Copy)]
struct KindNames {
    kind: Kind,
    /// What its ids begin with.
    prefix: &'static str,
    /// What tables call operations of it.
    name: &'static str,
    /// What lines and answers call an id of it.
    field: &'static str,
}

const fn names(
    kind: Kind,
    prefix: &'static str,
    name: &'static str,
    field: &'static str,
) -> KindNames {
    KindNames { kind, prefix, name, field }
}

/// Every kind, in the order of their numbers.
static KINDS: [KindNames; 15] = [
    names(Kind::Charge, "ci_", "charge", "cashin_id"),
    names(Kind::Transfer, "tr_", "transfer", "transfer_id"),
    names(Kind::Payout, "po_", "payout", "payout_id"),
    names(Kind::Hold, "ho_", "hold", "hold_id"),
    names(Kind::Suspense, "su_", "suspense", "suspense_id"),
    names(Kind::Adjustment, "ad_", "adjustment", "adjustment_id"),
    names(Kind::Conversion, "cv_", "conversion", "cashin_id"),
    names(Kind::CommissionWithdrawal, "cw_", "commission_withdrawal", "withdrawal_id"),
    names(Kind::ErroneousDelivery, "st_", "stray", "stray_id"),
    names(Kind::CashOut, "co_", "cash_out", "cashout_id"),
    names(Kind::UnmatchedDeposit, "rc_", "receipt", "receipt_id"),
    names(Kind::WalletDeposit, "ud_", "wallet_deposit", "deposit_id"),
    names(Kind::WalletPayment, "cu_", "wallet_payment", "payment_id"),
    names(Kind::CryptoWithdrawal, "uw_", "crypto_withdrawal", "withdrawal_id"),
    names(Kind::Quote, "uq_", "quote", "quote_id"),
];
