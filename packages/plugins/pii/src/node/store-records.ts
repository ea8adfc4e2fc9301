import { PiiError } from "../errors.js";
import type { TokenId } from "../tokens/vault.js";
import type { Seal } from "./seal.js";

/** The record of a session in a store: for each user, by a hash, the sealed values. */
export interface SessionRecord {
  /** The time of the last write, in milliseconds since the epoch. */
  readonly at: number;
  readonly parts: Readonly<Record<string, string>>;
}

/** The record of a user in a store: the sealed key of the user's values, and the hashes of the sessions with such values. */
export interface UserRecord {
  readonly at: number;
  readonly key: string;
  readonly sessions: readonly string[];
}

/** Reads a record of a store. A record that another program wrote under our key is refused. */
export function recordOf<T extends SessionRecord | UserRecord>(value: unknown): T {
  const record = value as Partial<SessionRecord & UserRecord> | null;
  const isRecord =
    typeof record === "object" &&
    record !== null &&
    typeof record.at === "number" &&
    (typeof record.parts === "object"
      ? record.parts !== null
      : typeof record.key === "string" && isList(record.sessions));
  if (!isRecord) throw new PiiError("ERR_PII_VAULT_FAILED", "A record of the vault in the store has another form.");
  return value as T;
}

const isList = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

/** The values of one user in one session. */
export class SessionValues {
  readonly #tag: string;
  readonly #entries: (readonly [label: string, number: number, value: string])[];
  readonly #ids = new Map<string, TokenId>();
  readonly #values = new Map<string, string>();
  readonly #last = new Map<string, number>();

  /** @param written the text that `toString` returned; a new session begins with a tag. */
  constructor(written: { readonly text: string } | { readonly tag: string }) {
    const { tag, entries } = "tag" in written ? { tag: written.tag, entries: [] } : parsed(written.text);
    this.#tag = tag;
    this.#entries = [];
    for (const [label, number, value] of entries) this.#add(label, number, value);
  }

  get size(): number {
    return this.#entries.length;
  }

  id(label: string, value: string): TokenId | undefined {
    return this.#ids.get(`${label} ${value}`);
  }

  add(label: string, value: string): TokenId {
    return this.#add(label, (this.#last.get(label) ?? 0) + 1, value);
  }

  value({ label, number, tag }: TokenId): string | undefined {
    return tag === this.#tag ? this.#values.get(`${label}_${number}`) : undefined;
  }

  toString(): string {
    return JSON.stringify({ tag: this.#tag, entries: this.#entries });
  }

  #add(label: string, number: number, value: string): TokenId {
    const id = { label, number, tag: this.#tag };
    this.#entries.push([label, number, value]);
    this.#ids.set(`${label} ${value}`, id);
    this.#values.set(`${label}_${number}`, value);
    this.#last.set(label, number);
    return id;
  }
}

interface Written {
  readonly tag: string;
  readonly entries: readonly (readonly [string, number, string])[];
}

const parsed = (text: string): Written => JSON.parse(text) as Written;

/** Opens the values of a session. Returns `undefined` if they were sealed with another key. */
export function openValues(seal: Seal, sealed: string | undefined): SessionValues | undefined {
  const text = sealed === undefined ? undefined : seal.open(sealed);
  return text === undefined ? undefined : new SessionValues({ text });
}
