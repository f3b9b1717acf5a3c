//! Items: what waits for a person or hangs, read off the committed state; and what of it is asked.

use std::collections::BTreeMap;

use ledger_core::coin::Scale;
use ledger_core::contract::Words;
use ledger_core::id::OpId;
use ledger_core::ledger::recovery::Recovery;
use ledger_core::ledger::{Operation, State, Waiting, WaitingSum};
use ledger_core::machine::cash_out::ReviewReason;
use ledger_core::time::{Instant, Span};
use ledger_store::export::centavos;

use super::reasons::{Reason, review};
use crate::hanging::Hanging;
use crate::operators::assigning::Assignment;
use crate::pages::console::filters::span;
use crate::pages::console::frame::Frame;
use crate::pages::console::sums::Sum;
use crate::pages::format::{age, local};
use crate::pages::lang::Lang;

/// What waits or hangs: one operation.
pub(in crate::pages::console) struct Item {
    pub(super) op: OpId,
    pub(super) account: Option<Box<str>>,
    pub(super) reason: Reason,
    /// The decision that ends it, where a person may.
    pub(super) decision: Option<&'static str>,
    detail: Detail,
    /// Tells whether money was sent, and nobody knows what came of it.
    pub(super) unknown: bool,
    pub(super) commodity: String,
    pub(super) sum: Sum,
    pub(in crate::pages::console) since: Instant,
    /// The recovery that is to be decided, by its name outside.
    pub(super) recovery: Option<Box<str>>,
    /// With whom it is, where that was looked up.
    pub(super) assignment: Option<Assignment>,
}

/// What is said besides the reason.
enum Detail {
    None,
    /// Why a sale is under review.
    Review(ReviewReason),
    /// The status in which it hangs, and for how long it may.
    Status(String, Span),
    /// Until when it is to be decided, and whether that is over.
    DecidedUntil(Instant, bool),
}

impl Item {
    pub(in crate::pages::console) fn hangs(&self) -> bool {
        self.reason == Reason::Hangs
    }

    /// Why it is here, in words.
    pub(super) fn why(&self, lang: Lang) -> String {
        let shown = self.reason.label(lang);
        match &self.detail {
            Detail::None => shown.to_owned(),
            Detail::Review(reason) => format!("{shown} ({})", review(*reason, lang)),
            Detail::DecidedUntil(until, overdue) => {
                let (pt, en) =
                    if *overdue { ("vencida em", "overdue since") } else { ("até", "until") };
                format!("{shown} ({} {})", lang.t(pt, en), local(*until, lang))
            }
            Detail::Status(status, bound) => {
                let bound = age(Instant::default(), Instant::default().after(*bound));
                format!("{status} {} {bound}", lang.t("há mais de", "for over"))
            }
        }
    }
}

/// All that waits or hangs at `now`, the oldest first.
pub(in crate::pages::console) fn all(state: &State, hanging: &Hanging, now: Instant) -> Vec<Item> {
    let now = now.max(state.now);
    let open = state.open_operations();
    let mut items: Vec<Item> =
        open.filter_map(|(op, known)| item(state, hanging, (op, known), now)).collect();
    items.extend(state.recoveries().filter_map(|(name, it)| analysis((name, it), now)));
    // By the record that created it, and in it by kind.
    items.sort_by_key(|item| item.op.number());
    items
}

fn item(
    state: &State,
    hanging: &Hanging,
    (op, known): (OpId, &Operation),
    now: Instant,
) -> Option<Item> {
    let waits = known.machine.waits(now);
    let unknown = waits.as_ref().is_some_and(Waiting::is_unknown);
    let (reason, decision, detail, sum) = match waits {
        Some(waits) => {
            let detail = waits.review().map_or(Detail::None, Detail::Review);
            let reason = waits.reason();
            (Reason::Waits(reason), reason.decision(), detail, waits.sum().clone())
        }
        None => {
            let awaited = known.machine.awaited_amount()?;
            let bound = hanging.after(op.kind(), &awaited);
            if now.since(known.created_at) < bound {
                return None;
            }
            let Words { status, settlement } = Words::for_operation(known);
            let of_settlement = |word: &String| settlement.is_some() && word == "paid";
            let word = status.filter(|word| !of_settlement(word)).or(settlement);
            let detail = Detail::Status(word.unwrap_or_default(), bound);
            (Reason::Hangs, awaited.decision, detail, awaited.sum)
        }
    };
    let (commodity, sum) = in_commodity(state, &sum);
    let account = state.owner_of(known).and_then(|account| state.account(account));
    let account = account.map(|account| (*account.name).into());
    let since = known.created_at;
    let (recovery, assignment) = (None, None);
    Some(Item {
        op,
        account,
        reason,
        decision,
        detail,
        unknown,
        commodity,
        sum,
        since,
        recovery,
        assignment,
    })
}

