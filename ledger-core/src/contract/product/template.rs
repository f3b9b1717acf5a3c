//! Facts of templates: adopted once they are proven to balance, and posted by amounts and holders.

use serde_json::Value;

use super::{OF, holder};
use crate::accounting::Side;
use crate::contract::error::{Problem, malformed_field, wrong};
use crate::contract::fact::parts::{ACTOR, EVIDENCE, ID, REASON, decided_by, description};
use crate::contract::fact::shape::{FactShape, Subject};
use crate::contract::input::fields::{Fields, missing};
use crate::contract::schema::bounds::{Bound as _, Checked, refuse_field};
use crate::contract::schema::field::FieldType::{CentavosOrZero, List, Objects, Text, Whole};
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::metadata::METADATA;
use crate::ledger::product::{Fact as ProductFact, NamedAmount, NamedHolder, TemplatePosting};
use crate::ledger::{Fact, FactDetails, FactKind, Malformed, Refusal};
use crate::template::{AmountParameter, Program, Template, TemplateLeg, Unproven};

const NAME: Field = required(
    "name",
    Text(64),
    "the template's name; adopted under a name that is known it is that name's next version",
);
const LEGS: Field = required(
    "legs",
    Objects(LEG),
    "2 to 100 legs, each of another account; what each comes to is an expression over the amounts: \
     whole numbers, + - *, min(a, b), max(a, b), and quotients that say how they are rounded, \
     down(a / 100), up(a / 100) or half_even(a / 100); one leg may be `rest`",
);
const AMOUNTS: Field =
    required("amounts", Objects(AMOUNT), "1 to 16 numbers that a posting gives: centavos, rates");
const HOLDERS: Field =
    optional("holders", List, "up to 16 names of subaccounts that a posting gives");
const CONDITIONS: Field = optional(
    "conditions",
    List,
    "up to 16 comparisons of expressions, by < <= = >= or >, such as `valor >= 100`; where one does \
     not hold, nothing is posted",
);

/// An amount of a template.
const AMOUNT: &[Field] = &[
    required("name", Text(32), "its name in the expressions: lower-case letters, digits and _"),
    required("from", CentavosOrZero, "the least it may be"),
    required("to", CentavosOrZero, "the most it may be"),
];

/// A leg of a template.
const LEG: &[Field] = &[
    required("name", Text(64), "the account's name, as legs of entries have it"),
    optional("of", Text(32), "whose it is: one of the template's holders"),
    optional("debit", Text(255), "what is debited; a leg has this or the other"),
    optional("credit", Text(255), "what is credited"),
];

/// A value for an amount.
const VALUE: &[Field] = &[
    required("name", Text(32), "the amount's name in the template"),
    required("value", CentavosOrZero, "its value, within the amount's range"),
];

/// A subaccount for a holder.
const HOLDER: &[Field] =
    &[required("name", Text(32), "the holder's name in the template"), OF[0], OF[1]];

impl Checked for Box<Template> {
    fn check_bounds(&self) -> Result<(), Refusal> {
        NAME.holds(&self.name)?;
        let accounts = self.legs.iter().map(|leg| (&leg.account, 64));
        let amounts = self.legs.iter().map(|leg| (&leg.amount, 255));
        for (text, most) in accounts.chain(amounts) {
            refuse_field(LEGS.name, Malformed::text(text, most))?;
        }
        for text in &self.conditions {
            refuse_field(CONDITIONS.name, Malformed::text(text, 255))?;
        }
        refuse_field("template", proven(self).map_err(Malformed::Template))
    }
}

impl Checked for Box<TemplatePosting> {
    fn check_bounds(&self) -> Result<(), Refusal> {
        self.holders.iter().try_for_each(|named| named.holder.check_bounds())
    }
}

/// Reads a template and proves it.
fn proven(template: &Template) -> Result<(), Unproven> {
    Program::read(template)?.prove()
}

/// Adopts a template.
pub(super) const ADOPTED: FactShape = FactShape {
    kind: FactKind::TemplateAdopted,
    name: "template.adopted",
    subject: Subject::Ledger,
    meaning: "A product has a kind of entry whose amounts follow from parameters, proven to balance \
              for all of them; what cannot be proven is refused.",
    fields: &[ID, NAME, AMOUNTS, HOLDERS, LEGS, CONDITIONS, ACTOR, REASON, EVIDENCE],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"template.adopted","body":{"id":"tpl-1","name":"venda","amounts":[{"name":"valor","from":100,"to":10000000},{"name":"taxa_bps","from":0,"to":1000}],"holders":["comprador","vendedor"],"legs":[{"name":"cust.avail","of":"comprador","debit":"valor"},{"name":"taxas.venda","credit":"min(half_even(valor * taxa_bps / 10000), 5000)"},{"name":"cust.avail","of":"vendedor","credit":"rest"}],"actor":"bia","reason":"sale of the marketplace"}}"#,
    read: |fields, _| {
        let template = template(fields)?;
        proven(&template).map_err(|why| malformed_field("template", Malformed::Template(why)))?;
        Ok(Fact::Product(ProductFact::TemplateAdopted {
            template: Box::new(template),
            decided_by: decided_by(fields)?,
        }))
    },
};

