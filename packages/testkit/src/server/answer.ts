import type { FinishReason, Usage } from "@suite/core";
import type { Cutting } from "./cutting.js";
import type { Fault } from "./fault.js";

/** The fake model's answer to one request, whatever the wire format it is asked in. */
export interface ModelAnswer {
  readonly text?: string;
  readonly reasoning?: string | ScriptedReasoning;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** The parts in their order, instead of `reasoning`, `text` and `toolCalls`: several texts, say, or a text behind a call. */
  readonly content?: readonly ScriptedPart[];
  /** Streams the pieces of all parts in turn, as a provider does that has several parts open at once. */
  readonly interleaved?: boolean;
  /** Estimated at four characters a token where it is left out. */
  readonly usage?: Usage;
  /**
   * The finish reason in the neutral words (`stop`, `length`, `tool_call`, `content_filter`); any other is passed on as
   * it is.
   */
  readonly finishReason?: FinishReason;
  /**
   * The way in which a stream cuts the text; the default is one piece. An array cuts the text alone (and gives it,
   * where `text` is left out); any other cutting also holds for reasoning and for tool arguments.
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
  /** A string is sent as it is, malformed JSON included; anything else is sent as JSON. */
  readonly arguments: unknown;
  /** The way in which a stream cuts the JSON of the arguments; the default is the answer's, unless that is an array. */
  readonly chunks?: Cutting;
}
