//! Keys: what is decided of them, what may follow, and what replays.

use ledger_core::id::{KeyHash, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::agent::Fact as AgentFact;
use ledger_core::ledger::{
    AccountSettings, Corrupt, Enrolment, Event, Fact, Intent, Newcomer, Outcome, Owner, Public,
    Refusal, Registration, Request,
};
use ledger_core::money::Bps;
use ledger_core::terms::{Mandate, Terms};

use super::{Harness, SHOP, instant};
use crate::samples::{WALLET, at};

const HOME: Token = Token([9; 16]);

fn enrolment(key: u8) -> Intent {
    Intent::Enrolment(Box::new(Enrolment {
        owner: Owner { email: Some(Token([1; 16])), ..Owner::default() },
        key: KeyHash([key; 32]),
        monitor: Token([key; 16]),
        address: HOME,
    }))
}

fn settings(asked: AccountSettings) -> Intent {
    Intent::Request(SHOP, Request::Settings(Box::new(asked)))
}

fn rotation(key: u8) -> Intent {
    Intent::Request(SHOP, Request::RotateKey(KeyHash([key; 32])))
}

#[test]
fn an_enrolment_opens_an_account_of_its_own_name_with_no_money() {
    let mut harness = Harness::open(instant());
    harness.execute(enrolment(2)).unwrap();
    harness.execute(enrolment(3)).unwrap();
    let state = &harness.ledger.state;
    let names: Vec<_> = state.accounts().map(|(_, known)| known.name.clone()).collect();
    assert!(names[1].starts_with("ac_") && names[1] != names[2], "{names:?}");
    for key in [2, 3] {
        let account = state.account_of_key(&KeyHash([key; 32])).unwrap();
        let known = state.account(account).unwrap();
        assert_eq!(known.credentials.monitor, Some(Token([key; 16])));
        assert_eq!(state.books.subaccount(known.house).total().cents(), 0, "KEY-19");
        assert_eq!(state.account_named(&known.name), Some(account));
    }
    assert_eq!(harness.execute(enrolment(2)), Err(Refusal::SecretUsed));
}

#[test]
fn a_name_that_a_fact_gave_away_before_is_not_taken_twice() {
    let mut harness = Harness::open(instant());
    harness.execute(enrolment(2)).unwrap();
    harness.execute(enrolment(3)).unwrap();
    let third = harness.ledger.state.accounts().nth(2).unwrap().1.name.clone();
    // A fact gives away the very name that the next enrolment would derive.
    let mut twin = Harness::open(instant());
    twin.fact(Fact::Account(AccountFact::Opened {
        name: third.clone(),
        key: KeyHash([8; 32]),
        terms: None,
    }));
    twin.execute(enrolment(2)).unwrap();
    let other = twin.ledger.state.accounts().nth(2).unwrap().1.name.clone();
    assert_eq!(*other, format!("{third}_"));
}

#[test]
fn what_cannot_have_happened_to_a_key_does_not_apply() {
    let mut harness = Harness::open(instant());
    harness.execute(rotation(2)).unwrap();
    let nobody = ledger_core::id::AccountId(7);
    let token = Token([5; 16]);
    let enrolled =
        |account| Event::Enrolled { account, owner: Box::default(), monitor: token, address: HOME };
    let broken = [
        Event::KeyReplaced { account: SHOP, key: KeyHash([1; 32]) },
        Event::KeyReplaced { account: SHOP, key: KeyHash([2; 32]) },
        Event::KeyReplaced { account: nobody, key: KeyHash([3; 32]) },
        Event::KeyRevoked { account: nobody },
        Event::WebhookSet { account: nobody, url: token },
        Event::WebhookSecretReplaced { account: nobody, secret: token },
        Event::MonitorReplaced { account: nobody, monitor: token },
        enrolled(nobody),
    ];
    for event in broken {
        let answer = harness.replayed(event.clone());
        assert!(matches!(answer, Err(Corrupt::Follows { index: 0, .. })), "{event:?}: {answer:?}");
    }
    assert_eq!(
        harness.replayed(Event::KeyReplaced { account: SHOP, key: KeyHash([3; 32]) }),
        Ok(())
    );
    assert_eq!(harness.replayed(enrolled(SHOP)), Ok(()));
    harness.execute(enrolment(4)).unwrap();
    assert!(harness.replayed(enrolled(ledger_core::id::AccountId(1))).is_err(), "asked for once");
    let decided_by = super::counter::decided_by();
    let revoked = Fact::Account(AccountFact::KeyRevoked { account: "shop".into(), decided_by });
    harness.fact(revoked);
    assert!(harness.replayed(Event::KeyRevoked { account: SHOP }).is_err(), "it has no key");
}

#[test]
fn a_dead_key_neither_registers_an_agent_nor_lets_one_in() {
    let mut harness = Harness::open(instant());
    harness.execute(enrolment(2)).unwrap();
    let old = harness.ledger.state.account_of_key(&KeyHash([2; 32])).unwrap();
    harness.execute(Intent::Request(old, Request::RotateKey(KeyHash([3; 32])))).unwrap();
    let (key, name, contact) = (KeyHash([2; 32]), Token([4; 16]), Token([5; 16]));
    let capabilities: Vec<Box<str>> = vec!["usdt_to_pix".into()];
    let capable = capabilities.clone();
    let asked =
        Registration { key, name, contact, capabilities: capable, referral: None, address: None };
    let registers = Intent::Public(Public::Register(Box::new(asked)));
    assert_eq!(harness.execute(registers), Err(Refusal::KeyTaken));
    let newcomer = Newcomer {
        id: "ag-1".into(),
        key,
        name,
        contact,
        capabilities,
        referral: None,
        address: None,
        settlement: WALLET.into(),
        mandate: Mandate::default(),
    };
    let outcome = harness.fact(Fact::Agent(AgentFact::Activated(Box::new(newcomer))));
    assert_eq!(outcome, Outcome::SetAside(None));
    assert_eq!(harness.ledger.state.members().count(), 0);
}

#[test]
fn a_partners_share_does_not_revive_terms_that_others_replaced() {
    let mut harness = Harness::open(instant());
    let later = at("2026-12-01T03:00:00Z");
    let from = Some(later);
    let as_cents = Bps::new(70);
    let payout_partner = as_cents.unwrap();
    let agreed = |payout_house: u16, payout_partner| {
        let payout_house = Bps::new(payout_house).unwrap();
        Terms { payout_house, payout_partner, ..instant() }
    };
    let account: Box<str> = harness.ledger.state.account(SHOP).unwrap().name.clone();
    for terms in [agreed(900, Bps::default()), agreed(150, payout_partner)] {
        harness.fact(Fact::Account(AccountFact::TermsAdopted {
            account: account.clone(),
            from,
            terms,
        }));
    }
    let asked = || settings(AccountSettings { payout_partner: as_cents, ..Default::default() });
    harness.execute(asked()).unwrap();
    let then = harness.ledger.state.terms(SHOP, later);
    assert_eq!(then, agreed(150, payout_partner));
    let before = harness.ledger.state.seq;
    harness.execute(asked()).unwrap();
    assert_eq!(harness.ledger.state.seq, before, "what is set already leaves no record");
}
