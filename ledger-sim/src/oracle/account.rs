//! Accounts, their keys and what they set themselves, as the oracle sees them: contract 4.1 and 5;
//! Part A16; KEY-01 to KEY-20.

use std::collections::BTreeSet;

use ledger_core::id::{AccountId, KeyHash, OpId, SubaccountId, Token};
use ledger_core::ledger::account::Fact;
use ledger_core::ledger::{AccountSettings, Enrolment, Outcome, Owner, Refusal};
use ledger_core::money::Bps;
use ledger_core::terms::{Policy, Terms};
use ledger_core::time::Instant;

use super::{Oracle, next_midnight};
use crate::goal::Goal;
use crate::wallets::{is_same, is_wallet};

/// The most that a partner may add, in basis points (P:PartnerBpsRange).
const PARTNER_MOST: u16 = 1_000;

/// An API account as the oracle knows it.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    /// What operators call it; empty where nobody said.
    pub(crate) name: Box<str>,
    pub(crate) key: Option<KeyHash>,
    pub(crate) house: SubaccountId,
    /// When each was adopted, from when it counts, and what it says.
    pub(super) terms: Vec<(Instant, Instant, Terms)>,
    /// Its own wallet on Polygon.
    pub(crate) settlement: Option<Box<str>>,
    /// When it last withdrew commission.
    pub(super) withdrawn_at: Option<Instant>,
    /// Its charges and payouts in the order they were made.
    pub(super) charged: Vec<OpId>,
    pub(super) paid_out: Vec<OpId>,
    /// Its conversions of custody in the order they were made.
    pub(super) converted: Vec<OpId>,
    /// The statement of its commission.
    pub(crate) commission_rows: Vec<(OpId, ledger_core::accounting::RowKind, i64)>,
    /// Who asked for it, where it was asked for without a key.
    pub(crate) owner: Option<Owner>,
    pub(crate) webhook: Option<Token>,
    pub(crate) secret: Option<Token>,
    pub(crate) monitor: Option<Token>,
}

/// Every key that ever opened an account, and who was given how many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    ever: BTreeSet<KeyHash>,
    issued: Vec<(Token, Instant)>,
}

impl Oracle {
    /// Foresees what is reported of accounts, and of the policy.
    pub(super) fn account_fact(&mut self, fact: &Fact, at: Instant) -> Outcome {
        match fact {
            Fact::Opened { name, key, terms } => self.account_reported(name, *key, *terms),
            Fact::PolicyAdopted(Policy { wallet: Some(wallet), .. }) if !self.is_listed(wallet) => {
                Outcome::SetAside(None)
            }
            Fact::PolicyAdopted(policy) => {
                self.policy = policy.clone();
                Outcome::Applied(None)
            }
            Fact::TermsAdopted { account, from, terms } => match self.account_named(account) {
                Some(account) => {
                    let adopted = (at, from.unwrap_or(at), *terms);
                    self.accounts[account.0 as usize].terms.push(adopted);
                    Outcome::Applied(None)
                }
                None => Outcome::SetAside(None),
            },
            Fact::KeyReplaced { account, key, .. } => self.key_replaced(account, *key),
            Fact::KeyRevoked { account, .. } => self.key_revoked(account),
        }
    }

    /// A fact opens an account; one that opens it again is known, one that contradicts it is not.
    pub(super) fn account_reported(
        &mut self,
        name: &str,
        key: KeyHash,
        terms: Option<Terms>,
    ) -> Outcome {
        let by_name = self.account_named(name);
        let by_key = self.account_of_key(&key);
        if by_name.is_none() && !self.keys.ever.contains(&key) {
            self.open_account(name.into(), key, terms.unwrap_or_else(Terms::latest));
            return Outcome::Applied(None);
        }
        if by_name.is_some() && by_name == by_key {
            return Outcome::Known;
        }
        if by_key.is_none() && by_name.is_none() {
            self.reach(Goal::DeadKeyOpensNothing);
        }
        Outcome::SetAside(None)
    }

