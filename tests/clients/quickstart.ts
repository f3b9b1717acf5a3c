// The quickstart by the generated types: a test key, a charge paid in the sandbox, a balance.
//
// Run with the address of a service, it makes the calls; by itself it is checked against the types.

import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

type Schemas = components["schemas"];

function given<T>(answer: { data?: T; error?: Schemas["Error"] | Schemas["Problem"] }): T {
  if (answer.data === undefined) {
    throw new Error(`refused: ${answer.error?.erro} ${answer.error?.acao}`);
  }
  return answer.data;
}

export async function quickstart(baseUrl: string): Promise<void> {
  const open = createClient<paths>({ baseUrl });
  const made = given(
    await open.POST("/keys/sandbox", { body: { email: "ana@exemplo.com.br" } }),
  );
  const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": made.api_key } });
  const asked: Schemas["CreateChargeRequest"] = {
    amount_cents: 5_000,
    payer_tax_number: "52998224725",
    destino: "saldo",
    customer_ref: "ana",
    external_id: "quickstart-1",
  };
  const charge = given(await client.POST("/cashin/charge", { body: asked }));
  const params = { path: { cashin_id: charge.cashin_id } };
  given(await client.POST("/sandbox/cashin/{cashin_id}/pay", { params }));
  const shown = given(await client.GET("/cashin/{cashin_id}/status", { params }));
  const status: string = shown.status;
  if (status !== "paid") {
    throw new Error(`the charge is ${status}`);
  }
  const query = { customer_ref: "ana" };
  const balance = given(await client.GET("/saldo", { params: { query } }));
  // Asked with `em` it is the balance of an instant, which has other fields.
  if (!("disponivel_cents" in balance)) {
    throw new Error("this is the balance of an instant");
  }
  const booked: number = balance.disponivel_cents + balance.bloqueado_cents;
  if (booked !== 5_000 - balance.deposito_fee_fixed_cents) {
    throw new Error(`${booked} centavos were booked`);
  }
  console.log(`quickstart in TypeScript: ${booked} centavos were booked`);
}

// A field that the contract does not have is no type-correct request.
export const misspelt: Schemas["CreateChargeRequest"] = {
  amount_cents: 5_000,
  payer_tax_number: "52998224725",
  // @ts-expect-error: the wire's name is `destino`, and it knows two words.
  destino: "conta",
};

// As in Node, whose own types are not needed for this.
declare const process: { argv: string[] };
const address = process.argv[2];
if (address !== undefined) {
  await quickstart(address);
}
