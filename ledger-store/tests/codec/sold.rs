//! A record of every kind of event about sales, the same every time.

use ledger_core::coin::{Scale, Units};
use ledger_core::id::{AssetId, ChainId, Kind};
use ledger_core::ledger::{Cause, Event, Record};
use ledger_core::machine::cash_out::{
    self, AmountBasis, Deposit, DepositAccount, Funding, KeyOwner, Payee, Pix, Proceeds,
    RefundSource, ReviewReason, Sale,
};
use ledger_core::machine::refund::Coins;
use ledger_core::machine::unmatched_deposit;
use ledger_core::pix::KeyType;
use ledger_core::terms::{
    Deal, FeeBase, Market, Price, Quote, Rate, Route, SaleLimits, SaleRates, ServiceFees, Switch,
    Terms,
};
use ledger_core::time::Span;

use super::catalogue::{
    ACCOUNT, Absent, E2E, Given, Options, amount, as_cents, at, bps, name, op, policy, record,
    terms, token,
};

pub(super) const ASSET: AssetId = AssetId(2_001);
pub(super) const CHAIN: ChainId = ChainId(2_002);

pub(super) fn units(units: u128) -> Units {
    Units::new(units).unwrap()
}

fn markets(options: Options) -> Event {
    let market = Market {
        asset: ASSET,
        chain: CHAIN,
        asset_name: "usdt".into(),
        chain_name: "polygon".into(),
        scale: Scale::new(18).unwrap(),
        route: Route::Liquid,
        least: options.optional(units(6_000_000)),
        most: options.optional(units(10_u128.pow(30))),
        offered: Switch::On,
        valid_minutes: 300,
        confirmations: 64,
        eta_minutes: 25,
    };
    let closed = vec![("usdc".into(), "stark".into())];
    Event::MarketsUpdated { opened: vec![market], closed }
}

fn coins() -> Coins {
    Coins { asset: ASSET, chain: CHAIN, units: units(19_444_445) }
}

fn deal() -> Deal {
    let fees = ServiceFees { house: as_cents(400), partner: as_cents(50) };
    Deal { net: amount(10_000), fees, reserve: as_cents(100), residue: as_cents(33) }
}

fn sale() -> Sale {
    Sale { coins: coins(), deal: deal() }
}

fn quote() -> Quote {
    Quote { price: Price::parse("5.40").unwrap(), source: "exchange".into(), at: at(31) }
}

fn order(options: Options, asked: AmountBasis, funding: Funding) -> cash_out::Order {
    let rate = Rate { bps: bps(135), fixed: as_cents(200) };
    cash_out::Order {
        account: ACCOUNT,
        route: Route::Convert,
        coins: coins(),
        asset_name: "usdt".into(),
        chain_name: "tron".into(),
        scale: Scale::new(18).unwrap(),
        asked,
        deal: deal(),
        rates: SaleRates { house: rate, partner: bps(50), reserve: as_cents(100), base: None },
        quote: quote(),
        reserve_usdt: options.optional(units(185_186)),
        range: (amount(600), amount(25_000_000)),
        refund_alone: options.optional(units(5_000_000_000)),
        payee: Payee {
            pix_key: options.optional(token(0xb1)),
            merchant: options.optional(token(0xb2)),
            tax_number: options.optional(token(0xb3)),
            counted_as: token(0xb4),
            key_type: None,
            owner: None,
        },
        refund_address: options.optional("0xrefund".into()),
        funding,
        external_id: options.optional("sale-1".into()),
        created_at: at(32),
        expires_at: at(33),
        revival: Span::days(7),
        retries: (Span::seconds(300), Span::seconds(2_700)),
        confirmations: 64,
    }
}

fn deposit(options: Options) -> Deposit {
    let from = options.optional("0xfrom".into());
    Deposit {
        coins: coins(),
        hash: "0xdeposit#1".into(),
        from,
        seen_at: at(34),
        confirmations: None,
    }
}

