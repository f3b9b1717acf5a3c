//! A state saved and restored: everything that its open operations do not say themselves.
//!
//! A snapshot holds this beside the records of every open operation. It is read by the version that
//! wrote it and by no other, so its numbers are nobody's to keep; the journal's are elsewhere.

use std::sync::Arc;

use minicbor::bytes::ByteArray;
use minicbor::{Decode, Encode};

use super::api_account::ApiAccount;
use super::daily_sums::{Day, Days};
use super::usage::Usage;
use super::{State, Subaccount};
use crate::accounting::{Account, Books, Buckets, CoinAccount, Commission, Control};
use crate::id::{AccountId, AssetId, ChainId, KeyHash, LedgerName, OpId, Seq, SubaccountId, Token};
use crate::ledger::domains::{Domains, SavedDomains};
use crate::ledger::notification::{InstructionKey, TaskKind};
use crate::ledger::record::account::{Credentials, Owner, ReplacedSecret, Residence};
use crate::ledger::record::early_report::EarlyReport;
use crate::ledger::registry::Operation;
use crate::machine::charge;
use crate::money::{Balance, Cents};
use crate::terms::{Catalogue, Listing, Market, Payer, Policy, Quote, Schedule, Terms};
use crate::time::Instant;

/// What of a state its open operations do not tell.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
pub struct StateSnapshot {
    #[n(0)]
    seq: Seq,
    #[n(1)]
    now: Instant,
    #[n(2)]
    policy: Policy,
    #[n(3)]
    controls: Vec<ByteArray<16>>,
    #[n(4)]
    buckets: Vec<(i64, i64, i64, u32)>,
    #[n(5)]
    flights: Vec<(Account, i64)>,
    #[n(6)]
    commissions: Vec<(AccountId, i64, u32)>,
    #[n(7)]
    coins: Vec<(AssetId, CoinAccount, ByteArray<16>)>,
    #[n(8)]
    catalogue: Offers,
    #[n(9)]
    rates: Vec<(Box<str>, Quote)>,
    #[n(10)]
    payers: Vec<(Token, Payer)>,
    #[n(11)]
    usage: Vec<(Instant, Instant, Cents, Cents)>,
    #[n(12)]
    accounts: Vec<SavedAccount>,
    #[n(13)]
    subaccounts: Vec<(AccountId, Option<Instant>, bool, u32)>,
    #[n(14)]
    deficits: Vec<(AccountId, i64)>,
    #[n(15)]
    recipients: Vec<Counted<Token>>,
    #[n(16)]
    domains: SavedDomains,
    #[n(17)]
    retired: Vec<KeyHash>,
    #[n(18)]
    issued_until: Instant,
    #[n(19)]
    issued: Vec<(Token, u16)>,
    #[n(20)]
    sent: Vec<Counted<AccountId>>,
    #[n(21)]
    early: Vec<(OpId, Vec<EarlyReport>)>,
    #[n(22)]
    handed_out: Vec<(OpId, TaskKind, u32)>,
}

/// A day: whose it is, when it ends, what counts on it, how many of it are open, and until when one
/// may be revived.
type Counted<K> = (K, Instant, Cents, u32, Instant);

/// An API account.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
struct SavedAccount {
    #[n(0)]
    name: Box<str>,
    #[n(1)]
    key: Option<KeyHash>,
    #[n(2)]
    house: SubaccountId,
    #[n(3)]
    dated: Vec<(Instant, Terms)>,
    #[n(4)]
    settlement: Option<Box<str>>,
    #[n(5)]
    commission_withdrawn_at: Option<Instant>,
    #[n(6)]
    owner: Option<Owner>,
    #[n(7)]
    credentials: Credentials,
    #[n(8)]
    replaced_secret: Option<ReplacedSecret>,
    #[n(9)]
    residence: Residence,
    #[n(10)]
    came_from: Option<Box<str>>,
    /// Present where it takes no opening balances any more.
    #[n(11)]
    opening_closed: Option<bool>,
}

/// The catalogue: pairs listed, and what else was ever listed.
#[derive(Clone, Debug, Encode, Decode)]
#[cbor(array)]
struct Offers {
    #[n(0)]
    updated_at: Option<Instant>,
    #[n(1)]
    assets: Vec<(Box<str>, AssetId, crate::coin::Scale)>,
    #[n(2)]
    chains: Vec<(Box<str>, ChainId)>,
    #[n(3)]
    listed: Vec<Listing>,
    #[n(4)]
    dropped: Vec<(Box<str>, Box<str>)>,
    #[n(5)]
    markets: Vec<Market>,
    #[n(6)]
    pages: Vec<(Box<str>, Box<str>)>,
}

