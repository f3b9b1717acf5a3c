//! What came of an order, and what shows it.

use super::order::CryptoAmount;

/// What came of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// It was done, and this shows it.
    Done(T),
    /// It was taken. What becomes of it is reported later.
    Accepted,
    /// It was not done, and another try may do it: nothing left.
    Failed,
    /// It was not done, and no further try would do it: nothing left. Of a withdrawal from a wallet
    /// a person finds that out, so it waits for evidence like [`Outcome::Unknown`].
    Refused,
    /// Nobody knows whether it was done: it waits for evidence, and nothing moves.
    Unknown,
    /// It could not be asked for now, and nothing left: it is asked again later, and the ledger is
    /// told nothing.
    NotNow,
    /// Whoever carries it out reports every step by itself: the ledger is told nothing more.
    Reported,
}

/// A PIX that was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PixPaid {
    /// Its end-to-end id.
    pub e2e: String,
    /// The `https://` address of its receipt.
    pub receipt_url: Option<String>,
    /// The name of who received it.
    pub recipient_name: Option<String>,
    /// The institution where it was received.
    pub institution: Option<String>,
    /// Who settled it.
    pub settled_by: Option<String>,
}

impl PixPaid {
    /// A PIX that was paid, by its end-to-end id.
    #[must_use]
    pub fn new(e2e: impl Into<String>) -> Self {
        Self {
            e2e: e2e.into(),
            receipt_url: None,
            recipient_name: None,
            institution: None,
            settled_by: None,
        }
    }
}

/// A transaction on a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its hash, at most 128 bytes.
    pub hash: String,
}

/// What a deposit was sold for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sold {
    /// For crypto, which is our own stock now; the payment of the order begins with it.
    Crypto(CryptoAmount),
    /// For reais at an exchange.
    Reais {
        /// What it gave, in centavos.
        amount_cents: i64,
        /// What arrived at the payout provider, in centavos; none while it is on its way, which is
        /// reported later (`sale.forwarding`, `sale.forwarded`).
        arrived_cents: Option<i64>,
    },
}

/// A withdrawal that was sent and confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// The USDC that the USDT became, as a decimal, where it was converted.
    pub obtained: Option<String>,
    /// The transaction that brought it.
    pub transaction: Transaction,
    /// What arrived, as a decimal.
    pub received: String,
}

/// A payment from a wallet that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidFromWallet {
    /// Where its order was funded.
    pub address: String,
    /// The transaction that funded it.
    pub transaction: Transaction,
    /// The PIX that paid.
    pub pix: PixPaid,
}
