//! Agents through the ledger: their accounts, their mandates, who referred whom, and what that
//! earns; INV-24, AGT-16 to AGT-23.

use ledger_core::accounting::{Account, Control};
use ledger_core::id::{AccountId, AgentId, KeyHash, OpId, Token};
use ledger_core::ledger::account::Fact as AccountFact;
use ledger_core::ledger::agent::Fact as AgentFact;
use ledger_core::ledger::charge::Fact as ChargeFact;
use ledger_core::ledger::payout::Fact as PayoutFact;
use ledger_core::ledger::{
    AccountSettings, AgentRequest, ChargeRequest, Event, Fact, FundingRequest, Intent, Newcomer,
    Outcome, Ownership, PayoutRequest, Public, Refusal, Registration, Request, invariants,
    on_volume,
};
use ledger_core::machine::agent::Stage;
use ledger_core::machine::charge::PixPayment;
use ledger_core::machine::delivery::DeliveryReport;
use ledger_core::terms::Mandate;
use proptest::prelude::*;

use super::counter::{conversion, decided_by, partnered, purchase};
use super::{Harness, created, instant};
use crate::legs::line;
use crate::samples::{SOMEBODY, WALLET, amount, as_cents};

const BIA: Token = Token([8; 16]);

fn newcomer(number: u8, referral: Option<&str>, mandate: Mandate) -> Fact {
    Fact::Agent(AgentFact::Activated(Box::new(Newcomer {
        id: format!("ag-{number}").into(),
        key: KeyHash([100 + number; 32]),
        name: SOMEBODY,
        contact: SOMEBODY,
        capabilities: vec!["brl_to_pix".into()],
        referral: referral.map(Into::into),
        address: None,
        settlement: WALLET.into(),
        mandate,
    })))
}

impl Harness {
    /// An agent in production, free to spend R$ 10,000,000.00 at once: its account.
    pub fn come(&mut self, number: u8, referral: Option<&str>, mandate: Mandate) -> AccountId {
        assert_eq!(self.fact(newcomer(number, referral, mandate)), Outcome::Applied(None));
        let name: Box<str> = format!("ag-{number}").into();
        let terms = ledger_core::terms::Terms { charge_most: amount(1_000_000_000), ..partnered() };
        let (account, from) = (name.clone(), None);
        self.fact(Fact::Account(AccountFact::TermsAdopted { account, from, terms }));
        let account = self.ledger.state.account_named(&name).unwrap();
        let charge = self.issue(account, purchase(None, 1_000_000_000));
        assert_eq!(self.receive(charge, 1_000_000_000), Outcome::Applied(None));
        account
    }

    /// A charge of the account, into its house balance.
    pub fn issue(&mut self, account: AccountId, request: ChargeRequest) -> OpId {
        let destination = ledger_core::ledger::Destination::Custody;
        let request = Request::Charge(ChargeRequest { destination, ..request });
        created(self.execute(Intent::Request(account, request)).unwrap())
    }

    pub fn send(&mut self, account: AccountId, cents: i64, to: Token) -> Result<Outcome, Refusal> {
        let request = PayoutRequest::new(amount(cents), to, to, Ownership::Proven);
        self.execute(Intent::Request(account, Request::Payout(request)))
    }

    pub fn settle(&mut self, account: AccountId, cents: i64) {
        let payout = created(self.send(account, cents, SOMEBODY).unwrap());
        self.reported += 1;
        let e2e = format!("P{}", self.reported).into();
        let paid = Fact::Payout(PayoutFact::Paid { payout: Some(payout), e2e, amount: None });
        assert_eq!(self.fact(paid), Outcome::Applied(None));
    }

    pub fn refer(&mut self, account: AccountId, capability: &str) -> Result<Box<str>, Refusal> {
        let asked = Request::Agent(AgentRequest::Refer { capability: capability.into() });
        self.execute(Intent::Request(account, asked))?;
        let agent = self.ledger.state.agent_of(account).unwrap();
        let mut given = self.ledger.state.member(agent).unwrap().referrals.iter();
        Ok(given.find(|(known, _)| **known == *capability).unwrap().1.clone())
    }

    fn reward(&self, agent: u32) -> i64 {
        let reward = self.ledger.state.reward(AgentId(agent));
        let account = Account::Reward(AgentId(agent));
        assert_eq!(self.ledger.state.books.flight(account), reward);
        reward
    }
}

