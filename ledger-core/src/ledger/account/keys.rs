//! Keys: accounts asked for without one, keys replaced and revoked, and what an account sets
//! itself.

use crate::id::{AccountId, Environment, KeyHash, Seq, SubaccountId, Token};
use crate::ledger::command::{AccountSettings, Enrolment};
use crate::ledger::decision::fact_context::{FactContext, accept, already_known};
use crate::ledger::decision::refusal::Refusal;
use crate::ledger::decision::{Decision, Outcome};
use crate::ledger::record::account::{Owner, ReplacedSecret};
use crate::ledger::record::event::Event;
use crate::ledger::record::set_aside_reason::SetAsideReason as Reason;
use crate::ledger::state::State;
use crate::ledger::state::api_account::ApiAccount;
use crate::money::Bps;
use crate::network::address::{self, may_be_wallet};
use crate::terms::{Route, ServiceRates, Terms};
use crate::time::Instant;

/// How many production keys one address gets a day of Brasília (LIM-18).
const PRODUCTION_KEYS: u16 = 5;

/// The most a partner may add, in basis points (P:PartnerBpsRange).
pub const MOST_PARTNER_BPS: u16 = 1_000;

/// Somebody without a key asks for an account of his own, which begins empty (KEY-19).
pub(in crate::ledger) fn enrol(
    state: &State,
    asked: Enrolment,
    at: Instant,
) -> Result<Decision, Refusal> {
    if state.knows_key(&asked.key) {
        return Err(Refusal::SecretUsed);
    }
    state.may_issue_key(asked.address, at)?;
    let account = state.next_account();
    let mut events = state.open_account(derived_name(state), asked.key, None, at);
    let Enrolment { owner, monitor, address, .. } = asked;
    events.push(Event::Enrolled { account, owner: Box::new(owner), monitor, address });
    Ok(Decision { events, outcome: Outcome::Done })
}

/// Why one more production key is refused to an address that was given `issued` on the day of `at`,
/// whatever the routes (rulings 71).
///
/// # Errors
///
/// [`Refusal::TooManyKeys`] from the fifth on.
pub fn may_issue_production(issued: u16, at: Instant) -> Result<(), Refusal> {
    let until = at.next_day_in_brasilia();
    let wait = until.since(at);
    if issued < PRODUCTION_KEYS { Ok(()) } else { Err(Refusal::TooManyKeys { until, wait }) }
}

/// Returns what facts call an account that nobody named: derived from ledger and record (rulings
/// 9).
fn derived_name(state: &State) -> Box<str> {
    let seq = state.seq.next();
    let mut hasher = blake3::Hasher::new_derive_key("custody-ledger account name v1");
    hasher.update(&seq.0.to_le_bytes());
    hasher.update(state.name.as_bytes());
    let tag = crate::id::first_eight(hasher.finalize().as_bytes());
    let Seq(number) = seq;
    let mut name = format!("ac_{number:012x}{tag:016x}");
    while state.account_named(&name).is_some() {
        // Only a fact can have given this very name to another account before.
        name.push('_');
    }
    name.into()
}

/// A key is replaced by another of the same account (KEY-13, KEY-14).
pub(in crate::ledger) fn rotate(
    state: &State,
    account: AccountId,
    key: KeyHash,
) -> Result<Decision, Refusal> {
    if state.knows_key(&key) {
        return Err(Refusal::SecretUsed);
    }
    let events = vec![Event::KeyReplaced { account, key }];
    Ok(Decision { events, outcome: Outcome::Done })
}

/// Sets what an account sets itself: all of it in one decision, and nothing where it is so
/// already.
pub(in crate::ledger) fn set(
    state: &State,
    account: AccountId,
    asked: AccountSettings,
    at: Instant,
) -> Result<Decision, Refusal> {
    let known = state.account(account).expect("a key opens an account that exists");
    let mut events = Vec::new();
    if let Some(address) = asked.settlement {
        if !may_be_wallet("polygon", &address) {
            return Err(Refusal::AddressInvalid);
        }
        if !address::is_same("polygon", known.settlement.as_deref(), Some(&*address)) {
            events.push(Event::SettlementAddressSet { account, address });
        }
    }
    let credentials = known.credentials;
    if let Some(url) = asked.webhook.filter(|url| credentials.webhook != Some(*url)) {
        events.push(Event::WebhookSet { account, url });
    }
    // What is reported is signed: the first address comes with a secret.
    let first = asked.webhook.is_some() && credentials.secret.is_none();
    if first || asked.rotate_secret.is_on() {
        let secret = fresh(asked.secret, credentials.secret)?;
        events.push(Event::WebhookSecretReplaced { account, secret });
    }
    if asked.rotate_monitor.is_on() {
        let monitor = fresh(asked.monitor, credentials.monitor)?;
        events.push(Event::MonitorReplaced { account, monitor });
    }
    let shares = [asked.purchase_partner, asked.sale_partner, asked.payout_partner];
    events.extend(partner(known, account, shares, at)?);
    Ok(Decision { events, outcome: Outcome::Done })
}

