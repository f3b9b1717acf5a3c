//! Accounts as places where money stands, and how each is divided.

use ledger_core::accounting::{Account, Class, CoinAccount};
use ledger_core::id::{AssetId, OpId};

/// A commodity: amounts of one are never added to those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Commodity {
    /// Reais, in centavos.
    Reais,
    /// An asset, in its smallest units, by its number in the ledger.
    Asset(AssetId),
}

/// An account of the chart, in reais or in one asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LedgerAccount {
    /// An account in reais.
    Reais(Account),
    /// An account of one asset.
    Coins(AssetId, CoinAccount),
}

/// A part of an account: what one operation put there, where the account is kept by operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// The account of the chart that the money stands in.
    pub place: LedgerAccount,
    /// The operation; none where the account is one pool, or no operation moved the money.
    pub of: Option<OpId>,
}

impl LedgerAccount {
    /// Returns the commodity that it is kept in.
    #[must_use]
    pub const fn commodity(self) -> Commodity {
        match self {
            Self::Reais(_) => Commodity::Reais,
            Self::Coins(asset, _) => Commodity::Asset(asset),
        }
    }

    /// Returns what a balance there means.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Reais(account) => account.control().class(),
            Self::Coins(_, account) => account.class(),
        }
    }

    /// Tells whether money there is owed to somebody, and so is still within the ledger. Money in
    /// `cells` has gone on to another ledger.
    #[must_use]
    pub const fn is_owed(self) -> bool {
        matches!(self.class(), Class::Liability) && !matches!(self, Self::Reais(Account::Cells))
    }

    /// Tells whether it is the account through which one commodity becomes another.
    #[must_use]
    pub const fn is_exchange(self) -> bool {
        matches!(self, Self::Reais(Account::Fx) | Self::Coins(_, CoinAccount::Fx))
    }

    /// Returns whose line of lots it belongs to: the three buckets of a subaccount, and those of a
    /// wallet, are one. A lot keeps its place in the line of its last home until it has another.
    #[must_use]
    pub const fn home(self) -> Option<Self> {
        match self {
            Self::Reais(Account::Available(of) | Account::Held(of) | Account::Frozen(of)) => {
                Some(Self::Reais(Account::Available(of)))
            }
            Self::Reais(
                Account::Commission(_) | Account::Reward(_) | Account::ProductLiability(_),
            ) => Some(self),
            Self::Coins(
                asset,
                CoinAccount::WalletAvailable(of)
                | CoinAccount::WalletReserved(of)
                | CoinAccount::WalletConfirming(of),
            ) => Some(Self::Coins(asset, CoinAccount::WalletAvailable(of))),
            Self::Coins(_, CoinAccount::ProductLiability(_)) => Some(self),
            _ => None,
        }
    }

    /// Returns the operation that the account itself is kept for, if it is kept for one.
    #[must_use]
    pub const fn op(self) -> Option<OpId> {
        match self {
            Self::Reais(
                Account::PixInFlight(op)
                | Account::PayoutInFlight(op)
                | Account::ConversionInFlight(op)
                | Account::SaleInFlight(op),
            ) => Some(op),
            Self::Coins(_, account) => account.op(),
            Self::Reais(_) => None,
        }
    }

    /// Returns the part of it that an operation's money stands in.
    #[must_use]
    pub const fn slot(self, of: Option<OpId>) -> Slot {
        let by_operation = !self.is_owed()
            || matches!(
                self,
                Self::Reais(
                    Account::Held(_)
                        | Account::Frozen(_)
                        | Account::SuspensePix
                        | Account::Commission(_)
                        | Account::ProductLiability(_)
                ) | Self::Coins(
                    _,
                    CoinAccount::Suspense
                        | CoinAccount::WalletReserved(_)
                        | CoinAccount::WalletConfirming(_)
                        | CoinAccount::ProductLiability(_)
                )
            );
        Slot { place: self, of: if by_operation { of } else { None } }
    }
}
