//! The rows of a query as text: the databases have more types than anybody shows.

use super::QueryBounds;

/// Rows of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryRows {
    /// Its columns; none where no row was found.
    pub columns: Vec<QueryColumn>,
    /// Its rows, each with a value for every column.
    pub rows: Vec<Vec<QueryValue>>,
    /// Tells whether there are more than the bounds let through.
    pub more: bool,
}

/// A column of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryColumn {
    /// Its name, as the query gives it.
    pub name: String,
}

/// A value, as the database writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryValue {
    /// No value: SQL's `NULL`.
    Null,
    /// A number, in decimal digits.
    Number(String),
    /// A value of any other type, as text.
    Text(String),
}

impl QueryValue {
    /// Its text, if it has a value.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Null => None,
            Self::Number(text) | Self::Text(text) => Some(text),
        }
    }
}

impl QueryRows {
    /// Takes a row, where there is room for it; says whether there was.
    pub(super) fn take(
        &mut self,
        row: Vec<QueryValue>,
        bytes: &mut usize,
        bounds: QueryBounds,
    ) -> bool {
        *bytes += row.iter().map(|value| value.text().map_or(0, str::len)).sum::<usize>();
        self.more = self.rows.len() >= bounds.rows || *bytes > bounds.bytes;
        if !self.more {
            self.rows.push(row);
        }
        !self.more
    }

    /// Takes the names of columns, of the first row.
    pub(super) fn name_columns<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        if self.columns.is_empty() {
            self.columns = names.map(|name| QueryColumn { name: name.to_owned() }).collect();
        }
    }
}