#[allow(clippy::too_many_lines)] // One event after the other.
fn sales(options: Options) -> Vec<cash_out::Event> {
    use cash_out::Event as E;
    let (coins, sale) = (coins(), sale());
    let quoted = |asked, funding| E::Quoted(Box::new(order(options, asked, funding)));
    let counted = options.optional(amount(10_001));
    let repriced = || options.optional(quote());
    let hash = || Box::from("0xdeposit#1");
    let source = |source| E::RefundDecided {
        coins,
        source,
        to: options.optional("0xrefund".into()),
        allowed: Switch::On,
    };
    let mut events = vec![
        quoted(AmountBasis::Units(units(1_000_000)), Funding::Seller),
        quoted(AmountBasis::Net(amount(10_000)), Funding::Wallet(op(Kind::WalletPayment))),
        quoted(AmountBasis::Code(token(0xb5)), Funding::Seller),
        E::Accepted { address: "0xhere".into(), tag: options.optional("78".into()) },
        E::Expired,
        E::Failed,
        E::DepositSeen {
            deposit: deposit(options),
            booked_in: DepositAccount::Wallet,
            repriced: repriced(),
            counted,
            sighting: options.optional(4_294_967_295),
        },
        E::DepositConfirmed { hash: hash(), coins },
        E::DepositVanished { hash: hash(), coins, booked_in: DepositAccount::Suspense },
        E::ReviewOpened(ReviewReason::ReturnAwaited),
        E::Cleared { coins: options.optional(coins), repriced: repriced(), scale: None },
        E::Split { unmatched: op(Kind::UnmatchedDeposit), coins },
        E::Delayed,
        E::Resumed,
        E::Secured { sale, counted },
        E::SellingBegun(coins),
        E::SaleFilled { coins, proceeds: Proceeds::Coins(coins), forwards: Switch::On },
        E::SaleFailed(coins),
        E::Forwarding,
        E::Forwarded { proceeds: Proceeds::Reais(amount(10_500)), arrived: amount(10_490) },
        E::PaymentBegun { sale, booked_in: DepositAccount::Order, counted },
        E::SendFailed { first: at(35), retry_at: at(36) },
        E::RetryDue,
        E::PaymentLost,
        E::KeyRefused(amount(9_900)),
        E::PaymentResumed {
            kept: as_cents(100),
            pix_key: options.optional(token(0xb6)),
            key_type: None,
            counted_as: None,
            owner: None,
        },
        E::HandedOver(coins),
        E::PaymentUnwound(sale),
        E::Completed {
            account: ACCOUNT,
            sale,
            booked_in: DepositAccount::Order,
            handed: options.optional(coins),
            pix: Pix {
                e2e: E2E.into(),
                paid_at: at(37),
                receipt_url: options.optional("https://r".into()),
                receipt_pdf_url: options.optional("https://p".into()),
                verify_url: options.optional("https://v".into()),
            },
        },
        E::RefundAddressed("0xrefund".into()),
        E::RefundAllowed,
        E::RefundSent { coins, hash: "0xback".into(), earned: options.optional((ACCOUNT, deal())) },
        E::RefundFailed,
        E::RefundLost,
        E::TokenKept(sale),
        E::TokenRecovered(coins),
    ];
    events.extend([
        source(RefundSource::Deposit),
        source(RefundSource::Suspense),
        source(RefundSource::Sale { back: amount(9_900), kept: as_cents(100) }),
        source(RefundSource::Reversal(amount(10_000))),
        source(RefundSource::Returned { short: options.optional(units(24)) }),
        E::Cleared {
            coins: options.optional(coins),
            repriced: repriced(),
            scale: options.optional(Scale::SIX),
        },
        E::ReviewOpened(ReviewReason::RecipientDay),
        E::Quoted(Box::new(on_gross(options))),
    ]);
    events.extend(reported_later(options));
    events.extend(owned(options));
    events.push(E::RefundForgone { coins, earned: options.optional((ACCOUNT, deal())) });
    events
}

/// Returns what deposits and keys say since they show how far they are and what kind they are.
fn reported_later(options: Options) -> [cash_out::Event; 6] {
    use cash_out::Event as E;
    let mut typed = order(options, AmountBasis::Net(amount(10_000)), Funding::Seller);
    typed.payee.key_type = options.optional(KeyType::Random);
    let confirmations = options.optional(65_535);
    [
        E::DepositConfirming { hash: "0xdeposit#1".into(), confirmations: 25 },
        E::Quoted(Box::new(typed)),
        E::DepositSeen {
            deposit: Deposit { confirmations, ..deposit(options) },
            booked_in: DepositAccount::Order,
            repriced: None,
            counted: None,
            sighting: None,
        },
        E::PaymentResumed {
            kept: as_cents(100),
            pix_key: options.optional(token(0xb6)),
            key_type: options.optional(KeyType::Cnpj),
            counted_as: None,
            owner: None,
        },
        E::ReviewEnded,
        E::OddParted {
            unmatched: op(Kind::UnmatchedDeposit),
            hash: "0xodd".into(),
            coins: coins(),
        },
    ]
}

