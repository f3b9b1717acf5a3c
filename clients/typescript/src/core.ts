// What the generated calls stand on.

import { attempt, defaults, isRefusal, monotonic } from "./attempts.js";
import type { Policy, Prepared } from "./attempts.js";
import type { NoAnswer, ServiceError } from "./errors.js";
import { Intent, OpenIntents, records } from "./intents.js";
import type { Kind, Lookup, Open, Outcome, RepeatOnly, RepeatOutcome, Unknown } from "./intents.js";

type Query = object;
type Parts = { query?: Query; body?: object; repeatable: boolean };
type Verdict<Operation> =
  | { kind: "success"; operation: Operation }
  | { kind: "refusal"; error: ServiceError }
  | { kind: "open"; open: Open };

/** Sends requests, runs their attempts, and keeps the open intents. */
export class Core {
  readonly #base: string;
  readonly #key: string | null;
  readonly #policy: Policy;
  readonly #opened = new OpenIntents();

  /** A client of the service at an address, by an account's key. */
  constructor(baseUrl: string, apiKey: string | null = null, policy: Partial<Policy> = {}) {
    this.#base = new URL(baseUrl).href.replace(/\/+$/, "");
    this.#key = apiKey;
    this.#policy = { ...defaults, ...policy };
  }

  /** Returns every intent of this client whose outcome is unknown. */
  unresolved(): (Unknown<unknown> | RepeatOnly<unknown>)[] {
    return this.#opened.all().map((open) => {
      return open.intent.kind.read === null ? this.#repeatOnly(open) : this.#unknown(open);
    });
  }

  /** Returns the JSON of a call without an intent, or throws its error. */
  protected async call<Value>(method: string, path: string, parts: Parts): Promise<Value> {
    const result = await attempt(this.#prepare(method, path, parts), this.#policy);
    if (result.error !== undefined) {
      throw result.error;
    }
    return result.value as Value;
  }

  /** Yields the rows of all pages. */
  protected async *pages<Row>(
    path: string,
    items: string,
    cursor: string,
    next: string,
    query: Query,
  ): AsyncIterableIterator<Row> {
    let place: unknown = undefined;
    do {
      const parts = { query: { ...query, [cursor]: place }, repeatable: true };
      const page = await this.call<Record<string, unknown>>("GET", path, parts);
      yield* page[items] as Row[];
      place = page[next];
    } while (place !== null);
  }

  /** Sends an intent whose operations a read lists. */
  protected async create<Operation>(
    kind: Kind,
    externalId: string,
    terms: object,
  ): Promise<Outcome<Operation>> {
    return this.#create<Operation>(new Intent(kind, externalId, terms));
  }

  /** Sends an intent whose operations no read lists by their external id. */
  protected async createUnlisted<Operation>(
    kind: Kind,
    externalId: string,
    terms: object,
  ): Promise<RepeatOutcome<Operation>> {
    return this.#createUnlisted<Operation>(new Intent(kind, externalId, terms));
  }

  async #create<Operation>(intent: Intent): Promise<Outcome<Operation>> {
    const verdict = await this.#send<Operation>(intent);
    return verdict.kind === "open" ? this.#unknown(verdict.open) : verdict;
  }

  async #createUnlisted<Operation>(intent: Intent): Promise<RepeatOutcome<Operation>> {
    const verdict = await this.#send<Operation>(intent);
    return verdict.kind === "open" ? this.#repeatOnly(verdict.open) : verdict;
  }

  /** Sends an intent under its external id, again and again where nobody answers. */
  async #send<Operation>(intent: Intent): Promise<Verdict<Operation>> {
    const [before, started] = [this.#opened.admit(intent), monotonic()];
    const parts = { repeatable: true };
    const request = this.#prepare("POST", intent.kind.path, parts, intent.body);
    const { value, error, unanswered } = await attempt(request, this.#policy);
    this.#opened.leave(intent);
    if (error === undefined) {
      this.#opened.close(intent);
      return { kind: "success", operation: value as Operation };
    }
    const travelling = before !== undefined && started - before.since < this.#policy.settle;
    const uncertain = unanswered || this.#late(intent, error);
    if (isRefusal(error) && !uncertain && !travelling) {
      this.#opened.close(intent);
      return { kind: "refusal", error };
    }
    const since = before === undefined || uncertain ? monotonic() : before.since;
    return { kind: "open", open: this.#opened.open({ intent, error, since }) };
  }

  /** Whether a refusal says that an intent which was absent has been carried out since. */
  #late(intent: Intent, error: ServiceError | NoAnswer): boolean {
    const differs = isRefusal(error) && error.erro === "external_id_divergente";
    return differs && intent.kind.read !== null && this.#opened.wasAbsent(intent);
  }

  /** Reads what was recorded under an intent's external id. */
  async #lookUp<Operation>(stale: Open): Promise<Lookup<Operation>> {
    const [open, started] = [this.#opened.current(stale), monotonic()];
    const { kind, externalId } = open.intent;
    const query = kind.latest > 0 ? {} : { external_id: externalId };
    const request = this.#prepare("GET", kind.read ?? "", { query, repeatable: true });
    const { value, error } = await attempt(request, this.#policy);
    if (error !== undefined) {
      return this.#unknown(open);
    }
    const rows = (value as Record<string, Record<string, unknown>[]>)[kind.rows] ?? [];
    const recorded = rows.find((row) => records(row, open.intent));
    if (recorded !== undefined) {
      this.#opened.close(open.intent);
      return { kind: "success", operation: recorded as Operation };
    }
    const full = kind.latest > 0 && rows.length >= kind.latest;
    if (full || started - open.since < this.#policy.settle) {
      return this.#unknown(open);
    }
    this.#opened.close(open.intent, true);
    return { kind: "absence", externalId };
  }

  #unknown<Operation>(open: Open): Unknown<Operation> {
    return {
      kind: "unknown",
      externalId: open.intent.externalId,
      error: open.error,
      lookUp: () => this.#lookUp<Operation>(open),
      repeat: () => this.#create<Operation>(open.intent),
    };
  }

  #repeatOnly<Operation>(open: Open): RepeatOnly<Operation> {
    return {
      kind: "unknown",
      externalId: open.intent.externalId,
      error: open.error,
      repeat: () => this.#createUnlisted<Operation>(open.intent),
    };
  }

  /** A request under a correlation id that all its attempts share. */
  #prepare(method: string, path: string, parts: Parts, json?: string): Prepared {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(parts.query ?? {})) {
      if (value !== undefined && value !== null) {
        url.searchParams.set(name, String(value));
      }
    }
    const headers: Record<string, string> = {
      Accept: "application/json",
      "X-Request-ID": `req-${crypto.randomUUID()}`,
    };
    if (this.#key !== null) {
      headers["X-API-Key"] = this.#key;
    }
    const body = json ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
    }
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    return { url: url.href, init, repeatable: parts.repeatable };
  }
}
