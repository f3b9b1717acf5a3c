//! The chart of accounts, the side of all that is not reais: each account is kept per asset, so no
//! move can mix two commodities (INV-01). Units of products' own are assets here.

use std::fmt;

use minicbor::{Decode, Encode};

use super::chart::Class;
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId, ProductAccount};

/// A place where an asset stands.
///
/// ```
/// use ledger_core::accounting::{CoinAccount, Entry};
/// use ledger_core::coin::{Scale, Units};
/// use ledger_core::id::{AccountId, AssetId, ChainId};
///
/// // Five USDT arrive in an account's wallet, and are owed to it from then on.
/// let five = Units::parse("5", Scale::SIX).expect("it is above zero");
/// let treasury = CoinAccount::Treasury(ChainId(0));
/// let wallet = CoinAccount::WalletAvailable(AccountId(0));
/// let arrived = Entry::NONE.coins(AssetId(0), treasury, wallet, five);
/// assert_eq!(arrived.coin_moves().next().map(|moved| moved.units), Some(five));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum CoinAccount {
    /// `treas`: own stock on a network.
    #[n(0)]
    Treasury(#[n(0)] ChainId),
    /// `recv.prov`: a claim on whoever received it.
    #[n(1)]
    ProviderClaim,
    /// `equity.funding`: own money moved into or out of the stock.
    #[n(2)]
    Funding,
    /// `flight.deliv`: owed to an external address.
    #[n(3)]
    DeliveryInFlight(#[n(0)] OpId),
    /// `fx`: the asset's side of what was exchanged.
    #[n(4)]
    Fx,
    /// `exp.gas`: network costs, less what customers paid for them.
    #[n(5)]
    Gas,
    /// `exp.loss`: coins given up as lost.
    #[n(6)]
    Loss,
    /// `transit`: deposits seen on a network and not confirmed.
    #[n(7)]
    Transit(#[n(0)] ChainId),
    /// `dep`: a customer's crypto received on a cash-out order.
    #[n(8)]
    Deposited(#[n(0)] OpId),
    /// `refund`: a refund due.
    #[n(9)]
    RefundDue(#[n(0)] OpId),
    /// `susp.crypto`: receipts that wait for a person.
    #[n(10)]
    Suspense,
    /// `exch`: at the exchange while a sale is under way.
    #[n(11)]
    Exchange,
    /// `wal.avail`: an account's spendable wallet.
    #[n(12)]
    WalletAvailable(#[n(0)] AccountId),
    /// `wal.reserved`: reserved by a payment or withdrawal under way.
    #[n(13)]
    WalletReserved(#[n(0)] AccountId),
    /// `wal.confirming`: deposited and not confirmed.
    #[n(14)]
    WalletConfirming(#[n(0)] AccountId),
    /// `flight.wdr`: a wallet withdrawal owed to an external address.
    #[n(15)]
    WithdrawalInFlight(#[n(0)] OpId),
    /// `exp.slippage`: what a payment cost above its reserve.
    #[n(16)]
    Slippage,
    /// `prod.asset`: something owned, in an account that a product declared.
    #[n(17)]
    ProductAsset(#[n(0)] ProductAccount),
    /// `prod.liability`: something owed, in an account that a product declared.
    #[n(18)]
    ProductLiability(#[n(0)] ProductAccount),
    /// `prod.equity`: own means put in, in an account that a product declared.
    #[n(19)]
    ProductEquity(#[n(0)] ProductAccount),
    /// `prod.income`: earned, in an account that a product declared.
    #[n(20)]
    ProductIncome(#[n(0)] ProductAccount),
    /// `prod.expense`: spent, in an account that a product declared.
    #[n(21)]
    ProductExpense(#[n(0)] ProductAccount),
}

/// Units of one asset debited to one account and credited to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoinMove {
    /// The asset, by its number in this ledger.
    pub asset: AssetId,
    /// The account debited.
    pub debit: CoinAccount,
    /// The account credited.
    pub credit: CoinAccount,
    /// How much, in the asset's smallest units.
    pub units: Units,
}

impl CoinAccount {
    /// The account's name in the chart, without what it is kept for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Treasury(_) => "treas",
            Self::ProviderClaim => "recv.prov",
            Self::Funding => "equity.funding",
            Self::DeliveryInFlight(_) => "flight.deliv",
            Self::Fx => "fx",
            Self::Gas => "exp.gas",
            Self::Loss => "exp.loss",
            Self::Transit(_) => "transit",
            Self::Deposited(_) => "dep",
            Self::RefundDue(_) => "refund",
            Self::Suspense => "susp.crypto",
            Self::Exchange => "exch",
            Self::WalletAvailable(_) => "wal.avail",
            Self::WalletReserved(_) => "wal.reserved",
            Self::WalletConfirming(_) => "wal.confirming",
            Self::WithdrawalInFlight(_) => "flight.wdr",
            Self::Slippage => "exp.slippage",
            Self::ProductAsset(_) => "prod.asset",
            Self::ProductLiability(_) => "prod.liability",
            Self::ProductEquity(_) => "prod.equity",
            Self::ProductIncome(_) => "prod.income",
            Self::ProductExpense(_) => "prod.expense",
        }
    }

    /// Returns what a balance of the account means.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Treasury(_)
            | Self::ProviderClaim
            | Self::Transit(_)
            | Self::Exchange
            | Self::ProductAsset(_) => Class::Asset,
            Self::Funding | Self::ProductEquity(_) => Class::Equity,
            Self::ProductIncome(_) => Class::Income,
            Self::DeliveryInFlight(_)
            | Self::Deposited(_)
            | Self::RefundDue(_)
            | Self::Suspense
            | Self::WalletAvailable(_)
            | Self::WalletReserved(_)
            | Self::WalletConfirming(_)
            | Self::WithdrawalInFlight(_)
            | Self::ProductLiability(_) => Class::Liability,
            Self::Fx => Class::Trading,
            Self::Gas | Self::Loss | Self::Slippage | Self::ProductExpense(_) => Class::Expense,
        }
    }

    /// The network the account is kept for, if it is kept for one.
    #[must_use]
    pub const fn chain(self) -> Option<ChainId> {
        match self {
            Self::Treasury(chain) | Self::Transit(chain) => Some(chain),
            _ => None,
        }
    }

    /// Stands for all accounts of its name and network, whatever else each is kept for.
    #[must_use]
    pub(crate) const fn for_all(self) -> Self {
        match self {
            Self::DeliveryInFlight(_) => Self::DeliveryInFlight(OpId::LEAST),
            Self::Deposited(_) => Self::Deposited(OpId::LEAST),
            Self::RefundDue(_) => Self::RefundDue(OpId::LEAST),
            Self::WithdrawalInFlight(_) => Self::WithdrawalInFlight(OpId::LEAST),
            Self::WalletAvailable(_) => Self::WalletAvailable(AccountId(0)),
            Self::WalletReserved(_) => Self::WalletReserved(AccountId(0)),
            Self::WalletConfirming(_) => Self::WalletConfirming(AccountId(0)),
            Self::ProductAsset(_) => Self::ProductAsset(ProductAccount::LEAST),
            Self::ProductLiability(_) => Self::ProductLiability(ProductAccount::LEAST),
            Self::ProductEquity(_) => Self::ProductEquity(ProductAccount::LEAST),
            Self::ProductIncome(_) => Self::ProductIncome(ProductAccount::LEAST),
            Self::ProductExpense(_) => Self::ProductExpense(ProductAccount::LEAST),
            alone => alone,
        }
    }

    /// The operation the account is kept for, if it is kept for one.
    #[must_use]
    pub const fn op(self) -> Option<OpId> {
        match self {
            Self::DeliveryInFlight(op)
            | Self::Deposited(op)
            | Self::RefundDue(op)
            | Self::WithdrawalInFlight(op) => Some(op),
            _ => None,
        }
    }

    /// The API account whose wallet it is part of, if it is.
    #[must_use]
    pub const fn wallet(self) -> Option<AccountId> {
        match self {
            Self::WalletAvailable(account)
            | Self::WalletReserved(account)
            | Self::WalletConfirming(account) => Some(account),
            _ => None,
        }
    }

    /// The account that a product declared, if it is one.
    #[must_use]
    pub const fn product(self) -> Option<ProductAccount> {
        match self {
            Self::ProductAsset(of)
            | Self::ProductLiability(of)
            | Self::ProductEquity(of)
            | Self::ProductIncome(of)
            | Self::ProductExpense(of) => Some(of),
            _ => None,
        }
    }

    /// Tells whether a balance below nothing is a fault: what is owed to others, a wallet's
    /// available part excepted, which a forced debit may take below (INV-07, P:ReverseSpent), and
    /// a product's account, which falls where its declaration lets it.
    #[must_use]
    pub const fn may_not_fall(self) -> bool {
        matches!(self.class(), Class::Liability)
            && !matches!(self, Self::WalletAvailable(_) | Self::ProductLiability(_))
    }
}

/// The name in the chart, with what the account is kept for: `treas[0]`.
impl fmt::Display for CoinAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Treasury(chain) | Self::Transit(chain) => write!(f, "[{}]", chain.0),
            Self::WalletAvailable(account)
            | Self::WalletReserved(account)
            | Self::WalletConfirming(account) => write!(f, "[{}]", account.0),
            _ => match (self.op(), self.product()) {
                (Some(op), _) => write!(f, "[{op:?}]"),
                (None, Some(of)) => write!(f, "[{of}]"),
                (None, None) => Ok(()),
            },
        }
    }
}
