import type { FinishReason, Usage } from "@suite/core";
import type { Cutting } from "./cutting.js";
import type { Fault } from "./fault.js";

/** The fake model's answer to one request, whatever the wire format it is asked in. */
export interface ModelAnswer {
  readonly text?: string;
  readonly reasoning?: string | ScriptedReasoning;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /**
   * The parts in order, instead of `reasoning`, `text` and `toolCalls`. Use it for several text parts, or text after a
   * call.
   */
  readonly content?: readonly ScriptedPart[];
  /** Streams the pieces of all parts in turn, as a provider does that has several parts open at once. */
  readonly interleaved?: boolean;
  /** Estimated at four characters a token if it is left out. */
  readonly usage?: Usage;
  /**
   * The finish reason in the neutral words (`stop`, `length`, `tool_call`, `content_filter`); any other is passed on as
   * it is.
   */
  readonly finishReason?: FinishReason;
  /**
   * Splits the streamed text. Default: one piece. An array splits the text alone, and defines it if `text` is left out.
   * Any other value also applies to reasoning and tool arguments.
   */
  readonly chunks?: Cutting;
  readonly fault?: Fault;
}

/** One part of an answer, and how a stream cuts it; the default is the answer's cutting, unless that is an array. */
export type ScriptedPart =
  | { readonly type: "text"; readonly text: string; readonly chunks?: Cutting }
  | ({ readonly type: "reasoning"; readonly chunks?: Cutting } & ScriptedReasoning)
  | ({ readonly type: "tool_call" } & ScriptedToolCall);

export interface ScriptedReasoning {
  readonly content: string;
  /**
   * The signature, given in the messages format as `signature`, in the responses format as `encrypted_content` where
   * that is asked for.
   */
  readonly signature?: string;
}

export interface ScriptedToolCall {
  readonly id?: string;
  readonly name: string;
  /** A string is sent unchanged, even if it is malformed JSON. Any other value is sent as JSON. */
  readonly arguments: unknown;
  /** Splits the JSON of the arguments in a stream. Default: that of the answer, unless it is an array. */
  readonly chunks?: Cutting;
}
