import type {
  EmbeddingModelMiddleware,
  EmbeddingModel as GivenEmbeddingModel,
  LanguageModel,
  LanguageModelMiddleware,
  ModelMessage,
  ToolSet,
} from "ai";

type Embedding = Parameters<NonNullable<EmbeddingModelMiddleware["wrapEmbed"]>>[0];
type Wrapping = Parameters<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>[0];

/** The framework's types under the names of this package, for the installed major version. */
export type Model = Wrapping["model"];
export type CallOptions = Wrapping["params"];
export type GenerateResult = Awaited<ReturnType<Model["doGenerate"]>>;
export type StreamResult = Awaited<ReturnType<Model["doStream"]>>;
/** A part of a model's complete answer. */
export type Content = GenerateResult["content"][number];
/** A chunk of a model's streamed answer. */
export type StreamPart = StreamResult["stream"] extends ReadableStream<infer Part> ? Part : never;
export type FinishPart = Extract<StreamPart, { type: "finish" }>;
export type PromptMessage = CallOptions["prompt"][number];
export type ModelTool = NonNullable<CallOptions["tools"]>[number];
export type EmbeddingModel = Embedding["model"];
export type EmbedParams = Embedding["params"];
export type EmbedResult = Awaited<ReturnType<EmbeddingModel["doEmbed"]>>;
/** A tool as users write it. */
export type UserTool = ToolSet[string];

/** The settings of `generateText` and similar functions that this adapter reads or replaces. Others are passed on. */
export interface Settings {
  readonly model: LanguageModel;
  readonly tools?: ToolSet;
  readonly prompt?: string | readonly ModelMessage[];
  readonly messages?: readonly ModelMessage[];
  readonly abortSignal?: AbortSignal;
  readonly headers?: CallOptions["headers"];
  readonly output?: unknown;
  readonly experimental_output?: unknown;
  readonly prepareStep?: PrepareStep;
  readonly experimental_prepareStep?: PrepareStep;
  readonly activeTools?: readonly string[];
  readonly experimental_toolCallers?: Readonly<Record<string, unknown>>;
  readonly toolApproval?: unknown;
  readonly experimental_toolApprovalSecret?: string | Uint8Array;
  readonly experimental_transform?: unknown;
  readonly experimental_telemetry?: { readonly isEnabled?: boolean; readonly functionId?: string };
  readonly telemetry?: { readonly isEnabled?: boolean; readonly functionId?: string };
  readonly [setting: string]: unknown;
}

/** The settings of `embed` and `embedMany` that this adapter reads or replaces. */
export interface EmbedSettings extends Pick<Settings, "abortSignal" | "experimental_telemetry" | "telemetry"> {
  readonly model: GivenEmbeddingModel;
  readonly [setting: string]: unknown;
}

/** The fields of the result of `prepareStep` that are used here. */
export interface PreparedStep {
  readonly model?: LanguageModel;
  readonly messages?: readonly ModelMessage[];
  readonly activeTools?: readonly string[];
  readonly [setting: string]: unknown;
}

type PrepareStep = (options: {
  readonly messages: readonly ModelMessage[];
  readonly [field: string]: unknown;
}) => PreparedStep | undefined | PromiseLike<PreparedStep | undefined>;
