import { outermost, type RuntimeContext, type StateKey, type StateStore, treeKey } from "@suite/core";
import type { CompiledRate, PolicyCall, PolicyVerdict } from "./decide.js";

/** Functions that undo the counts of a call. */
export type CountUndos = readonly (() => unknown)[];

/** The result of counting a call: the verdict if it is refused, and the functions that undo the count. */
export interface Counted {
  readonly refused?: PolicyVerdict;
  readonly taken: CountUndos;
}

interface Counting {
  refused?: PolicyVerdict;
  readonly taken: (() => unknown)[];
}

const secondsOfDay = 24 * 60 * 60;

/** The rates of one policy. Rates per run are durable state of the outermost run. All others are in a store. */
export class Rates {
  readonly #name: string;
  readonly #rates: readonly CompiledRate[];
  readonly #store: StateStore;
  readonly #enforced: boolean;
  readonly #ofRun: StateKey<Readonly<Record<string, number>>>;

  /** @param enforced False if no call is refused. Every call then counts. */
  constructor(name: string, rates: readonly CompiledRate[], store: StateStore, enforced: boolean) {
    this.#name = name;
    this.#rates = rates;
    this.#store = store;
    this.#enforced = enforced;
    this.#ofRun = treeKey(`${name}.rates`, () => ({}), {
      save: (counts) => counts,
      load: (counts) => counts as Record<string, number>,
    });
  }

  /**
   * Counts a call with each rate that applies to it. If one rate is exceeded, the call counts with none of them.
   * Returns no promise if only rates of a run apply, so that calls made at the same time start in order.
   */
  take(call: PolicyCall, runtime: RuntimeContext): Counted | Promise<Counted> {
    const due = this.#rates.filter((rate) => rate.counts(call));
    const counting: Counting = { taken: [] };
    for (const rate of due) {
      if (rate.per !== "run" || this.#takeOfRun(rate, runtime, counting.taken)) continue;
      counting.refused ??= refusedBy(rate);
      if (!this.#enforced) continue;
      for (const back of counting.taken) void back();
      return { refused: counting.refused, taken: [] };
    }
    const stored = due.filter(({ per }) => per !== "run");
    return stored.length === 0 ? counting : this.#takeOfStores(stored, runtime, counting);
  }

  async #takeOfStores(rates: readonly CompiledRate[], runtime: RuntimeContext, counting: Counting): Promise<Counted> {
    for (const rate of rates) {
      let fits = false;
      try {
        fits = await this.#takeOfStore(rate, runtime, counting.taken);
      } catch (error) {
        await this.giveBack(counting.taken).catch(() => undefined); // the store has failed already
        throw error;
      }
      if (fits) continue;
      counting.refused ??= refusedBy(rate);
      if (!this.#enforced) continue;
      await this.giveBack(counting.taken);
      return { refused: counting.refused, taken: [] };
    }
    return counting;
  }

  /**
   * Undoes the count of a call that was not made because its run waits for a person first. The call will be counted
   * again.
   */
  async giveBack(undos: CountUndos): Promise<void> {
    for (const back of undos) await back();
  }

  #takeOfRun({ index, calls }: CompiledRate, runtime: RuntimeContext, undos: (() => unknown)[]): boolean {
    const add = (amount: number): void => {
      const counts = runtime.get(this.#ofRun);
      runtime.set(this.#ofRun, { ...counts, [index]: (counts[index] ?? 0) + amount });
    };
    const fits = (runtime.get(this.#ofRun)[index] ?? 0) < calls;
    if (!fits && this.#enforced) return false;
    add(1);
    undos.push(() => add(-1));
    return fits;
  }

  async #takeOfStore(rate: CompiledRate, runtime: RuntimeContext, undos: (() => unknown)[]): Promise<boolean> {
    const window = (rate.windowSeconds ?? secondsOfDay) * 1000;
    const key = `${this.#name}:${rate.index}:${Math.floor(Date.now() / window)}:${subjectOf(rate, runtime)}`;
    const maximum = this.#enforced ? { maximum: rate.calls } : {};
    const { added, total } = await this.#store.add(key, 1, { ttl: window, ...maximum });
    if (added) undos.push(() => this.#store.add(key, -1, { ttl: window }));
    return added && total <= rate.calls;
  }
}

const refusedBy = ({ index, message = "Too many calls." }: CompiledRate): PolicyVerdict => ({
  allowed: false,
  rule: `rates[${index}]`,
  message,
});

/**
 * Returns the subject whose calls are counted. A run without a session counts alone. Runs without a user count as one
 * user.
 */
function subjectOf({ per }: CompiledRate, runtime: RuntimeContext): string {
  const run = outermost(runtime);
  if (per === "session") return `session:${runtime.sessionId ?? run.sessionId ?? run.runId}`;
  return per === "user" ? `user:${runtime.userId ?? run.userId ?? ""}` : "all";
}
