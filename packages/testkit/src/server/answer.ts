import type { Usage } from "@suite/core";
import type { FinishReason } from "@suite/core/messages";
import type { Cutting } from "./cutting.js";
import type { Fault } from "./fault.js";

/** The fake model's answer to one request, in any wire format. */
export interface ModelAnswer {
  readonly text?: string;
  readonly reasoning?: string | ScriptedReasoning;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /**
   * The parts in order, instead of `reasoning`, `text` and `toolCalls`. Use it for several text parts, or text after a
   * call.
   */
  readonly content?: readonly ScriptedPart[];
  /** Streams the pieces of all parts in turn, like a provider that interleaves parts. */
  readonly interleaved?: boolean;
  /** Estimated at four characters a token if it is left out. */
  readonly usage?: Usage;
  /** The neutral finish reason (`stop`, `length`, `tool_call`, `content_filter`). Any other value is sent unchanged. */
  readonly finishReason?: FinishReason;
  /**
   * Splits the streamed text. Default: one piece. An array splits the text alone, and defines it if `text` is left out.
   * Any other value also applies to reasoning and tool arguments.
   */
  readonly chunks?: Cutting;
  readonly fault?: Fault;
}

/** One part of an answer, and how a stream splits it. Default: as in the answer, unless that is an array. */
export type ScriptedPart =
  | { readonly type: "text"; readonly text: string; readonly chunks?: Cutting }
  | ({ readonly type: "reasoning"; readonly chunks?: Cutting } & ScriptedReasoning)
  | ({ readonly type: "tool_call" } & ScriptedToolCall);

/** Reasoning in a scripted answer. */
export interface ScriptedReasoning {
  readonly content: string;
  /**
   * The signature: `signature` in the messages format, and `encrypted_content` in the responses format if the request
   * includes it.
   */
  readonly signature?: string;
}

/** A tool call in a scripted answer. */
export interface ScriptedToolCall {
  readonly id?: string;
  readonly name: string;
  /** A string is sent unchanged, even if it is malformed JSON. Any other value is sent as JSON. */
  readonly arguments: unknown;
  /** Splits the JSON of the arguments in a stream. Default: that of the answer, unless it is an array. */
  readonly chunks?: Cutting;
}
