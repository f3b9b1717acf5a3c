//! An exchange: fills, deposits, withdrawals, fees and balances, as CSV by declared columns.

use std::sync::Arc;

use csv::{ReaderBuilder, StringRecord, Trim};
use ledger_core::time::Instant;

use super::Accounts;
use super::columns::{ExchangeColumns, Kinds};
use crate::canonical;
use crate::day::Day;
use crate::movement::{Account, Class, Direction, Position, Source, Status, TheirMovement};
use crate::quantity::Quantity;
use crate::statement::{AccountBalance, Fault, FileError, Statement};

/// Where each column stands.
struct Places {
    time: usize,
    asset: usize,
    amount: usize,
    kind: Option<usize>,
    id: Option<usize>,
    reference: Option<usize>,
    side: Option<usize>,
    counter_asset: Option<usize>,
    counter_amount: Option<usize>,
    fee: Option<usize>,
    fee_asset: Option<usize>,
    address: Option<usize>,
}

/// The kind of a line.
enum Row {
    Fill,
    Move(Direction, Class),
    Opening,
    Closing,
    Ignored,
}

/// Why a cell, or a line, cannot be read: the number of its column, from 1.
type CellFault = (usize, String);

/// A line while it is read.
struct Cells<'a> {
    record: &'a StringRecord,
    places: &'a Places,
    columns: &'a ExchangeColumns,
}

/// Reads a statement by its columns.
///
/// # Errors
///
/// [`FileError`] naming each place that is wrong; columns are counted as cells.
pub fn read(
    (file, number): (&str, u32),
    bytes: &[u8],
    columns: &ExchangeColumns,
) -> Result<Statement, FileError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count() as u64;
        FileError::one(file, line, 1, "this is not UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new()
        .delimiter(u8::try_from(columns.delimiter).unwrap_or(b','))
        .trim(Trim::All)
        .from_reader(text.as_bytes());
    let names = reader.headers().cloned().unwrap_or_default();
    let places = column_places(&names, columns)
        .map_err(|faults| FileError { file: file.to_owned(), faults })?;
    let mut statement = Statement::empty(Source::Exchange, file, bytes);
    statement.origin.clone_from(&columns.name);
    let mut accounts = Accounts::new(Source::Exchange, "");
    let mut faults = Vec::new();
    for record in reader.records() {
        let fault = match &record {
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                Some(Fault { line, column: 1, reason: error.to_string() })
            }
            Ok(record) => {
                let line = record.position().map_or(0, csv::Position::line);
                let cells = Cells { record, places: &places, columns };
                let taken = cells.take((number, line), &mut accounts, &mut statement);
                taken.err().map(|(column, reason)| {
                    let column = u32::try_from(column).unwrap_or(u32::MAX);
                    Fault { line, column, reason }
                })
            }
        };
        faults.extend(fault);
    }
    if !faults.is_empty() {
        return Err(FileError { file: file.to_owned(), faults });
    }
    statement.fill_period();
    Ok(statement)
}

fn column_places(names: &StringRecord, columns: &ExchangeColumns) -> Result<Places, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut place = |name: &String| {
        names.iter().position(|known| known == name).unwrap_or_else(|| {
            let known = names.iter().collect::<Vec<_>>().join(", ");
            let reason = format!("no column is named \"{name}\": there are {known}");
            faults.push(Fault { line: 1, column: 1, reason });
            0
        })
    };
    let columns = &columns.columns;
    let mut optional = |name: &Option<String>| name.as_ref().map(&mut place);
    let places = Places {
        kind: optional(&columns.kind),
        id: optional(&columns.id),
        reference: optional(&columns.reference),
        side: optional(&columns.side),
        counter_asset: optional(&columns.counter_asset),
        counter_amount: optional(&columns.counter_amount),
        fee: optional(&columns.fee),
        fee_asset: optional(&columns.fee_asset),
        address: optional(&columns.address),
        time: place(&columns.time),
        asset: place(&columns.asset),
        amount: place(&columns.amount),
    };
    if faults.is_empty() { Ok(places) } else { Err(faults) }
}

