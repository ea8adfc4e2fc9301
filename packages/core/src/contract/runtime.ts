import type { Ask } from "./ask.js";
import type { Tool } from "./kinds.js";
import type { CallMemory } from "./memory.js";
import type { Notification } from "./notification.js";

/** The key is the capability: unexported, it is private state; exported by core, it is shared by all. */
export interface StateKey<T> {
  readonly id: symbol;
  readonly create: () => T;
  readonly durable?: Durable<T>;
  /** Set by core when a run begins; `set` refuses it afterwards. */
  readonly sealed?: boolean;
  /** The result of the run carries the value: `resultKey`. */
  readonly inResult?: boolean;
  /** A run and its sub-agents have one value, which is kept by the outermost run: `treeKey`. */
  readonly ofWholeTree?: boolean;
}

/** The way in which a value survives a suspension: stored as JSON under `name` in the pending state. No other key of the run may have that name. */
export interface Durable<T> {
  readonly name: string;
  save(value: T): unknown;
  load(stored: unknown): T;
}

/**
 * Makes a key for state of one run. A plugin keeps no such state on itself: one instance may serve many runs at once.
 *
 * @param durable lets the value survive a suspension, also into another process; its name must be unique in a run
 *   (`ERR_DUPLICATE_KEY`): two instances of one plugin need two names, made from what tells the instances apart.
 * @example
 * ```ts
 * const used = stateKey("budget.used", () => 0, { save: (n) => n, load: Number });
 * runtime.set(used, runtime.get(used) + 1);
 * ```
 */
export const stateKey = <T>(name: string, create: () => T, durable?: Omit<Durable<T>, "name">): StateKey<T> => ({
  id: Symbol(name),
  create,
  ...(durable && { durable: { name, save: durable.save, load: durable.load } }),
});

/**
 * Makes a key whose value a run shares with its sub-agents: a budget, say. It is kept, and travels, with the outermost run.
 *
 * @param durable as of `stateKey`.
 */
export const treeKey = <T>(name: string, create: () => T, durable?: Omit<Durable<T>, "name">): StateKey<T> => ({
  ...stateKey(name, create, durable),
  ofWholeTree: true,
});

/** A key that is the same in every copy of this package. For what core itself exports. */
export const sharedKey = <T>(name: string, create: () => T, options?: { readonly sealed?: boolean }): StateKey<T> => ({
  id: Symbol.for(`@suite/core/${name}`),
  create,
  ...options,
});

/** The agent that a run is of. */
export interface AgentInfo {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  readonly version?: string;
  /** Set where it is no agent but what goes round several. Traced as the conventions' `invoke_workflow`, in place of `invoke_agent`. */
  readonly operation?: "workflow";
}

/**
 * The tools of a run. A change counts from the next model call that is made ready: the model is offered what there is then,
 * through all layers. It ends with the run: a plugin whose tools are to be there after a suspension offers them in `tools`.
 *
 * @example
 * ```ts
 * execute: ({ topic }, runtime) => runtime.tools?.add(...toolsAbout(topic)),
 * ```
 */
export interface RunTools {
  readonly all: readonly Tool[];
  /** Throws where there is a tool of the same name, and adds none then. */
  add(...tools: readonly Tool[]): void;
  /** Whether there was one of this name. */
  remove(name: string): boolean;
}

/** One per run, shared by all its hooks and tools; gone when the run has ended. */
export interface RuntimeContext {
  /** The same before and after a suspension. */
  readonly runId: string;
  readonly agent?: AgentInfo | undefined;
  /** The conversation (`gen_ai.conversation.id`). */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** Set when this run is a tool of another run. */
  readonly parent?: RuntimeContext | undefined;
  /**
   * Tells what is at work in the run to stop: with the reason of an abort, or with `ERR_CANCELLED` where the run ends
   * before its work does, as when a consumer stops reading. Give it to whatever takes long; `onAbort` is for many at once.
   */
  readonly signal: AbortSignal;
  /**
   * Asks the run's model through its `model` layers, so that guards, limits, tracing and audit see it, and counts what it
   * uses. Undefined where the adapter knows no model: a plugin that needs one takes it as an option.
   *
   * @example
   * ```ts
   * const { message } = await runtime.ask({ messages }, { parent: invocation.call, purpose: "summarize" });
   * ```
   */
  readonly ask?: Ask | undefined;
  /**
   * Carries out an operation on a memory through the run's `memory` layers, so that guards, tracing and audit see it.
   *
   * @example
   * ```ts
   * const asked = { operation: "search_memory", store: "notes", query } as const;
   * const { records = [] } = await runtime.memory(asked, ({ query }) => notes.search(query), { parent: invocation.call });
   * ```
   */
  readonly memory: CallMemory;
  /** The tools of the run, which may change while it goes on. Undefined where the adapter does not offer that. */
  readonly tools?: RunTools | undefined;
  /** The value under a key, made on first use. Throws `ERR_RUN_ENDED` after the run. */
  get<T>(key: StateKey<T>): T;
  /** Throws `ERR_KEY_SEALED` for a key that only core may set. */
  set<T>(key: StateKey<T>, value: T): void;
  /** Tells every plugin's `observe`; nobody, after the run. Never throws. */
  notify(notification: Notification): void;
}
