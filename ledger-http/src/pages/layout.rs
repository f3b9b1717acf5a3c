//! What a page is made of: figures, facts, tables, charts; one template renders all of them, so
//! that text is escaped in one place.

use askama::Template;

use ledger_core::ledger::State as Ledger;
use ledger_core::time::Instant;

use super::chart::Svg;
use super::format::local;
use super::lang::Lang;

/// A page of the monitor or of the console.
#[derive(Template)]
#[template(path = "page.html")]
pub(super) struct Page {
    pub(super) lang: Lang,
    /// Of the window, and the page's heading.
    pub(super) title: String,
    /// Beside the heading: what the page is of.
    pub(super) subtitle: String,
    /// What all pages of this kind are called.
    pub(super) site: String,
    /// The other pages.
    pub(super) menu: Vec<MenuItem>,
    /// The same page in the other language.
    pub(super) other_language: String,
    /// Where the box on the page searches; no box where there is nothing to search.
    pub(super) search: Option<String>,
    /// What the page shows, in reading order.
    pub(super) sections: Vec<Section>,
    /// How the page is loaded anew by itself; none where it is not offered.
    pub(super) refresh: Option<Refresh>,
    /// What the page is as of.
    pub(super) as_of: String,
}

/// How a page is loaded anew by itself.
pub(super) struct Refresh {
    /// After how many seconds; none while nobody asked for it.
    pub(super) seconds: Option<u32>,
    /// The same page with it switched on, or off.
    pub(super) switch: String,
}

/// The record and the moment that a page shows the ledger at.
pub(super) fn as_of(state: &Ledger, lang: Lang) -> String {
    as_of_record(state.seq.0, state.now, lang)
}

/// A record and its moment; before the first there is no moment.
pub(super) fn as_of_record(record: u64, at: Instant, lang: Lang) -> String {
    if record == 0 {
        return lang.t("Ainda não há registros.", "There are no records yet.").to_owned();
    }
    format!(
        "{} {record} · {} {}",
        lang.t("Até o registro", "As of record"),
        local(at, lang),
        lang.t("em Brasília.", "in Brasília."),
    )
}

/// A link of the menu.
pub(super) struct MenuItem {
    pub(super) name: String,
    pub(super) href: String,
    /// Tells whether this page is it.
    pub(super) here: bool,
}

/// A part of a page.
pub(super) enum Section {
    /// The few numbers that matter most.
    Figures(Vec<Figure>),
    /// Names and what they are.
    Facts { title: String, rows: Vec<(String, Cell)> },
    /// Rows under columns.
    Table(Table),
    /// A picture with its title, which says in words what it shows.
    Chart { title: String, svg: Svg },
    /// A text that is shown as it stands.
    Verbatim { title: String, text: String },
    /// A sentence on its own, as a paragraph.
    Note(String),
    /// Rows of which some are ticked, and a button that asks for something to be done with them;
    /// `values` names the rows in their order.
    Ticking {
        action: String,
        hidden: Vec<(&'static str, String)>,
        name: &'static str,
        values: Vec<String>,
        table: Table,
        go: String,
    },
    /// A button that asks for something to be done, with what its form says and asks for.
    Form { action: String, hidden: Vec<(&'static str, String)>, fields: Vec<Input>, go: String },
    /// Fields that narrow what the page shows: they stand in its address.
    Filter { action: String, fields: Vec<Choice>, go: String },
    /// A field of several lines that leads to another page.
    Writing { label: String, action: String, name: String, value: String, go: String },
}

impl Section {
    /// Tells whether somebody may be filling it in, to send it.
    pub(super) const fn is_form(&self) -> bool {
        matches!(self, Self::Form { .. } | Self::Ticking { .. } | Self::Writing { .. })
    }

    /// Where it leads.
    pub(super) fn links_mut(&mut self) -> Vec<&mut String> {
        let cells: Vec<&mut Cell> = match self {
            Self::Figures(figures) => figures.iter_mut().map(|it| &mut it.value).collect(),
            Self::Facts { rows, .. } => rows.iter_mut().map(|(_, cell)| cell).collect(),
            Self::Table(table) | Self::Ticking { table, .. } => {
                let next = table.next.iter_mut().map(|(_, href)| href);
                let cells = table.rows.iter_mut().flatten();
                return cells.filter_map(|cell| cell.href.as_mut()).chain(next).collect();
            }
            _ => Vec::new(),
        };
        cells.into_iter().filter_map(|cell| cell.href.as_mut()).collect()
    }
}

/// A field that whoever sends a form fills in.
pub(super) struct Input {
    pub(super) name: &'static str,
    /// What it holds, below its name.
    pub(super) note: String,
    pub(super) value: String,
    pub(super) required: bool,
    /// Tells whether it is hidden while it is written.
    pub(super) secret: bool,
}

/// A field of a filter.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) label: String,
    pub(super) value: String,
    /// What may be chosen, with its text; any text where there is none.
    pub(super) options: Vec<(String, String)>,
}

/// A number that stands out.
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) value: Cell,
    pub(super) note: String,
}

/// Rows under columns.
#[derive(Default)]
pub(super) struct Table {
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// What is said where there is no row.
    pub(super) empty: String,
    /// Where it goes on.
    pub(super) next: Option<(String, String)>,
}

/// A column's head.
pub(super) struct Column {
    pub(super) name: String,
    /// Tells whether it holds numbers, which are aligned at their ends.
    pub(super) numeric: bool,
}

/// A value that is shown, and where it leads.
#[derive(Clone, Default)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) href: Option<String>,
    /// How it looks: `number`, `code`, `mark` with a colour, `go` as a button, or as text.
    pub(super) class: &'static str,
}

impl Cell {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub(super) fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), href: None, class: "number" }
    }

    pub(super) fn code(text: impl Into<String>) -> Self {
        Self { text: text.into(), href: None, class: "code" }
    }

    /// A word that is looked for among others.
    pub(super) fn mark(text: impl Into<String>) -> Self {
        Self { text: text.into(), href: None, class: "mark" }
    }

    /// The same, leading somewhere.
    pub(super) fn to(self, href: impl Into<String>) -> Self {
        Self { href: Some(href.into()), ..self }
    }
}

impl Table {
    pub(super) fn new(title: impl Into<String>, empty: impl Into<String>) -> Self {
        Self { title: title.into(), empty: empty.into(), ..Self::default() }
    }

    pub(super) fn column(mut self, name: &str) -> Self {
        self.columns.push(Column { name: name.to_owned(), numeric: false });
        self
    }

    pub(super) fn numbers(mut self, name: &str) -> Self {
        self.columns.push(Column { name: name.to_owned(), numeric: true });
        self
    }

    pub(super) fn rows(mut self, rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        self.rows.extend(rows);
        self
    }
}

/// The style of every page: it stands in the page, so that one that is kept looks as it did.
pub(super) const STYLE: &str = include_str!("style.css");

/// The mark in the window's tab, the same as the documents'.
pub(super) fn icon() -> String {
    let mark = crate::documents::discovery::MARK;
    let escaped: String = form_urlencoded::byte_serialize(mark.as_bytes()).collect();
    format!("data:image/svg+xml,{}", escaped.replace('+', "%20"))
}
