// The client against a service: a first PIX, payouts, refusals, pages, webhooks.
//
//     node live.mjs BASE KEY FUNDED_KEY DELIVERIES     `tests/live.py` runs it

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Ledger, RequestError, WebhookError, verifyWebhook } from "custody-ledger";

const [base, key, fundedKey, deliveries] = process.argv.slice(2);
const cpf = "52998224725";

async function firstPix() {
  const ledger = new Ledger(base, key);
  const terms = { amount_cents: 5000, payer_tax_number: cpf, destino: "saldo" };
  const charge = await ledger.createCharge("first", terms);
  const again = await ledger.createCharge("first", terms);
  assert.equal(charge.kind, "success");
  assert.equal(again.operation.cashin_id, charge.operation.cashin_id);
  const paid = await ledger.paySandboxCharge(charge.operation.cashin_id);
  assert.equal(paid.status, "paid");
  assert.equal((await ledger.getBalance()).bloqueado_cents, 4900);
  const payout = { amount_cents: 100, tax_number: cpf, pix_key: "a@b.br" };
  const early = await ledger.createPayout("early", payout);
  assert.equal(early.kind, "refusal");
  assert.deepEqual([early.error.status, early.error.erro], [402, "saldo_insuficiente"]);
  const other = await ledger.createCharge("first", { ...terms, amount_cents: 6000 });
  assert.equal(other.kind, "refusal");
  assert.equal(other.error.erro, "external_id_divergente");
  assert.deepEqual(other.error.body.campos_divergentes, ["amount_cents"]);
}

async function payoutsAndRefusals(ledger) {
  const terms = { amount_cents: 3000, tax_number: cpf, pix_key: "a@b.br" };
  const payout = await ledger.createPayout("saque", terms);
  assert.equal(payout.kind, "success");
  const { payouts } = await ledger.listPayouts({ external_id: "saque" });
  assert.deepEqual(payouts.map((it) => it.payout_id), [payout.operation.payout_id]);
  const transfer = { amount_cents: 100, to_customer_ref: "ana" };
  assert.equal((await ledger.createTransfer("t", transfer)).kind, "success");
  assert.equal((await ledger.getBalance({ customer_ref: "ana" })).disponivel_cents, 100);
  await refused(ledger.getCharge("ci_0"), 404, "nao_encontrado");
  await refused(new Ledger(base, "svc_test_nobody").getBalance(), 401, "chave_desconhecida");
}

async function refused(call, status, erro) {
  await assert.rejects(call, (error) => {
    assert(error instanceof RequestError);
    assert.deepEqual([error.status, error.erro, error.acao], [status, erro, "corrigir"]);
    assert.match(error.requestId, /^req-/);
    return true;
  });
}

async function pages(ledger) {
  const whole = (await ledger.getStatement({ limit: 200 })).items;
  assert(whole.length > 3);
  const rows = [];
  for await (const row of ledger.statementRows({ limit: 1 })) {
    rows.push(row);
  }
  assert.deepEqual(rows, whole);
  for await (const { customer_ref } of ledger.customers({ limit: 1 })) {
    assert.equal(customer_ref, "ana");
  }
}

async function concurrent(ledger) {
  const pay = async (number) => {
    const terms = { amount_cents: 100, tax_number: cpf, pix_key: `ana-${number}@exemplo.com.br` };
    const payout = await ledger.createPayout(`many-${number}`, terms);
    assert.equal(payout.kind, "success");
    return payout.operation.payout_id;
  };
  const ids = await Promise.all(Array.from({ length: 100 }, (_, number) => pay(number % 50)));
  assert.equal(new Set(ids).size, 50);
}

async function webhooks() {
  const stranger = `whsec_${btoa("stranger".repeat(4))}`;
  for (const { headers, body: encoded, secrets } of JSON.parse(readFileSync(deliveries, "utf8"))) {
    const body = Buffer.from(encoded, "base64");
    const now = Number(headers["webhook-timestamp"]);
    const disbelieved = (secret, changed, other, at = now) =>
      assert.rejects(verifyWebhook(secret, changed, other, { now: at }), WebhookError);
    for (const secret of secrets) {
      const event = await verifyWebhook(secret, headers, body, { now: now + 300 });
      assert.deepEqual([event.event, event.id], ["webhook.test", headers["webhook-id"]]);
      const spelt = new Headers(headers);
      await verifyWebhook([stranger, secret], spelt, body.toString(), { now: now - 300 });
      await disbelieved(secret, headers, Buffer.concat([body, Buffer.from(" ")]));
      await disbelieved(secret, headers, body, now + 301);
      await disbelieved(secret, headers, body, now - 301);
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
        const value = headers[name];
        const changed = value.includes(",") ? value.replaceAll("v1,", "v2,") : `1${value}`;
        await disbelieved(secret, { ...headers, [name]: changed }, body);
        await disbelieved(secret, { ...headers, [name]: undefined }, body);
      }
    }
    await disbelieved(stranger, headers, body);
  }
}

const funded = new Ledger(base, fundedKey);
await firstPix();
await payoutsAndRefusals(funded);
await pages(funded);
await concurrent(funded);
await webhooks();
console.log("  TypeScript: a first PIX, payouts, refusals, pages, webhooks");
