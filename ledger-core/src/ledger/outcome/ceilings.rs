//! What recipients and agents are ordered sent, against the ceilings in force (OUT-02, OUT-03).
//!
//! An order counts on the day it was accepted, whichever day its deposit is seen (rulings 14 and
//! 44); whatever else an agent sends, on the day the operation was created (P:MandateDay). What
//! came to nothing counts no longer. Ceilings are judged when more is ordered than before, not
//! afterwards.

use std::collections::{BTreeMap, BTreeSet};

use minicbor::{Decode, Encode};

use super::{Findings, violates};
use crate::id::{AccountId, AgentId, OpId, Token};
use crate::ledger::notification::{Instruction, Task};
use crate::ledger::record::event::Event;
use crate::machine::cash_out::Payee;
use crate::machine::{agent, cash_out, conversion, payout, wallet};
use crate::terms::{Mandate, Policy};
use crate::time::Instant;

#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
pub(super) struct Ceilings {
    /// The most a recipient may receive a day, in centavos.
    #[n(0)]
    most: i64,
    /// Orders that were accepted.
    #[n(1)]
    sales: BTreeMap<OpId, Sale>,
    /// What each recipient was ordered sent, by the first instant of the day of acceptance: a key,
    /// the address of a code, or a document that was named of either.
    #[n(2)]
    recipients: BTreeMap<(Token, Instant), i64>,
    #[n(3)]
    agents: BTreeMap<AgentId, AccountId>,
    #[n(4)]
    accounts: BTreeMap<AccountId, Account>,
    /// What agents ordered.
    #[n(5)]
    ordered: BTreeMap<OpId, Ordered>,
    /// What orders that were not accepted yet would pay, and whom.
    #[n(7)]
    quoted: BTreeMap<OpId, (Payee, i64)>,
    /// Conversions of agents, with who withdraws: their instruction names only its cost.
    #[n(6)]
    conversions: BTreeMap<OpId, (Ordered, Option<Token>)>,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
#[cbor(array)]
struct Sale {
    /// The day of acceptance.
    #[n(0)]
    day: Instant,
    /// The first whom it counts and with how much, once a PIX was ordered.
    #[n(1)]
    counted: Option<(Token, i64)>,
    /// What was reserved when it was accepted, which needs no further room while it is (rulings
    /// 75).
    #[n(2)]
    reserved: i64,
    /// The payee it was to pay, or was ordered to pay last.
    #[n(3)]
    payee: Option<Payee>,
    /// What it was to pay when it was accepted.
    #[n(4)]
    quoted: i64,
}

/// The account of an agent.
#[derive(Clone, Debug, Default, Encode, Decode)]
#[cbor(array)]
struct Account {
    #[n(0)]
    mandate: Option<Mandate>,
    /// What was ordered sent, by the first instant of the day.
    #[n(1)]
    days: BTreeMap<Instant, i64>,
}

#[derive(Clone, Copy, Debug, Encode, Decode)]
#[cbor(array)]
struct Ordered {
    #[n(0)]
    account: AccountId,
    #[n(1)]
    day: Instant,
    #[n(2)]
    cents: i64,
    /// How much of it came back.
    #[n(3)]
    back: i64,
}

/// The recipients that an order counts: the key that is paid, what stands for it, and each document
/// that anybody named; one recorded before the owner of a key was kept counts as one recipient.
fn recipients(payee: &Payee) -> BTreeSet<Token> {
    let Payee { pix_key, tax_number, counted_as, owner, .. } = *payee;
    let Some(owner) = owner else { return BTreeSet::from([counted_as]) };
    [Some(counted_as), pix_key, tax_number, owner.document()].into_iter().flatten().collect()
}

impl Sale {
    fn whom(&self) -> BTreeSet<Token> {
        match (&self.payee, self.counted) {
            (Some(payee), Some(_)) => recipients(payee),
            (None, Some((recipient, _))) => BTreeSet::from([recipient]),
            (_, None) => BTreeSet::new(),
        }
    }

    /// Returns what is reserved on the day of a recipient: of nobody whom a corrected key adds.
    fn reserved_for(&self, recipient: Token) -> i64 {
        let counts = self.payee.is_none_or(|payee| recipients(&payee).contains(&recipient));
        if counts { self.reserved } else { 0 }
    }
}

impl Ceilings {
    /// Learns of the policy and of agents.
    pub(super) fn event(&mut self, event: &Event) {
        match event {
            Event::LedgerOpened { policy, .. } | Event::PolicyAdopted(policy) => self.adopt(policy),
            Event::Agent { agent, event } => self.agent(*agent, event),
            _ => {}
        }
    }

