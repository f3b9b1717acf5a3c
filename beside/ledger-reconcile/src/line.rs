//! A line of a provider's list, whatever file it came from.

use std::fmt;

use ledger_core::pix::EndToEnd;

/// A provider's list, as it was read of a file.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// The lines that are PIX, in the order of the file.
    pub lines: Vec<Line>,
    /// How many lines were passed over: of kinds that are ignored, or not booked yet.
    pub ignored: usize,
    /// Lines that are no PIX: tariffs, sums, what names no PIX.
    pub no_pix: Vec<Other>,
    /// Lines that cannot be read.
    pub unreadable: Vec<(u64, String)>,
    /// The account's balances, as the file states them.
    pub balances: Vec<StatedBalance>,
    /// When the file was made, where it says so: RFC 3339, or as the bank writes it.
    pub made: Option<String>,
}

/// A balance of the account, as the file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedBalance {
    /// Where it stands in the file, from 1.
    pub number: u64,
    /// Before the first line, or after the last.
    pub end: BalanceEnd,
    /// In centavos, below zero where the account is overdrawn.
    pub cents: i64,
}

/// Which end of a statement a balance is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceEnd {
    /// Before the first line.
    Opening,
    /// After the last.
    Closing,
}

/// Lines that are wrong, each with its number, from 1, and what is wrong with it.
pub(crate) type FaultyLines = Vec<(u64, String)>;

/// Why a file is no list: the places that are wrong, each by its line, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(pub Vec<(u64, String)>);

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (line, what)) in self.0.iter().enumerate() {
            write!(f, "{}line {line}: {what}", if place > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

/// A line that is no PIX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Where it begins in the file, from 1.
    pub number: u64,
    /// Which way it went, and how many centavos, where the line says so.
    pub moved: Option<(Direction, i64)>,
    /// When, where the line says so.
    pub when: Option<When>,
    /// The file's word for what it is, where there is one.
    pub word: Option<String>,
}

/// A line, or a transaction of an entry of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it begins in the file, from 1.
    pub number: u64,
    /// The id of the PIX, or of its return where it is one.
    pub id: Option<String>,
    /// The end-to-end id of the PIX that a return is of.
    pub returns: Option<String>,
    /// What else the provider calls it: our id of the operation, or a client's.
    pub names: Vec<String>,
    /// Where the money went.
    pub direction: Direction,
    /// A payment or a return.
    pub kind: Kind,
    /// In centavos, above zero.
    pub cents: i64,
    /// When it was paid, as far as the provider says.
    pub when: When,
}

/// Where money goes, as the provider's account sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Into the provider's account.
    In,
    /// Out of it.
    Out,
}

/// What a PIX is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Money that somebody paid.
    Payment,
    /// Money of an earlier PIX that goes back.
    Return,
}

/// When it happened, as far as the provider says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct When {
    /// The day in Brasília, YYYY-MM-DD.
    pub day: String,
    /// The instant, RFC 3339; noon where only the day is said.
    pub at: String,
}

impl Direction {
    /// The other way.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        }
    }

    /// The word that reports show.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}

impl Kind {
    /// The word that reports show.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Return => "return",
        }
    }
}

/// An id that says something: neither empty nor a word for none.
pub fn id_of(text: &str) -> Option<String> {
    let text = text.trim();
    Some(text.to_owned()).filter(|text| !matches!(&**text, "" | "-" | "NOTPROVIDED"))
}

/// Tells whether an id has the layout of a PIX's, `E`, or of a return's, `D`: then it is nothing
/// else.
pub fn is_pix(id: &str) -> bool {
    EndToEnd::parse(id).is_some_and(|id| id.parts().is_some())
}

/// Tells whether an id has the layout of a return's.
pub fn is_return(id: &str) -> bool {
    id.starts_with('D') && is_pix(id)
}

/// The number, from 1, of the line of a file in which a byte stands.
pub fn line_of(bytes: &[u8], place: usize) -> u64 {
    bytes[..place.min(bytes.len())].split(|byte| *byte == b'\n').count() as u64
}
