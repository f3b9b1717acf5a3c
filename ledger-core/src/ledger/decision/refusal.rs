//! Why the ledger says no, one name a rule; the contract module maps each to its wire code.

use super::field::Field;
use super::wallet_refusal;
use crate::id::{OpId, SubaccountId};
use crate::ledger::malformed::Malformed;
use crate::ledger::state::State;
use crate::machine::agent;
use crate::money::{Amount, Balance, Cents};
use crate::terms::Allowance;
use crate::terms::selling::Limits;
use crate::time::{Instant, Span};

/// A business no, which changes nothing (INV-06).
///
/// ```
/// use ledger_core::contract::{Problem, RouteKind};
/// use ledger_core::ledger::Refusal;
/// use ledger_core::money::Balance;
///
/// let refusal = Refusal::FundsInsufficient { available: Balance::new(500) };
/// let problem = Problem::from(refusal);
/// assert_eq!(problem.code.name(), "saldo_insuficiente");
/// assert_eq!(problem.code.status(RouteKind::Withdrawal), 402);
/// assert_eq!(problem.code.action().name(), "corrigir");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A value is not what the wire would take, or a fact lacks the id that makes it known.
    Malformed {
        /// The field, by its name on the wire.
        field: &'static str,
        /// What is wrong with it.
        why: Malformed,
    },
    /// The id was used with other data (rulings 7).
    IdentityDiverges {
        /// What it was used for.
        original: OpId,
        /// The request's fields that are not as they were.
        fields: Vec<Field>,
    },
    /// Custody is switched off for the account.
    CustodyDisabled,
    /// Payouts are switched off for the account.
    PayoutsDisabled,
    /// The PIX key belongs to somebody else.
    KeyNotOwned,
    /// Nobody proved whose the PIX key is, and the policy wants that.
    KeyUnproven,
    /// The provider supplied no QR code (rulings 39).
    QrMissing,
    /// The provider's tariff is unknown (rulings 20).
    TariffUnknown,
    /// Source and destination are one subaccount.
    SameParty,
    /// Below what passes.
    BelowMinimum {
        /// The smallest amount that passes; none when none does.
        minimum: Option<Amount>,
    },
    /// Above what passes.
    AboveMaximum {
        /// The largest amount that passes.
        maximum: Amount,
    },
    /// It would be held, and the client allows no hold.
    HoldNotAllowed {
        /// What the payer may pay, where a ladder says it.
        allowance: Option<Box<Allowance>>,
    },
    /// The payer may not pay so much.
    PayerLimit {
        /// What it may pay.
        allowance: Box<Allowance>,
    },
    /// The payer may not pay at all.
    PayerBlocked,
    /// The provider refused the payer.
    PayerRefused {
        /// The provider's reference.
        reference: Box<str>,
    },
    /// More than the account's own ceiling for a day.
    DailyCeiling {
        /// When the next day begins.
        until: Instant,
    },
    /// No charges for now.
    CashInPaused,
    /// No conversions or commission withdrawals for now.
    ConversionsPaused,
    /// There is no catalogue.
    CatalogueMissing,
    /// The catalogue has no such pair.
    PairUnknown,
    /// A Copia e Cola is not paid from the Liquid stablecoin.
    CodeOnLiquid,
    /// The pair is not delivered.
    PairNotDeliverable,
    /// Neither a wallet was named, nor has the account one of its own there.
    AddressMissing,
    /// That is no wallet of the network.
    AddressInvalid,
    /// The network needs a memo.
    MemoMissing,
    /// The asset has no price, or one too old, or there are no fees to quote with.
    RateUnavailable,
    /// More would be debited than the client allows.
    AboveCap {
        /// What would be debited.
        debited: Amount,
    },
    /// Commission was withdrawn within the interval.
    WithdrawnLately {
        /// When it may be withdrawn again.
        until: Instant,
        /// In how long.
        wait: Span,
    },
    /// The first deposit's waiting period is running.
    Waiting {
        /// When it ends.
        until: Instant,
    },
    /// Too little is available.
    FundsInsufficient {
        /// What may be spent.
        available: Balance,
    },
    /// A leg of a group is refused, and with it the whole.
    Leg {
        /// Its place in the group, from 0.
        leg: usize,
        /// The refusal of that leg.
        refusal: Box<Self>,
    },
    /// The instant lies further ahead than a request or fact may jump (rulings 3).
    JumpTooFar {
        /// The last instant that passes.
        latest: Instant,
    },
    /// More than the agent's own mandate lets it send.
    MandateExceeded {
        /// What it would let pass.
        most: Cents,
        /// When the day begins anew, if it is the day's ceiling.
        until: Option<Instant>,
    },
    /// The mandate names who may receive, and this is somebody else.
    CounterpartyNotAllowed,
    /// Policy has stopped the agent.
    AgentSuspended,
    /// The account is on its way from one ledger to another.
    AccountMoves,
    /// No account has this number.
    AccountUnknown,
    /// The account belongs to no agent.
    AgentUnknown,
    /// Only an agent in production may do this.
    NotInProduction,
    /// Production demands more.
    RequirementsMissing {
        /// What, in order.
        missing: Vec<agent::Requirement>,
    },
    /// The key was given before.
    KeyTaken,
    /// A no to what is asked of a USDT wallet.
    Wallet(wallet_refusal::Refusal),
    /// More keys than an address gets a day.
    TooManyKeys {
        /// When the next day begins.
        until: Instant,
        /// In how long.
        wait: Span,
    },
    /// More test keys than an address gets a day.
    TooManyTestKeys {
        /// When the next day begins.
        until: Instant,
        /// In how long.
        wait: Span,
    },
    /// A key or secret was in use before: entropy must be fresh.
    SecretUsed,
    /// A secret is needed, and no entropy came to make it of.
    SecretMissing,
    /// More than a partner may add, or than leaves something.
    PartnerShare {
        /// The most, in basis points.
        most: u16,
    },
    /// A sum would be larger than the ledger can count.
    Uncountable,
    /// There is nothing of that id.
    NotFound,
    /// It is not in a state that admits it.
    OutOfTurn,
    /// No sales for now.
    SalesPaused,
    /// No sales to a Copia e Cola for now.
    CodesPaused,
    /// The code names no fixed amount.
    CodeWithoutAmount,
    /// The pair is bought, but not now.
    NetworkUnavailable,
    /// A sale of the Liquid stablecoin to a key that is no document needs one (COUT-27).
    PayeeDocumentMissing,
    /// A sale below or above what passes.
    SaleOutOfRange {
        /// On which side.
        bound: Bounds,
        /// How much crypto passes, and how many centavos.
        limits: Box<Limits>,
    },
    /// More than the recipient may still have today.
    RecipientCeiling {
        /// How much crypto passes, and how many centavos.
        limits: Box<Limits>,
    },
    /// The quote is no longer good.
    QuoteExpired,
    /// No deposit address could be had: the same order may be accepted again.
    SettlerUnavailable,
    /// That is no return wallet of the network.
    RefundAddressInvalid,
    /// Another return wallet stands already.
    RefundAddressFixed,
}

