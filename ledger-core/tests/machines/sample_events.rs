//! A table of every event, written with any ink: amounts, instants, names and ids.

mod closings;
mod mesh;
mod products;
mod recoveries;
mod sold;
mod trade;
mod wallets;

use ledger_core::accounting::Account;
use ledger_core::contract::FACTS;
use ledger_core::id::{AccountId, KeyHash, Kind, OpId, SubaccountId, Token};
use ledger_core::ledger::{
    Carried, Credentials, Event, Income, NetworkPage, OperatorDecision, OwnAccount, Owner,
    PixDetails, Residence,
};
use ledger_core::machine::{charge, hold, payout, suspense, transfer};
use ledger_core::money::{Amount, Cents};
use ledger_core::terms::{
    Ladder, PayoutFees, Policy, Rate, Release, SaleLimits, Switch, Tariff, Terms,
};
use ledger_core::time::{Instant, Span};
use proptest::prelude::*;

use crate::samples::{bps, op};

/// What the events of one table are made of.
#[derive(Clone, Debug)]
pub struct Ink {
    pub id: u32,
    pub seq: u64,
    pub amount: Amount,
    pub as_cents: Cents,
    pub at: Instant,
    pub token: Token,
    pub text: String,
    pub some: bool,
}

impl Ink {
    pub fn maybe<T>(&self, value: T) -> Option<T> {
        self.some.then_some(value)
    }

    fn switch(&self) -> Switch {
        if self.some { Switch::On } else { Switch::Off }
    }

    pub fn text(&self) -> Box<str> {
        self.text.as_str().into()
    }

    fn op(&self, kind: Kind) -> OpId {
        op(kind, self.seq)
    }

    fn subaccount(&self) -> SubaccountId {
        SubaccountId(self.id)
    }

    fn account(&self) -> AccountId {
        AccountId(self.id)
    }

    fn rate(&self) -> Rate {
        Rate { bps: bps(u16::try_from(self.id % 10_001).unwrap()), fixed: self.as_cents }
    }

    fn fees(&self) -> PayoutFees {
        PayoutFees { house: self.as_cents, partner: Cents::ZERO, tariff: self.as_cents }
    }

    fn decided_by(&self) -> OperatorDecision {
        let token = self.token;
        OperatorDecision { actor: token, reason: token, evidence: self.maybe(token) }
    }

    fn terms(&self) -> Terms {
        Terms {
            custody: self.switch(),
            deposit: self.rate(),
            payout_tariff: if self.some { Tariff::Fixed(self.as_cents) } else { Tariff::Unknown },
            retention_above: self.maybe(self.amount),
            release: if self.some { Release::Immediate } else { Release::NextDay },
            purchase: self.rate(),
            purchase_partner: self.rate().bps,
            liquid: self.as_cents,
            charged_daily: self.maybe(self.amount),
            paid_out_daily: self.maybe(self.amount),
            sale: self.maybe(self.rate()),
            sale_partner: self.maybe(self.rate().bps),
            liquid_sale: self.maybe(self.rate()),
            sale_reserve: self.maybe(self.as_cents),
            wallet: self.maybe(self.switch()),
            ..Terms::latest()
        }
    }

    fn policy(&self) -> Policy {
        Policy {
            least_net: self.as_cents,
            shortfall_watch: Span::seconds(self.id),
            house_covers_negatives: self.switch(),
            ladder: self.maybe(Ladder { held: self.amount, hours: 25, ..Ladder::default() }),
            rate_age: self.maybe(Span::seconds(self.id)),
            precaution: self.maybe(Span::seconds(self.id)),
            commission_interval: self.maybe(Span::seconds(self.id)),
            interval_before_reference: self.switch(),
            cash_in_paused: self.switch(),
            conversions_paused: self.switch(),
            sales: self.maybe(SaleLimits {
                least: self.amount,
                paused: self.switch(),
                ..SaleLimits::default()
            }),
            wallet: self.maybe(Box::new(self.wallet())),
            unknown_pix_is_answered: self.maybe(self.switch()),
            test_keys: self.maybe(u16::MAX),
            panel_links: self.maybe(0),
            key_lookups: self.maybe(7),
            unproven_keys_refused: self.maybe(self.switch()),
            ..Policy::default()
        }
    }

