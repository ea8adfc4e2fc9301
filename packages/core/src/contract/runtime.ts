import type { Reply } from "../messages/message.js";
import type { CallId, ReasoningRequest, Tool } from "./kinds.js";
import type { Notification } from "./notification.js";
import type { Awaitable } from "./protocol.js";
import type { MemoryRequest, MemoryResult } from "./search.js";
import type { StateKey } from "./state-key.js";

/** The agent that a run is of. */
export interface AgentInfo {
  readonly name: string;
  readonly id?: string;
  readonly description?: string;
  readonly version?: string;
  /**
   * The operation, where it is no agent but what goes round several. Traced as the conventions' `invoke_workflow`, in
   * place of `invoke_agent`.
   */
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

/** A request of a plugin to a model: the messages are the whole of it, no system prompt is put in front. */
export type AskRequest = Pick<ReasoningRequest, "messages"> & Partial<ReasoningRequest>;

/** The options of a plugin's question to a model. */
export interface AskOptions {
  /** The call within which it is asked: spans and records hang below it, and so does its abort. */
  readonly parent: CallId;
  /**
   * The purpose, in a short word: `summarize`, `select_tools`, `moderate`, … Layers tell by it what is not the agent's
   * own.
   */
  readonly purpose: string;
  /** Another model of the same client. Default: the one that the run asks. */
  readonly model?: string;
  /** Another model client, as `client` of a `ModelRequest`. */
  readonly client?: unknown;
}

/**
 * A model call from inside a plugin or a tool, through all `model` layers of the run, also the plugin's own: one that asks
 * in its `model` hook leaves alone what has a `purpose`, or it would ask for ever (`ERR_ASK_NESTED`).
 */
export type Ask = (request: AskRequest, options: AskOptions) => Promise<Reply>;

/**
 * An operation on a memory from inside a plugin or a tool, as one call through all `memory` layers of the run: guards see
 * what is searched for, found and kept, and spans and records tell of it. `carryOut` does the work, with the request as the
 * layers made it; it is called again where one tries again, and not at all where one answers in its place.
 */
export type CallMemory = (
  request: MemoryRequest,
  carryOut: (request: MemoryRequest, call: CallId) => Awaitable<MemoryResult>,
  options: MemoryOptions,
) => Promise<MemoryResult>;

/** The options of an operation on a memory. */
export interface MemoryOptions {
  /** The call within which it happens: spans and records hang below it, and so does its abort. */
  readonly parent: CallId;
}

/** One per run, shared by all its hooks and tools; gone when the run has ended. */
export interface RuntimeContext {
  /** The run's id, the same before and after a suspension. */
  readonly runId: string;
  readonly agent?: AgentInfo | undefined;
  /** The conversation (`gen_ai.conversation.id`). */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** The customer or organisation that the user belongs to. */
  readonly tenantId?: string | undefined;
  /** The runtime of the run that this run is a tool of. */
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
  /**
   * Begins a run of its own for work that no caller waits for: the same plugins, agent, conversation, user and redactors,
   * no state, and no abort of the caller's. It ends when the work has, maybe long after this run. What the work throws is
   * how that run failed, and is reported as a fault. It may be called up to a plugin's `end`, and that included.
   *
   * The plugins are closed when it is over.
   *
   * @returns a promise for whoever closes what the work needs: it resolves when that run is over, however it ended, and
   *   never rejects.
   * @throws CoreError `ERR_RUN_ENDED` where this run is gone.
   * @example
   * ```ts
   * end(runtime) {
   *   void runtime.background((own) => own.memory(kept, write, { parent: call })); // its span hangs below the call's
   * }
   * ```
   */
  background(work: (runtime: RuntimeContext) => Awaitable<unknown>): Promise<void>;
  /** The tools of the run, which may change while it goes on. Undefined where the adapter does not offer that. */
  readonly tools?: RunTools | undefined;
  /** The value under a key, made on first use. Throws `ERR_RUN_ENDED` after the run. */
  get<T>(key: StateKey<T>): T;
  /** Throws `ERR_KEY_SEALED` for a key that only core may set. */
  set<T>(key: StateKey<T>, value: T): void;
  /** Tells every plugin's `observe`; nobody, after the run. Never throws. */
  notify(notification: Notification): void;
}

/** The run that is within no other: the run itself, or the one whose tool began its agent, and so on outwards. */
export function outermost(runtime: RuntimeContext): RuntimeContext {
  let run = runtime;
  while (run.parent !== undefined) run = run.parent;
  return run;
}
