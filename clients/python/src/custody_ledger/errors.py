"""Errors: the contract's body as exceptions by `acao`, and the absence of an answer."""

from typing import Any


class LedgerError(Exception):
    """Every error of this package."""


class NoAnswer(LedgerError):
    """No answer of the service: a time-out, a lost connection, or another server's page."""


class UnresolvedIntent(LedgerError):
    """An earlier intent about the same subject has an unknown outcome: look it up first."""

    def __init__(self, external_id: str) -> None:
        super().__init__(f"look up {external_id!r} first: its outcome is unknown")
        self.external_id = external_id


class ServiceError(LedgerError):
    """A refusal or failure in the contract's words; branch on `erro` and `acao`."""

    def __init__(self, status: int, body: dict[str, Any], retry_after: float | None) -> None:
        self.status = status
        self.erro: str = body["erro"]
        self.acao: str = body["acao"]
        self.detail: str = str(body.get("detail", ""))
        self.request_id: str = str(body.get("request_id", ""))
        # Seconds until a repeat may pass, where the service says so.
        self.retry_after = retry_after
        # Every field of the answer, such as `limits` or `libera_em`.
        self.body = body
        super().__init__(f"{status} {self.erro} ({self.acao}): {self.detail}")

    @staticmethod
    def from_body(status: int, body: dict[str, Any], retry_after: float | None) -> "ServiceError":
        """The error of the class that its `acao` has; an unfamiliar `acao` has the base class."""
        return BY_ACAO.get(body["acao"], ServiceError)(status, body, retry_after)


class RequestError(ServiceError):
    """`corrigir`: the request is wrong; repeating it never works."""


class TransientError(ServiceError):
    """`repetir`: the service failed for a moment; the client has repeated it already."""


class WaitError(ServiceError):
    """`esperar`: a quota or a waiting period; `retry_after` or `body` says until when."""


class StopError(ServiceError):
    """`parar`: do not repeat; contact the service."""


class SupportError(ServiceError):
    """`falar_com_suporte`: escalate with `request_id` and the `external_id`."""


BY_ACAO: dict[str, type[ServiceError]] = {
    "corrigir": RequestError,
    "repetir": TransientError,
    "esperar": WaitError,
    "parar": StopError,
    "falar_com_suporte": SupportError,
}
