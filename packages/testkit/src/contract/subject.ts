import type { Awaitable, HookName, Plugin, RunIdentity } from "@suite/core";
import type { ModelAnswer } from "../server/answer.js";
import type { RecordedCall } from "./recording.js";

/** An ability of a subject; scenarios that need more are left out for it, and said to be. */
export type Capability =
  /** Calls a model, and gives its text to the user. */
  | "model"
  /** Gives the user the text as it comes. */
  | "stream"
  /** Shows the user the parts of an answer (texts, reasoning, calls) as they are: `Observed.parts`. */
  | "parts"
  /** Tells how many tokens a model call took, and why it ended. */
  | "usage"
  /** Runs the tools that the model asks for, and gives it their results, in rounds. */
  | "tools"
  /** Sends the model the images and files that a tool gives as content parts (`toolContent`). */
  | "tool-files"
  /** The error that a tool throws reaches the layers as the same object. */
  | "error-identity"
  /** The error of a model call that the provider refused has the provider's code, or its type, and the HTTP status. */
  | "provider-errors"
  /** A tool layer can answer that the call failed: the framework, and where it can be told the model, takes it for a failure. */
  | "tool-failures"
  /** A tool layer can end the run with a reply. */
  | "reply-from-tools"
  /** Requests of tools know all calls of the answer and the conversation. */
  | "tool-context"
  | "abort"
  /** An abort ends a run at once, also while a tool runs that does not hear of it. */
  | "abandon-tools"
  | "system-prompt"
  | "structured-output"
  /** Waits for a person before it runs a tool, and goes on after. */
  | "approval"
  /** The person may change the arguments. */
  | "approval-edit"
  /** Tools that run elsewhere: the run is suspended, and goes on with their results. */
  | "external-tools"
  /** An agent as a tool of another. */
  | "sub-agents"
  /** Serves `runtime.ask`. */
  | "ask"
  /** Takes the ids of a run: `Attempt.run`. */
  | "ids"
  /** Asks a model for embeddings: `Subject.embed`. */
  | "embeddings"
  /** Searches documents: `Subject.search`. */
  | "retrieval"
  /** Lists `memory` among its hooks: what plugins and tools do by `runtime.memory` goes through the layers. */
  | "memory";

/** A tool, as plain as can be; the subject makes one of its framework's of it. */
export interface ContractTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The function of the tool; absent where it runs elsewhere, or is an agent. */
  execute?(input: unknown): Awaitable<unknown>;
  readonly needsApproval?: boolean;
  /** The tool is an agent with these tools, the same model and the same plugins; its input is `{ prompt: string }`. */
  readonly agent?: { readonly name: string; readonly tools: readonly ContractTool[] };
}

/** The acts of a user of the framework: one run. */
export interface Attempt {
  /** First outermost. */
  readonly plugins: readonly Plugin[];
  /** The model's answers, one per call of it, also after `resume` and in sub-agents. */
  readonly answers: readonly ModelAnswer[];
  readonly input: string;
  readonly systemPrompt?: string;
  readonly tools: readonly ContractTool[];
  readonly stream: boolean;
  readonly signal?: AbortSignal;
  /** JSON Schema of the final answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Give it to `withPlugins` as the option `run`. */
  readonly run?: () => RunIdentity | undefined;
  /** Call it with each piece of streamed text as the user sees it. Reading stops where it returns false. */
  onPiece?(piece: string): boolean;
}

/** The acts of a user of embeddings: one request for these texts, which the fake model server answers. */
export interface EmbedAttempt {
  /** First outermost. */
  readonly plugins: readonly Plugin[];
  readonly texts: readonly string[];
}

/** A document, as plain as can be; the subject makes one of its framework's of it. */
export interface ContractDocument {
  readonly id?: string;
  readonly content: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The acts of a user who searches: one search. */
export interface SearchAttempt {
  /** First outermost. */
  readonly plugins: readonly Plugin[];
  readonly query: string;
  /** Searches in place of a store; the subject makes what its framework searches with of it. */
  find(query: string): Awaitable<readonly ContractDocument[]>;
}

/** A call that a suspended run waits for. */
export interface PendingCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly reason: "approval" | "external";
}

export type Decision =
  | { readonly id: string; readonly type: "approve" }
  | { readonly id: string; readonly type: "edit"; readonly arguments: unknown }
  | { readonly id: string; readonly type: "reject"; readonly message: string }
  | { readonly id: string; readonly type: "result"; readonly response: unknown };

/** A piece of a part as the user saw it: of a call, `text` is a piece of the JSON of its arguments, or nothing. */
export interface SeenPiece {
  /** Tells the parts of all answers of a run apart. */
  readonly id: string;
  readonly type: "text" | "reasoning" | "tool_call";
  readonly text: string;
}

/** The things that the user saw, and that the model was sent. The attempt is over then: everything has been closed. */
export interface Observed {
  /** The pieces of text that streamed, in order; empty where the answer was not streamed. */
  readonly pieces: readonly string[];
  readonly text?: string;
  /** The pieces of the parts of all answers as the user saw them, in the order in which they came. */
  readonly parts?: readonly SeenPiece[];
  /** The reason why the answer ended, in the framework's own word; compared with the bare framework's where it is given. */
  readonly finishReason?: string | undefined;
  /** The value of a structured answer. */
  readonly output?: unknown;
  /** The ids of the tool calls whose results the framework takes for failures, in order. */
  readonly failedCalls?: readonly string[];
  /** The vectors that the user was given, in order, where embeddings were asked for. */
  readonly embeddings?: readonly (readonly number[])[];
  /** The documents that the user was given, in order, where some were searched. */
  readonly documents?: readonly ContractDocument[];
  /** The error that the user caught. */
  readonly error?: unknown;
  /** The pending calls, where the run is suspended. */
  readonly pending?: readonly PendingCall[];
  /** The requests that the model was sent, as JSON text, one per request since the run began or went on. */
  readonly prompts: readonly string[];
  /** Goes on with a suspended run; the pending state has been through JSON in between. */
  resume?(decisions: readonly Decision[]): Promise<Observed>;
}

/** A framework with its adapter, or @suite/agent, as the contract tests see it. */
export interface Subject {
  readonly offers: ReadonlySet<Capability>;
  /** The reasons why it does not offer the others, after "since". */
  readonly lacks?: Readonly<Partial<Record<Capability, string>>>;
  /** The hooks that it serves: what it does not list is not expected, and must not run. */
  readonly hooks: ReadonlySet<HookName>;
  run(attempt: Attempt): Promise<Observed>;
  /** Makes one request for embeddings: of a subject that offers `embeddings`. */
  embed?(attempt: EmbedAttempt): Promise<Observed>;
  /** Makes one search: of a subject that offers `retrieval`. */
  search?(attempt: SearchAttempt): Promise<Observed>;
  /** More plugins for every attempt, outermost but one: tracing or audit, say, which `inspect` then looks at. */
  plugins?(): readonly Plugin[];
  /** Looks at what else there is to see of an attempt (spans, records); throws where it is wrong. */
  inspect?(report: Report): Awaitable<void>;
}

/** A report of what happened since the attempt began, or went on. */
export interface Report {
  readonly scenario: string;
  /** The number of the leg: 0, and one more after each `resume`. */
  readonly leg: number;
  readonly calls: readonly RecordedCall[];
  readonly observed: Observed;
  /** Texts that must be nowhere. */
  readonly secrets: readonly string[];
}
