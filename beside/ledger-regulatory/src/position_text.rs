//! The custody position as JSON and as CSV.

use ledger_store::export::{centavos, decimal};
use serde_json::{Value, json};

use crate::cell::csv_line;
use crate::position::{AssetPosition, CustodyPosition};

impl CustodyPosition {
    /// Returns the position as JSON; with each client's part where `by_client` is wanted.
    #[must_use]
    pub fn json(&self, by_client: bool) -> Value {
        let assets = self.assets.iter().map(|position| position.json(by_client));
        let without: Vec<_> = self.assets.iter().filter(|asset| asset.is_without_price()).collect();
        json!({
            "report": "custody-ledger custody position 1",
            "ledger": self.ledger,
            "record": self.head.seq,
            "link": self.head.link.to_string(),
            "at": self.at.to_string(),
            "assets": assets.collect::<Vec<_>>(),
            "without_price": without.iter().map(|asset| &*asset.asset).collect::<Vec<_>>(),
        })
    }

    /// Returns a row for each asset as CSV.
    #[must_use]
    pub fn totals_csv(&self) -> String {
        let mut text = csv_line([
            "record",
            "at",
            "asset",
            "total",
            "clients",
            "creditors",
            "own",
            "price",
            "price_source",
            "price_at",
            "total_reais",
            "clients_reais",
            "own_reais",
        ]);
        for asset in &self.assets {
            let units = |amount: i128| decimal(amount, asset.scale);
            let [price, source, at] = asset.price_cells();
            let reais = |amount: i128| asset.reais_text(amount).unwrap_or_default();
            text += &csv_line([
                &*self.head.seq.to_string(),
                &self.at.to_string(),
                &asset.asset,
                &units(asset.total),
                &units(asset.clients),
                &units(asset.creditors),
                &units(asset.own),
                &price,
                &source,
                &at,
                &reais(asset.total),
                &reais(asset.clients),
                &reais(asset.own),
            ]);
        }
        text
    }

    /// Returns a row for each client, asset and account of the chart as CSV.
    #[must_use]
    pub fn clients_csv(&self) -> String {
        let mut text = csv_line([
            "record",
            "at",
            "client",
            "asset",
            "account",
            "quantity",
            "price",
            "price_source",
            "price_at",
            "reais",
        ]);
        for asset in &self.assets {
            let [price, source, at] = asset.price_cells();
            for ((person, chart), units) in &asset.by_client {
                text += &csv_line([
                    &*self.head.seq.to_string(),
                    &self.at.to_string(),
                    &person.to_string(),
                    &asset.asset,
                    chart,
                    &decimal(*units, asset.scale),
                    &price,
                    &source,
                    &at,
                    &asset.reais_text(*units).unwrap_or_default(),
                ]);
            }
        }
        text
    }
}

impl AssetPosition {
    fn json(&self, by_client: bool) -> Value {
        let part = |units: i128| json!({ "quantity": decimal(units, self.scale), "reais": self.reais_text(units) });
        let held = self.held.iter().map(|(chart, units)| ((*chart).to_owned(), part(*units)));
        let mut shown = json!({
            "asset": self.asset,
            "total": part(self.total),
            "clients": part(self.clients),
            "creditors": part(self.creditors),
            "own": part(self.own),
            "held": held.collect::<serde_json::Map<_, _>>(),
            "price": self.price.as_ref().map(|price| json!({
                "reais": price.text,
                "source": price.source,
                "at": price.at.map(|at| at.to_string()),
            })),
        });
        if by_client {
            let rows = self.by_client.iter().map(|((person, chart), units)| {
                let mut row = json!({ "client": person.to_string(), "account": chart });
                row["quantity"] = decimal(*units, self.scale).into();
                row["reais"] = self.reais_text(*units).into();
                row
            });
            shown["by_client"] = rows.collect();
        }
        shown
    }

    fn reais_text(&self, units: i128) -> Option<String> {
        self.centavos(units).map(|cents| decimal(cents, centavos()))
    }

    /// Price, source and instant; a source says so where there is no price.
    fn price_cells(&self) -> [String; 3] {
        match &self.price {
            _ if self.is_reais() => [String::new(), "reais".to_owned(), String::new()],
            None => [String::new(), "without price".to_owned(), String::new()],
            Some(price) => {
                let at = price.at.map(|at| at.to_string()).unwrap_or_default();
                [price.text.clone(), price.source.clone(), at]
            }
        }
    }
}
