//! The terms of a wallet payment: what was ordered, what it costs, what is reserved, and what
//! becomes of that.

use minicbor::{Decode, Encode};

use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId};
use crate::machine::cash_out::{AmountBasis, Payee, Pix};
use crate::money::Amount;
use crate::terms::{Deal, Switch};
use crate::time::Instant;

/// The terms of a payment: fixed when it is requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Order {
    /// The API account whose wallet pays.
    #[n(0)]
    pub account: AccountId,
    /// The number of USDT in this ledger.
    #[n(1)]
    pub usdt: AssetId,
    /// The network on which the order is funded.
    #[n(2)]
    pub chain: ChainId,
    /// A key and an amount, or a code.
    #[n(3)]
    pub asked: AmountBasis,
    /// What the recipient receives, in centavos.
    #[n(4)]
    pub net: Amount,
    /// Who is paid.
    #[n(5)]
    pub payee: Payee,
    /// What the order was estimated to cost, in millionths of USDT.
    #[n(6)]
    pub estimate: Units,
    /// What the network takes; none for nothing.
    #[n(7)]
    pub fee: Option<Units>,
    /// What is reserved.
    #[n(8)]
    pub reserved: Units,
    /// The quote it was made with, if it was.
    #[n(9)]
    pub quote: Option<OpId>,
    /// The client's own id.
    #[n(10)]
    pub external_id: Option<Box<str>>,
    /// When it was requested.
    #[n(11)]
    pub created_at: Instant,
}

/// What the order costs: the crypto, and how its reais are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct Cost {
    /// In millionths of USDT: `usdt_order`.
    #[n(0)]
    pub units: Units,
    /// How its reais are divided.
    #[n(1)]
    pub deal: Deal,
}

/// Why a payment failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum FailureReason {
    /// It would have cost more than was reserved (P:CostAboveReserve), or was no longer sold.
    #[n(0)]
    Cost,
    /// The provider or the network failed.
    #[n(1)]
    Provider,
    /// The PIX key was refused.
    #[n(2)]
    Key,
    /// The recipient may not have so much today.
    #[n(3)]
    Ceiling,
}

/// Where coins that were sent stand in the books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
#[cbor(index_only)]
pub enum Whereabouts {
    /// `transit`: not confirmed.
    #[n(0)]
    Transit,
    /// `treas`: confirmed by the network.
    #[n(1)]
    Treasury,
}

/// Who bore the loss of coins that were given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
#[cbor(index_only)]
pub enum Bearer {
    /// We did: `exp.loss`.
    #[n(0)]
    House,
    /// The client did: the reserve was consumed.
    #[n(1)]
    Client,
}

/// What becomes of the reserve of a payment that failed after it was sent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Resolution {
    /// All of it goes back; coins that are lost are our loss.
    #[n(0)]
    Returned(#[n(0)] Option<Whereabouts>),
    /// The PIX is proven paid: as if it had been completed.
    #[n(1)]
    Paid(#[n(0)] Pix),
    /// The coins are proven lost, on the client's account.
    #[n(2)]
    Lost(#[n(0)] Whereabouts),
}

/// What was found out of a payment under review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It was sent, in this transaction.
    Sent(Box<str>),
    /// It was paid.
    Paid(Pix),
    /// Nothing left, and nothing will; or the order failed after it was sent.
    Failed,
}

/// An operator's decision on a reserve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Adjudication {
    /// It goes back; the coins are lost or not.
    Return(Switch),
    /// It is consumed: the PIX was paid.
    Paid(Pix),
    /// It is consumed: the coins are lost.
    Lost,
}

/// What is reserved for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Reserve {
    /// The API account whose wallet it came from.
    #[n(0)]
    pub account: AccountId,
    /// The number of USDT in this ledger.
    #[n(1)]
    pub usdt: AssetId,
    /// The network on which the order is funded.
    #[n(2)]
    pub chain: ChainId,
    /// What is reserved.
    #[n(3)]
    pub units: Units,
    /// What the network takes; none for nothing.
    #[n(4)]
    pub fee: Option<Units>,
}
