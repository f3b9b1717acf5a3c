//! The part of the table that is the USDT wallet.

use ledger_core::id::{AssetId, ChainId, Kind};
use ledger_core::ledger::Event;
use ledger_core::machine::cash_out::{AmountBasis, KeyOwner, Payee, Pix};
use ledger_core::machine::wallet::{deposit, payment, quote, withdrawal};
use ledger_core::money::Cents;
use ledger_core::pix::KeyType;
use ledger_core::terms::{Deal, ServiceFees, Stablecoin, Switch, WalletNetwork, WalletSettings};
use ledger_core::time::Span;

use super::Ink;
use crate::samples::bps;

const USDT: AssetId = AssetId(11);
const CHAIN: ChainId = ChainId(12);

impl Ink {
    pub(super) fn wallet(&self) -> WalletSettings {
        let network = |coins| WalletNetwork {
            chain: CHAIN,
            name: self.text(),
            title: self.text(),
            coins,
            eta_minutes: self.maybe(3),
            withdrawals: self.switch(),
            network_fee: self.maybe(self.units()),
        };
        WalletSettings {
            usdt: USDT,
            usdc: self.maybe(AssetId(13)),
            networks: vec![
                network(vec![Stablecoin::Usdt]),
                network(vec![Stablecoin::Usdc, Stablecoin::Usdt]),
            ],
            enabled: self.switch(),
            payments: Switch::On,
            by_key: self.switch(),
            by_code: Switch::Off,
            withdrawals: self.switch(),
            document_required: self.switch(),
            least_deposit: self.units(),
            least_payment: self.amount,
            payment_fee: self.maybe(self.units()),
            deposit_hours: 1,
            open_deposits: u16::MAX,
            quote_validity: Span::seconds(self.id),
            tolerance: bps(50),
            conversion_fee: bps(10_000),
            strict_buffer: self.switch(),
        }
    }

    fn transfer_in(&self) -> deposit::Transfer {
        deposit::Transfer {
            asset: AssetId(14),
            chain: CHAIN,
            units: self.units(),
            mark: deposit::Mark { hash: self.text(), index: self.id },
            usdt: self.maybe(USDT),
        }
    }

    pub fn wallet_deposits(&self) -> Vec<deposit::Event> {
        use deposit::{Doubt, Event, Origin, Rejection};
        let (account, transfer, credited) = (self.account(), self.transfer_in(), self.units());
        let copy = || transfer.clone();
        let order = |origin| {
            Event::Requested(Box::new(deposit::Order {
                account,
                chain: CHAIN,
                network: self.text(),
                title: self.text(),
                accepted: self.maybe((Stablecoin::Usdc, USDT)).into_iter().collect(),
                address: self.text(),
                requested: self.units(),
                amount: self.units(),
                origin,
                created_at: self.at,
                expires_at: self.at,
            }))
        };
        let doubted = |doubt| Event::Doubted { account, transfer: copy(), doubt };
        let rejected = |rejection| Event::Rejected { transfer: copy(), rejection };
        vec![
            order(Origin::Request),
            order(Origin::Support),
            Event::Expired,
            Event::Seen { account, transfer: copy() },
            Event::Mismatched(copy()),
            Event::Found { transfer: copy(), about: self.maybe(self.op(Kind::WalletDeposit)) },
            Event::Credited { account, transfer: copy() },
            doubted(Doubt::Reorganisation),
            doubted(Doubt::Compliance),
            Event::Settled(copy()),
            Event::Cleared { account, transfer: copy(), credited },
            rejected(Rejection::Returned),
            rejected(Rejection::Vanished),
            Event::Reappeared(copy()),
            Event::Reversed { account, transfer: copy(), credited },
            Event::MinedAgain(copy()),
        ]
    }

    fn withdrawn(&self) -> withdrawal::Terms {
        withdrawal::Terms {
            account: self.account(),
            coin: if self.some { Stablecoin::Usdt } else { Stablecoin::Usdc },
            asset: AssetId(15),
            usdt: USDT,
            chain: CHAIN,
            network: self.text(),
            title: self.text(),
            address: self.text(),
            amount: self.units(),
            network_fee: self.maybe(self.units()),
            conversion_fee: self.maybe(self.units()),
            estimated: self.units(),
            minimum: self.units(),
        }
    }

    pub fn crypto_withdrawals(&self) -> Vec<withdrawal::Event> {
        use withdrawal::{Event, Order, Sent};
        let terms = || Box::new(self.withdrawn());
        let sent = || Sent {
            hash: self.text(),
            received: self.units(),
            network_fee: self.maybe(self.units()),
        };
        vec![
            Event::Requested(Box::new(Order {
                quote: self.op(Kind::Quote),
                terms: self.withdrawn(),
                external_id: self.text(),
                created_at: self.at,
            })),
            Event::Begun,
            Event::Funded(terms()),
            Event::Converted { terms: terms(), obtained: self.units() },
            Event::Questioned(self.maybe(sent())),
            Event::Resumed,
            Event::Completed { terms: terms(), flight: self.units(), sent: sent() },
            Event::Failed { terms: terms(), flight: self.maybe(self.units()) },
        ]
    }

