//! What a table is: its columns with their meaning, from which the statements are made that create,
//! fill and compare it, and with which `docs/PROJECTIONS.md` is compared.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A 64-bit integer: `INTEGER` on SQLite, `bigint` on PostgreSQL.
    Integer,
    /// Text, compared byte by byte.
    Text,
}

/// A column, declared once for both databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, as SQL writes it.
    pub name: &'static str,
    /// What it holds.
    pub sort: Sort,
    /// Tells whether every row has a value there.
    pub need: Need,
    /// What it says, with its unit.
    pub about: &'static str,
}

/// Tells whether a column may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Every row has a value.
    Always,
    /// Null where the meaning says so.
    Sometimes,
}

/// What becomes of a row whose key is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// The new one stands.
    Replaces,
    /// The new one stands, but for this column, which is set as the statement says.
    Keeps(&'static str, &'static str),
}

/// Tells whether rows change once they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// They do: each lies where its key is.
    Standing,
    /// They do not: they lie in the order written, so that one transaction writes few pages, and an
    /// index finds them by key.
    Added,
}

/// A table. Its first column, on every one, is `ledger`, and is not listed.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name, as SQL writes it.
    pub name: &'static str,
    /// What a row of it is.
    pub about: &'static str,
    /// Its columns, the key's first.
    pub columns: &'static [Column],
    /// How many of them, after `ledger`, are the key.
    pub key: usize,
    /// What becomes of a row whose key is there already.
    pub again: Again,
    /// Tells whether its rows change.
    pub rows: Rows,
    /// The index that keeps its keys apart, where that is no primary key: it can be dropped while
    /// all of the table is filled, and made afterwards. Of tables to which rows are only added.
    pub key_index: Option<&'static str>,
    /// Its other indexes: name, and what stands behind `ON table`.
    pub indexes: &'static [(&'static str, &'static str)],
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// No value: `NULL` in SQL.
    Null,
    /// A signed integer of 64 bits.
    Integer(i64),
    /// A text, compared byte by byte.
    Text(String),
}

/// The values of a row, in the order of its table's columns, without `ledger`.
pub type Cells = Vec<Cell>;

/// An integer in every row.
pub(in crate::tables::projection) const fn integer(
    name: &'static str,
    about: &'static str,
) -> Column {
    Column { name, sort: Sort::Integer, need: Need::Always, about }
}

/// A text in every row.
pub(in crate::tables::projection) const fn text(name: &'static str, about: &'static str) -> Column {
    Column { name, sort: Sort::Text, need: Need::Always, about }
}

/// An integer, or null.
pub(in crate::tables::projection) const fn maybe_integer(
    name: &'static str,
    about: &'static str,
) -> Column {
    Column { name, sort: Sort::Integer, need: Need::Sometimes, about }
}

/// A text, or null.
pub(in crate::tables::projection) const fn maybe_text(
    name: &'static str,
    about: &'static str,
) -> Column {
    Column { name, sort: Sort::Text, need: Need::Sometimes, about }
}

impl Table {
    /// The columns of its key, `ledger` first.
    fn key_columns(&self) -> String {
        let names = self.columns[..self.key].iter().map(|column| column.name);
        std::iter::once("ledger").chain(names).collect::<Vec<_>>().join(", ")
    }

    /// All its columns, `ledger` first.
    pub(in crate::tables::projection) fn all_columns(&self) -> String {
        let names = self.columns.iter().map(|column| column.name);
        std::iter::once("ledger").chain(names).collect::<Vec<_>>().join(", ")
    }

    /// All its columns but `ledger`.
    pub(in crate::tables::projection) fn own_columns(&self) -> String {
        self.columns.iter().map(|column| column.name).collect::<Vec<_>>().join(", ")
    }

    /// Returns what stands after the values of an insert.
    pub(in crate::tables::projection) fn on_conflict(&self) -> String {
        let kept = match self.again {
            Again::Replaces => None,
            Again::Keeps(column, set) => Some((column, set)),
        };
        let sets = self.columns[self.key..].iter().map(|column| match kept {
            Some((name, set)) if name == column.name => format!("{name} = {set}"),
            _ => format!("{0} = excluded.{0}", column.name),
        });
        let sets = sets.collect::<Vec<_>>().join(", ");
        format!(" ON CONFLICT ({}) DO UPDATE SET {sets}", self.key_columns())
    }

    /// The statement that makes it, in the words of one database; its indexes are made apart.
    pub(in crate::tables::projection) fn create(&self, dialect: Dialect) -> String {
        let (text, integer, end) = match (dialect, self.rows) {
            (Dialect::Sqlite, Rows::Standing) => ("TEXT", "INTEGER", " STRICT, WITHOUT ROWID"),
            (Dialect::Sqlite, Rows::Added) => ("TEXT", "INTEGER", " STRICT"),
            (Dialect::Postgres, _) => ("text COLLATE \"C\"", "bigint", ""),
        };
        let mut columns = vec![format!("ledger {text} NOT NULL")];
        columns.extend(self.columns.iter().map(|column| {
            let sort = match column.sort {
                Sort::Integer => integer,
                Sort::Text => text,
            };
            let need = if column.need == Need::Always { " NOT NULL" } else { "" };
            format!("{} {sort}{need}", column.name)
        }));
        if self.key_index.is_none() {
            columns.push(format!("PRIMARY KEY ({})", self.key_columns()));
        }
        format!("CREATE TABLE IF NOT EXISTS {} ({}){end}", self.name, columns.join(", "))
    }

    /// Its indexes but for a primary key's.
    pub(in crate::tables::projection) fn own_indexes(&self) -> impl Iterator<Item = Index> {
        let key = self.key_index.map(|name| Index {
            name,
            sql: format!(
                "CREATE UNIQUE INDEX IF NOT EXISTS {name} ON {} ({})",
                self.name,
                self.key_columns()
            ),
        });
        let others = self.indexes.iter().map(|&(name, on)| Index {
            name,
            sql: format!("CREATE INDEX IF NOT EXISTS {name} ON {} {on}", self.name),
        });
        key.into_iter().chain(others)
    }
}

/// An index, and the statement that makes it where it is not.
pub(in crate::tables::projection) struct Index {
    pub(in crate::tables::projection) name: &'static str,
    pub(in crate::tables::projection) sql: String,
}

/// Which database's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tables::projection) enum Dialect {
    Sqlite,
    Postgres,
}

impl Cell {
    /// The integer of a column of integers; none of a text or a null.
    #[must_use]
    pub const fn number(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    /// The text of a column of texts; none of an integer or a null.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<u16> for Cell {
    fn from(number: u16) -> Self {
        Self::Integer(number.into())
    }
}

/// Sequence numbers are counted up one by one, so none reaches the bound.
impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}
