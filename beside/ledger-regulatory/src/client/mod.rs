//! The periodic report of one client: assets, movements, and the source of each quote.

mod digest;
mod html;
mod json;

use std::collections::{BTreeMap, BTreeSet};

use ledger_core::coin::Scale;
use ledger_core::ledger::Archive as _;
use ledger_core::time::Instant;
use ledger_store::days::Span;
use ledger_store::moment::{Moment, MomentError};
use ledger_store::sequencer::Sequencer;
use ledger_store::{Head, Journal};
use thiserror::Error;

use crate::account::Commodity;
use crate::balance::{Balance, BalanceMismatch, commodity_name};
use crate::person::Person;
use crate::price::AssetPrice;
use crate::row::{Row, RowsError, ledger_rows, records_before};

pub use digest::{ReportRefused, check_report};

/// A client's assets and movements of a period, with the quotes that value them.
#[derive(Clone, Debug)]
pub struct ClientReport {
    /// The ledger's name.
    pub ledger: String,
    /// The client that the report is for.
    pub client: Person,
    /// The days of the report, in Brasília.
    pub span: Span,
    /// The journal's head before the period: how many records, and the link after the last.
    pub opening: Head,
    /// The journal's head at the end of the period.
    pub head: Head,
    /// The instant of the last record of the period.
    pub at: Instant,
    /// Each commodity that the client had or that moved.
    pub assets: Vec<ClientAsset>,
    /// The rows by which a balance of the client changed, or moved between its parts.
    pub movements: Vec<Row>,
}

/// One commodity of a client, in smallest units.
#[derive(Clone, Debug)]
pub struct ClientAsset {
    /// `BRL`, or the asset's name in the ledger.
    pub asset: String,
    /// The number of decimals of its smallest unit.
    pub scale: Scale,
    /// The balance before the period.
    pub opening: i128,
    /// The sum of increases.
    pub came: i128,
    /// The sum of decreases; never below zero.
    pub went: i128,
    /// The balance at the end by account of the chart.
    pub closing: BTreeMap<&'static str, i128>,
    /// The price of one whole at the end, where the ledger knows one; reais need none.
    pub price: Option<AssetPrice>,
}

/// The error of a report that cannot be made.
#[derive(Debug, Error)]
pub enum ClientReportError {
    /// The ledger has no such client.
    #[error("{0} is no client of this ledger: none was credited")]
    NoClient(String),
    /// The rows of the period cannot be stated.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// The journal has no such moment, or cannot be replayed.
    #[error(transparent)]
    Moment(#[from] MomentError),
    /// Balances are not those of the trial balance.
    #[error(transparent)]
    Balance(#[from] BalanceMismatch),
    /// Opening and movements are not the closing.
    #[error("{asset}: opening and movements come to {moved}, and the books have {closing}")]
    Uneven {
        /// The commodity: `BRL`, or the asset's name in the ledger.
        asset: String,
        /// The opening with all movements, in smallest units.
        moved: i128,
        /// The closing that the books have.
        closing: i128,
    },
}

impl ClientAsset {
    /// Returns all that the client has at the end, in smallest units.
    #[must_use]
    pub fn closing_sum(&self) -> i128 {
        self.closing.values().sum()
    }

    /// Returns what the closing is worth in centavos; none where the ledger knows no price.
    #[must_use]
    pub fn closing_centavos(&self) -> Option<i128> {
        let sum = self.closing_sum();
        if self.asset == "BRL" {
            return Some(sum);
        }
        self.price.as_ref()?.centavos(sum, self.scale)
    }
}

impl ClientReport {
    /// Reads a client's report of a period; without a customer, that of the API account itself.
    ///
    /// # Errors
    ///
    /// [`ClientReportError`] where there is no such client, or where opening and movements do not
    /// come to the closing.
    pub fn read(
        journal: &mut dyn Journal,
        name: &str,
        (account, customer): (&str, Option<&str>),
        span: Span,
    ) -> Result<Self, ClientReportError> {
        let client = match customer {
            Some(customer) => {
                Person::Customer { account: account.to_owned(), customer: customer.to_owned() }
            }
            None => Person::Account(account.to_owned()),
        };
        let before = records_before(journal, span.begins())?;
        let opened = Sequencer::open_at(journal, name, None, Moment::Records(before), |_, _| ())?;
        let opening = client_balances(&opened, &client)?;
        let (mut rows, sequencer) = ledger_rows(journal, name, span)?;
        if !is_known(&sequencer, account, customer) {
            return Err(ClientReportError::NoClient(client.to_string()));
        }
        rows.retain(|row| row.concerns(&client));
        let closing = client_balances(&sequencer, &client)?;
        let assets = assets(&sequencer, &client, (&opening, &closing), &rows)?;
        let state = &sequencer.ledger().state;
        Ok(Self {
            ledger: state.name.to_string(),
            span,
            opening: opened.head(),
            head: sequencer.head(),
            at: state.now,
            assets,
            movements: rows,
            client,
        })
    }
}

impl Row {
    /// Tells whether a balance of this client is one of its ends.
    #[must_use]
    pub fn concerns(&self, client: &Person) -> bool {
        let mut ends = self.parts().flat_map(|part| [&part.from, &part.to]);
        ends.any(|end| end.is_clients() && end.person == *client)
    }
}

fn is_known(sequencer: &Sequencer, account: &str, customer: Option<&str>) -> bool {
    let ledger = sequencer.ledger();
    let Some(account) = ledger.state.account_named(account) else { return false };
    customer.is_none_or(|customer| ledger.archive.subaccount(account, customer).is_some())
}

type Balances = BTreeMap<Commodity, BTreeMap<&'static str, i128>>;

fn client_balances(sequencer: &Sequencer, client: &Person) -> Result<Balances, BalanceMismatch> {
    let mut balances = Balances::new();
    for balance in Balance::all(sequencer)? {
        if balance.is_owed_to(client) {
            let parts = balances.entry(balance.account.commodity()).or_default();
            *parts.entry(balance.account.chart()).or_default() += balance.net_credit;
        }
    }
    Ok(balances)
}

fn assets(
    sequencer: &Sequencer,
    client: &Person,
    (opening, closing): (&Balances, &Balances),
    rows: &[Row],
) -> Result<Vec<ClientAsset>, ClientReportError> {
    let effects: Vec<_> = rows.iter().map(|row| row.effect_on(client)).collect();
    let moved = effects.iter().flat_map(BTreeMap::keys);
    let commodities: BTreeSet<Commodity> =
        opening.keys().chain(closing.keys()).chain(moved).copied().collect();
    let sum = |balances: &Balances, of| balances.get(&of).map_or(0, |parts| parts.values().sum());
    let mut assets = Vec::new();
    for commodity in commodities {
        let (asset, scale) = commodity_name(sequencer, commodity);
        let effects = effects.iter().filter_map(|effect| effect.get(&commodity).copied());
        let (came, went) = effects.fold((0, 0), |(came, went): (i128, i128), effect| {
            (came + effect.max(0), went - effect.min(0))
        });
        let opening: i128 = sum(opening, commodity);
        let closing = closing.get(&commodity).cloned().unwrap_or_default();
        let price = AssetPrice::latest(sequencer, &asset);
        let found = ClientAsset { asset, scale, opening, came, went, closing, price };
        let (moved, closing) = (opening + came - went, found.closing_sum());
        if moved != closing {
            return Err(ClientReportError::Uneven { asset: found.asset, moved, closing });
        }
        assets.push(found);
    }
    Ok(assets)
}