    /// An account begins, empty.
    pub(super) fn open_account(&mut self, name: Box<str>, key: KeyHash, terms: Terms) -> AccountId {
        let id = AccountId(u32::try_from(self.accounts.len()).expect("few accounts"));
        let house = self.open_subaccount(id, None);
        self.keys.ever.insert(key);
        self.accounts.push(Account {
            name,
            key: Some(key),
            house,
            terms: vec![(Instant::default(), Instant::default(), terms)],
            settlement: None,
            withdrawn_at: None,
            charged: Vec::new(),
            paid_out: Vec::new(),
            converted: Vec::new(),
            commission_rows: Vec::new(),
            owner: None,
            webhook: None,
            secret: None,
            monitor: None,
        });
        self.totals.commissions.push(0);
        self.trace.access = true;
        id
    }

    /// The account that a key opens now.
    pub(crate) fn account_of_key(&self, key: &KeyHash) -> Option<AccountId> {
        let place = self.accounts.iter().position(|account| account.key.as_ref() == Some(key));
        place.map(|place| AccountId(u32::try_from(place).expect("few accounts")))
    }

    /// Tells whether a key opens an account, or ever did.
    pub(super) fn was_given(&self, key: &KeyHash) -> bool {
        self.keys.ever.contains(key)
    }

    /// Tells whether an address may have one more key of its day, whatever it asks it by (rulings
    /// 71).
    pub(super) fn may_issue_key(&mut self, address: Token, at: Instant) -> Result<(), Refusal> {
        let until = next_midnight(at);
        let of_today = |(asked_from, given): &&(Token, Instant)| {
            *asked_from == address && next_midnight(*given) == until
        };
        let today = self.keys.issued.iter().filter(of_today).count();
        if self.ledger == "live" {
            // LIM-18: production keys of an address a day.
            if today >= 5 {
                return Err(Refusal::TooManyKeys { until, wait: until.since(at) });
            }
        } else if today >= usize::from(self.policy.test_keys.unwrap_or(20)) {
            self.reach(Goal::TestKeysTooMany);
            if until.since(at).micros() == 1 {
                self.reach(Goal::TestKeysAtLast);
            }
            return Err(Refusal::TooManyTestKeys { until, wait: until.since(at) });
        }
        Ok(())
    }

    pub(super) fn issue_key(&mut self, address: Token, at: Instant) {
        self.keys.issued.push((address, at));
    }

    /// Somebody without a key asks for one. This ledger is no live one, so its keys are test keys.
    pub(super) fn enrol(&mut self, asked: &Enrolment, at: Instant) -> Result<Outcome, Refusal> {
        if self.was_given(&asked.key) {
            self.reach(Goal::KeyUsedBefore);
            return Err(Refusal::SecretUsed);
        }
        self.may_issue_key(asked.address, at)?;
        let id = self.open_account("".into(), asked.key, Terms::latest());
        let account = &mut self.accounts[id.0 as usize];
        account.owner = Some(asked.owner.clone());
        account.monitor = Some(asked.monitor);
        self.issue_key(asked.address, at);
        self.trace.changed = true;
        self.reach(Goal::Enrolled);
        Ok(Outcome::Done)
    }

    /// The account's next key; the one before is dead (KEY-13, KEY-14).
    pub(super) fn rotate(&mut self, account: AccountId, key: KeyHash) -> Result<Outcome, Refusal> {
        if self.was_given(&key) {
            self.reach(Goal::KeyUsedBefore);
            return Err(Refusal::SecretUsed);
        }
        self.give_key(account, key);
        self.trace.changed = true;
        self.reach(Goal::KeyRotated);
        Ok(Outcome::Done)
    }

    fn give_key(&mut self, account: AccountId, key: KeyHash) {
        self.keys.ever.insert(key);
        self.accounts[account.0 as usize].key = Some(key);
        self.trace.access = true;
    }

    /// An operator gives an account another key.
    pub(super) fn key_replaced(&mut self, account: &str, key: KeyHash) -> Outcome {
        let Some(account) = self.account_named(account) else { return Outcome::SetAside(None) };
        let known = &self.accounts[account.0 as usize].key;
        if *known == Some(key) {
            return Outcome::Known;
        }
        if self.was_given(&key) {
            return Outcome::SetAside(None);
        }
        if known.is_none() {
            self.reach(Goal::KeyReplacedAfterRevocation);
        }
        self.give_key(account, key);
        Outcome::Applied(None)
    }

    /// An operator takes an account's key.
    pub(super) fn key_revoked(&mut self, account: &str) -> Outcome {
        let Some(account) = self.account_named(account) else { return Outcome::SetAside(None) };
        match self.accounts[account.0 as usize].key.take() {
            Some(_) => {
                self.trace.access = true;
                self.reach(Goal::KeyRevoked);
                Outcome::Applied(None)
            }
            None => Outcome::Known,
        }
    }

