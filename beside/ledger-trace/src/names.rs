//! The names of places and operations, as people know them.

use ledger_core::accounting::{Account, CoinAccount};
use ledger_core::coin::{Scale, units_text};
use ledger_core::id::{OpId, ProductAccount, SubaccountId};
use ledger_core::ledger::Archive as _;
use ledger_store::export::centavos;
use ledger_store::sequencer::Sequencer;

use crate::account::{Commodity, LedgerAccount};

/// Tells whether the customers' names that clients chose are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holders {
    /// As the client wrote them.
    Named,
    /// Their first letter alone: two customers of one account remain apart by their number.
    Masked,
}

/// Names of one ledger.
pub(crate) struct Names<'a> {
    pub(crate) sequencer: &'a Sequencer,
    pub(crate) holders: Holders,
}

impl Names<'_> {
    pub(crate) fn op(&self, op: OpId) -> String {
        op.text(&self.sequencer.ledger().state.name)
    }

    /// The account and the customer, `loja/ana`; the house is `loja/casa`.
    pub(crate) fn subaccount(&self, of: SubaccountId) -> String {
        let ledger = self.sequencer.ledger();
        let known = ledger.state.subaccount(of).and_then(|of| ledger.state.account(of.account));
        let account = known.map_or("", |account| &*account.name);
        match (ledger.archive.customer(of), self.holders) {
            (None, _) => format!("{account}/casa"),
            (Some(customer), Holders::Named) => format!("{account}/{customer}"),
            (Some(customer), Holders::Masked) => {
                let first: String = customer.chars().take(1).collect();
                format!("{account}/{first}***#{}", of.0)
            }
        }
    }

    /// The account's name in the chart, with what it is kept for: `cust.avail loja/ana`.
    pub(crate) fn place(&self, place: LedgerAccount) -> String {
        let state = &self.sequencer.ledger().state;
        let account = |id| state.account(id).map_or_else(String::new, |of| of.name.to_string());
        let (name, of) = match place {
            LedgerAccount::Reais(of) => {
                let kept_for = match of {
                    Account::Available(of) | Account::Held(of) | Account::Frozen(of) => {
                        Some(self.subaccount(of))
                    }
                    Account::Commission(of) => Some(account(of)),
                    Account::Reward(agent) => Some(agent.0.to_string()),
                    _ => of.product().map(|of| self.product_account(of)),
                };
                (of.control().name(), kept_for.or_else(|| place.op().map(|op| self.op(op))))
            }
            LedgerAccount::Coins(_, of) => {
                let chain = of.chain().map(|chain| {
                    state.catalogue.chain_of(chain).map(str::to_owned).unwrap_or_default()
                });
                let kept_for = chain.or_else(|| of.wallet().map(account));
                let kept_for = kept_for.or_else(|| of.product().map(|of| self.product_account(of)));
                (CoinAccount::name(of), kept_for.or_else(|| of.op().map(|op| self.op(op))))
            }
        };
        of.map_or_else(|| name.to_owned(), |of| format!("{name} {of}"))
    }

    /// The name of an account that a product declared, with whose it is.
    fn product_account(&self, of: ProductAccount) -> String {
        let declared = self.sequencer.ledger().state.product_account(of.number);
        let name = declared.map_or_else(String::new, |known| known.name.to_string());
        match of.holder {
            Some(holder) => format!("{name} {}", self.subaccount(holder)),
            None => name,
        }
    }

    /// The commodity's name and scale: `BRL`, or the asset's.
    pub(crate) fn commodity(&self, commodity: Commodity) -> (String, Scale) {
        let Commodity::Asset(asset) = commodity else { return ("BRL".to_owned(), centavos()) };
        let known = self.sequencer.ledger().state.catalogue.asset_of(asset);
        let unknown = || (format!("asset{}", asset.0), Scale::SIX);
        known.map_or_else(unknown, |(name, scale)| (name.to_uppercase(), scale))
    }

    /// An amount with its commodity: `12.50 BRL`.
    pub(crate) fn amount(&self, amount: u128, commodity: Commodity) -> String {
        let (name, scale) = self.commodity(commodity);
        format!("{} {name}", units_text(amount, scale))
    }
}
