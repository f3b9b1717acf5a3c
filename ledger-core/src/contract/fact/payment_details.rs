//! What a fact reports besides, and every later answer shows (rulings 57).

use serde_json::Value;

use crate::contract::error::{Problem, wrong};
use crate::contract::input::fields::Fields;
use crate::contract::input::tokens::Vault;
use crate::contract::object::Json;
use crate::contract::schema::bounds::checked;
use crate::contract::schema::field::FieldType::Text;
use crate::contract::schema::field::{Field, optional, required};
use crate::contract::schema::shared::CHAIN;
use crate::contract::views::{Recall, Views};
use crate::id::Token;
use crate::ledger::{Fact, FactDetails, NetworkPage, PixDetails, Scope};
use crate::pix::{Document, Letters};

pub(in crate::contract) const RECIPIENT_NAME: Field =
    optional("recipient_name", Text(255), "the recipient's name");
pub(in crate::contract) const RECIPIENT_DOCUMENT: Field = optional(
    "recipient_document",
    Text(32),
    "the recipient's CPF or CNPJ, digits only, or a masked CPF",
);
pub(in crate::contract) const INSTITUTION: Field =
    optional("institution", Text(255), "the recipient's institution");
pub(in crate::contract) const SETTLED_BY: Field =
    optional("settled_by", Text(255), "who settled the PIX");
pub(in crate::contract) const RECEIPT_URL: Field =
    optional("receipt_url", Text(512), "where its receipt is: an https:// address");

pub(in crate::contract) const PAID_BY: Field = optional(
    "payer_tax_number",
    Text(32),
    "the CPF or CNPJ of whoever paid, digits only, or a masked CPF",
);

/// The most networks whose pages one fact may name.
const MOST_PAGES: usize = 1_000;

/// A fact of a PIX that was received, with what is reported of it besides.
pub(in crate::contract) fn of_received_pix(
    fields: &mut Fields<'_>,
    fact: Fact,
) -> Result<Fact, Problem> {
    let payer = document(fields, PAID_BY.name)?;
    let settled = settlement_details(fields)?;
    Ok(with_details(fact, PixDetails { receipt_url: address(fields)?, payer, ..settled }))
}

/// A fact of a PIX that was sent, with what is reported of it besides.
pub(in crate::contract) fn of_sent_pix(
    fields: &mut Fields<'_>,
    fact: Fact,
) -> Result<Fact, Problem> {
    let sent = sent_details(fields)?;
    Ok(with_details(fact, PixDetails { receipt_url: address(fields)?, ..sent }))
}

/// A fact of a PIX that was sent and itself says where its receipt is, which is not reported twice.
pub(in crate::contract) fn of_documented_pix(
    fields: &mut Fields<'_>,
    fact: Fact,
) -> Result<Fact, Problem> {
    Ok(with_details(fact, sent_details(fields)?))
}

fn with_details(fact: Fact, details: PixDetails) -> Fact {
    fact.with((!details.is_blank()).then(|| FactDetails::Pix(Box::new(details))))
}

fn sent_details(fields: &mut Fields<'_>) -> Result<PixDetails, Problem> {
    let name = fields.text(RECIPIENT_NAME.name, 255)?.map(|name| fields.tokens().name(name));
    let recipient = name.map(|name| fields.keep(name));
    let document = document(fields, RECIPIENT_DOCUMENT.name)?;
    Ok(PixDetails { recipient, document, ..settlement_details(fields)? })
}

fn settlement_details(fields: &Fields<'_>) -> Result<PixDetails, Problem> {
    Ok(PixDetails {
        recipient: None,
        document: None,
        institution: fields.text(INSTITUTION.name, 255)?.map(Into::into),
        settled_by: fields.text(SETTLED_BY.name, 255)?.map(Into::into),
        receipt_url: None,
        payer: None,
    })
}

