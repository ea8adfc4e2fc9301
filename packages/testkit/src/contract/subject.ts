import type { Awaitable, HookName, Plugin } from "@suite/core";
import type { RunIdentity } from "@suite/core/adapter";
import type { ModelAnswer } from "../server/answer.js";
import type { RecordedCall } from "./recording.js";

/** A capability of a subject. Scenarios that need a missing one are skipped and reported as skipped. */
export type Capability =
  /** Calls a model, and shows its text to the user. */
  | "model"
  /** Shows the text to the user while it streams. */
  | "stream"
  /** Shows the user the parts of an answer (text, reasoning, calls) unchanged: `Observed.parts`. */
  | "parts"
  /** Reports the tokens of a model call and its finish reason. */
  | "usage"
  /** Runs the tools that the model calls and sends their results to the model, in rounds. */
  | "tools"
  /** Sends the model the images and files that a tool returns as content parts (`toolContent`). */
  | "tool-files"
  /** The error that a tool throws reaches the layers as the same object. */
  | "error-identity"
  /** The error of a refused model call contains the provider's code or type, and the HTTP status. */
  | "provider-errors"
  /**
   * A tool layer can answer that the call failed. The framework treats it as a failure, and so does the model if it can
   * be informed.
   */
  | "tool-failures"
  /** A tool layer can end the run with a reply. */
  | "reply-from-tools"
  /** Requests of tools contain all calls of the answer and the conversation. */
  | "tool-context"
  | "abort"
  /** An abort ends a run at once, even while a tool runs that ignores it. */
  | "abandon-tools"
  /** The user of a streamed run gets the answer as an `agent` layer changes it or passes it on after its end. */
  | "agent-streams"
  | "system-prompt"
  | "structured-output"
  /** Waits for a person before it runs a tool, and continues afterwards. */
  | "approval"
  /** The person may change the arguments. */
  | "approval-edit"
  /** Tools that run elsewhere: the run is suspended, and resumes with their results. */
  | "external-tools"
  /** An agent as a tool of another. */
  | "sub-agents"
  /** Serves `runtime.ask`. */
  | "ask"
  /** Accepts the ids of a run: `Attempt.run`. */
  | "ids"
  /** Asks a model for embeddings: `Subject.embed`. */
  | "embeddings"
  /** Searches documents: `Subject.search`. */
  | "retrieval"
  /** Lists `memory` among its hooks: calls of `runtime.memory` by plugins and tools pass through the layers. */
  | "memory";

/** A minimal tool. The subject converts it to a tool of its framework. */
export interface ContractTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The function of the tool. Absent if it runs elsewhere or is an agent. */
  execute?(input: unknown): Awaitable<unknown>;
  readonly needsApproval?: boolean;
  /** The tool is an agent with these tools, the same model and the same plugins; its input is `{ prompt: string }`. */
  readonly agent?: { readonly name: string; readonly tools: readonly ContractTool[] };
}

/** The input of one run of a user. */
export interface Attempt {
  /** First outermost. */
  readonly plugins: readonly Plugin[];
  /** The model's answers, one per call, including calls after `resume` and in sub-agents. */
  readonly answers: readonly ModelAnswer[];
  readonly input: string;
  readonly systemPrompt?: string;
  readonly tools: readonly ContractTool[];
  readonly stream: boolean;
  readonly signal?: AbortSignal;
  /** JSON Schema of the final answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Pass it to `withPlugins` as the option `run`. */
  readonly run?: () => RunIdentity | undefined;
  /** Call it with each piece of streamed text as the user sees it. Stop reading if it returns false. */
  onPiece?(piece: string): boolean;
}

/** The input of one request for the embeddings of strings, which the fake model server answers. */
export interface EmbedAttempt {
  /** First outermost. */
  readonly plugins: readonly Plugin[];
  readonly texts: readonly string[];
}

