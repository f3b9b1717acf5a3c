//! Our own money and crypto, as the oracle sees them (rulings 30).

use ledger_core::accounting::CoinAccount;
use ledger_core::ledger::treasury::Fact;
use ledger_core::ledger::{Outcome, OwnAccount, OwnCoins};

use super::Oracle;

impl Oracle {
    /// Foresees what is reported of our own money and crypto.
    pub(super) fn treasury_fact(&mut self, fact: &Fact) -> Outcome {
        match fact {
            Fact::Moved { from, to, amount } => {
                self.own_money(*to, amount.cents());
                self.own_money(*from, -amount.cents());
            }
            Fact::CoinsMoved { asset, from, to, units } => {
                self.coins(asset.0, own_coins(*to), own_coins(*from), units.get());
            }
        }
        Outcome::Applied(None)
    }

    /// Debits one of our own accounts; what is ours or owed to us grows, what we owe shrinks.
    pub(super) fn own_money(&mut self, account: OwnAccount, debit: i64) {
        match account {
            OwnAccount::Funding => self.totals.funding -= debit,
            OwnAccount::ProviderPix => self.totals.provider_pix += debit,
            OwnAccount::ProviderPay => self.totals.provider_pay += debit,
            OwnAccount::ProviderClaim => self.totals.provider_claim += debit,
            OwnAccount::TariffDue => self.totals.tariff_due -= debit,
            OwnAccount::Fx => self.totals.fx -= debit,
            OwnAccount::Cells => self.totals.cells -= debit,
        }
    }
}

/// The account of own crypto that a fact names.
const fn own_coins(account: OwnCoins) -> CoinAccount {
    match account {
        OwnCoins::Funding => CoinAccount::Funding,
        OwnCoins::Treasury(chain) => CoinAccount::Treasury(chain),
        OwnCoins::Gas => CoinAccount::Gas,
        OwnCoins::ProviderClaim => CoinAccount::ProviderClaim,
        OwnCoins::Fx => CoinAccount::Fx,
        OwnCoins::Loss => CoinAccount::Loss,
    }
}
