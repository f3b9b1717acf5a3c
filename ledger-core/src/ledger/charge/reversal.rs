//! Forced debits: a PIX that went back to its payer after it was credited (rulings 21 to 23).

use std::borrow::Cow;

use crate::id::{OpId, SubaccountId};
use crate::ledger::record::event::Event;
use crate::ledger::state::State;
use crate::machine::Verdict;
use crate::machine::charge::{self, Into};
use crate::machine::hold::{self, Watch};
use crate::money::{Amount, Balance, Cents};

/// What goes back of a PIX that was booked.
#[derive(Clone, Copy)]
pub(in crate::ledger) struct Back {
    /// Who bears it.
    pub subaccount: SubaccountId,
    /// How much goes back.
    pub amount: Amount,
    /// How much of it reverses fees.
    pub fee: Cents,
    /// What of the charge's own credit is still held, if it was credited there.
    pub own: Option<Cents>,
    /// Tells whether nothing is left of the charge.
    pub whole: bool,
}

/// The blocks that give to a return of a charge: all that stand for it, or one recovery's.
#[derive(Clone, Copy)]
pub(in crate::ledger) struct Givers<'a> {
    /// The charge that goes back.
    pub charge: OpId,
    /// The recovery that alone gives, if one does.
    pub recovery: Option<&'a str>,
    /// The events of the same decision before.
    pub before: &'a [Event],
}

impl Givers<'_> {
    /// All blocks that stand for a charge.
    pub(in crate::ledger) const fn all(charge: OpId) -> Self {
        Self { charge, recovery: None, before: &[] }
    }
}

/// Returns what blocks on other subaccounts, where the money went on to, give to a return that its
/// own bearer's block does not cover, first placed first: each at most what it holds (rulings 81).
pub(in crate::ledger) fn of_traced(
    state: &State,
    givers: Givers<'_>,
    bearers: [SubaccountId; 2],
    need: Cents,
) -> (Vec<Event>, Cents) {
    let mut events = Vec::new();
    let op = givers.charge;
    let own = blocks_for(state, bearers[0], givers);
    let mut need = own.fold(need, |left, (_, block)| left.less_or_nothing(block.blocked_cents()));
    let mut given = Cents::ZERO;
    let elsewhere = blocks_of(state, givers);
    for (hold, block) in elsewhere.filter(|(_, b)| !bearers.contains(&b.order.subaccount)) {
        let Some(amount) = block.blocked_cents().min(need).amount() else { continue };
        let subaccount = block.order.subaccount;
        let event = charge::Event::ReturnedTraced { subaccount, amount };
        events.push(Event::Charge { op, event });
        let event = hold::Event::Returned { subaccount, amount };
        events.push(Event::Hold { op: hold, event });
        need = need.less_or_nothing(amount.as_cents());
        given = given.plus(amount.as_cents()).expect("at most what is needed");
    }
    (events, given)
}

/// Returns what a return takes from its bearer: from blocks and held parts first, in the order of
/// rulings 23, then the return itself.
pub(in crate::ledger) fn of_return(
    state: &State,
    givers: Givers<'_>,
    back: Back,
    returned: charge::Event,
) -> Vec<Event> {
    let op = givers.charge;
    let Back { subaccount, amount, fee, own, whole } = back;
    let mut need = amount.minus(fee).expect("the fee's share is part of the return");
    let mut events = Vec::new();

    for (hold, block) in blocks_for(state, subaccount, givers) {
        need = from_block((hold, &block), need, &mut events);
    }
    // A charge that ends leaves nothing in its held part.
    let held = own.unwrap_or(Cents::ZERO);
    let own = if whole { held } else { held.min(need) };
    need = need.less_or_nothing(own);
    events.extend(part_taken(op, subaccount, own));
    from_other_parts(state, subaccount, Some(op), need, &mut events);
    events.push(Event::Charge { op, event: returned });
    events
}

/// Ends the blocks that stand for a charge, of which nothing is left after `events`: its bearer's
/// first, then those on other subaccounts.
pub(in crate::ledger) fn end_blocks(
    state: &State,
    givers: Givers<'_>,
    bearer: SubaccountId,
    events: &mut Vec<Event>,
) {
    let before: Vec<Event> = givers.before.iter().chain(&*events).cloned().collect();
    let all = blocks_of(state, Givers { before: &before, ..Givers::all(givers.charge) });
    let (own, others): (Vec<_>, Vec<_>) =
        all.partition(|(_, block)| block.order.subaccount == bearer);
    events.extend(own.into_iter().chain(others).filter_map(|(hold, block)| end(hold, block)));
}

