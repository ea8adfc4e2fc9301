import {
  type Added,
  type Awaitable,
  type CallId,
  outermost,
  type RuntimeContext,
  type StateKey,
  type StateStore,
  treeKey,
} from "@suite/core";
import { memoryStateStore } from "@suite/core/store";
import { giveBack } from "./give-back.js";
import type { StoreOptions } from "./options.js";

/** The limits of a count: so many in one run, so many in one conversation. */
export interface CountLimits extends StoreOptions {
  /** Calls of one run at most, its sub-agents' included. */
  readonly runLimit?: number | undefined;
  /** Calls of one conversation (`sessionId`) at most; a run without one is a conversation by itself. */
  readonly threadLimit?: number | undefined;
  /** Milliseconds after which a conversation's count begins anew, from its first call. Default: a day. */
  readonly threadTtl?: number | undefined;
}

/** The limit that a call is beyond. */
export interface Reached {
  readonly per: "run" | "thread";
  readonly maximum: number;
}

const day = 24 * 60 * 60 * 1000;

/**
 * A count of calls, per run and per conversation. That of a run is durable state of its outermost run; that of a
 * conversation is in a store, which counts atomically between processes.
 */
export class Counts {
  readonly #name: string;
  readonly #limits: CountLimits;
  readonly #enforced: boolean;
  readonly #store: StateStore;
  readonly #used: StateKey<number>;

  /** @param name the same in all processes that count together, and no other plugin's. */
  constructor(name: string, limits: CountLimits, enforced: boolean) {
    this.#name = name;
    this.#limits = limits;
    this.#enforced = enforced;
    this.#store = limits.store ?? memoryStateStore();
    this.#used = treeKey(`${name}.used`, () => 0, { save: (used) => used, load: Number });
  }

  /**
   * Counts one more call, unless it is beyond a limit. What is refused is not counted; in monitor mode all is.
   *
   * @returns the limit that it is beyond.
   */
  take(runtime: RuntimeContext, call: CallId): Awaitable<Reached | undefined> {
    const { runLimit = Number.POSITIVE_INFINITY, threadLimit } = this.#limits;
    const used = runtime.get(this.#used);
    const beyondRun = used < runLimit ? undefined : ({ per: "run", maximum: runLimit } as const);
    if (beyondRun !== undefined && this.#enforced) return beyondRun;
    runtime.set(this.#used, used + 1); // before anything is waited for: calls at once are counted one by one
    if (threadLimit === undefined) return beyondRun;
    // A store of this process answers at once: no promise where a value will do.
    const answered = ({ added, total }: Added): Reached | undefined => {
      if (beyondRun !== undefined || (added && total <= threadLimit)) return beyondRun;
      if (this.#enforced) this.#giveBackOfRun(runtime);
      return { per: "thread", maximum: threadLimit };
    };
    const failed = (error: unknown): Reached | undefined => {
      if (tellStoreFailed(this.#name, this.#limits, runtime, call) === "open") return beyondRun;
      this.#giveBackOfRun(runtime);
      throw error;
    };
    const maximum = this.#enforced ? { maximum: threadLimit } : {};
    let counted: Awaitable<Added>;
    try {
      counted = this.#store.add(this.#keyOf(runtime), 1, { ...this.#expiry, ...maximum });
    } catch (error) {
      return failed(error);
    }
    return "then" in counted ? Promise.resolve(counted).then(answered, failed) : answered(counted);
  }

  /** Takes a counted call back, which was not made: its run waits for a person first, and will ask again. */
  async giveBack(runtime: RuntimeContext): Promise<void> {
    this.#giveBackOfRun(runtime);
    if (this.#limits.threadLimit !== undefined) await giveBack(this.#store, this.#keyOf(runtime), 1, this.#expiry);
  }

  #giveBackOfRun(runtime: RuntimeContext): void {
    runtime.set(this.#used, runtime.get(this.#used) - 1);
  }

  #keyOf(runtime: RuntimeContext): string {
    return `${this.#name}:${runtime.sessionId ?? outermost(runtime).runId}`;
  }

  get #expiry() {
    return { ttl: this.#limits.threadTtl ?? day };
  }
}

/** Tells what a limit does where its store has failed. */
export function tellStoreFailed(
  plugin: string,
  { onStoreError = "closed" }: StoreOptions,
  runtime: RuntimeContext,
  call: CallId,
): "open" | "closed" {
  const decision = `fail_${onStoreError}`;
  runtime.notify({
    type: "decision",
    plugin,
    decision,
    enforced: true,
    call,
    place: "store",
    reason: "the store failed",
  });
  return onStoreError;
}
