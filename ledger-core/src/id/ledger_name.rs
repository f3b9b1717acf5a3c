//! The name of a ledger and its environment: what its ids are derived from and begin with.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Tells whether a ledger is of real money or of test keys: chosen when it is made, for ever.
///
/// ```
/// use ledger_core::contract::Environment;
///
/// assert_eq!(Environment::of_public("/keys/sandbox"), Environment::Sandbox);
/// assert_eq!(Environment::of_public("/catalog").name(), "live");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Real money: keys that begin with `svc_live_`.
    Live,
    /// Test keys, which begin with `svc_test_`, scripted providers, and no real money.
    Sandbox,
}

/// What decides a ledger's environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Designation {
    /// It was chosen when the ledger was made, whatever its name.
    Chosen(Environment),
    /// The ledger was made before there was a choice, and is what it was (policy "Environments of
    /// ledgers"): the one named `live` is live, any other has test keys, and of these the one named
    /// `sandbox` alone is scripted.
    ByName,
}

/// The name of a ledger, which is its identity, with its environment.
///
/// ```
/// use ledger_core::id::{Environment, Kind, LedgerName, OpId, Seq};
///
/// let shop = LedgerName::new("loja-2", Environment::Sandbox);
/// assert_eq!((&*shop, shop.environment()), ("loja-2", Environment::Sandbox));
/// let sold = OpId::new(Kind::CashOut, Seq(12));
/// assert!(sold.text(&shop).starts_with("sbx_00000000000c"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LedgerName {
    name: Arc<str>,
    designation: Designation,
}

impl Environment {
    /// Both, in the order they are reported.
    pub const ALL: [Self; 2] = [Self::Live, Self::Sandbox];

    /// The word for it in stores and answers, and the name of its ledger where a program runs one
    /// of each: `live` or `sandbox`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Sandbox => "sandbox",
        }
    }

    /// What a new ledger of this name is made as unless it is said: `sandbox` a sandbox, any other
    /// live (policy "Environments of ledgers").
    #[must_use]
    pub fn of_new(ledger: &str) -> Self {
        if ledger == Self::Sandbox.name() { Self::Sandbox } else { Self::Live }
    }
}

impl Designation {
    /// The environment of the ledger of this name.
    #[must_use]
    pub fn environment(self, ledger: &str) -> Environment {
        match self {
            Self::Chosen(environment) => environment,
            Self::ByName if ledger == Environment::Live.name() => Environment::Live,
            Self::ByName => Environment::Sandbox,
        }
    }
}

impl LedgerName {
    /// The name of a ledger that is made for an environment.
    #[must_use]
    pub fn new(name: &str, environment: Environment) -> Self {
        Self::with_designation(name, Designation::Chosen(environment))
    }

    /// The name of a ledger whose environment was decided so.
    #[must_use]
    pub fn with_designation(name: &str, designation: Designation) -> Self {
        Self { name: name.into(), designation }
    }

    /// The ledger's environment.
    #[must_use]
    pub fn environment(&self) -> Environment {
        self.designation.environment(&self.name)
    }

    /// Tells whether bank, exchange and networks follow a script (contract, 3.3 and 4.8), and ids
    /// of cash-outs begin with `sbx_` (COUT-01).
    #[must_use]
    pub fn is_scripted(&self) -> bool {
        match self.designation {
            Designation::Chosen(environment) => environment == Environment::Sandbox,
            Designation::ByName => *self.name == *Environment::Sandbox.name(),
        }
    }
}

impl Deref for LedgerName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.name
    }
}

/// The name of the one ledger that a program runs for an environment: `live` or `sandbox`.
impl From<Environment> for LedgerName {
    fn from(environment: Environment) -> Self {
        Self::new(environment.name(), environment)
    }
}

/// The name of a ledger that is older than the choice of an environment.
impl From<&str> for LedgerName {
    fn from(name: &str) -> Self {
        Self::with_designation(name, Designation::ByName)
    }
}

impl fmt::Display for LedgerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