impl Cells<'_> {
    fn text(&self, place: Option<usize>) -> Option<&str> {
        let text = place.and_then(|place| self.record.get(place))?;
        (!text.is_empty()).then_some(text)
    }

    /// The kind of the line, by its word; without such a column all are trades.
    fn row(&self) -> Result<Row, CellFault> {
        let Some(place) = self.places.kind else { return Ok(Row::Fill) };
        let word = self.text(Some(place)).unwrap_or_default();
        let is = |words: &[String]| words.iter().any(|known| known == word);
        let Kinds { fill, deposit, withdrawal, fee, opening, closing, ignore } = &self.columns.kind;
        match () {
            () if is(fill) => Ok(Row::Fill),
            () if is(deposit) => Ok(Row::Move(Direction::In, Class::Deposit)),
            () if is(withdrawal) => Ok(Row::Move(Direction::Out, Class::Withdrawal)),
            () if is(fee) => Ok(Row::Move(Direction::Out, Class::Fee)),
            () if is(opening) => Ok(Row::Opening),
            () if is(closing) => Ok(Row::Closing),
            () if is(ignore) => Ok(Row::Ignored),
            () => Err((place + 1, format!("\"{word}\" is none of the words of [exchange.kind]"))),
        }
    }

    fn decimal(&self, place: usize) -> Result<Quantity, CellFault> {
        let text = self.text(Some(place)).unwrap_or_default();
        let plain = match self.columns.decimal {
            '.' => text.to_owned(),
            sign => text.replace('.', "?").replace(sign, "."),
        };
        Quantity::parse(&plain)
            .ok_or_else(|| (place + 1, format!("\"{text}\" is no decimal of this file")))
    }

    /// An amount without its sign, which is above zero.
    fn amount(&self, place: usize) -> Result<Quantity, CellFault> {
        let amount = self.decimal(place)?.abs();
        let nothing = || (place + 1, "an amount of nothing".to_owned());
        (amount > Quantity::ZERO).then_some(amount).ok_or_else(nothing)
    }

    fn asset(&self, place: Option<usize>) -> Result<Box<str>, CellFault> {
        let missing = || (place.map_or(1, |place| place + 1), "it names no asset".to_owned());
        self.text(place).map(canonical::name).ok_or_else(missing)
    }

    fn at(&self) -> Result<Instant, CellFault> {
        let place = self.places.time;
        let text = self.text(Some(place)).unwrap_or_default();
        let written = text.replacen(' ', "T", 1);
        let with_offset = || Instant::parse(&format!("{written}{}", self.columns.offset));
        Instant::parse(&written)
            .or_else(with_offset)
            .ok_or_else(|| (place + 1, format!("\"{text}\" is no time")))
    }

    fn take(
        &self,
        (number, line): (u32, u64),
        accounts: &mut Accounts,
        statement: &mut Statement,
    ) -> Result<(), CellFault> {
        let row = self.row()?;
        if matches!(row, Row::Ignored) {
            statement.ignored += 1;
            return Ok(());
        }
        let account = accounts.account(self.asset(Some(self.places.asset))?);
        if let Row::Opening | Row::Closing = row {
            let amount = Some(self.decimal(self.places.amount)?);
            let is_opening = matches!(row, Row::Opening);
            let (opening, closing) = if is_opening { (amount, None) } else { (None, amount) };
            statement.add_balance(AccountBalance { account, opening, closing, line });
            return Ok(());
        }
        let at = self.at()?;
        let names = [self.places.reference, self.places.id];
        let position = Position { statement: number, line, column: 1 };
        let movement = TheirMovement {
            position,
            account,
            direction: Direction::In,
            amount: self.amount(self.places.amount)?,
            class: Class::Fill,
            status: Status::Booked,
            id: self.text(self.places.id).map(Into::into),
            index: None,
            returns: None,
            names: names.into_iter().filter_map(|place| self.text(place)).map(Into::into).collect(),
            address: self.text(self.places.address).map(Into::into),
            word: self.text(self.places.kind).map(Into::into),
            fee: None,
            day: Day::from_instant(at),
            at,
        };
        let legs = match row {
            Row::Fill => self.fill(movement, accounts)?,
            Row::Move(direction, class) => vec![TheirMovement { direction, class, ..movement }],
            Row::Opening | Row::Closing | Row::Ignored => Vec::new(),
        };
        self.push_with_fee(legs, accounts, statement)
    }

    /// The two legs of a trade.
    fn fill(
        &self,
        base: TheirMovement,
        accounts: &mut Accounts,
    ) -> Result<Vec<TheirMovement>, CellFault> {
        let place = self.places.side.unwrap_or(self.places.amount);
        let word = self.text(self.places.side).unwrap_or_default();
        let is = |words: &[String]| words.iter().any(|known| known == word);
        let buys = match (is(&self.columns.side.buy), is(&self.columns.side.sell)) {
            (true, false) => true,
            (false, true) => false,
            _ => {
                let reason = format!("\"{word}\" is neither bought nor sold by [exchange.side]");
                return Err((place + 1, reason));
            }
        };
        let missing = || (1, "a trade needs counter_asset and counter_amount".to_owned());
        let account = accounts.account(self.asset(self.places.counter_asset)?);
        let amount = self.amount(self.places.counter_amount.ok_or_else(missing)?)?;
        let (ours, theirs) =
            if buys { (Direction::In, Direction::Out) } else { (Direction::Out, Direction::In) };
        let counter = TheirMovement { account, amount, direction: theirs, ..base.clone() };
        Ok(vec![TheirMovement { direction: ours, ..base }, counter])
    }

    /// Adds legs, and what was taken for them: out of the leg that comes in, where it is of its
    /// asset, else as a movement of its own.
    fn push_with_fee(
        &self,
        mut legs: Vec<TheirMovement>,
        accounts: &mut Accounts,
        statement: &mut Statement,
    ) -> Result<(), CellFault> {
        if let Some(place) = self.places.fee.filter(|place| self.text(Some(*place)).is_some()) {
            let fee = self.decimal(place)?.abs();
            let asset = match self.text(self.places.fee_asset) {
                Some(name) => canonical::name(name),
                None => legs.last().expect("a line has a leg").account.asset.clone(),
            };
            let of_leg = |leg: &&mut TheirMovement| {
                let comes = leg.direction == Direction::In && leg.class == Class::Fill;
                comes && leg.account.asset == asset && leg.amount > fee
            };
            if let Some(leg) = legs.iter_mut().find(of_leg) {
                (leg.amount, leg.fee) = (leg.amount.minus(fee), Some(fee));
            } else if fee > Quantity::ZERO {
                let account: Arc<Account> = accounts.account(asset);
                let first = legs[0].clone();
                let (direction, class) = (Direction::Out, Class::Fee);
                legs.push(TheirMovement { account, direction, class, amount: fee, ..first });
            }
        }
        statement.movements.extend(legs);
        Ok(())
    }
}
