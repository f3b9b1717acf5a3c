//! The questions that a provider's service is asked, declared once: the reader, what is sent and
//! the schemas of docs/provider.md come of it.

use ledger_core::contract::FieldType::{
    self, Centavos, Decimal, Flag, Operation, Pix, Reference, Text, Word,
};
use ledger_core::contract::{Field, Need, optional, required};
use serde_json::{Map, Value};

/// A question, as it is asked and answered.
pub(super) struct Question {
    /// Its name on the wire.
    pub name: &'static str,
    /// The fields of its `body`.
    pub fields: &'static [Field],
    /// What may be answered, beside that the provider does not know.
    pub answers: &'static [&'static [Field]],
}

/// The most that an amount may be: a trillion reais, in centavos.
const MOST_CENTAVOS: i64 = 100_000_000_000_000;

const ACCOUNT: Field = required("account", Text(80), "the API account that asks, by its name");

/// The answer to any question that the provider cannot answer.
pub(super) const UNKNOWN: &[Field] =
    &[required("unknown", Flag, "true: the provider does not know; ask again another time")];

/// The code of a charge (`POST /cashin/charge`).
pub(super) const QR_CODE: Question = Question {
    name: "qr_code",
    fields: &[
        ACCOUNT,
        optional("external_id", Text(64), "the account's own id of the charge"),
        required("amount_cents", Centavos, "what is to be paid"),
        required("payer_tax_number", Text(14), "the CPF or CNPJ of whoever pays"),
        optional("payer_name", Text(255), "the name of whoever pays"),
    ],
    answers: &[
        &[
            required("qr_copypaste", Text(1_024), "the BR Code, of that amount or of none"),
            optional("qr_image_url", Text(1_024), "the https:// address of its picture"),
        ],
        &[required("payer_refused", Text(255), "the provider refuses the payer: its reference")],
    ],
};

/// The holder of a key (`GET /pix/keys/lookup`, and what pays to a key that is no document).
pub(super) const KEY_HOLDER: Question = Question {
    name: "key_holder",
    fields: &[
        ACCOUNT,
        required("key", Text(255), "the PIX key"),
        optional("type", Word(8), "cpf, cnpj, phone, email or random, where the request says it"),
    ],
    answers: &[&[
        required("found", Flag, "whether there is such a key; nothing else is said where not"),
        optional("name", Text(255), "the holder's name"),
        optional("document", Text(32), "the holder's CPF or CNPJ; a masked one proves nothing"),
        optional("institution", Text(255), "the institution of the account"),
    ]],
};

/// Where crypto is deposited (`POST /carteira-usdt/deposits`, and accepting a cash-out).
pub(super) const DEPOSIT_ADDRESS: Question = Question {
    name: "deposit_address",
    fields: &[
        ACCOUNT,
        optional("cashout_id", Operation, "the order that sells it; absent: a wallet's deposit"),
        optional("asset", Text(32), "the asset; absent for a wallet"),
        required("network", Text(32), "the network that it comes by"),
        required("amount", Decimal(40), "how much is announced"),
    ],
    answers: &[&[
        required("address", Text(128), "the address on the network"),
        optional("tag", Text(128), "the memo that a deposit for an order must have"),
    ]],
};

/// What is known of a PIX beside the ledger's records (`GET /v1/verificar/{e2e}`).
pub(super) const PIX_DESCRIPTION: Question = Question {
    name: "pix_description",
    fields: &[required("e2e", Pix, "the end-to-end id of the PIX")],
    answers: &[&[
        optional("institution", Text(255), "the institution that it went by"),
        optional("settled_by", Text(255), "who settled it"),
        optional("receipt_url", Text(255), "the https:// address of its receipt"),
        optional("recipient_name", Text(255), "who received it; the public sees initials"),
    ]],
};

/// All of them, in the order of docs/provider.md.
pub(super) const QUESTIONS: [&Question; 4] =
    [&QR_CODE, &KEY_HOLDER, &DEPOSIT_ADDRESS, &PIX_DESCRIPTION];

/// The body of a question; none where the request says something that no such body holds: the
/// contract refuses it, and the provider is not asked.
pub(super) fn body<const N: usize>(
    question: &Question,
    given: [(&str, Option<Value>); N],
) -> Option<Value> {
    let given = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let body: Map<String, Value> = given.collect();
    fault(question.fields, &body).is_none().then_some(Value::Object(body))
}

/// The first thing that keeps an object from being one of these fields.
pub(super) fn fault(fields: &[Field], object: &Map<String, Value>) -> Option<String> {
    let given = |field: &&Field| object.get(field.name).is_some_and(|value| !value.is_null());
    let lacking = fields.iter().find(|field| field.need == Need::Required && !given(field));
    if let Some(field) = lacking {
        return Some(format!("it lacks {}", field.name));
    }
    object.iter().find_map(|(name, value)| {
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            return Some(format!("it has {}", ledger_core::contract::mask_input(name)));
        };
        let fits = value.is_null() || fits(field.holds, value);
        (!fits).then(|| format!("{} is not what it must be: {}", field.name, shape(field.holds)))
    })
}

/// Tells whether a value is of a type; lengths of text count bytes.
fn fits(holds: FieldType, value: &Value) -> bool {
    let text = |most: usize, is: fn(char) -> bool| {
        value.as_str().is_some_and(|text| (1..=most).contains(&text.len()) && text.chars().all(is))
    };
    match holds {
        Text(most) | Word(most) => text(most, |c| !c.is_control()),
        Reference(most) => text(most, |c| c.is_ascii_graphic()),
        Operation => text(80, |c| c.is_ascii_alphanumeric() || c == '_'),
        Pix => value.as_str().is_some_and(|text| text.len() == 32) && text(32, is_alphanumeric),
        Centavos => value.as_i64().is_some_and(|cents| (1..=MOST_CENTAVOS).contains(&cents)),
        Decimal(most) => value.as_str().is_some_and(|text| {
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
            text.len() <= most && digits(whole) && digits(part)
        }),
        Flag => value.is_boolean(),
        // No question has another: what is not known is nothing that fits.
        _ => false,
    }
}

const fn is_alphanumeric(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

fn shape(holds: FieldType) -> String {
    match holds {
        Text(most) | Word(most) => format!("a text of 1 to {most} bytes"),
        Reference(most) => format!("printable ASCII of 1 to {most} bytes, without blanks"),
        Flag => "true or false".to_owned(),
        other => format!("{other:?}"),
    }
}
