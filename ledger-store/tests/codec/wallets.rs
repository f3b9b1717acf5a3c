//! Samples of the USDT wallet: its settings, and what moves in it.

use ledger_core::coin::Units;
use ledger_core::id::{AssetId, ChainId, Kind};
use ledger_core::ledger::{Cause, Event, Record};
use ledger_core::machine::cash_out::{AmountBasis, Payee, Pix};
use ledger_core::machine::wallet::{deposit, payment, quote, withdrawal};
use ledger_core::terms::{
    Deal, Policy, ServiceFees, Stablecoin, Switch, Terms, WalletNetwork, WalletSettings,
};
use ledger_core::time::Span;

use super::catalogue::{
    ACCOUNT, Absent, E2E, Given, Options, amount, as_cents, at, bps, name, op, policy, record,
    terms, token,
};

const USDT: AssetId = AssetId(2_011);
const USDC: AssetId = AssetId(2_012);
const CHAIN: ChainId = ChainId(2_013);
const HASH: &str = "0xc0ffee";

fn units(number: u128) -> Units {
    Units::new(number).unwrap()
}

fn settings(options: Options) -> WalletSettings {
    WalletSettings {
        usdt: USDT,
        usdc: options.optional(USDC),
        networks: vec![WalletNetwork {
            chain: CHAIN,
            name: "polygon".into(),
            title: "Polygon".into(),
            coins: vec![Stablecoin::Usdt, Stablecoin::Usdc],
            eta_minutes: options.optional(201),
            withdrawals: Switch::On,
            network_fee: options.optional(units(100_000)),
        }],
        enabled: Switch::On,
        payments: Switch::Off,
        by_key: Switch::On,
        by_code: Switch::Off,
        withdrawals: Switch::On,
        document_required: Switch::Off,
        least_deposit: units(5_000_000),
        least_payment: amount(600),
        payment_fee: options.optional(units(100_001)),
        deposit_hours: 202,
        open_deposits: 203,
        quote_validity: Span::seconds(300),
        tolerance: bps(50),
        conversion_fee: bps(51),
        strict_buffer: Switch::On,
    }
}

fn deposits(options: Options) -> Vec<deposit::Event> {
    use deposit::{Doubt, Event, Mark, Order, Origin, Rejection, Transfer};
    let given = options == Given;
    let mark = Mark { hash: HASH.into(), index: 204 };
    let (asset, usdt) = (USDC, options.optional(USDT));
    let transfer = Transfer { asset, chain: CHAIN, units: units(100_000_137), mark, usdt };
    let order = Order {
        account: ACCOUNT,
        chain: CHAIN,
        network: "polygon".into(),
        title: "Polygon".into(),
        accepted: vec![(Stablecoin::Usdt, USDT), (Stablecoin::Usdc, USDC)],
        address: "0x52908400098527886e0f7030069857d2e4169ee7".into(),
        requested: units(100_000_000),
        amount: units(100_000_137),
        origin: if given { Origin::Support } else { Origin::Request },
        created_at: at(20),
        expires_at: at(21),
    };
    let (account, credited) = (ACCOUNT, units(100_000_000));
    let copy = || transfer.clone();
    let doubt = if given { Doubt::Compliance } else { Doubt::Reorganisation };
    let rejection = if given { Rejection::Vanished } else { Rejection::Returned };
    vec![
        Event::Requested(Box::new(order)),
        Event::Expired,
        Event::Seen { account, transfer: copy() },
        Event::Mismatched(copy()),
        Event::Found { transfer: copy(), about: options.optional(op(Kind::WalletDeposit)) },
        Event::Credited { account, transfer: copy() },
        Event::Doubted { account, transfer: copy(), doubt },
        Event::Settled(copy()),
        Event::Cleared { account, transfer: copy(), credited },
        Event::Rejected { transfer: copy(), rejection },
        Event::Reappeared(copy()),
        Event::Reversed { account, transfer: copy(), credited },
        Event::MinedAgain(copy()),
    ]
}

fn withdrawn(options: Options) -> withdrawal::Terms {
    withdrawal::Terms {
        account: ACCOUNT,
        coin: Stablecoin::Usdc,
        asset: USDC,
        usdt: USDT,
        chain: CHAIN,
        network: "polygon".into(),
        title: "Polygon".into(),
        address: "0x52908400098527886e0f7030069857d2e4169ee7".into(),
        amount: units(50_000_000),
        network_fee: options.optional(units(100_000)),
        conversion_fee: options.optional(units(50_000)),
        estimated: units(49_850_000),
        minimum: units(49_600_750),
    }
}

