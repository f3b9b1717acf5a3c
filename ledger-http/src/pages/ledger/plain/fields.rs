//! The fields of an answer that people ask about, under names of people, and their values as people
//! write them: centavos as reais, instants on the clock of Brasília.

use ledger_core::contract::initials;
use ledger_core::time::Instant;
use serde_json::Value;

use crate::pages::format::{brl, decimal, local};
use crate::pages::lang::Lang;
use crate::pages::layout::Cell;
use crate::pages::ledger::viewer::Viewer;

/// How a value is read.
#[derive(Clone, Copy)]
enum As {
    /// Centavos, as reais.
    Cents,
    /// A decimal number of reais.
    Reais,
    /// A decimal number of something else.
    Number,
    /// An instant, shown in Brasília's time.
    At,
    /// The initials of a name: an address is passed on more easily than a key.
    Initials,
    Text,
    /// An id, letter by letter.
    Code,
}

/// Fields in the order that they are read in: their name, and what they are called.
const FIELDS: &[(&str, As, &str, &str)] = &[
    ("amount_cents", As::Cents, "Valor", "Amount"),
    ("brl_amount", As::Reais, "Valor", "Amount"),
    ("fee_total_cents", As::Cents, "Taxas", "Fees"),
    ("fee_cents", As::Cents, "Taxa", "Fee"),
    ("fee_brl", As::Reais, "Taxa", "Fee"),
    ("net_cents", As::Cents, "Líquido", "Net"),
    ("debited_cents", As::Cents, "Debitado do saldo", "Debited from the balance"),
    ("returned_cents", As::Cents, "Devolvido", "Returned"),
    ("brl_paid", As::Reais, "Pago", "Paid"),
    ("amount", As::Number, "Quantidade", "Quantity"),
    ("usdt_amount", As::Number, "Quantidade, USDT", "Quantity, USDT"),
    ("usdt_total", As::Number, "Total, USDT", "Total, USDT"),
    ("usdt_debited", As::Number, "Debitado, USDT", "Debited, USDT"),
    ("amount_received", As::Number, "Recebido", "Received"),
    ("refund_amount", As::Number, "Devolvido", "Refunded"),
    ("brl_per_usdt", As::Reais, "Cotação do USDT", "Price of USDT"),
    ("asset", As::Text, "Moeda", "Asset"),
    ("chain", As::Text, "Rede", "Network"),
    ("network", As::Text, "Rede", "Network"),
    ("customer_ref", As::Text, "Cliente", "Customer"),
    ("from_customer_ref", As::Text, "De", "From"),
    ("to_customer_ref", As::Text, "Para", "To"),
    ("payer_name", As::Initials, "Pagador", "Payer"),
    ("payer_tax_number", As::Text, "Documento do pagador", "Payer's document"),
    ("recipient_name", As::Initials, "Recebedor", "Recipient"),
    ("merchant_name", As::Initials, "Recebedor", "Recipient"),
    ("pix_key", As::Text, "Chave PIX", "PIX key"),
    ("e2e", As::Code, "Identificador do PIX", "Id of the PIX"),
    ("pix_e2e", As::Code, "Identificador do PIX", "Id of the PIX"),
    ("payout_address", As::Code, "Endereço", "Address"),
    ("address", As::Code, "Endereço", "Address"),
    ("deposit_address", As::Code, "Endereço do depósito", "Address of the deposit"),
    ("deposit_tx_hash", As::Code, "Transação do depósito", "Transaction of the deposit"),
    ("settlement_tx_hash", As::Code, "Transação da entrega", "Transaction of the delivery"),
    ("tx_hash", As::Code, "Transação", "Transaction"),
    ("external_id", As::Code, "Seu identificador", "Your id"),
    ("descricao", As::Text, "Descrição", "Description"),
    ("paid_at", As::At, "Paga em", "Paid"),
    ("pix_paid_at", As::At, "Pago em", "Paid"),
    ("settled_at", As::At, "Liquidada em", "Settled"),
    ("completed_at", As::At, "Concluída em", "Completed"),
    ("expires_at", As::At, "Vence em", "Expires"),
];

/// Returns what an answer says, as people read it; what is not there, or nothing, is left out.
pub(in crate::pages::ledger) fn rows(answer: &Value, viewer: &Viewer) -> Vec<(String, Cell)> {
    let row = |(name, read, pt, en): &(&str, As, &'static str, &'static str)| {
        let cell = cell(answer.get(name)?, *read, viewer.lang)?;
        // What is the account's own id is the client's to the operator.
        let own = viewer.only.is_some() || *name != "external_id";
        let (pt, en) = if own { (*pt, *en) } else { ("ID do cliente", "External id") };
        Some((viewer.t(pt, en), cell))
    };
    FIELDS.iter().filter_map(row).collect()
}

fn cell(value: &Value, read: As, lang: Lang) -> Option<Cell> {
    let text = value.as_str().unwrap_or_default();
    Some(match read {
        As::Cents => Cell::text(brl(value.as_i64().filter(|cents| *cents != 0)?.into(), lang)),
        _ if text.is_empty() => return None,
        As::Reais => Cell::text(format!("R$\u{a0}{}", decimal(text, lang))),
        As::Number => Cell::text(decimal(text, lang)),
        As::At => Cell::text(local(Instant::parse(text)?, lang)),
        As::Initials => Cell::text(initials(text)?),
        As::Text => Cell::text(text),
        As::Code => Cell::code(text),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_read_in_reais_and_on_the_clock_of_brasilia() {
        let viewer = Viewer { lang: Lang::Pt, base: String::new(), only: None };
        let answer = json!({ "status": "paid", "amount_cents": 123_450, "fee_cents": 0,
            "paid_at": "2026-11-20T12:20:00Z", "brl_per_usdt": "5.40", "payer_name": "Ana Lima",
            "external_id": null, "br_code": "000201" });
        let rows = rows(&answer, &viewer).into_iter().map(|(name, cell)| (name, cell.text));
        let expected = [
            ("Valor", "R$\u{a0}1.234,50"),
            ("Cotação do USDT", "R$\u{a0}5,40"),
            ("Pagador", "A.L."),
            ("Paga em", "20/11/2026 09:20:00"),
        ];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }
}
