//! What a test charge asks the sandbox to play: `sandbox_scenario` (CIN-19, P:ScenarioNames).

use crate::contract::error::{Code, Problem};
use crate::contract::input::fields::Fields;
use crate::machine::charge::{Order, Qr};

/// What begins the code of a charge with a scenario.
const MARK: &str = "sandbox:";

/// What becomes of a test charge once it is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// The provider holds it, and releases it later.
    Hold,
    /// It goes back to its payer.
    Refund,
    /// The settlement fails: a delivery fails once, a deposit goes back to its payer.
    SettlementFailed,
    /// For a while nobody knows how the settlement stands.
    SettlementUncertain,
}

impl Scenario {
    /// Every scenario, among which a word of the wire is looked up.
    pub const ALL: [Self; 4] =
        [Self::Hold, Self::Refund, Self::SettlementFailed, Self::SettlementUncertain];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Refund => "refund",
            Self::SettlementFailed => "settlement_failed",
            Self::SettlementUncertain => "settlement_uncertain",
        }
    }

    /// The scenario of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// What a charge of the sandbox asks for: its code says it, as a code says to a provider what
    /// it is to be paid for.
    #[must_use]
    pub fn from_order(order: &Order) -> Option<Self> {
        let marked = order.qr.copypaste.strip_prefix(MARK)?;
        Self::parse(marked.split_once(':')?.0)
    }

    /// The code of a charge that asks for this.
    pub(in crate::contract) fn mark(self, qr: Qr) -> Qr {
        let copypaste = format!("{MARK}{}:{}", self.name(), qr.copypaste);
        Qr { copypaste: copypaste.into(), ..qr }
    }

    /// Tells whether a paid charge is first seen and not settled: `under_review`.
    #[must_use]
    pub fn delays_settlement(self, order: &Order) -> bool {
        match self {
            Self::Hold => true,
            // A deposit that ends when it is credited goes back before.
            Self::Refund => order.purchase.is_none() && order.credits_at_once(),
            // A purchase settles by its delivery, a deposit by the provider.
            Self::SettlementFailed | Self::SettlementUncertain => order.purchase.is_none(),
        }
    }
}

/// `sandbox_scenario` of a body, refused on a production key once it is clear who asks: so beside
/// the scenario stands why it is not offered.
///
/// # Errors
///
/// A [`Problem`] naming the field.
pub fn read_scenario(fields: &Fields<'_>) -> Result<(Option<Scenario>, Option<Problem>), Problem> {
    let Some(name) = fields.text("sandbox_scenario", 64)? else { return Ok((None, None)) };
    if !fields.ledger().is_scripted() {
        let detail = "sandbox_scenario is for test keys";
        return Ok((None, Some(Problem::new(Code::NotPermitted, detail))));
    }
    let known = Scenario::parse(name).ok_or_else(|| {
        let names = Scenario::ALL.map(Scenario::name).join(", ");
        Problem::new(Code::OutcomeInvalid, format!("sandbox_scenario must be one of {names}"))
    })?;
    Ok((Some(known), None))
}
