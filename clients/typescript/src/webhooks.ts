// Webhooks believed by their signatures, as Standard Webhooks 1.0.0 has them.

import { LedgerError } from "./errors.js";
import type { Event, WebhookEvent } from "./schemas.js";

/** A delivery that is not believed: answer 400, and do nothing. */
export class WebhookError extends LedgerError {}

/** Headers of `fetch`, or an object as Node has it. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** The clock in seconds since 1970, and the seconds that a timestamp may be old or ahead. */
export interface WebhookOptions {
  now?: number;
  tolerance?: number;
}

/**
 * Returns the event of a delivery that one of the secrets signed.
 *
 * `secrets` are of the form `whsec_…`; `body` is the very bytes that came. Events may come twice:
 * deduplicate by `event.id`. Throws `WebhookError` for every other delivery.
 */
export async function verifyWebhook(
  secrets: string | string[],
  headers: WebhookHeaders,
  body: Uint8Array | string,
  { now = Date.now() / 1000, tolerance = 300 }: WebhookOptions = {},
): Promise<WebhookEvent | Event> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => {
    return headerOf(headers, `webhook-${name}`);
  }) as [string, string, string];
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > tolerance) {
    throw new WebhookError("the timestamp is malformed, too old or ahead");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const content = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const listed = signatures.split(" ").filter((it) => it.startsWith("v1,"));
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const key = await imported(secret);
    for (const signature of listed) {
      const given = decoded(signature.slice("v1,".length));
      // `verify` compares in constant time.
      if (given !== null && (await crypto.subtle.verify("HMAC", key, given, content))) {
        return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent | Event;
      }
    }
  }
  throw new WebhookError("no signature fits");
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const pairs = headers instanceof Headers ? headers.entries() : Object.entries(headers);
  for (const [key, value] of pairs) {
    if (key.toLowerCase() === name && typeof value === "string") {
      return value;
    }
  }
  throw new WebhookError(`${name} is missing`);
}

function imported(secret: string): Promise<CryptoKey> {
  const key = decoded(secret.replace(/^whsec_/, ""));
  if (key === null) {
    throw new TypeError("a secret has the form whsec_ and base64");
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}