    fn charge_order(&self) -> charge::Order {
        charge::Order {
            account: self.account(),
            subaccount: self.subaccount(),
            amount: self.amount,
            fee: self.rate(),
            retention_hours: self.maybe(24),
            release: Release::NextDay,
            waiting_hours: 24,
            created_at: self.at,
            expires_at: self.at,
            payer: self.token,
            payer_name: self.maybe(self.token),
            allow_hold: self.switch(),
            delivery: self.target(),
            qr: charge::Qr { copypaste: self.text(), image_url: self.maybe(self.text()) },
            external_id: self.maybe(self.text()),
            purchase: self.maybe(Box::new(self.purchase())),
        }
    }

    pub fn charges(&self) -> Vec<charge::Event> {
        use charge::{Event, Into, Origin};
        let (subaccount, amount, as_cents) = (self.subaccount(), self.amount, self.as_cents);
        let payment = charge::PixPayment { e2e: self.text(), amount, paid_at: self.at };
        let mut events = vec![
            Event::Requested(Box::new(self.charge_order())),
            Event::Expired,
            Event::Failed,
            Event::Delayed { payment: payment.clone(), until: self.at },
            Event::Matured { subaccount, amount: as_cents },
            Event::PartRestored { subaccount, amount },
            Event::UnderReview { payment: payment.clone() },
            Event::Withheld { until: self.at },
            Event::ReturnedUncredited { amount },
            Event::Returned { subaccount, amount, fee: as_cents },
            Event::ReturnedTraced { subaccount, amount },
        ];
        events.extend([Origin::Provider, Origin::Flight, Origin::Suspense].map(|origin| {
            let credit = charge::Credit {
                subaccount,
                origin,
                gross: amount,
                fee: as_cents,
                available_at: self.maybe(self.at),
                waiting_until: self.maybe(self.at),
                booked_at: self.at,
            };
            Event::Credited { payment: payment.clone(), credit }
        }));
        events.extend(self.purchases().into_iter().map(Event::Purchase));
        let taken = |into| Event::PartTaken { subaccount, amount, into };
        events.extend([Into::Available, Into::Frozen].map(taken));
        events
    }

    pub fn payouts(&self) -> Vec<payout::Event> {
        use payout::Event;
        let (account, subaccount, amount) = (self.account(), self.subaccount(), self.amount);
        let fees = self.fees();
        let key = self.token;
        let order = payout::Order {
            external_id: self.maybe(self.text()),
            return_refunds_fee: self.switch(),
            proven: self.maybe(Switch::On),
            ..payout::Order::new(account, subaccount, amount, fees, key, key, self.at)
        };
        vec![
            Event::Requested(Box::new(order)),
            Event::Submitted,
            Event::Uncertain,
            Event::Stopped,
            Event::Cleared,
            Event::Completed { account, amount, fees, e2e: self.text() },
            Event::Failed { subaccount, amount, fees },
            Event::Returned { subaccount, account, amount, fees },
        ]
    }

    pub fn holds(&self) -> Vec<hold::Event> {
        use hold::{End, Event, Kind::*};
        let (subaccount, amount, as_cents) = (self.subaccount(), self.amount, self.as_cents);
        let mut events = vec![
            Event::ToppedUp { subaccount, amount },
            Event::Lapsed,
            Event::Taken { subaccount, amount },
            Event::Returned { subaccount, amount },
        ];
        let to = [Account::Available(subaccount), Account::ProductIncome(self.product_account())];
        let note = self.maybe(self.token);
        events.extend(to.map(|to| Event::Captured { subaccount, amount, to, note }));
        let released =
            |end| Event::Released { subaccount, to_held: as_cents, to_available: as_cents, end };
        events.extend([End::No, End::Yes].map(released));
        let kinds = [Maturity, Dispute, Precautionary, Judicial, Administrative, Reservation];
        events.extend(kinds.map(|kind| Event::Placed {
            order: hold::Order {
                subaccount,
                kind,
                cause: self.maybe(self.op(Kind::Charge)),
                requested: amount,
                watch_until: self.at,
                ends_at: self.maybe(self.at),
                note: self.maybe(self.token),
                label: self.maybe(self.text()),
            },
            from_held: as_cents,
            from_available: as_cents,
        }));
        events
    }