/// The analysis of a recovery, until it is decided; its age counts from its deadline.
fn analysis((name, recovery): (&str, &Recovery), now: Instant) -> Option<Item> {
    let until = recovery.decides_until;
    recovery.accepted.is_none().then(|| Item {
        op: recovery.cause,
        account: None,
        reason: Reason::Analysis,
        decision: Some("recovery.decided"),
        detail: Detail::DecidedUntil(until, until <= now),
        unknown: false,
        commodity: "BRL".to_owned(),
        sum: Sum { amount: recovery.amount.cents().into(), scale: centavos() },
        since: until.min(now),
        recovery: Some(name.into()),
        assignment: None,
    })
}

fn in_commodity(state: &State, sum: &WaitingSum) -> (String, Sum) {
    match sum {
        WaitingSum::Reais(cents) => {
            ("BRL".to_owned(), Sum { amount: (*cents).into(), scale: centavos() })
        }
        WaitingSum::Crypto { asset, units, .. } => {
            let known = asset.and_then(|asset| state.catalogue.asset_of(asset));
            let (name, scale) = known.unwrap_or(("usdt", Scale::SIX));
            let amount = i128::try_from(*units).unwrap_or(i128::MAX);
            (name.to_uppercase(), Sum { amount, scale })
        }
    }
}

/// What the address asks for; what it does not say is not asked.
#[derive(Clone, Default)]
pub(super) struct InboxQuery {
    pub(super) kind: String,
    pub(super) account: String,
    /// A reason's name, or `waiting`, `hanging`, `unknown`.
    pub(super) why: String,
    /// `30m`, `1h`, `7d`.
    pub(super) older: String,
    /// An operator's name, `me` or `nobody`.
    pub(super) with: String,
    /// Who asks, for `me`.
    pub(super) me: Option<String>,
}

impl InboxQuery {
    pub(super) fn from_frame(frame: &Frame) -> Self {
        let asked = |name| frame.filter_value(name).unwrap_or_default();
        Self {
            kind: asked("kind"),
            account: asked("account"),
            why: asked("why"),
            older: asked("older"),
            with: asked("with"),
            me: None,
        }
    }

    /// Tells whether something is asked for.
    pub(super) fn narrows(&self) -> bool {
        self.pairs().next().is_some()
    }

    /// The pairs of an address that asks the same.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("kind", &*self.kind),
            ("account", &*self.account),
            ("why", &*self.why),
            ("older", &*self.older),
            ("with", &*self.with),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty())
    }

    /// Tells whether an item is asked for, whosever it is.
    pub(super) fn takes(&self, item: &Item, now: Instant) -> bool {
        let why = match &*self.why {
            "" => true,
            "waiting" => !item.hangs(),
            "unknown" => item.unknown,
            name => item.reason.name() == name,
        };
        let older = span(&self.older).is_none_or(|bound| now.since(item.since) >= bound);
        let kind = self.kind.is_empty() || item.op.kind().name() == self.kind;
        let assigned = item.assignment.as_ref().and_then(|it| it.with.as_deref());
        let with = match &*self.with {
            "" => true,
            "nobody" => assigned.is_none(),
            "me" => assigned.is_some() && assigned == self.me.as_deref(),
            name => assigned == Some(name),
        };
        why && older && kind && with
    }
}

/// The sums of some items in one commodity.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) waits: u64,
    pub(super) hangs: u64,
    pub(super) sum: Option<Sum>,
    pub(super) oldest: Option<Instant>,
}

impl Tally {
    fn add(&mut self, item: &Item) {
        *(if item.hangs() { &mut self.hangs } else { &mut self.waits }) += 1;
        let sum = self.sum.get_or_insert(Sum { amount: 0, ..item.sum });
        sum.amount = sum.amount.saturating_add(item.sum.amount);
        self.oldest = Some(self.oldest.map_or(item.since, |oldest| oldest.min(item.since)));
    }
}

/// The sums by this key, which tells commodities apart.
pub(super) fn tallies<'a, K: Ord>(
    items: impl Iterator<Item = &'a Item>,
    key: impl Fn(&'a Item) -> K,
) -> BTreeMap<K, Tally> {
    let mut all: BTreeMap<K, Tally> = BTreeMap::new();
    for item in items {
        all.entry(key(item)).or_default().add(item);
    }
    all
}
