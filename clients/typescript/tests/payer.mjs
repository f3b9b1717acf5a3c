// Pays orders by the client in TypeScript; `tests/outages.py` runs it and counts in the ledger.
//
//     node payer.mjs BASE KEY FIRST END WORKERS

import assert from "node:assert/strict";
import { Ledger } from "custody-ledger";

const [base, key, first, end, workers] = process.argv.slice(2);
// Clients wait less than the proxy delays, and believe an absence after more.
const policy = { attempts: 2, timeout: 1, backoff: 0.02, longestBackoff: 0.1, settle: 4 };
const ledger = new Ledger(base, key, policy);
const counts = { unknown: 0, absent: 0 };

// Pays one order: an absence is proof enough for an intent under another id.
async function pay(order) {
  let externalId = `order-${order}`;
  const terms = {
    amount_cents: 100 + order,
    tax_number: "52998224725",
    pix_key: `order-${order}@exemplo.com.br`,
  };
  let outcome = await ledger.createPayout(externalId, terms);
  while (outcome.kind !== "success") {
    if (outcome.kind === "refusal") {
      throw outcome.error;
    }
    if (outcome.kind === "absence") {
      counts.absent += 1;
      externalId += "+";
      outcome = await ledger.createPayout(externalId, terms);
      continue;
    }
    counts.unknown += 1;
    await new Promise((resolve) => setTimeout(resolve, 500));
    outcome = await (counts.unknown % 20 === 0 ? outcome.repeat() : outcome.lookUp());
  }
  assert.equal(outcome.operation.external_id, externalId);
}

let next = Number(first);
async function work() {
  while (next < Number(end)) {
    await pay(next++);
  }
}
await Promise.all(Array.from({ length: Number(workers) }, work));
assert.deepEqual(ledger.unresolved(), []);
console.log(JSON.stringify(counts));
