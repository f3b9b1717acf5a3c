//! A chain: transfers and balances of watched addresses at a block, as JSON.

use std::collections::{HashMap, HashSet};

use ledger_core::time::Instant;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Accounts;
use super::position::{LineCounter, position_within};
use crate::canonical;
use crate::day::Day;
use crate::movement::{Class, Direction, Position, Source, Status, TheirMovement};
use crate::quantity::Quantity;
use crate::statement::{AccountBalance, Fault, FileError, Statement};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainFile<'a> {
    /// The node or indexer that says so.
    source: String,
    network: String,
    #[serde(default)]
    environment: Option<String>,
    from: String,
    to: String,
    /// When the statement was made.
    at: String,
    /// The block at which the closing balances are.
    block: Block,
    addresses: Vec<String>,
    /// Blocks that count, where the reader may have seen others.
    #[serde(default)]
    blocks: Vec<Block>,
    #[serde(borrow)]
    transfers: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    balances: Vec<&'a RawValue>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    number: u64,
    hash: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Transfer {
    tx_hash: String,
    #[serde(default)]
    index: Option<u32>,
    #[serde(default)]
    block: Option<Block>,
    time: String,
    asset: String,
    from: String,
    to: String,
    amount: String,
    #[serde(default)]
    fee: Option<Fee>,
    /// confirmed, pending, failed or removed; confirmed where nothing is said.
    #[serde(default)]
    status: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fee {
    asset: String,
    amount: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Balance {
    address: String,
    asset: String,
    opening: String,
    closing: String,
}

/// The part of a file that all its transfers share.
struct Reader {
    number: u32,
    network: Box<str>,
    watched: HashSet<Box<str>>,
    blocks: HashMap<u64, Box<str>>,
    accounts: Accounts,
    /// Transactions whose fee was taken: one of several transfers pays it once.
    charged: HashSet<Box<str>>,
}

/// Reads the statement of one network.
///
/// # Errors
///
/// [`FileError`] naming each place that is wrong: no part of a wrong file is read.
pub fn read((file, number): (&str, u32), bytes: &[u8]) -> Result<Statement, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        let (line, column) = super::position::position_at(&before, before.len());
        FileError::one(file, line, column, "this is not UTF-8")
    })?;
    let parsed: ChainFile<'_> = serde_json::from_str(text).map_err(|error| {
        let column = u32::try_from(error.column()).unwrap_or(u32::MAX);
        FileError::one(file, error.line() as u64, column, reason_of(&error))
    })?;
    let mut statement = Statement::empty(Source::Chain, file, bytes);
    read_head(&parsed, &mut statement).map_err(|reason| FileError::one(file, 1, 1, reason))?;
    let network = canonical::name(&parsed.network);
    let blocks = parsed.blocks.iter().chain([&parsed.block]);
    let mut reader = Reader {
        number,
        watched: parsed.addresses.iter().map(|text| canonical::wallet(&network, text)).collect(),
        blocks: blocks.map(|block| (block.number, spelled_block(block))).collect(),
        accounts: Accounts::new(Source::Chain, &network),
        charged: HashSet::new(),
        network,
    };
    let mut faults = Vec::new();
    let mut lines = LineCounter::new(text);
    // Balances may stand before transfers or behind them, so each counts lines of its own.
    for raw in &parsed.transfers {
        let at = lines.position_of(raw.get());
        if let Err(fault) = parse_part(raw, at).and_then(|it| reader.take(&it, at, &mut statement))
        {
            faults.push(fault);
        }
    }
    let mut lines = LineCounter::new(text);
    for raw in &parsed.balances {
        let at = lines.position_of(raw.get());
        if let Err(fault) =
            parse_part(raw, at).and_then(|it| reader.balance(&it, at, &mut statement))
        {
            faults.push(fault);
        }
    }
    if !faults.is_empty() {
        return Err(FileError { file: file.to_owned(), faults });
    }
    drop_superseded(&mut statement);
    statement.fill_period();
    Ok(statement)
}

fn read_head(parsed: &ChainFile<'_>, statement: &mut Statement) -> Result<(), String> {
    let instant = |name: &str, text: &str| {
        Instant::parse(text).ok_or_else(|| format!("{name}: \"{text}\" is no instant of RFC 3339"))
    };
    let (from, to) = (instant("from", &parsed.from)?, instant("to", &parsed.to)?);
    if to <= from {
        return Err("to: the statement ends before it begins".to_owned());
    }
    statement.from = Some(Day::from_instant(from));
    // An end at midnight is the end of the day before.
    let last = Instant::from_micros(to.micros() - 1).unwrap_or(to);
    statement.to = Some(Day::from_instant(last));
    statement.made = Some(instant("at", &parsed.at)?.to_string());
    statement.origin.clone_from(&parsed.source);
    statement.environment.clone_from(&parsed.environment);
    statement.block = Some((parsed.block.number, parsed.block.hash.clone()));
    Ok(())
}

