//! The balances of a ledger at one record, as leaves of their tree.

use ledger_core::id::{AccountId, AssetId};
use ledger_core::ledger::{Archive as _, State};

use crate::balances::{Balance, BalanceTree, Holder, Owed};
use ledger_store::journal::Head;
use ledger_store::sequencer::Sequencer;

/// What salts are derived under.
const SALT: &str = "custody-ledger balance salt v1";

/// A ledger at one record, taken in no time from whoever decides.
pub(crate) struct Position {
    pub(crate) state: State,
    pub(crate) head: Head,
    /// What subaccounts are called, from one of them on; none for a house.
    pub(crate) customers: Vec<Option<Box<str>>>,
}

/// Balances at one record, before they are leaves.
pub(crate) struct LedgerBalances {
    pub(crate) columns: Vec<String>,
    pub(crate) balances: Vec<Balance>,
}

impl Position {
    /// The ledger as it is, with the names of subaccounts that are not `known` yet.
    pub(crate) fn from_sequencer(sequencer: &Sequencer, known: usize) -> Self {
        let ledger = sequencer.ledger();
        let subaccounts = ledger.state.books.subaccounts().skip(known);
        let named = subaccounts.map(|(id, _)| ledger.archive.customer(id).map(Box::from));
        let customers = named.collect();
        Self { state: ledger.state.clone(), head: sequencer.head(), customers }
    }
}

impl LedgerBalances {
    /// The balances of a state, whose subaccounts are called so.
    pub(crate) fn from_state(
        state: &State,
        customers: &[Option<Box<str>>],
        vault_key: &[u8; 32],
    ) -> Self {
        let wallets: Vec<(AssetId, AccountId, i128)> = state
            .books
            .coins()
            .filter_map(|(asset, account, units)| Some((asset, account.wallet()?, units)))
            .collect();
        let mut assets: Vec<AssetId> = wallets.iter().map(|(asset, ..)| *asset).collect();
        assets.sort_unstable();
        assets.dedup();
        let mut columns = vec!["cust:BRL".to_owned(), "comm:BRL".to_owned()];
        columns.extend(assets.iter().map(|asset| column(state, *asset)));
        let house = |(_, account): (AccountId, &ledger_core::ledger::ApiAccount)| {
            (account.name.to_string(), vec![0_i128; columns.len()])
        };
        let mut houses: Vec<(String, Vec<i128>)> = state.accounts().map(house).collect();
        let salt = Salts::new(state.seq.0, vault_key);
        let mut balances = Vec::new();
        for ((id, buckets), customer) in state.books.subaccounts().zip(customers) {
            let Some(subaccount) = state.subaccount(id) else { continue };
            let (account, amounts) = &mut houses[subaccount.account.0 as usize];
            let total = i128::from(buckets.total().cents());
            match customer {
                None => amounts[0] += total,
                Some(customer) => {
                    let customer = Some(customer.to_string());
                    let holder = Holder { account: account.clone(), customer };
                    let mut owed = vec![Owed::default(); columns.len()];
                    owed[0] = Owed::from_balance(total);
                    balances.push(Balance { salt: salt.of_holder(&holder), holder, amounts: owed });
                }
            }
        }
        for (account, known) in state.books.commissions() {
            houses[account.0 as usize].1[1] += i128::from(known.balance.cents());
        }
        for (asset, account, units) in wallets {
            let place = assets.binary_search(&asset).expect("every asset of a wallet is listed");
            houses[account.0 as usize].1[2 + place] += units;
        }
        for (account, amounts) in houses {
            let holder = Holder { account, customer: None };
            let owed = amounts.into_iter().map(Owed::from_balance).collect();
            balances.push(Balance { salt: salt.of_holder(&holder), holder, amounts: owed });
        }
        Self { columns, balances }
    }

    /// Builds the tree over the balances.
    pub(crate) fn tree(&self) -> BalanceTree {
        BalanceTree::new(self.columns.len(), &self.balances)
    }
}

/// Returns what an asset's column is called: one word, whatever the asset is.
fn column(state: &State, asset: AssetId) -> String {
    let known = state.catalogue.asset_of(asset).map(|(name, _)| name);
    let named = known.filter(|name| !name.contains(char::is_whitespace));
    named.map_or_else(|| format!("wal:asset{}", asset.0), |name| format!("wal:{name}"))
}

/// Salts of one tree: derived from the ledger's secret, so that a proof can be made again, and
/// others at every record, so that leaves of two trees cannot be matched.
struct Salts {
    key: [u8; 32],
    size: u64,
}

impl Salts {
    fn new(size: u64, vault_key: &[u8; 32]) -> Self {
        Self { key: blake3::derive_key(SALT, vault_key), size }
    }

    fn of_holder(&self, holder: &Holder) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(&self.size.to_le_bytes());
        hasher.update(&holder.key(&self.key).0);
        *hasher.finalize().as_bytes()
    }
}