    fn amount_basis(&self) -> AmountBasis {
        if self.some { AmountBasis::Code(self.token) } else { AmountBasis::Net(self.amount) }
    }

    pub fn wallet_payments(&self) -> Vec<payment::Event> {
        use payment::{Cost, Event, FailureReason, Order, Reserve, Resolution, Whereabouts};
        let payee = Payee {
            pix_key: self.maybe(self.token),
            merchant: self.maybe(self.token),
            tax_number: self.maybe(self.token),
            counted_as: self.token,
            key_type: self.maybe(KeyType::Phone),
            owner: self.maybe(KeyOwner::Unproven),
        };
        let order = Order {
            account: self.account(),
            usdt: USDT,
            chain: CHAIN,
            asked: self.amount_basis(),
            net: self.amount,
            payee,
            estimate: self.units(),
            fee: self.maybe(self.units()),
            reserved: self.units(),
            quote: self.maybe(self.op(Kind::Quote)),
            external_id: self.maybe(self.text()),
            created_at: self.at,
        };
        let reserve = Reserve {
            account: self.account(),
            usdt: USDT,
            chain: CHAIN,
            units: self.units(),
            fee: self.maybe(self.units()),
        };
        let fees = ServiceFees { house: self.as_cents, partner: Cents::ZERO };
        let deal = Deal { net: self.amount, fees, reserve: self.as_cents, residue: Cents::ZERO };
        let cost = Cost { units: self.units(), deal };
        let pix = || Pix {
            e2e: self.text(),
            paid_at: self.at,
            receipt_url: self.maybe(self.text()),
            receipt_pdf_url: self.maybe(self.text()),
            verify_url: self.maybe(self.text()),
        };
        let resolved = |resolution| Event::Resolved { reserve, cost, resolution };
        let places = [Whereabouts::Transit, Whereabouts::Treasury];
        let mut events = vec![
            Event::Requested(Box::new(order)),
            Event::Ordered { cashout: self.op(Kind::CashOut), cost },
            Event::Accepted,
            Event::Begun,
            Event::Sent {
                usdt: USDT,
                chain: CHAIN,
                units: self.units(),
                excess: self.maybe(self.units()),
                hash: self.text(),
            },
            Event::Confirmed,
            Event::Questioned,
            Event::Resumed,
            Event::Completed { reserve, cost, pix: pix() },
            resolved(Resolution::Returned(None)),
            resolved(Resolution::Paid(pix())),
        ];
        events.extend(places.map(|at| resolved(Resolution::Returned(Some(at)))));
        events.extend(places.map(|at| resolved(Resolution::Lost(at))));
        for bearer in [payment::Bearer::House, payment::Bearer::Client] {
            let units = self.units();
            events.push(Event::Recovered { usdt: USDT, chain: CHAIN, units, bearer });
        }
        for reason in [
            FailureReason::Cost,
            FailureReason::Provider,
            FailureReason::Key,
            FailureReason::Ceiling,
        ] {
            events.push(Event::Failed { reserve, reason });
            events.push(Event::FailedAfterSend(reason));
        }
        events
    }

    pub fn quotes(&self) -> Vec<quote::Event> {
        use quote::{Event, Offer, Order};
        let order = Order {
            account: self.account(),
            offer: Offer::Withdrawal(Box::new(self.withdrawn())),
            created_at: self.at,
            expires_at: self.at,
        };
        let offer = quote::PaymentOffer {
            asked: self.amount_basis(),
            net: self.amount,
            units: self.units(),
            fee: self.maybe(self.units()),
        };
        let estimate = Order { offer: Offer::Payment(Box::new(offer)), ..order.clone() };
        vec![
            Event::Issued(Box::new(estimate)),
            Event::Issued(Box::new(order)),
            Event::Used(self.op(Kind::CryptoWithdrawal)),
            Event::Lapsed,
        ]
    }

    pub(super) fn wallet_events(&self) -> Vec<Event> {
        let op = self.op(Kind::WalletDeposit);
        let deposits = self.wallet_deposits().into_iter();
        let mut events: Vec<_> = deposits.map(|event| Event::WalletDeposit { op, event }).collect();
        let op = self.op(Kind::CryptoWithdrawal);
        let withdrawals = self.crypto_withdrawals().into_iter();
        events.extend(withdrawals.map(|event| Event::CryptoWithdrawal { op, event }));
        let op = self.op(Kind::WalletPayment);
        let payments = self.wallet_payments().into_iter();
        events.extend(payments.map(|event| Event::WalletPayment { op, event }));
        let op = self.op(Kind::Quote);
        events.extend(self.quotes().into_iter().map(|event| Event::Quote { op, event }));
        events
    }
}
