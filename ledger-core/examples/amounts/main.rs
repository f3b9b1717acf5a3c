//! The ledger's arithmetic by its public functions, a line in and a line out, for tests/proven.
//!
//! A line names a function and its numbers; the answer is its numbers, or `-` for none.
//!
//! ```console
//! $ echo "payout 10000 180 20" | cargo run -p ledger-core --example amounts
//! 180 20
//! ```

mod numbers;
mod samples;

use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::sync::Arc;

use ledger_core::coin::{Scale, Units, mul_div, mul_div_up};
use ledger_core::ledger::on_volume;
use ledger_core::machine::charge::{self, Paid};
use ledger_core::machine::delivery::DeliveryTerms;
use ledger_core::machine::purchase::Rest;
use ledger_core::machine::wallet::payment::reserve;
use ledger_core::machine::{Verdict, hold};
use ledger_core::money::{Amount, Cents};
use ledger_core::split::{Portion, SplitError};
use ledger_core::terms::{
    Band, Excess, FeeBase, Ladder, Mandate, Offer, Payer, PayoutFees, Price, Rate, SaleRates,
    Switch,
};
use ledger_core::time::Instant;
use numbers::{Numbers, Parsed};
use samples::{amounts_of_hold, credit, delivery_terms, order, payment, purchase_of, settings};

/// The numbers that a function returned; one `None` among them makes all of them none.
type Answer = Option<Vec<i128>>;