fn register(key: u8, name: Token) -> Intent {
    Intent::Public(Public::Register(Box::new(Registration {
        key: KeyHash([key; 32]),
        name,
        contact: SOMEBODY,
        capabilities: vec!["brl_to_pix".into()],
        referral: None,
        address: None,
    })))
}

#[test]
fn every_event_and_its_legs() {
    let agent = AgentId(4);
    let referral = Event::ReferralGiven { agent, referral: "rf_1".into(), capability: "x".into() };
    let accrued = Event::RewardAccrued { agent, reward: amount(7) };
    let table = [line("ReferralGiven", &referral.entry()), line("RewardAccrued", &accrued.entry())];
    assert_eq!(
        table.concat(),
        "\
ReferralGiven: nothing
RewardAccrued
  Dr exp.reward 7 / Cr reward[4] 7
"
    );
}

#[test]
fn the_key_is_the_credential_so_the_same_one_names_the_same_agent() {
    let mut harness = Harness::open(instant());
    let first = harness.execute(register(9, SOMEBODY));
    assert_eq!(first, Ok(Outcome::Registered(AgentId(0))));
    let records = harness.records.len();
    assert_eq!(harness.execute(register(9, SOMEBODY)), first, "a repeat answers the original");
    assert_eq!(harness.execute(register(9, BIA)), Err(Refusal::KeyTaken));
    assert_eq!(
        harness.execute(register(1, SOMEBODY)),
        Err(Refusal::KeyTaken),
        "the shop's own key"
    );
    assert_eq!(harness.records.len(), records, "nothing was recorded");
    assert_eq!(harness.execute(register(10, SOMEBODY)), Ok(Outcome::Registered(AgentId(1))));
    let ids: Vec<_> = harness.ledger.state.members().map(|(_, member)| member).collect();
    let id = |place: usize| ids[place].state.agent().unwrap().profile.id.clone();
    assert!(id(0).starts_with("ag_") && id(0).len() == 31 && id(0) != id(1), "{} {}", id(0), id(1));
}

#[test]
fn agt_07_the_first_operation_makes_an_agent_active_in_the_sandbox() {
    let mut harness = Harness::open(instant());
    harness.execute(register(9, SOMEBODY)).unwrap();
    let account = harness.ledger.state.account_of_key(&KeyHash([9; 32])).unwrap();
    let stage = |harness: &Harness| harness.ledger.state.member(AgentId(0)).unwrap().state.stage();
    assert!(harness.send(account, 100, SOMEBODY).is_err());
    assert_eq!(stage(&harness), Some(Stage::Registered), "what is refused is no use");
    harness.issue(account, purchase(None, 5_000));
    assert_eq!(stage(&harness), Some(Stage::SandboxActive));
    harness.issue(account, purchase(None, 5_000));
    let used =
        Event::Agent { agent: AgentId(0), event: ledger_core::machine::agent::Event::SandboxUsed };
    let emitted = harness.records.iter().flat_map(|record| &record.events).filter(|e| **e == used);
    assert_eq!(emitted.count(), 1);
}

fn settling(wallet: &str) -> Request {
    let settlement = Some(wallet.into());
    Request::Settings(Box::new(AccountSettings { settlement, ..AccountSettings::default() }))
}

