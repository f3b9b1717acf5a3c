//! A line of a provider's list, whatever file it came from.

/// What a list holds.
pub struct List {
    pub lines: Vec<Line>,
    /// How many lines were passed over: of kinds that are no PIX, or not booked yet.
    pub ignored: usize,
}

/// Lines that are wrong, each with its number, from 1, and what is wrong with it.
pub type Faults = Vec<(u64, String)>;

/// A line, or an entry of a statement.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it begins in the file, from 1.
    pub number: u64,
    /// The id of the PIX, or of its return where it is one.
    pub id: Option<String>,
    /// The end-to-end id of the PIX that a return is of.
    pub returns: Option<String>,
    /// What else the provider calls it: our id of the operation, or a client's.
    pub external_id: Option<String>,
    pub direction: Direction,
    pub kind: Kind,
    /// In centavos, above zero.
    pub cents: i64,
    pub when: When,
}

/// Where money goes, as the provider's account sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    In,
    Out,
}

/// What a PIX is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Payment,
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
    pub const fn other(self) -> Self {
        match self {
            Self::In => Self::Out,
            Self::Out => Self::In,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Return => "return",
        }
    }
}

/// The number, from 1, of the line of a file in which a byte stands.
pub fn line_of(bytes: &[u8], place: usize) -> u64 {
    bytes[..place.min(bytes.len())].split(|byte| *byte == b'\n').count() as u64
}
