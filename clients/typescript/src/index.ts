// A client of custody-ledger: PIX and crypto, with unknown outcomes as values.

import { Calls } from "./calls.js";

/**
 * A client of the service: `new Ledger(baseUrl, apiKey)` has a method for each route.
 *
 * Those that move money take an external id of yours, the same for each attempt, and return an
 * outcome.
 */
export class Ledger extends Calls {}

export type { Policy } from "./attempts.js";
export type { Terms } from "./calls.js";
export {
  LedgerError,
  NoAnswer,
  RequestError,
  ServiceError,
  StopError,
  SupportError,
  TransientError,
  UnresolvedIntent,
  WaitError,
} from "./errors.js";
export type {
  Absence,
  Lookup,
  Outcome,
  Refusal,
  RepeatOnly,
  RepeatOutcome,
  Success,
  Unknown,
} from "./intents.js";
export type * from "./schemas.js";
export { WebhookError, verifyWebhook } from "./webhooks.js";
export type { WebhookHeaders, WebhookOptions } from "./webhooks.js";
