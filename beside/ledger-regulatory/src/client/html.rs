//! The client's report as a page to print: A4, static, in Portuguese, every text escaped.

use std::fmt::Write as _;

use ledger_core::coin::units_text;
use ledger_core::time::Instant;
use ledger_store::export::{centavos, decimal};
use ledger_store::signing::key::Signer;

use super::digest::{content_digest, statement_text};
use super::json::first_and_last_day;
use super::{ClientAsset, ClientReport};
use crate::account::Commodity;
use crate::price::AssetPrice;
use crate::row::Row;

const STYLE: &str = include_str!("report.css");

impl ClientReport {
    /// Returns the report as an HTML page, with its digest and signature.
    #[must_use]
    pub fn html(&self, signer: Option<&Signer>) -> String {
        let content = self.content();
        let [first, last] = first_and_last_day(self.span).map(|day| day_text(&day));
        let mut page = format!(
            "<!doctype html>\n<html lang=\"pt-BR\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'\">\n<title>Relatório periódico de custódia</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Relatório periódico de custódia</h1>\n"
        );
        let client = escape_html(&self.client.to_string());
        let _ = writeln!(page, "<p>Cliente <strong>{client}</strong>, de {first} a {last}.</p>");
        self.write_assets(&mut page);
        self.write_movements(&mut page);
        self.write_quotes(&mut page);
        let _ = writeln!(
            page,
            "<h2>Conferência</h2>\n<p>O diário do ledger {} tinha {} registros em {}; o resumo \
             abaixo é o do conteúdo em JSON.</p>\n<p class=\"code\">sha256 {}</p>\n<pre>{}</pre>\n\
             </body>\n</html>",
            escape_html(&self.ledger),
            self.head.seq,
            moment_text(self.at),
            content_digest(&content),
            escape_html(&statement_text(&content, signer)),
        );
        page
    }

    fn write_assets(&self, page: &mut String) {
        page.push_str(
            "<h2>Ativos</h2>\n<table>\n<tr><th>Ativo</th><th>Saldo inicial</th><th>Entradas</th>\
             <th>Saídas</th><th>Saldo final</th><th>Em reais</th></tr>\n",
        );
        for asset in &self.assets {
            let text = |amount: i128| number_text(&decimal(amount, asset.scale));
            let value = asset.closing_centavos().map_or_else(
                || "sem cotação".to_owned(),
                |cents| number_text(&decimal(cents, centavos())),
            );
            let cells = [asset.opening, asset.came, asset.went, asset.closing_sum()].map(text);
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{value}</td></tr>",
                escape_html(&asset.asset),
                cells.join("</td><td>")
            );
            write_parts(page, asset);
        }
        page.push_str("</table>\n");
    }

    fn write_movements(&self, page: &mut String) {
        page.push_str(
            "<h2>Movimentações</h2>\n<table>\n<tr><th>Data</th><th>Natureza</th><th>Operação</th>\
             <th>Contraparte</th><th>Ativo</th><th>Efeito</th><th>Em reais</th></tr>\n",
        );
        for row in &self.movements {
            self.write_movement(page, row);
        }
        page.push_str("</table>\n");
        if self.movements.is_empty() {
            page.push_str("<p>Nada foi movimentado no período.</p>\n");
        }
    }

    fn write_movement(&self, page: &mut String, row: &Row) {
        let undone = if row.undone { " (desfeita)" } else { "" };
        let effects = row.effect_on(&self.client);
        for part in row.parts() {
            let effect = effects.get(&part.commodity).copied().unwrap_or_default();
            let internal = effect == 0;
            let shown = if internal {
                format!("({})", number_text(&units_text(part.amount, part.scale)))
            } else {
                number_text(&decimal(effect, part.scale))
            };
            let reais =
                row.reais_text().map_or_else(|| "desconhecido".to_owned(), |it| number_text(&it));
            let _ = writeln!(
                page,
                "<tr><td>{}</td><td>{}{undone}</td><td class=\"code\">{}</td>\
                 <td class=\"code\">{}</td><td>{}</td><td>{shown}</td><td>{reais}</td></tr>",
                moment_text(row.at),
                row.class.portuguese(),
                escape_html(row.operation.as_deref().unwrap_or_default()),
                escape_html(&counterparty_text(row)),
                escape_html(&part.asset),
            );
        }
    }

    fn write_quotes(&self, page: &mut String) {
        page.push_str("<h2>Fontes das cotações</h2>\n<ul>\n");
        let mut quotes: Vec<(&str, &AssetPrice)> = Vec::new();
        let closing = self.assets.iter().filter_map(|it| Some((&*it.asset, it.price.as_ref()?)));
        let moved = self.movements.iter().filter(|row| row.part.commodity != Commodity::Reais);
        let moved = moved.filter_map(|row| Some((&*row.part.asset, row.quote.as_ref()?)));
        for quote in moved.chain(closing) {
            if !quotes.contains(&quote) {
                quotes.push(quote);
            }
        }
        for (asset, price) in &quotes {
            let at = price.at.map(moment_text).unwrap_or_default();
            let _ = writeln!(
                page,
                "<li>{}: R$ {}, {}, {at}</li>",
                escape_html(asset),
                number_text(&price.text),
                escape_html(&price.source)
            );
        }
        for asset in self.without_price() {
            let _ = writeln!(page, "<li>{}: o ledger não conhece cotação</li>", escape_html(asset));
        }
        page.push_str("</ul>\n");
    }
}