/// Which bound was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Less than the least that passes.
    Below,
    /// More than the most that passes.
    Above,
}

impl From<wallet_refusal::Refusal> for Refusal {
    fn from(refusal: wallet_refusal::Refusal) -> Self {
        Self::Wallet(refusal)
    }
}

impl From<agent::Refusal> for Refusal {
    fn from(refusal: agent::Refusal) -> Self {
        match refusal {
            agent::Refusal::Suspended => Self::AgentSuspended,
            agent::Refusal::Incomplete { missing } => Self::RequirementsMissing { missing },
            agent::Refusal::Absent => Self::AgentUnknown,
        }
    }
}

pub(in crate::ledger) fn within(
    amount: Amount,
    (minimum, maximum): (Amount, Amount),
) -> Result<(), Refusal> {
    if amount < minimum {
        Err(Refusal::BelowMinimum { minimum: Some(minimum) })
    } else if maximum < amount {
        Err(Refusal::AboveMaximum { maximum })
    } else {
        Ok(())
    }
}

impl Refusal {
    /// The refusal of a group because of this leg of it, which is counted from 0.
    pub(crate) fn of_leg(self, leg: usize) -> Self {
        Self::Leg { leg, refusal: Box::new(self) }
    }
}

/// Tells whether a subaccount may spend so much now: first its waiting period, then its balance.
pub(in crate::ledger) fn affordable(
    state: &State,
    source: SubaccountId,
    debited: Option<Amount>,
    at: Instant,
) -> Result<(), Refusal> {
    match state.waiting_until(source, at) {
        Some(until) => Err(Refusal::Waiting { until }),
        None => ensure_covered(state.spendable(source), debited),
    }
}

/// Tells whether what is available covers a debit; none, where amount and fees are beyond counting,
/// is covered by nothing.
pub(in crate::ledger) fn ensure_covered(
    available: Balance,
    debited: Option<Amount>,
) -> Result<(), Refusal> {
    if debited.is_some_and(|debited| available.covers(debited)) {
        Ok(())
    } else {
        Err(Refusal::FundsInsufficient { available })
    }
}
