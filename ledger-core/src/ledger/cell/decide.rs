//! What facts of accounts that move come to, in either ledger.

use super::{Carried, Fact, Residence, Step};
use crate::id::{AccountId, Kind, OpId, SubaccountId};
use crate::ledger::account::opening::resolve;
use crate::ledger::archive::Archive;
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::ledger::state::api_account::ApiAccount;
use crate::money::Balance;
use crate::time::Instant;

/// A balance as it was carried.
#[derive(Clone, Copy)]
struct Moved {
    effect: Balance,
    deposited: bool,
    waiting_until: Option<Instant>,
}

impl Fact {
    /// Tells whether a recovery of the account that leaves is undecided: its money stays where that
    /// may block it.
    pub(in crate::ledger) fn is_contested(&self, state: &State, archive: &impl Archive) -> bool {
        let (Self::Moved { account, .. } | Self::BalanceCarried { account, .. }) = self else {
            return false;
        };
        let account = state.account_named(account).and_then(|id| Some((id, state.account(id)?)));
        let leaves = account.filter(|(_, known)| known.residence.bound_for().is_some());
        leaves.is_some_and(|(id, _)| state.undecided_recoveries(archive, id).next().is_some())
    }
}

impl FactContext<'_> {
    /// A fact about an account that moves.
    pub(in crate::ledger) fn decide_cell(&self, fact: Fact) -> Decision {
        match fact {
            Fact::Moved { account, step, ledger } => self.step(&account, step, &ledger),
            Fact::Arriving { account, ledger, carried } => self.arriving(account, ledger, carried),
            Fact::BalanceCarried {
                account,
                customer,
                commission,
                effect,
                deposited,
                waiting_until,
            } => {
                let moved = Moved { effect, deposited, waiting_until };
                self.balance_carried(&account, customer, commission, moved)
            }
        }
    }

    /// A step that was taken is known; one that does not follow waits for a person.
    fn step(&self, name: &str, step: Step, ledger: &str) -> Decision {
        let Some((account, named)) = self.account_by_name(name) else {
            return self.aside(Reason::Unmatched);
        };
        let residence = match (step, &named.residence) {
            (Step::Leaving, Residence::Here) if self.state.may_leave(account, ledger) => {
                Residence::Leaving(ledger.into())
            }
            (Step::Leaving, Residence::Leaving(to) | Residence::Carrying(to))
            | (Step::Departed, Residence::Departed(to))
                if **to == *ledger =>
            {
                return already_known();
            }
            (Step::Staying, Residence::Leaving(to)) if **to == *ledger => Residence::Here,
            (Step::Departed, Residence::Leaving(to) | Residence::Carrying(to))
                if **to == *ledger && self.state.is_settled(account) && !self.lookup.contested =>
            {
                Residence::Departed(ledger.into())
            }
            (Step::Arrived, Residence::Arriving(from)) if **from == *ledger => Residence::Here,
            (Step::Arrived, Residence::Arriving(_)) => return self.aside(Reason::OutOfTurn),
            (Step::Arrived, _) if named.came_from.as_deref() == Some(ledger) => {
                return already_known();
            }
            (_, _) => return self.aside(Reason::OutOfTurn),
        };
        accept(vec![Event::ResidenceChanged { account, residence }])
    }

    fn arriving(&self, name: Box<str>, ledger: Box<str>, carried: Box<Carried>) -> Decision {
        // Where it lived before, a request repeated might be begun anew: it never comes back.
        if let Some((account, named)) = self.account_by_name(&name) {
            return match &named.residence {
                // It set out anew: what it has beside its balances may be other than before.
                Residence::Arriving(from) if *from == ledger => {
                    self.arriving_anew((account, named), ledger, carried)
                }
                _ if named.came_from.as_deref() == Some(&*ledger) => already_known(),
                _ => self.aside(Reason::NameTaken),
            };
        }
        if self.state.knows_key(&carried.key) {
            return self.aside(Reason::IdTaken);
        }
        let (account, house) = (self.state.next_account(), self.state.next_subaccount());
        let first = carried.terms.first().map(|(_, terms)| *terms);
        let terms = Box::new(first.expect("what was carried has terms"));
        let key = carried.key;
        accept(vec![
            Event::AccountOpened { account, name, key, house, terms },
            Event::AccountCarried { account, ledger, carried },
        ])
    }

    fn arriving_anew(
        &self,
        (account, named): (AccountId, &ApiAccount),
        ledger: Box<str>,
        carried: Box<Carried>,
    ) -> Decision {
        let key = carried.key;
        let replaced = (named.key != Some(key)).then_some(Event::KeyReplaced { account, key });
        if replaced.is_some() && self.state.knows_key(&key) {
            return self.aside(Reason::IdTaken);
        }
        let carried = Event::AccountCarried { account, ledger, carried };
        accept(replaced.into_iter().chain([carried]).collect())
    }

    /// What leaves is a whole balance, so that nothing stays; what comes is what left, and where
    /// the account has moved on meanwhile it is carried after it.
    fn balance_carried(
        &self,
        name: &str,
        customer: Option<Box<str>>,
        commission: bool,
        moved: Moved,
    ) -> Decision {
        let Some((account, named)) = self.account_by_name(name) else {
            return self.aside(Reason::Unmatched);
        };
        let (leaves, came) = (named.residence.bound_for().is_some(), named.came_from.is_some());
        if !leaves && !came || leaves && self.lookup.contested {
            return self.aside(Reason::OutOfTurn);
        }
        let mut events = Vec::new();
        let subaccount = match (commission, self.lookup.subaccounts[0]) {
            (true, _) => named.house,
            (false, Some(known)) => known,
            (false, None) if !came => return self.aside(Reason::Unmatched),
            (false, None) => resolve(self.state, account, None, customer, &mut events),
        };
        let books = &self.state.books;
        let here = if commission {
            books.commission(account).balance
        } else {
            books.subaccount(subaccount).available
        };
        if !came && i128::from(here.cents()) + i128::from(moved.effect.cents()) != 0 {
            return self.aside(Reason::AmountDiffers);
        }
        let op = OpId::new(Kind::Adjustment, self.state.seq.next());
        let Moved { effect, deposited, waiting_until } = moved;
        events.push(Event::BalanceCarried {
            op,
            subaccount,
            commission_of: commission.then_some(account),
            given: effect.spendable(),
            taken: Balance::new(effect.cents().saturating_neg()).spendable(),
            deposited,
            waiting_until,
        });
        Decision { events, outcome: Outcome::Applied(Some(op)) }
    }

    fn account_by_name(&self, name: &str) -> Option<(AccountId, &ApiAccount)> {
        let account = self.state.account_named(name)?;
        Some((account, self.state.account(account)?))
    }
}