fn withdrawals(options: Options) -> Vec<withdrawal::Event> {
    use withdrawal::{Event, Order, Sent};
    let terms = || Box::new(withdrawn(options));
    let sent = Sent {
        hash: HASH.into(),
        received: units(49_850_000),
        network_fee: options.optional(units(100_001)),
    };
    let order = Order {
        quote: op(Kind::Quote),
        terms: withdrawn(options),
        external_id: "w-1".into(),
        created_at: at(22),
    };
    vec![
        Event::Requested(Box::new(order)),
        Event::Begun,
        Event::Funded(terms()),
        Event::Converted { terms: terms(), obtained: units(49_950_000) },
        Event::Questioned(options.optional(sent.clone())),
        Event::Resumed,
        Event::Completed { terms: terms(), flight: units(49_950_000), sent },
        Event::Failed { terms: terms(), flight: options.optional(units(49_950_000)) },
    ]
}

fn payments(options: Options) -> Vec<payment::Event> {
    use payment::{Bearer, Cost, Event, FailureReason, Order, Reserve, Resolution, Whereabouts};
    let given = options == Given;
    let payee = Payee {
        pix_key: options.optional(token(0xb1)),
        merchant: options.optional(token(0xb2)),
        tax_number: options.optional(token(0xb3)),
        counted_as: token(0xb4),
        key_type: None,
        owner: None,
    };
    let order = Order {
        account: ACCOUNT,
        usdt: USDT,
        chain: CHAIN,
        asked: if given {
            AmountBasis::Code(token(0xb5))
        } else {
            AmountBasis::Net(amount(10_000))
        },
        net: amount(10_000),
        payee,
        estimate: units(18_768_519),
        fee: options.optional(units(100_000)),
        reserved: units(19_057_204),
        quote: options.optional(op(Kind::Quote)),
        external_id: options.optional("p-1".into()),
        created_at: at(25),
    };
    let reserve = Reserve {
        account: ACCOUNT,
        usdt: USDT,
        chain: CHAIN,
        units: units(19_057_204),
        fee: options.optional(units(100_000)),
    };
    let fees = ServiceFees { house: as_cents(135), partner: as_cents(131) };
    let deal = Deal { net: amount(10_000), fees, reserve: as_cents(100), residue: as_cents(132) };
    let cost = Cost { units: units(18_768_519), deal };
    let pix = || Pix {
        e2e: E2E.into(),
        paid_at: at(26),
        receipt_url: options.optional("https://example.test/r".into()),
        receipt_pdf_url: options.optional("https://example.test/p".into()),
        verify_url: options.optional("https://example.test/v".into()),
    };
    let excess = options.optional(units(133));
    let resolved = |resolution| Event::Resolved { reserve, cost, resolution };
    let lost = if given { Whereabouts::Treasury } else { Whereabouts::Transit };
    let bearer = if given { Bearer::Client } else { Bearer::House };
    vec![
        Event::Requested(Box::new(order)),
        Event::Ordered { cashout: op(Kind::CashOut), cost },
        Event::Accepted,
        Event::Begun,
        Event::Sent { usdt: USDT, chain: CHAIN, units: cost.units, excess, hash: HASH.into() },
        Event::Confirmed,
        Event::Questioned,
        Event::Resumed,
        Event::Completed { reserve, cost, pix: pix() },
        Event::Failed {
            reserve,
            reason: if given { FailureReason::Ceiling } else { FailureReason::Cost },
        },
        Event::FailedAfterSend(if given { FailureReason::Key } else { FailureReason::Provider }),
        resolved(Resolution::Returned(options.optional(lost))),
        resolved(Resolution::Paid(pix())),
        resolved(Resolution::Lost(lost)),
        Event::Recovered { usdt: USDT, chain: CHAIN, units: cost.units, bearer },
    ]
}

fn quotes(options: Options) -> Vec<quote::Event> {
    use quote::{Event, Offer, Order};
    let order = Order {
        account: ACCOUNT,
        offer: Offer::Withdrawal(Box::new(withdrawn(options))),
        created_at: at(23),
        expires_at: at(24),
    };
    let offer = quote::PaymentOffer {
        asked: AmountBasis::Code(token(0xb5)),
        net: amount(10_000),
        units: units(18_768_519),
        fee: options.optional(units(100_000)),
    };
    let estimate = Order { offer: Offer::Payment(Box::new(offer)), ..order.clone() };
    vec![
        Event::Issued(Box::new(order)),
        Event::Used(op(Kind::CryptoWithdrawal)),
        Event::Lapsed,
        Event::Issued(Box::new(estimate)),
    ]
}

fn events(options: Options) -> Vec<Event> {
    let deposit = op(Kind::WalletDeposit);
    let deposits =
        deposits(options).into_iter().map(|event| Event::WalletDeposit { op: deposit, event });
    let withdrawal = op(Kind::CryptoWithdrawal);
    let withdrawals = withdrawals(options)
        .into_iter()
        .map(|event| Event::CryptoWithdrawal { op: withdrawal, event });
    let quote = op(Kind::Quote);
    let quotes = quotes(options).into_iter().map(|event| Event::Quote { op: quote, event });
    let payment = op(Kind::WalletPayment);
    let payments =
        payments(options).into_iter().map(|event| Event::WalletPayment { op: payment, event });
    deposits.chain(withdrawals).chain(quotes).chain(payments).collect()
}

