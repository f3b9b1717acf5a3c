// Intents that move money: their outcomes, and which of them are open.

import type { NoAnswer, ServiceError } from "./errors.js";
import { UnresolvedIntent } from "./errors.js";

/** A route that moves money, and the read that lists its operations. */
export interface Kind {
  name: string;
  path: string;
  read: string | null;
  /** The field of the read that holds the list, and the most that it holds; 0 for all. */
  rows: string;
  latest: number;
  /** A field and its value, where the read lists operations of other routes too. */
  where: [string, string] | null;
  /** Fields of the terms that say whose money goes where. */
  subject: string[];
}

/** The operation that the ledger recorded under the external id. */
export interface Success<Operation> {
  readonly kind: "success";
  readonly operation: Operation;
}

/** The ledger's refusal: nothing was recorded, so the same external id is free again. */
export interface Refusal {
  readonly kind: "refusal";
  readonly error: ServiceError;
}

/**
 * Proof of a look-up that the ledger has no operation under the external id.
 *
 * Use the same external id again, with the same terms or others.
 */
export interface Absence {
  readonly kind: "absence";
  readonly externalId: string;
}

/** An unknown outcome: money may have moved. It has no operation; look it up. */
export interface Unknown<Operation> {
  readonly kind: "unknown";
  readonly externalId: string;
  /** Why nothing is certain: the last error, or that nobody answered. */
  readonly error: ServiceError | NoAnswer;
  /**
   * Reads what the ledger recorded.
   *
   * An operation that is not listed is absent only once no copy of the request can still arrive,
   * `Policy.settle` seconds after the last attempt; before, this stays unknown.
   */
  lookUp(): Promise<Lookup<Operation>>;
  /** Sends the same terms under the same external id once more. */
  repeat(): Promise<Outcome<Operation>>;
}

/** An unknown outcome that no read lists by its external id: repeat it to find out. */
export interface RepeatOnly<Operation> {
  readonly kind: "unknown";
  readonly externalId: string;
  readonly error: ServiceError | NoAnswer;
  /** Sends the same terms under the same external id once more. */
  repeat(): Promise<RepeatOutcome<Operation>>;
}

export type Outcome<Operation> = Success<Operation> | Refusal | Unknown<Operation>;
export type RepeatOutcome<Operation> = Success<Operation> | Refusal | RepeatOnly<Operation>;
export type Lookup<Operation> = Success<Operation> | Absence | Unknown<Operation>;

/** Money to be moved once, however often it is sent: the external id names it. */
export class Intent {
  /** The kind and the id, which name one operation of an account. */
  readonly name: string;
  /** Whose money goes where. */
  readonly subject: string;
  /** The terms, by which two intents are compared. */
  readonly body: string;

  constructor(
    readonly kind: Kind,
    readonly externalId: string,
    terms: object,
  ) {
    if (typeof externalId !== "string" || externalId === "") {
      throw new TypeError("external id is required: a text that names this operation");
    }
    if (typeof terms !== "object" || terms === null) {
      throw new TypeError("terms are required: an object, after the external id");
    }
    const fields = new Map(Object.entries(terms));
    this.name = JSON.stringify([kind.name, externalId]);
    this.subject = JSON.stringify([kind.name, kind.subject.map((it) => fields.get(it) ?? null)]);
    this.body = JSON.stringify({ ...terms, external_id: externalId });
  }
}

/** Whether an operation of a read is the one that an intent names. */
export function records(row: Record<string, unknown>, intent: Intent): boolean {
  const { where } = intent.kind;
  const right = where === null || row[where[0]] === where[1];
  return right && row["external_id"] === intent.externalId;
}

/** An intent whose outcome is unknown, why, and when its last attempt ended. */
export interface Open {
  intent: Intent;
  error: ServiceError | NoAnswer;
  since: number;
}

/** The intents of a client whose outcome is unknown, by name. */
export class OpenIntents {
  readonly #open = new Map<string, Open>();
  readonly #subjects = new Map<string, Set<Intent>>();
  /** Intents that were absent once: a copy may have come later than anybody expected. */
  readonly #absent = new Set<string>();
  readonly #underWay = new Map<string, number>();

  /** Refuses an intent about a subject of which another is open; returns itself if open. */
  admit(intent: Intent): Open | undefined {
    for (const other of this.#subjects.get(intent.subject) ?? []) {
      if (other.name !== intent.name) {
        throw new UnresolvedIntent(other.externalId);
      }
    }
    const open = this.#open.get(intent.name);
    if (open !== undefined && open.intent.body !== intent.body) {
      throw new UnresolvedIntent(intent.externalId);
    }
    this.#underWay.set(intent.name, (this.#underWay.get(intent.name) ?? 0) + 1);
    return open;
  }

  /** Notes that the attempts of an admitted intent have ended. */
  leave(intent: Intent): void {
    const left = (this.#underWay.get(intent.name) ?? 1) - 1;
    if (left > 0) {
      this.#underWay.set(intent.name, left);
    } else {
      this.#underWay.delete(intent.name);
    }
  }

  /** An open intent by its last attempt, which is later than any under way. */
  current(open: Open): Open {
    const current = this.#open.get(open.intent.name) ?? open;
    return this.#underWay.has(open.intent.name) ? { ...current, since: Infinity } : current;
  }

  /** Opens an intent, or says anew why it is open. */
  open(open: Open): Open {
    this.#remove(open.intent);
    this.#open.set(open.intent.name, open);
    const others = this.#subjects.get(open.intent.subject) ?? new Set();
    this.#subjects.set(open.intent.subject, others.add(open.intent));
    return open;
  }

  /** Closes an intent: its outcome is certain. */
  close(intent: Intent, absent = false): void {
    this.#remove(intent);
    if (absent) {
      this.#absent.add(intent.name);
    } else {
      this.#absent.delete(intent.name);
    }
  }

  /** Whether a look-up has said that an intent is absent. */
  wasAbsent(intent: Intent): boolean {
    return this.#absent.has(intent.name);
  }

  /** Every open intent. */
  all(): Open[] {
    return [...this.#open.values()];
  }

  #remove(intent: Intent): void {
    const before = this.#open.get(intent.name)?.intent;
    if (before === undefined) {
      return;
    }
    this.#open.delete(intent.name);
    const others = this.#subjects.get(before.subject);
    others?.delete(before);
    if (others?.size === 0) {
      this.#subjects.delete(before.subject);
    }
  }
}
