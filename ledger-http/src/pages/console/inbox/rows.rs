//! Rows: what the archive knows of each operation, and how a row is shown.

use std::sync::Arc;

use ledger_core::id::OpId;
use ledger_store::sequencer::Sequencer;
use serde_json::Value;

use super::Inbox;
use super::assigning::{href, in_one_line};
use super::items::Item;
use crate::pages::console::deciding::form_of;
use crate::pages::console::frame::Frame;
use crate::pages::format::age;
use crate::pages::lang::Lang;
use crate::pages::layout::{Cell, Table};
use crate::pages::ledger::suspense::{self, SetAside};
use crate::pages::ledger::viewer::form_encode;
use crate::pages::ledger::words;

/// How many operations one read looks up.
const TURN: usize = 200;

/// What an operation is called: by us, and by its client.
pub(super) struct Named {
    pub(super) op: OpId,
    pub(super) id: String,
    pub(super) customer: String,
    pub(super) external_id: String,
    /// The operation that a value in suspense names.
    pub(super) about: String,
    /// The reason, PIX and payer of a value in suspense.
    pub(super) aside: Option<SetAside>,
    /// The account of the operation, or that has to do with a value in suspense.
    pub(super) account: Option<Box<str>>,
}

/// Returns what these operations are called, in their order; none where the ledger gives no answer.
pub(super) async fn fetch_names(frame: &Frame, ops: Vec<OpId>) -> Option<Vec<Named>> {
    let ledger = Arc::clone(frame.ledger());
    let mut all = Vec::with_capacity(ops.len());
    for some in ops.chunks(TURN) {
        let some = some.to_vec();
        let read = ledger
            .read(move |sequencer| some.iter().map(|op| name(sequencer, *op)).collect::<Vec<_>>());
        all.extend(read.await.ok()?);
    }
    Some(all)
}

fn name(sequencer: &Sequencer, op: OpId) -> Named {
    let views = sequencer.views();
    let id = op.text(&views.state.name);
    let nothing = String::new;
    let Some(operation) = views.operation(op) else {
        let (customer, external_id, about) = (nothing(), nothing(), nothing());
        return Named { op, id, customer, external_id, about, aside: None, account: None };
    };
    let about = operation.machine.waits_about();
    // A value in suspense is called by nobody, but may name what it came for.
    let of = about.and_then(|about| Some((about, views.operation(about)?)));
    let view = match &of {
        Some((about, operation)) => views.creation_response(*about, operation),
        None => views.creation_response(op, &operation),
    };
    let text = |name: &str| view.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let about = about.map(|about| about.text(&views.state.name)).unwrap_or_default();
    let aside = suspense::find(sequencer, op);
    let account = aside.as_ref().and_then(|aside| aside.account);
    let account = account.or_else(|| views.state.owner_of(&operation));
    let account = account.and_then(|account| views.state.account(account));
    let account = account.map(|known| (*known.name).into());
    let (customer, external_id) = (text("customer_ref"), text("external_id"));
    Named { op, id, customer, external_id, about, aside, account }
}

/// The rows that are shown.
pub(super) fn table<'a>(
    frame: &Frame,
    inbox: &Inbox,
    shown: impl Iterator<Item = (&'a Item, &'a Named)>,
) -> Table {
    let viewer = &frame.viewer;
    let lang = viewer.lang;
    let nothing = if inbox.asked.narrows() {
        viewer.t("Nada passa por este filtro.", "Nothing passes this filter.")
    } else {
        viewer.t("Nada espera e nada está parado.", "Nothing waits, and nothing hangs.")
    };
    let mut table = Table::new("", nothing)
        .column(lang.t("Por quê", "Why"))
        .numbers(lang.t("Valor", "Amount"))
        .numbers(lang.t("Idade", "Age"))
        .column(lang.t("O que encerra", "What ends it"))
        .column(lang.t("Com quem", "With whom"))
        .column(lang.t("Conta", "Account"))
        .column(lang.t("Cliente", "Customer"))
        .column(lang.t("ID do cliente", "External id"))
        .column("PIX")
        .column(lang.t("Operação", "Operation"));
    let decides = frame.service.operators().is_some();
    for (item, named) in shown {
        let account = named
            .account(item)
            .map_or_else(Cell::default, |name| Cell::text(name).to(viewer.account(name, None)));
        let customer = match named.account(item) {
            Some(account) if !named.customer.is_empty() => {
                Cell::text(&*named.customer).to(viewer.account(account, Some(&named.customer)))
            }
            _ => Cell::text(&*named.customer),
        };
        let ends = Cell::text(item.reason.ends(item.decision, lang));
        let ends = match item.decision.filter(|_| decides) {
            Some(decision) => {
                let mut href = form_of(viewer, decision, (item.op, &named.id));
                // What a value in suspense names is most often what it is for.
                if decision == "suspense.attached" && named.about.starts_with("ci_") {
                    href.push_str("&cashin_id=");
                    href.push_str(&named.about);
                }
                if let Some(recovery) = &item.recovery {
                    href.push_str("&recovery_id=");
                    href.push_str(&form_encode(recovery));
                }
                Cell { class: "go", ..ends.to(href) }
            }
            None => ends,
        };
        let external_id = match &*named.about {
            "" => Cell::code(&*named.external_id),
            about if named.external_id.is_empty() => viewer.operation_cell(about),
            about => Cell::code(&*named.external_id).to(viewer.operation(about)),
        };
        let why = format!("{}: {}", words::kind(item.op.kind(), lang), named.why(item, lang));
        table.rows.push(vec![
            Cell::text(why),
            Cell::number(format!("{} {}", item.sum.signed_text(lang), item.commodity)),
            Cell::number(age(item.since, inbox.now)),
            ends,
            Cell::text(in_one_line(item.assignment.as_ref(), lang)).to(href(viewer, &named.id)),
            account,
            customer,
            external_id,
            Cell::code(named.pix()),
            viewer.operation_cell(&named.id),
        ]);
    }
    table
}

impl Named {
    /// The account of an operation, or of what a value in suspense names.
    pub(super) fn account<'a>(&'a self, item: &'a Item) -> Option<&'a str> {
        item.account.as_deref().or(self.account.as_deref())
    }

    /// Says why an operation is here; of a value in suspense, why it was set aside.
    pub(super) fn why(&self, item: &Item, lang: Lang) -> String {
        let reason = self.aside.as_ref().and_then(|aside| aside.reason);
        reason.map_or_else(|| item.why(lang), |reason| suspense::why(reason, lang).to_owned())
    }

    /// The PIX that brought a value in suspense, and its payer's document as it is masked.
    fn pix(&self) -> String {
        let parts = self.aside.iter().flat_map(|aside| [&*aside.outside, &*aside.payer]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}
