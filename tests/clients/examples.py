"""Every example of the document is read by the generated client, and written as it was."""

import importlib
import json
import re
import sys
from typing import Any


def module_of(name: str) -> str:
    """The module that the client's generator puts a schema in."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return f"custody_ledger_client.models.{words.lower()}"


def examples(document: dict[str, Any]) -> list[tuple[str, Any]]:
    """Every body that the document shows, with the name of its schema."""
    found = []
    operations = [
        operation
        for item in [*document["paths"].values(), *document["webhooks"].values()]
        for operation in item.values()
    ]
    for operation in operations:
        contents = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in contents:
            media = content.get("content", {}).get("application/json", {})
            if "example" in media:
                # Of a body that is one of several, the example is of the first.
                of = media["schema"]
                schema = (of.get("oneOf") or of.get("anyOf") or [of])[0]
                found.append((schema["$ref"].rsplit("/", 1)[1], media["example"]))
    for example in document["components"]["examples"].values():
        found.append(("Error", example["value"]))
    return found


def same(written: Any, shown: Any) -> bool:
    """Whether a value was written as it was shown; instants may be written another way."""
    if isinstance(shown, dict):
        return all(name in written and same(written[name], shown[name]) for name in shown)
    if isinstance(shown, list):
        return len(written) == len(shown) and all(map(same, written, shown))
    if isinstance(shown, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", shown):
        return bool(written.replace("+00:00", "Z") == shown)
    return bool(written == shown)


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    shown = examples(document)
    for name, example in shown:
        model = getattr(importlib.import_module(module_of(name)), name)
        written = model.from_dict(example).to_dict()
        assert same(written, example), (name, example, written)
    assert len(shown) > 150, f"only {len(shown)} examples were found"
    print(f"generated client in Python: {len(shown)} examples are read and written")


if __name__ == "__main__":
    main(sys.argv[1])