    pub(super) fn payout(&mut self, op: OpId, event: &payout::Event) {
        match event {
            payout::Event::Failed { .. } => self.frees(op, i64::MAX),
            payout::Event::Returned { amount, .. } => self.count_return(op, amount.cents()),
            _ => {}
        }
    }

    pub(super) fn payment(&mut self, op: OpId, event: &wallet::payment::Event) {
        use wallet::payment::{Event as E, Resolution};
        let freed = match event {
            E::Failed { .. } => true,
            E::Resolved { resolution, .. } => matches!(resolution, Resolution::Returned(_)),
            _ => false,
        };
        if freed {
            self.frees(op, i64::MAX);
        }
    }

    fn adopt(&mut self, policy: &Policy) {
        self.most = policy.sale_limits().recipient_daily.cents();
    }

    fn agent(&mut self, id: AgentId, event: &agent::Event) {
        let (account, mandate) = match event {
            agent::Event::Registered(profile) => (profile.account, None),
            agent::Event::Admitted(admission) => {
                (admission.profile.account, Some(admission.grant.mandate.clone()))
            }
            agent::Event::MandateSet(mandate) => {
                let account = self.agents.get(&id).and_then(|id| self.accounts.get_mut(id));
                if let Some(account) = account {
                    account.mandate = Some(mandate.as_ref().clone());
                }
                return;
            }
            agent::Event::SandboxUsed
            | agent::Event::Validated
            | agent::Event::Activated(_)
            | agent::Event::Suspended
            | agent::Event::Reinstated => return,
        };
        self.agents.insert(id, account);
        self.accounts.insert(account, Account { mandate, days: BTreeMap::new() });
    }

    pub(super) fn sale(&mut self, op: OpId, event: &cash_out::Event, at: Instant) {
        use cash_out::{Event as E, RefundSource};
        match event {
            E::Quoted(order) => {
                self.quoted.insert(op, (order.payee, order.deal.net.cents()));
            }
            E::Accepted { .. } => {
                let day = at.day_begins_in_brasilia();
                let (payee, reserved) = self.quoted.remove(&op).unzip();
                let reserved = reserved.unwrap_or(0);
                self.sales
                    .insert(op, Sale { day, counted: None, reserved, payee, quoted: reserved });
            }
            // An order that its deposit revived is judged and reserves its share again.
            E::DepositSeen { counted: Some(_), .. } | E::Secured { .. } => {
                if let Some(sale) = self.sales.get_mut(&op) {
                    sale.reserved = sale.quoted;
                }
            }
            // What was reversed counts until its refund is sent.
            E::RefundDecided { source: RefundSource::Reversal(_), .. } => {}
            E::Failed | E::Expired | E::RefundDecided { .. } | E::RefundSent { .. } => {
                self.frees(op, i64::MAX);
                self.quoted.remove(&op);
                self.unpaid(op);
                if let Some(sale) = self.sales.get_mut(&op) {
                    sale.reserved = 0;
                }
            }
            _ => {}
        }
    }

    pub(super) fn conversion(&mut self, op: OpId, event: &conversion::Event) {
        match event {
            // A withdrawal of commission is no payment of an agent.
            conversion::Event::Requested(order)
                if self.accounts.contains_key(&order.account)
                    && order.source != conversion::FundingSource::Commission =>
            {
                let (account, cents) = (order.account, order.amount.cents());
                let day = order.created_at.day_begins_in_brasilia();
                let ordered = Ordered { account, day, cents, back: 0 };
                self.conversions.insert(op, (ordered, order.tax_number));
            }
            conversion::Event::Refunded { .. } => self.frees(op, i64::MAX),
            _ => {}
        }
    }

    /// What came back counts no longer once all of it did.
    fn count_return(&mut self, op: OpId, cents: i64) {
        let Some(ordered) = self.ordered.get_mut(&op) else { return };
        ordered.back += cents;
        if ordered.cents <= ordered.back {
            self.frees(op, i64::MAX);
        }
    }

    fn frees(&mut self, op: OpId, most: i64) {
        let Some(ordered) = self.ordered.get_mut(&op) else { return };
        let freed = ordered.cents.min(most);
        ordered.cents -= freed;
        let account = self.accounts.get_mut(&ordered.account);
        if let Some(sum) = account.and_then(|known| known.days.get_mut(&ordered.day)) {
            *sum -= freed;
        }
    }

