//! Fields as JSON Schema, and the components that answers are made of.

use ledger_core::contract::{
    AnswerField, AnswerType, Field, FieldType, LARGEST_NUMBER, LONGEST_KEY, LONGEST_TEXT,
    MOST_PAIRS, Need,
};
use serde_json::{Map, Value, json};

/// The most that an amount may be: a trillion reais, in centavos.
const MOST_CENTAVOS: i64 = 100_000_000_000_000;

/// The most entries of a list in a request.
const MOST_LISTED: usize = 500;

/// Text as every reader of text takes it: without control characters (P:CharCount).
pub const PRINTABLE: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";

/// The name of a transaction or a wallet; coins that came back have one of the ledger's.
const REFERENCE: &str = "^(returned )?[!-~]+$";

/// A CPF, or a CNPJ of digits or with letters; their check digits are the reader's to see.
const TAX_NUMBER: &str = "^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$";

/// What texts of these names look like, so that a client's own checks find what the service would
/// refuse by the form alone.
const FORMS: [(&str, &str); 9] = [
    ("capability", "^[a-z0-9_]{1,64}$"),
    ("documento_pais", "^[A-Za-z]{2}$"),
    ("payer_tax_number", TAX_NUMBER),
    ("tax_number", TAX_NUMBER),
    ("payee_tax_number", TAX_NUMBER),
    ("payer_tax", TAX_NUMBER),
    ("contrapartes", TAX_NUMBER),
    ("webhook_url", r"^https://[^\u0000-\u0020\u007f-\u009f]+$"),
    ("capabilities", "^[a-z0-9_]{1,64}$"),
];

/// Schemas by name, gathered while a document is written.
#[derive(Default)]
pub struct Components(Map<String, Value>);

impl Components {
    /// All of them.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// Adds a schema under a name, unless it stands there, and gives a reference to it.
    ///
    /// # Panics
    ///
    /// When another schema stands under this name: names are the table's.
    pub fn add(&mut self, name: &str, schema: Value) -> Value {
        if let Some(known) = self.0.get(name) {
            assert_eq!(*known, schema, "two schemas are called {name}");
        }
        self.0.insert(name.to_owned(), schema);
        reference(name)
    }

    /// The schema of this name.
    ///
    /// # Panics
    ///
    /// When there is none: it is added first.
    pub fn schema_mut(&mut self, name: &str) -> &mut Value {
        self.0.get_mut(name).expect("a schema is added before it is changed")
    }

    /// Adds an object of these fields, and gives a reference to it.
    pub fn object<'a>(
        &mut self,
        name: &str,
        fields: impl IntoIterator<Item = &'a AnswerField>,
    ) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in fields {
            properties.insert(field.name.to_owned(), self.answer(field));
            if field.always {
                required.push(field.name);
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        self.add(name, schema)
    }

    /// The schema of a field of an answer.
    pub fn answer(&mut self, field: &AnswerField) -> Value {
        let mut schema = match field.holds {
            AnswerType::Text(_) | AnswerType::Word(_) => json!({ "type": "string" }),
            AnswerType::Centavos(_) => json!({ "type": "integer", "format": "int64" }),
            AnswerType::BasisPoints(_) => json!({ "type": "integer", "minimum": 0 }),
            AnswerType::Whole(..) => json!({ "type": "integer" }),
            AnswerType::Decimal(..) => {
                json!({ "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]+)?$" })
            }
            AnswerType::Flag(_) => json!({ "type": "boolean" }),
            AnswerType::Moment => json!({ "type": "string", "format": "date-time" }),
            AnswerType::Texts(_) => json!({ "type": "array", "items": { "type": "string" } }),
            AnswerType::Operation => return self.operation(),
            AnswerType::Metadata => {
                json!({ "type": "object", "additionalProperties": { "type": SCALARS } })
            }
            AnswerType::Object(name, fields) => {
                return self.nested_object(field, name, fields);
            }
            AnswerType::Objects(name, fields) => {
                json!({ "type": "array", "items": self.object(name, fields) })
            }
        };
        if let AnswerType::Word(words) = field.holds {
            schema["x-extensible-enum"] = json!(words);
        }
        if field.nullable {
            schema["type"] = json!([schema["type"], "null"]);
        }
        schema["description"] = sentence(field.meaning, field.unit(), words(field)).into();
        if let Some(unit) = field.unit() {
            schema["x-unit"] = unit.into();
        }
        schema["examples"] = json!([field.example()]);
        schema
    }

    /// Any operation: which one it is, the name of its event says.
    fn operation(&mut self) -> Value {
        let description = "An operation as it stood; the name of the event says of which kind.";
        self.add("AnyOperation", json!({ "type": "object", "description": description }))
    }

    fn nested_object(
        &mut self,
        field: &AnswerField,
        name: &str,
        fields: &'static [AnswerField],
    ) -> Value {
        let reference = self.object(name, fields);
        let description = sentence(field.meaning, None, None);
        if field.nullable {
            json!({ "anyOf": [reference, { "type": "null" }], "description": description })
        } else {
            json!({ "allOf": [reference], "description": description })
        }
    }
}

/// The JSON types of a value of metadata.
const SCALARS: [&str; 4] = ["string", "integer", "boolean", "null"];