/// Returns what orders and corrected keys say since whose a key is was kept.
fn owned(options: Options) -> [cash_out::Event; 3] {
    use cash_out::Event as E;
    let with = |owner| {
        let mut owned = order(options, AmountBasis::Net(amount(10_000)), Funding::Seller);
        owned.payee.owner = options.optional(owner);
        E::Quoted(Box::new(owned))
    };
    [
        with(KeyOwner::Unproven),
        with(KeyOwner::Proven(token(0xb7))),
        E::PaymentResumed {
            kept: as_cents(100),
            pix_key: options.optional(token(0xb6)),
            key_type: options.optional(KeyType::Cnpj),
            counted_as: options.optional(token(0xb8)),
            owner: options.optional(KeyOwner::Proven(token(0xb9))),
        },
    ]
}

/// An order whose fee and bounds are on what is sold.
fn on_gross(options: Options) -> cash_out::Order {
    let order = order(options, AmountBasis::Units(units(25)), Funding::Seller);
    let rates = SaleRates { base: options.optional(FeeBase::Gross), ..order.rates };
    cash_out::Order { route: Route::Liquid, rates, ..order }
}

fn unmatched(options: Options) -> Vec<unmatched_deposit::Event> {
    use unmatched_deposit::Event as E;
    let order = Box::new(unmatched_deposit::Order {
        deposit: deposit(options),
        about: options.optional(op(Kind::CashOut)),
        account: options.optional(ACCOUNT),
        to: options.optional("0xrefund".into()),
        refund_alone: options.optional(units(5_000_000_000)),
        sighting: options.optional(2),
    });
    let coins = coins();
    vec![
        E::Received(order.clone()),
        E::SplitOff(order.clone()),
        E::Confirmed(coins),
        E::Vanished(coins),
        E::RefundDecided { coins, to: options.optional("0xrefund".into()), allowed: Switch::Off },
        E::RefundAllowed { to: "0xrefund".into() },
        E::RefundSent { coins, hash: "0xback".into() },
        E::RefundFailed,
        E::RefundLost,
        E::Parted { order, confirmed: Switch::On },
        E::Forgone { coins, due: Switch::On },
    ]
}

/// Policy and terms with what sales brought to them.
fn grown() -> [Event; 2] {
    let sales = SaleLimits { least: amount(601), refund_alone: 4_999, ..SaleLimits::default() };
    let policy = ledger_core::terms::Policy { sales: Some(sales), ..policy() };
    let rate = Rate { bps: bps(135), fixed: as_cents(200) };
    let terms = Terms {
        sale: Some(rate),
        sale_partner: Some(bps(150)),
        liquid_sale: Some(rate),
        sale_reserve: Some(as_cents(101)),
        ..terms(Given)
    };
    [
        Event::PolicyAdopted(Box::new(policy)),
        Event::TermsAdopted { account: ACCOUNT, from: at(16), terms: Box::new(terms) },
    ]
}

/// One record for each event, and one more where something may be missing.
pub fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = vec![
        ("markets-updated".to_owned(), alone(markets(Given))),
        ("markets-updated-bare".to_owned(), alone(markets(Absent))),
    ];
    let (order, deposit) = (op(Kind::CashOut), op(Kind::UnmatchedDeposit));
    for (number, (given, bare)) in (1..).zip(sales(Given).into_iter().zip(sales(Absent))) {
        let differs = given != bare;
        samples.push((
            format!("cash-out-{number}"),
            alone(Event::CashOut { op: order, event: given }),
        ));
        if differs {
            let bare = Event::CashOut { op: order, event: bare };
            samples.push((format!("cash-out-{number}-bare"), alone(bare)));
        }
    }
    for (number, (given, bare)) in (1..).zip(unmatched(Given).into_iter().zip(unmatched(Absent))) {
        let differs = given != bare;
        samples.push((
            format!("receipt-{number}"),
            alone(Event::UnmatchedDeposit { op: deposit, event: given }),
        ));
        if differs {
            let bare = Event::UnmatchedDeposit { op: deposit, event: bare };
            samples.push((format!("receipt-{number}-bare"), alone(bare)));
        }
    }
    samples.extend(grown().map(|event| (format!("{}-sales", name(&event)), alone(event))));
    samples
}
