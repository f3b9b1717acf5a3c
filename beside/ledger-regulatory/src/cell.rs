//! Cells of a CSV (RFC 4180).

/// One line of cells with the line feed that ends it.
pub(crate) fn csv_line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells.into_iter().map(quoted_cell).collect();
    format!("{}\n", cells.join(","))
}

/// A cell, in quotes where a comma, a quote or the end of a line would break it. A cell that a
/// spreadsheet would read as a formula is quoted as text.
fn quoted_cell(cell: &str) -> String {
    let number =
        cell.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !number && cell.starts_with(['=', '+', '-', '@']) {
        format!("\"'{}\"", cell.replace('"', "\"\""))
    } else if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_break_a_line_or_run_as_a_formula_are_quoted() {
        assert_eq!(
            csv_line(["a,b", "say \"x\"", "=1+1", "-2.50", "plain"]),
            "\"a,b\",\"say \"\"x\"\"\",\"'=1+1\",-2.50,plain\n"
        );
    }
}
