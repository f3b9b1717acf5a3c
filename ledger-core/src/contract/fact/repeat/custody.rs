//! Fields of accounts, agents, own money, holds, suspense and closes, as events tell them.

use super::products::account_leg;
use super::recorded::FirstReport;
use super::sale::is_receipt_about;
use super::stated;
use super::text::{FieldText, cents, debug, token, units, word};
use super::wallet::is_transfer_about;
use crate::contract::wire_names;
use crate::id::OpId;
use crate::ledger::hold::Fact as HoldFact;
use crate::ledger::recovery::{ANALYSIS, Fact as RecoveryFact, Ruling};
use crate::ledger::{Archive, Event, Fact, Income, OwnCoins, Residence};
use crate::machine::hold::{self, Kind};
use crate::machine::{agent, erroneous_delivery, suspense};
use crate::money::Amount;

impl<A: Archive> FirstReport<'_, A> {
    /// Fields of an account, of where it lives, and of an agent.
    pub(super) fn account_fields(&self, event: &Event) -> Vec<FieldText> {
        match event {
            Event::AccountOpened { name, .. } => vec![word("account", name)],
            Event::TermsAdopted { account, from, .. } => {
                vec![self.account(*account), ("effective_from", Some(from.to_string()))]
            }
            Event::KeyReplaced { account, .. }
            | Event::KeyRevoked { account }
            | Event::OpeningBalancesClosed { account } => vec![self.account(*account)],
            Event::ResidenceChanged { account, residence } => {
                let mut fields = vec![self.account(*account)];
                fields.extend(residence.bound_for().map(|to| word("ledger", to)));
                fields.extend(steps(residence).iter().map(|step| word("step", step)));
                fields
            }
            Event::AccountCarried { account, ledger, carried } => {
                let carried = debug("carried", carried);
                vec![self.account(*account), word("ledger", ledger), carried]
            }
            Event::BalanceCarried {
                subaccount,
                commission_of,
                given,
                taken,
                deposited,
                waiting_until,
                ..
            } => {
                let own = [
                    ("commission", Some(commission_of.is_some().to_string())),
                    cents("effect_cents", given.cents() - taken.cents()),
                    ("deposited", Some(deposited.to_string())),
                    ("waiting_until", waiting_until.map(|at| at.to_string())),
                ];
                self.holder(*subaccount).into_iter().chain(own).collect()
            }
            Event::Agent { event: agent::Event::Admitted(admission), .. } => {
                let (profile, grant) = (&admission.profile, &admission.grant);
                stated::agent_fields(
                    &profile.id,
                    (profile.name, profile.contact, &profile.capabilities),
                    (&grant.settlement, &profile.referral, &grant.mandate),
                )
            }
            Event::Agent { agent, .. } => {
                let member = self.ledger.state.member(*agent);
                let known = member.and_then(|member| member.state.agent());
                known.map(|known| word("agent_id", &known.profile.id)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Fields of own money, corrections, holds, and what waits for a person.
    pub(super) fn custody_fields(&self, event: &Event) -> Vec<FieldText> {
        match event {
            Event::TreasuryMoved { from, to, amount } => vec![
                word("from", from.account().control().name()),
                word("to", to.account().control().name()),
                cents("amount_cents", amount.cents()),
                ("asset", None),
            ],
            Event::CoinsMoved { asset, from, to, units: moved } => {
                let (asset, scale) = self.asset(*asset);
                let chain = [from, to].into_iter().find_map(|own| match own {
                    OwnCoins::Treasury(chain) => Some(self.chain("chain", *chain)),
                    _ => None,
                });
                let own = [
                    asset,
                    word("from", from.account().name()),
                    word("to", to.account().name()),
                    units("amount", *moved, scale),
                ];
                own.into_iter().chain(chain).collect()
            }
            Event::FeeAdjusted { subaccount, given, charged, income, .. } => {
                let effect = cents("effect_cents", given.cents() - charged.cents());
                let own = [effect, word("income", income_word(*income))];
                self.holder(*subaccount).into_iter().chain(own).collect()
            }
            Event::BalanceWrittenOff { subaccount, amount, .. } => {
                let amount = cents("amount_cents", amount.cents());
                self.holder(*subaccount).into_iter().chain([amount]).collect()
            }
            Event::Hold { op, event } => self.hold_fields(*op, event),
            Event::ErroneousDelivery {
                event: erroneous_delivery::Event::Settled { end, .. },
                ..
            } => vec![word(
                "outcome",
                match end {
                    erroneous_delivery::End::Recovered => "recovered",
                    erroneous_delivery::End::Lost => "lost",
                },
            )],
            event => self.waiting_fields(event),
        }
    }

    /// Tells whether the record is about `op`: that one moved, or what waits was said to be of it.
    pub(super) fn is_about(&self, op: Option<OpId>) -> bool {
        self.record.events.iter().any(|event| {
            let was_said = match event {
                Event::SetAside { about, .. } | Event::Repeated { about, .. } => *about == op,
                Event::Suspense {
                    event:
                        suspense::Event::Received(order) | suspense::Event::Ordered { order, .. },
                    ..
                } => order.about == op,
                Event::Hold { event: hold::Event::Placed { order, .. }, .. } => order.cause == op,
                Event::RecoveryOpened { cause, .. } => Some(*cause) == op,
                Event::RecoveryDecided { recovery, .. } => {
                    self.ledger.state.recovery(recovery).is_some_and(|it| Some(it.cause) == op)
                }
                event => is_receipt_about(event, op) || is_transfer_about(event, op),
            };
            was_said || op.is_some() && event.op() == op
        })
    }

    /// Fields of what waits in suspense, where the event is of that.
    pub(super) fn waiting_fields(&self, event: &Event) -> Vec<FieldText> {
        let Event::Suspense { event, .. } = event else { return Vec::new() };
        self.suspense_fields(event)
    }

    fn hold_fields(&self, op: OpId, event: &hold::Event) -> Vec<FieldText> {
        match event {
            hold::Event::Placed { order, .. } => {
                let kind = if order.kind == Kind::Reservation {
                    ("kind", order.label.as_deref().map(str::to_owned))
                } else {
                    ("kind", hold_word(order.kind).map(str::to_owned))
                };
                let own = [
                    kind,
                    cents("amount_cents", order.requested.cents()),
                    ("expires_at", order.ends_at.map(|at| at.to_string())),
                    ("description", order.note.map(token)),
                ];
                self.holder(order.subaccount).into_iter().chain(own).collect()
            }
            hold::Event::Released { to_held, to_available, end, .. } => {
                let released = to_held.cents() + to_available.cents();
                vec![match (end, self.fact.bare()) {
                    // A release of a capture says that it was the last.
                    (hold::End::Yes, Fact::Hold(HoldFact::Captured { .. })) => {
                        word("final", "true")
                    }
                    (hold::End::Yes, _) => ("amount_cents", None),
                    // No more is let go than is blocked: the first report may have said more.
                    (hold::End::No, Fact::Hold(HoldFact::Released { amount: Some(more), .. }))
                        if self.is_empty(op) =>
                    {
                        cents("amount_cents", more.cents().max(released))
                    }
                    (hold::End::No, _) => cents("amount_cents", released),
                }]
            }
            hold::Event::Captured { amount, to, note, .. } => vec![
                cents("amount_cents", amount.cents()),
                debug("to", &account_leg(self.ledger, *to)),
                ("description", note.map(token)),
            ],
            _ => Vec::new(),
        }
    }

    /// Tells whether the record left nothing blocked by a hold.
    fn is_empty(&self, op: OpId) -> bool {
        let before = self.ledger.archive.records_of(op, self.record.seq);
        let events = before.iter().chain([self.record]).flat_map(|record| &record.events);
        let state = events.fold(hold::State::Absent, |state, event| match event {
            Event::Hold { op: moved, event } if *moved == op && hold::follows(&state, event) => {
                hold::evolve(&state, event)
            }
            _ => state,
        });
        state.amounts().is_some_and(|amounts| amounts.blocked_cents().is_zero())
    }

    fn suspense_fields(&self, event: &suspense::Event) -> Vec<FieldText> {
        let amount = |amount: Amount| cents("amount_cents", amount.cents());
        match event {
            suspense::Event::Received(order) => {
                let paid = order.direction == suspense::Direction::In;
                let paid_at = paid.then(|| ("paid_at", Some(order.paid_at.to_string())));
                paid_at.into_iter().chain([amount(order.amount)]).collect()
            }
            suspense::Event::Ordered { order, subaccount } => {
                self.holder(*subaccount).into_iter().chain([amount(order.amount)]).collect()
            }
            suspense::Event::Attached(charge) => {
                vec![("cashin_id", Some(charge.text(&self.ledger.state.name)))]
            }
            suspense::Event::SentBack { return_id, .. } => vec![word("return_id", return_id)],
            suspense::Event::Returned(_) => vec![("return_id", None)],
            suspense::Event::TakenOver { .. } => Vec::new(),
        }
    }

    /// Fields of recoveries and of their holds.
    pub(super) fn recovery_fields(&self, event: &Event) -> Vec<FieldText> {
        match event {
            Event::RecoveryOpened { recovery, amount, blocks_until, decides_until, .. } => vec![
                word("recovery_id", recovery),
                cents("amount_cents", amount.cents()),
                ("blocks_until", Some(blocks_until.to_string())),
                ("decides_until", Some(decides_until.to_string())),
            ],
            Event::RecoveryBlocked { recovery, .. } => vec![word("recovery_id", recovery)],
            Event::RecoveryDecided { recovery, accepted } => {
                let outcome = if accepted.is_zero() { "rejected" } else { "accepted" };
                let amount = cents("amount_cents", accepted.cents());
                vec![word("recovery_id", recovery), word("outcome", outcome), amount]
            }
            Event::Hold { event: hold::Event::Placed { order, .. }, .. } => {
                self.holder(order.subaccount).into()
            }
            event => self.waiting_fields(event),
        }
    }
}

impl<A: Archive> FirstReport<'_, A> {
    /// The field of a recovery that leaving one out stands for.
    pub(super) fn recovery_left_out(&self, name: &'static str) -> Option<FieldText> {
        let Fact::Recovery(fact) = self.fact.bare() else { return None };
        let (at, state) = (self.record.at, &self.ledger.state);
        match (fact, name) {
            (RecoveryFact::Opened { .. }, "blocks_until") => {
                Some((name, Some(at.after(state.policy.shortfall_watch).to_string())))
            }
            (RecoveryFact::Opened { .. }, "decides_until") => {
                Some((name, Some(at.after(ANALYSIS).to_string())))
            }
            (
                RecoveryFact::Decided { recovery, ruling: Ruling::Accepted(None), .. },
                "amount_cents",
            ) => Some(cents(name, state.recovery(recovery)?.amount.cents())),
            _ => None,
        }
    }
}

/// Fields of a capture: the account that it credits.
pub(super) fn capture_fields(fact: &Fact) -> Vec<FieldText> {
    let Fact::Hold(HoldFact::Captured { to, .. }) = fact.bare() else { return Vec::new() };
    vec![debug("to", &(&to.account, &to.holder))]
}

/// The steps by which an account may have come to live there.
const fn steps(residence: &Residence) -> &'static [&'static str] {
    match residence {
        Residence::Leaving(_) | Residence::Carrying(_) => &["leaving"],
        Residence::Departed(_) => &["departed"],
        Residence::Here => &["staying", "arrived"],
        Residence::Arriving(_) => &[],
    }
}

const fn income_word(income: Income) -> &'static str {
    match income {
        Income::Deposit => "deposit",
        Income::Payout => "payout",
        Income::Purchase => "purchase",
        Income::Conversion => "conversion",
    }
}

fn hold_word(kind: Kind) -> Option<&'static str> {
    let words = ["dispute", "precautionary", "judicial", "administrative"];
    words.into_iter().find(|word| wire_names::hold_kind(word) == Some(kind))
}