/// Reads a part of the file that begins at this place.
fn parse_part<'a, T: Deserialize<'a>>(raw: &'a RawValue, at: (u64, u32)) -> Result<T, Fault> {
    serde_json::from_str(raw.get()).map_err(|error| {
        let (line, column) = position_within(at, (error.line(), error.column()));
        Fault { line, column, reason: reason_of(&error) }
    })
}

/// The fault without its place, which is named before it.
fn reason_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn spelled_block(block: &Block) -> Box<str> {
    block.hash.trim_start_matches("0x").to_ascii_lowercase().into()
}

/// A transfer that was removed and is confirmed in another block counts once.
fn drop_superseded(statement: &mut Statement) {
    let booked = statement
        .movements
        .iter()
        .filter(|it| it.status == Status::Booked && it.class != Class::Fee);
    let booked: HashSet<_> = booked.map(|it| (it.id.clone(), it.index, it.direction)).collect();
    statement.movements.retain(|it| {
        !matches!(it.status, Status::Gone | Status::Pending)
            || !booked.contains(&(it.id.clone(), it.index, it.direction))
    });
}

impl Reader {
    fn take(
        &mut self,
        transfer: &Transfer,
        (line, column): (u64, u32),
        statement: &mut Statement,
    ) -> Result<(), Fault> {
        let fault = |reason: String| Fault { line, column, reason };
        let instant = Instant::parse(&transfer.time);
        let text = &transfer.time;
        let at = instant.ok_or_else(|| fault(format!("time: \"{text}\" is no instant")))?;
        let amount = amount("amount", &transfer.amount).map_err(fault)?;
        let status = self.status(transfer).map_err(fault)?;
        let [from, to] =
            [&transfer.from, &transfer.to].map(|text| canonical::wallet(&self.network, text));
        let id = canonical::transaction(&self.network, &transfer.tx_hash);
        let movement = TheirMovement {
            position: Position { statement: self.number, line, column },
            account: self.accounts.account(canonical::name(&transfer.asset)),
            direction: Direction::In,
            amount,
            class: Class::Deposit,
            status,
            id: Some(id.clone()),
            index: transfer.index,
            returns: None,
            names: Vec::new(),
            address: None,
            word: None,
            fee: None,
            day: Day::from_instant(at),
            at,
        };
        let sends = self.watched.contains(&from);
        if let (true, Some(fee)) =
            (sends && matches!(status, Status::Booked | Status::Failed), &transfer.fee)
            && self.charged.insert(id)
        {
            let taken = self::amount("fee.amount", &fee.amount).map_err(fault)?;
            statement.movements.push(TheirMovement {
                account: self.accounts.account(canonical::name(&fee.asset)),
                direction: Direction::Out,
                amount: taken,
                class: Class::Fee,
                status: Status::Booked,
                index: None,
                ..movement.clone()
            });
        }
        match (sends, self.watched.contains(&to)) {
            (true, true) => statement.internal += 1,
            (false, true) => {
                statement.movements.push(TheirMovement { address: Some(from), ..movement });
            }
            (true, false) => statement.movements.push(TheirMovement {
                direction: Direction::Out,
                class: Class::Withdrawal,
                address: Some(to),
                ..movement
            }),
            (false, false) => return Err(fault("neither address is watched".to_owned())),
        }
        Ok(())
    }

    fn status(&self, transfer: &Transfer) -> Result<Status, String> {
        let counts = transfer.block.as_ref().is_none_or(|block| {
            self.blocks.get(&block.number).is_none_or(|known| *known == spelled_block(block))
        });
        match transfer.status.as_deref() {
            _ if !counts => Ok(Status::Gone),
            None | Some("confirmed") => Ok(Status::Booked),
            Some("pending") => Ok(Status::Pending),
            Some("failed") => Ok(Status::Failed),
            Some("removed") => Ok(Status::Gone),
            Some(word) => {
                Err(format!("status: \"{word}\" is none of confirmed, pending, failed and removed"))
            }
        }
    }

    fn balance(
        &mut self,
        balance: &Balance,
        (line, column): (u64, u32),
        statement: &mut Statement,
    ) -> Result<(), Fault> {
        let fault = |reason: String| Fault { line, column, reason };
        let address = canonical::wallet(&self.network, &balance.address);
        if !self.watched.contains(&address) {
            return Err(fault(format!("address: {} is not watched", balance.address)));
        }
        let read = |name: &str, text: &str| {
            Quantity::parse(text).ok_or_else(|| format!("{name}: \"{text}\" is no decimal"))
        };
        let opening = read("opening", &balance.opening).map_err(fault)?;
        let closing = read("closing", &balance.closing).map_err(fault)?;
        let account = self.accounts.account(canonical::name(&balance.asset));
        let (opening, closing) = (Some(opening), Some(closing));
        statement.add_balance(AccountBalance { account, opening, closing, line });
        Ok(())
    }
}

/// An amount above zero.
fn amount(name: &str, text: &str) -> Result<Quantity, String> {
    Quantity::parse(text)
        .filter(|amount| *amount > Quantity::ZERO)
        .ok_or_else(|| format!("{name}: \"{text}\" is no decimal above zero"))
}