impl State {
    /// Returns what is saved of the state, beside its open operations.
    #[must_use]
    #[allow(clippy::too_many_lines)] // One line a field of the state, and a flat list of them.
    pub fn snapshot(&self) -> StateSnapshot {
        // Taken apart, so that what is added to a state is not forgotten here.
        let Self {
            name: _,
            seq,
            now,
            policy,
            books,
            catalogue,
            rates,
            payers,
            recipients,
            sent,
            usage,
            accounts,
            subaccounts,
            deficits,
            domains,
            retired,
            issued_until,
            issued,
            early,
            handed_out,
            // Indexes over accounts and open operations, which are derived from their records.
            names: _,
            keys: _,
            open: _,
            unpaid: _,
            parts: _,
            holds: _,
            caused: _,
            agenda: _,
            set_aside: _,
        } = self;
        let wide = |value: i128| ByteArray::from(value.to_le_bytes());
        StateSnapshot {
            seq: *seq,
            now: *now,
            policy: Policy::clone(policy),
            controls: Control::ALL.map(|control| wide(books.net_credit(control))).into(),
            buckets: books
                .subaccounts()
                .map(|(_, b)| (b.available.cents(), b.held.cents(), b.frozen.cents(), b.rows))
                .collect(),
            flights: books.flights().collect(),
            commissions: books
                .commissions()
                .map(|(account, known)| (account, known.balance.cents(), known.rows))
                .collect(),
            coins: books
                .coins()
                .map(|(asset, account, units)| (asset, account, wide(units)))
                .collect(),
            catalogue: Offers {
                updated_at: catalogue.updated_at,
                assets: catalogue.every_asset().collect(),
                chains: catalogue.every_chain().collect(),
                listed: catalogue.listings().cloned().collect(),
                dropped: catalogue.dropped_pairs().map(|(a, c)| (a.into(), c.into())).collect(),
                markets: catalogue.every_market().cloned().collect(),
                pages: catalogue.pages().map(|(c, page)| (c.into(), page.into())).collect(),
            },
            rates: rates.iter().map(|(asset, q)| (asset.clone(), Quote::clone(q))).collect(),
            payers: payers.iter().map(|(token, payer)| (*token, *payer)).collect(),
            recipients: save_days(recipients),
            sent: save_days(sent),
            usage: usage.iter().map(|u| (u.day, u.ends, u.charged, u.paid_out)).collect(),
            accounts: accounts
                .iter()
                .map(|account| SavedAccount {
                    name: account.name.clone(),
                    key: account.key,
                    house: account.house,
                    dated: account.schedule.dated_terms().into(),
                    settlement: account.settlement.clone(),
                    commission_withdrawn_at: account.commission_withdrawn_at,
                    owner: account.owner.clone(),
                    credentials: account.credentials,
                    replaced_secret: account.replaced_secret,
                    residence: account.residence.clone(),
                    came_from: account.came_from.clone(),
                    opening_closed: account.opening_closed.then_some(true),
                })
                .collect(),
            subaccounts: subaccounts
                .iter()
                .map(|known| (known.account, known.waiting_until, known.deposited, known.watchers))
                .collect(),
            deficits: deficits.iter().map(|(account, owed)| (*account, *owed)).collect(),
            domains: domains.save(),
            retired: retired.iter().copied().collect(),
            issued_until: *issued_until,
            issued: issued.iter().map(|(address, keys)| (*address, *keys)).collect(),
            early: early.iter().map(|(op, reports)| (*op, reports.to_vec())).collect(),
            handed_out: handed_out.iter().map(|key| (key.op, key.kind, key.attempt)).collect(),
        }
    }

