//! The routes of ours about webhooks, as `OpenAPI` has them: they are asked of a service that sends
//! webhooks, and are none of the contract's.

use ledger_core::contract::{Code, EXAMPLE_INSTANT, RouteKind, TOPICS, topic};
use ledger_core::ledger::Topic;
use serde_json::{Map, Value, json};

use super::operations::OF_SERVICE;
use super::responses::{headers, refusal_responses};
use super::schema::Components;
use super::webhooks::event_example;
use crate::courier::paths::{DELIVERY, EVENTS, FILTER, RECOVER, RESEND};

/// The id of an event, in examples.
const EVENT: &str = "ev_33_0_2c13dba658eae6df";

/// What each of them may be refused for.
const OF_EACH: [Code; 3] = [Code::KeyMissing, Code::KeyUnknown, Code::LookupUnavailable];

/// A field of an answer: its name, its type, what it says, and an example.
type Field = (&'static str, &'static str, &'static str, Value);

/// One of the routes, as its document is made of.
struct Route {
    name: &'static str,
    summary: &'static str,
    description: &'static str,
    /// What it may be refused for, beside what each may.
    refusals: &'static [Code],
    parameters: Vec<Value>,
    /// The name of its body's schema, and its one field.
    body: Option<(&'static str, &'static str, &'static str)>,
    /// What its answer is called in clients.
    schema: &'static str,
    fields: Vec<Field>,
}

/// Builds the paths of these routes, with their schemas among the components.
pub(super) fn paths(components: &mut Components) -> Map<String, Value> {
    let found = [
        (DELIVERY, vec![("get", show_route())]),
        (RESEND, vec![("post", resent())]),
        (RECOVER, vec![("post", recover_route())]),
        (FILTER, vec![("get", filter_route()), ("put", choosing())]),
        (EVENTS, vec![("get", listen_route())]),
    ];
    let mut paths = Map::new();
    for (path, routes) in found {
        let described =
            |(method, route): (&str, Route)| (method.to_owned(), route.into_operation(components));
        let item: Map<String, Value> = routes.into_iter().map(described).collect();
        paths.insert(path.to_owned(), item.into());
    }
    paths
}

fn show_route() -> Route {
    let history = json!([{ "number": 1, "kind": "scheduled", "at": EXAMPLE_INSTANT,
        "outcome": "delivered", "http_status": 204, "latency_ms": 120, "answer": "" }]);
    let payload = event_example(Topic::ChargePaid);
    Route {
        name: "getWebhookDelivery",
        summary: "Show a delivery",
        description: "One delivery with what is sent, every attempt and what it was answered.",
        refusals: &[Code::NotFound],
        parameters: vec![id()],
        body: None,
        schema: "WebhookShown",
        fields: vec![
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
    }
}

fn resent() -> Route {
    Route {
        name: "resendWebhook",
        summary: "Send an event again",
        description: "Sends any event of the account once more, delivered or not, and says what \
                      the endpoint answered. A success ends its schedule, a failure leaves it.",
        refusals: &[Code::NotFound, Code::WebhookNotConfigured, Code::EndpointSilent],
        parameters: vec![id()],
        body: None,
        schema: "WebhookResent",
        fields: vec![
            ("id", "string", "The id of the event.", EVENT.into()),
            ("status", "integer", "What the endpoint answered, an HTTP status.", 200.into()),
            ("latency_ms", "integer", "How long it took, in milliseconds.", 120.into()),
            ("entregue", "boolean", "Whether that counts as delivered.", true.into()),
        ],
    }
}

fn recover_route() -> Route {
    let since = json!({
        "name": "since",
        "in": "query",
        "required": true,
        "description": "From which instant on, of RFC 3339.",
        "schema": { "type": "string", "format": "date-time" },
        "example": EXAMPLE_INSTANT,
    });
    Route {
        name: "recoverWebhooks",
        summary: "Recover what was not delivered",
        description: "Has every event since an instant sent once more that was given up, or came \
                      while no address was set.",
        refusals: &[Code::RequestInvalid, Code::WebhookNotConfigured],
        parameters: vec![since],
        body: None,
        schema: "WebhooksRecovered",
        fields: vec![("enfileirados", "integer", "How many events are sent.", 3.into())],
    }
}

/// What the two routes about the choice answer.
const CHOSEN: &str = "The events that are sent; null for all.";

fn filter_route() -> Route {
    Route {
        name: "getWebhookFilter",
        summary: "Show which events are sent",
        description: "The events that the account has chosen.",
        refusals: &[],
        parameters: Vec::new(),
        body: None,
        schema: "WebhookFilter",
        fields: vec![("events", "events", CHOSEN, json!(["cashin.paid", "payout.failed"]))],
    }
}

fn choosing() -> Route {
    let body = ("SetWebhookFilterRequest", "events", "The events to be sent; null for all.");
    Route {
        name: "setWebhookFilter",
        summary: "Choose which events are sent",
        description: "Events that come from now on are sent if they are of these names; tests \
                      always are. The others can be looked at and sent again by their ids.",
        refusals: &[Code::FormatInvalid, Code::FieldsRequired, Code::BodyTooLarge],
        body: Some(body),
        ..filter_route()
    }
}

fn listen_route() -> Route {
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
    Route {
        name: "listenToWebhooks",
        summary: "Listen to events",
        description: "What the account is sent after a place, resent events too, whether or not \
                      an address is set. Without `after`, where listening begins.",
        refusals: &[Code::RequestInvalid],
        parameters: vec![
            whole("after", "`next` of the answer before.", 4_294_967_295, 7),
            whole("wait", "How many seconds to wait until there is something.", 25, 20),
        ],
        body: None,
        schema: "WebhooksAnnounced",
        fields: vec![
            ("items", "array", "The events, in the order in which they were sent.", items),
            ("next", "integer", "Where to go on.", 8.into()),
        ],
    }
}

impl Route {
    fn into_operation(self, components: &mut Components) -> Value {
        let property =
            |(name, kind, about, _): &Field| ((*name).to_owned(), field_schema(kind, about));
        let properties: Map<String, Value> = self.fields.iter().map(property).collect();
        let required: Vec<&str> = self.fields.iter().map(|field| field.0).collect();
        let object = json!({ "type": "object", "properties": properties, "required": required });
        let schema = components.add(self.schema, object);
        let example: Map<String, Value> =
            self.fields.into_iter().map(|field| (field.0.to_owned(), field.3)).collect();
        let asked = example.clone();
        let mut parameters = self.parameters;
        parameters.push(json!({ "$ref": "#/components/parameters/X-Request-ID" }));
        let codes = self.refusals.iter().chain(&OF_EACH).chain(&OF_SERVICE);
        let mut refusals: Vec<_> =
            codes.map(|code| (code.status(RouteKind::Other), *code)).collect();
        refusals.sort_by_key(|(status, code)| (*status, code.name()));
        let mut responses = refusal_responses(&refusals);
        let answer = json!({
            "description": "What was asked for.",
            "headers": headers(),
            "content": { "application/json": { "schema": schema, "example": example } },
        });
        responses.insert("200".to_owned(), answer);
        let mut described = json!({
            "operationId": self.name,
            "summary": self.summary,
            "description": self.description,
            "tags": ["Webhooks"],
            "parameters": parameters,
            "responses": responses,
        });
        if let Some((name, field, about)) = self.body {
            let body = json!({
                "type": "object",
                "properties": { field: field_schema(field, about) },
                "required": [field],
            });
            let schema = components.add(name, body);
            described["requestBody"] = json!({
                "required": true,
                "content": { "application/json": { "schema": schema, "example": asked } },
            });
        }
        described
    }
}

/// The schema of a field of this type.
fn field_schema(kind: &str, about: &str) -> Value {
    let mut schema = json!({ "type": kind, "description": about });
    match kind {
        "array" => schema["items"] = json!({ "type": "object" }),
        "events" => {
            schema["type"] = json!(["array", "null"]);
            schema["items"] = json!({ "type": "string", "enum": TOPICS.map(topic) });
            schema["minItems"] = 1.into();
        }
        _ => {}
    }
    schema
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
