import type {
  ApprovalDecision,
  Awaitable,
  CallId,
  Incoming,
  Message,
  ModelSettings,
  Plugin,
  Reply,
  RuntimeContext,
  ToolCallPart,
  ToolCallResponsePart,
  ToolChoice,
  Values,
} from "@suite/core";
import type { Ambient } from "@suite/core/adapter";
import type { Model } from "./models/model.js";
import type { Resumption } from "./pending/decisions.js";
import type { SigningKey } from "./pending/keys.js";
import type { PendingState } from "./pending/state.js";
import type { ResumeStore } from "./pending/store.js";
import type { InputSchema } from "./tools/schema.js";
import type { AgentTool } from "./tools/tool.js";
import type { RunTotals } from "./totals/totals.js";

/** Shortens a history that has grown too long. It calls the model through the `model` layers, like everyone else. */
export type CompressContext = (
  messages: readonly Message[],
  help: {
    /** The system prompt of this round, to count its tokens. */
    systemPrompt(): Awaitable<string>;
    /** One model call about these messages. */
    ask(messages: readonly Message[]): Promise<Reply>;
    readonly runtime: RuntimeContext;
  },
) => Awaitable<readonly Message[]>;

/** A round whose tool calls have been answered: what a condition of `stopWhen` decides by. */
export interface AnsweredRound {
  /** The number of the round, from 1 up. */
  readonly round: number;
  /** The reply of the model, with its calls. */
  readonly message: Message;
  /** The responses to these calls, in their order. */
  readonly responses: readonly ToolCallResponsePart[];
  /** The history, with all of these. */
  readonly messages: readonly Message[];
  readonly runtime: RuntimeContext;
}

/** The options of `createAgent`. */
export interface AgentOptions<S extends InputSchema | undefined = InputSchema | undefined> {
  readonly name: string;
  readonly description?: string;
  readonly id?: string;
  readonly version?: string;
  /** Says that it is a workflow, whose tools are agents: traced as `invoke_workflow`. For one that is a function, use `workflow`. */
  readonly operation?: "workflow";
  /** The rounds whose answer is a plan, `first` or `every`: each is traced as a `plan`, within which the model is asked. */
  readonly plans?: "first" | "every";
  readonly model: Model;
  readonly tools?: readonly AgentTool[];
  /** The system prompt, before any plugin has added to it. A function is asked once per model call. */
  readonly systemPrompt?: string | ((runtime: RuntimeContext) => Awaitable<string>);
  /** First outermost. */
  readonly plugins?: readonly Plugin[];
  readonly settings?: ModelSettings;
  readonly toolChoice?: ToolChoice;
  /** The final answer is JSON of this schema, and is given as `output`. What a layer says in the model's place need not be. */
  readonly outputSchema?: S;
  /** The number of rounds that a run may have, in each of which the model is asked. In the last one it may call no tool. Default 16. */
  readonly maxRounds?: number;
  /**
   * Ends the run where it says true of a round whose tool calls have been answered: the model is not asked any more, what it
   * said beside these calls is the answer, and `finishReason` is `stop_condition`. What it throws ends the run.
   *
   * @example
   * ```ts
   * createAgent({ name, model, tools, stopWhen: ({ message }) => toolCallsOf(message).some(({ name }) => name === "hand_in") });
   * ```
   */
  readonly stopWhen?: (round: AnsweredRound) => Awaitable<boolean>;
  /** The number of tool calls of one answer that may be at work at a time; the others begin, in their order, as those end. Default: all. */
  readonly maxParallelTools?: number;
  /** Milliseconds that each tool may take which says no `timeout` of its own. Not for sub-agents. Default: no limit. */
  readonly toolTimeout?: number;
  readonly compressContext?: CompressContext;
  /**
   * Asks a person who is there now. For an approval, give an `Approval`: a boolean, `{ approve, tool?, arguments?, message?,
   * by? }` or `{ respond, by? }`, of the `decisions` that it takes where not all are; for a question, the answer. Undefined
   * suspends the run, and so does a decision that the approval does not take.
   */
  readonly onHumanInput?: (
    question: string,
    about: ToolCallPart,
    decisions: readonly ApprovalDecision[] | undefined,
  ) => unknown;
  readonly resume?: ResumeOptions;
  /** An `AsyncLocalStorage`, so that code inside tools finds the run and the call that it is in. */
  readonly ambient?: Ambient;
}

/** The options by which suspended runs go on. An agent that is a tool of another takes from that what it is not given itself. */
export interface ResumeOptions {
  /** Signs pending states with the first, verifies with any. Left out: a random key, so that only this process can resume. */
  readonly keys?: readonly SigningKey[];
  /** The store that remembers which states were used, so that each is used once: a `StateStore`. Default: one in this process; processes that share states need a shared one. */
  readonly store?: ResumeStore;
  /** Milliseconds, of a hundred years at most. Default one day. */
  readonly expiresIn?: number;
  /** The longest pending state that is given out or read, in characters of JSON. Default 4 Mi. */
  readonly maxBytes?: number;
}

/** The options of one run, beside its input. */
export interface AgentRunOptions {
  /** The plugins for this run only; inside the agent's own. */
  readonly plugins?: readonly Plugin[];
  readonly signal?: AbortSignal;
  readonly sessionId?: string;
  readonly userId?: string;
  /** The customer or organisation that the user belongs to: `runtime.tenantId`. */
  readonly tenantId?: string;
  /** The run of which this one is a part: spans nest, redactors add up. */
  readonly parent?: RuntimeContext;
  /** The call within which it happens. */
  readonly parentCall?: CallId;
  /**
   * The metadata of the request that this run answers: `{ carrier: request.headers }`, or an MCP request's `_meta`.
   * Tracing links the caller's trace, or joins it where `trusted` says so.
   */
  readonly incoming?: Incoming;
  readonly settings?: ModelSettings;
  /**
   * Typed values for plugins and tools, which read them by `runtime.get(key)`. They are there before any hook. A resumed run
   * is given them again, unless their keys are durable.
   */
  readonly values?: Values;
  /**
   * Called with a run that failed, or was aborted, after it had begun to work, before its error is thrown: what it has done so
   * far, and where it can go on. Store it as you store the pending state of a suspended run.
   */
  readonly onInterrupted?: (left: InterruptedRun) => Awaitable<void>;
}

/** A run that failed, or was aborted: what it has left. */
export interface InterruptedRun {
  /** The error that `run` rejects with. */
  readonly error: unknown;
  /** The history so far, with an answer to every tool call. */
  readonly messages: readonly Message[];
  readonly totals: RunTotals;
  /**
   * Goes on where the run was: `agent.run({ pending, decisions: [] })`. No tool that was begun is begun again: calls that
   * ended keep their results, one that was broken off counts as interrupted. Where calls still wait, it takes decisions on
   * them. Missing where it would be too large to be resumed.
   */
  readonly pending?: PendingState;
}

/** A question, a history that ends with it, or a suspended run with what was decided. */
export type AgentInput = string | Message | readonly Message[] | Resumption;
