//! Fields of several values, and of personal ones, which are compared by their tokens: alike of a
//! fact that repeats and of the record that made it known.

use std::collections::BTreeMap;

use super::text::{FieldText, debug, plain_decimal, token, word};
use crate::accounting::{
    Commodity, DayAccount, DeclaredAccount, OpenCount, ReceivedStatement, Side,
};
use crate::hexadecimal::digits;
use crate::id::{AssetId, ChainId, EvidenceHash, Token};
use crate::ledger::agent::Fact as AgentFact;
use crate::ledger::cell::Fact as CellFact;
use crate::ledger::closing::Fact as ClosingFact;
use crate::ledger::product::{Fact as ProductFact, Holder, Leg};
use crate::ledger::purchase::Fact as PurchaseFact;
use crate::ledger::{Event, Fact, FactDetails, NetworkPage, PixDetails, SaleReport};
use crate::money::Cents;
use crate::template::Template;
use crate::terms::{Listing, Mandate, Market};
use crate::time::Instant;

/// The fields of a fact that its body alone does not tell.
pub(super) fn compound_fields(fact: &Fact) -> Vec<FieldText> {
    let mut fields = match fact.bare() {
        Fact::Cell(CellFact::Arriving { carried, .. }) => vec![debug("carried", carried)],
        Fact::Product(fact) => product_fields(fact),
        Fact::Purchase(PurchaseFact::CatalogueUpdated { listed, dropped }) => {
            catalogue_fields(listed, dropped)
        }
        Fact::Purchase(PurchaseFact::MarketsUpdated { opened, closed }) => {
            market_fields(opened, closed)
        }
        Fact::Sale { report: SaleReport::Cleared { pix_key: Some(key), .. }, .. } => {
            vec![("pix_key", Some(token(key.token)))]
        }
        Fact::Agent(AgentFact::Activated(newcomer)) => agent_fields(
            &newcomer.id,
            (newcomer.name, newcomer.contact, &newcomer.capabilities),
            (&newcomer.settlement, &newcomer.referral, &newcomer.mandate),
        ),
        Fact::Closing(ClosingFact::StatementReceived { statement, .. }) => {
            statement_fields(statement)
        }
        Fact::Closing(ClosingFact::DayClosed { day, .. }) => day_fields(
            day.day.day_begins_in_brasilia(),
            (&day.accounts, &day.statements, day.matching, &day.open),
        ),
        Fact::Closing(ClosingFact::DayReopened { day: noon, .. }) => {
            vec![day(noon.day_begins_in_brasilia())]
        }
        _ => Vec::new(),
    };
    if let Fact::Described { beside, .. } = fact {
        match beside {
            FactDetails::Pix(details) => fields.extend(details_fields(details)),
            FactDetails::Pages(pages) => fields.push(page_field(pages)),
            FactDetails::Metadata(metadata) => {
                fields.push(("metadata", Some(token(*metadata))));
            }
        }
    }
    fields
}

fn product_fields(fact: &ProductFact) -> Vec<FieldText> {
    match fact {
        ProductFact::EntryPosted { legs, .. }
        | ProductFact::EntryReversed { legs: Some(legs), .. } => {
            vec![debug("legs", &named_legs(legs))]
        }
        ProductFact::TemplateAdopted { template, .. } => template_fields(template),
        ProductFact::BalanceOpened { holder, .. } => vec![debug("of", holder)],
        ProductFact::AccountDeclared { declared, .. } => vec![unit_field(declared)],
        ProductFact::EntryReversed { legs: None, .. }
        | ProductFact::TemplatePosted { .. }
        | ProductFact::OpeningBalancesClosed { .. } => Vec::new(),
    }
}

/// The account of a leg, as the wire names it.
pub(super) type LegAccount = (Box<str>, Option<Holder>);

/// The centavos that each account is credited, below zero where it is debited.
pub(super) type Legs = BTreeMap<LegAccount, i128>;

/// The legs of a body, as a record has them.
pub(super) fn named_legs(legs: &[Leg]) -> Legs {
    let cents = |leg: &Leg| {
        let cents = i128::from(leg.amount.cents());
        if leg.side == Side::Credit { cents } else { -cents }
    };
    legs.iter().map(|leg| ((leg.account.clone(), leg.holder.clone()), cents(leg))).collect()
}

/// The unit of its own that a product's account counts.
pub(super) fn unit_field(declared: &DeclaredAccount) -> FieldText {
    let unit = declared.commodity.as_ref().and_then(Commodity::unit);
    unit.map_or(("unit", None), |unit| debug("unit", &(&unit.name, unit.scale)))
}

