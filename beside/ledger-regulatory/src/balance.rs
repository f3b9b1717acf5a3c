//! Balances by account and person, held against the trial balance.

use std::collections::BTreeMap;

use ledger_core::accounting::{Account, CoinAccount, Control};
use ledger_core::coin::Scale;
use ledger_store::export::centavos;
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;
use thiserror::Error;

use crate::account::{Commodity, LedgerAccount, Treatment};
use crate::person::Person;

/// One account's balance, with whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The account of the chart, in reais or in one asset.
    pub account: LedgerAccount,
    /// The person that it belongs to.
    pub person: Person,
    /// Its net credit, in centavos or in the asset's smallest units.
    pub net_credit: i128,
}

/// The error of balances that are not those of the trial balance.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{account} in {commodity}: its parts come to {parts}, and the trial balance to {trial}")]
pub struct BalanceMismatch {
    /// The account's name in the trial balance.
    pub account: String,
    /// `BRL`, or the asset's name.
    pub commodity: String,
    /// The sum of the parts, credits positive, in smallest units.
    pub parts: i128,
    /// The balance in the trial balance, credits positive, in smallest units.
    pub trial: i128,
}

impl Balance {
    /// Returns every balance of a ledger as it stands that is not zero, after it was held against
    /// the trial balance.
    ///
    /// # Errors
    ///
    /// [`BalanceMismatch`] naming the first account whose parts come to something else.
    pub fn all(sequencer: &Sequencer) -> Result<Vec<Self>, BalanceMismatch> {
        let balances = all_balances(sequencer);
        let parts = balances.iter().map(|balance| {
            let name = trial_name(sequencer, balance.account);
            ((commodity_name(sequencer, balance.account.commodity()).0, name), balance.net_credit)
        });
        check_against_trial(parts, &TrialBalance::all(sequencer))?;
        Ok(balances)
    }

    /// Tells whether it is owed to this client.
    #[must_use]
    pub fn is_owed_to(&self, client: &Person) -> bool {
        self.account.treatment() == Treatment::Clients && self.person == *client
    }
}

/// Holds the sums of parts, each under its commodity and account, against a trial balance.
pub(crate) fn check_against_trial(
    parts: impl Iterator<Item = ((String, String), i128)>,
    trial: &[TrialBalance],
) -> Result<(), BalanceMismatch> {
    let mut sums: BTreeMap<(String, String), (i128, i128)> = BTreeMap::new();
    for (key, net) in parts {
        sums.entry(key).or_default().0 += net;
    }
    for balance in trial {
        for account in &balance.accounts {
            let key = (balance.commodity.clone(), account.name.clone());
            sums.entry(key).or_default().1 += account.net_credit;
        }
    }
    match sums.into_iter().find(|(_, (parts, trial))| parts != trial) {
        None => Ok(()),
        Some(((commodity, account), (parts, trial))) => {
            Err(BalanceMismatch { account, commodity, parts, trial })
        }
    }
}

fn all_balances(sequencer: &Sequencer) -> Vec<Balance> {
    let books = &sequencer.ledger().state.books;
    let mut balances = Vec::new();
    let mut add = |account: LedgerAccount, net_credit: i128| {
        if net_credit != 0 {
            let person = Person::for_account(sequencer, account);
            balances.push(Balance { account, person, net_credit });
        }
    };
    for (id, buckets) in books.subaccounts() {
        let parts = [
            (Account::Available(id), buckets.available),
            (Account::Held(id), buckets.held),
            (Account::Frozen(id), buckets.frozen),
        ];
        for (account, balance) in parts {
            add(LedgerAccount::Reais(account), balance.cents().into());
        }
    }
    for (account, net) in books.flights() {
        add(LedgerAccount::Reais(account), net.into());
    }
    for (partner, known) in books.commissions() {
        let commission = Account::Commission(partner);
        add(LedgerAccount::Reais(commission), known.balance.cents().into());
    }
    for (control, account) in WHOLE {
        add(LedgerAccount::Reais(account), books.net_credit(control));
    }
    for (asset, account, net) in books.coins() {
        add(LedgerAccount::Coins(asset, account), net);
    }
    balances
}

