// Errors: the contract's body as classes by `acao`, and the absence of an answer.

import type { Error as ErrorBody } from "./schemas.js";

/** Every error of this package. */
export class LedgerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No answer of the service: a time-out, a lost connection, or another server's page. */
export class NoAnswer extends LedgerError {}

/** An earlier intent about the same subject has an unknown outcome: look it up first. */
export class UnresolvedIntent extends LedgerError {
  constructor(readonly externalId: string) {
    super(`look up ${JSON.stringify(externalId)} first: its outcome is unknown`);
  }
}

/** A refusal or failure in the contract's words; branch on `erro` and `acao`. */
export class ServiceError extends LedgerError {
  readonly erro: ErrorBody["erro"];
  readonly acao: ErrorBody["acao"];
  readonly requestId: string;

  constructor(
    readonly status: number,
    /** Every field of the answer, such as `limits` or `libera_em`. */
    readonly body: ErrorBody,
    /** Seconds until a repeat may pass, where the service says so. */
    readonly retryAfter: number | null,
  ) {
    super(`${status} ${body.erro} (${body.acao}): ${body.detail}`);
    this.erro = body.erro;
    this.acao = body.acao;
    this.requestId = body.request_id ?? "";
  }
}

/** `corrigir`: the request is wrong; repeating it never works. */
export class RequestError extends ServiceError {}

/** `repetir`: the service failed for a moment; the client has repeated it already. */
export class TransientError extends ServiceError {}

/** `esperar`: a quota or a waiting period; `retryAfter` or `body` says until when. */
export class WaitError extends ServiceError {}

/** `parar`: do not repeat; contact the service. */
export class StopError extends ServiceError {}

/** `falar_com_suporte`: escalate with `requestId` and the external id. */
export class SupportError extends ServiceError {}

const byAcao = new Map<string, typeof ServiceError>([
  ["corrigir", RequestError],
  ["repetir", TransientError],
  ["esperar", WaitError],
  ["parar", StopError],
  ["falar_com_suporte", SupportError],
]);

/** The error of the class that its `acao` has; an unfamiliar `acao` has the base class. */
export function serviceError(
  status: number,
  body: ErrorBody,
  retryAfter: number | null,
): ServiceError {
  return new (byAcao.get(body.acao) ?? ServiceError)(status, body, retryAfter);
}
