//! Fields of requests: an example of each, its unit, and the words it may hold; path and query.

use serde_json::{Value, json};

use super::answer::{BASIS_POINTS, CENTAVOS, EXAMPLE_INSTANT, MOMENT, REAIS, UNITS};
use super::answer::{E2E, WALLET, example_of_metadata};
use crate::contract::route::shape::RouteShape;
use crate::contract::sandbox::Scenario;
use crate::contract::schema::field::FieldType::{Text, Whole, Word};
use crate::contract::schema::field::{Field, FieldType, optional, required};

/// Examples of texts, by the names that several fields bear.
const TEXTS: [(&str, &str); 25] = [
    ("payer_tax_number", "52998224725"),
    ("payer_name", "Joana Lima"),
    ("name", "Loja da Ana"),
    ("email", "ana@exemplo.com.br"),
    ("contact", "ana@exemplo.com.br"),
    ("customer_ref", "ana"),
    ("external_id", "pedido-1"),
    ("asset", "usdt"),
    ("chain", "polygon"),
    ("network", "polygon"),
    ("payout_address", WALLET),
    ("settlement_address", WALLET),
    ("refund_address", WALLET),
    ("address", WALLET),
    ("tag", "7781"),
    ("descricao", "mensalidade"),
    ("pix_key", "ana@exemplo.com.br"),
    ("key", "ana@exemplo.com.br"),
    ("type", "email"),
    ("br_code", CODE),
    ("referral", "rf_0000000000473810711bd683f848"),
    ("amount", "100"),
    ("agent_id", "ag_000000000002f0604c15a202b1a0"),
    ("e2e", E2E),
    ("quote_id", "uq_00000000003509c4fce9b5a2"),
];

/// A Copia e Cola code of R$ 10.50.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426614174000\
                    520400005303986540510.505802BR5913FULANO DE TAL6008BRASILIA62070503***630436D9";

/// The parameters of paths and queries, by their names.
const PARAMETERS: &[Field] = &[
    required("cashin_id", FieldType::Operation, "the charge or conversion"),
    required("cashout_id", FieldType::Operation, "the order"),
    required("payment_id", FieldType::Operation, "the payment"),
    required("agent_id", Text(80), "the agent"),
    required("e2e", FieldType::Pix, "the end-to-end id of the PIX"),
    required("external_id", Text(64), "the account's own id of the operation"),
    required("payer_tax", Text(32), "the payer's CPF or CNPJ, digits only").like("52998224725"),
    required("key", Text(128), "the PIX key that is looked up"),
    optional("type", Word(8), "what the key is, needed for eleven bare digits"),
    optional("customer_ref", Text(80), "the subaccount; absent: the house"),
    optional(
        "em",
        FieldType::Moment,
        "the instant that the balance is of, now or before; absent: the balance as it stands",
    ),
    optional("limit", Whole(1, 200), "how many rows a page has; absent: 50"),
    optional("before", Text(40), "proxima_pagina of the page before").like("8864493"),
    optional("cursor", Text(40), "next_cursor of the page before").like("4182"),
    optional("com_saldo", Word(1), "1: only subaccounts that have a balance").like("1"),
    optional(
        "visao",
        Word(16),
        "lancamentos or operacoes; a row for each entry, or for each operation",
    )
    .like("operacoes"),
];

/// A parameter of paths or queries by its name; none for one that no route has.
#[must_use]
pub fn parameter(name: &str) -> Option<&'static Field> {
    PARAMETERS.iter().find(|field| field.name == name)
}

impl RouteShape {
    /// The parameters of its path, in their order.
    #[must_use]
    pub fn path_parameters(&self) -> Vec<&'static Field> {
        let path = self.ask.path().unwrap_or_default();
        let named = |segment: &'static str| segment.strip_prefix('{')?.strip_suffix('}');
        path.split('/').filter_map(named).filter_map(parameter).collect()
    }
}

impl Field {
    /// The words that it may hold, where these are few; none for any other field.
    #[must_use]
    pub fn words(&self) -> Option<Vec<&'static str>> {
        Some(match self.name {
            "destino" => vec!["saldo", "cripto"],
            "pix_key_type" | "type" => vec!["cpf", "cnpj", "phone", "email", "random"],
            "funding_source" => vec!["crypto_usdt"],
            "visao" => vec!["lancamentos", "operacoes"],
            "com_saldo" => vec!["0", "1"],
            "sandbox_scenario" => Scenario::ALL.map(Scenario::name).to_vec(),
            _ => return None,
        })
    }

    /// The unit of a number or an amount; none where there is none.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.holds {
            FieldType::Centavos | FieldType::CentavosOrZero | FieldType::SignedCentavos => {
                Some(CENTAVOS)
            }
            FieldType::BasisPoints => Some(BASIS_POINTS),
            FieldType::Whole(..) if self.name.ends_with("_bps") => Some(BASIS_POINTS),
            FieldType::Whole(..) if self.name == "partes" => None,
            FieldType::Whole(..) => Some("rows"),
            FieldType::Decimal(_) if self.name == "brl_amount" => Some(REAIS),
            FieldType::Decimal(_) => Some(UNITS),
            FieldType::Moment => Some(MOMENT),
            _ => None,
        }
    }

    /// A value that it may hold, for examples; null where none is known.
    #[must_use]
    pub fn example(&self) -> Value {
        let known = || TEXTS.iter().find(|(name, _)| *name == self.name).map(|(_, text)| *text);
        let text = || self.like.or_else(known);
        match self.holds {
            FieldType::Centavos | FieldType::CentavosOrZero | FieldType::SignedCentavos => {
                json!(5_000)
            }
            FieldType::BasisPoints => json!(150),
            FieldType::Whole(least, _) => json!(least.max(50)),
            FieldType::Flag => json!(true),
            FieldType::Moment => json!(EXAMPLE_INSTANT),
            FieldType::Pix => json!(E2E),
            FieldType::List if self.name == "contrapartes" => json!(["52998224725"]),
            FieldType::List => json!(["usdt_to_pix"]),
            FieldType::Metadata => example_of_metadata(),
            FieldType::Operation => json!(text().unwrap_or(operation(self.name))),
            FieldType::Object(fields) => example(fields),
            FieldType::Objects(fields) => json!([example(fields)]),
            FieldType::Text(_)
            | FieldType::Reference(_)
            | FieldType::Word(_)
            | FieldType::Decimal(_) => json!(text()),
        }
    }
}

/// An object of these fields, each with its example.
fn example(fields: &[Field]) -> Value {
    fields.iter().map(|field| (field.name.to_owned(), field.example())).collect()
}

/// The id of an operation, by the name of the field that holds it.
fn operation(name: &str) -> &'static str {
    match name {
        "cashout_id" => "co_00000000001fd65ae5e8f1118209",
        "payment_id" => "cu_000000000036343a96e0fafd9fbc",
        "withdrawal_id" => "uw_00000000003f1fddb9b486f53b9e",
        _ => "ci_000000000008a7ce851636e88043",
    }
}
