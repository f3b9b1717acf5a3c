//! Our own money and crypto, moved between accounts of our own.

use crate::accounting::own_accounts::{OwnAccount, OwnCoins};
use crate::coin::Units;
use crate::id::AssetId;
use crate::ledger::decision::Decision;
use crate::ledger::decision::fact_context::accept;
use crate::ledger::record::event::Event;
use crate::ledger::record::fact_kind::FactKind;
use crate::ledger::record::facts::facts;
use crate::money::Amount;

facts! {
    /// What is reported of what is our own.
    #[allow(missing_docs)] // Fields bear the wire's names; the contract module describes each.
    Fact {
        /// Own money moved between own accounts.
        Moved { from: OwnAccount, to: OwnAccount, amount: Amount } is FactKind::TreasuryMoved;
        /// Own crypto moved between own accounts.
        CoinsMoved { asset: AssetId, from: OwnCoins, to: OwnCoins, units: Units }
            is FactKind::TreasuryMoved;
    }
}

impl Fact {
    /// Books a move of our own money: whoever reports it is believed.
    pub(in crate::ledger) fn decide(self) -> Decision {
        accept(vec![match self {
            Self::Moved { from, to, amount } => Event::TreasuryMoved { from, to, amount },
            Self::CoinsMoved { asset, from, to, units } => {
                Event::CoinsMoved { asset, from, to, units }
            }
        }])
    }
}
