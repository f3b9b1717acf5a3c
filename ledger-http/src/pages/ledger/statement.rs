//! The balance of a subaccount, what blocks it, and its statement.

use ledger_core::id::{AccountId, SubaccountId};
use ledger_core::ledger::Archive as _;
use ledger_core::machine::hold;
use ledger_store::sequencer::Sequencer;

use super::viewer::Viewer;
use super::words;
use crate::pages::chart::steps;
use crate::pages::format::{brl, count, local, reais};
use crate::pages::layout::{Cell, Figure, Section, Table};

/// How many rows of the statement stand on the first page of a subaccount.
const LATEST: u32 = 10;

/// How many rows of a list stand on a page.
pub(in crate::pages) const ROWS: u32 = 50;

/// Whose balance is looked at.
#[derive(Clone)]
pub(in crate::pages) struct Whose {
    /// The account's name.
    pub(in crate::pages) name: String,
    pub(in crate::pages) subaccount: SubaccountId,
    /// The customer's name; none for the house.
    pub(in crate::pages) customer: Option<String>,
}

impl Whose {
    /// A customer of an account, or its house; none of one that was never credited.
    pub(in crate::pages) fn find(
        sequencer: &Sequencer,
        account: AccountId,
        customer: Option<String>,
    ) -> Option<Self> {
        let known = sequencer.ledger().state.account(account)?;
        let name = known.name.to_string();
        let subaccount = sequencer.views().party(account, customer.as_deref())?;
        Some(Self { name, subaccount, customer })
    }

    /// The customer's name, or what the house is called.
    pub(in crate::pages) fn display_name(&self, viewer: &Viewer) -> String {
        self.customer.clone().unwrap_or_else(|| viewer.t("Casa", "House"))
    }
}

/// A subaccount's first page: what it has, what is blocked, how its balance went, its latest rows;
/// and for an account's house the subaccounts of the account, from the one after `after`.
pub(in crate::pages) fn overview(
    sequencer: &Sequencer,
    account: AccountId,
    whose: &Whose,
    viewer: &Viewer,
    after: Option<SubaccountId>,
) -> Vec<Section> {
    let mut sections = vec![figures(sequencer, whose, viewer)];
    sections.extend(blocked_sections(sequencer, whose, viewer));
    sections.extend(course(sequencer, whose, viewer));
    let mut latest = rows(sequencer, whose, viewer, (None, LATEST));
    latest.title = viewer.t("Últimos lançamentos", "Latest rows");
    let all = viewer.statement(&whose.name, whose.customer.as_deref());
    latest.next = Some((viewer.t("Extrato completo", "Whole statement"), all));
    sections.push(Section::Table(latest));
    if whose.customer.is_none() {
        sections.push(Section::Table(subaccounts(sequencer, account, viewer, after)));
    }
    sections
}

/// Returns what may be spent, what is blocked, and both together; each leads to its entries.
fn figures(sequencer: &Sequencer, whose: &Whose, viewer: &Viewer) -> Section {
    let state = &sequencer.ledger().state;
    let buckets = state.books.subaccount(whose.subaccount);
    let href = viewer.statement(&whose.name, whose.customer.as_deref());
    let figure = |name: String, cents: i64, note: String| Figure {
        name,
        value: Cell::number(brl(cents.into(), viewer.lang)).to(href.clone()),
        note,
    };
    let waiting = state.waiting_until(whose.subaccount, state.now).map(|until| {
        format!("{} {}", viewer.t("carência até", "waiting until"), local(until, viewer.lang))
    });
    let rows = count(buckets.rows.into(), viewer.lang);
    Section::Figures(vec![
        figure(
            viewer.t("Disponível", "Available"),
            buckets.available.cents(),
            waiting.unwrap_or_default(),
        ),
        figure(viewer.t("Bloqueado", "Blocked"), buckets.blocked_balance().cents(), String::new()),
        figure(
            viewer.t("Saldo", "Balance"),
            buckets.total().cents(),
            format!("{rows} {}", viewer.t("lançamentos", "rows")),
        ),
    ])
}

/// Returns what will be released, and what is held and why.
fn blocked_sections(sequencer: &Sequencer, whose: &Whose, viewer: &Viewer) -> Vec<Section> {
    let state = &sequencer.ledger().state;
    let lang = viewer.lang;
    let mut sections = Vec::new();
    let releases: Vec<Vec<Cell>> = state
        .releases(whose.subaccount)
        .take(ROWS as usize)
        .map(|(at, op, part)| {
            let id = op.text(&state.name);
            let amount = Cell::number(reais(part.cents().into(), lang)).to(viewer.operation(&id));
            vec![Cell::text(local(at, lang)), viewer.operation_cell(&id), amount]
        })
        .collect();
    if !releases.is_empty() {
        let table = Table::new(viewer.t("Próximas liberações", "Next releases"), "")
            .column(lang.t("Quando", "When"))
            .column(lang.t("Operação", "Operation"))
            .numbers("R$");
        sections.push(Section::Table(table.rows(releases)));
    }
    let held = state.holds_on(whose.subaccount).take(ROWS as usize).filter_map(|op| {
        let hold::State::Open(open) = state.open(op)?.hold()? else { return None };
        let id = op.text(&state.name);
        let until = open.order.ends_at.map_or_else(|| "–".to_owned(), |at| local(at, lang));
        Some(vec![
            Cell::text(words::hold(open.order.kind, lang)),
            viewer.operation_cell(&id),
            Cell::text(until),
            Cell::number(reais(open.order.requested.cents().into(), lang)),
            Cell::number(reais(open.blocked_cents().cents().into(), lang))
                .to(viewer.operation(&id)),
        ])
    });
    let held: Vec<_> = held.collect();
    if !held.is_empty() {
        let table = Table::new(viewer.t("Bloqueios", "Holds"), "")
            .column(lang.t("Por quê", "Why"))
            .column(lang.t("Operação", "Operation"))
            .column(lang.t("Até", "Until"))
            .numbers(lang.t("Pedido, R$", "Wanted, R$"))
            .numbers(lang.t("Bloqueado, R$", "Blocked, R$"));
        sections.push(Section::Table(table.rows(held)));
    }
    sections
}

