//! The statements of the world, each from what happened there.

use std::fmt::Write as _;

use ledger_matching::read::columns::Columns;
use ledger_matching::read::{chain, exchange, provider};
use ledger_matching::{FileError, Rules, Statement};
use serde_json::{Value, json};

use super::happenings::millionths;
use super::time::{DAY, MINUTE, at_the_bank, at_the_exchange, month_begins, rfc3339};
use super::{BankLine, HOT, TRON, TradeLine, Transfer, World};

/// A second wallet of ours on Polygon.
pub const COLD: &str = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

/// Which column is what.
pub const COLUMNS: &str = include_str!("columns.toml");
/// The rules of this operation.
pub const RULES: &str = include_str!("rules.toml");

/// The files of the month, and what their balances are of.
#[derive(Clone)]
pub struct Files {
    pub bank: Vec<BankLine>,
    pub transfers: Vec<Transfer>,
    pub trades: Vec<TradeLine>,
    pub bank_ends: (i64, i64),
    /// Network, asset, opening and closing.
    pub chain_ends: Vec<(&'static str, &'static str, i64, i64)>,
    pub exchange_ends: Vec<(&'static str, i64, i64)>,
    /// Blocks that count, by number.
    pub blocks: Vec<(u64, String)>,
    /// The days of the month that the files are of: the first, and the one after the last.
    pub days: (i64, i64),
}

impl Files {
    /// The balances that each account outside would print at the end of the month.
    pub fn from_world(world: &World) -> Self {
        let closing = world.bank_opening + world.bank.iter().map(|line| line.cents).sum::<i64>();
        let chain_ends = world.chain_opening.iter().map(|&(network, asset, opening)| {
            let own = |address: &str| [HOT, COLD, TRON].contains(&address);
            let moved = world.transfers.iter().filter(|it| it.network == network).map(|it| {
                let amount = if it.asset == asset { it.amount } else { 0 };
                let fee = it.fee.filter(|(of, _)| *of == asset && own(&it.from));
                i64::from(own(&it.to)) * amount
                    - i64::from(own(&it.from)) * amount
                    - fee.map_or(0, |(_, fee)| fee)
            });
            (network, asset, opening, opening + moved.sum::<i64>())
        });
        let exchange_ends = world.exchange_opening.iter().map(|&(asset, opening)| {
            let moved = world.trades.iter().map(|it| match it.kind {
                "Deposit" if it.asset == asset => it.amount,
                "Withdrawal" if it.asset == asset => -it.amount,
                "Trade" if it.asset == asset => -it.amount,
                "Trade" if it.counter_asset == asset => it.counter_amount - it.fee,
                _ => 0,
            });
            (asset, opening, opening + moved.sum::<i64>())
        });
        Self {
            bank: world.bank.clone(),
            transfers: world.transfers.clone(),
            trades: world.trades.clone(),
            bank_ends: (world.bank_opening, closing),
            chain_ends: chain_ends.collect(),
            exchange_ends: exchange_ends.collect(),
            blocks: Vec::new(),
            days: (0, 30),
        }
    }

    /// The provider's CSV.
    pub fn bank_csv(&self) -> String {
        let (opening, closing) = self.bank_ends;
        let reais = |cents: i64| {
            let sign = if cents < 0 { "-" } else { "" };
            format!("{sign}{},{:02}", cents.abs() / 100, cents.abs() % 100)
        };
        let mut text = String::from("Data;Tipo;Valor;EndToEndId;Referência\n");
        let _ = writeln!(text, "01/11/2026;Saldo anterior;{};;", reais(opening));
        for BankLine { at, kind, cents, id, reference } in &self.bank {
            let _ =
                writeln!(text, "{};{kind};{};{id};{reference}", at_the_bank(*at), reais(*cents));
        }
        let _ = writeln!(text, "30/11/2026;Saldo final;{};;", reais(closing));
        text
    }

