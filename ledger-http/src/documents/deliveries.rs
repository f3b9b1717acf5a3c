//! The routes of ours about webhooks, as `OpenAPI` has them: they are asked of a service that sends
//! webhooks, and are none of the contract's.

use ledger_core::contract::EXAMPLE_INSTANT;
use ledger_core::ledger::Topic;
use serde_json::{Map, Value, json};

use super::webhooks::event_example;
use crate::courier::paths::{DELIVERY, EVENTS, RECOVER, RESEND};

/// The id of an event, in examples.
const EVENT: &str = "ev_33_0_2c13dba658eae6df";

/// A field of an answer: its name, its type, what it says, and an example.
type Field = (&'static str, &'static str, &'static str, Value);

/// Their paths.
pub(super) fn paths() -> Map<String, Value> {
    let found = [
        (DELIVERY, json!({ "get": shown() })),
        (RESEND, json!({ "post": resent() })),
        (RECOVER, json!({ "post": recovered() })),
        (EVENTS, json!({ "get": listened() })),
    ];
    found.into_iter().map(|(path, item)| (path.to_owned(), item)).collect()
}

fn shown() -> Value {
    let history = json!([{ "number": 1, "kind": "scheduled", "at": EXAMPLE_INSTANT,
        "outcome": "delivered", "http_status": 204, "latency_ms": 120, "answer": "" }]);
    let payload = event_example(Topic::ChargePaid);
    described(
        ("getWebhookDelivery", "Show a delivery"),
        "One delivery with what is sent, every attempt and what it was answered.",
        &[id()],
        &[
            ("id", "string", "The id of the event.", EVENT.into()),
            ("event", "string", "The name of the event.", "cashin.paid".into()),
            (
                "status",
                "string",
                "How its delivery stands; `unaddressed` where no address was set when it came.",
                "delivered".into(),
            ),
            ("attempts", "integer", "How often it was tried.", 1.into()),
            ("created_at", "string", "When it came, in UTC.", EXAMPLE_INSTANT.into()),
            ("history", "array", "Every attempt, with its answer up to 20,000 bytes.", history),
            ("payload", "object", "The event, persons as they are known now.", payload),
        ],
    )
}

fn resent() -> Value {
    described(
        ("resendWebhook", "Send an event again"),
        "Sends any event of the account once more, delivered or not, and says what the endpoint \
         answered. A success ends its schedule, a failure leaves it.",
        &[id()],
        &[
            ("id", "string", "The id of the event.", EVENT.into()),
            ("status", "integer", "What the endpoint answered, an HTTP status.", 200.into()),
            ("latency_ms", "integer", "How long it took, in milliseconds.", 120.into()),
            ("entregue", "boolean", "Whether that counts as delivered.", true.into()),
        ],
    )
}

fn recovered() -> Value {
    let since = json!({
        "name": "since",
        "in": "query",
        "required": true,
        "description": "From which instant on, of RFC 3339.",
        "schema": { "type": "string", "format": "date-time" },
        "example": EXAMPLE_INSTANT,
    });
    described(
        ("recoverWebhooks", "Recover what was not delivered"),
        "Has every event since an instant sent once more that was given up, or came while no \
         address was set.",
        &[since],
        &[("enfileirados", "integer", "How many events are sent.", 3.into())],
    )
}

fn listened() -> Value {
    let whole = |name: &str, description: &str, most: u64, example: u64| {
        json!({
            "name": name,
            "in": "query",
            "required": false,
            "description": description,
            "schema": { "type": "integer", "minimum": 0, "maximum": most },
            "example": example,
        })
    };
    let items = json!([event_example(Topic::ChargePaid)]);
    described(
        ("listenToWebhooks", "Listen to events"),
        "What the account is sent after a place, resent events too, whether or not an address is \
         set. Without `after`, where listening begins.",
        &[
            whole("after", "`next` of the answer before.", 4_294_967_295, 7),
            whole("wait", "How many seconds to wait until there is something.", 25, 20),
        ],
        &[
            ("items", "array", "The events, in the order in which they were sent.", items),
            ("next", "integer", "Where to go on.", 8.into()),
        ],
    )
}

fn id() -> Value {
    json!({
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The id of the event.",
        "schema": { "type": "string" },
        "example": EVENT,
    })
}

fn described(
    (name, summary): (&str, &str),
    description: &str,
    parameters: &[Value],
    fields: &[Field],
) -> Value {
    let property = |(name, kind, about, _): &Field| {
        let mut schema = json!({ "type": kind, "description": about });
        if *kind == "array" {
            schema["items"] = json!({ "type": "object" });
        }
        ((*name).to_owned(), schema)
    };
    let properties: Map<String, Value> = fields.iter().map(property).collect();
    let required: Vec<&str> = fields.iter().map(|field| field.0).collect();
    let example: Map<String, Value> =
        fields.iter().map(|field| (field.0.to_owned(), field.3.clone())).collect();
    let mut parameters = parameters.to_vec();
    parameters.push(json!({ "$ref": "#/components/parameters/X-Request-ID" }));
    json!({
        "operationId": name,
        "summary": summary,
        "description": description,
        "tags": ["Webhooks"],
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "What was asked for.",
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": properties,
                            "required": required,
                        },
                        "example": example,
                    },
                },
            },
            "default": { "$ref": "#/components/responses/AnyError" },
        },
    })
}