    pub fn suspenses(&self) -> Vec<suspense::Event> {
        use suspense::{Direction, Event, Float};
        let mut events = vec![Event::Attached(self.op(Kind::Charge))];
        for direction in [Direction::In, Direction::Out] {
            for float in [Float::Collection, Float::Payout, Float::Court] {
                let order = suspense::Order {
                    amount: self.amount,
                    direction,
                    float,
                    about: self.maybe(self.op(Kind::Payout)),
                    outside: self.text(),
                    paid_at: self.at,
                    recovery: self.maybe(self.text()),
                };
                let subaccount = self.subaccount();
                events.push(Event::Ordered { order: order.clone(), subaccount });
                let by = self.op(Kind::CashOut);
                events.push(Event::TakenOver { order: order.clone(), by });
                let return_id = self.text();
                events.push(Event::SentBack { order: order.clone(), return_id });
                events.extend([Event::Received(order.clone()), Event::Returned(order)]);
            }
        }
        events
    }

    fn transfer(&self) -> transfer::Event {
        transfer::Event::Done(transfer::Order {
            account: self.account(),
            from: self.subaccount(),
            to: SubaccountId(0),
            amount: self.amount,
            external_id: self.maybe(self.text()),
            note: self.maybe(self.token),
        })
    }

    fn group(&self) -> transfer::Event {
        let (from, to, amount) = (self.subaccount(), SubaccountId(0), self.amount);
        transfer::Event::Grouped(transfer::Group {
            account: self.account(),
            legs: vec![
                transfer::Leg { from, to, amount },
                transfer::Leg { from: to, to: from, amount },
            ],
            external_id: self.maybe(self.text()),
            note: self.maybe(self.token),
        })
    }

    fn access(&self) -> Vec<Event> {
        let (account, token) = (self.account(), self.token);
        let owner = Owner {
            name: self.maybe(token),
            email: self.maybe(token),
            responsible: self.maybe(token),
            document: self.maybe(token),
            country: self.maybe(self.text()),
        };
        let enrolled =
            Event::Enrolled { account, owner: Box::new(owner), monitor: token, address: token };
        vec![
            enrolled,
            Event::KeyReplaced { account, key: KeyHash([token.0[1]; 32]) },
            Event::KeyRevoked { account },
            Event::WebhookSet { account, url: token },
            Event::WebhookSecretReplaced { account, secret: token },
            Event::MonitorReplaced { account, monitor: token },
            Event::PixDescribed(Box::new(PixDetails {
                recipient: self.maybe(token),
                document: self.maybe(token),
                institution: self.maybe(self.text()),
                settled_by: self.maybe(self.text()),
                receipt_url: self.maybe(self.text()),
                payer: self.maybe(token),
            })),
            Event::NetworkPages(vec![NetworkPage { chain: self.text(), template: self.text() }]),
            Event::AccountCarried {
                account,
                ledger: self.text(),
                carried: Box::new(Carried {
                    key: KeyHash([self.token.0[0]; 32]),
                    terms: vec![(self.at, self.terms())],
                    settlement: self.maybe(self.text()),
                    commission_withdrawn_at: self.maybe(self.at),
                    owner: None,
                    credentials: Credentials::default(),
                    replaced_secret: None,
                    day: (self.at, self.at),
                    charged: self.as_cents,
                    paid_out: self.as_cents,
                    opening_closed: self.maybe(true),
                }),
            },
        ]
    }

