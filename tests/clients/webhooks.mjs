// Deliveries of a service, verified by the library of Standard Webhooks for Node.js.
//
// Reads `deliveries.json`, which `webhooks.py` has written: what came, by which secrets.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const MINUTE = 60_000;
const clock = Date;

// Whether the library believes a delivery under a secret, so many milliseconds later than now.
function admitted(secret, body, headers, later = 0) {
  globalThis.Date = class extends clock {
    constructor(...given) {
      super(...(given.length === 0 ? [clock.now() + later] : given));
    }
    static now() {
      return clock.now() + later;
    }
  };
  try {
    return new Webhook(secret).verify(body, headers) !== undefined;
  } catch (error) {
    assert(error instanceof WebhookVerificationError, error);
    return false;
  } finally {
    globalThis.Date = clock;
  }
}

const deliveries = JSON.parse(readFileSync("deliveries.json", "utf8"));
assert.equal(deliveries.length, 2);
for (const { headers, body: encoded, secrets, strangers } of deliveries) {
  const body = Buffer.from(encoded, "base64");
  for (const secret of secrets) {
    assert(admitted(secret, body, headers), "as it came");
    assert(admitted(secret, body, headers, 4 * MINUTE), "four minutes are not old");
    assert(!admitted(secret, body, headers, 6 * MINUTE), "six minutes are old");
    assert(!admitted(secret, body, headers, -6 * MINUTE), "it comes from later");
    for (let place = 0; place < body.length; place += 1) {
      const changed = Buffer.from(body);
      changed[place] ^= 1;
      assert(!admitted(secret, changed, headers), `byte ${place} was changed`);
    }
    for (const name of ["webhook-id", "webhook-timestamp"]) {
      const value = headers[name];
      const other = value.slice(0, -1) + (value.endsWith("0") ? "1" : "0");
      assert(!admitted(secret, body, { ...headers, [name]: other }), `${name} was changed`);
    }
  }
  for (const secret of strangers) {
    assert(!admitted(secret, body, headers), "another's secret");
  }
}
console.log(`webhooks in Node.js: ${deliveries.length} deliveries verified, one with two secrets`);
