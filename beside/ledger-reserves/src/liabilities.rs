//! Liabilities at one record by holder, checked to be all of the trial balance.

use std::collections::BTreeMap;

use ledger_core::accounting::{Account, Class as Sort, Control};
use ledger_core::id::{ProductAccount, SubaccountId};
use ledger_core::ledger::Archive as _;
use ledger_core::time::Instant;
use ledger_store::report::TrialBalance;
use ledger_store::sequencer::Sequencer;
use thiserror::Error;

use crate::chart::{self, BRL, Class, Treatment, rows, rows_with};
use crate::holder::Holder;

/// The liabilities of a ledger at one record.
#[derive(Clone, Debug)]
pub struct Liabilities {
    /// The number of records of the ledger.
    pub record: u64,
    /// The instant of the last one.
    pub time: Instant,
    /// Each commodity: reais first, then assets by name.
    pub assets: Vec<AssetOwed>,
}

/// The liabilities in one commodity.
#[derive(Clone, Debug)]
pub struct AssetOwed {
    /// `BRL`, or the asset's name.
    pub asset: String,
    /// The decimals of its smallest unit.
    pub decimals: u8,
    /// Every class of the commodity, in the order of [`rows`]; then [`chart::DECLARED`], where
    /// products have liabilities in it.
    pub classes: Vec<ClassOwed>,
}

/// The liabilities of one class.
#[derive(Clone, Debug)]
pub struct ClassOwed {
    /// The class: one kind of creditor, such as customers.
    pub class: Class,
    /// Each holder with its balance in smallest units; below zero the holder owes.
    pub holders: BTreeMap<Holder, i128>,
    /// Each account of the class with its net credit in the trial balance.
    pub accounts: Vec<(&'static str, i128)>,
}

/// The error of a ledger whose liabilities cannot be stated.
#[derive(Debug, Error)]
pub enum LiabilitiesError {
    /// The holders of a class are not all of its accounts.
    #[error("{asset} {class}: holders come to {holders}, and the trial balance to {accounts}")]
    Sum {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The class of what is owed, as files name it.
        class: &'static str,
        /// The sum of the holders.
        holders: i128,
        /// The sum of the accounts of the class.
        accounts: i128,
    },
    /// A liability of the trial balance stands in no class.
    #[error("{asset}: {account} is a liability, and no class has it")]
    Unlisted {
        /// The commodity: `BRL`, or an asset's name.
        asset: String,
        /// The account's name.
        account: String,
    },
}

/// Balances by commodity, class and holder.
type Holders = BTreeMap<(String, Class), BTreeMap<Holder, i128>>;

impl Liabilities {
    /// Reads what a ledger owes as it stands, and checks the sums against its trial balance.
    ///
    /// Customers without a balance are holders of zero, so that they can be proved to be.
    ///
    /// # Errors
    ///
    /// [`LiabilitiesError`] where holders and trial balance disagree.
    pub fn read(sequencer: &Sequencer) -> Result<Self, LiabilitiesError> {
        let mut holders = Holders::new();
        reais(sequencer, &mut holders);
        coins(sequencer, &mut holders);
        let mut trial = TrialBalance::all(sequencer);
        trial[1..].sort_by(|one, other| one.commodity.cmp(&other.commodity));
        let assets = trial.iter().map(|balance| asset(balance, &mut holders));
        let assets = assets.collect::<Result<_, _>>()?;
        let (record, time) = (sequencer.ledger().state.seq.0, sequencer.ledger().state.now);
        Ok(Self { record, time, assets })
    }

