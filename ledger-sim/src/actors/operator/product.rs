//! Products: accounts of their own, and entries over them, customers and the house.

use std::collections::BTreeMap;

use ledger_core::accounting::{Commodity, ProductClass, Side, Unit};
use ledger_core::coin::Scale;
use ledger_core::id::AssetId;
use ledger_core::ledger::product::{DeclaredAccount, Fact as ProductFact, Holder, Leg};
use ledger_core::terms::Switch;

use super::cents;
use crate::actors::values::with_metadata;
use crate::oracle::Oracle;
use crate::world::World;

/// Names that products give their accounts.
const NAMES: [&str; 8] = [
    "taxas.disputa",
    "pontos",
    "garantia.loja",
    "custo.entrega",
    "abertura",
    "pontos.emitidos",
    "milhas",
    "pontos.casa",
];

/// Units of products' own, with their decimals.
const UNITS: [(&str, u8); 2] = [("pontos", 0), ("milhas", 2)];

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    match world.rng.below(12) {
        10 | 11 => bring_balance(world),
        0 | 1 => declare(world, oracle),
        2..5 if !oracle.entries.is_empty() => reverse(world, oracle),
        _ => post(world, oracle),
    }
}

/// An account, mostly one that nobody declared yet; now and then one that is known as another.
fn declare(world: &mut World, oracle: &Oracle) {
    let name = *world.rng.pick(&NAMES).unwrap_or(&NAMES[0]);
    let known = oracle.products.accounts.iter().find(|known| *known.name == *name).cloned();
    let again = known.filter(|_| world.rng.percent(50));
    let switch = |on: bool| if on { Switch::On } else { Switch::Off };
    let declared = again.unwrap_or_else(|| DeclaredAccount {
        name: name.into(),
        class: *world.rng.pick(&ProductClass::ALL).unwrap_or(&ProductClass::Income),
        per_customer: switch(world.rng.percent(40)),
        overdraft: switch(world.rng.percent(60)),
        commodity: commodity(world, oracle, name),
    });
    let decided_by = world.decided_by();
    world.report(ProductFact::AccountDeclared { declared, decided_by });
}

/// Returns what an account of this name counts: mostly the unit of that name, where there is one;
/// now and then an asset, or a unit with other decimals or with an asset's name. Before there is a
/// catalogue, reais.
fn commodity(world: &mut World, oracle: &Oracle, name: &str) -> Option<Commodity> {
    let assets = oracle.market.asset_numbers();
    if assets.is_empty() || world.rng.percent(15) {
        return None;
    }
    let unit = UNITS.iter().find(|(unit, _)| name.starts_with(unit));
    let Some((unit, decimals)) = unit else {
        let asset = world.rng.pick(&assets).copied().filter(|_| world.rng.percent(10));
        return asset.map(|asset| Commodity::Asset(AssetId(asset)));
    };
    let (unit, decimals) = match world.rng.below(100) {
        0..4 => (*unit, decimals + 1),
        4..7 => ("eth", *decimals),
        _ => (*unit, *decimals),
    };
    let scale = Scale::new(decimals)?;
    Some(Commodity::Unit(Unit { name: unit.into(), scale, asset: AssetId(0) }))
}

/// The number of what the account of this name counts; none for reais.
pub(super) fn counted_in(oracle: &Oracle, name: &str) -> Option<AssetId> {
    oracle.products.accounts.iter().find(|known| *known.name == *name)?.asset()
}

/// An entry of two to six legs; now and then one names what nobody declared.
fn post(world: &mut World, oracle: &Oracle) {
    let mut legs: Vec<Leg> = Vec::new();
    let wanted = world.rng.within(2, 6);
    for _ in 0..wanted {
        let Some((account, holder)) = book(world, oracle) else { continue };
        let taken = |leg: &Leg| leg.account == account && leg.holder == holder;
        if !legs.iter().any(taken) {
            let amount = cents(world.rng.within(1, 3_000));
            legs.push(Leg { account, holder, side: Side::Debit, amount });
        }
    }
    let mut by_commodity: BTreeMap<Option<AssetId>, Vec<Leg>> = BTreeMap::new();
    for leg in legs {
        by_commodity.entry(counted_in(oracle, &leg.account)).or_default().push(leg);
    }
    let legs: Vec<Leg> =
        by_commodity.into_values().filter_map(|legs| balance_legs(world, legs)).flatten().collect();
    if legs.is_empty() {
        return;
    }
    let note = world.rng.percent(50).then(|| world.token(6));
    let (legs, decided_by) = (legs.into(), world.decided_by());
    let posted = ProductFact::EntryPosted { legs, note, decided_by };
    let posted = with_metadata(world, posted);
    world.report(posted);
}

