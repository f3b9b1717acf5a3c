"""Reads the published OpenAPI document into what both languages are written from."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from .routes import INTENTS, PAGES, REPEATABLE, Intent, Page

Schema = dict[str, Any]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a path or a query."""

    name: str
    schema: Schema
    required: bool


@dataclass(frozen=True)
class Operation:
    """A route: how it is called, and the schemas of its body and its answer."""

    id: str
    method: str
    path: str
    summary: str
    in_path: list[Parameter]
    in_query: list[Parameter]
    body: str | None
    results: list[str]
    intent: Intent | None = None
    page: Page | None = None
    repeatable: bool = False


@dataclass
class Document:
    """The schemas by name, the operations in their order, and the events of webhooks."""

    version: str
    schemas: dict[str, Schema]
    operations: list[Operation] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def operation(self, id: str) -> Operation:
        """The operation with an id."""
        return next(it for it in self.operations if it.id == id)

    def rows(self, operation: Operation, key: str | None = None) -> tuple[str, str]:
        """The field of an answer that holds its list, and the schema of one row."""
        (result,) = operation.results
        for name, schema in self.schemas[result]["properties"].items():
            if schema.get("type") == "array" and key in (None, name):
                return name, reference(schema["items"])
        raise ValueError(f"{operation.id} answers no list")

    def intent_results(self, operation: Operation) -> list[str]:
        """What an intent can come to: the answer of its route, or a row of its read."""
        assert operation.intent is not None
        results = list(operation.results)
        if operation.intent.read is not None:
            _, row = self.rows(self.operation(operation.intent.read))
            results += [row] if row not in results else []
        return results


def reference(schema: Schema) -> str:
    """The name of the schema that a `$ref` points to."""
    name: str = schema["$ref"].rsplit("/", 1)[1]
    return name


def names(schema: Schema) -> list[str]:
    """The named schemas that a body or an answer is one of."""
    variants = schema.get("anyOf") or schema.get("oneOf") or [schema]
    return [reference(it) for it in variants]


def json_schema(content: Any) -> Schema:
    """The schema of JSON content."""
    schema: Schema = content["content"]["application/json"]["schema"]
    return schema


def read(document: Any) -> Document:
    """Reads the document; a route of the list that it no longer has is an error."""
    schemas = document["components"]["schemas"]
    made = Document(document["info"]["version"], schemas)
    for path, methods in document["paths"].items():
        for method, it in methods.items():
            if "Discovery" not in it["tags"]:
                made.operations += split(operation(path, method, it))
    made.events = [
        reference(json_schema(it["post"]["requestBody"])) for it in document["webhooks"].values()
    ]
    missing = {*INTENTS, *PAGES, *REPEATABLE} - {it.id for it in made.operations}
    assert not missing, f"the document has no {missing}"
    for it in made.operations:
        has = "external_id" in schemas.get(it.body or "", {}).get("properties", {})
        assert not has or it.intent or it.id == "previewCashOut", f"{it.id} is an intent"
    return made


def operation(path: str, method: str, it: Any) -> Operation:
    """One operation, with all its variants."""
    parameters = [one for one in it.get("parameters", []) if "name" in one]
    body = names(json_schema(it["requestBody"])) if "requestBody" in it else [None]
    answers = [json_schema(answer) for code, answer in it["responses"].items() if code[0] == "2"]
    results = list(dict.fromkeys(name for answer in answers for name in names(answer)))
    return Operation(
        id=it["operationId"],
        method=method.upper(),
        path=path,
        summary=it.get("description") or it["summary"],
        in_path=[parameter(one) for one in parameters if one["in"] == "path"],
        in_query=[parameter(one) for one in parameters if one["in"] == "query"],
        body=body[0],
        results=results,
        intent=INTENTS.get(it["operationId"]),
        page=PAGES.get(it["operationId"]),
        repeatable=method in ("get", "put") or it["operationId"] in REPEATABLE,
    )


def parameter(it: Any) -> Parameter:
    """One parameter."""
    return Parameter(it["name"], it["schema"], it["required"])


def split(it: Operation) -> list[Operation]:
    """An operation with two answers becomes two: what is sent says which one comes."""
    if len(it.results) == 1:
        return [it]
    first = dataclasses.replace(it, results=it.results[:1])
    second = dataclasses.replace(it, results=it.results[1:])
    if it.id == "createTransfer":
        group = dataclasses.replace(
            second,
            id="createTransferGroup",
            body="CreateTransferGroupRequest",
            intent=INTENTS["createTransferGroup"],
        )
        return [first, group]
    assert it.id == "getBalance", f"{it.id} has two answers"
    now = [one for one in it.in_query if one.name != "em"]
    then = [dataclasses.replace(one, required=one.name == "em") for one in it.in_query]
    then.sort(key=lambda one: not one.required)
    return [
        dataclasses.replace(first, in_query=now),
        dataclasses.replace(second, id="getBalanceAt", in_query=then),
    ]
