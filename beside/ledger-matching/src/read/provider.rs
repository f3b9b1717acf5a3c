//! A provider's account: CSV or camt.053, by the readers of `ledger_reconcile`.

use std::sync::Arc;

use ledger_core::time::Instant;
use ledger_reconcile::{BalanceEnd, Direction, Faults, Kind, Line, List, Mapping, Other, When};

use super::Accounts;
use crate::day::Day;
use crate::movement::{Account, Class, Position, Source, Status, TheirMovement};
use crate::quantity::Quantity;
use crate::rules::ProviderRules;
use crate::statement::{AccountBalance, Fault, FileError, Statement};

/// Reads a provider's account: XML is camt.053, anything else CSV by its columns.
///
/// # Errors
///
/// [`FileError`] where the file is no list, or has columns and none are declared.
pub fn read(
    (file, number): (&str, u32),
    bytes: &[u8],
    columns: Option<&Mapping>,
    rules: &ProviderRules,
) -> Result<Statement, FileError> {
    let is_xml = bytes.iter().find(|byte| byte.is_ascii_graphic()) == Some(&b'<');
    let list = match (is_xml, columns) {
        (true, _) => List::from_camt(bytes),
        (false, Some(mapping)) => List::from_csv(bytes, mapping),
        (false, None) => {
            let reason = "a CSV needs [provider] in the file of --columns";
            return Err(FileError::one(file, 1, 1, reason));
        }
    };
    let list = list.map_err(|Faults(faults)| FileError {
        file: file.to_owned(),
        faults: faults.into_iter().map(first_column).collect(),
    })?;
    let mut statement = Statement::empty(Source::Provider, file, bytes);
    let account = Accounts::new(Source::Provider, "").account("brl".into());
    for line in &list.lines {
        match pix(number, line, &account) {
            Ok(movement) => statement.movements.push(movement),
            Err(reason) => statement.unreadable.push(first_column((line.number, reason))),
        }
    }
    for other in &list.no_pix {
        statement.movements.extend(line_without_pix(number, other, &account, rules));
    }
    statement.movements.sort_by_key(|movement| movement.position);
    for stated in &list.balances {
        let amount = Some(Quantity::from_cents(stated.cents));
        let (opening, closing) = match stated.end {
            BalanceEnd::Opening => (amount, None),
            BalanceEnd::Closing => (None, amount),
        };
        set_balance(
            &mut statement,
            AccountBalance { account: Arc::clone(&account), opening, closing, line: stated.number },
        );
    }
    statement.ignored = list.ignored;
    statement.unreadable.extend(list.unreadable.into_iter().map(first_column));
    statement.made = list.made;
    statement.fill_period();
    Ok(statement)
}

/// A file of several statements opens with the first balance and closes with the last.
fn set_balance(statement: &mut Statement, balance: AccountBalance) {
    match statement.balances.first_mut() {
        None => statement.balances.push(balance),
        Some(known) => {
            known.opening = known.opening.or(balance.opening);
            known.closing = balance.closing.or(known.closing);
            known.line = balance.line;
        }
    }
}

fn first_column((line, reason): (u64, String)) -> Fault {
    Fault { line, column: 1, reason }
}

fn pix(number: u32, line: &Line, account: &Arc<Account>) -> Result<TheirMovement, String> {
    let (day, at) = day_and_instant(&line.when).ok_or("its date is none of the calendar")?;
    let class = match line.kind {
        Kind::Payment => Class::Payment,
        Kind::Return => Class::Return,
    };
    Ok(TheirMovement {
        position: Position { statement: number, line: line.number, column: 1 },
        account: Arc::clone(account),
        direction: line.direction,
        amount: Quantity::from_cents(line.cents),
        class,
        status: Status::Booked,
        id: line.id.as_deref().map(Into::into),
        index: None,
        returns: line.returns.as_deref().map(Into::into),
        names: line.names.iter().map(|name| (&**name).into()).collect(),
        address: None,
        word: None,
        fee: None,
        day,
        at,
    })
}

/// A line that names no PIX, where it moves anything.
fn line_without_pix(
    number: u32,
    other: &Other,
    account: &Arc<Account>,
    rules: &ProviderRules,
) -> Option<TheirMovement> {
    let (direction, cents): (Direction, i64) = other.moved?;
    let (day, at) = other.when.as_ref().and_then(day_and_instant)?;
    Some(TheirMovement {
        position: Position { statement: number, line: other.number, column: 1 },
        account: Arc::clone(account),
        direction,
        amount: Quantity::from_cents(cents),
        class: rules.class_of(other.word.as_deref()),
        status: Status::Booked,
        id: None,
        index: None,
        returns: None,
        names: Vec::new(),
        address: None,
        word: other.word.as_deref().map(Into::into),
        fee: None,
        day,
        at,
    })
}

fn day_and_instant(when: &When) -> Option<(Day, Instant)> {
    Some((Day::parse(&when.day)?, Instant::parse(&when.at)?))
}
