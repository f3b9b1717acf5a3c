//! The parts of docs/provider.md that are made of the declarations, held against it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ledger_core::contract::{Field, Secret, signature};
use ledger_core::time::Instant;
use serde_json::{Value, json};

use super::declared::{QR_CODE, QUESTIONS, UNKNOWN};
use super::remote::text;
use crate::documents::schema;
use crate::push::settings;

const COMMAND: &str = "GOLDEN=write cargo test -p ledger-http --lib document";

/// The schema of an object of these fields and of no others, a line a field.
fn object_schema(fields: &[Field]) -> String {
    let properties = schema::properties(fields).into_iter().map(|(name, mut property)| {
        // What every text is, and what no reader needs.
        let said = |name: &str, value: &Value| match name {
            "examples" | "x-unit" | "format" => false,
            "pattern" => value != schema::PRINTABLE,
            _ => true,
        };
        property.as_object_mut().unwrap().retain(|name, value| said(name, value));
        format!("  \"{name}\": {property}")
    });
    let properties: Vec<String> = properties.collect();
    let required = json!(schema::required_names(fields));
    format!(
        "{{\"type\":\"object\",\"additionalProperties\":false,\"required\":{required},\
         \"properties\":{{\n{}\n}}}}",
        properties.join(",\n")
    )
}

fn schemas() -> String {
    let mut made = String::new();
    for question in QUESTIONS {
        let name = question.name;
        let body = object_schema(question.fields);
        let answers = question.answers.iter().copied().chain([UNKNOWN]).map(object_schema);
        let answers = answers.collect::<Vec<_>>().join(",\n");
        for (what, schema) in
            [("`body` of", body), ("answer to", format!("{{\"oneOf\":[\n{answers}\n]}}"))]
        {
            // What is shown is JSON.
            let _: Value = serde_json::from_str(&schema).unwrap();
            write!(made, "The {what} `{name}`:\n\n```json\n{schema}\n```\n\n").unwrap();
        }
    }
    made
}

/// A question with its headers, as whoever verifies signatures may check himself by it.
fn example() -> String {
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    let (_, key): (_, Secret) = settings::parse_target("http://provider/", secret).unwrap();
    let at = Instant::parse("2026-11-20T12:00:00Z").unwrap();
    let body = json!({ "account": "loja", "external_id": "pedido-1", "amount_cents": 5_000,
        "payer_tax_number": "52998224725" });
    let id = "sq_5a29d0b7f1c34e6690ab12cd34ef5678";
    let text = text(&QR_CODE, "live", id, body);
    let signed = signature::sign_standard(&[key], id, at, text.as_bytes());
    let seconds = signature::seconds_of(at);
    format!(
        "```text\nsecret: {secret}\n\nPOST /supply HTTP/1.1\ncontent-type: application/json\n\
         webhook-id: {id}\nwebhook-timestamp: {seconds}\nwebhook-signature: {signed}\n\n{text}\n```\n"
    )
}

/// `text` with what stands between the marks of `part` replaced.
fn with(text: &str, part: &str, made: &str) -> String {
    let (begin, end) = (format!("<!-- {part}: made -->\n"), format!("<!-- {part}: end -->"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{before}{begin}\n{made}\n{end}{after}")
}

#[test]
fn the_document_for_providers_has_the_schemas_and_the_example_that_the_code_gives() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/provider.md");
    let kept = fs::read_to_string(&path).unwrap();
    let mut made = with(&kept, "example", &example());
    made = with(&made, "schemas", schemas().trim_end());
    if std::env::var("GOLDEN").is_ok_and(|mode| mode == "write") {
        fs::write(&path, &made).unwrap();
        return;
    }
    let differs = made.lines().zip(kept.lines()).find(|(made, kept)| made != kept);
    assert!(made == kept, "docs/provider.md is not what the code says: {differs:?}; {COMMAND}");
}
