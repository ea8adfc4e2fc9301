import type { FinishReason, Usage } from "@suite/core";
import { TestkitError } from "../errors.js";
import type { ModelAnswer, ScriptedToolCall } from "./answer.js";
import { type Cutting, cut } from "./cutting.js";

/** A text and the pieces in which it streams. */
export interface CutText {
  readonly whole: string;
  readonly pieces: readonly string[];
}

export interface ResolvedToolCall {
  readonly id: string;
  readonly name: string;
  readonly json: CutText;
}

/** An answer with everything filled in that a wire format needs. */
export interface ResolvedAnswer {
  readonly number: number;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly text: CutText;
  readonly reasoning?: CutText & { readonly signature: string };
  readonly toolCalls: readonly ResolvedToolCall[];
  readonly usage: Usage;
  readonly finishReason: FinishReason;
}

/** @param body the request's, of which the model's name and the length are taken. */
export function resolve(answer: ModelAnswer, body: unknown, number: number): ResolvedAnswer {
  const shared = Array.isArray(answer.chunks) ? undefined : answer.chunks;
  const text = answer.text ?? (Array.isArray(answer.chunks) ? answer.chunks.join("") : "");
  const toolCalls = (answer.toolCalls ?? []).map((call, i) => resolveCall(call, `call_${number}_${i + 1}`, shared));
  const reasoning = typeof answer.reasoning === "string" ? { content: answer.reasoning } : answer.reasoning;
  return {
    number,
    model: modelOf(body),
    created: Math.floor(Date.now() / 1000),
    text: { whole: text, pieces: cut(text, answer.chunks) },
    ...(reasoning && {
      reasoning: {
        whole: reasoning.content,
        pieces: cut(reasoning.content, shared),
        signature: reasoning.signature ?? `signature-${number}`,
      },
    }),
    toolCalls,
    usage:
      answer.usage ??
      estimate(body, text + (reasoning?.content ?? "") + toolCalls.map((call) => call.json.whole).join("")),
    finishReason: answer.finishReason ?? (toolCalls.length > 0 ? "tool_call" : "stop"),
  };
}

function resolveCall(call: ScriptedToolCall, id: string, shared: Cutting | undefined): ResolvedToolCall {
  const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  if (json === undefined) {
    throw new TestkitError("ERR_INVALID_ANSWER", `The arguments of the tool call "${call.name}" have no JSON form.`);
  }
  return { id: call.id ?? id, name: call.name, json: { whole: json, pieces: cut(json, call.chunks ?? shared) } };
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