    /// The statement of one network.
    pub fn chain_json(&self, network: &str) -> Value {
        let addresses = if network == "tron" { vec![TRON] } else { vec![HOT, COLD] };
        let of_network = self.transfers.iter().filter(|it| it.network == network);
        let transfers = of_network.map(|it| {
            let number = block_at(it.at);
            let canonical = format!("0x{number:064x}");
            let fee = it.fee.map(|(asset, fee)| json!({"asset": asset, "amount": millionths(fee)}));
            json!({
                "tx_hash": it.hash, "index": it.index, "time": rfc3339(it.at), "asset": it.asset,
                "block": {"number": number, "hash": it.block_hash.clone().unwrap_or(canonical)},
                "from": it.from, "to": it.to, "amount": millionths(it.amount), "fee": fee,
                "status": it.status,
            })
        });
        let balances = self.chain_ends.iter().filter(|end| end.0 == network).map(
            |(_, asset, opening, closing)| {
                json!({"address": addresses[0], "asset": asset, "opening": millionths(*opening),
                    "closing": millionths(*closing)})
            },
        );
        let (begin, end) = (month_begins() + self.days.0 * DAY, month_begins() + self.days.1 * DAY);
        let blocks =
            self.blocks.iter().map(|(number, hash)| json!({"number": number, "hash": hash}));
        json!({
            "source": format!("node of {network}"),
            "network": network,
            "from": rfc3339(begin),
            "to": rfc3339(end),
            "at": rfc3339(end + MINUTE),
            "block": {"number": block_at(end), "hash": format!("0x{:064x}", block_at(end))},
            "addresses": addresses,
            "blocks": blocks.collect::<Vec<_>>(),
            "transfers": transfers.collect::<Vec<_>>(),
            "balances": balances.collect::<Vec<_>>(),
        })
    }

    /// The exchange's CSV.
    pub fn exchange_csv(&self) -> String {
        let mut text = String::from(
            "Time,Type,Id,Order,Side,Asset,Amount,Quote,Total,Fee,Fee asset,Address\n",
        );
        for (asset, opening, _) in &self.exchange_ends {
            let _ = writeln!(text, ",Opening,,,,{asset},{},,,,,", millionths(*opening));
        }
        for line in &self.trades {
            let optional =
                |amount: i64| if amount == 0 { String::new() } else { millionths(amount) };
            let cells = [
                at_the_exchange(line.at),
                line.kind.to_owned(),
                line.id.clone(),
                line.reference.clone(),
                line.side.to_owned(),
                line.asset.to_uppercase(),
                millionths(line.amount),
                line.counter_asset.to_owned(),
                optional(line.counter_amount),
                optional(line.fee),
                line.fee_asset.to_owned(),
                line.address.clone(),
            ];
            let _ = writeln!(text, "{}", cells.join(","));
        }
        for (asset, _, closing) in &self.exchange_ends {
            let _ = writeln!(text, ",Closing,,,,{asset},{},,,,,", millionths(*closing));
        }
        text
    }

    /// All statements, as they are read of their files.
    pub fn read(&self) -> Result<Vec<Statement>, FileError> {
        self.read_with("")
    }

    /// The same, with a line behind those of the provider.
    pub fn read_with(&self, line: &str) -> Result<Vec<Statement>, FileError> {
        let columns = Columns::parse("columns.toml", COLUMNS)?;
        let rules = Rules::parse("rules.toml", RULES)?;
        let bank = self.bank_csv() + line;
        let exchange_columns = columns.exchange.as_ref().expect("it is declared");
        Ok(vec![
            provider::read(
                ("bank.csv", 0),
                bank.as_bytes(),
                columns.provider.as_ref(),
                &rules.provider,
            )?,
            chain::read(
                ("polygon.json", 1),
                format!("{:#}", self.chain_json("polygon")).as_bytes(),
            )?,
            chain::read(("tron.json", 2), format!("{:#}", self.chain_json("tron")).as_bytes())?,
            exchange::read(("exchange.csv", 3), self.exchange_csv().as_bytes(), exchange_columns)?,
        ])
    }
}

/// The block in which something stands that happens at an instant: one every two seconds.
pub fn block_at(at: i64) -> u64 {
    u64::try_from(at / 2_000_000 - 890_000_000).expect("blocks have numbers")
}
