import type { Awaitable, CallId, Message, Plugin, Reply, RuntimeContext, Values } from "@suite/core";
import type { Ambient } from "@suite/core/adapter";
import type { ApprovalDecision, ModelSettings, ToolChoice } from "@suite/core/contract";
import type { ToolCallPart, ToolCallResponsePart } from "@suite/core/messages";
import type { Incoming } from "@suite/core/propagation";
import type { SigningKey } from "@suite/kit/digest";
import type { Model } from "./models/model.js";
import type { Resumption } from "./pending/decisions.js";
import type { PendingState } from "./pending/state.js";
import type { ResumeStore } from "./pending/store.js";
import type { InputSchema } from "./tools/schema.js";
import type { AgentTool } from "./tools/tool.js";
import type { RunTotals } from "./totals/totals.js";

/** Shortens a history that has become too long. Its model calls pass through the `model` layers. */
export type CompressContext = (
  messages: readonly Message[],
  help: {
    /** Returns the system prompt of this round, so that its tokens can be counted. */
    systemPrompt(): Awaitable<string>;
    /** Makes one model call with these messages. */
    ask(messages: readonly Message[]): Promise<Reply>;
    readonly runtime: RuntimeContext;
  },
) => Awaitable<readonly Message[]>;

/** A round whose tool calls have been answered. `stopWhen` receives it. */
export interface AnsweredRound {
  /** The number of the round, starting at 1. */
  readonly round: number;
  /** The reply of the model with its tool calls. */
  readonly message: Message;
  /** The responses to these calls, in the order of the calls. */
  readonly responses: readonly ToolCallResponsePart[];
  /** The history, including the reply and the responses. */
  readonly messages: readonly Message[];
  readonly runtime: RuntimeContext;
}

/** The options of `createAgent`. */
export interface AgentOptions<S extends InputSchema | undefined = InputSchema | undefined> {
  /** The agent's name on spans and in records. */
  readonly name: string;
  /** A description of the agent, for spans and for agents that use it as a tool. */
  readonly description?: string;
  /** A stable id of the agent. */
  readonly id?: string;
  /** The agent's version, for spans and records. */
  readonly version?: string;
  /**
   * Marks the agent as a workflow whose tools are agents. It is traced as `invoke_workflow`. For a workflow that is a
   * function, use `workflow`.
   */
  readonly operation?: "workflow";
  /** The rounds whose answer is a plan: `first` or `every`. Each is traced as a `plan` span around the model call. */
  readonly plans?: "first" | "every";
  /** The client of the model. */
  readonly model: Model;
  /** The tools that the model may call. */
  readonly tools?: readonly AgentTool[];
  /** The system prompt before plugins add to it. A function is called once per model call. */
  readonly systemPrompt?: string | ((runtime: RuntimeContext) => Awaitable<string>);
  /** The plugins. The first is the outermost. */
  readonly plugins?: readonly Plugin[];
  /** Settings for each model call. Unknown ones are passed to the provider unchanged. */
  readonly settings?: ModelSettings;
  /** The tools that the model may or must call. Default: the model decides. */
  readonly toolChoice?: ToolChoice;
  /**
   * The schema of the final answer, which is JSON and is returned as `output`. An answer that a layer returns instead
   * of the model need not match it.
   */
  readonly outputSchema?: S;
  /**
   * The maximum number of rounds of a run. Each round calls the model. In the last round the model may not call tools.
   * Default 16.
   */
  readonly maxRounds?: number;
  /**
   * Ends the run after a round with tool calls if it returns true. The model is not called again. The text next to
   * these calls is the answer, and `finishReason` is `stop_condition`. An error that it throws ends the run.
   *
   * @example
   * ```ts
   * const handsIn = ({ message }) => toolCallsOf(message).some(({ name }) => name === "hand_in");
   * createAgent({ name, model, tools, stopWhen: handsIn });
   * ```
   */
  readonly stopWhen?: (round: AnsweredRound) => Awaitable<boolean>;
  /**
   * The maximum number of tool calls of one answer that run at the same time. The others start in order as running
   * calls end. Default: all.
   */
  readonly maxParallelTools?: number;
  /**
   * The time limit in milliseconds for each tool without a `timeout`. It does not apply to sub-agents. Default: no
   * limit.
   */
  readonly toolTimeout?: number;
  /** Replaces the history before a round if it has become too long. */
  readonly compressContext?: CompressContext;
  /**
   * Asks a person who is present. For an approval, return an `Approval`: a boolean,
   * `{ approve, tool?, arguments?, message?, by? }` or `{ respond, by? }`. If `decisions` is set, only those are
   * allowed. For a question, return the answer. `undefined` suspends the run, and so does a decision that the approval
   * does not allow.
   */
  readonly onHumanInput?: (
    question: string,
    about: ToolCallPart,
    decisions: readonly ApprovalDecision[] | undefined,
  ) => unknown;
  /** Keys, store and limits of states that wait for a decision. */
  readonly resume?: ResumeOptions;
  /** An `AsyncLocalStorage` that provides the current run and call to code inside tools. */
  readonly ambient?: Ambient;
}