fn write_parts(page: &mut String, asset: &ClientAsset) {
    for (chart, amount) in &asset.closing {
        let amount = number_text(&decimal(*amount, asset.scale));
        let _ = writeln!(
            page,
            "<tr class=\"part\"><td colspan=\"4\">{}</td><td>{amount}</td><td></td></tr>",
            escape_html(part_label(chart))
        );
    }
}

/// Names a part of a balance; other accounts have their name in the chart.
fn part_label(chart: &'static str) -> &'static str {
    match chart {
        "cust.avail" | "wal.avail" => "disponível",
        "cust.held" | "wal.confirming" => "a liberar",
        "cust.frozen" => "bloqueado",
        "wal.reserved" => "reservado",
        "comm" => "comissão",
        _ if chart.starts_with("flight.") => "em trânsito",
        "dep" => "depositado em ordem",
        "refund" => "a devolver",
        other => other,
    }
}

fn counterparty_text(row: &Row) -> String {
    match row.counterparty.to_string().as_str() {
        "unknown" => "desconhecida".to_owned(),
        "vault" => "no cofre".to_owned(),
        "institution" => "instituição".to_owned(),
        "provider" => "provedor".to_owned(),
        other => other.to_owned(),
    }
}

/// `20/11/2026 09:05`, in Brasília.
fn moment_text(at: Instant) -> String {
    let text = at.in_brasilia();
    let time = text.get(11..16).unwrap_or_default();
    format!("{} {time}", day_text(text.get(..10).unwrap_or_default()))
}

/// A day of the form `2026-11-20` as Brazilians write it: `20/11/2026`.
fn day_text(day: &str) -> String {
    day.split('-').rev().collect::<Vec<_>>().join("/")
}

/// A decimal as Brazilians write it: `-1.234,50`.
fn number_text(text: &str) -> String {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, decimals) = rest.split_once('.').map_or((rest, None), |(a, b)| (a, Some(b)));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push('.');
        }
        grouped.push(digit);
    }
    decimals.map_or(format!("{sign}{grouped}"), |it| format!("{sign}{grouped},{it}"))
}

fn escape_html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_and_numbers_are_brazilian() {
        assert_eq!(escape_html("<b a='1'>\"&"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;");
        assert_eq!(number_text("-1234567.50"), "-1.234.567,50");
        assert_eq!(number_text("999"), "999");
        assert_eq!(day_text("2026-11-20"), "20/11/2026");
    }
}
