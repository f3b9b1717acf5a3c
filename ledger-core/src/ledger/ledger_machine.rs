//! The questions of the ledger to every machine; each slice answers for its own, in its `mod.rs`.

pub(in crate::ledger) mod operation_row;

use self::operation_row::OperationRow;
use super::notification::key::InstructionKey;
use super::notification::step::Step;
use super::notification::task::{Task, TaskKind};
use super::notification::topic::Topic;
use super::record::ExternalId;
use super::record::early_report::EarlyReport;
use super::state::due::Due;
use super::state::outgoing::{Crypto, Outgoing, Unsent};
use super::waiting::{Awaited, Waiting};
use crate::accounting::{Account, CoinAccount, RowKind, Side};
use crate::coin::Units;
use crate::id::{AccountId, AssetId, ChainId, OpId, SubaccountId, Token};
use crate::machine::StateMachine;
use crate::machine::refund::Coins;
use crate::money::Amount;
use crate::terms::Catalogue;
use crate::time::Instant;

/// What the rows of an event are called: in a statement, and in a partner's own ledger.
pub(in crate::ledger) type RowKinds = [RowKind; 2];

/// The rows of an event by which something goes back.
pub(in crate::ledger) const REVERSED: RowKinds = [RowKind::Reversal, RowKind::CommissionReversed];

/// A machine whose operations the ledger keeps.
///
/// A part that could be misfiled has no default: whose an operation is, what its rows are called,
/// how tables show it, what it sends, in reais and in crypto, why it waits for a person. A machine
/// that waits for no time and notifies nobody leaves the rest out.
pub(in crate::ledger) trait LedgerMachine: StateMachine {
    /// Tells whether its events may notify anybody, or ask anything: what may not is not looked up.
    const NOTIFIES: bool = false;
    /// Tells whether its events may ask anything of the world.
    const INSTRUCTS: bool = false;

    /// The account whose request created the operation, and the id the account gave it, where
    /// `event` is that request.
    fn creation(event: &Self::Event) -> Option<(AccountId, Option<&str>)>;

    /// Returns what the rows of `event` are called, by the side of the principal leg.
    fn row_kinds(event: &Self::Event, side: Side) -> RowKinds;

    /// The id of the world that `event` makes known, by whatever fact it was reported.
    fn outside(_: &Self::Event) -> Option<ExternalId> {
        None
    }

    /// The PIX whose claim `event` ends with what it paid.
    fn taken_over(_: &Self::Event) -> Option<ExternalId> {
        None
    }

    /// The network of the crypto that `event` tells of, where its record brings a transaction.
    fn chain(_: &Self::Event) -> Option<ChainId> {
        None
    }

    /// The transaction that `event` is of, as its network or whoever reported it spells it.
    fn transaction(_: &Self::Event) -> Option<&str> {
        None
    }

    /// The address to which crypto of the operation goes from `event` on.
    fn address(_: &Self::Event) -> Option<&str> {
        None
    }

    /// The PIX that `event` tells of in full, by its id, and when it was paid.
    fn paid_pix(_: &Self::Event) -> Option<(&str, Instant)> {
        None
    }

    /// The token by which `event` names a payee who is counted by the location of a code alone:
    /// the vault learns no value of it.
    fn valueless(_: &Self::Event) -> Option<Token> {
        None
    }

    /// Tells whether `event` takes back what a deposit brought, since its network reorganised.
    fn takes_back_deposit(_: &Self::Event) -> bool {
        false
    }

    /// The order that `event` reports an unmatched deposit about, and what that brought.
    fn unmatched_about(_: &Self::Event) -> Option<(OpId, Coins)> {
        None
    }

    /// Returns what an account settles by `event`: the operation's own amount, once what it was for
    /// is paid or sent. Money that only came in is settled when it leaves.
    fn settlement(_: &Self::Event) -> Option<(AccountId, Amount)> {
        None
    }

    /// Tells whether the operation definitely fails by `event`: what was asked will not be done,
    /// and the money stays or goes back.
    fn fails(_: &Self::Event) -> bool {
        false
    }

    /// The client's own description of the rows of `event`, if it gave one.
    fn note(_: &Self::Event) -> Option<Token> {
        None
    }

    /// The operation, told of an unmatched deposit about it.
    #[must_use]
    fn told_of(self, unmatched: (OpId, Coins)) -> Self {
        let _ = unmatched;
        self
    }

    /// The instruction, and the attempt, that `event` hands out, where a step of the machine says
    /// so.
    fn hands_out(_: &Self::Event) -> Option<(TaskKind, u32)> {
        None
    }

    /// Returns what the operation sends, as it stands: nothing, if it sends no reais, if it failed,
    /// or once all of it came back (P:MandateDay).
    fn outgoing(&self) -> Option<Outgoing>;

    /// The crypto that it expects or sends.
    fn crypto(&self) -> Crypto<'_>;

    /// The operation as a row of a table; crypto is named as the catalogue names it.
    fn row(&self, catalogue: &Catalogue) -> OperationRow<'_>;

    /// Why it waits for a person at `now`, if it does.
    fn waits(&self, now: Instant) -> Option<Waiting>;

    /// How much is under way, where only a report of the world takes it further: no deadline does,
    /// and no person.
    fn awaited_amount(&self) -> Option<Awaited> {
        None
    }

    /// The account in which reais of operation `op` are under way, and how many centavos.
    fn under_way(&self, op: OpId) -> Option<(Account, i64)> {
        let _ = op;
        None
    }

    /// The accounts in which crypto of operation `op` is under way, or in suspense.
    fn coins_under_way(&self, op: OpId) -> Vec<(CoinAccount, AssetId, Units)> {
        let _ = op;
        Vec::new()
    }

    /// The operation that it names, where it waits for a person or for that one.
    fn waits_about(&self) -> Option<OpId> {
        None
    }

    /// The subaccount that it is about, where it belongs to no account by itself.
    fn subaccount(&self) -> Option<SubaccountId> {
        None
    }

    /// What it may still send, as long as a PIX of it may still be let go.
    fn unsent(&self) -> Option<Unsent> {
        None
    }

    /// Returns what it waits for, if it waits for time.
    fn deadline(&self) -> Option<(Instant, Due)> {
        None
    }

    /// Tells whether what the report is of may still begin.
    fn awaits_report(&self, report: EarlyReport) -> bool {
        let _ = report;
        false
    }

    /// Tells whether what it was instructed is known to have begun, although nobody was handed it.
    fn was_reported_begun(&self) -> bool {
        false
    }

    /// Returns what `event` tells of, where the operation stands as this after it: at most two
    /// things.
    fn topics(&self, event: &Self::Event) -> [Option<Topic>; 2] {
        let _ = event;
        [None, None]
    }

    /// Tells whether `event` may ask anything of the world.
    fn may_instruct(event: &Self::Event) -> bool {
        let _ = event;
        Self::INSTRUCTS
    }

    /// Returns what `event` asks of the world, where the operation, standing as this after it,
    /// still waits for that.
    fn task(&self, event: &Self::Event) -> Option<Task> {
        let _ = event;
        None
    }

    /// How an instruction of the operation stands, and what handing it out is. One that a machine
    /// does not know of is over.
    fn step(&self, key: InstructionKey) -> Step {
        let _ = key;
        Step::Over
    }
}