    pub(super) fn instruction(&mut self, instruction: &Instruction, found: &mut Findings) {
        let op = instruction.op;
        let day = |at: Instant| at.day_begins_in_brasilia();
        match &instruction.task {
            Task::SendPix(order) => {
                let cents = order.amount.cents();
                let sent = (cents, order.counterparty());
                self.sends(op, order.account, || day(order.created_at), sent, found);
            }
            Task::Pay(order) => {
                let sent = (order.net.cents(), order.payee.counterparty());
                self.sends(op, order.account, || day(order.created_at), sent, found);
            }
            Task::Deliver(_) => {
                if let Some((ordered, to)) = self.conversions.get(&op).copied() {
                    let Ordered { account, day, cents, .. } = ordered;
                    self.sends(op, account, || day, (cents, to), found);
                }
            }
            Task::PaySale { progress: sale, .. } => {
                let Some(net) = sale.sale.map(|sale| sale.deal.net.cents()) else { return };
                self.pays(op, sale.payee, net, found);
                // What a wallet pays for is the payment's own instruction.
                let accepted = self.sales.get(&op).map(|sale| sale.day);
                if let (true, Some(day)) = (sale.order.is_sellers(), accepted) {
                    let sent = (net, sale.payee.counterparty());
                    self.sends(op, sale.order.account, || day, sent, found);
                }
            }
            Task::Sell(_) | Task::Refund(_) | Task::Withdraw(_) => {}
        }
    }

    /// A recipient is ordered sent so much by an order, all its attempts together: everybody is
    /// within the ceiling whom it counts.
    fn pays(&mut self, op: OpId, payee: Payee, net: i64, found: &mut Findings) {
        let Some(sale) = self.sales.get(&op).copied() else {
            violates(found, "OUT-02", format!("{op:?} is paid, and was not accepted"));
            return;
        };
        let before = sale.counted.map_or(0, |(_, cents)| cents);
        let (was, whom) = (sale.whom(), recipients(&payee));
        if net <= before && whom.is_subset(&was) {
            return;
        }
        self.unpaid(op);
        let net = net.max(before);
        let counted = Some((payee.counted_as, net));
        self.sales.insert(op, Sale { counted, payee: Some(payee), ..sale });
        for recipient in whom {
            let sum = self.recipients.entry((recipient, sale.day)).or_default();
            *sum += net;
            let more = before < net || !was.contains(&recipient);
            if more && self.most < *sum && sale.reserved_for(recipient) < net {
                let (sum, most, day) = (*sum, self.most, sale.day);
                let what = format!("{op:?}: {net} make {sum} to one recipient of {most}, on {day}");
                violates(found, "OUT-02", what);
            }
        }
    }

    /// Nobody counts an order any longer.
    fn unpaid(&mut self, op: OpId) {
        let Some(sale) = self.sales.get_mut(&op) else { return };
        let (day, whom) = (sale.day, sale.whom());
        let Some((_, cents)) = sale.counted.take() else { return };
        for recipient in whom {
            if let Some(sum) = self.recipients.get_mut(&(recipient, day)) {
                *sum -= cents;
            }
        }
    }

    /// An account orders so much sent to somebody by an operation, all its attempts together.
    fn sends(
        &mut self,
        op: OpId,
        account: AccountId,
        day: impl Fn() -> Instant,
        (cents, to): (i64, Option<Token>),
        found: &mut Findings,
    ) {
        let Some(known) = self.accounts.get_mut(&account) else { return };
        let day = day();
        let ordered = self.ordered.entry(op).or_insert(Ordered { account, day, cents: 0, back: 0 });
        if cents <= ordered.cents {
            return;
        }
        let sum = known.days.entry(day).or_default();
        *sum += cents - ordered.cents;
        ordered.cents = cents;
        let Some(mandate) = &known.mandate else { return };
        let names = &mandate.counterparties;
        if !names.is_empty() && !to.is_some_and(|to| names.contains(&to)) {
            violates(found, "OUT-03", format!("{op:?}: to somebody the mandate does not name"));
        }
        if let Some(most) = mandate.per_operation.filter(|most| most.cents() < cents) {
            let most = most.cents();
            violates(found, "OUT-03", format!("{op:?}: {cents} under a mandate of {most}"));
        }
        if let Some(most) = mandate.daily.filter(|most| most.cents() < *sum) {
            let (sum, most) = (*sum, most.cents());
            let what = format!("{op:?}: {cents} make {sum} on {day}, under a mandate of {most}");
            violates(found, "OUT-03", what);
        }
    }
}
