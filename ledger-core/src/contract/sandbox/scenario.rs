//! The scenarios that a test charge asks the sandbox to play: `sandbox_scenario` (CIN-19,
//! P:ScenarioNames); and the first accept of a sale whose ending is `.07`: nobody settles it, and
//! the next one does (SBX-06).

use crate::contract::call::context::{Refused, RequestContext};
use crate::contract::error::{Code, Problem, RouteKind};
use crate::contract::input::fields::Fields;
use crate::contract::input::tokens::Vault;
use crate::id::{AccountId, OpId};
use crate::ledger::{Archive, ExternalId, Fact, Intent, Operation, Refusal, Reported, State};
use crate::machine::cash_out::{self, Stage};
use crate::machine::charge::{Order, Qr};
use crate::terms::Ending;
use crate::time::Instant;

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

/// Refuses the first accept of a sale whose ending is `.07` with 503.
///
/// That it came is remembered as any fact is, by an id that is known for ever: a record of nothing
/// but time. So the second accept passes, whatever crashed between them.
///
/// # Errors
///
/// `liquidante_indisponivel`, once an order; 401 without an account.
pub fn first_accept<A: Archive, V: Vault>(
    context: &mut RequestContext<'_, A, V>,
    order: OpId,
) -> Result<(), Refused> {
    let state = &context.ledger.state;
    if !state.is_sandbox() {
        return Ok(());
    }
    let account = context.account()?;
    state.admits(context.call.at).map_err(Problem::from)?;
    let id = format!("sandbox:{}:accepted", order.text(&state.name));
    let first = context.ledger.archive.fact_seq(&ExternalId::fact(&id)).is_none();
    if !first || !awaits_settler(state, order, account, context.call.at.max(state.now)) {
        return Ok(());
    }
    let what = Intent::Fact(Reported { id: Some(id.into()), fact: Fact::TimePassed });
    let (_, execution) = context.execute(what, Vec::new())?;
    let problem = Refusal::SettlerUnavailable.into();
    let kind = RouteKind::Other;
    Err(Refused { problem, kind, execution: Some(Box::new(execution)) })
}

/// Tells whether the order is one of this account whose acceptance would pass but for its ending.
fn awaits_settler(state: &State, order: OpId, account: AccountId, at: Instant) -> bool {
    let known = state.open(order).filter(|known| known.account() == Some(account));
    let progress = known.and_then(Operation::cash_out).and_then(cash_out::State::progress);
    let paused = state.policy.sale_limits().paused.is_on();
    progress.is_some_and(|progress| {
        let order = &progress.order;
        let waits = progress.stage == Stage::Quoted && at < order.expires_at;
        waits && !paused && order.is_sellers() && order.ending() == Ending::SettlerAway
    })
}
