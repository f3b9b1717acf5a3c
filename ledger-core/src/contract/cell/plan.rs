//! What is to be reported next, to which ledger, of an account that moves: read off the ledger that
//! it leaves, so that whoever moves it may lose everything he knew.

use serde_json::{Value, json};

use crate::contract::input::tokens::{Tokens, Vault};
use crate::contract::views::Views;
use crate::id::{AccountId, SubaccountId};
use crate::ledger::{Archive, Event, ExternalId, Residence};
use crate::money::Balance;
use crate::time::Instant;

/// Which of two ledgers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The one that the account leaves.
    Source,
    /// The one that it enters.
    Target,
}

/// A fact to be reported.
#[derive(Clone, Debug, PartialEq)]
pub struct CellReport {
    /// To which ledger.
    pub to: Side,
    /// The fact's name.
    pub fact: &'static str,
    /// The fact's body, as JSON.
    pub body: Value,
}

/// What is to be done of an account's move.
#[derive(Clone, Debug, PartialEq)]
pub struct MovePlan {
    /// What is to be reported, in this order; all of it was, if the answers do not say otherwise.
    pub reports: Vec<CellReport>,
    /// Whether the account lives in the other ledger once all of it was reported.
    pub last: bool,
    /// How many operations of the account are open here, or recoveries of its PIX undecided, which
    /// it waits for.
    pub open: usize,
}

/// A balance to be carried, by its place among the parts of a move.
struct Part<'a> {
    key: String,
    customer: Option<&'a str>,
    commission: bool,
    available: Balance,
    deposited: bool,
    waiting_until: Option<Instant>,
}

