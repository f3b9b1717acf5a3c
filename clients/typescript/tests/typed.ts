// Programs that the compiler must refuse: each `@ts-expect-error` is an error where there is none.
//
// Core rule 6 in types: an unknown outcome has no operation and no way to a new intent, only its
// look-up; and a look-up ends in the operation, in proof of its absence, or in the same unknown.

import { Ledger } from "custody-ledger";
import type { Lookup, Payout, StatementRow, Unknown, WebhookEvent } from "custody-ledger";

const terms = { amount_cents: 1, tax_number: "1", pix_key: "k" };

export async function outcomes(ledger: Ledger): Promise<Payout | null> {
  const outcome = await ledger.createPayout("x", terms);
  // @ts-expect-error: nobody knows yet whether there is an operation.
  outcome.operation;
  switch (outcome.kind) {
    case "success":
      return outcome.operation satisfies Payout;
    case "refusal":
      outcome.error.acao satisfies string;
      return null;
    case "unknown":
      // @ts-expect-error: an unknown outcome has no operation.
      outcome.operation;
      // @ts-expect-error: a look-up may end without one.
      (await outcome.lookUp()).operation;
      return lookups(outcome);
    default:
      return outcome satisfies never;
  }
}

async function lookups(unknown: Unknown<Payout>): Promise<Payout | null> {
  const lookup: Lookup<Payout> = await unknown.lookUp();
  switch (lookup.kind) {
    case "success":
      return lookup.operation;
    case "absence":
      lookup.externalId satisfies string;
      return null;
    case "unknown":
      return lookups(lookup);
  }
}

// @ts-expect-error: a case is missing, and with it a result.
export async function careless(ledger: Ledger): Promise<Payout> {
  const outcome = await ledger.createPayout("x", terms);
  switch (outcome.kind) {
    case "success":
      return outcome.operation;
    case "refusal":
      throw outcome.error;
  }
}

export async function transfers(ledger: Ledger): Promise<void> {
  const outcome = await ledger.createTransfer("t", { amount_cents: 1, to_customer_ref: "ana" });
  if (outcome.kind === "unknown") {
    // @ts-expect-error: no read lists transfers by their external id.
    outcome.lookUp();
    await outcome.repeat();
  }
}

export async function wrong(ledger: Ledger): Promise<void> {
  // @ts-expect-error: an intent has an external id.
  await ledger.createPayout(terms);
  // @ts-expect-error: which is no term.
  await ledger.createPayout("x", { ...terms, external_id: "y" } satisfies Parameters<typeof ledger.createPayout>[1]);
  const charge = { amount_cents: 1, payer_tax_number: "1" };
  // @ts-expect-error: the wire knows two words.
  await ledger.createCharge("x", { ...charge, destino: "conta" });
  // @ts-expect-error: the wire's name is `destino`.
  await ledger.createCharge("x", { ...charge, destin: "saldo" });
}

export async function reads(ledger: Ledger, event: WebhookEvent): Promise<void> {
  (await ledger.getBalance()).disponivel_cents satisfies number;
  for await (const row of ledger.statementRows({ visao: "operacoes" })) {
    row satisfies StatementRow;
  }
  if (event.event === "payout.completed") {
    event.data.payout_id satisfies string;
  }
}
