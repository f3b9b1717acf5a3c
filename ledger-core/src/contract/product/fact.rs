//! Facts of a product's own accounts: declared, and moved by entries that balance.

use super::{OF, holder_if, template};
use crate::accounting::{Commodity, ProductClass, Side, Unit};
use crate::coin::Scale;
use crate::contract::error::{Problem, malformed_field, wrong};
use crate::contract::fact::parts::{
    ACCOUNT, ACTOR, AMOUNT, EVIDENCE, ID, REASON, account, decided_by, description,
};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::schema::bounds::{Checked, checked, refuse_field};
use crate::contract::schema::field::FieldType::{
    Centavos, Flag, Object, Objects, Operation, Text, Whole, Word,
};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::metadata::METADATA;
use crate::contract::wallet::fact::asset;
use crate::id::AssetId;
use crate::ledger::product::{DeclaredAccount, Fact as ProductFact, Holder, Leg};
use crate::ledger::{Fact, FactDetails, FactKind, Intent, Refusal, State};
use crate::terms::Switch;

const NAME: Field = required(
    "name",
    Text(64),
    "the account's name: lower-case letters, digits and _ in words parted by points, the first none \
     of the chart's own, such as `taxas.cartao`",
);
const ASSET: Field = optional(
    "asset",
    Text(32),
    "an asset of the catalogue that it counts, in smallest units; absent, and no unit: centavos",
);
const UNIT: Field = optional("unit", Object(UNIT_FIELDS), "a unit of your own that it counts");
/// A unit of a product's own.
const UNIT_FIELDS: &[Field] = &[UNIT_NAME, DECIMALS];
const UNIT_NAME: Field =
    required("name", Text(16), "its name: 1 to 16 lower-case letters and digits, such as `pontos`");
const MOST_DECIMALS: u16 = 18;
const DECIMALS: Field = required(
    "decimals",
    Whole(0, MOST_DECIMALS),
    "of the unit, 0 to 18, the same in each account that counts it",
);
const LEGS: Field = required(
    "legs",
    Objects(LEG),
    "2 to 100 legs, each of another account, of which debits and credits are equal in each unit",
);

const OF_LEG: Field =
    optional("of", Object(OF), "whose it is, of cust.avail and of what each customer has one of");
const NAME_OF_LEG: Field = required(
    "name",
    Text(64),
    "the account's name as it was declared; or cust.avail, equity.funding, prov.pix, prov.pay, \
     recv.prov, tariff.due or fx",
);

/// The account of a leg.
pub(in crate::contract) const LEG_ACCOUNT: &[Field] = &[NAME_OF_LEG, OF_LEG];

/// A leg of an entry.
const LEG: &[Field] = &[
    NAME_OF_LEG,
    OF_LEG,
    optional(
        "debit_cents",
        Centavos,
        "what is debited, in smallest units of the account; a leg has this or the other",
    ),
    optional("credit_cents", Centavos, "what is credited"),
];

checked!(enum ProductFact {
    AccountDeclared { declared },
    EntryPosted { legs },
    EntryReversed { legs },
    TemplateAdopted { template },
    TemplatePosted { posting },
    BalanceOpened { holder, amount: AMOUNT },
    OpeningBalancesClosed { account: ACCOUNT },
});

impl Checked for DeclaredAccount {
    fn check_bounds(&self) -> Result<(), Refusal> {
        refuse_field(NAME.name, Self::well_named(&self.name))?;
        let unit = self.commodity.as_ref().and_then(Commodity::unit);
        let named = unit.map_or(Ok(()), |unit| Unit::well_named(&unit.name));
        refuse_field(UNIT.name, named)
    }
}

impl Checked for Box<[Leg]> {
    fn check_bounds(&self) -> Result<(), Refusal> {
        refuse_field(LEGS.name, Leg::check_balance(self))
    }
}

