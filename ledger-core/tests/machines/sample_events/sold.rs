//! The part of the table that sells crypto for PIX.

use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, ChainId, Kind};
use ledger_core::machine::cash_out::{
    AmountBasis, Deposit, DepositAccount, Event, Funding, KeyOwner, Order, Payee, Pix, Proceeds,
    RefundSource, ReviewReason, Sale,
};
use ledger_core::machine::refund::Coins;
use ledger_core::machine::unmatched_deposit;
use ledger_core::pix::KeyType;
use ledger_core::terms::{Deal, FeeBase, Route, SaleRates};
use ledger_core::time::Span;

use super::Ink;

impl Ink {
    fn coins(&self) -> Coins {
        Coins { asset: AssetId(u16::MAX), chain: ChainId(5), units: self.units() }
    }

    fn deal(&self) -> Deal {
        let (fees, as_cents) = (self.service(), self.as_cents);
        Deal { net: self.amount, fees, reserve: as_cents, residue: as_cents }
    }

    fn sale(&self) -> Sale {
        Sale { coins: self.coins(), deal: self.deal() }
    }

    fn payee(&self) -> Payee {
        Payee {
            pix_key: self.maybe(self.token),
            merchant: self.maybe(self.token),
            tax_number: self.maybe(self.token),
            counted_as: self.token,
            key_type: self.maybe(KeyType::Email),
            owner: self.maybe(KeyOwner::Proven(self.token)),
        }
    }

    fn cash_out_order(&self, asked: AmountBasis, route: Route, funding: Funding) -> Order {
        Order {
            account: self.account(),
            route,
            coins: self.coins(),
            asset_name: self.text(),
            chain_name: self.text(),
            scale: Scale::SIX,
            asked,
            deal: self.deal(),
            rates: SaleRates {
                house: self.rate(),
                partner: self.rate().bps,
                reserve: self.as_cents,
                base: self.maybe(FeeBase::Gross),
            },
            quote: self.quote(),
            reserve_usdt: self.maybe(self.units()),
            range: (self.amount, self.amount),
            refund_alone: self.maybe(self.units()),
            payee: self.payee(),
            refund_address: self.maybe(self.text()),
            funding,
            external_id: self.maybe(self.text()),
            created_at: self.at,
            expires_at: self.at,
            revival: Span::days(7),
            retries: (Span::seconds(self.id), Span::hours(1)),
            confirmations: 64,
        }
    }

    fn deposit(&self) -> Deposit {
        let (hash, from) = (self.text(), self.maybe(self.text()));
        Deposit { coins: self.coins(), hash, from, seen_at: self.at, confirmations: self.maybe(3) }
    }

