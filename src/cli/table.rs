//! Tables for people, all drawn alike.

use comfy_table::{CellAlignment, Table, presets};

/// An empty table of these columns.
pub fn of<N: ToString>(names: impl IntoIterator<Item = N>) -> Table {
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