/// The accounts in reais that the books keep whole.
const WHOLE: [(Control, Account); 18] = [
    (Control::ProviderPix, Account::ProviderPix),
    (Control::ProviderPay, Account::ProviderPay),
    (Control::ProviderClaim, Account::ProviderClaim),
    (Control::Funding, Account::Funding),
    (Control::TariffDue, Account::TariffDue),
    (Control::SuspensePix, Account::SuspensePix),
    (Control::DepositIncome, Account::DepositIncome),
    (Control::PayoutIncome, Account::PayoutIncome),
    (Control::Loss, Account::Loss),
    (Control::PurchaseIncome, Account::PurchaseIncome),
    (Control::ConversionIncome, Account::ConversionIncome),
    (Control::Fx, Account::Fx),
    (Control::SaleIncome, Account::SaleIncome),
    (Control::ReserveIncome, Account::ReserveIncome),
    (Control::Rounding, Account::Rounding),
    (Control::Exchange, Account::Exchange),
    (Control::RewardExpense, Account::RewardExpense),
    (Control::Cells, Account::Cells),
];

/// Returns a commodity's name and scale, as the trial balance has them.
pub(crate) fn commodity_name(sequencer: &Sequencer, commodity: Commodity) -> (String, Scale) {
    let Commodity::Asset(asset) = commodity else { return ("BRL".to_owned(), centavos()) };
    let known = sequencer.ledger().state.catalogue.asset_of(asset);
    known.map_or_else(|| ("?".to_owned(), Scale::SIX), |(name, scale)| (name.to_owned(), scale))
}

fn trial_name(sequencer: &Sequencer, account: LedgerAccount) -> String {
    match account {
        LedgerAccount::Coins(_, CoinAccount::Treasury(chain) | CoinAccount::Transit(chain)) => {
            let chain = sequencer.ledger().state.catalogue.chain_of(chain).unwrap_or("?");
            format!("{} {chain}", account.chart())
        }
        _ => account.chart().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use ledger_core::accounting::Class;
    use ledger_store::report::TrialAccount;

    use super::*;

    /// Tells whether the books keep a control account in parts, by subaccount, operation, partner,
    /// agent or product.
    const fn is_in_parts(control: Control) -> bool {
        match control {
            Control::Available
            | Control::Held
            | Control::Frozen
            | Control::PixInFlight
            | Control::PayoutInFlight
            | Control::ConversionInFlight
            | Control::SaleInFlight
            | Control::Commission
            | Control::Reward
            | Control::ProductAsset
            | Control::ProductLiability
            | Control::ProductEquity
            | Control::ProductIncome
            | Control::ProductExpense => true,
            Control::ProviderPix
            | Control::ProviderPay
            | Control::ProviderClaim
            | Control::Funding
            | Control::TariffDue
            | Control::SuspensePix
            | Control::DepositIncome
            | Control::PayoutIncome
            | Control::Loss
            | Control::PurchaseIncome
            | Control::ConversionIncome
            | Control::Fx
            | Control::SaleIncome
            | Control::ReserveIncome
            | Control::Rounding
            | Control::Exchange
            | Control::RewardExpense
            | Control::Cells => false,
        }
    }

    #[test]
    fn every_control_account_is_kept_in_parts_or_listed_whole() {
        for control in Control::ALL {
            let whole = WHOLE.iter().any(|(listed, _)| *listed == control);
            assert_ne!(whole, is_in_parts(control), "{control:?}");
        }
        assert!(WHOLE.iter().all(|(control, account)| account.control() == *control));
    }

    #[test]
    fn an_account_whose_parts_differ_from_the_trial_balance_is_named() {
        let account = |name: &str, net_credit| TrialAccount {
            name: name.to_owned(),
            class: Class::Liability,
            net_credit,
        };
        let accounts = vec![account("cust.avail", 500), account("comm", 20)];
        let trial = TrialBalance { commodity: "BRL".to_owned(), scale: centavos(), accounts };
        let part = |name: &str, net| (("BRL".to_owned(), name.to_owned()), net);
        let same = [part("cust.avail", 300), part("cust.avail", 200), part("comm", 20)];
        assert_eq!(check_against_trial(same.into_iter(), std::slice::from_ref(&trial)), Ok(()));

        let short = [part("cust.avail", 499), part("comm", 20)];
        let error = check_against_trial(short.into_iter(), std::slice::from_ref(&trial));
        let error = error.expect_err("one centavo is missing").to_string();
        assert!(error.contains("cust.avail in BRL") && error.contains("499"), "{error}");

        let beyond = [part("cust.avail", 500), part("comm", 20), part("reward", 1)];
        let error = check_against_trial(beyond.into_iter(), &[trial]);
        assert_eq!(error.map_err(|error| error.account), Err("reward".to_owned()));
    }
}