    pub fn events(&self) -> Vec<Event> {
        let (account, subaccount, amount) = (self.account(), self.subaccount(), self.amount);
        let mut events = vec![
            Event::LedgerOpened { name: self.text(), policy: Box::new(self.policy()) },
            Event::PolicyAdopted(Box::new(self.policy())),
            Event::AccountOpened {
                account,
                name: self.text(),
                key: KeyHash([self.token.0[0]; 32]),
                house: subaccount,
                terms: Box::new(self.terms()),
            },
            Event::TermsAdopted { account, from: self.at, terms: Box::new(self.terms()) },
            Event::SubaccountOpened { subaccount, account, customer: self.text() },
            Event::Transfer { op: self.op(Kind::Transfer), event: self.transfer() },
            Event::Transfer { op: self.op(Kind::Transfer), event: self.group() },
            Event::BalanceWrittenOff { op: self.op(Kind::Adjustment), subaccount, amount },
            Event::Judged(self.decided_by()),
            Event::TimePassed,
        ];
        let op = self.op(Kind::Adjustment);
        let (given, charged) = (self.as_cents, Cents::ZERO);
        events.extend(
            [Income::Deposit, Income::Payout, Income::Purchase, Income::Conversion]
                .map(|income| Event::FeeAdjusted { op, subaccount, given, charged, income }),
        );
        events.extend(
            [
                Residence::Here,
                Residence::Leaving(self.text()),
                Residence::Carrying(self.text()),
                Residence::Departed(self.text()),
                Residence::Arriving(self.text()),
            ]
            .map(|residence| Event::ResidenceChanged { account, residence }),
        );
        events.push(Event::BalanceCarried {
            op,
            subaccount,
            commission_of: self.maybe(account),
            given,
            taken: charged,
            deposited: self.some,
            waiting_until: self.maybe(self.at),
        });
        let own =
            ["equity.funding", "prov.pix", "prov.pay", "recv.prov", "tariff.due", "fx", "cells"];
        events.extend(own.map(|name| Event::TreasuryMoved {
            from: OwnAccount::Funding,
            to: OwnAccount::parse(name).unwrap(),
            amount,
        }));
        events.extend(self.products());
        events.extend(self.closings());
        events.extend(self.recoveries());
        let about = self.maybe(self.op(Kind::Payout));
        let kinds = || FACTS.iter().map(|shape| shape.kind);
        events.extend(kinds().map(|fact| Event::SetAside { fact, about, reason: None }));
        events.extend(kinds().map(|fact| Event::Repeated { fact, about }));
        let op = self.op(Kind::Charge);
        events.extend(self.charges().into_iter().map(|event| Event::Charge { op, event }));
        let op = self.op(Kind::Payout);
        events.extend(self.payouts().into_iter().map(|event| Event::Payout { op, event }));
        let op = self.op(Kind::Hold);
        events.extend(self.holds().into_iter().map(|event| Event::Hold { op, event }));
        let op = self.op(Kind::Suspense);
        events.extend(self.suspenses().into_iter().map(|event| Event::Suspense { op, event }));
        let op = self.op(Kind::CommissionWithdrawal);
        events.extend(self.conversions().into_iter().map(|event| Event::Conversion { op, event }));
        let op = self.op(Kind::ErroneousDelivery);
        events.extend(
            self.erroneous_deliveries()
                .into_iter()
                .map(|event| Event::ErroneousDelivery { op, event }),
        );
        let op = self.op(Kind::CashOut);
        events.extend(self.cash_outs().into_iter().map(|event| Event::CashOut { op, event }));
        let op = self.op(Kind::UnmatchedDeposit);
        events.extend(
            self.unmatched().into_iter().map(|event| Event::UnmatchedDeposit { op, event }),
        );
        events.extend(self.wallet_events());
        events.extend(self.progress());
        events.extend(self.mesh());
        events.extend(self.access());
        events
    }
}

pub fn inks() -> impl Strategy<Value = Ink> {
    let money = (1..=i64::MAX, 0..=i64::MAX / 4);
    let names = (any::<u32>(), 0..1_u64 << 48, any::<[u8; 16]>(), "\\PC{0,12}", any::<bool>());
    (money, 0..253_402_300_799_999_999_i64, names).prop_map(|(money, micros, names)| {
        let (id, seq, token, text, some) = names;
        Ink {
            id,
            seq,
            amount: Amount::new(money.0).unwrap(),
            as_cents: Cents::new(money.1).unwrap(),
            at: Instant::from_micros(micros).unwrap(),
            token: Token(token),
            text,
            some,
        }
    })
}