fn main() -> Parsed<()> {
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        let name = words.next().ok_or("an empty line")?;
        match answer(name, &mut Numbers::new(words))? {
            None => writeln!(out, "-")?,
            Some(numbers) => {
                for number in numbers {
                    write!(out, "{number} ")?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

fn answer(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    match name {
        "of" | "rate" | "charge" | "payout" | "service" | "partner" | "purchase" => fees(name, n),
        "mul_div" | "mul_div_up" | "units" | "units_for" | "cents" | "sells" => prices(name, n),
        "cost" | "largest" | "bound" | "exactly" | "exceeds" => sales(name, n),
        "credit" | "returned" | "reversed" | "rest" => returns(name, n),
        "mandate" | "ladder" | "reward" => limits(name, n),
        "reserve" | "received" => wallets(name, n),
        "place" | "top_up" | "release" => holds(name, n),
        "split" => split(n),
        _ => Err(format!("no function {name}").into()),
    }
}

fn fees(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    Ok(match name {
        "of" => Some(vec![n.bps()?.fraction_of(n.amount()?).cents().into()]),
        "rate" => {
            let (rate, amount) = (n.rate()?, n.amount()?);
            rate.on(amount).zip(rate.net(amount)).map(|(fee, net)| cents(&[fee, net]))
        }
        "charge" => {
            let (rate, net) = (n.rate()?, n.cents()?);
            rate.smallest_leaving(net, n.amount()?, n.amount()?).map(amount)
        }
        "payout" => {
            let (amount, house, partner) = (n.amount()?, n.bps()?, n.bps()?);
            let fees = PayoutFees::on(amount, house, partner, n.cents()?);
            fees.and_then(|fees| Some(cents(&[fees.house, fees.partner, fees.total()?])))
        }
        "service" => {
            let (rates, on) = (n.service_rates()?, n.amount()?);
            let fees = rates.on(on).map(|fees| cents(&[fees.house, fees.partner]));
            let net = rates.net(on).map_or(0, Amount::cents);
            fees.map(|mut fees| {
                fees.push(net.into());
                fees
            })
        }
        "partner" => Some(cents(&[n.service_fees()?.partner_of(n.cents()?)])),
        _ => {
            let (rates, least_net) = (n.service_rates()?, n.cents()?);
            let (price, listing) = n.listing()?;
            let offer = Offer { listing: &listing, price };
            rates.smallest(offer, least_net, (n.amount()?, n.amount()?)).map(amount)
        }
    })
}

fn prices(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    let wide = |number: Option<u128>| number.map(|it| vec![it.cast_signed()]);
    Ok(match name {
        "mul_div" => wide(mul_div(n.next()?, n.next()?, n.next()?)),
        "mul_div_up" => wide(mul_div_up(n.next()?, n.next()?, n.next()?)),
        "units" => n.price()?.units(n.amount()?, n.scale()?).map(units),
        "units_for" => n.price()?.units_for(n.amount()?, n.scale()?).map(units),
        "cents" => n.price()?.cents(n.units()?, n.scale()?).map(amount),
        _ => {
            let (price, listing) = n.listing()?;
            let offer = Offer { listing: &listing, price };
            Some(vec![offer.sells(n.amount()?).into()])
        }
    })
}

fn sales(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    let base = if n.flag()? { FeeBase::Gross } else { FeeBase::Net };
    let (house, partner, reserve) = (n.rate()?, n.bps()?, n.cents()?);
    let rates = SaleRates { house, partner, reserve, base: Some(base) };
    Ok(match name {
        "cost" => rates.cost(n.amount()?).map(amount),
        "largest" => rates.largest(n.amount()?).map(|deal| {
            let taken = [deal.net.as_cents(), deal.fees.house, deal.fees.partner, deal.residue];
            cents(&taken)
        }),
        "bound" => Some(cents(&[rates.bound_of(n.cents()?, n.amount()?)])),
        "exactly" => {
            let deal = rates.exactly(n.amount()?, n.amount()?);
            deal.map(|deal| cents(&[deal.residue]))
        }
        _ => {
            let (price, scale, sold, most) = (n.price()?, n.scale()?, n.units()?, n.amount()?);
            let deal = price.cents(sold, scale).and_then(|gross| rates.largest(gross));
            let above = deal.and_then(|deal| rates.exceeds((sold, deal), most, (price, scale)));
            above.map(|above| vec![above.into()])
        }
    })
}

fn returns(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    Ok(match name {
        "credit" => {
            let (fee, paid, gross) = (n.rate()?, n.amount()?, n.amount()?);
            let arrived = charge::Arrived {
                order: Arc::new(order(fee, paid, None)),
                payment: payment(paid),
                until: None,
                returned: paid.minus(gross.as_cents()).ok_or("more than was paid")?,
            };
            let state = charge::State::UnderReview(Arc::new(arrived));
            let now = charge::Context { at: Instant::default(), first_deposit: Switch::Off };
            match charge::decide(&state, charge::Command::Settle, now) {
                Verdict::Applied(charge::Event::Credited { credit, .. }) => {
                    Some(cents(&[credit.fee]))
                }
                other => return Err(format!("{other:?} is no credit").into()),
            }
        }
        "returned" => {
            let (fee, gross, returned) = (n.cents()?, n.amount()?, n.cents()?);
            let paid = Paid {
                order: Arc::new(order(Rate::default(), gross, None)),
                payment: payment(gross),
                credit: credit(gross, fee),
                held: Cents::ZERO,
                settled_at: None,
                returned,
            };
            Some(cents(&[paid.fee_share_of_return(n.amount()?)]))
        }
        "reversed" => {
            let (fees, cost, paid, returned) =
                (n.service_fees()?, n.amount()?, n.amount()?, n.cents()?);
            let gross = fees.total().and_then(|fees| cost.plus(fees)).ok_or("it overflows")?;
            let terms = delivery_terms(cost, None);
            let rest = Rest { gross, fees, delivery_terms: terms, usdt: None, after: 1 };
            let mut bought = purchase_of(fees, terms, paid, (Price::PAR, Scale::SIX, None));
            (bought.returned, bought.rest) = (returned, Some(rest));
            let reversed = bought.fees_reversed(n.amount()?);
            Some(cents(&[reversed.house, reversed.partner]))
        }
        _ => {
            let (fees, cost, returned) = (n.service_fees()?, n.amount()?, n.cents()?);
            let (price, scale) = (n.price()?, n.scale()?);
            let (network_fee, usdt) = (Units::new(n.next()?), Units::new(n.next()?));
            let paid = fees.total().and_then(|fees| cost.plus(fees)).ok_or("it overflows")?;
            let terms = delivery_terms(cost, network_fee);
            let units = price.units(cost, scale).unwrap_or(terms.units);
            let terms = DeliveryTerms { units, ..terms };
            let mut bought = purchase_of(fees, terms, paid, (price, scale, usdt));
            bought.returned = returned;
            bought.what_is_left().map(|rest| {
                let parts = [rest.gross.as_cents(), rest.fees.house, rest.fees.partner];
                let mut answer = cents(&parts);
                answer.push(rest.delivery_terms.cost.cents().into());
                answer.push(rest.delivery_terms.units.to_i128());
                answer.push(rest.usdt.map_or(0, Units::to_i128));
                answer
            })
        }
    })
}

fn limits(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    Ok(match name {
        "mandate" => {
            let mandate = Mandate::new(n.some_cents()?, n.some_cents()?, Vec::new());
            let (used, amount, platform) = (n.cents()?, n.amount()?, n.amount()?);
            let (why, left) = match mandate.admits(amount, used, None) {
                Ok(()) => (0, Cents::ZERO),
                Err(Excess::Operation { most }) => (1, most),
                Err(Excess::Day { left }) => (2, left),
                Err(Excess::Counterparty) => return Err("everybody may receive".into()),
            };
            let ceiling = mandate.ceiling(platform);
            Some(vec![why, left.cents().into(), ceiling.cents().into()])
        }
        "ladder" => {
            let (is_first, first_qr, first_day) = (n.flag()?, n.amount()?, n.amount()?);
            let (first_transaction, mature_day, held) = (first_day, first_day, n.amount()?);
            let ladder =
                Ladder { first_qr, first_transaction, first_day, mature_day, held, hours: 24 };
            let (pending, paid, elsewhere) = (n.cents()?, n.cents()?, n.cents()?);
            let first_paid_at = if is_first { None } else { Some(Instant::default()) };
            let payer = Payer { first_paid_at, pending, first_day: paid, ..Payer::default() };
            let it = ladder.allowance_beside(&payer, elsewhere, Instant::default());
            let how = match it.admits(n.amount()?) {
                None => 0,
                Some(Band::Instant) => 1,
                Some(Band::Held(_)) => 2,
            };
            let mut answer = cents(&[it.used, it.at_once, it.most, it.held]);
            answer.push(how);
            Some(answer)
        }
        _ => {
            let (before, more): (i128, i128) = (n.next()?, n.next()?);
            Some(vec![on_volume(before), on_volume(before + more) - on_volume(before)])
        }
    })
}

fn wallets(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    Ok(match name {
        "reserve" => {
            let (total, available) = (n.units()?, n.next()?);
            let strict = if n.flag()? { Switch::On } else { Switch::Off };
            reserve(total, available, strict).map(units)
        }
        _ => {
            let (tolerance, estimate) = (n.bps()?, n.units()?);
            settings(tolerance).least_received(estimate).map(units)
        }
    })
}

fn holds(name: &str, n: &mut Numbers<'_>) -> Parsed<Answer> {
    let known = amounts_of_hold(n)?;
    let available = n.balance()?;
    let matures = if n.flag()? { hold::Watch::Running } else { hold::Watch::Over };
    let now = hold::Context { available, own_part: n.cents()?, matures };
    let (state, command) = match name {
        "place" => (hold::State::Absent, hold::Command::Place(known.order)),
        "top_up" => (hold::State::Open(known), hold::Command::TopUp),
        _ => (hold::State::Open(known), hold::Command::Release(Amount::new(n.next()?))),
    };
    Ok(match hold::decide(&state, command, now) {
        Verdict::Applied(hold::Event::Placed { from_held, from_available, .. }) => {
            Some(cents(&[from_held, from_available]))
        }
        Verdict::Applied(hold::Event::ToppedUp { amount: taken, .. }) => Some(amount(taken)),
        Verdict::Applied(hold::Event::Released { to_held, to_available, .. }) => {
            Some(cents(&[to_held, to_available]))
        }
        _ => None,
    })
}

/// Portions are pairs of a kind and a number; an error is a negative kind and its number.
fn split(n: &mut Numbers<'_>) -> Parsed<Answer> {
    let whole = n.amount()?;
    let mut portions = Vec::new();
    while let Some(kind) = n.next_if()? {
        portions.push(match kind {
            0 => Portion::Exactly(n.amount()?),
            1 => Portion::Rate(n.bps()?),
            _ => Portion::Shares(n.next()?),
        });
    }
    Ok(Some(match whole.split(&portions) {
        Ok(parts) => parts.into_iter().map(|part| part.cents().into()).collect(),
        Err(SplitError::Exceeded) => vec![-1, 0],
        Err(SplitError::Unassigned { left }) => vec![-2, left.cents().into()],
        Err(SplitError::Nothing { portion }) => vec![-3, i128::try_from(portion)?],
    }))
}

fn amount(amount: Amount) -> Vec<i128> {
    vec![amount.cents().into()]
}

fn cents(cents: &[Cents]) -> Vec<i128> {
    cents.iter().map(|cents| cents.cents().into()).collect()
}

fn units(units: Units) -> Vec<i128> {
    vec![units.to_i128()]
}