/// A secret that is none of those in force.
fn fresh(offered: Option<Token>, in_force: Option<Token>) -> Result<Token, Refusal> {
    let offered = offered.ok_or(Refusal::SecretMissing)?;
    if in_force == Some(offered) { Err(Refusal::SecretUsed) } else { Ok(offered) }
}

/// The partner's shares from now on, in the terms of today and in those agreed for later days; what
/// exists keeps its own (COM-08, KEY-09).
fn partner(
    known: &ApiAccount,
    account: AccountId,
    shares: [Option<Bps>; 3],
    at: Instant,
) -> Result<Vec<Event>, Refusal> {
    if shares.iter().all(Option::is_none) {
        return Ok(Vec::new());
    }
    if shares.iter().flatten().any(|as_cents| MOST_PARTNER_BPS < as_cents.get()) {
        return Err(Refusal::PartnerShare { most: MOST_PARTNER_BPS });
    }
    // Of what was agreed twice for one day, only what was agreed last is in force then.
    let later =
        known.schedule.dated_terms().iter().map(|(from, _)| *from).filter(|from| at < *from);
    let mut begins: Vec<Instant> = std::iter::once(at).chain(later).collect();
    begins.dedup();
    let mut events = Vec::new();
    for from in begins {
        let before = known.schedule.at(from);
        let terms = Terms {
            purchase_partner: shares[0].unwrap_or(before.purchase_partner),
            sale_partner: shares[1].or(before.sale_partner),
            payout_partner: shares[2].unwrap_or(before.payout_partner),
            ..*before
        };
        let countable = terms.payout_house.plus(terms.payout_partner).is_some()
            && terms.purchase.bps.plus(terms.purchase_partner).is_some()
            && [Route::Fast, Route::Liquid]
                .map(|route| terms.sale_rates(route))
                .iter()
                .all(|rates| rates.house.bps.plus(rates.partner).is_some())
            && terms.conversion_rates().and_then(ServiceRates::total_bps).is_some();
        if !countable {
            return Err(Refusal::PartnerShare { most: MOST_PARTNER_BPS });
        }
        if terms != *before {
            events.push(Event::TermsAdopted { account, from, terms: Box::new(terms) });
        }
    }
    Ok(events)
}

impl FactContext<'_> {
    /// An operator gives an account another key: the one it had was lost, or revoked. Whose the key
    /// is comes before whose name it is, as where an account is opened.
    pub(in crate::ledger) fn key_replaced(&self, account: &str, key: KeyHash) -> Decision {
        let account = self.state.account_named(account);
        if self.state.knows_key(&key) {
            let known_to = self.state.account_of_key(&key);
            let same = known_to.is_some() && known_to == account;
            return if same { already_known() } else { self.aside(Reason::IdTaken) };
        }
        match account {
            None => self.aside(Reason::Unmatched),
            // The key it has is carried with it.
            Some(account) if self.state.is_on_its_way(account) => self.aside(Reason::OutOfTurn),
            Some(account) => accept(vec![Event::KeyReplaced { account, key }]),
        }
    }

    /// An operator takes an account's key: nothing opens it until it gets another.
    pub(in crate::ledger) fn key_revoked(&self, account: &str) -> Decision {
        let Some(account) = self.state.account_named(account) else {
            return self.aside(Reason::Unmatched);
        };
        match self.state.account(account).and_then(|known| known.key) {
            Some(_) if self.state.is_on_its_way(account) => self.aside(Reason::OutOfTurn),
            Some(_) => accept(vec![Event::KeyRevoked { account }]),
            None => already_known(),
        }
    }
}