#[test]
fn an_agent_that_is_stopped_finishes_what_is_open_and_begins_nothing() {
    let mut harness = Harness::open(instant());
    let account = harness.come(1, None, Mandate::default());
    let open = created(harness.send(account, 1_000, SOMEBODY).unwrap());
    let stop =
        || Fact::Agent(AgentFact::Suspended { agent: "ag-1".into(), decided_by: decided_by() });
    let go =
        || Fact::Agent(AgentFact::Reinstated { agent: "ag-1".into(), decided_by: decided_by() });
    assert_eq!(harness.fact(go()), Outcome::Known, "it was never stopped");
    assert_eq!(harness.fact(stop()), Outcome::Applied(None));
    assert_eq!(harness.fact(stop()), Outcome::Known);
    assert_eq!(harness.send(account, 1_000, SOMEBODY), Err(Refusal::AgentSuspended));
    for asked in [
        Request::Charge(purchase(None, 5_000)),
        Request::Conversion(conversion(None, 5_000)),
        settling(WALLET),
        Request::Agent(AgentRequest::Mandate(Box::default())),
        Request::Agent(AgentRequest::Validate),
        Request::Agent(AgentRequest::Refer { capability: "x".into() }),
    ] {
        let answer = harness.execute(Intent::Request(account, asked));
        assert_eq!(answer, Err(Refusal::AgentSuspended));
    }
    let paid =
        Fact::Payout(PayoutFact::Paid { payout: Some(open), e2e: "P-open".into(), amount: None });
    assert_eq!(harness.fact(paid), Outcome::Applied(None));
    assert_eq!(harness.fact(go()), Outcome::Applied(None));
    assert!(harness.send(account, 1_000, SOMEBODY).is_ok());
    let nobody =
        Fact::Agent(AgentFact::Suspended { agent: "ag-9".into(), decided_by: decided_by() });
    assert_eq!(harness.fact(nobody), Outcome::SetAside(None));
}

#[test]
fn an_agent_is_admitted_once_and_never_under_a_key_that_is_somebody_elses() {
    let mut harness = Harness::open(instant());
    harness.come(1, None, Mandate::default());
    assert_eq!(harness.fact(newcomer(1, None, Mandate::default())), Outcome::Known);
    let Fact::Agent(AgentFact::Activated(other)) = newcomer(2, None, Mandate::default()) else {
        unreachable!()
    };
    let taken = Newcomer { key: KeyHash([101; 32]), ..*other };
    assert_eq!(
        harness.fact(Fact::Agent(AgentFact::Activated(Box::new(taken)))),
        Outcome::SetAside(None)
    );
    assert_eq!(harness.ledger.state.members().count(), 1);
}

#[test]
fn agt_19_a_referral_is_given_once_for_each_capability_and_names_its_giver() {
    let mut harness = Harness::open(instant());
    let first = harness.come(1, Some("rf-nobody"), Mandate::default());
    let code = harness.refer(first, "usdt_to_pix").unwrap();
    assert_eq!(harness.refer(first, "usdt_to_pix").unwrap(), code);
    assert_ne!(harness.refer(first, "brl_to_pix").unwrap(), code);
    let second = harness.come(2, Some(&code), Mandate::default());
    let state = &harness.ledger.state;
    let agent = |account| state.member(state.agent_of(account).unwrap()).unwrap();
    assert_eq!(agent(first).state.agent().unwrap().referrer, None, "nobody gave that referral");
    assert_eq!(agent(second).state.agent().unwrap().referrer, Some(AgentId(0)));
    assert_eq!(agent(first).referred, [AgentId(1)]);
    harness.execute(register(9, SOMEBODY)).unwrap();
    let untried = harness.ledger.state.account_of_key(&KeyHash([9; 32])).unwrap();
    assert_eq!(harness.refer(untried, "x"), Err(Refusal::NotInProduction));
    assert_eq!(harness.refer(super::SHOP, "x"), Err(Refusal::AgentUnknown));
}

#[test]
fn agt_21_only_whoever_referred_an_agent_directly_earns_by_it() {
    let mut harness = Harness::open(instant());
    let first = harness.come(1, None, Mandate::default());
    let code = harness.refer(first, "x").unwrap();
    let second = harness.come(2, Some(&code), Mandate::default());
    let code = harness.refer(second, "x").unwrap();
    let third = harness.come(3, Some(&code), Mandate::default());
    assert_eq!([harness.reward(0), harness.reward(1)], [0, 0], "AGT-20: nothing for registration");
    harness.settle(third, 1_000_000);
    assert_eq!([harness.reward(0), harness.reward(1), harness.reward(2)], [0, 1_000, 0]);
    harness.settle(second, 2_000_000);
    assert_eq!([harness.reward(0), harness.reward(1), harness.reward(2)], [2_000, 1_000, 0]);
    harness.settle(first, 3_000_000);
    assert_eq!([harness.reward(0), harness.reward(1), harness.reward(2)], [2_000, 1_000, 0]);
    let books = &harness.ledger.state.books;
    assert_eq!(books.balance(Control::Reward), 3_000);
    assert_eq!(books.balance(Control::RewardExpense), 3_000);
}

