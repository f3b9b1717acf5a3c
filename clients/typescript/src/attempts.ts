// Attempts of one request over `fetch`, with pauses between them.

import { NoAnswer, ServiceError, serviceError } from "./errors.js";
import type { Error as ErrorBody } from "./schemas.js";

/** Bounds of attempts, all in seconds but the first. */
export interface Policy {
  attempts: number;
  timeout: number;
  /** The first pause is up to this; each further one is up to twice as long. */
  backoff: number;
  longestBackoff: number;
  /** A longer `Retry-After` is not waited for: the caller gets the error. */
  longestWait: number;
  /**
   * No copy of a request arrives later than this after its last attempt. An operation that is not
   * listed by then is absent.
   */
  settle: number;
}

export const defaults: Policy = {
  attempts: 4,
  timeout: 15,
  backoff: 0.25,
  longestBackoff: 5,
  longestWait: 30,
  settle: 60,
};

/** A request that is ready to be sent, any number of times. */
export interface Prepared {
  url: string;
  init: { method: string; headers: Record<string, string>; body?: string };
  /** Whether doing it twice does nothing twice. */
  repeatable: boolean;
}

/** How the attempts of one request ended. */
export interface Result {
  /** The JSON of a 2xx. */
  value?: unknown;
  error?: ServiceError | NoAnswer;
  /** Whether any attempt may have been carried out although nobody said so. */
  unanswered: boolean;
}

/** Seconds of a clock that nobody sets. */
export function monotonic(): number {
  return performance.now() / 1000;
}

/** Sends a request until it is answered for good or the policy's attempts are used up. */
export async function attempt(request: Prepared, policy: Policy): Promise<Result> {
  let unanswered = false;
  for (let number = 0; ; number += 1) {
    const result = await once(request, policy.timeout);
    if (result.error === undefined) {
      return { value: result.value, unanswered };
    }
    unanswered ||= !isRefusal(result.error);
    const wait = pause(result.error, number, request, policy);
    if (wait === null || number + 1 >= policy.attempts) {
      return { error: result.error, unanswered };
    }
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

/** Whether an error says that nothing was done: a 4xx in the contract's words. */
export function isRefusal(error: ServiceError | NoAnswer): error is ServiceError {
  return error instanceof ServiceError && error.status < 500 && error.acao !== "repetir";
}

/** Sends a request once, and reads the whole answer. */
async function once(
  request: Prepared,
  timeout: number,
): Promise<{ value?: unknown; error?: ServiceError | NoAnswer }> {
  try {
    const signal = AbortSignal.timeout(timeout * 1000);
    const answer = await fetch(request.url, { ...request.init, redirect: "manual", signal });
    const text = await answer.text();
    return read(answer, text);
  } catch (error) {
    // A query may name a person, so it is left out.
    const address = request.url.split("?", 1)[0];
    return { error: new NoAnswer(`${address}: ${String(error)}`, { cause: error }) };
  }
}

/** The JSON of a 2xx, or the error of anything else. */
function read(answer: Response, text: string): { value?: unknown; error?: ServiceError | NoAnswer } {
  const body = parsed(text);
  if (answer.ok && body !== undefined) {
    return { value: body };
  }
  if (answer.status >= 400 && isErrorBody(body)) {
    return { error: serviceError(answer.status, body, retryAfter(answer, body)) };
  }
  return { error: new NoAnswer(`${answer.status} without the contract's body`) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const fields = body as Record<string, unknown> | null | undefined;
  return typeof fields?.["erro"] === "string" && typeof fields["acao"] === "string";
}

/** Seconds of `Retry-After`, a number or a date, or of the body's field. */
function retryAfter(answer: Response, body: ErrorBody): number | null {
  const header = answer.headers.get("retry-after");
  const field = (body as { retry_after_seconds?: unknown }).retry_after_seconds;
  const seconds = header === null ? field : Number(header);
  if (typeof seconds === "number" && !Number.isNaN(seconds)) {
    return Math.max(0, seconds);
  }
  const date = Date.parse(header ?? "");
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000);
}

/** Seconds before another attempt, or null where none may follow. */
function pause(
  error: ServiceError | NoAnswer,
  number: number,
  request: Prepared,
  policy: Policy,
): number | null {
  const most = Math.min(policy.longestBackoff, policy.backoff * 2 ** number);
  const jittered = most * (0.5 + Math.random() / 2);
  if (!(error instanceof ServiceError)) {
    return request.repeatable ? jittered : null;
  }
  const wait = error.retryAfter;
  if (wait !== null && wait > policy.longestWait) {
    return null;
  }
  const waits = error.acao === "esperar" && (wait !== null || error.status >= 500);
  return error.acao === "repetir" || waits ? Math.max(jittered, wait ?? 0) : null;
}
