//! A page as text: what a terminal is answered that asks for `text/plain`.

use std::fmt::Write as _;

use super::layout::{Cell, Page, Section, Table};

/// The page's figures, facts and tables in their order; forms and charts are left out.
pub(super) fn render(page: &Page) -> String {
    let mut text = format!("{} · {}\n", page.title, page.site);
    if !page.subtitle.is_empty() {
        let _ = writeln!(text, "{}", page.subtitle);
    }
    for section in &page.sections {
        write_section(&mut text, section);
    }
    let _ = writeln!(text, "\n{}", page.as_of);
    printable(&text)
}

/// The same without what would steer a terminal: names and references are their owners' texts.
fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() && c != '\n' { '\u{fffd}' } else { c };
    text.chars().map(shown).collect()
}

fn write_section(text: &mut String, section: &Section) {
    let _ = match section {
        Section::Figures(figures) => {
            text.push('\n');
            figures.iter().try_for_each(|figure| {
                let note = match &*figure.note {
                    "" => String::new(),
                    note => format!(" ({note})"),
                };
                writeln!(text, "{}: {}{note}", figure.name, figure.value.text)
            })
        }
        Section::Facts { title, rows } => {
            head(text, title);
            rows.iter().try_for_each(|(name, cell)| writeln!(text, "{name}: {}", cell.text))
        }
        Section::Table(table) | Section::Ticking { table, .. } => {
            head(text, &table.title);
            write_table(text, table);
            Ok(())
        }
        Section::Verbatim { title, text: verbatim } => {
            head(text, title);
            writeln!(text, "{verbatim}")
        }
        Section::Note(note) => writeln!(text, "\n{note}"),
        Section::Chart { .. }
        | Section::Form { .. }
        | Section::Filter { .. }
        | Section::Writing { .. } => Ok(()),
    };
}

fn head(text: &mut String, title: &str) {
    text.push('\n');
    if !title.is_empty() {
        let _ = writeln!(text, "{title}");
    }
}

/// Columns as wide as their longest cell, two spaces apart, numbers aligned at their ends.
fn write_table(text: &mut String, table: &Table) {
    if table.rows.is_empty() {
        let _ = writeln!(text, "{}", table.empty);
        return;
    }
    let wide = |text: &str| text.chars().count();
    let names = table.columns.iter().map(|column| column.name.clone()).collect();
    let mut lines: Vec<Vec<String>> = vec![names];
    lines.extend(table.rows.iter().map(|row| row.iter().map(cell_text).collect()));
    let widest = |at: usize| lines.iter().filter_map(|line| Some(wide(line.get(at)?))).max();
    let widths: Vec<usize> = (0..table.columns.len()).filter_map(widest).collect();
    for line in &lines {
        let cells = line.iter().zip(&widths).zip(&table.columns);
        let line: String = cells
            .map(|((cell, &width), column)| {
                // Letters are counted before what steers a terminal is replaced, each by one.
                let gap = " ".repeat(width - wide(cell));
                if column.numeric { format!("{gap}{cell}  ") } else { format!("{cell}{gap}  ") }
            })
            .collect();
        let _ = writeln!(text, "{}", line.replace('\n', " ").trim_end());
    }
    if let Some((name, href)) = &table.next {
        let _ = writeln!(text, "{name}: {href}");
    }
}

/// A cell's text; a button that leads to a decision says which one is to be typed.
fn cell_text(cell: &Cell) -> String {
    let decision = cell.href.as_deref().filter(|_| cell.class == "go");
    let decision = decision.and_then(|href| href.split("decision=").nth(1)?.split('&').next());
    match decision {
        Some(decision) => format!("{}: {decision}", cell.text),
        None => cell.text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned_and_nothing_in_it_steers_a_terminal() {
        let table = Table::new("Waits", "").column("Who").numbers("Amount").rows([
            vec![Cell::text("ana\u{1b}[2J"), Cell::number("1.00")],
            vec![Cell::text("b\nc"), Cell::number("1,200.00")],
        ]);
        let mut text = String::new();
        write_section(&mut text, &Section::Table(table));
        let expected = "\nWaits\nWho        Amount\nana\u{fffd}[2J      1.00\nb c      1,200.00\n";
        assert_eq!(printable(&text), expected);
    }
}
