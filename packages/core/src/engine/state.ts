import type { Durable, StateKey } from "../contract/state-key.js";
import { Values } from "../contract/values.js";
import { CoreError } from "../errors.js";

/** The values of one run by key. */
export class RunState {
  readonly #values = new Map<symbol, unknown>();
  /** The values for the run's result. */
  left: Values | undefined;
  #durable: Map<string, StateKey<never>> | undefined;
  readonly #stored: Readonly<Record<string, unknown>> | undefined;

  /** @param stored the result of `save` before the run was suspended. */
  constructor(stored: Readonly<Record<string, unknown>> | undefined) {
    this.#stored = stored;
  }

  get<T>(key: StateKey<T>): T {
    if (!this.#values.has(key.id)) this.#keep(key, this.#initial(key));
    return this.#values.get(key.id) as T;
  }

  set<T>(key: StateKey<T>, value: T): void {
    if (key.durable !== undefined) this.#endures(key.durable.name, key as unknown as StateKey<never>);
    this.#keep(key, value);
  }

  save(): Record<string, unknown> {
    const saved: Record<string, unknown> = { ...this.#stored };
    for (const [name, key] of this.#durable ?? []) {
      saved[name] = (key.durable as Durable<never>).save(this.#values.get(key.id) as never);
    }
    return saved;
  }

  #keep<T>(key: StateKey<T>, value: T): void {
    this.#values.set(key.id, value);
    if (key.inResult !== true || (value === undefined && this.left === undefined)) return;
    this.left ??= new Values();
    this.left.set(key, value);
  }

  #initial<T>(key: StateKey<T>): T {
    const { durable } = key;
    if (durable === undefined) return key.create();
    this.#endures(durable.name, key as unknown as StateKey<never>);
    const stored = this.#stored;
    return stored !== undefined && Object.hasOwn(stored, durable.name)
      ? durable.load(stored[durable.name])
      : key.create();
  }

  #endures(name: string, key: StateKey<never>): void {
    this.#durable ??= new Map();
    const other = this.#durable.get(name);
    if (other !== undefined && other.id !== key.id) {
      throw new CoreError(
        "ERR_DUPLICATE_KEY",
        `Two durable keys of this run are named ${JSON.stringify(name)}. Derive the name of a key from the name of its plugin.`,
      );
    }
    this.#durable.set(name, key);
  }
}