/// How the balance stood after each of its last rows; nothing where there are fewer than three.
fn course(sequencer: &Sequencer, whose: &Whose, viewer: &Viewer) -> Option<Section> {
    let ledger = sequencer.ledger();
    let last = ledger.state.books.subaccount(whose.subaccount).rows;
    let drawn = last.saturating_sub(ROWS) + 1..=last;
    let rows = drawn.filter_map(|number| ledger.archive.row(whose.subaccount, number));
    let values: Vec<i128> = rows.map(|row| row.balance_after.cents().into()).collect();
    if values.len() < 3 {
        return None;
    }
    let title = viewer.t("Saldo após cada lançamento", "Balance after each row");
    let svg = steps(&title, &values, |cents| brl(cents, viewer.lang))?;
    Some(Section::Chart { title, svg })
}

/// Rows of the statement, the latest first: below row `before`, or from the last.
pub(in crate::pages) fn rows(
    sequencer: &Sequencer,
    whose: &Whose,
    viewer: &Viewer,
    (before, most): (Option<u32>, u32),
) -> Table {
    let ledger = sequencer.ledger();
    let lang = viewer.lang;
    let last = ledger.state.books.subaccount(whose.subaccount).rows;
    let first_shown = before.map_or(last, |before| before.saturating_sub(1).min(last));
    let shown = (first_shown.saturating_sub(most) + 1..=first_shown).rev();
    let mut table = Table::new("", viewer.t("Nenhum lançamento ainda.", "No rows yet."))
        .column(lang.t("Quando, Brasília", "When, Brasília"))
        .column(lang.t("Lançamento", "Row"))
        .numbers(lang.t("Valor, R$", "Value, R$"))
        .numbers(lang.t("Saldo após, R$", "Balance after, R$"));
    // The owner reads four columns on a phone; the value leads to the operation.
    let in_full = viewer.only.is_none();
    if in_full {
        table = table.column(lang.t("Operação", "Operation")).numbers(lang.t("Registro", "Record"));
    }
    for number in shown {
        let Some(row) = ledger.archive.row(whose.subaccount, number) else { break };
        let id = row.op.text(&ledger.state.name);
        let label = words::row(row.kind, row.nature, lang);
        let text = row.note.map_or_else(|| label.to_owned(), |note| sequencer.views().value(note));
        let mut cells = vec![
            Cell::text(local(row.at, lang)),
            Cell::text(text),
            Cell::number(reais(row.value.cents().into(), lang)).to(viewer.operation(&id)),
            Cell::number(reais(row.balance_after.cents().into(), lang)),
        ];
        if in_full {
            cells.extend([viewer.operation_cell(&id), viewer.record_cell(row.seq.0)]);
        }
        table.rows.push(cells);
    }
    let next = first_shown.saturating_sub(most) + 1;
    if next > 1 && first_shown > 0 {
        let path = viewer.statement(&whose.name, whose.customer.as_deref());
        let mark = if path.contains('?') { '&' } else { '?' };
        let name = viewer.t("Lançamentos anteriores", "Earlier rows");
        table.next = Some((name, format!("{path}{mark}before={next}")));
    }
    table
}

/// The subaccounts of an account, each leading to its page.
fn subaccounts(
    sequencer: &Sequencer,
    account: AccountId,
    viewer: &Viewer,
    after: Option<SubaccountId>,
) -> Table {
    let ledger = sequencer.ledger();
    let lang = viewer.lang;
    let Some(known) = ledger.state.account(account) else { return Table::default() };
    let mut table = Table::new(viewer.t("Subcontas", "Subaccounts"), "")
        .column(lang.t("Cliente", "Customer"))
        .numbers(lang.t("Disponível, R$", "Available, R$"))
        .numbers(lang.t("Bloqueado, R$", "Blocked, R$"))
        .numbers(lang.t("Saldo, R$", "Balance, R$"));
    let most = ROWS as usize;
    let mut found = ledger.state.subaccounts_of(account, after);
    let mut last = None;
    for (subaccount, buckets) in found.by_ref().take(most) {
        let customer = ledger.archive.customer(subaccount);
        let shown = customer.map_or_else(|| viewer.t("Casa", "House"), str::to_owned);
        let entries = viewer.statement(&known.name, customer);
        let amount = |cents: i64| Cell::number(reais(cents.into(), lang)).to(entries.clone());
        table.rows.push(vec![
            Cell::text(shown).to(viewer.account(&known.name, customer)),
            amount(buckets.available.cents()),
            amount(buckets.blocked_balance().cents()),
            amount(buckets.total().cents()),
        ]);
        last = Some(subaccount);
    }
    if let (Some(last), true) = (last, found.next().is_some()) {
        let path = viewer.account(&known.name, None);
        table.next = Some((
            viewer.t("Mais subcontas", "More subaccounts"),
            format!("{path}?after={}", last.0),
        ));
    }
    table
}
