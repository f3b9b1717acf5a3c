//! The part of the table that deals in crypto.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId, ChainLink, Kind};
use ledger_core::ledger::{AttemptOutcome, EarlyReport, Event, OwnCoins, PayoutReport, TaskKind};
use ledger_core::machine::{charge, conversion, delivery, erroneous_delivery, purchase};
use ledger_core::money::Cents;
use ledger_core::terms::{Listing, Market, Price, Quote, Rail, Review, Route, ServiceFees};

use super::Ink;

impl Ink {
    pub(super) fn units(&self) -> Units {
        Units::new(u128::try_from(self.amount.cents()).unwrap() * u128::from(self.id).max(1))
            .unwrap()
    }

    pub(super) fn quote(&self) -> Quote {
        let text = format!("{}.{:03}", self.id, 1 + self.seq % 999);
        Quote { price: Price::parse(&text).unwrap(), source: self.text(), at: self.at }
    }

    fn delivery_terms(&self) -> delivery::DeliveryTerms {
        delivery::DeliveryTerms {
            asset: AssetId(u16::MAX),
            chain: ChainId(3),
            cost: self.amount,
            units: self.units(),
            network_fee: self.maybe(self.units()),
        }
    }

    pub(super) fn service(&self) -> ServiceFees {
        ServiceFees { house: self.as_cents, partner: Cents::ZERO }
    }

    pub(super) fn purchase(&self) -> purchase::Terms {
        purchase::Terms {
            fees: self.service(),
            delivery_terms: self.delivery_terms(),
            scale: Scale::new(18).unwrap(),
            quote: self.quote(),
            usdt: self.maybe(self.units()),
            memo: self.maybe(self.text()),
            customer: self.maybe(self.text()),
            default_address: self.switch(),
        }
    }

    pub fn deliveries(&self) -> Vec<delivery::Event> {
        use delivery::{Earned, Event};
        let earned = Earned { account: self.account(), fees: self.service() };
        vec![
            Event::Begun(self.delivery_terms()),
            Event::BegunAgain { attempt: self.id },
            Event::Accepted,
            Event::Failed,
            Event::Unknown,
            Event::Sent {
                delivery_terms: self.delivery_terms(),
                earned,
                hash: self.text(),
                attempt: None,
            },
        ]
    }

    pub fn purchases(&self) -> Vec<purchase::Event> {
        use purchase::{Event, Remainder};
        let (subaccount, amount) = (self.subaccount(), self.amount);
        let payment = charge::PixPayment { e2e: self.text(), amount, paid_at: self.at };
        let undone = self.maybe(self.delivery_terms());
        let mut events = vec![
            Event::Paid { payment, from_suspense: self.switch() },
            Event::Cleared,
            Event::ReturnedUndelivered { amount, undone },
            Event::ReturnedDelivered {
                house: subaccount,
                account: self.account(),
                amount,
                reversed: self.service(),
            },
            Event::ReturnedCredited { subaccount, amount },
            Event::Halted { undone },
            Event::Resumed(purchase::Rest {
                gross: amount,
                fees: self.service(),
                delivery_terms: self.delivery_terms(),
                usdt: self.maybe(self.units()),
                after: self.id,
            }),
        ];
        let to = [Remainder::Payer(self.text()), Remainder::Custody(subaccount)];
        events.extend(to.map(|to| Event::GivenUp { to, amount, undone }));
        events.extend(self.deliveries().into_iter().map(Event::Delivery));
        events
    }

    pub fn conversions(&self) -> Vec<conversion::Event> {
        use conversion::{Event, FundingSource, Order};
        let mut events = Vec::new();
        for source in [FundingSource::Custody(self.subaccount()), FundingSource::Commission] {
            let order = Order {
                account: self.account(),
                source,
                amount: self.amount,
                fees: self.service(),
                delivery_terms: self.delivery_terms(),
                scale: Scale::SIX,
                quote: self.quote(),
                usdt: self.maybe(self.units()),
                target: self.target(),
                memo: self.maybe(self.text()),
                tax_number: self.maybe(self.token),
                external_id: self.maybe(self.text()),
                created_at: self.at,
            };
            events.push(Event::Requested(Box::new(order)));
            let deliveries = self.deliveries().into_iter();
            events.extend(deliveries.map(|event| Event::Delivery { source, event }));
            events.push(Event::Refunded {
                account: self.account(),
                source,
                amount: self.amount,
                fees: self.service(),
                undone: self.maybe(self.delivery_terms()),
            });
        }
        events
    }

