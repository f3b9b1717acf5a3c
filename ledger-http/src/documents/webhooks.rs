//! The events of the service, as the `webhooks` of `OpenAPI`.

use ledger_core::contract::{
    AnswerField, CONTRACT_VERSION, EVENT, EXAMPLE_INSTANT, TOPICS, example, signature, topic,
    topic_data, topic_meaning,
};
use ledger_core::ledger::Topic;
use serde_json::{Map, Value, json};

use super::schema::Components;

/// Every event by its name.
pub fn webhooks(components: &mut Components) -> Map<String, Value> {
    let described = |topic| (wire_name(topic).to_owned(), webhook(topic, components));
    TOPICS.into_iter().map(described).collect()
}

fn wire_name(of: Topic) -> &'static str {
    topic(of)
}

/// The name of an event as names of operations and schemas are made: `CashinPaid`.
fn type_name(of: Topic) -> String {
    let words = wire_name(of).split(['.', '_']);
    words.map(super::schema::capitalise).collect()
}

fn webhook(of: Topic, components: &mut Components) -> Value {
    let event = event(of, components);
    let schema = components.add(&format!("{}Event", type_name(of)), event);
    json!({
        "post": {
            "operationId": format!("on{}", type_name(of)),
            "summary": wire_name(of),
            "description": format!(
                "{} Events may come twice and out of order: deduplicate by `id`, order by \
                 `sequence`, and answer 2xx quickly.",
                topic_meaning(of),
            ),
            "tags": ["Webhooks"],
            "security": [],
            "parameters": headers(),
            "requestBody": {
                "required": true,
                "content": {
                    "application/json": { "schema": schema, "example": event_example(of) },
                },
            },
            "responses": {
                "200": { "description": "Taken; any 2xx is." },
                "410": { "description": "No longer wanted: the endpoint is switched off." },
            },
        },
    })
}

fn headers() -> Value {
    let header = |name: &str, description: &str, example: &str| {
        json!({
            "name": name,
            "in": "header",
            "required": true,
            "description": description,
            "schema": { "type": "string" },
            "example": example,
        })
    };
    json!([
        header(
            signature::ID_HEADER,
            "The id of the event, the same however often it is sent.",
            "ev_33_0_2c13dba658eae6df",
        ),
        header(
            signature::SIGNATURE_HEADER,
            "`t=` the seconds since 1970, `v1=` HMAC-SHA-256 of `t`, a dot and the body, byte for \
             byte, under the whole secret.",
            "t=1763640000,v1=5a5a5a5a",
        ),
        header(
            signature::STANDARD_ID_HEADER,
            "The same id, as Standard Webhooks 1.0.0 has it.",
            "ev_33_0_2c13dba658eae6df",
        ),
        header(
            signature::STANDARD_TIMESTAMP_HEADER,
            "The seconds since 1970 of the attempt.",
            "1763640000",
        ),
        header(
            signature::STANDARD_SIGNATURE_HEADER,
            "`v1,` and base64 of HMAC-SHA-256 of id, timestamp and body, with dots between, under \
             the secret of `webhook_whsec`; several with spaces between for 24 hours after a \
             rotation.",
            "v1,WlpaWg==",
        ),
    ])
}

/// The schema of an event: the envelope, and the operation as its `data`.
fn event(of: Topic, components: &mut Components) -> Value {
    let data = match topic_data(of) {
        Some((name, fields)) => {
            let fields: Vec<&AnswerField> = fields.iter().collect();
            components.object(name, fields)
        }
        None => components.add(
            "WebhookTestData",
            json!({
                "type": "object",
                "properties": {
                    "account": {
                        "type": "string",
                        "description": "The account whose endpoint is tested.",
                        "examples": ["loja"],
                    },
                },
                "required": ["account"],
            }),
        ),
    };
    let mut properties: Map<String, Value> =
        EVENT.iter().map(|field| (field.name.to_owned(), components.answer(field))).collect();
    properties["event"]["const"] = wire_name(of).into();
    properties["event"]["examples"] = json!([wire_name(of)]);
    properties.insert("data".to_owned(), data);
    let required: Vec<_> = EVENT.iter().map(|field| field.name).collect();
    json!({
        "type": "object",
        "description": topic_meaning(of),
        "properties": properties,
        "required": required,
    })
}

/// An event as it is sent.
#[must_use]
pub fn event_example(of: Topic) -> Value {
    let data = match topic_data(of) {
        Some((_, fields)) => example(fields),
        None => json!({ "account": "loja" }),
    };
    json!({
        "id": "ev_33_0_2c13dba658eae6df",
        "event": wire_name(of),
        "created_at": EXAMPLE_INSTANT,
        "api_version": CONTRACT_VERSION,
        "sequence": 33_000,
        "data": data,
    })
}