/// Returns what a court's order takes first: the block placed for it, then held parts, the latest
/// release first; the rest is available's, which may become negative.
pub(in crate::ledger) fn of_order(
    state: &State,
    subaccount: SubaccountId,
    block: Option<(OpId, &hold::Amounts)>,
    amount: Amount,
) -> Vec<Event> {
    let mut events = Vec::new();
    let need = amount.as_cents();
    let need = block.map_or(need, |block| from_block(block, need, &mut events));
    from_other_parts(state, subaccount, None, need, &mut events);
    events
}

/// Takes what a block has of what is needed; gives what is still needed.
fn from_block(
    (op, amounts): (OpId, &hold::Amounts),
    need: Cents,
    events: &mut Vec<Event>,
) -> Cents {
    let Some(amount) = amounts.blocked_cents().min(need).amount() else { return need };
    let event = hold::Event::Taken { subaccount: amounts.order.subaccount, amount };
    events.push(Event::Hold { op, event });
    need.less_or_nothing(amount.as_cents())
}

/// Takes what the held parts of charges have of what is needed, `except` one's, the latest release
/// first.
fn from_other_parts(
    state: &State,
    subaccount: SubaccountId,
    except: Option<OpId>,
    need: Cents,
    events: &mut Vec<Event>,
) {
    let mut need = need;
    let others = state.releases(subaccount).rev().filter(|(_, other, _)| Some(*other) != except);
    for (_, other, part) in others {
        let taken = part.min(need);
        need = need.less_or_nothing(taken);
        events.extend(part_taken(other, subaccount, taken));
    }
}

/// The whole of a PIX that was never credited is gone: nothing is debited, but the blocks that
/// stood for it end.
pub(in crate::ledger) fn of_uncredited(
    state: &State,
    op: OpId,
    subaccount: SubaccountId,
    gone: charge::Event,
) -> Vec<Event> {
    let mut events = vec![Event::Charge { op, event: gone }];
    end_blocks(state, Givers::all(op), subaccount, &mut events);
    events
}

/// Returns what the held part of a charge gives to available; none where that is nothing.
pub(in crate::ledger) fn part_taken(
    op: OpId,
    subaccount: SubaccountId,
    as_cents: Cents,
) -> Option<Event> {
    let event = |amount| charge::Event::PartTaken { subaccount, amount, into: Into::Available };
    as_cents.amount().map(|amount| Event::Charge { op, event: event(amount) })
}

/// The open holds that give on one subaccount, first placed first.
fn blocks_for<'a>(
    state: &'a State,
    subaccount: SubaccountId,
    givers: Givers<'a>,
) -> impl Iterator<Item = (OpId, Cow<'a, hold::Amounts>)> {
    blocks_of(state, givers).filter(move |(_, block)| block.order.subaccount == subaccount)
}

/// The open holds that give, on whichever subaccount, first placed first.
pub(in crate::ledger) fn blocks_of<'a>(
    state: &'a State,
    Givers { charge, recovery, before }: Givers<'a>,
) -> impl Iterator<Item = (OpId, Cow<'a, hold::Amounts>)> {
    let recoveries = &state.domains.recoveries;
    let holds = state.holds_for(charge);
    let holds = holds.filter(move |op| recovery.is_none() || recoveries.name_of(*op) == recovery);
    holds.filter_map(move |op| {
        let hold::State::Open(open) = state.open(op)?.hold()? else { return None };
        let mut moves = before.iter().filter_map(|event| match event {
            Event::Hold { op: moved, event } if *moved == op => Some(event),
            _ => None,
        });
        let Some(first) = moves.next() else { return Some((op, Cow::Borrowed(open))) };
        let after = hold::evolve(&hold::State::Open(open.clone()), first);
        match moves.fold(after, |state, event| hold::evolve(&state, event)) {
            hold::State::Open(open) => Some((op, Cow::Owned(open))),
            _ => None,
        }
    })
}

/// The release of what a block still holds.
fn end(op: OpId, block: Cow<'_, hold::Amounts>) -> Option<Event> {
    let now =
        hold::Context { available: Balance::ZERO, own_part: Cents::ZERO, matures: Watch::Over };
    let open = hold::State::Open(block.into_owned());
    match hold::decide(&open, hold::Command::Release(None), now) {
        Verdict::Applied(event) => Some(Event::Hold { op, event }),
        Verdict::Known | Verdict::SetAside => None,
    }
}

/// Returns how much of a credited charge goes back by an event.
pub(in crate::ledger) fn returned_by(event: &Event, charge: OpId) -> Option<Amount> {
    match event {
        Event::Charge {
            op,
            event:
                charge::Event::Returned { amount, .. } | charge::Event::ReturnedTraced { amount, .. },
        } if *op == charge => Some(*amount),
        _ => None,
    }
}