fn document(fields: &mut Fields<'_>, name: &str) -> Result<Option<Token>, Problem> {
    let Some(text) = fields.text(name, 32)? else { return Ok(None) };
    let personal = match Document::parse(text, Letters::Accepted) {
        Some(document) => fields.tokens().document(&document),
        None if is_masked(text) => fields.tokens().masked_document(text),
        None => {
            return Err(wrong(name, "must be a CPF or CNPJ, or a CPF masked as ***.123.456-**"));
        }
    };
    Ok(Some(fields.keep(personal)))
}

/// Tells whether text is a CPF of which a bank shows the middle: `***.982.247-**`.
fn is_masked(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '*' | '.' | '-');
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let stars = text.bytes().filter(|b| *b == b'*').count();
    text.chars().all(plain) && digits <= 6 && digits + stars == 11
}

fn address(fields: &Fields<'_>) -> Result<Option<Box<str>>, Problem> {
    match fields.text(RECEIPT_URL.name, 512)? {
        Some(url) if !url.starts_with("https://") => {
            Err(wrong(RECEIPT_URL.name, "must be an https:// address"))
        }
        url => Ok(url.map(Into::into)),
    }
}

/// The networks of a catalogue whose pages are named.
pub(in crate::contract) const PAGE: &[Field] = &[CHAIN, TX_URL];

const TX_URL: Field =
    required("tx_url", Text(255), "an https:// address with {tx} where the hash stands");

checked!(
    enum FactDetails {
        Pix(details),
        Pages(pages),
    } else Metadata
);
checked!(PixDetails { institution: INSTITUTION, settled_by: SETTLED_BY, receipt_url: RECEIPT_URL });
checked!(NetworkPage { chain: CHAIN, template: TX_URL });

/// A fact of the catalogue, with the pages of networks that it names besides.
pub(in crate::contract) fn of_networks(fields: &Fields<'_>, fact: Fact) -> Result<Fact, Problem> {
    Ok(fact.with(pages(fields)?.map(FactDetails::Pages)))
}

fn pages(fields: &Fields<'_>) -> Result<Option<Vec<NetworkPage>>, Problem> {
    let items = match fields.value("networks") {
        None => return Ok(None),
        Some(Value::Array(items)) if (1..=MOST_PAGES).contains(&items.len()) => items,
        Some(_) => return Err(wrong("networks", "must be an array of 1 to 1,000 objects")),
    };
    let page = |(index, item): (usize, &Value)| {
        let place = |name: &str| format!("networks[{index}].{name}");
        let item = Fields::new(item, fields.tokens(), fields.ledger())?;
        item.only(PAGE)?;
        let template = item.required_text("tx_url", 255)?;
        if !template.starts_with("https://") || !template.contains("{tx}") {
            return Err(wrong(&place("tx_url"), "must be an https:// address with {tx} in it"));
        }
        Ok(NetworkPage {
            chain: item.required_text("chain", 32)?.into(),
            template: template.into(),
        })
    };
    items.iter().enumerate().map(page).collect::<Result<_, Problem>>().map(Some)
}

impl<A: Recall, V: Vault> Views<'_, A, V> {
    /// Adds to a view what was reported of its PIX, where it was (rulings 57).
    pub(in crate::contract) fn show_details(
        &self,
        view: &mut Json<'_>,
        scope: Scope,
        e2e: Option<&str>,
    ) {
        let Some(details) = e2e.map(|e2e| self.archive.details_of(scope, e2e)) else { return };
        let PixDetails { recipient, document, institution, settled_by, receipt_url, payer: _ } =
            details;
        let shown = [
            ("recipient_name", recipient.map(|token| self.value(token))),
            ("recipient_document", document.map(|token| self.mask(token))),
            ("institution", institution.map(String::from)),
            ("settled_by", settled_by.map(String::from)),
            ("receipt_url", receipt_url.map(String::from)),
        ];
        for (name, value) in shown {
            if let Some(value) = value {
                view[name] = value.into();
            }
        }
    }
}
