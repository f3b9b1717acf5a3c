//! What determines a run: the seed, how long, how hostile.

use std::fmt;

/// Everything a run depends on: the same settings give the same history, record by record.
///
/// ```
/// use ledger_sim::{Faults, Settings};
///
/// let settings = Settings::commands(7, 300).with_faults(Faults::Few);
/// assert_eq!(settings.to_string(), "simulate --seed 7 --commands 300 --faults few");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number all chance is drawn from.
    pub seed: u64,
    /// When the run stops.
    pub length: Length,
    /// How hostile the world is.
    pub faults: Faults,
    /// Who says that a run is wrong.
    pub(crate) judges: Judges,
    pub(crate) planted: Option<Planted>,
}

/// Who says that a run is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Judges {
    /// The oracle, the invariants over the books, the checks of the outcome, and every assertion.
    #[default]
    All,
    /// The checks of the outcome alone: they see what ledger and oracle have in common.
    OutcomeAlone,
}

/// When a run stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// After so many commands.
    Commands(u64),
    /// After so many days of the world's time.
    Days(u32),
}

/// How hostile the world is.
///
/// ```
/// use ledger_sim::Faults;
///
/// assert_eq!(Faults::parse("storm"), Some(Faults::default()));
/// assert_eq!(Faults::parse("calm"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faults {
    /// No crash; facts come once and in order.
    None,
    /// Some of everything.
    Few,
    /// Much of everything.
    #[default]
    Many,
}

/// A mistake made on purpose in the oracle, to prove that a disagreement is caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planted {
    /// Deposit fees are one centavo too high.
    DepositFee,
    /// It does not hear that a PIX went back to its payer.
    ReturnUnheard,
    /// It does not hear that a payment from a wallet was sent.
    PaymentUnheard,
    /// It panics when it hears that a PIX went back to its payer.
    OraclePanics,
    /// The world panics when it has said so many commands.
    WorldPanics(u64),
}

impl Settings {
    /// A run of so many commands in a hostile world.
    #[must_use]
    pub const fn commands(seed: u64, commands: u64) -> Self {
        let length = Length::Commands(commands);
        Self { seed, length, faults: Faults::Many, judges: Judges::All, planted: None }
    }

    /// A run of so many days in a hostile world.
    #[must_use]
    pub const fn days(seed: u64, days: u32) -> Self {
        let length = Length::Days(days);
        Self { seed, length, faults: Faults::Many, judges: Judges::All, planted: None }
    }

    /// The same run in a world this hostile.
    #[must_use]
    pub const fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    /// The same run judged by the checks of the outcome alone: it fails with what violates one of
    /// them, and ends where anything else is wrong.
    #[doc(hidden)]
    #[must_use]
    pub const fn judged_by_the_outcome_alone(self) -> Self {
        Self { judges: Judges::OutcomeAlone, ..self }
    }

    /// The same run beside an oracle whose deposit fee is off by one: it must fail.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_a_wrong_oracle(self) -> Self {
        Self { planted: Some(Planted::DepositFee), ..self }
    }

    /// The same run beside an oracle that does not hear of returns: it must fail.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_a_deaf_oracle(self) -> Self {
        Self { planted: Some(Planted::ReturnUnheard), ..self }
    }

    /// The same run beside an oracle that does not hear of payments sent: it fails where
    /// there are any.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_an_oracle_deaf_to_payments(self) -> Self {
        Self { planted: Some(Planted::PaymentUnheard), ..self }
    }

    /// The same run beside an oracle that panics at the first return: it must fail.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_an_oracle_that_panics(self) -> Self {
        Self { planted: Some(Planted::OraclePanics), ..self }
    }

    /// The same run in a world that panics after so many commands: it must fail.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_a_world_that_panics(self, after: u64) -> Self {
        Self { planted: Some(Planted::WorldPanics(after)), ..self }
    }
}

impl Faults {
    /// The level by its name: `none`, `few` or `many`; `fair` and `storm`, the names these two had
    /// before, are taken too.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "few" | "fair" => Some(Self::Few),
            "many" | "storm" => Some(Self::Many),
            _ => None,
        }
    }

    /// The level's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Few => "few",
            Self::Many => "many",
        }
    }

    /// How often something goes wrong that goes wrong `often` when much does.
    pub(crate) const fn scale(self, often: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::Few => often.div_ceil(3),
            Self::Many => often,
        }
    }
}

/// The one line that runs the same again.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "simulate --seed {}", self.seed)?;
        match self.length {
            Length::Commands(commands) => write!(f, " --commands {commands}")?,
            Length::Days(days) => write!(f, " --days {days}")?,
        }
        write!(f, " --faults {}", self.faults.name())
    }
}
