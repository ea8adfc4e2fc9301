import { randomTag } from "../tokens/tag.js";
import type { TokenId } from "../tokens/vault.js";
import { derivedKey, keyedHash, Seal } from "./seal.js";

/** One value with its token, before it is sealed. */
interface Entry extends TokenId {
  readonly value: string;
}

/**
 * The entries of one session, read from the lines of its file. Of two entries with the same value the first one counts,
 * so that all readers of the file agree. Each process uses its own tag for the tokens that it creates: if the machine
 * fails and the end of a file is lost, no lost token is ever given to another value. Values stay sealed in memory too,
 * and are looked up by a keyed hash.
 */
export class SessionEntries {
  readonly #seal: Seal;
  readonly #hashKey: Buffer;
  readonly #tag = randomTag();
  readonly #ids = new Map<string, TokenId>();
  readonly #lines = new Map<string, string>();
  readonly #last = new Map<string, number>();

  /** @param key of this session. */
  constructor(key: Uint8Array) {
    this.#seal = new Seal(derivedKey(key, "entries"));
    this.#hashKey = derivedKey(key, "look-ups");
  }

  get size(): number {
    return this.#lines.size;
  }

  /** A line for a value that is not there yet, with the next number of its label. */
  next(label: string, value: string): string {
    const entry: Entry = { label, number: (this.#last.get(label) ?? 0) + 1, tag: this.#tag, value };
    return this.#seal.close(JSON.stringify(entry));
  }

  /** Takes a line of the file. One that does not open is the rest of a write that was cut off, or was changed. */
  add(line: string): void {
    const entry = this.#open(line);
    if (entry === undefined) return;
    const { label, number, tag, value } = entry;
    const name = nameOf(entry);
    const hash = this.#hash(label, value);
    if (this.#lines.has(name) || this.#ids.has(hash)) return;
    this.#lines.set(name, line);
    this.#ids.set(hash, { label, number, tag });
    this.#last.set(label, Math.max(number, this.#last.get(label) ?? 0));
  }

  id(label: string, value: string): TokenId | undefined {
    return this.#ids.get(this.#hash(label, value));
  }

  value(id: TokenId): string | undefined {
    const line = this.#lines.get(nameOf(id));
    return line === undefined ? undefined : this.#open(line)?.value;
  }

  #open(line: string): Entry | undefined {
    const text = this.#seal.open(line);
    return text === undefined ? undefined : (JSON.parse(text) as Entry);
  }

  #hash(label: string, value: string): string {
    return keyedHash(this.#hashKey, label, value).toString("base64url");
  }
}

const nameOf = ({ label, number, tag }: TokenId): string => `${label}_${number}_${tag}`;