    /// The state that was saved, with its open operations.
    ///
    /// None when what was saved is not the state of a ledger.
    #[must_use]
    pub fn restore(
        name: impl Into<LedgerName>,
        snapshot: StateSnapshot,
        open: impl IntoIterator<Item = (OpId, Operation)>,
    ) -> Option<Self> {
        let mut state = Self::new(name);
        state.seq = snapshot.seq;
        state.now = snapshot.now;
        state.books = books(&snapshot)?;
        state.policy = Arc::new(snapshot.policy);
        state.catalogue = Catalogue::restore(
            snapshot.catalogue.updated_at,
            snapshot.catalogue.assets,
            snapshot.catalogue.chains,
            snapshot.catalogue.listed,
            snapshot.catalogue.dropped,
            snapshot.catalogue.markets,
        );
        let pages = snapshot.catalogue.pages.iter();
        state.catalogue.show_pages(pages.map(|(chain, page)| (&**chain, &**page)));
        state.rates = snapshot.rates.into_iter().map(|(asset, q)| (asset, Arc::new(q))).collect();
        state.payers = snapshot.payers.into_iter().collect();
        state.recipients = restore_days(snapshot.recipients);
        state.sent = restore_days(snapshot.sent);
        for (day, ends, charged, paid_out) in snapshot.usage {
            state.usage.push(Usage { day, ends, charged, paid_out });
        }
        for (index, known) in (0..).zip(snapshot.accounts) {
            let SavedAccount { name, key, house, dated, settlement, .. } = known;
            state.names.insert(name.clone(), AccountId(index));
            state.keys.extend(key.map(|key| (key, AccountId(index))));
            let schedule = Schedule::from_dated(dated)?;
            let SavedAccount {
                commission_withdrawn_at, owner, credentials, replaced_secret, ..
            } = known;
            let SavedAccount { residence, came_from, opening_closed, .. } = known;
            state.accounts.push_back(Arc::new(ApiAccount {
                name,
                key,
                house,
                schedule,
                settlement,
                commission_withdrawn_at,
                owner,
                credentials,
                replaced_secret,
                residence,
                came_from,
                opening_closed: opening_closed.unwrap_or(false),
            }));
        }
        for (account, waiting_until, deposited, watchers) in snapshot.subaccounts {
            state.subaccounts.push(Subaccount { account, waiting_until, deposited, watchers });
        }
        state.deficits = snapshot.deficits.into_iter().collect();
        state.domains = Domains::restore(snapshot.domains);
        for unit in state.domains.products.units() {
            state.catalogue.count_in(&unit.name, (unit.asset, unit.scale));
        }
        for (op, reports) in snapshot.early {
            state.early.insert(op, reports.into());
        }
        for (op, kind, attempt) in snapshot.handed_out {
            state.handed_out.insert(InstructionKey { op, kind, attempt });
        }
        state.retired = snapshot.retired.into_iter().collect();
        state.issued_until = snapshot.issued_until;
        state.issued = snapshot.issued.into_iter().collect();
        for (op, operation) in open {
            if let Some((at, due)) = operation.machine.deadline() {
                state.agenda.insert((at, op, due));
            }
            if let Some((subaccount, at, held)) =
                operation.charge().and_then(charge::State::unreleased_credit)
            {
                state.parts.insert((subaccount, at, op), held);
            }
            if let Some(order) = operation.charge().and_then(charge::State::unpaid) {
                state.change_unpaid(order, |unpaid| unpaid.plus(order.amount.as_cents()));
            }
            if let Some(amounts) = operation.hold().and_then(|hold| hold.amounts()) {
                state.holds.insert((amounts.order.subaccount, op));
                state.caused.extend(amounts.order.cause.map(|cause| (cause, op)));
            }
            if let Some(about) = operation.machine.waits_about() {
                state.set_aside.insert((about, op));
            }
            state.domains.index(op, &operation);
            state.open.insert(op, Arc::new(operation));
        }
        Some(state)
    }
}

fn save_days<K: Copy + Ord>(days: &Days<K>) -> Vec<Counted<K>> {
    days.entries().map(|(of, ends, day)| (of, ends, day.sum, day.open, day.until)).collect()
}

fn restore_days<K: Copy + Ord>(days: Vec<Counted<K>>) -> Days<K> {
    let days = days.into_iter();
    Days::from_entries(
        days.map(|(of, ends, sum, open, until)| (of, ends, Day { sum, open, until })),
    )
}

fn books(snapshot: &StateSnapshot) -> Option<Books> {
    let mut controls = [0; Control::ALL.len()];
    if snapshot.controls.len() != controls.len() {
        return None;
    }
    for (control, net) in controls.iter_mut().zip(&snapshot.controls) {
        *control = i128::from_le_bytes(**net);
    }
    let buckets = snapshot.buckets.iter().map(|(available, held, frozen, rows)| Buckets {
        available: Balance::new(*available),
        held: Balance::new(*held),
        frozen: Balance::new(*frozen),
        rows: *rows,
    });
    let commission = |(account, balance, rows): &(AccountId, i64, u32)| {
        (*account, Commission { balance: Balance::new(*balance), rows: *rows })
    };
    let coins = snapshot
        .coins
        .iter()
        .map(|(asset, account, units)| ((*asset, *account), i128::from_le_bytes(**units)));
    let commissions = snapshot.commissions.iter().map(commission);
    Some(Books::restore(&controls, buckets, snapshot.flights.iter().copied(), commissions, coins))
}