/// One record for each event, and one more where something may be missing.
pub fn samples() -> Vec<(String, Record)> {
    let alone = |event: Event| record(vec![event], Cause::default());
    let mut samples = Vec::new();
    for (event, bare) in events(Given).into_iter().zip(events(Absent)) {
        let name = name(&event);
        let differs = event != bare;
        samples.push((name.to_owned(), alone(event)));
        if differs {
            samples.push((format!("{name}-bare"), alone(bare)));
        }
    }
    for (options, name) in
        [(Given, "policy-adopted-wallet"), (Absent, "policy-adopted-wallet-bare")]
    {
        let policy = Policy { wallet: Some(Box::new(settings(options))), ..policy() };
        samples.push((name.into(), alone(Event::PolicyAdopted(Box::new(policy)))));
    }
    let terms = Terms { wallet: Some(Switch::On), ..terms(Given) };
    let adopted = Event::TermsAdopted { account: ACCOUNT, from: at(16), terms: Box::new(terms) };
    samples.push(("terms-adopted-wallet".into(), alone(adopted)));
    samples
}

/// The event's name among the samples.
pub const fn payment_name(event: &payment::Event) -> &'static str {
    use payment::{Event, Resolution};
    match event {
        Event::Requested(_) => "wallet-payment-requested",
        Event::Ordered { .. } => "wallet-payment-ordered",
        Event::Accepted => "wallet-payment-accepted",
        Event::Begun => "wallet-payment-begun",
        Event::Sent { .. } => "wallet-payment-sent",
        Event::Confirmed => "wallet-payment-confirmed",
        Event::Questioned => "wallet-payment-questioned",
        Event::Resumed => "wallet-payment-resumed",
        Event::Completed { .. } => "wallet-payment-completed",
        Event::Failed { .. } => "wallet-payment-failed",
        Event::FailedAfterSend(_) => "wallet-payment-failed-after-send",
        Event::Resolved { resolution: Resolution::Returned(_), .. } => "wallet-payment-returned",
        Event::Resolved { resolution: Resolution::Paid(_), .. } => "wallet-payment-found-paid",
        Event::Resolved { resolution: Resolution::Lost(_), .. } => "wallet-payment-lost",
        Event::Recovered { .. } => "wallet-payment-recovered",
    }
}

/// The event's name among the samples.
pub const fn withdrawal_name(event: &withdrawal::Event) -> &'static str {
    use withdrawal::Event;
    match event {
        Event::Requested(_) => "crypto-withdrawal-requested",
        Event::Begun => "crypto-withdrawal-begun",
        Event::Funded(_) => "crypto-withdrawal-funded",
        Event::Converted { .. } => "crypto-withdrawal-converted",
        Event::Questioned(_) => "crypto-withdrawal-questioned",
        Event::Resumed => "crypto-withdrawal-resumed",
        Event::Completed { .. } => "crypto-withdrawal-completed",
        Event::Failed { .. } => "crypto-withdrawal-failed",
    }
}

/// The event's name among the samples.
pub fn quote_name(event: &quote::Event) -> &'static str {
    use quote::{Event, Offer};
    match event {
        Event::Issued(order) if matches!(order.offer, Offer::Payment(_)) => {
            "wallet-quote-of-a-payment"
        }
        Event::Issued(_) => "wallet-quote-issued",
        Event::Used(_) => "wallet-quote-used",
        Event::Lapsed => "wallet-quote-lapsed",
    }
}

/// The event's name among the samples.
pub const fn deposit_name(event: &deposit::Event) -> &'static str {
    use deposit::Event;
    match event {
        Event::Requested(_) => "wallet-deposit-requested",
        Event::Expired => "wallet-deposit-expired",
        Event::Seen { .. } => "wallet-deposit-seen",
        Event::Mismatched(_) => "wallet-deposit-mismatched",
        Event::Found { .. } => "wallet-deposit-found",
        Event::Credited { .. } => "wallet-deposit-credited",
        Event::Doubted { .. } => "wallet-deposit-doubted",
        Event::Settled(_) => "wallet-deposit-settled",
        Event::Cleared { .. } => "wallet-deposit-cleared",
        Event::Rejected { .. } => "wallet-deposit-rejected",
        Event::Reappeared(_) => "wallet-deposit-reappeared",
        Event::Reversed { .. } => "wallet-deposit-reversed",
        Event::MinedAgain(_) => "wallet-deposit-mined-again",
    }
}
