"""What schemathesis's own checks cannot say of the contract, as checks beside them."""

from __future__ import annotations

import os
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, Response

# What the contract answers where the form is wrong, which is what the document's schemas are about.
FORM = {"formato_invalido", "campos_obrigatorios"}

# Operations that need one of several fields, such as an amount in one currency or the other. A schema
# could say so, and generators of clients would make of it what nobody can use; so texts say it.
ALTERNATIVES = {
    "PATCH /keys/me",
    "POST /carteira-usdt/payments",
    "POST /carteira-usdt/quote",
    "POST /cash-outs",
    "POST /cash-outs/preview",
    "POST /saldo/transferir",
}

# How the refusal of a leg of a group begins: it has exactly one of its amount, rate, shares and rest, and
# what the legs come to is what there is to share, which texts say for the same reason.
LEG = "pernas"


def listed(document: dict[str, Any], case: Case[Any], status: int) -> set[str]:
    """The codes that the document lists for a status of an operation."""
    operation = document["paths"][case.operation.path][case.operation.method.lower()]
    response = operation["responses"].get(str(status), {})
    return set(response.get("content", {}).get("application/json", {}).get("examples", {}))


# Two letters of a list that the document does not repeat: the countries of ISO 3166.
NAMED_ELSEWHERE = "documento_pais must be a country code"

# What the contract answers with 5xx although the service is well: nobody plays the provider for
# production keys, and the sandbox has scenarios of its own for failures.
AWAY = {
    "live": {
        "provedor_sem_resposta",
        "carteira_indisponivel",
        "liquidante_indisponivel",
        "cotacao_indisponivel",
    },
    "test": {"liquidante_indisponivel"},
}[os.environ["SEARCHED_KEY"]]


@schemathesis.check
def nothing_fails_within(ctx: CheckContext, response: Response, case: Case[Any]) -> None:
    """No request fails within the service, and none is told that something is away that is not."""
    if response.status_code < 500:
        return
    code = response.json()["erro"]
    assert code in AWAY, f"{response.status_code} {code}: {response.text}"


@schemathesis.check
def well_formed_is_refused_by_a_listed_rule(
    ctx: CheckContext, response: Response, case: Case[Any]
) -> None:
    """A request that the document admits is refused by nothing but a rule that it lists.

    The contract answers 400 for rules that no schema can state: check digits, fields that exclude
    each other, bounds of an account. So a 400 must name such a rule, and one that the operation
    lists; a 400 for the form alone would mean that the document promises too much.
    """
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code < 400:
        return
    code = response.json()["erro"]
    status = response.status_code
    either = code == "campos_obrigatorios" and case.operation.label in ALTERNATIVES
    known = response.json()["detail"].startswith((NAMED_ELSEWHERE, LEG))
    assert either or known or code not in FORM, f"{code}, although the document admits this: {response.text}"
    document = case.operation.schema.raw_schema
    rules = listed(document, case, status)
    assert not rules or code in rules, f"{code} is not listed for {status}: {response.text}"
