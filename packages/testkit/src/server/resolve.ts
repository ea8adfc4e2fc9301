import type { Usage } from "@suite/core";
import type { FinishReason } from "@suite/core/messages";
import { TestkitError } from "../errors.js";
import type { ModelAnswer, ScriptedPart, ScriptedToolCall } from "./answer.js";
import { type Cutting, cut } from "./cutting.js";

/** A string and its pieces in a stream. */
export interface CutText {
  readonly full: string;
  readonly pieces: readonly string[];
}

interface ResolvedText extends CutText {
  readonly type: "text";
}

interface ResolvedReasoning extends CutText {
  readonly type: "reasoning";
  readonly signature: string;
}

export interface ResolvedToolCall {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  readonly json: CutText;
}

/** A part of an answer with all values that a wire format needs. */
export type ResolvedPart = ResolvedText | ResolvedReasoning | ResolvedToolCall;

/** An answer with all values that a wire format needs. */
export interface ResolvedAnswer {
  readonly number: number;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** The parts in order. */
  readonly parts: readonly ResolvedPart[];
  /** True if a stream interleaves all parts. */
  readonly interleaved: boolean;
  readonly usage: Usage;
  readonly finishReason: FinishReason;
}

/** @param body the body of the request, from which the model's name and the length are read. */
export function resolve(answer: ModelAnswer, body: unknown, number: number): ResolvedAnswer {
  const shared = Array.isArray(answer.chunks) ? undefined : answer.chunks;
  const counts = { reasoning: 0, tool_call: 0 };
  const parts = scriptedParts(answer).map((part): ResolvedPart => {
    if (part.type === "text") return { type: "text", ...cutText(part.text, part.chunks ?? shared) };
    const count = ++counts[part.type];
    if (part.type === "tool_call") return resolveCall(part, `call_${number}_${count}`, shared);
    const signature = part.signature ?? `signature-${number}${count > 1 ? `-${count}` : ""}`;
    return { type: "reasoning", ...cutText(part.content, part.chunks ?? shared), signature };
  });
  return {
    number,
    model: modelOf(body),
    created: Math.floor(Date.now() / 1000),
    parts,
    interleaved: answer.interleaved === true,
    usage:
      answer.usage ?? estimate(body, parts.map((part) => (part.type === "tool_call" ? part.json : part).full).join("")),
    finishReason: answer.finishReason ?? (counts.tool_call > 0 ? "tool_call" : "stop"),
  };
}

/** Returns the parts of an answer in order. Returns one empty text part if nothing else is scripted. */
function scriptedParts(answer: ModelAnswer): readonly ScriptedPart[] {
  if (answer.content !== undefined) return answer.content;
  const { chunks, reasoning, toolCalls = [] } = answer;
  const text = answer.text ?? (Array.isArray(chunks) ? chunks.join("") : "");
  const thought = typeof reasoning === "string" ? { content: reasoning } : reasoning;
  return [
    ...(thought === undefined ? [] : [{ type: "reasoning" as const, ...thought }]),
    ...(text === "" && toolCalls.length > 0 ? [] : [{ type: "text" as const, text, ...(chunks && { chunks }) }]),
    ...toolCalls.map((call) => ({ type: "tool_call" as const, ...call })),
  ];
}

const cutText = (full: string, cutting: Cutting | undefined): CutText => ({ full, pieces: cut(full, cutting) });

function resolveCall(call: ScriptedToolCall, id: string, shared: Cutting | undefined): ResolvedToolCall {
  const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  if (json === undefined) {
    throw new TestkitError(
      "ERR_TESTKIT_INVALID_ANSWER",
      `The arguments of the tool call "${call.name}" cannot be serialized as JSON.`,
    );
  }
  return { type: "tool_call", id: call.id ?? id, name: call.name, json: cutText(json, call.chunks ?? shared) };
}

function modelOf(body: unknown): string {
  const model = typeof body === "object" && body !== null && "model" in body ? body.model : undefined;
  return typeof model === "string" ? model : "fake-model";
}

const tokens = (characters: number): number => Math.max(1, Math.ceil(characters / 4));

const estimate = (body: unknown, output: string): Usage => ({
  inputTokens: tokens(JSON.stringify(body)?.length ?? 0),
  outputTokens: tokens(output.length),
});