    pub fn erroneous_deliveries(&self) -> Vec<erroneous_delivery::Event> {
        use erroneous_delivery::{End, Event};
        let order = erroneous_delivery::Order {
            asset: AssetId(7),
            chain: ChainId(u16::MAX),
            units: self.units(),
            about: self.op(Kind::Conversion),
            hash: self.text(),
            again: self.maybe(2),
        };
        let settled = |end| Event::Settled { order: order.clone(), end };
        vec![Event::Claimed(order.clone()), settled(End::Recovered), settled(End::Lost)]
    }

    pub(super) fn target(&self) -> charge::Delivery {
        charge::Delivery {
            asset: self.text(),
            chain: self.text(),
            address: self.maybe(self.text()),
        }
    }

    fn listings(&self) -> Vec<Listing> {
        let listing = |rail| Listing {
            asset: AssetId(1),
            chain: ChainId(2),
            asset_name: self.text(),
            chain_name: self.text(),
            scale: Scale::new(0).unwrap(),
            rail,
            least: self.units(),
            network_fee: self.maybe(self.units()),
            deliverable: self.switch(),
            memo: self.switch(),
            eta: self.text(),
            eta_seconds: self.id,
        };
        [Rail::Instant, Rail::Convert, Rail::Liquid].map(listing).into()
    }

    fn markets(&self) -> Vec<Market> {
        let market = |route| Market {
            asset: AssetId(7),
            chain: ChainId(9),
            asset_name: self.text(),
            chain_name: self.text(),
            scale: Scale::SIX,
            route,
            least: self.maybe(self.units()),
            most: self.maybe(self.units()),
            offered: self.switch(),
            valid_minutes: 300,
            confirmations: 12,
            eta_minutes: 4,
        };
        [Route::Fast, Route::Dex, Route::Convert, Route::Liquid].map(market).into()
    }

    /// Returns what stands until the next of its kind.
    pub(super) fn progress(&self) -> Vec<Event> {
        let mut events = vec![
            Event::CatalogueUpdated {
                listed: self.listings(),
                dropped: vec![(self.text(), self.text())],
            },
            Event::CatalogueUpdated { listed: Vec::new(), dropped: Vec::new() },
            Event::RateQuoted { asset: self.text(), quote: self.quote() },
            Event::MarketsUpdated {
                opened: self.markets(),
                closed: vec![(self.text(), self.text())],
            },
            Event::SettlementAddressSet { account: self.account(), address: self.text() },
            Event::ReportKept {
                op: self.op(Kind::Charge),
                report: EarlyReport::Delivery {
                    attempt: self.id,
                    outcome: AttemptOutcome::Accepted,
                },
            },
            Event::ReportKept {
                op: self.op(Kind::Payout),
                report: EarlyReport::Payout(PayoutReport::Unknown),
            },
        ];
        let kinds = [
            TaskKind::SendPix,
            TaskKind::Deliver,
            TaskKind::Sell,
            TaskKind::PaySale,
            TaskKind::Refund,
            TaskKind::Withdraw,
            TaskKind::Pay,
        ];
        let (op, attempt) = (self.op(Kind::CashOut), self.id);
        events.extend(kinds.map(|kind| Event::HandedOut { op, kind, attempt }));
        events.push(Event::LossAccepted { link: ChainLink([7; 32]), accepted_at: self.at });
        events.push(Event::MetadataAttached { op, metadata: self.token });
        let reviews = [Review::Unknown, Review::Identified, Review::Blocked];
        events.extend(reviews.map(|review| Event::PayerReviewed { payer: self.token, review }));
        let own = [
            OwnCoins::Funding,
            OwnCoins::Treasury(ChainId(9)),
            OwnCoins::Gas,
            OwnCoins::ProviderClaim,
            OwnCoins::Fx,
            OwnCoins::Loss,
        ];
        let (asset, from, units) = (AssetId(4), OwnCoins::Funding, self.units());
        events.extend(own.map(|to| Event::CoinsMoved { asset, from, to, units }));
        events
    }
}