/// Fields of what is listed, on offer for buyers or sellers, and of prices.
pub(super) fn listed_fields(event: &Event) -> Vec<FieldText> {
    match event {
        // The pages of networks, where they were named, are another event.
        Event::CatalogueUpdated { listed, dropped } => {
            catalogue_fields(listed, dropped).into_iter().chain([("networks", None)]).collect()
        }
        Event::NetworkPages(pages) => vec![page_field(pages)],
        Event::MarketsUpdated { opened, closed } => market_fields(opened, closed),
        Event::RateQuoted { asset, quote } => vec![
            word("asset", asset),
            ("brl_per_unit", Some(plain_decimal(&quote.price.text()))),
            word("source", &quote.source),
            ("quoted_at", Some(quote.at.to_string())),
        ],
        _ => Vec::new(),
    }
}

/// The numbers of assets and networks are the ledger's own: a body names them.
fn catalogue_fields(listed: &[Listing], dropped: &[(Box<str>, Box<str>)]) -> Vec<FieldText> {
    let unnumbered = |listing: &Listing| {
        let (asset, chain) = (AssetId(0), ChainId(0));
        Listing { asset, chain, ..listing.clone() }
    };
    let listed: Vec<_> = listed.iter().map(unnumbered).collect();
    vec![debug("items", &listed), debug("dropped", &dropped)]
}

fn market_fields(opened: &[Market], closed: &[(Box<str>, Box<str>)]) -> Vec<FieldText> {
    let unnumbered = |market: &Market| {
        let (asset, chain) = (AssetId(0), ChainId(0));
        Market { asset, chain, ..market.clone() }
    };
    let opened: Vec<_> = opened.iter().map(unnumbered).collect();
    vec![debug("items", &opened), debug("dropped", &closed)]
}

fn page_field(pages: &[NetworkPage]) -> FieldText {
    debug("networks", &pages)
}

/// Fields of what is reported of a PIX besides.
pub(super) fn details_fields(details: &PixDetails) -> Vec<FieldText> {
    let PixDetails { recipient, document, institution, settled_by, receipt_url, payer } = details;
    let plain = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
    vec![
        ("recipient_name", recipient.map(token)),
        ("recipient_document", document.map(token)),
        ("payer_tax_number", payer.map(token)),
        ("institution", plain(institution)),
        ("settled_by", plain(settled_by)),
        ("receipt_url", plain(receipt_url)),
    ]
}

/// Fields of an agent: its name, contact and capabilities; its wallet, referral and mandate.
pub(super) fn agent_fields(
    id: &str,
    (name, contact, capabilities): (Token, Token, &[Box<str>]),
    (settlement, referral, mandate): (&str, &Option<Box<str>>, &Mandate),
) -> Vec<FieldText> {
    let most = |cents: Option<Cents>| cents.map(|most| most.cents().to_string());
    vec![
        word("agent_id", id),
        ("name", Some(token(name))),
        ("contact", Some(token(contact))),
        debug("capabilities", &capabilities),
        word("settlement_address", settlement),
        ("referral", referral.as_deref().map(str::to_owned)),
        ("max_por_operacao_cents", most(mandate.per_operation)),
        ("max_diario_cents", most(mandate.daily)),
        debug("contrapartes", &mandate.counterparties),
    ]
}

/// Fields of statements and of days.
pub(super) fn closing_fields(event: &Event) -> Vec<FieldText> {
    match event {
        Event::StatementReceived(statement) => statement_fields(statement),
        Event::DayClosed(close) => day_fields(
            close.begins,
            (&close.accounts, &close.statements, close.matching, &close.open),
        ),
        Event::DayReopened { begins } => vec![day(*begins)],
        _ => Vec::new(),
    }
}

/// Fields of a statement.
fn statement_fields(statement: &ReceivedStatement) -> Vec<FieldText> {
    let moment = |name, at: Instant| (name, Some(at.to_string()));
    vec![
        hash("sha256", statement.sha256),
        word("source", statement.source.name()),
        word("origin", &statement.origin),
        moment("begins", statement.begins),
        moment("ends", statement.ends),
        ("made_at", statement.made_at.map(|at| at.to_string())),
        debug("totals", &statement.totals),
    ]
}

/// Fields of a day as it was closed.
fn day_fields(
    begins: Instant,
    (accounts, statements, matching, open): (
        &[DayAccount],
        &[EvidenceHash],
        Option<EvidenceHash>,
        &[OpenCount],
    ),
) -> Vec<FieldText> {
    vec![
        day(begins),
        debug("accounts", &accounts),
        debug("statements", &statements),
        matching.map_or(("matching_sha256", None), |matching| hash("matching_sha256", matching)),
        debug("open", &open),
    ]
}

/// The day in Brasília, by its first instant.
fn day(begins: Instant) -> FieldText {
    ("day", Some(begins.to_string()))
}

/// Fields of a template.
pub(super) fn template_fields(template: &Template) -> Vec<FieldText> {
    vec![
        word("name", &template.name),
        debug("amounts", &template.amounts),
        debug("holders", &template.holders),
        debug("legs", &template.legs),
        debug("conditions", &template.conditions),
    ]
}

fn hash(name: &'static str, hash: EvidenceHash) -> FieldText {
    (name, Some(digits(&hash.0)))
}