/// Posts an entry by a template.
pub(super) const POSTED: FactShape = FactShape {
    kind: FactKind::TemplatePosted,
    name: "template.posted",
    subject: Subject::Ledger,
    meaning: "A product posts an entry by a template, which gives each leg's amount; a customer \
              spends no more than is available.",
    fields: &[
        ID,
        required("template", Text(64), "the template's name"),
        optional("version", Whole(1, u16::MAX), "its version; absent: the latest"),
        required("amounts", Objects(VALUE), "a value for each of its amounts"),
        optional("holders", Objects(HOLDER), "a subaccount for each of its holders"),
        optional("description", Text(255), "what statements of the customers say"),
        METADATA,
        ACTOR,
        REASON,
        EVIDENCE,
    ],
    example: r#"{"at":"2026-11-20T12:00:00Z","fact":"template.posted","body":{"id":"sale-1","template":"venda","amounts":[{"name":"valor","value":10000},{"name":"taxa_bps","value":250}],"holders":[{"name":"comprador","account":"loja","customer_ref":"ana"},{"name":"vendedor","account":"loja","customer_ref":"bia"}],"description":"Venda 1","actor":"bia","reason":"order 1"}}"#,
    read: |fields, _| {
        let posting = Box::new(posting(fields)?);
        let (note, decided_by) = (description(fields)?, decided_by(fields)?);
        let fact = Fact::Product(ProductFact::TemplatePosted { posting, note, decided_by });
        Ok(fact.with(fields.metadata()?.map(FactDetails::Metadata)))
    },
};

fn template(fields: &Fields<'_>) -> Result<Template, Problem> {
    let amounts = fields.objects("amounts", |item| {
        item.only(AMOUNT)?;
        let bound = |name| Ok::<_, Problem>(whole(item, name)?.unsigned_abs());
        let name = item.required_text("name", 32)?.into();
        Ok(AmountParameter { name, from: bound("from")?, to: bound("to")? })
    })?;
    let legs = fields.objects("legs", |item| {
        item.only(LEG)?;
        let (side, amount) = match (item.text("debit", 255)?, item.text("credit", 255)?) {
            (Some(amount), None) => (Side::Debit, amount),
            (None, Some(amount)) => (Side::Credit, amount),
            (None, None) => return Err(missing("debit or credit")),
            (Some(_), Some(_)) => return Err(wrong("credit", "excludes debit")),
        };
        let account = item.required_text("name", 64)?.into();
        let holder = item.text("of", 32)?.map(Into::into);
        Ok(TemplateLeg { account, holder, side, amount: amount.into() })
    })?;
    Ok(Template {
        name: fields.required_text("name", 64)?.into(),
        amounts: amounts.ok_or_else(|| missing("amounts"))?,
        holders: texts(fields, "holders", 32)?,
        legs: legs.ok_or_else(|| missing("legs"))?,
        conditions: texts(fields, "conditions", 255)?,
    })
}

fn posting(fields: &Fields<'_>) -> Result<TemplatePosting, Problem> {
    let amounts = fields.objects("amounts", |item| {
        item.only(VALUE)?;
        Ok(NamedAmount {
            name: item.required_text("name", 32)?.into(),
            value: whole(item, "value")?,
        })
    })?;
    let holders = fields.objects("holders", |item| {
        item.only(HOLDER)?;
        let name = item.required_text("name", 32)?.into();
        Ok(NamedHolder { name, holder: holder(item)? })
    })?;
    Ok(TemplatePosting {
        template: fields.required_text("template", 64)?.into(),
        version: fields.whole_if("version", u16::MAX)?.map(u32::from),
        amounts: amounts.ok_or_else(|| missing("amounts"))?.into(),
        holders: holders.unwrap_or_default().into(),
    })
}

/// A list of texts; absent, an empty one.
fn texts(fields: &Fields<'_>, name: &str, most: usize) -> Result<Vec<Box<str>>, Problem> {
    let items = match fields.value(name) {
        None => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(wrong(name, "must be an array of strings")),
    };
    let text = |(place, item): (usize, &Value)| {
        let place = format!("{name}[{place}]");
        let text = item.as_str().ok_or_else(|| wrong(&place, "must be a string"))?;
        Malformed::text(text, most).map_err(|why| malformed_field(&place, why))?;
        Ok(text.into())
    };
    items.iter().enumerate().map(text).collect()
}

/// A whole number of zero or more that must be given.
fn whole(item: &Fields<'_>, name: &str) -> Result<i64, Problem> {
    let number = item.share_if(name)?.ok_or_else(|| missing(name))?;
    Ok(number.cents())
}
