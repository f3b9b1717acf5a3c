//! The custody position of a day: each asset's total, own and clients', and each client's part.

use std::collections::BTreeMap;

use ledger_core::coin::Scale;
use ledger_core::time::Instant;
use ledger_store::sequencer::Sequencer;
use ledger_store::{Head, report::TrialBalance};
use thiserror::Error;

use crate::account::Treatment;
use crate::balance::{Balance, BalanceMismatch, commodity_name};
use crate::person::Person;
use crate::price::AssetPrice;

/// Everything in custody after one record.
#[derive(Clone, Debug)]
pub struct CustodyPosition {
    /// The ledger's name.
    pub ledger: String,
    /// The journal's head then: how many records, and the link after the last.
    pub head: Head,
    /// The instant of the last record.
    pub at: Instant,
    /// Each commodity: reais first, then assets by name.
    pub assets: Vec<AssetPosition>,
}

/// The position in one commodity, in smallest units.
#[derive(Clone, Debug)]
pub struct AssetPosition {
    /// `BRL`, or the asset's name in the ledger.
    pub asset: String,
    /// The number of decimals of its smallest unit.
    pub scale: Scale,
    /// Everything in custody: floats, stocks, claims.
    pub total: i128,
    /// The part owed to clients, or to persons not known yet.
    pub clients: i128,
    /// The part owed to others: tariffs, other cells.
    pub creditors: i128,
    /// The rest, the institution's own; below zero so much is short.
    pub own: i128,
    /// The price of one whole, where the ledger knows one; reais need none.
    pub price: Option<AssetPrice>,
    /// The total by account of the chart.
    pub held: BTreeMap<&'static str, i128>,
    /// The clients' part by client and account of the chart.
    pub by_client: BTreeMap<(Person, &'static str), i128>,
}

/// The error of a position that cannot be stated.
#[derive(Debug, Error)]
pub enum PositionError {
    /// An account's parts are not the trial balance's.
    #[error(transparent)]
    Balance(#[from] BalanceMismatch),
    /// Debits and credits of a commodity differ.
    #[error("debits and credits of {0} differ")]
    Uneven(String),
}

impl CustodyPosition {
    /// Reads the position of a ledger as it stands, and holds every account against the trial
    /// balance.
    ///
    /// # Errors
    ///
    /// [`PositionError`] naming the account or commodity whose sums differ.
    pub fn read(sequencer: &Sequencer) -> Result<Self, PositionError> {
        let trial = TrialBalance::all(sequencer);
        if let Some(uneven) = trial.iter().find(|balance| !balance.is_even()) {
            return Err(PositionError::Uneven(uneven.commodity.clone()));
        }
        let mut assets: Vec<_> = trial
            .iter()
            .map(|balance| AssetPosition::empty(sequencer, &balance.commodity, balance.scale))
            .collect();
        assets[1..].sort_by(|one, other| one.asset.cmp(&other.asset));
        for balance in Balance::all(sequencer)? {
            let (name, _) = commodity_name(sequencer, balance.account.commodity());
            let position = assets.iter_mut().find(|position| position.asset == name);
            position.expect("the trial balance lists every commodity").add(balance);
        }
        let state = &sequencer.ledger().state;
        let ledger = state.name.to_string();
        Ok(Self { ledger, head: sequencer.head(), at: state.now, assets })
    }
}

impl AssetPosition {
    fn empty(sequencer: &Sequencer, asset: &str, scale: Scale) -> Self {
        Self {
            asset: asset.to_owned(),
            scale,
            total: 0,
            clients: 0,
            creditors: 0,
            own: 0,
            price: AssetPrice::latest(sequencer, asset),
            held: BTreeMap::new(),
            by_client: BTreeMap::new(),
        }
    }

    fn add(&mut self, balance: Balance) {
        let (chart, net) = (balance.account.chart(), balance.net_credit);
        match balance.account.treatment() {
            Treatment::Held => {
                self.total -= net;
                *self.held.entry(chart).or_default() -= net;
            }
            Treatment::Clients => {
                self.clients += net;
                *self.by_client.entry((balance.person, chart)).or_default() += net;
            }
            Treatment::Creditors => self.creditors += net,
            Treatment::Own | Treatment::Exchange => self.own += net,
        }
    }

    /// Tells whether the commodity is reais, which need no price.
    #[must_use]
    pub fn is_reais(&self) -> bool {
        self.asset == "BRL"
    }

    /// Returns what so many units are worth in centavos; none where the ledger knows no price.
    #[must_use]
    pub fn centavos(&self, units: i128) -> Option<i128> {
        if self.is_reais() {
            return Some(units);
        }
        self.price.as_ref()?.centavos(units, self.scale)
    }

    /// Tells whether something is in custody or owed and no price is known.
    #[must_use]
    pub fn is_without_price(&self) -> bool {
        let something = self.total != 0 || self.clients != 0 || self.own != 0;
        something && !self.is_reais() && self.price.is_none()
    }
}