    /// Adds a commodity of which nothing is owed, unless it is there.
    pub(crate) fn with_asset(&mut self, asset: &str, decimals: u8) {
        if self.assets.iter().any(|known| known.asset == asset) {
            return;
        }
        let empty = |(class, accounts): &chart::Row| ClassOwed {
            class: *class,
            holders: BTreeMap::new(),
            accounts: accounts.iter().map(|name| (*name, 0)).collect(),
        };
        let classes = rows(asset).iter().map(empty).collect();
        self.assets.push(AssetOwed { asset: asset.to_owned(), decimals, classes });
        self.assets[1..].sort_by(|one, other| one.asset.cmp(&other.asset));
    }
}

/// One commodity of the trial balance, with its holders.
fn asset(balance: &TrialBalance, holders: &mut Holders) -> Result<AssetOwed, LiabilitiesError> {
    let asset = balance.commodity.clone();
    let declared = holders.contains_key(&(asset.clone(), Class::Declared));
    let rows = rows_with(&asset, declared);
    for account in balance.accounts.iter().filter(|account| account.class == Sort::Liability) {
        if !rows.iter().any(|(_, accounts)| accounts.contains(&&*account.name)) {
            let account = account.name.clone();
            return Err(LiabilitiesError::Unlisted { asset, account });
        }
    }
    let net = |name: &str| {
        let known = balance.accounts.iter().find(|account| account.name == name);
        known.map_or(0, |account| account.net_credit)
    };
    let class = |(class, accounts): &chart::Row| {
        let holders = holders.remove(&(asset.clone(), *class)).unwrap_or_default();
        let accounts: Vec<_> = accounts.iter().map(|name| (*name, net(name))).collect();
        let sums = (holders.values().sum::<i128>(), accounts.iter().map(|(_, net)| net).sum());
        if sums.0 != sums.1 {
            let (holders, accounts) = sums;
            let (asset, class) = (asset.clone(), class.name());
            return Err(LiabilitiesError::Sum { asset, class, holders, accounts });
        }
        Ok(ClassOwed { class: *class, holders, accounts })
    };
    let classes = rows.iter().map(class).collect::<Result<_, _>>()?;
    Ok(AssetOwed { asset, decimals: balance.scale.decimals(), classes })
}

/// Adds every account in reais that is owed, by the parts that the books keep.
fn reais(sequencer: &Sequencer, holders: &mut Holders) {
    let books = &sequencer.ledger().state.books;
    let mut add = |account: Account, holder: Holder, net: i128| {
        add(holders, BRL, chart::reais(account.control()), holder, net);
    };
    for (id, buckets) in books.subaccounts() {
        let Some(holder) = subaccount(sequencer, id) else { continue };
        add(Account::Available(id), holder.clone(), buckets.available.cents().into());
        add(Account::Held(id), holder.clone(), buckets.held.cents().into());
        if buckets.frozen.cents() != 0 {
            add(Account::Frozen(id), holder, buckets.frozen.cents().into());
        }
    }
    for (account, net) in books.flights() {
        add(account, flight(sequencer, account), net.into());
    }
    for (partner, known) in books.commissions() {
        let holder = Holder::subaccount(&account_name(sequencer, partner), None);
        add(Account::Commission(partner), holder, known.balance.cents().into());
    }
    for (control, account) in [
        (Control::SuspensePix, Account::SuspensePix),
        (Control::TariffDue, Account::TariffDue),
        (Control::Cells, Account::Cells),
    ] {
        let net = books.net_credit(control);
        if net != 0 {
            add(account, Holder::all(), net);
        }
    }
}

/// Adds every account of crypto that is owed.
fn coins(sequencer: &Sequencer, holders: &mut Holders) {
    let state = &sequencer.ledger().state;
    for (asset, account, net) in state.books.coins() {
        let name = state.catalogue.asset_of(asset).map_or("?", |(name, _)| name);
        let wallet = account.wallet().map(|id| account_name(sequencer, id));
        let holder = match (wallet, account.op(), account.product()) {
            (Some(wallet), _, _) => Holder::subaccount(&wallet, None),
            (None, Some(op), _) => Holder::operation(&op.text(&state.name)),
            (None, None, Some(of)) => product_account(sequencer, of),
            (None, None, None) => Holder::all(),
        };
        add(holders, name, chart::coins(account), holder, net);
    }
}

fn add(holders: &mut Holders, asset: &str, treatment: Treatment, holder: Holder, net: i128) {
    if let Treatment::Owed(class) = treatment {
        let class = holders.entry((asset.to_owned(), class)).or_default();
        *class.entry(holder).or_default() += net;
    }
}

/// The holder of an account that [`ledger_core::accounting::Books::flights`] lists.
fn flight(sequencer: &Sequencer, account: Account) -> Holder {
    let state = &sequencer.ledger().state;
    match account {
        Account::PixInFlight(op)
        | Account::PayoutInFlight(op)
        | Account::ConversionInFlight(op)
        | Account::SaleInFlight(op) => Holder::operation(&op.text(&state.name)),
        Account::Reward(agent) => Holder::agent(agent.0),
        _ => account.product().map_or_else(Holder::all, |of| product_account(sequencer, of)),
    }
}

fn product_account(sequencer: &Sequencer, of: ProductAccount) -> Holder {
    let declared = sequencer.ledger().state.product_account(of.number);
    let name = declared.map_or_else(|| of.number.to_string(), |it| it.name.to_string());
    Holder::product_account(&name, of.holder.and_then(|id| subaccount(sequencer, id)))
}

fn subaccount(sequencer: &Sequencer, id: SubaccountId) -> Option<Holder> {
    let ledger = sequencer.ledger();
    let known = ledger.state.subaccount(id)?;
    let account = account_name(sequencer, known.account);
    Some(Holder::subaccount(&account, ledger.archive.customer(id)))
}

fn account_name(sequencer: &Sequencer, id: ledger_core::id::AccountId) -> String {
    let known = sequencer.ledger().state.account(id);
    known.map_or_else(|| format!("account {}", id.0), |known| known.name.to_string())
}