    #[allow(clippy::too_many_lines)] // The table of an order's events, one entry each.
    pub fn cash_outs(&self) -> Vec<Event> {
        let (coins, sale, at) = (self.coins(), self.sale(), self.at);
        let quoted = |asked, route, funding| {
            Event::Quoted(Box::new(self.cash_out_order(asked, route, funding)))
        };
        let wallet = Funding::Wallet(self.op(Kind::WalletPayment));
        let mut events = vec![
            quoted(AmountBasis::Units(self.units()), Route::Fast, Funding::Seller),
            quoted(AmountBasis::Net(self.amount), Route::Dex, wallet),
            quoted(AmountBasis::Code(self.token), Route::Convert, Funding::Seller),
            Event::Accepted { address: self.text(), tag: self.maybe(self.text()) },
            Event::Expired,
            Event::Failed,
            Event::DepositConfirmed { hash: self.text(), coins },
            Event::Cleared {
                coins: self.maybe(coins),
                repriced: self.maybe(self.quote()),
                scale: self.maybe(Scale::SIX),
            },
            Event::Split { unmatched: self.op(Kind::UnmatchedDeposit), coins },
            Event::Delayed,
            Event::Resumed,
            Event::Secured { sale, counted: self.maybe(self.amount) },
            Event::SellingBegun(coins),
            Event::SaleFailed(coins),
            Event::Forwarding,
            Event::SendFailed { first: at, retry_at: at },
            Event::RetryDue,
            Event::PaymentLost,
            Event::KeyRefused(self.amount),
            Event::PaymentResumed {
                kept: self.as_cents,
                pix_key: self.maybe(self.token),
                key_type: self.maybe(KeyType::Cpf),
                counted_as: self.maybe(self.token),
                owner: self.maybe(KeyOwner::Unproven),
            },
            Event::HandedOver(coins),
            Event::PaymentUnwound(sale),
            Event::RefundAddressed(self.text()),
            Event::RefundAllowed,
            Event::RefundFailed,
            Event::RefundLost,
            Event::TokenKept(sale),
            Event::TokenRecovered(coins),
            Event::DepositConfirming { hash: self.text(), confirmations: 6 },
            Event::OddParted {
                unmatched: self.op(Kind::UnmatchedDeposit),
                hash: self.text(),
                coins,
            },
            Event::ReviewEnded,
        ];
        for booked_in in [DepositAccount::Order, DepositAccount::Suspense, DepositAccount::Wallet] {
            let (repriced, counted) = (self.maybe(self.quote()), self.maybe(self.amount));
            let (deposit, sighting) = (self.deposit(), self.maybe(2));
            events.push(Event::DepositSeen { deposit, booked_in, repriced, counted, sighting });
            events.push(Event::DepositVanished { hash: self.text(), coins, booked_in });
            events.push(Event::PaymentBegun { sale, booked_in, counted });
            events.push(Event::Completed {
                account: self.account(),
                sale,
                booked_in,
                handed: self.maybe(coins),
                pix: Pix {
                    e2e: self.text(),
                    paid_at: at,
                    receipt_url: self.maybe(self.text()),
                    receipt_pdf_url: self.maybe(self.text()),
                    verify_url: self.maybe(self.text()),
                },
            });
        }
        events.extend(
            [
                ReviewReason::Strange,
                ReviewReason::Short,
                ReviewReason::TooMuch,
                ReviewReason::Unpriced,
                ReviewReason::KeyRefused,
                ReviewReason::Stopped,
                ReviewReason::SaleLost,
                ReviewReason::ReturnAwaited,
                ReviewReason::RecipientDay,
                ReviewReason::RecipientOrder,
                ReviewReason::MandateOperation,
                ReviewReason::MandateDay,
                ReviewReason::MandateRecipient,
            ]
            .map(Event::ReviewOpened),
        );
        for proceeds in [Proceeds::Coins(coins), Proceeds::Reais(self.amount)] {
            events.push(Event::SaleFilled { coins, proceeds, forwards: self.switch() });
            events.push(Event::Forwarded { proceeds, arrived: self.amount });
        }
        let sources = [
            RefundSource::Deposit,
            RefundSource::Suspense,
            RefundSource::Sale { back: self.amount, kept: self.as_cents },
            RefundSource::Reversal(self.amount),
            RefundSource::Returned { short: self.maybe(self.units()) },
        ];
        events.extend(sources.map(|source| Event::RefundDecided {
            coins,
            source,
            to: self.maybe(self.text()),
            allowed: self.switch(),
        }));
        let earned = self.maybe((self.account(), self.deal()));
        events.push(Event::RefundSent { coins, hash: self.text(), earned });
        events.push(Event::RefundForgone { coins, earned });
        events
    }

    pub fn unmatched(&self) -> Vec<unmatched_deposit::Event> {
        use unmatched_deposit::Event;
        let order = Box::new(unmatched_deposit::Order {
            deposit: self.deposit(),
            about: self.maybe(self.op(Kind::CashOut)),
            account: self.maybe(self.account()),
            to: self.maybe(self.text()),
            refund_alone: self.maybe(self.units()),
            sighting: self.maybe(2),
        });
        let coins = self.coins();
        vec![
            Event::Received(order.clone()),
            Event::SplitOff(order.clone()),
            Event::Parted { order, confirmed: self.switch() },
            Event::Confirmed(coins),
            Event::Vanished(coins),
            Event::RefundDecided { coins, to: self.maybe(self.text()), allowed: self.switch() },
            Event::RefundAllowed { to: self.text() },
            Event::RefundSent { coins, hash: self.text() },
            Event::RefundFailed,
            Event::RefundLost,
            Event::Forgone { coins, due: self.switch() },
        ]
    }
}
