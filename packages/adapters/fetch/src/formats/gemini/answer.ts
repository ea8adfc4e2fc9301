import type { FinishDelta, FinishReason, ModelRequest, Usage } from "@suite/core";
import { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "../../json.js";
import { extraSlot } from "../../neutral/extra-slot.js";
import type { AnswerView, Draft, Slot } from "../../neutral/format.js";
import { partOf, writePart } from "./parts.js";

const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MALFORMED_FUNCTION_CALL: "error",
};
const ownReasons: Readonly<Record<string, string>> = { length: "MAX_TOKENS", content_filter: "SAFETY" };

/** The reason under its name here: a call has none of its own. */
export const writeReason = (reason: FinishReason | undefined): string => ownReasons[reason ?? "stop"] ?? "STOP";

/** The finish mark of a whole answer, or of a chunk. */
export function finishOf(body: Json, calls: boolean): FinishDelta {
  const own = objectsOf(body.candidates)
    .map(({ finishReason }) => stringOf(finishReason))
    .find((reason) => reason !== "");
  const blocked = stringOf(jsonOf(body.promptFeedback).blockReason) !== "";
  const reason = own === undefined ? (blocked ? "content_filter" : undefined) : (reasons[own] ?? own.toLowerCase());
  return {
    type: "finish",
    ...(isJson(body.usageMetadata) && { usage: usageOf(body.usageMetadata) }),
    ...(reason !== undefined && { finishReason: reason === "stop" && calls ? "tool_call" : reason }),
    response: {
      ...(typeof body.responseId === "string" && { id: body.responseId }),
      ...(typeof body.modelVersion === "string" && { model: body.modelVersion }),
    },
  };
}

/** Thoughts are counted beside the answer here; OpenTelemetry counts them as output. */
function usageOf(usage: Json): Usage {
  const { cachedContentTokenCount: cached, thoughtsTokenCount: thoughts } = usage;
  return {
    inputTokens: numberOf(usage.promptTokenCount) + numberOf(usage.toolUsePromptTokenCount),
    outputTokens: numberOf(usage.candidatesTokenCount) + numberOf(thoughts),
    ...(typeof cached === "number" && { cacheReadInputTokens: cached }),
    ...(typeof thoughts === "number" && { reasoningOutputTokens: thoughts }),
  };
}

const writeUsage = ({ inputTokens, outputTokens }: Usage): Json => ({
  promptTokenCount: inputTokens,
  candidatesTokenCount: outputTokens,
  totalTokenCount: inputTokens + outputTokens,
});

/** Fields that are read, or in which nobody says anything: of an answer or chunk, of a candidate, and of its content. */
export const ofBody: ReadonlySet<string> = new Set([
  ...["candidates", "usageMetadata", "modelVersion", "responseId", "promptFeedback", "createTime"],
]);
export const ofCandidate: ReadonlySet<string> = new Set([
  ...["content", "finishReason", "index", "safetyRatings", "tokenCount", "avgLogprobs", "logprobsResult"],
]);
export const ofContent: ReadonlySet<string> = new Set(["role", "parts"]);

const isCall = ({ functionCall }: Json): boolean => functionCall !== undefined;

/** Whether a tool is called. */
export const callsIn = (body: Json): boolean =>
  objectsOf(body.candidates).some(({ content }) => objectsOf(jsonOf(content).parts).some(isCall));

/** A whole answer. All candidates are parts of one reply. */
export function answer(body: Draft): AnswerView {
  return {
    slots: [
      ...objectsOf(body.candidates).flatMap((candidate, index) => [...slotsOf(candidate as Draft, index)]),
      ...extraSlot("extra", body, ofBody),
    ],
    finish: finishOf(body, callsIn(body)),
    append(part) {
      const [candidate] = objectsOf(body.candidates) as Draft[];
      if (candidate === undefined) return;
      const content = jsonOf(candidate.content);
      candidate.content = { role: "model", ...content, parts: [...objectsOf(content.parts), writePart(part)] };
    },
    writeFinish({ finishReason, usage }) {
      const [candidate] = objectsOf(body.candidates) as Draft[];
      if (candidate !== undefined) candidate.finishReason = writeReason(finishReason);
      if (usage !== undefined) body.usageMetadata = { ...jsonOf(body.usageMetadata), ...writeUsage(usage) };
    },
  };
}

/** The slots of a candidate. Writing one clears the probabilities of its tokens, which tell the text that was there. */
function* slotsOf(candidate: Draft, index: number): Generator<Slot> {
  const content = jsonOf(candidate.content) as Draft;
  for (const [number, wire] of objectsOf(content.parts).entries()) {
    yield {
      at: `${index}.${number}`,
      part: partOf(wire),
      write(part) {
        const other = part === undefined ? [] : [writePart(part, wire)];
        content.parts = objectsOf(content.parts).flatMap((each) => (each === wire ? other : [each]));
        delete candidate.logprobsResult;
      },
    };
  }
  yield* extraSlot(`${index}/content`, content, ofContent);
  yield* extraSlot(`${index}/candidate`, candidate, ofCandidate);
}

export const empty = ({ model }: ModelRequest): Draft => ({
  candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP", index: 0 }],
  modelVersion: model,
});
