//! How many rows a page has.

use super::InvalidValue;

/// How many rows a page of a list has at most: 1 to 200, and 50 where nothing is said.
///
/// ```
/// use custody_ledger::value::PageSize;
///
/// assert_eq!(PageSize::new(20)?.get(), 20);
/// assert_eq!(PageSize::new(201).unwrap_err().to_string(), "page size: 201 rows, 1 to 200");
/// # Ok::<(), custody_ledger::value::InvalidValue>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageSize(u16);

impl PageSize {
    /// The largest page.
    pub const LARGEST: Self = Self(200);

    /// A page of so many rows.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] for none, and above 200.
    pub fn new(rows: u16) -> Result<Self, InvalidValue> {
        let wrong = || InvalidValue::new("page size", format!("{rows} rows, 1 to 200"));
        (1..=Self::LARGEST.0).contains(&rows).then_some(Self(rows)).ok_or_else(wrong)
    }

    /// The number of rows.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}
