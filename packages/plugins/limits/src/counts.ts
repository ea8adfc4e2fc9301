import {
  type Awaitable,
  type CallId,
  outermost,
  type RuntimeContext,
  type StateKey,
  type StateStore,
  treeKey,
} from "@suite/core";
import type { Added } from "@suite/core/contract";
import { memoryStateStore } from "@suite/kit/store";
import { giveBack } from "./give-back.js";
import type { StoreOptions } from "./options.js";

/** The maximum number of calls per run and per conversation. */
export interface CountLimits extends StoreOptions {
  /** The maximum number of calls per run, including its sub-agents. */
  readonly runLimit?: number | undefined;
  /**
   * The maximum number of calls per conversation (`sessionId`). A run without a session counts as its own conversation.
   */
  readonly threadLimit?: number | undefined;
  /** Milliseconds after its first call at which a conversation's count starts again. Default: a day. */
  readonly threadTtl?: number | undefined;
}

/** The limit that a call exceeds. */
export interface ExceededLimit {
  readonly per: "run" | "thread";
  readonly maximum: number;
}

const day = 24 * 60 * 60 * 1000;

/**
 * Counts calls per run and per conversation. The count of a run is durable state of its outermost run. The count of a
 * conversation is kept in a store that counts atomically across processes.
 */
export class Counts {
  readonly #name: string;
  readonly #limits: CountLimits;
  readonly #enforced: boolean;
  readonly #store: StateStore;
  readonly #used: StateKey<number>;

  /** @param name the same in all processes that count together, and different from every other plugin's name */
  constructor(name: string, limits: CountLimits, enforced: boolean) {
    this.#name = name;
    this.#limits = limits;
    this.#enforced = enforced;
    this.#store = limits.store ?? memoryStateStore();
    this.#used = treeKey(`${name}.used`, () => 0, { save: (used) => used, load: Number });
  }

  /**
   * Counts one more call, unless it exceeds a limit. A refused call is not counted, except in monitor mode.
   *
   * @returns the limit that the call exceeds
   */
  take(runtime: RuntimeContext, call: CallId): Awaitable<ExceededLimit | undefined> {
    const { runLimit = Number.POSITIVE_INFINITY, threadLimit } = this.#limits;
    const used = runtime.get(this.#used);
    const beyondRun = used < runLimit ? undefined : ({ per: "run", maximum: runLimit } as const);
    if (beyondRun !== undefined && this.#enforced) return beyondRun;
    runtime.set(this.#used, used + 1); // before any await, so that concurrent calls are counted one by one
    if (threadLimit === undefined) return beyondRun;
    // An in-process store answers synchronously: avoid a promise.
    const answered = ({ added, total }: Added): ExceededLimit | undefined => {
      if (beyondRun !== undefined || (added && total <= threadLimit)) return beyondRun;
      if (this.#enforced) this.#giveBackOfRun(runtime);
      return { per: "thread", maximum: threadLimit };
    };
    const failed = (error: unknown): ExceededLimit | undefined => {
      if (notifyStoreFailed(this.#name, this.#limits, runtime, call) === "open") return beyondRun;
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

  /**
   * Uncounts a call that was not made because its run waits for a person. The call is counted again when the run
   * resumes.
   */
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

/** Reports that the store failed, and returns how the limit reacts. */
export function notifyStoreFailed(
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