/// Facts by which a product has accounts of its own and moves money through them.
pub const FACTS: &[FactShape] = &[
    FactShape {
        kind: FactKind::ProductAccountDeclared,
        name: "product_account.declared",
        subject: Subject::Ledger,
        meaning: "A product has an account of its own, once for each name; it is part of the chart.",
        fields: &[
            ID,
            NAME,
            required("class", Word(16), "asset, liability, equity, income or expense"),
            optional("per_customer", Flag, "true: each customer has one; absent: one for all"),
            optional(
                "overdraft",
                Flag,
                "true: it may stand below zero, in the sign of its class; absent: it may not",
            ),
            ASSET,
            UNIT,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"product_account.declared","body":{"id":"pac-1","name":"taxas.disputa","class":"income","overdraft":true,"actor":"bia","reason":"fee of a dispute"}}"#,
        read: |fields, context| read_declaration(fields, context.state),
    },
    FactShape {
        kind: FactKind::EntryPosted,
        name: "entry.posted",
        subject: Subject::Ledger,
        meaning: "A product posts an entry over its own accounts, customers' available money and the \
                  house's own; a customer spends no more than is available.",
        fields: &[
            ID,
            LEGS,
            optional("description", Text(255), "what statements of the customers say"),
            METADATA,
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-20T12:00:00Z","fact":"entry.posted","body":{"id":"ent-1","legs":[{"name":"cust.avail","of":{"account":"loja","customer_ref":"ana"},"debit_cents":1500},{"name":"taxas.disputa","credit_cents":1500}],"description":"Taxa de disputa","actor":"bia","reason":"dispute lost"}}"#,
        read: |fields, context| {
            let legs = legs(fields, context.state)?.ok_or_else(|| missing(LEGS.name))?;
            let (note, decided_by) = (description(fields)?, decided_by(fields)?);
            let fact = Fact::Product(ProductFact::EntryPosted { legs, note, decided_by });
            Ok(fact.with(fields.metadata()?.map(FactDetails::Metadata)))
        },
    },
    FactShape {
        kind: FactKind::EntryReversed,
        name: "entry.reversed",
        subject: Subject::Operation(&["entry_id"]),
        meaning: "A product takes an entry back, once: as a whole, or by legs that give back no more \
                  than theirs took.",
        fields: &[
            ID,
            required("entry_id", Operation, "the entry"),
            optional("legs", Objects(LEG), "what goes back; absent: all of it"),
            ACTOR,
            REASON,
            EVIDENCE,
        ],
        example: r#"{"at":"2026-11-21T12:00:00Z","fact":"entry.reversed","body":{"id":"rev-1","entry_id":"$e1.entry_id","actor":"bia","reason":"dispute won after all"}}"#,
        read: |fields, context| {
            Ok(Fact::Product(ProductFact::EntryReversed {
                entry: fields.operation("entry_id")?,
                legs: legs(fields, context.state)?,
                decided_by: decided_by(fields)?,
            }))
        },
    },
    template::ADOPTED,
    template::POSTED,
    OPENED,
    CLOSED,
];

fn read_declaration(fields: &mut Fields<'_>, state: &State) -> Result<Fact, Problem> {
    let name = fields.required_text("name", 64)?;
    DeclaredAccount::well_named(name).map_err(|why| malformed_field("name", why))?;
    let class = fields.required_text("class", 16)?;
    let class = ProductClass::ALL.into_iter().find(|known| known.name() == class);
    let switch = |name| Ok::<_, Problem>(fields.switch_if(name)?.unwrap_or(Switch::Off));
    Ok(Fact::Product(ProductFact::AccountDeclared {
        declared: DeclaredAccount {
            name: name.into(),
            class: class.ok_or_else(|| {
                wrong("class", "must be asset, liability, equity, income or expense")
            })?,
            per_customer: switch("per_customer")?,
            overdraft: switch("overdraft")?,
            commodity: commodity(fields, state)?,
        },
        decided_by: decided_by(fields)?,
    }))
}

/// The commodity that an account counts; none for reais. A unit gets its number when it is decided.
fn commodity(fields: &Fields<'_>, state: &State) -> Result<Option<Commodity>, Problem> {
    let Some(unit) = fields.value(UNIT.name) else {
        if fields.value(ASSET.name).is_none() {
            return Ok(None);
        }
        let (asset, _) = asset(fields, state)?;
        return Ok(Some(Commodity::Asset(asset)));
    };
    if fields.value(ASSET.name).is_some() {
        return Err(wrong(UNIT.name, "excludes asset"));
    }
    let unit = Fields::new(unit, fields.tokens(), fields.ledger())?;
    unit.only(UNIT_FIELDS)?;
    let name = unit.declared_text(&UNIT_NAME)?.ok_or_else(|| missing(UNIT_NAME.name))?;
    Unit::well_named(name).map_err(|why| malformed_field(UNIT.name, why))?;
    let scale = unit.whole_if(DECIMALS.name, MOST_DECIMALS)?;
    let scale = scale.and_then(|decimals| Scale::new(u8::try_from(decimals).ok()?));
    let scale = scale.ok_or_else(|| missing(DECIMALS.name))?;
    Ok(Some(Commodity::Unit(Unit { name: name.into(), scale, asset: AssetId(0) })))
}

fn legs(fields: &Fields<'_>, state: &State) -> Result<Option<Box<[Leg]>>, Problem> {
    let Some(legs) = fields.objects(LEGS.name, leg)? else { return Ok(None) };
    Leg::check_balance(&legs).map_err(|why| {
        uneven_legs(&legs, state).unwrap_or_else(|| malformed_field(LEGS.name, why))
    })?;
    Ok(Some(legs.into()))
}

/// The refusal of legs or a template that do not balance in each unit by itself.
pub(in crate::contract) fn uneven_unit(what: &Intent, state: &State) -> Option<Problem> {
    let Intent::Fact(reported) = what else { return None };
    match reported.fact.bare() {
        Fact::Product(
            ProductFact::EntryPosted { legs, .. }
            | ProductFact::EntryReversed { legs: Some(legs), .. },
        ) => uneven_legs(legs, state),
        Fact::Product(ProductFact::TemplateAdopted { template, .. }) => {
            let unit = state.unproven_unit(template)?;
            let why = format!("cannot be adopted: it cannot be proven to balance in {unit}");
            Some(wrong("template", &why))
        }
        _ => None,
    }
}

fn uneven_legs(legs: &[Leg], state: &State) -> Option<Problem> {
    let (unit, [debits, credits]) = state.unbalanced_unit(legs)?;
    let why = format!("must balance in {unit}: debits are {debits}, credits {credits}");
    Some(wrong(LEGS.name, &why))
}

fn leg(item: &Fields<'_>) -> Result<Leg, Problem> {
    item.only(LEG)?;
    let (side, amount) = match (item.amount_if("debit_cents")?, item.amount_if("credit_cents")?) {
        (Some(amount), None) => (Side::Debit, amount),
        (None, Some(amount)) => (Side::Credit, amount),
        (None, None) => return Err(missing("debit_cents or credit_cents")),
        (Some(_), Some(_)) => return Err(wrong("credit_cents", "excludes debit_cents")),
    };
    let (account, holder) = leg_account(item)?;
    Ok(Leg { account, holder, side, amount })
}

/// The account of a leg: its name, and whose it is.
pub(in crate::contract) fn leg_account(
    item: &Fields<'_>,
) -> Result<(Box<str>, Option<Holder>), Problem> {
    let holder = holder_if(item)?;
    Ok((item.required_text("name", 64)?.into(), holder))
}

/// Brings a balance.
const OPENED: FactShape = FactShape {
    kind: FactKind::BalanceOpened,
    name: "balance.opened",
    subject: Subject::Ledger,
    meaning: "A company brings a balance that a customer or the house had elsewhere; it is available \
              at once, counts against no limit, and is debited to equity.opening.",
    fields: &[
        ID,
        required("of", Object(OF), "whose it is"),
        AMOUNT,
        optional("description", Text(255), "what the customer's statement says"),
        ACTOR,
        REASON,
        EVIDENCE,
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"balance.opened","body":{"id":"opening-1","of":{"account":"loja","customer_ref":"ana"},"amount_cents":125000,"description":"Saldo anterior","actor":"bia","reason":"migration"}}"#,
    read: |fields, _| {
        let holder = holder_if(fields)?.ok_or_else(|| missing("of"))?;
        Ok(Fact::Product(ProductFact::BalanceOpened {
            holder,
            amount: fields.amount("amount_cents")?,
            note: description(fields)?,
            decided_by: decided_by(fields)?,
        }))
    },
};

/// Closes an account for opening balances.
const CLOSED: FactShape = FactShape {
    kind: FactKind::OpeningBalancesClosed,
    name: "opening_balances.closed",
    subject: Subject::Account,
    meaning: "An account takes no opening balances any more: all that come later are set aside.",
    fields: &[ID, ACCOUNT, ACTOR, REASON, EVIDENCE],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"opening_balances.closed","body":{"id":"closed-1","account":"loja","actor":"bia","reason":"every balance is here"}}"#,
    read: |fields, _| {
        Ok(Fact::Product(ProductFact::OpeningBalancesClosed {
            account: account(fields)?,
            decided_by: decided_by(fields)?,
        }))
    },
};
