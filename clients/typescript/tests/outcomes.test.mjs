// Outcomes of intents, against the server of `tests/stub.py`, which answers by a script.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  Ledger,
  NoAnswer,
  RequestError,
  ServiceError,
  StopError,
  SupportError,
  TransientError,
  UnresolvedIntent,
  WaitError,
} from "custody-ledger";

const quick = { attempts: 4, timeout: 20, backoff: 0.01, longestBackoff: 0.05, settle: 60 };
const single = { ...quick, attempts: 1, settle: 0 };
const terms = { amount_cents: 5000, tax_number: "52998224725", pix_key: "ana@exemplo.com.br" };
const payout = { payout_id: "po_1", external_id: "saque-1", amount_cents: 5000 };
const lose = { lose: true };
const short = { status: 402, body: { erro: "saldo_insuficiente", acao: "corrigir" } };
const none = { body: { payouts: [] } };
const listed = { body: { payouts: [payout] } };

// The clock that a look-up reads, moved.
const now = performance.now.bind(performance);
let moved = 0;
performance.now = () => now() + moved;

function later(seconds) {
  moved += seconds * 1000;
}

let stub;
let address;
let scripts = 0;

before(async () => {
  const path = fileURLToPath(new URL("../../tests/stub.py", import.meta.url));
  stub = spawn("python3", ["-B", path], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(stub.stdout, "data");
  address = String(line).trim();
});

after(() => stub.stdin.end());

// A client of a script, and what came to the server meanwhile.
async function scripted(steps, policy = quick) {
  const base = `${address}/script-${(scripts += 1)}`;
  await fetch(`${base}/script`, { method: "POST", body: JSON.stringify(steps) });
  const log = async () => (await fetch(`${base}/log`)).json();
  return { ledger: new Ledger(base, "svc_test_1", policy), log };
}

test("every attempt has the same external id, body and request id", async () => {
  const steps = [lose, { status: 502, body: "<html>" }, { cut: true, body: payout }];
  const { ledger, log } = await scripted([...steps, { body: payout }]);
  const outcome = await ledger.createPayout("saque-1", terms);
  assert.deepEqual(outcome, { kind: "success", operation: payout });
  const requests = await log();
  assert.equal(requests.length, 4);
  assert.equal(new Set(requests.map((it) => it.request_id)).size, 1);
  for (const { body } of requests) {
    assert.deepEqual(body, { ...terms, external_id: "saque-1" });
  }
});

test("Retry-After is honoured, and a long one is the caller's", async () => {
  const body = { erro: "limite_diario", acao: "esperar" };
  const step = (seconds) => ({ status: 429, headers: { "Retry-After": seconds }, body });
  const { ledger, log } = await scripted([step("1"), { body: payout }, step("3600")]);
  assert.equal((await ledger.createPayout("saque-1", terms)).kind, "success");
  const [first, second] = await log();
  assert(second.at - first.at >= 1);
  const outcome = await ledger.createPayout("saque-2", terms);
  assert.equal(outcome.kind, "refusal");
  assert(outcome.error instanceof WaitError);
  assert.equal(outcome.error.retryAfter, 3600);
  assert.equal((await log()).length, 3);
});

test("a refusal is not repeated and frees the subject", async () => {
  const { ledger, log } = await scripted([short, { body: payout }]);
  const outcome = await ledger.createPayout("saque-1", terms);
  assert.equal(outcome.kind, "refusal");
  assert(outcome.error instanceof RequestError);
  assert.deepEqual(ledger.unresolved(), []);
  assert.equal((await ledger.createPayout("saque-2", terms)).kind, "success");
  assert.equal((await log()).length, 2);
});

test("an unknown outcome must be looked up before another intent", async () => {
  const { ledger, log } = await scripted([lose, lose, lose, lose, listed, { body: payout }]);
  const outcome = await ledger.createPayout("saque-1", terms);
  assert.equal(outcome.kind, "unknown");
  assert(!("operation" in outcome));
  await assert.rejects(ledger.createPayout("saque-2", terms), UnresolvedIntent);
  await assert.rejects(ledger.createPayout("saque-1", { ...terms, amount_cents: 1 }), UnresolvedIntent);
  assert.deepEqual(ledger.unresolved().map((it) => it.externalId), ["saque-1"]);
  assert.deepEqual(await outcome.lookUp(), { kind: "success", operation: payout });
  assert.equal((await log()).at(-1).path, "/payouts?external_id=saque-1");
  assert.equal((await ledger.createPayout("saque-2", terms)).kind, "success");
});

test("other subjects are not held up", async () => {
  const { ledger } = await scripted([lose, lose, lose, lose, { body: payout }]);
  assert.equal((await ledger.createPayout("saque-1", terms)).kind, "unknown");
  const other = { ...terms, pix_key: "+5511987654321" };
  assert.equal((await ledger.createPayout("saque-2", other)).kind, "success");
});

test("absence is proven only once no copy can arrive", async () => {
  const { ledger } = await scripted([lose, lose, lose, lose, none, none, { body: payout }]);
  const outcome = await (await ledger.createPayout("saque-1", terms)).lookUp();
  assert.equal(outcome.kind, "unknown");
  later(quick.settle);
  assert.deepEqual(await outcome.lookUp(), { kind: "absence", externalId: "saque-1" });
  const other = { ...terms, amount_cents: 1 };
  assert.equal((await ledger.createPayout("saque-1", other)).kind, "success");
});

test("an earlier outcome proves no absence of a later attempt", async () => {
  const { ledger } = await scripted([...Array(8).fill(lose), none, none]);
  const early = await ledger.createPayout("saque-1", terms);
  later(quick.settle);
  assert.equal((await early.repeat()).kind, "unknown");
  assert.equal((await early.lookUp()).kind, "unknown");
  later(quick.settle);
  assert.equal((await early.lookUp()).kind, "absence");
});

test("a copy that came later than anybody expected is looked up", async () => {
  const late = { status: 409, body: { erro: "external_id_divergente", acao: "corrigir" } };
  const { ledger } = await scripted([lose, none, late, listed, late], single);
  const first = await ledger.createPayout("saque-1", terms);
  assert.equal((await first.lookUp()).kind, "absence");
  const other = { ...terms, amount_cents: 1 };
  const outcome = await ledger.createPayout("saque-1", other);
  assert.equal(outcome.kind, "unknown");
  assert.deepEqual(await outcome.lookUp(), { kind: "success", operation: payout });
  assert.equal((await ledger.createPayout("saque-1", other)).kind, "refusal");
});

test("a refusal after silence proves nothing", async () => {
  const { ledger } = await scripted([lose, short, short, short]);
  let outcome = await ledger.createPayout("saque-1", terms);
  assert.equal(outcome.kind, "unknown");
  assert(outcome.error instanceof RequestError);
  outcome = await outcome.repeat();
  assert.equal(outcome.kind, "unknown");
  later(quick.settle);
  assert.equal((await outcome.repeat()).kind, "refusal");
});

test("failures of the service and answers without the contract's body are unknown", async () => {
  for (const [acao, attempts] of [["falar_com_suporte", 1], ["repetir", 4], ["esperar", 4]]) {
    const step = { status: 500, body: { erro: "erro_interno", acao } };
    const { ledger, log } = await scripted(Array(attempts).fill(step));
    assert.equal((await ledger.createPayout("saque-1", terms)).kind, "unknown");
    assert.equal((await log()).length, attempts);
  }
  const steps = [{ body: "ok" }, { status: 403, body: "<html>" }, { status: 302 }, { hang: 3 }];
  for (const step of steps) {
    const { ledger } = await scripted([step], { ...single, timeout: "hang" in step ? 0.5 : 20 });
    assert.equal((await ledger.createPayout("saque-1", terms)).kind, "unknown");
  }
});

test("a look-up without an answer settles nothing", async () => {
  const { ledger } = await scripted([lose, lose, short], single);
  const first = await ledger.createPayout("saque-1", terms);
  const outcome = await first.lookUp();
  assert.equal(outcome.kind, "unknown");
  assert.equal((await outcome.lookUp()).kind, "unknown");
});

test("a full list of the latest proves no absence", async () => {
  const others = Array.from({ length: 100 }, (_, number) => ({ external_id: `x-${number}` }));
  const steps = [lose, { body: { items: others } }, { body: { items: others.slice(1) } }];
  const { ledger } = await scripted(steps, single);
  const key = { brl_amount: "10.00", pix_key: "ana@exemplo.com.br" };
  const outcome = await (await ledger.createWalletPayment("pix-1", key)).lookUp();
  assert.equal(outcome.kind, "unknown");
  assert.equal((await outcome.lookUp()).kind, "absence");
});

test("a conversion is not the charge of the same external id", async () => {
  const [charge, conversion] = ["pix", "saldo"].map((fonte) => ({ external_id: "x-1", fonte }));
  const { ledger } = await scripted([lose, { body: { charges: [charge, conversion] } }], single);
  const wallet = { amount_cents: 1, tax_number: "52998224725", payout_address: "0x1" };
  const outcome = await (await ledger.createConversion("x-1", wallet)).lookUp();
  assert.deepEqual(outcome, { kind: "success", operation: conversion });
});

test("a transfer is repeated to find out", async () => {
  const transfer = { transfer_id: "tr_1", external_id: "t-1" };
  const { ledger } = await scripted([lose, lose, { body: transfer }], single);
  const first = await ledger.createTransfer("t-1", { amount_cents: 1, to_customer_ref: "ana" });
  assert.equal(first.kind, "unknown");
  assert(!("lookUp" in first));
  const second = await first.repeat();
  assert.equal(second.kind, "unknown");
  assert.deepEqual(await second.repeat(), { kind: "success", operation: transfer });
});

test("reads throw errors by acao", async () => {
  const classes = {
    corrigir: RequestError,
    repetir: TransientError,
    esperar: WaitError,
    parar: StopError,
    falar_com_suporte: SupportError,
    respirar: ServiceError,
  };
  for (const [acao, kind] of Object.entries(classes)) {
    const body = { erro: "novo", acao, request_id: "req-1", limits: { x: 1 } };
    const { ledger } = await scripted(Array(4).fill({ status: 422, body }));
    await assert.rejects(ledger.getBalance(), (error) => {
      assert.equal(error.constructor, kind);
      assert.deepEqual([error.erro, error.requestId], ["novo", "req-1"]);
      assert.deepEqual(error.body.limits, { x: 1 });
      return true;
    });
  }
});

test("only repeatable requests are repeated without an answer", async () => {
  for (const [call, attempts] of [["getBalance", 4], ["createKey", 1]]) {
    const { ledger, log } = await scripted(Array(4).fill(lose));
    await assert.rejects(ledger[call]({ name: "loja" }), NoAnswer);
    assert.equal((await log()).length, attempts);
  }
});

test("what has no answer names the address and no query", async () => {
  const ledger = new Ledger("http://127.0.0.1:9", "svc_test_1", single);
  const named = { name: "NoAnswer", message: /^http:\/\/127\.0\.0\.1:9\/saldo: / };
  await assert.rejects(ledger.getBalance({ customer_ref: "ana" }), named);
});

test("an intent without an external id or terms is refused before anything is sent", async () => {
  const { ledger, log } = await scripted([]);
  await assert.rejects(ledger.createCharge({ amount_cents: 1 }), /external id is required/);
  await assert.rejects(ledger.createPayout("", terms), /external id is required/);
  await assert.rejects(ledger.createPayout("saque-1"), /terms are required/);
  assert.deepEqual(await log(), []);
});

test("pages are read to their end", async () => {
  const first = { body: { items: [{ n: 1 }, { n: 2 }], proxima_pagina: "0123" } };
  const last = { body: { items: [{ n: 3 }], proxima_pagina: null } };
  const { ledger, log } = await scripted([first, last]);
  const rows = [];
  for await (const row of ledger.statementRows({ customer_ref: "ana & bia" })) {
    rows.push(row.n);
  }
  assert.deepEqual(rows, [1, 2, 3]);
  const query = "/saldo/extrato?customer_ref=ana+%26+bia";
  assert.deepEqual((await log()).map((it) => it.path), [query, `${query}&before=0123`]);
});

test("chunks and segments of paths", async () => {
  const { ledger, log } = await scripted([{ chunks: ['{"status":', '"pago ✓"}'] }]);
  assert.equal((await ledger.getCharge("ci/../1")).status, "pago ✓");
  assert.equal((await log())[0].path, "/cashin/ci%2F..%2F1/status");
});
