import type { Reply } from "../messages/message.js";
import type { CallId, ReasoningRequest, Tool } from "./kinds.js";
import type { Notification } from "./notification.js";
import type { Awaitable } from "./protocol.js";
import type { MemoryRequest, MemoryResult } from "./search.js";
import type { StateKey } from "./state-key.js";

/** The agent of a run. */
export interface AgentInfo {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  readonly version?: string;
  /**
   * `workflow` if this is not an agent but runs several. Traced as the conventions' `invoke_workflow` instead of
   * `invoke_agent`.
   */
  readonly operation?: "workflow";
}

/**
 * The tools of a run. A change takes effect with the next model call that is prepared, through all layers. It ends with
 * the run: a plugin that needs its tools after a suspension offers them in `tools`.
 *
 * @example
 * ```ts
 * execute: ({ topic }, runtime) => runtime.tools?.add(...toolsAbout(topic)),
 * ```
 */
export interface RunTools {
  readonly all: readonly Tool[];
  /** Adds tools. Throws if a tool has a name that exists already, and then adds none of them. */
  add(...tools: readonly Tool[]): void;
  /** Removes a tool. Returns true if it existed. */
  remove(name: string): boolean;
}

/** A model request of a plugin. It contains all messages: no system prompt is added. */
export type AskRequest = Pick<ReasoningRequest, "messages"> & Partial<ReasoningRequest>;

/** Options of `ask`. */
export interface AskOptions {
  /** The enclosing call. It is the parent of spans and records, and its abort applies. */
  readonly parent: CallId;
  /**
   * The purpose in a short word: `summarize`, `select_tools`, `moderate`, … Layers use it to recognize requests that
   * are not the agent's.
   */
  readonly purpose: string;
  /** Another model of the same client. Default: the run's model. */
  readonly model?: string;
  /** Another model client, like `client` of a `ModelRequest`. */
  readonly client?: unknown;
}

/**
 * Makes a model call for a plugin or a tool, through all `model` layers of the run, including the plugin's. A `model`
 * hook that calls it must skip requests that have a `purpose`. Otherwise the calls would nest endlessly
 * (`ERR_ASK_NESTED`).
 */
export type Ask = (request: AskRequest, options: AskOptions) => Promise<Reply>;

/**
 * Runs a memory operation for a plugin or a tool, as one call through all `memory` layers of the run. Guards see the
 * query and the records; spans and records are made. `carryOut` does the work, with the request as the layers changed
 * it. It is called again if a layer retries, and not at all if a layer answers.
 */
export type CallMemory = (
  request: MemoryRequest,
  carryOut: (request: MemoryRequest, call: CallId) => Awaitable<MemoryResult>,
  options: MemoryOptions,
) => Promise<MemoryResult>;

/** Options of a memory operation. */
export interface MemoryOptions {
  /** The enclosing call. It is the parent of spans and records, and its abort applies. */
  readonly parent: CallId;
}

/** The context of one run, shared by all its hooks and tools. Unusable after the run. */
export interface RuntimeContext {
  /** The run's id. It stays the same after a suspension. */
  readonly runId: string;
  readonly agent?: AgentInfo | undefined;
  /** The conversation (`gen_ai.conversation.id`). */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** The customer or organisation that the user belongs to. */
  readonly tenantId?: string | undefined;
  /** The runtime of the run that called this run as a tool. */
  readonly parent?: RuntimeContext | undefined;
  /**
   * Aborts the work of the run: with the reason of an abort, or with `ERR_CANCELLED` if the run ends before its work,
   * for example because a consumer stops reading. Pass it to long-running work. Use `onAbort` for many listeners.
   */
  readonly signal: AbortSignal;
  /**
   * Calls the run's model through its `model` layers, so that guards, limits, tracing and audit see the call.
   * Its usage is counted. `undefined` if the adapter knows no model: a plugin that needs one takes it as an option.
   *
   * @example
   * ```ts
   * const { message } = await runtime.ask({ messages }, { parent: invocation.call, purpose: "summarize" });
   * ```
   */
  readonly ask?: Ask | undefined;
  /**
   * Runs a memory operation through the run's `memory` layers, so that guards, tracing and audit see it.
   *
   * @example
   * ```ts
   * const asked = { operation: "search_memory", store: "notes", query } as const;
   * const { records = [] } = await runtime.memory(asked, ({ query }) => notes.search(query), { parent: invocation.call });
   * ```
   */
  readonly memory: CallMemory;
  /**
   * Begins a separate run for work that no caller waits for. It has the same plugins, agent, conversation, user and
   * redactors, but no state, and the caller's abort does not apply. It ends with the work, maybe long after this run.
   * An error of the work fails that run and is reported as a fault. Call it until a plugin's `end`, inclusive. Plugins
   * are closed only after it has ended.
   *
   * @returns a promise for code that closes resources of the work. It resolves when that run has ended, however it
   * ended, and never rejects.
   * @throws CoreError `ERR_RUN_ENDED` if this run has ended.
   * @example
   * ```ts
   * end(runtime) {
   *   void runtime.background((own) => own.memory(kept, write, { parent: call })); // its span hangs below the call's
   * }
   * ```
   */
  background(work: (runtime: RuntimeContext) => Awaitable<unknown>): Promise<void>;
  /** The tools of the run, which may change during the run. `undefined` if the adapter does not support that. */
  readonly tools?: RunTools | undefined;
  /** Returns the value of a key, created on first use. Throws `ERR_RUN_ENDED` after the run. */
  get<T>(key: StateKey<T>): T;
  /** Sets the value of a key. Throws `ERR_KEY_SEALED` for a key that only core may set. */
  set<T>(key: StateKey<T>, value: T): void;
  /** Calls every plugin's `observe`. Does nothing after the run. Never throws. */
  notify(notification: Notification): void;
}

/** Returns the outermost run: follows `parent` until a run has none. */
export function outermost(runtime: RuntimeContext): RuntimeContext {
  let run = runtime;
  while (run.parent !== undefined) run = run.parent;
  return run;
}
