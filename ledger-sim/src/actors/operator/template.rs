//! Products as data: templates of entries, adopted and posted.

use ledger_core::accounting::Side;
use ledger_core::ledger::product::{
    DeclaredAccount, Fact as ProductFact, Holder, NamedAmount, NamedHolder, TemplatePosting,
};
use ledger_core::template::{AmountParameter, Program, Template, TemplateLeg};

use super::product::{book, counted_in};
use crate::actors::values::with_metadata;
use crate::oracle::Oracle;
use crate::world::World;

/// Names that products give their templates.
const NAMES: [&str; 3] = ["venda", "rateio", "premio"];

/// The amounts of every template here, with the most that each may be.
const AMOUNTS: [(&str, u64); 3] = [("valor", 4_000), ("taxa", 1_500), ("cotas", 9)];

pub(super) fn act(world: &mut World, oracle: &Oracle) {
    let none = oracle.products.templates.is_empty();
    if none || world.rng.percent(25) { adopt(world, oracle) } else { post(world, oracle) }
}

/// Reports a template of drawn legs, where it is proven to balance: what is not is refused before
/// the ledger decides anything.
fn adopt(world: &mut World, oracle: &Oracle) {
    let again =
        world.rng.pick(&oracle.products.templates).cloned().filter(|_| world.rng.percent(15));
    let is_proven = |template: &Template| {
        let counted: Vec<_> =
            template.legs.iter().map(|leg| counted_in(oracle, &leg.account)).collect();
        Program::read(template)
            .is_ok_and(|program| program.prove().is_ok() && program.prove_each(&counted).is_ok())
    };
    let template =
        again.or_else(|| (0..8).find_map(|_| draw_template(world, oracle).filter(is_proven)));
    let Some(template) = template else { return };
    let (template, decided_by) = (Box::new(template), world.decided_by());
    world.report(ProductFact::TemplateAdopted { template, decided_by });
}

/// A template of two to five legs, one of which takes the rest.
fn draw_template(world: &mut World, oracle: &Oracle) -> Option<Template> {
    let amounts = AMOUNTS.map(|(name, to)| {
        let from = if name == "valor" { 0 } else { world.rng.below(3) };
        AmountParameter { name: name.into(), from, to }
    });
    let mut legs: Vec<TemplateLeg> = Vec::new();
    let count = world.rng.within(2, 5);
    for place in 0..count {
        let (account, holder) = book(world, oracle)?;
        let of = if place == 0 { "de" } else { "para" };
        let holder = holder.map(|_| of.into());
        if legs.iter().any(|leg| leg.account == account && leg.holder == holder) {
            continue;
        }
        let (side, amount) = match place {
            0 => (Side::Debit, "valor".to_owned()),
            1 => (Side::Credit, "rest".to_owned()),
            _ => (Side::Credit, part(world)),
        };
        legs.push(TemplateLeg { account, holder, side, amount: amount.into() });
    }
    legs.extend(draw_units(world, oracle).into_iter().flatten());
    let least = world.rng.within(0, 300);
    let conditions = world.rng.percent(40).then(|| format!("valor >= {least}").into());
    Some(Template {
        name: (*world.rng.pick(&NAMES)?).into(),
        amounts: amounts.into(),
        holders: vec!["de".into(), "para".into()],
        legs,
        conditions: conditions.into_iter().collect(),
    })
}

/// Two legs in one unit, now and then, which no other leg has part in.
fn draw_units(world: &mut World, oracle: &Oracle) -> Option<[TemplateLeg; 2]> {
    let accounts = oracle.products.accounts.iter().filter(|known| known.asset().is_some());
    let accounts: Vec<_> = accounts.collect();
    let from = world.rng.pick(&accounts).copied().filter(|_| world.rng.percent(60))?;
    let others = accounts.iter().filter(|to| to.asset() == from.asset() && to.name != from.name);
    let others: Vec<_> = others.copied().collect();
    let to = world.rng.pick(&others).copied()?;
    let leg = |known: &DeclaredAccount, side, holder: &str| TemplateLeg {
        account: known.name.clone(),
        holder: known.per_customer.is_on().then(|| holder.into()),
        side,
        amount: "cotas".into(),
    };
    Some([leg(from, Side::Debit, "de"), leg(to, Side::Credit, "para")])
}

/// Returns an expression of which a few fit beside one another within `valor`.
fn part(world: &mut World) -> String {
    let rounding = *world.rng.pick(&["down", "up", "half_even"]).unwrap_or(&"down");
    let most = world.rng.within(1, 200);
    match world.rng.below(6) {
        0 => format!("{rounding}(valor * taxa / 10000)"),
        1 => format!("min({rounding}(valor * taxa / 10000), {most})"),
        2 => format!("{rounding}(valor * cotas / 40)"),
        3 => format!("min(valor, {most})"),
        4 => format!("{rounding}((valor + {most} - {most}) / 7)"),
        _ => format!("min(max({rounding}(valor / 9), {most}), down(valor / 5))"),
    }
}

/// An entry by a template that is known; now and then by amounts that do not fit, or by none.
fn post(world: &mut World, oracle: &Oracle) {
    let Some(template) = world.rng.pick(&oracle.products.templates).cloned() else { return };
    let amounts = template.amounts.iter().map(|amount| {
        let (from, to) = (amount.from.cast_signed(), amount.to.cast_signed());
        let value = match world.rng.below(12) {
            0 => from,
            1 => to,
            2 => to + 1,
            _ => world.rng.within(from, to.min(400)),
        };
        NamedAmount { name: amount.name.clone(), value }
    });
    let mut amounts: Vec<_> = amounts.collect();
    if world.rng.percent(3) {
        amounts.pop();
    }
    let Some(client) = world.client() else { return };
    let holders = template.holders.iter().map(|name| {
        let customer = world.customer(&client);
        NamedHolder {
            name: name.clone(),
            holder: Holder { account: client.name.clone(), customer },
        }
    });
    let holders = holders.collect();
    let odd = world.rng.percent(3);
    let version = world.rng.percent(20).then(|| u32::try_from(world.rng.within(0, 2)).unwrap_or(1));
    let posting = Box::new(TemplatePosting {
        template: if odd { "nenhum".into() } else { template.name },
        version,
        amounts: amounts.into(),
        holders,
    });
    let note = world.rng.percent(50).then(|| world.token(6));
    let decided_by = world.decided_by();
    let posted = ProductFact::TemplatePosted { posting, note, decided_by };
    let posted = with_metadata(world, posted);
    world.report(posted);
}
