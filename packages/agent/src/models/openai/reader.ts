import type { Delta } from "@suite/core";
import type { FinishDelta, FinishReason } from "@suite/core/messages";
import { chatFinishReason, chatUsage, isJson, type Json, jsonOf, objectsOf, stringOf } from "@suite/wire";
import type OpenAI from "openai";
import { contentOf, thinkingItem } from "./content.js";
import { detailPart, textOfDetail } from "./reasoning-details.js";
import { type CallPiece, ToolCallReader } from "./tool-calls.js";

/** The common fields of a stream's chunk and a whole completion. Compatible servers may leave out any of them. */
export interface Completion {
  readonly id?: string;
  readonly model?: string;
  readonly choices?: readonly Choice[];
  readonly usage?: OpenAI.CompletionUsage | null | undefined;
}

interface Choice {
  readonly index?: number;
  readonly finish_reason?: string | null;
  readonly delta?: Piece;
  readonly message?: Piece;
}

/**
 * A piece of the answer, or the answer. Compatible servers put thoughts in `reasoning_content`, `reasoning` or
 * `reasoning_details`.
 */
interface Piece {
  readonly content?: unknown;
  readonly refusal?: string | null;
  readonly audio?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
  readonly tool_calls?: readonly CallPiece[] | null;
  /** The single call of servers that do not know `tool_calls`. */
  readonly function_call?: CallPiece["function"];
  /** Contains Gemini's thought signature of the text. */
  readonly extra_content?: unknown;
}

/** Reads an answer, streamed or whole. Only the first of several choices is read. */
export class CompletionReader {
  readonly #signer: string;
  readonly #calls: ToolCallReader;
  #id: string | undefined;
  #model: string | undefined;
  #usage: FinishDelta["usage"];
  #reason: FinishReason | undefined;
  #refused = false;
  #hasContent = false;
  #endsWithUsage = false;
  /** The `at` of reasoning and text parts that may get more pieces. */
  readonly #openThoughts = new Set<string>();
  readonly #openTexts = new Set<string>();
  /** The number of times that reasoning has ended. Each later thought is a new part. */
  #thoughts = 0;

  /** @param signer the `signer` of the model client. It marks the parts that are sent back only to its server. */
  constructor(signer: string) {
    this.#signer = signer;
    this.#calls = new ToolCallReader(signer);
  }

  /**
   * True if the provider has ended the answer: by a finish reason, or by the usage after the last choice, which OpenAI
   * sends at the end. Snowflake sends no finish reason.
   */
  get finished(): boolean {
    return this.#reason !== undefined || (this.#hasContent && this.#endsWithUsage);
  }

  read(completion: Completion): Delta[] {
    this.#id ??= completion.id || undefined;
    this.#model ??= completion.model || undefined;
    const { choices, usage } = completion;
    if (usage) this.#usage = chatUsage(usage);
    this.#endsWithUsage = isJson(usage) && choices?.length === 0;
    const choice = choices?.find(({ index = 0 }) => index === 0);
    if (choice === undefined) return [];
    if (choice.finish_reason) this.#reason = chatFinishReason(choice.finish_reason);
    const deltas = this.#deltas(choice.delta ?? choice.message ?? {});
    this.#hasContent ||= deltas.length > 0;
    return deltas;
  }

  /** Ends the answer and its open parts. Text may continue after a call, since clients join it. */
  end(): Delta[] {
    return [...endsOf(this.#openThoughts), ...endsOf(this.#openTexts), this.finish()];
  }

  /**
   * Returns the finish. A refusal is text that a filter returned instead of the answer. Providers report it as `stop`.
   */
  finish(): FinishDelta {
    const reason = this.#refused && this.#reason === "stop" ? "content_filter" : this.#reason;
    return {
      type: "finish",
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(reason !== undefined && { finishReason: reason }),
      response: {
        ...(this.#id !== undefined && { id: this.#id }),
        ...(this.#model !== undefined && { model: this.#model }),
      },
    };
  }

  #deltas(piece: Piece): Delta[] {
    const deltas: Delta[] = [];
    this.#reasoning(piece, deltas);
    for (const { type, content } of contentOf(piece.content)) {
      if (type === "text") this.#text("t0", content, deltas);
      else this.#thought(content, deltas, thinkingItem(this.#signer));
    }
    this.#text("t2", stringOf(jsonOf(piece.audio).transcript), deltas);
    if (piece.refusal) {
      this.#refused = true;
      this.#text("t1", piece.refusal, deltas);
    }
    this.#signText(piece.extra_content, deltas);
    const calls = piece.tool_calls?.length ? piece.tool_calls : oldCallOf(piece);
    if (calls.length > 0) this.#endThoughts(deltas);
    for (const [position, call] of calls.entries()) this.#calls.read(call, position, this.#id, deltas);
    return deltas;
  }

  /** Reads reasoning. Details repeat the other two fields, which are read only if the details contain no text. */
  #reasoning({ reasoning_details, reasoning, reasoning_content = reasoning }: Piece, deltas: Delta[]): void {
    const details = objectsOf(reasoning_details);
    if (!details.some((detail) => textOfDetail(detail) !== "")) this.#thought(stringOf(reasoning_content), deltas);
    for (const [position, detail] of details.entries()) {
      const part = detailPart(detail, this.#signer);
      if (part.type !== "reasoning" || (part.content === "" && part.signature === undefined)) continue;
      const number = typeof detail.index === "number" ? detail.index : position;
      const at = `d${this.#thoughts}.${number}`;
      this.#openThoughts.add(at);
      deltas.push({ type: "part", at, part });
    }
  }

  /** @param native the native form of the thought. Its first piece contains it. */
  #thought(content: string, deltas: Delta[], native?: object): void {
    if (content === "") return;
    const at = `r${this.#thoughts}`;
    const isFirst = !this.#openThoughts.has(at);
    this.#openThoughts.add(at);
    const part = { type: "reasoning", content, ...(isFirst && native !== undefined && { native }) } as const;
    deltas.push({ type: "part", at, part });
  }

  #text(at: string, content: string, deltas: Delta[]): void {
    if (content === "") return;
    this.#endThoughts(deltas);
    this.#openTexts.add(at);
    deltas.push({ type: "part", at, part: { type: "text", content } });
  }

  /** Adds the signature of text to its part. Gemini also marks thoughts in this field, which are not signatures. */
  #signText(extra: unknown, deltas: Delta[]): void {
    if (!isJson(extra) || jsonOf(extra.google).thought === true) return;
    const native: Json = { from: this.#signer, extra_content: extra };
    this.#openTexts.add("t0");
    deltas.push({ type: "part", at: "t0", part: { type: "text", content: "", native } });
  }

  /** Ends reasoning when the answer begins. Later reasoning is another part. */
  #endThoughts(deltas: Delta[]): void {
    if (this.#openThoughts.size === 0) return;
    deltas.push(...endsOf(this.#openThoughts));
    this.#openThoughts.clear();
    this.#thoughts++;
  }
}

const endsOf = (ids: Iterable<string>): Delta[] => Array.from(ids, (at) => ({ type: "part_end", at }));

const oldCallOf = ({ function_call }: Piece): readonly CallPiece[] =>
  isJson(function_call) ? [{ index: 0, function: function_call }] : [];
