//! Tables for people, all drawn alike, and reais as people write them.

use comfy_table::{CellAlignment, Table, presets};
use ledger_core::money::Balance;

/// An empty table of these columns.
pub fn with_header<N: ToString>(names: impl IntoIterator<Item = N>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(names.into_iter().map(|name| name.to_string()));
    table
}

/// Aligns the columns at which `is_number` to the right, by their places from 0.
pub fn align(table: &mut Table, is_number: impl Fn(usize) -> bool) {
    for (place, column) in table.column_iter_mut().enumerate() {
        if is_number(place) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// Reais with comma and thousands: `1.234,50`.
pub fn reais(amount: Balance) -> String {
    let text = amount.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &*text), |digits| ("-", digits));
    let (whole, cents) = digits.split_once('.').unwrap_or((digits, "00"));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped},{cents}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reais_are_written_as_people_write_them() {
        for (cents, text) in [
            (0, "0,00"),
            (-5, "-0,05"),
            (99_999, "999,99"),
            (100_000, "1.000,00"),
            (-123_456_789, "-1.234.567,89"),
        ] {
            assert_eq!(reais(Balance::new(cents)), text);
        }
    }
}
