//! The names that a query may use: tables, functions and types.

use sqlparser::ast::{DataType, Ident, ObjectName, ObjectNamePart};

use super::{QueryRefused, refuse};
use crate::tables::projection::schema::table::Table;
use crate::tables::projection::schema::{EVERY_TABLE, OUTBOX};

/// Functions that read their arguments alone, and whose result is no longer than these.
const FUNCTIONS: [&str; 40] = [
    "abs",
    "avg",
    "ceil",
    "ceiling",
    "coalesce",
    "count",
    "cume_dist",
    "date",
    "date_part",
    "date_trunc",
    "datetime",
    "dense_rank",
    "first_value",
    "floor",
    "greatest",
    "ifnull",
    "iif",
    "instr",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "least",
    "length",
    "lower",
    "max",
    "min",
    "ntile",
    "nullif",
    "percent_rank",
    "rank",
    "round",
    "row_number",
    "sign",
    "strftime",
    "substr",
    "sum",
    "to_char",
    "total",
    "upper",
];

/// Types that a value may be read as.
const TYPES: [&str; 19] = [
    "bigint",
    "boolean",
    "date",
    "decimal",
    "double precision",
    "float",
    "int",
    "int8",
    "integer",
    "numeric",
    "real",
    "smallint",
    "text",
    "time",
    "timestamp",
    "timestamp with time zone",
    "timestamp without time zone",
    "timestamptz",
    "varchar",
];

/// The tables that a query may read: all but the outbox, as `grants/projections.sql` lets an
/// analyst.
pub fn readable_tables() -> impl Iterator<Item = &'static Table> {
    EVERY_TABLE.into_iter().filter(|table| table.name != OUTBOX.name)
}

/// Tells whether this is a table that may be read.
pub(super) fn is_table(name: &str) -> bool {
    readable_tables().any(|table| table.name == name)
}

/// Tells whether this is a column of such a table.
pub(super) fn is_column(name: &str) -> bool {
    let columns = readable_tables().flat_map(|table| table.columns);
    name == "ledger" || columns.into_iter().any(|column| column.name == name)
}

pub(super) fn is_function(name: &str) -> bool {
    FUNCTIONS.contains(&name)
}

/// Holds a type against the list.
pub(super) fn type_is_known(data_type: &DataType) -> Result<(), QueryRefused> {
    let name = data_type.to_string().to_ascii_lowercase();
    if TYPES.contains(&name.as_str()) {
        return Ok(());
    }
    refuse(format!("{name} is no type that a value is read as here: {}", TYPES.join(", ")))
}

/// A name as it is looked up: small letters, whether it was quoted or not.
pub(super) fn fold_name(ident: &Ident) -> Result<String, QueryRefused> {
    let Ident { value, quote_style, span: _ } = ident;
    let quoted = matches!(quote_style, None | Some('"'));
    let printed = !value.chars().any(|found| found.is_control() || "\"'`[]\\".contains(found));
    if quoted && printed && !value.is_empty() {
        Ok(value.to_lowercase())
    } else {
        refuse("a name stands bare or in \"…\", without quotation marks or backslashes in it")
    }
}

/// A name of one part, which no database looks for elsewhere.
pub(super) fn single<'a>(name: &'a ObjectName, what: &str) -> Result<&'a Ident, QueryRefused> {
    match &name.0[..] {
        [ObjectNamePart::Identifier(ident)] => Ok(ident),
        _ => refuse(format!("{name}: {what} is named without a schema or database before it")),
    }
}

/// Returns what a table is called: as it stands in the list, since quoted letters differ by their
/// case.
pub(super) fn of_table(ident: &Ident) -> Result<String, QueryRefused> {
    let name = fold_name(ident)?;
    if ident.quote_style.is_some() && name != ident.value {
        return refuse(format!("{ident} is no table that may be read here"));
    }
    Ok(name)
}
