//! Samples of what products declare, post and reserve.

use ledger_core::accounting::{Account, Commodity, ProductClass, Side, Unit};
use ledger_core::coin::Scale;
use ledger_core::id::{AssetId, Kind, ProductAccount};
use ledger_core::ledger::product::DeclaredAccount;
use ledger_core::ledger::{Cause, Event, Record};
use ledger_core::machine::entry::{self, Movement};
use ledger_core::machine::hold;
use ledger_core::template::{AmountParameter, Template, TemplateLeg};
use ledger_core::terms::Switch;

use super::catalogue::{
    ACCOUNT, ANA, Absent, Given, Options, amount, as_cents, at, hold_order, op, record, token,
};

/// An account of each class, then an entry posted and taken back, and a reservation.
fn events(options: Options) -> Vec<Event> {
    let declared = ProductClass::ALL.into_iter().zip(31..).map(|(class, number)| {
        let (per_customer, overdraft) = (Switch::Off, Switch::On);
        let declared = DeclaredAccount {
            name: "taxas".into(),
            class,
            per_customer,
            overdraft,
            commodity: None,
        };
        Event::ProductAccountDeclared { number, declared: Box::new(declared) }
    });
    let counting = [
        Commodity::Asset(AssetId(5)),
        Commodity::Unit(Unit { name: "pontos".into(), scale: Scale::SIX, asset: AssetId(6) }),
    ];
    let counting = counting.into_iter().zip(36..).map(|(commodity, number)| {
        let declared = DeclaredAccount {
            name: "pontos".into(),
            class: ProductClass::Liability,
            per_customer: Switch::On,
            overdraft: Switch::Off,
            commodity: Some(commodity),
        };
        Event::ProductAccountDeclared { number, declared: Box::new(declared) }
    });
    let entry = op(Kind::Entry);
    let moved = |class: ProductClass| {
        let of = ProductAccount { number: 33, holder: options.optional(ANA) };
        let (debit, credit) = (Account::Available(ANA), class.account(of));
        Movement { debit, credit, amount: amount(71), asset: None }
    };
    let in_unit = ProductClass::ALL.map(|class| {
        let of = |number| ProductAccount { number, holder: options.optional(ANA) };
        let debit = ProductClass::Equity.account(of(34));
        let credit = class.account(of(37));
        let moved = Movement { debit, credit, amount: amount(73), asset: Some(AssetId(6)) };
        let (note, last) = (options.optional(token(0xd5)), Switch::On);
        Event::Entry {
            op: entry,
            event: entry::Event::Posted { moved, note, last, template: None },
        }
    });
    let posted = ProductClass::ALL.map(|class| Event::Entry {
        op: entry,
        event: entry::Event::Posted {
            moved: moved(class),
            note: options.optional(token(0xd2)),
            last: Switch::On,
            template: None,
        },
    });
    let by_template = Event::Entry {
        op: entry,
        event: entry::Event::Posted {
            moved: moved(ProductClass::Income),
            note: options.optional(token(0xd4)),
            last: Switch::Off,
            template: Some(3),
        },
    };
    let reversed = Event::Entry {
        op: entry,
        event: entry::Event::Reversed { moved: moved(ProductClass::Asset), last: Switch::Off },
    };
    let closed = Event::OpeningBalancesClosed { account: ACCOUNT };
    let entries = posted.into_iter().chain([reversed, by_template, adopted(options), closed]);
    let entries = entries.chain(in_unit);
    declared.chain(counting).chain(entries).chain(reservation(options)).collect()
}

/// Returns a sale by which a seller is paid what a fee leaves.
fn adopted(options: Options) -> Event {
    let leg = |account: &str, side, amount: &str| TemplateLeg {
        account: account.into(),
        holder: options.optional("comprador".into()),
        side,
        amount: amount.into(),
    };
    let template = Template {
        name: "venda".into(),
        amounts: vec![AmountParameter { name: "valor".into(), from: 1, to: 1_000_000 }],
        holders: vec!["comprador".into()],
        legs: vec![
            leg("cust.avail", Side::Debit, "valor"),
            leg("taxas", Side::Credit, "half_even(valor / 40)"),
            leg("pontos", Side::Credit, "rest"),
        ],
        conditions: options.optional("valor >= 100".into()).into_iter().collect(),
    };
    Event::TemplateAdopted { number: 3, version: 2, template: Box::new(template) }
}

