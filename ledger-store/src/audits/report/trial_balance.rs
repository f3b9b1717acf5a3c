//! The trial balance: every account of the chart that is not empty, by commodity.

use ledger_core::accounting::{Class, CoinAccount, Control};
use ledger_core::coin::Scale;

use crate::engines::sequencer::Sequencer;
use crate::tables::export::centavos;

/// The trial balance of one commodity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialBalance {
    /// `BRL`, or an asset's name.
    pub commodity: String,
    /// How many decimals it has.
    pub scale: Scale,
    /// Its accounts in the order of the chart.
    pub accounts: Vec<TrialAccount>,
}

/// One account of a trial balance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialAccount {
    /// Its name in the chart, and the network it is kept for: `treas polygon`.
    pub name: String,
    /// What a balance there means.
    pub class: Class,
    /// Its balance in smallest units, credits positive.
    pub net_credit: i128,
}

impl TrialBalance {
    /// The trial balance of each commodity of a ledger as it stands, reais first, even where they
    /// are nothing; what is kept for customers and operations as one account each.
    #[must_use]
    pub fn all(sequencer: &Sequencer) -> Vec<Self> {
        let state = &sequencer.ledger().state;
        let controls = Control::ALL.into_iter().map(|control| TrialAccount {
            name: control.name().to_owned(),
            class: control.class(),
            net_credit: state.books.net_credit(control),
        });
        let accounts = controls.filter(|account| account.net_credit != 0).collect();
        let mut all = vec![Self { commodity: "BRL".to_owned(), scale: centavos(), accounts }];
        for (asset, account, net) in state.books.coins() {
            let (name, scale) = state.catalogue.asset_of(asset).unwrap_or(("?", Scale::SIX));
            let place = all.iter().skip(1).position(|known| known.commodity == name);
            let place = place.map_or_else(
                || {
                    all.push(Self { commodity: name.to_owned(), scale, accounts: Vec::new() });
                    all.len() - 1
                },
                |place| place + 1,
            );
            let name = match account {
                CoinAccount::Treasury(chain) | CoinAccount::Transit(chain) => {
                    let chain = state.catalogue.chain_of(chain).unwrap_or("?");
                    format!("{} {chain}", account.name())
                }
                other => other.name().to_owned(),
            };
            let accounts = &mut all[place].accounts;
            match accounts.iter_mut().find(|known| known.name == name) {
                Some(known) => known.net_credit += net,
                None => {
                    accounts.push(TrialAccount { name, class: account.class(), net_credit: net });
                }
            }
        }
        all
    }

    /// The sum of the accounts that stand on the debit side, in smallest units.
    #[must_use]
    pub fn debits(&self) -> i128 {
        -self.accounts.iter().map(|account| account.net_credit.min(0)).sum::<i128>()
    }

    /// The sum of the accounts that stand on the credit side, in smallest units.
    #[must_use]
    pub fn credits(&self) -> i128 {
        self.accounts.iter().map(|account| account.net_credit.max(0)).sum()
    }

    /// Tells whether debits equal credits.
    #[must_use]
    pub fn is_even(&self) -> bool {
        self.debits() == self.credits()
    }
}