#[test]
fn a_purchase_counts_what_was_charged_and_a_deposit_nothing() {
    let mut harness = Harness::trading(instant());
    let first = harness.come(1, None, Mandate::default());
    let code = harness.refer(first, "x").unwrap();
    let second = harness.come(2, Some(&code), Mandate::default());
    let volume = |harness: &Harness| harness.ledger.state.member(AgentId(1)).unwrap().volume;
    assert_eq!(volume(&harness), 0, "its deposit is not settled volume");
    let request = Request::Charge(purchase(None, 100_000));
    let charge = created(harness.execute(Intent::Request(second, request)).unwrap());
    let payment =
        PixPayment { e2e: "E-buys".into(), amount: amount(100_000), paid_at: harness.now };
    harness.fact(Fact::Charge(ChargeFact::PixReceived { charge: Some(charge), payment }));
    assert_eq!(volume(&harness), 0);
    harness.deliver(charge, DeliveryReport::Confirm("0xaa".into()));
    assert_eq!((volume(&harness), harness.reward(0)), (100_000, 100));
    let mut asked = conversion(Some("ana"), 50_000);
    asked.source = FundingRequest::Custody {
        customer: None,
        tax_number: SOMEBODY,
        ownership: Ownership::Proven,
    };
    let converted =
        created(harness.execute(Intent::Request(second, Request::Conversion(asked))).unwrap());
    harness.deliver(converted, DeliveryReport::Confirm("0xbb".into()));
    assert_eq!((volume(&harness), harness.reward(0)), (150_000, 150));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// INV-24: whoever settles what in whatever order, a reward is the floor of the sum.
    #[test]
    fn inv_24_the_reward_is_the_floor_of_a_thousandth_of_all_volume(
        settled in proptest::collection::vec((0..3_usize, 1..40_000_i64), 1..25),
    ) {
        let mut harness = Harness::open(instant());
        let first = harness.come(1, None, Mandate::default());
        let second = harness.come(2, None, Mandate::default());
        let codes = [harness.refer(first, "x").unwrap(), harness.refer(second, "x").unwrap()];
        let referred = [
            harness.come(3, Some(&codes[0]), Mandate::default()),
            harness.come(4, Some(&codes[0]), Mandate::default()),
            harness.come(5, Some(&codes[1]), Mandate::default()),
        ];
        let mut volumes = [0_i128; 3];
        for (who, cents) in settled {
            harness.settle(referred[who], cents);
            volumes[who] += i128::from(cents);
            let floor = |centavos: i128| (10 * centavos).div_euclid(10_000);
            prop_assert_eq!(i128::from(harness.reward(0)), floor(volumes[0] + volumes[1]));
            prop_assert_eq!(i128::from(harness.reward(1)), floor(volumes[2]));
            prop_assert_eq!(on_volume(volumes[2]), floor(volumes[2]));
        }
        let ledger = &harness.ledger;
        invariants::check_all(&ledger.state, &ledger.archive).unwrap();
    }

    /// AGT-18: what is refused is exactly what would pass the day's ceiling.
    #[test]
    fn a_day_never_sends_more_than_its_ceiling_and_refuses_nothing_that_fits(
        tried in proptest::collection::vec((1..400_i64, any::<bool>()), 1..30),
    ) {
        let mut harness = Harness::open(instant());
        let mandate = Mandate::new(Some(as_cents(300)), Some(as_cents(1_000)), vec![SOMEBODY]);
        let account = harness.come(1, None, mandate);
        let mut used = 0;
        for (cents, fails) in tried {
            match harness.send(account, cents, SOMEBODY) {
                Ok(outcome) => {
                    used += cents;
                    prop_assert!(cents <= 300 && used <= 1_000);
                    if fails {
                        let payout = Some(created(outcome));
                        harness.fact(Fact::Payout(PayoutFact::Refused { payout }));
                        used -= cents;
                    }
                }
                Err(refusal) => {
                    let (most, until) = if 300 < cents {
                        (300, None)
                    } else {
                        prop_assert!(1_000 < used + cents);
                        (1_000 - used, Some(harness.now.next_day_in_brasilia()))
                    };
                    prop_assert_eq!(refusal, Refusal::MandateExceeded { most: as_cents(most), until });
                }
            }
            prop_assert_eq!(harness.send(account, 1, BIA).is_err(), true);
        }
    }
}
