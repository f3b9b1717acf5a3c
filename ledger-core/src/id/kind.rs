//! The kinds of operations, and what each is called.

use minicbor::{Decode, Encode};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $number:literal $prefix:literal $name:literal $field:literal
        $titles:expr;)*) => {
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
            $($(#[$doc])* #[n($number)] $kind,)*
        }

        /// Every kind, in the order of their numbers.
        static KINDS: &[KindNames] = &[$(
            KindNames {
                kind: Kind::$kind, prefix: $prefix, name: $name, field: $field, titles: $titles,
            },
        )*];
    };
}

// Its name, its number, what its ids begin with, what tables call operations of it, what lines and
// answers call an id of it, and what people call it in Portuguese and in English.
kinds! {
    /// A cash-in charge.
    Charge 0 "ci_" "charge" "cashin_id" ["Cobrança PIX", "PIX charge"];
    /// An internal transfer.
    Transfer 1 "tr_" "transfer" "transfer_id" ["Transferência", "Transfer"];
    /// A PIX payout.
    Payout 2 "po_" "payout" "payout_id" ["Saque PIX", "PIX payout"];
    /// A hold on custody money.
    Hold 3 "ho_" "hold" "hold_id" ["Bloqueio", "Hold"];
    /// Money that matched nothing and waits for a person.
    Suspense 4 "su_" "suspense" "suspense_id" ["Valor a esclarecer", "Suspense"];
    /// A correction: a fee adjusted, a balance written off.
    Adjustment 5 "ad_" "adjustment" "adjustment_id" ["Ajuste", "Adjustment"];
    /// A conversion of custody into crypto: a charge with `fonte: saldo`.
    Conversion 6 "cv_" "conversion" "cashin_id" ["Conversão em cripto", "Conversion"];
    /// A withdrawal of partner commission in crypto.
    CommissionWithdrawal 7 "cw_" "commission_withdrawal" "withdrawal_id"
        ["Saque de comissão", "Commission withdrawal"];
    /// Crypto that left and matched nothing.
    ErroneousDelivery 8 "st_" "stray" "stray_id" ["Envio indevido", "Erroneous delivery"];
    /// A cash-out order: external crypto sold for PIX.
    CashOut 9 "co_" "cash_out" "cashout_id" ["Venda de cripto", "Cash-out"];
    /// Crypto received that no order takes: a surplus, a late deposit, one that matched nothing.
    UnmatchedDeposit 10 "rc_" "receipt" "receipt_id" ["Depósito sem ordem", "Unmatched deposit"];
    /// A deposit request of the USDT wallet.
    WalletDeposit 11 "ud_" "wallet_deposit" "deposit_id" ["Depósito na carteira", "Wallet deposit"];
    /// A PIX paid from the USDT wallet.
    WalletPayment 12 "cu_" "wallet_payment" "payment_id"
        ["Pagamento da carteira", "Wallet payment"];
    /// A withdrawal from the USDT wallet to an external one.
    CryptoWithdrawal 13 "uw_" "crypto_withdrawal" "withdrawal_id"
        ["Retirada da carteira", "Wallet withdrawal"];
    /// A quote of a wallet payment or withdrawal.
    Quote 14 "uq_" "quote" "quote_id" ["Cotação da carteira", "Wallet quote"];
    /// An entry that a product posted.
    Entry 15 "en_" "entry" "entry_id" ["Lançamento", "Entry"];
}

// An id has four bits for its kind: a seventeenth would be read as the first.
const _: () = assert!(KINDS.len() <= 16);

impl Kind {
    /// Every kind, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|known| known.kind)
    }

    /// The kind of this number; every id that is read asks for one.
    #[inline]
    pub(super) const fn from_number(number: usize) -> Option<Self> {
        if number < KINDS.len() { Some(KINDS[number].kind) } else { None }
    }

    /// Returns what ids of this kind begin with, but for a cash-out's in the sandbox.
    pub(super) const fn prefix(self) -> &'static str {
        KINDS[self as usize].prefix
    }

    /// Returns what tables call operations of this kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        KINDS[self as usize].name
    }

    /// Returns what lines and answers call an id of this kind: `cashin_id`, `payout_id`, ...
    #[must_use]
    pub const fn field(self) -> &'static str {
        KINDS[self as usize].field
    }

    /// The titles that people read of an operation of this kind: in Portuguese and in English.
    #[must_use]
    pub const fn titles(self) -> [&'static str; 2] {
        KINDS[self as usize].titles
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

/// The names of a kind: in ids, in tables, in lines and answers, and for people.
#[derive(Clone, Copy)]
struct KindNames {
    kind: Kind,
    /// What its ids begin with.
    prefix: &'static str,
    /// What tables call operations of it.
    name: &'static str,
    /// What lines and answers call an id of it.
    field: &'static str,
    /// Its titles for people, in Portuguese and in English.
    titles: [&'static str; 2],
}