/** A minimal document. The subject converts it to a document of its framework. */
export interface ContractDocument {
  readonly id?: string;
  readonly content: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The input of one search of a user. */
export interface SearchAttempt {
  /** First outermost. */
  readonly plugins: readonly Plugin[];
  readonly query: string;
  /** Searches in place of a store. The subject wraps it in a retriever of its framework. */
  find(query: string): Awaitable<readonly ContractDocument[]>;
}

/** A call that a suspended run waits for. */
export interface PendingCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason: "approval" | "external";
}

/** A decision of a person on a pending call. */
export type Decision =
  | { readonly id: string; readonly type: "approve" }
  | { readonly id: string; readonly type: "edit"; readonly arguments: unknown }
  | { readonly id: string; readonly type: "reject"; readonly message: string }
  | { readonly id: string; readonly type: "result"; readonly response: unknown };

/** A piece of a part as the user saw it. In a call, `text` is a piece of the JSON of its arguments, or empty. */
export interface SeenPiece {
  /** Identifies the part among all answers of a run. */
  readonly id: string;
  readonly type: "text" | "reasoning" | "tool_call";
  readonly text: string;
}

/** Everything that the user saw and that the model received. The attempt is then over, and all resources are closed. */
export interface Observed {
  /** The pieces of text that streamed, in order. Empty if the answer was not streamed. */
  readonly pieces: readonly string[];
  readonly text?: string;
  /** The pieces of the parts of all answers as the user saw them, in order of arrival. */
  readonly parts?: readonly SeenPiece[];
  /**
   * The finish reason of the answer, as the framework names it. If present, it is compared with that of the bare
   * framework.
   */
  readonly finishReason?: string | undefined;
  /** The value of a structured answer. */
  readonly output?: unknown;
  /** The ids of the tool calls whose results the framework treats as failures, in order. */
  readonly failedCalls?: readonly string[];
  /** The vectors that the user received, in order, if embeddings were requested. */
  readonly embeddings?: readonly (readonly number[])[];
  /** The documents that the user received, in order, if a search was made. */
  readonly documents?: readonly ContractDocument[];
  /** The error that the user caught. */
  readonly error?: unknown;
  /** The pending calls, if the run is suspended. */
  readonly pending?: readonly PendingCall[];
  /** The requests that were sent to the model, as JSON, one per request since the run began or resumed. */
  readonly prompts: readonly string[];
  /** Resumes a suspended run. The pending state was serialized to JSON in between. */
  resume?(decisions: readonly Decision[]): Promise<Observed>;
}

/** A framework with its adapter, or @suite/agent, as the contract tests see it. */
export interface Subject {
  readonly offers: ReadonlySet<Capability>;
  /** The reasons why it lacks the other capabilities, phrased to follow "since". */
  readonly lacks?: Readonly<Partial<Record<Capability, string>>>;
  /** The hooks that it serves. Other hooks are not expected, and must not run. */
  readonly hooks: ReadonlySet<HookName>;
  run(attempt: Attempt): Promise<Observed>;
  /** Makes one request for embeddings. Needed for the capability `embeddings`. */
  embed?(attempt: EmbedAttempt): Promise<Observed>;
  /** Makes one search. Needed for the capability `retrieval`. */
  search?(attempt: SearchAttempt): Promise<Observed>;
  /**
   * More plugins for every attempt, such as tracing or audit, second from the outside. `inspect` then checks their
   * output.
   */
  plugins?(): readonly Plugin[];
  /** Checks further output of an attempt (spans, records). Throws if it is wrong. */
  inspect?(report: Report): Awaitable<void>;
}

/** A report of everything that happened since the attempt began or resumed. */
export interface Report {
  readonly scenario: string;
  /** The number of the leg: 0, and one more after each `resume`. */
  readonly leg: number;
  readonly calls: readonly RecordedCall[];
  readonly observed: Observed;
  /** Strings that must not appear anywhere. */
  readonly secrets: readonly string[];
}