/**
 * The options for resuming suspended runs. An agent that is a tool of another agent inherits the options that it does
 * not set.
 */
export interface ResumeOptions {
  /**
   * The signing keys. The first signs pending states, and any of them verifies. Default: a random key, so that only
   * this process can resume.
   */
  readonly keys?: readonly SigningKey[];
  /**
   * The `StateStore` that remembers used states, so that each is used only once. Processes that share states need a
   * shared store. Default: a store in this process.
   */
  readonly store?: ResumeStore;
  /** The time in milliseconds after which a pending state expires, at most a hundred years. Default one day. */
  readonly expiresIn?: number;
  /** The maximum length of a pending state that is created or read, in characters of JSON. Default 4 Mi. */
  readonly maxBytes?: number;
}

/** The options of one run. */
export interface AgentRunOptions {
  /** Plugins for this run only. They are inside the agent's plugins. */
  readonly plugins?: readonly Plugin[];
  /** Cancels the run when it aborts. */
  readonly signal?: AbortSignal;
  /** The conversation that the run belongs to. */
  readonly sessionId?: string;
  /** The person that the run acts for. */
  readonly userId?: string;
  /** The customer or organisation of the user: `runtime.tenantId`. */
  readonly tenantId?: string;
  /** The parent run: spans nest in it, and its redactors apply too. */
  readonly parent?: RuntimeContext;
  /** The call of the parent run that contains this run. */
  readonly parentCall?: CallId;
  /**
   * The metadata of the request that this run answers: `{ carrier: request.headers }`, or the `_meta` of an MCP
   * request. Tracing links the caller's trace, or joins it if `trusted` is set.
   */
  readonly incoming?: Incoming;
  /** Settings for each model call of this run, merged over those of the agent. */
  readonly settings?: ModelSettings;
  /**
   * Typed values for plugins and tools, which read them with `runtime.get(key)`. They are set before any hook runs.
   * Pass them again when a run is resumed, unless their keys are durable.
   */
  readonly values?: Values;
  /**
   * Called when a run that has begun to work fails or is aborted, before its error is thrown. Receives the work done so
   * far and, if possible, a state to continue the run. Store it like the pending state of a suspended run.
   */
  readonly onInterrupted?: (interrupted: InterruptedRun) => Awaitable<void>;
}

/** The state of a run that failed or was aborted. */
export interface InterruptedRun {
  /** The error that `run` throws. */
  readonly error: unknown;
  /** The history so far, with an answer to every tool call. */
  readonly messages: readonly Message[];
  readonly totals: RunTotals;
  /**
   * Continues the run at this point: `agent.run({ pending, decisions: [] })`. No tool that was started is started
   * again: finished calls keep their results, and a call that was cut off counts as interrupted. If calls are still
   * waiting, pass decisions for them. Missing if it would be too large to be resumed.
   */
  readonly pending?: PendingState;
}

/** A question, a history that ends with a question, or a suspended run with decisions. */
export type AgentInput = string | Message | readonly Message[] | Resumption;
