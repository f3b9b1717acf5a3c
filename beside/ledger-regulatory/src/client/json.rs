//! The client's report as JSON: its content, the digest of that, and what is signed.

use ledger_core::coin::units_text;
use ledger_store::days::Span;
use ledger_store::export::{centavos, decimal};
use ledger_store::signing::key::Signer;
use serde_json::{Value, json};

use super::digest::{content_digest, statement_text};
use super::{ClientAsset, ClientReport};
use crate::account::Commodity;
use crate::person::Person;
use crate::row::Row;

/// The first and the last day of a span in Brasília.
pub(super) fn first_and_last_day(span: Span) -> [String; 2] {
    let last = span.periods().last().map_or(span.begins(), |(begins, _)| begins);
    [span.begins(), last].map(|at| at.day_in_brasilia().to_string())
}

impl ClientReport {
    /// Returns the report as JSON, signed where a key is given.
    #[must_use]
    pub fn json(&self, signer: Option<&Signer>) -> Value {
        let content = self.content();
        let statement = statement_text(&content, signer);
        json!({
            "relatorio": "custody-ledger client report 1",
            "conteudo": content,
            "sha256": content_digest(&content),
            "declaracao": statement,
        })
    }

    /// All that the digest is of.
    pub(super) fn content(&self) -> Value {
        let [first, last] = first_and_last_day(self.span);
        json!({
            "ledger": self.ledger,
            "cliente": self.client.to_string(),
            "periodo": { "de": first, "ate": last },
            "diario": {
                "registros_antes": self.opening.seq,
                "registros": self.head.seq,
                "elo": self.head.link.to_string(),
                "em": self.at.to_string(),
            },
            "ativos": self.assets.iter().map(ClientAsset::json).collect::<Vec<_>>(),
            "movimentacoes":
                self.movements.iter().map(|row| movement_json(row, &self.client)).collect::<Vec<_>>(),
            "sem_cotacao": self.without_price(),
        })
    }

    /// Returns the assets at the end whose value is not known.
    pub(super) fn without_price(&self) -> Vec<&str> {
        let unknown = self.assets.iter().filter(|asset| asset.closing_centavos().is_none());
        unknown.map(|asset| &*asset.asset).collect()
    }
}

impl ClientAsset {
    fn json(&self) -> Value {
        let text = |amount: i128| decimal(amount, self.scale);
        let closing = self
            .closing
            .iter()
            .map(|(chart, amount)| ((*chart).to_owned(), Value::from(text(*amount))));
        json!({
            "ativo": self.asset,
            "saldo_inicial": text(self.opening),
            "entradas": text(self.came),
            "saidas": text(self.went),
            "saldo_final": text(self.closing_sum()),
            "saldo_final_por_conta": closing.collect::<serde_json::Map<_, _>>(),
            "valor_em_reais": self.closing_centavos().map(|cents| decimal(cents, centavos())),
            "cotacao": self.price.as_ref().map(|price| json!({
                "reais": price.text,
                "fonte": price.source,
                "em": price.at.map(|at| at.to_string()),
            })),
        })
    }
}

fn movement_json(row: &Row, client: &Person) -> Value {
    let effects = row.effect_on(client).into_iter().map(|(commodity, amount)| {
        let part = row.parts().find(|part| part.commodity == commodity);
        let part = part.expect("an effect is of a part's commodity");
        (part.asset.clone(), Value::from(decimal(amount, part.scale)))
    });
    json!({
        "registro": row.record.0,
        "em": row.at.to_string(),
        "operacao": row.operation,
        "natureza": row.class.portuguese(),
        "desfeita": row.undone,
        "contraparte": row.counterparty.to_string(),
        "ativo": row.part.asset,
        "quantidade": units_text(row.part.amount, row.part.scale),
        "reais": row.reais_text(),
        "efeito": effects.collect::<serde_json::Map<_, _>>(),
        "cotacao": row.quote.as_ref().filter(|_| row.part.commodity != Commodity::Reais).map(
            |quote| json!({
                "reais": quote.text,
                "fonte": quote.source,
                "em": quote.at.map(|at| at.to_string()),
            }),
        ),
        "referencias": row.references,
        "desconhecido": row.unknown(),
    })
}
