//! A result as a file of CSV (RFC 4180).

use ledger_store::projection::{QueryRows, QueryValue};

/// What a spreadsheet takes for a formula where a text begins with it.
const FORMULAS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The rows under the names of their columns. A text that a spreadsheet would run has an apostrophe
/// before it: clients name their customers and operations as they like.
pub(super) fn render(found: &QueryRows) -> String {
    let mut text = String::new();
    let names = found.columns.iter().map(|column| field(&column.name, false));
    line(&mut text, names);
    for row in &found.rows {
        let values = row.iter().map(|value| match value {
            QueryValue::Null => String::new(),
            QueryValue::Number(text) => field(text, true),
            QueryValue::Text(text) => field(text, false),
        });
        line(&mut text, values);
    }
    text
}

fn line(text: &mut String, fields: impl Iterator<Item = String>) {
    text.push_str(&fields.collect::<Vec<_>>().join(","));
    text.push_str("\r\n");
}

fn field(text: &str, number: bool) -> String {
    let guard = if !number && text.starts_with(FORMULAS) { "'" } else { "" };
    if text.contains(['"', ',', '\n', '\r']) || !guard.is_empty() {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use ledger_store::projection::QueryColumn;

    use super::*;

    #[test]
    fn a_file_reads_as_its_rows_and_runs_nothing() {
        let text = |text: &str| QueryValue::Text(text.to_owned());
        let names = ["a", "valor, em R$", "c"];
        let columns = names.map(|name| QueryColumn { name: name.to_owned() }).to_vec();
        let rows = vec![
            vec![text("say \"oi\""), QueryValue::Number("-5".to_owned()), QueryValue::Null],
            vec![text("=HYPERLINK(1)"), text("two\nlines"), text("-1")],
        ];
        let found = QueryRows { columns, rows, more: false };
        assert_eq!(
            render(&found),
            "a,\"valor, em R$\",c\r\n\"say \"\"oi\"\"\",-5,\r\n\"'=HYPERLINK(1)\",\
             \"two\nlines\",\"'-1\"\r\n"
        );
    }
}