/// Returns what is reserved, and captured of it.
fn reservation(options: Options) -> [Event; 2] {
    let order = hold::Order {
        kind: hold::Kind::Reservation,
        cause: None,
        ends_at: options.optional(at(18)),
        note: options.optional(token(0xd3)),
        label: options.optional("card".into()),
        ..hold_order(options)
    };
    let (from_held, from_available) = (as_cents(0), as_cents(4_000));
    let of = ProductAccount { number: 33, holder: options.optional(ANA) };
    let captured = hold::Event::Captured {
        subaccount: ANA,
        amount: amount(149),
        to: Account::ProductIncome(of),
        note: options.optional(token(0xd3)),
    };
    [hold::Event::Placed { order, from_held, from_available }, captured]
        .map(|event| Event::Hold { op: op(Kind::Hold), event })
}

/// The event's name, where it is one of a product; whoever adds an event gives it one here, and a
/// sample above.
pub fn name(event: &Event) -> Option<&'static str> {
    Some(match event {
        Event::ProductAccountDeclared { declared, .. } if declared.commodity.is_some() => {
            let unit = declared.commodity.as_ref().and_then(Commodity::unit);
            if unit.is_some() { "product-unit-declared" } else { "product-asset-account-declared" }
        }
        Event::ProductAccountDeclared { declared, .. } => match declared.class {
            ProductClass::Asset => "product-asset-declared",
            ProductClass::Liability => "product-liability-declared",
            ProductClass::Equity => "product-equity-declared",
            ProductClass::Income => "product-income-declared",
            ProductClass::Expense => "product-expense-declared",
        },
        Event::TemplateAdopted { .. } => "template-adopted",
        Event::OpeningBalancesClosed { .. } => "opening-balances-closed",
        Event::Entry { event: entry::Event::Posted { template: Some(_), .. }, .. } => {
            "entry-posted-by-template"
        }
        Event::Entry { event: entry::Event::Posted { moved, .. }, .. } if moved.asset.is_some() => {
            match moved.credit {
                Account::ProductAsset(_) => "entry-posted-unit-asset",
                Account::ProductLiability(_) => "entry-posted-unit-liability",
                Account::ProductEquity(_) => "entry-posted-unit-equity",
                Account::ProductIncome(_) => "entry-posted-unit-income",
                _ => "entry-posted-unit-expense",
            }
        }
        Event::Entry { event: entry::Event::Posted { moved, .. }, .. } => match moved.credit {
            Account::ProductAsset(_) => "entry-posted-asset",
            Account::ProductLiability(_) => "entry-posted-liability",
            Account::ProductEquity(_) => "entry-posted-equity",
            Account::ProductIncome(_) => "entry-posted-income",
            _ => "entry-posted-expense",
        },
        Event::Entry { event: entry::Event::Reversed { .. }, .. } => "entry-reversed",
        Event::Hold { event: hold::Event::Placed { .. }, .. } => "reservation-made",
        Event::Hold { event: hold::Event::Captured { .. }, .. } => "reservation-captured",
        _ => return None,
    })
}

pub fn samples() -> Vec<(String, Record)> {
    let samples = events(Given).into_iter().zip(events(Absent)).flat_map(|(event, bare)| {
        let name = name(&event).unwrap_or_default();
        let differs = event != bare;
        let given = (name.to_owned(), record(vec![event], Cause::default()));
        let bare = (format!("{name}-bare"), record(vec![bare], Cause::default()));
        [given].into_iter().chain(differs.then_some(bare))
    });
    samples.collect()
}