    /// Foresees what an account sets itself: all of it, or nothing.
    pub(super) fn settle_settings(
        &mut self,
        account: AccountId,
        asked: &AccountSettings,
        at: Instant,
    ) -> Result<Outcome, Refusal> {
        self.may_act(account)?;
        let mut after = self.accounts[account.0 as usize].clone();
        if let Some(address) = asked.settlement.as_deref() {
            if !is_wallet("polygon", address) {
                return Err(Refusal::AddressInvalid);
            }
            if !is_same(after.settlement.as_deref(), Some(address)) {
                after.settlement = Some(address.into());
            }
        }
        if let Some(url) = asked.webhook {
            after.webhook = Some(url);
        }
        let first = asked.webhook.is_some() && after.secret.is_none();
        if first || asked.rotate_secret.is_on() {
            after.secret = Some(self.fresh(asked.secret, after.secret)?);
            self.reach(if first { Goal::FirstWebhook } else { Goal::SecretRotated });
        }
        if asked.rotate_monitor.is_on() {
            after.monitor = Some(self.fresh(asked.monitor, after.monitor)?);
            self.reach(Goal::MonitorRotated);
        }
        let shares = [asked.purchase_partner, asked.sale_partner, asked.payout_partner];
        self.add_shares(&mut after, shares, at)?;
        let before = &self.accounts[account.0 as usize];
        let same = before.settlement == after.settlement
            && before.webhook == after.webhook
            && before.secret == after.secret
            && before.monitor == after.monitor
            && before.terms.len() == after.terms.len();
        self.accounts[account.0 as usize] = after;
        self.trace.changed = !same;
        self.trace.access = !same;
        Ok(Outcome::Done)
    }

    /// A secret that may be taken: one was brought, and it is not the one in force.
    fn fresh(&mut self, brought: Option<Token>, in_force: Option<Token>) -> Result<Token, Refusal> {
        match brought {
            None => {
                self.reach(Goal::SecretMissing);
                Err(Refusal::SecretMissing)
            }
            Some(_) if brought == in_force => {
                self.reach(Goal::SecretUsedBefore);
                Err(Refusal::SecretUsed)
            }
            Some(secret) => Ok(secret),
        }
    }

    /// The partner's shares, from now on and in what is agreed for later (COM-08). No house of this
    /// world takes so much that a share within the range would not fit.
    fn add_shares(
        &mut self,
        account: &mut Account,
        [purchase, sale, payout]: [Option<Bps>; 3],
        at: Instant,
    ) -> Result<(), Refusal> {
        let shares = [purchase, sale, payout];
        if shares.iter().flatten().any(|as_cents| as_cents.get() > PARTNER_MOST) {
            self.reach(Goal::PartnerTooMuch);
            return Err(Refusal::PartnerShare { most: PARTNER_MOST });
        }
        if shares.iter().all(Option::is_none) {
            return Ok(());
        }
        let now = in_force(&account.terms, at);
        let mut later: Vec<Instant> = account.terms.iter().map(|dated| dated.1).collect();
        later.retain(|from| at < *from);
        later.sort_unstable();
        later.dedup();
        let dates = std::iter::once((at, now));
        let dates = dates.chain(later.iter().map(|from| (*from, in_force(&account.terms, *from))));
        let mut changed = Vec::new();
        for (from, terms) in dates {
            let with = Terms {
                purchase_partner: purchase.unwrap_or(terms.purchase_partner),
                sale_partner: sale.or(terms.sale_partner),
                payout_partner: payout.unwrap_or(terms.payout_partner),
                ..terms
            };
            if with != terms {
                changed.push((at, from, with));
            }
        }
        if changed.iter().any(|(_, from, _)| at < *from) {
            self.reach(Goal::PartnerLater);
        }
        account.terms.extend(changed);
        Ok(())
    }
}

/// Of those that count by then the latest, and of two from one instant the one adopted last.
pub(super) fn in_force(terms: &[(Instant, Instant, Terms)], at: Instant) -> Terms {
    let dated = terms.iter().enumerate().filter(|(_, dated)| dated.1 <= at);
    let last = dated.max_by_key(|(place, dated)| (dated.1, *place));
    last.expect("the first terms count from the beginning").1.2
}