/// A reference to a schema by its name.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The words of an answer, as its text lists them.
fn words(field: &AnswerField) -> Option<String> {
    let AnswerType::Word(words) = field.holds else { return None };
    let listed = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    Some(match words {
        [_] => format!("At present {listed}; others may come."),
        _ => format!("One of {listed}; others may come."),
    })
}

/// The text of a field: what it says, its unit, and what else there is to say.
fn sentence(meaning: &str, unit: Option<&str>, besides: Option<String>) -> String {
    let mut text = capitalise(meaning);
    text.push('.');
    if let Some(unit) = unit {
        text.push_str(" Unit: ");
        text.push_str(unit);
        text.push('.');
    }
    if let Some(besides) = besides {
        text.push(' ');
        text.push_str(&besides);
    }
    text
}

/// A text that begins with a capital letter, unless it begins with a name of the wire.
pub fn capitalise(text: &str) -> String {
    let first = text.split([' ', ',']).next().unwrap_or_default();
    if first.contains('_') {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The schema of a field of a request. An optional field may be null, as its reader takes it.
pub fn request(field: &Field) -> Value {
    let mut schema = parameter(field);
    match (field.need, schema.get("enum")) {
        (Need::Required, _) if field.holds == FieldType::List => schema["minItems"] = 1.into(),
        (Need::Required, _) => {}
        // A choice beside null, so that clients have one type of the words.
        (Need::Optional, Some(_)) => schema = json!({ "anyOf": [schema, { "type": "null" }] }),
        (Need::Optional, None) => schema["type"] = json!([schema["type"], "null"]),
    }
    describe(&mut schema, field);
    schema
}

/// The schema of a parameter of a path or a query: text that is never null.
pub fn parameter(field: &Field) -> Value {
    match field.words() {
        Some(words) => json!({ "type": "string", "enum": words }),
        None => type_schema(field.holds, form(field.name)),
    }
}

/// The pattern of texts of this name.
fn form(name: &str) -> &'static str {
    FORMS.iter().find(|(of, _)| *of == name).map_or(PRINTABLE, |(_, form)| *form)
}

fn describe(schema: &mut Value, field: &Field) {
    schema["description"] = description(field).into();
    if let Some(unit) = field.unit() {
        schema["x-unit"] = unit.into();
    }
    schema["examples"] = json!([field.example()]);
}

/// The text of a field of a request, with its unit.
pub fn description(field: &Field) -> String {
    let words = field.words().unwrap_or_default();
    let begins = |word: &&str| field.meaning.starts_with(word);
    if words.iter().any(begins) {
        format!("{}.", field.meaning)
    } else {
        sentence(field.meaning, field.unit(), None)
    }
}

fn type_schema(holds: FieldType, form: &str) -> Value {
    let integer = |least: i64, most: i64| json!({ "type": "integer", "format": "int64", "minimum": least, "maximum": most });
    match holds {
        FieldType::Text(most) | FieldType::Word(most) => {
            json!({ "type": "string", "minLength": 1, "maxLength": most, "pattern": form })
        }
        FieldType::Reference(most) => type_schema(FieldType::Text(most), REFERENCE),
        FieldType::Operation => type_schema(FieldType::Text(80), "^[A-Za-z0-9_]+$"),
        FieldType::Pix => {
            json!({ "type": "string", "pattern": "^[A-Za-z0-9]{32}$" })
        }
        FieldType::Centavos => integer(1, MOST_CENTAVOS),
        FieldType::CentavosOrZero => integer(0, MOST_CENTAVOS),
        FieldType::SignedCentavos => integer(-MOST_CENTAVOS, MOST_CENTAVOS),
        FieldType::Whole(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        FieldType::BasisPoints => json!({ "type": "integer", "minimum": 0, "maximum": 10_000 }),
        FieldType::Flag => json!({ "type": "boolean" }),
        FieldType::Moment => json!({ "type": "string", "format": "date-time" }),
        FieldType::Decimal(most) => {
            json!({ "type": "string", "maxLength": most, "pattern": "^[0-9]+(\\.[0-9]+)?$" })
        }
        FieldType::Object(fields) => body(fields),
        FieldType::Objects(fields) => json!({ "type": "array", "items": body(fields) }),
        FieldType::List => {
            let items = json!({ "type": "string", "pattern": form });
            json!({ "type": "array", "items": items, "maxItems": MOST_LISTED })
        }
        FieldType::Metadata => json!({
            "type": "object",
            "maxProperties": MOST_PAIRS,
            "propertyNames": { "minLength": 1, "maxLength": LONGEST_KEY, "pattern": form },
            "additionalProperties": {
                "type": SCALARS,
                "maxLength": LONGEST_TEXT,
                "minimum": -LARGEST_NUMBER,
                "maximum": LARGEST_NUMBER,
            },
        }),
    }
}

/// The schema of a body of these fields; other fields are tolerated.
pub fn body(fields: &[Field]) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties(fields) });
    let required = required_names(fields);
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The schemas of these fields by their names.
pub fn properties(fields: &[Field]) -> Map<String, Value> {
    fields.iter().map(|field| (field.name.to_owned(), request(field))).collect()
}

/// The names of those of these fields that must be given.
pub fn required_names(fields: &[Field]) -> Vec<&'static str> {
    let required = fields.iter().filter(|field| field.need == Need::Required);
    required.map(|field| field.name).collect()
}