impl State {
    /// Tells whether this is a ledger of real money, whose keys begin with `svc_live_` (KEY-15).
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.name.environment() == Environment::Live
    }

    /// Tells whether this is a ledger of test keys, whose providers are scripted (contract, 3.3 and
    /// 4.8).
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.name.is_scripted()
    }

    /// Tells whether a key opens an account, or ever did: a dead key never opens another one.
    #[must_use]
    pub fn knows_key(&self, key: &KeyHash) -> bool {
        self.keys.contains_key(key) || self.retired.contains(key)
    }

    /// How many keys an address was given on the day of `at`.
    #[must_use]
    pub fn keys_issued(&self, address: Token, at: Instant) -> u16 {
        if at < self.issued_until { self.issued.get(&address).copied().unwrap_or(0) } else { 0 }
    }

    /// Refuses one more key of this ledger's environment to an address that has its day's.
    pub(in crate::ledger) fn may_issue_key(
        &self,
        address: Token,
        at: Instant,
    ) -> Result<(), Refusal> {
        let issued = self.keys_issued(address, at);
        if self.is_live() {
            return may_issue_production(issued, at);
        }
        let until = at.next_day_in_brasilia();
        let wait = until.since(at);
        let refused = Refusal::TooManyTestKeys { until, wait };
        if issued < self.policy.test_keys() { Ok(()) } else { Err(refused) }
    }

    /// Counts a key that an address was given at `at`.
    pub(in crate::ledger) fn count_key(&mut self, address: Token, at: Instant) {
        if self.issued_until <= at {
            self.issued_until = at.next_day_in_brasilia();
            self.issued.clear();
        }
        let issued = self.issued.get(&address).copied().unwrap_or(0);
        self.issued.insert(address, issued.saturating_add(1));
    }

    pub(in crate::ledger) fn next_account(&self) -> AccountId {
        let accounts = u32::try_from(self.accounts.len());
        AccountId(accounts.expect("fewer than four billion accounts"))
    }

    pub(in crate::ledger) fn next_subaccount(&self) -> SubaccountId {
        let house = u32::try_from(self.books.subaccount_count());
        SubaccountId(house.expect("fewer than four billion subaccounts"))
    }

    /// What an event of keys changes.
    pub(in crate::ledger) fn access(
        &mut self,
        at: Instant,
        event: &Event,
    ) -> Result<(), &'static str> {
        let unknown = "a key is of an account that exists";
        match event {
            Event::Enrolled { account, owner, monitor, address } => {
                let known = self.known_mut(*account).ok_or(unknown)?;
                let first = known.owner.replace(Owner::clone(owner)).is_none();
                known.credentials.monitor = Some(*monitor);
                self.count_key(*address, at);
                first.then_some(()).ok_or("an account is asked for once")
            }
            Event::KeyReplaced { account, key } => {
                let fresh = !self.knows_key(key);
                let old = self.known_mut(*account).ok_or(unknown)?.key.replace(*key);
                self.retire(old);
                self.keys.insert(*key, *account);
                fresh.then_some(()).ok_or("a key opens one account for ever")
            }
            Event::KeyRevoked { account } => {
                let old = self.known_mut(*account).ok_or(unknown)?.key.take();
                self.retire(old);
                old.is_some().then_some(()).ok_or("only a key in force is revoked")
            }
            Event::WebhookSet { account, url } => {
                self.known_mut(*account).ok_or(unknown)?.credentials.webhook = Some(*url);
                Ok(())
            }
            Event::WebhookSecretReplaced { account, secret } => {
                let known = self.known_mut(*account).ok_or(unknown)?;
                let old = known.credentials.secret.replace(*secret);
                known.replaced_secret = old.map(|secret| ReplacedSecret { secret, at });
                Ok(())
            }
            Event::MonitorReplaced { account, monitor } => {
                self.known_mut(*account).ok_or(unknown)?.credentials.monitor = Some(*monitor);
                Ok(())
            }
            _ => unreachable!("only events of keys are taken here"),
        }
    }

    fn known_mut(&mut self, account: AccountId) -> Option<&mut ApiAccount> {
        self.accounts.get_mut(account.0 as usize).map(std::sync::Arc::make_mut)
    }

    fn retire(&mut self, key: Option<KeyHash>) {
        if let Some(key) = key {
            self.keys.remove(&key);
            self.retired.insert(key);
        }
    }
}