impl State {
    /// Tells whether an account may begin something new: it lives here, and is not leaving.
    pub(in crate::ledger) fn lives_here(&self, account: AccountId) -> Result<(), Refusal> {
        match self.account(account).map(|known| &known.residence) {
            None | Some(Residence::Here) => Ok(()),
            Some(_) => Err(Refusal::AccountMoves),
        }
    }

    /// Tells whether an account is between two ledgers: what it has beside its balances is carried
    /// as it is. One that has left learns its next key, so that it answers whoever has that for
    /// what was asked before.
    pub(in crate::ledger) fn is_on_its_way(&self, account: AccountId) -> bool {
        let residence = self.account(account).map(|known| &known.residence);
        !matches!(residence, None | Some(Residence::Here | Residence::Departed(_)))
    }

    /// Tells whether the balances of an account are read here: none of them was carried elsewhere,
    /// or is on its way here.
    #[must_use]
    pub fn has_balances_of(&self, account: AccountId) -> bool {
        let residence = self.account(account).map(|known| &known.residence);
        matches!(residence, None | Some(Residence::Here | Residence::Leaving(_)))
    }

    /// Tells whether an account can leave for another ledger: it has a key, which opens it there,
    /// and is neither an agent's nor one with a wallet, whose operations never cease to matter
    /// here.
    fn may_leave(&self, account: AccountId, ledger: &str) -> bool {
        let keyed = self.account(account).is_some_and(|known| known.key.is_some());
        let wallet = self.wallets().latest_operations().any(|(of, _)| of == account);
        keyed && !wallet && self.agent_of(account).is_none() && *ledger != *self.name
    }

    /// Tells whether nothing of an account is open here, and nothing owed to it or by it.
    #[must_use]
    pub fn is_settled(&self, account: AccountId) -> bool {
        let nothing = Balance::new(0);
        let settled = |(_, buckets): (SubaccountId, crate::accounting::Buckets)| {
            buckets.available == nothing && buckets.blocked_balance() == nothing
        };
        self.books.commission(account).balance == nothing
            && self.subaccounts_of(account, None).all(settled)
            && self.open_of(account).next().is_none()
    }

    /// The operations of an account that are open, holds on its money among them.
    pub fn open_of(&self, account: AccountId) -> impl Iterator<Item = OpId> + '_ {
        let of = move |subaccount| {
            self.subaccount(subaccount).is_some_and(|known| known.account == account)
        };
        let open = self.open_operations().filter(move |(_, known)| {
            let held = known.hold().and_then(|hold| hold.amounts());
            known.account() == Some(account)
                || held.is_some_and(|amounts| of(amounts.order.subaccount))
        });
        open.map(|(op, _)| op)
    }
}