/// The legs in one commodity, of which the first balances the others, on one side or on both; none
/// where it is alone or has nothing to balance.
fn balance_legs(world: &mut World, mut legs: Vec<Leg>) -> Option<Vec<Leg>> {
    let mut sum = 0;
    for leg in &mut legs[1..] {
        leg.side = if world.rng.percent(70) { Side::Credit } else { Side::Debit };
        sum += if leg.side == Side::Credit { leg.amount.cents() } else { -leg.amount.cents() };
    }
    legs[0].side = if sum > 0 { Side::Debit } else { Side::Credit };
    legs[0].amount = (sum != 0).then(|| cents(sum.abs()))?;
    Some(legs)
}

/// Returns what a leg may name, with whose it is.
pub(super) fn book(world: &mut World, oracle: &Oracle) -> Option<(Box<str>, Option<Holder>)> {
    let client = world.client()?;
    let customer = world.customer(&client);
    let holder = Some(Holder { account: client.name.clone(), customer });
    Some(match world.rng.below(10) {
        0..4 => ("cust.avail".into(), holder),
        4 => {
            let ours =
                ["equity.funding", "prov.pay", "prov.pix", "recv.prov", "cust.avail", "cells"];
            ((*world.rng.pick(&ours).unwrap_or(&ours[0])).into(), None)
        }
        _ => {
            let declared = world.rng.pick(&oracle.products.accounts)?;
            // Legs that name the account of opening balances are set aside: a few are enough.
            if &*declared.name == "equity.opening" && world.rng.percent(80) {
                return None;
            }
            let odd = world.rng.percent(4);
            let each = declared.per_customer.is_on() != odd;
            (declared.name.clone(), holder.filter(|_| each))
        }
    })
}

/// An entry taken back, whole or in part; now and then one that was, or more of it than there is.
fn reverse(world: &mut World, oracle: &Oracle) {
    let standing: Vec<_> = oracle
        .entries
        .iter()
        .filter(|(_, posted)| !posted.reversed || world.rng.percent(5))
        .collect();
    let Some((op, posted)) = world.rng.pick(&standing).copied() else { return };
    let legs = world.rng.percent(50).then(|| {
        let side = |side| posted.named.iter().filter(move |leg| leg.side == side);
        let (debits, credits): (Vec<_>, Vec<_>) =
            (side(Side::Debit).collect(), side(Side::Credit).collect());
        let debit = world.rng.pick(&debits).copied();
        let counted = debit.map(|leg| counted_in(oracle, &leg.account));
        let credits: Vec<_> = credits
            .into_iter()
            .filter(|leg| Some(counted_in(oracle, &leg.account)) == counted)
            .collect();
        let credit = world.rng.pick(&credits).copied();
        let most = debit.iter().chain(&credit).map(|leg| leg.amount.cents()).min().unwrap_or(1);
        let amount = match world.rng.below(5) {
            0 => cents(most + 1),
            1 => cents(most),
            _ => cents(world.rng.within(1, most)),
        };
        let back = |leg: &Leg, side| Leg { side, amount, ..leg.clone() };
        let debit = debit.map(|leg| back(leg, Side::Credit));
        debit.into_iter().chain(credit.map(|leg| back(leg, Side::Debit))).collect()
    });
    let entry = (!world.rng.percent(3)).then_some(*op);
    let decided_by = world.decided_by();
    world.report(ProductFact::EntryReversed { entry, legs, decided_by });
}

/// A balance of a customer or the house, or the end of them; now and then of an unknown account.
fn bring_balance(world: &mut World) {
    let Some(client) = world.client() else { return };
    let odd = world.rng.percent(4);
    let account = if odd { "ninguem".into() } else { client.name.clone() };
    let decided_by = world.decided_by();
    if world.rng.percent(20) {
        world.report(ProductFact::OpeningBalancesClosed { account, decided_by });
        return;
    }
    let customer = world.customer(&client);
    let amount = cents(world.rng.within(1, 5_000));
    let note = world.rng.percent(50).then(|| world.token(6));
    let holder = Holder { account, customer };
    let brought = ProductFact::BalanceOpened { holder, amount, note, decided_by };
    world.report(brought);
}