impl<A: Archive, V: Vault> Views<'_, A, V> {
    /// What is to be reported next of the account's move to the ledger `to`, under ids that begin
    /// with `id`; read off the ledger that the account leaves. Each fact is known by its id, so
    /// what was reported may be reported again, late or twice.
    ///
    /// None where this ledger has no such account, or it is bound for another ledger.
    #[must_use]
    pub fn moving(&self, account: &str, to: &str, id: &str, tokens: &Tokens) -> Option<MovePlan> {
        let account = self.state.account_named(account)?;
        let known = self.state.account(account)?;
        let step = |side: Side, step: &str| {
            let (ledger, id) = match side {
                Side::Source => (to, self.untaken(&format!("{id}.{step}"))),
                Side::Target => (&*self.state.name, format!("{id}.{step}")),
            };
            let body = json!({ "id": id, "account": known.name, "ledger": ledger, "step": step });
            CellReport { to: side, fact: "account.moved", body }
        };
        let contested = self.state.undecided_recoveries(self.archive, account).count();
        let open = self.state.open_of(account).count() + contested;
        match &known.residence {
            Residence::Here => {
                let reports = vec![step(Side::Source, "leaving")];
                return Some(MovePlan { reports, last: false, open });
            }
            Residence::Arriving(_) => return None,
            Residence::Leaving(there) | Residence::Carrying(there) | Residence::Departed(there) => {
                if **there != *to {
                    return None;
                }
            }
        }
        // Until nothing is open its balances stay where they can be read.
        if open > 0 && matches!(known.residence, Residence::Leaving(_)) {
            return Some(MovePlan { reports: Vec::new(), last: false, open });
        }
        let mut body = self.arriving(account, tokens)?;
        body["id"] = format!("{id}.arriving").into();
        let arriving = CellReport { to: Side::Target, fact: "account.arriving", body };
        let mut reports = vec![arriving];
        let mut left = false;
        for part in self.parts(account) {
            left |= self.carry(&known.name, id, &part, &mut reports);
        }
        let departed = matches!(known.residence, Residence::Departed(_));
        let settled = !left && self.state.is_settled(account);
        if settled && !departed {
            reports.push(step(Side::Source, "departed"));
        }
        if departed {
            reports.push(step(Side::Target, "arrived"));
        }
        Some(MovePlan { reports, last: departed && !left, open })
    }

    /// What gives up the account's move to the ledger `to` under `id`, to be reported to this one,
    /// which it leaves; nothing where it lives here as before.
    ///
    /// # Errors
    ///
    /// What stands against it: a balance of it was carried, it has left, or it is unknown here.
    pub fn staying(
        &self,
        account: &str,
        to: &str,
        id: &str,
    ) -> Result<Option<CellReport>, &'static str> {
        let account = self.state.account_named(account).and_then(|it| self.state.account(it));
        let account = account.ok_or("there is none")?;
        match &account.residence {
            Residence::Here => Ok(None),
            Residence::Leaving(there) if **there == *to => {
                let id = self.untaken(&format!("{id}.staying"));
                let body = json!({
                    "id": id, "account": account.name, "ledger": to, "step": "staying"
                });
                Ok(Some(CellReport { to: Side::Source, fact: "account.moved", body }))
            }
            Residence::Carrying(_) => Err("a balance of it was carried: go on with the move"),
            Residence::Departed(_) => Err("it has left: go on with the move"),
            Residence::Leaving(_) | Residence::Arriving(_) => {
                Err("it moves to or from another ledger")
            }
        }
    }

    /// The id of a step that was not set aside: one that came too early, as something was credited
    /// meanwhile, is taken under the next.
    fn untaken(&self, step: &str) -> String {
        let id = |number: u32| format!("{step}.{number}");
        let set_aside = |number: &u32| {
            let record = self.archive.fact_seq(&ExternalId::fact(&id(*number)));
            let record = record.and_then(|seq| self.archive.record(seq));
            record.is_some_and(|record| record.is_set_aside())
        };
        let number = (1..=u32::MAX).find(|number| !set_aside(number));
        id(number.unwrap_or(u32::MAX))
    }

    /// The balances of an account: its commission, its house, and its customers that ever had one.
    fn parts(&self, account: AccountId) -> impl Iterator<Item = Part<'_>> {
        let of = move |(subaccount, buckets): (SubaccountId, crate::accounting::Buckets)| {
            let known = self.state.subaccount(subaccount)?;
            Some(Part {
                key: subaccount.0.to_string(),
                customer: self.archive.customer(subaccount),
                commission: false,
                available: buckets.available,
                deposited: known.deposited,
                waiting_until: known.waiting_until,
            })
        };
        let commission = Part {
            key: "commission".to_owned(),
            customer: None,
            commission: true,
            available: self.state.books.commission(account).balance,
            deposited: false,
            waiting_until: None,
        };
        std::iter::once(commission).chain(self.state.subaccounts_of(account, None).filter_map(of))
    }

    /// Reports a part: what left this ledger enters the other, and then what is left leaves. Says
    /// whether anything was left.
    fn carry(&self, name: &str, id: &str, part: &Part<'_>, into: &mut Vec<CellReport>) -> bool {
        let nothing = Balance::new(0);
        for number in 1_u32.. {
            let id = carried_id(id, &part.key, number);
            let report = |to, effect: i64, (deposited, waiting_until): (bool, Option<Instant>)| {
                let mut body = json!({ "id": id, "account": name, "deposited": deposited });
                body["customer_ref"] = part.customer.into();
                body["commission"] = part.commission.into();
                body["effect_cents"] = (effect != 0).then_some(effect).into();
                body["waiting_until"] = waiting_until.map(|until| until.to_string()).into();
                CellReport { to, fact: "balance.carried", body }
            };
            let record = self.archive.fact_seq(&ExternalId::fact(&id));
            let record = record.and_then(|seq| self.archive.record(seq));
            if let Some(record) = record {
                let carried = record.events.iter().find_map(|event| match event {
                    Event::BalanceCarried { given, taken, deposited, waiting_until, .. } => {
                        Some((taken.cents() - given.cents(), (*deposited, *waiting_until)))
                    }
                    _ => None,
                });
                // One that was set aside carried nothing, and the next is counted anew.
                into.extend(carried.map(|(effect, known)| report(Side::Target, effect, known)));
                continue;
            }
            let known = (part.deposited, part.waiting_until);
            let first = number == 1 && (part.deposited || part.waiting_until.is_some());
            if part.available == nothing && !first {
                return false;
            }
            let effect = part.available.cents().saturating_neg();
            into.push(report(Side::Source, effect, known));
            return true;
        }
        unreachable!("a part is carried fewer than four billion times")
    }
}

/// The id of the facts by which a part of a move is carried, out of one ledger and into the other.
pub(in crate::contract) fn carried_id(id: &str, key: &str, number: u32) -> String {
    format!("{id}.{key}.{number}")
}
