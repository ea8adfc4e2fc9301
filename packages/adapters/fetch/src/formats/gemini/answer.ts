import type { ModelRequest, Part, Usage } from "@suite/core";
import type { Draft, Edit } from "@suite/core/editor";
import type { FinishDelta, FinishReason } from "@suite/core/messages";
import { isJson, type Json, jsonOf, numberOf, objectsOf, stringOf } from "../../json.js";
import { finishMark, keepSignedText } from "../../neutral/edits.js";
import { keepSigned } from "../../neutral/signed.js";
import { partShapes } from "./parts.js";

const reasons: Readonly<Record<string, FinishReason>> = {
  __proto__: null as never,
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  MALFORMED_FUNCTION_CALL: "error",
};
const geminiReasons: Readonly<Record<string, string>> = {
  __proto__: null as never,
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

/** Returns the name of a reason. Calls have no reason here. */
const writeReason = (reason: FinishReason | undefined): string => geminiReasons[reason ?? "stop"] ?? "STOP";

/** The finish mark of a whole answer, or of a chunk. */
export function finishOf(body: Json, calls: boolean): FinishDelta {
  const geminiReason = objectsOf(body.candidates)
    .map(({ finishReason }) => stringOf(finishReason))
    .find((reason) => reason !== "");
  const blocked = stringOf(jsonOf(body.promptFeedback).blockReason) !== "";
  const reason =
    geminiReason === undefined
      ? blocked
        ? "content_filter"
        : undefined
      : (reasons[geminiReason] ?? geminiReason.toLowerCase());
  const usage = isJson(body.usageMetadata) ? usageOf(body.usageMetadata) : undefined;
  return finishMark(usage, reason === "stop" && calls ? "tool_call" : reason, body.responseId, body.modelVersion);
}

/** Thoughts are counted separately here. OpenTelemetry counts them as output. */
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

/** Fields that are read or contain no text: of an answer or chunk, of a candidate, and of its content. */
export const ofBody: ReadonlySet<string> = new Set([
  ...["candidates", "usageMetadata", "modelVersion", "responseId", "promptFeedback", "createTime"],
]);
const ofCandidate: ReadonlySet<string> = new Set([
  ...["content", "finishReason", "index", "safetyRatings", "tokenCount", "avgLogprobs", "logprobsResult"],
]);
const ofContent: ReadonlySet<string> = new Set(["role", "parts"]);

const isCall = ({ functionCall }: Json): boolean => functionCall !== undefined;

/** Returns true if a tool is called. */
export const callsIn = (body: Json): boolean =>
  objectsOf(body.candidates).some(({ content }) => objectsOf(jsonOf(content).parts).some(isCall));

/**
 * Registers the parts of one candidate: a whole one, or the next piece of one. Text of one kind shares a place until a
 * part of another kind arrives.
 */
export class Candidate {
  #parts = 0;
  /** The place of the text that may continue, and its kind. */
  #open: { readonly at: string; readonly kind: string } | undefined;
  readonly #index: string;
  readonly #streams: boolean;

  /** @param index the number of the candidate, which is the prefix of its places */
  constructor(index: string, streams: boolean) {
    this.#index = index;
    this.#streams = streams;
  }

  read(edit: Edit, candidate: Draft): void {
    const content = jsonOf(candidate.content) as Draft;
    edit.rest(`${this.#index}/content`, content, ofContent);
    edit.rest(`${this.#index}/candidate`, candidate, ofCandidate);
    for (const wire of objectsOf(content.parts) as Draft[]) this.#part(edit, content, wire);
    if (candidate.logprobsResult === undefined) return;
    edit.whenSent(() => {
      if (!edit.touched && !edit.differsIn(`${this.#index}/`)) return false;
      delete candidate.logprobsResult; // it repeats the text token by token, and calls
      return true;
    });
  }

  #part(edit: Edit, content: Draft, wire: Draft): void {
    const { executableCode: code, codeExecutionResult: result, thoughtSignature: signature } = wire;
    if (typeof wire.text === "string") {
      const kind = wire.thought === true ? "reasoning" : "text";
      const at = this.#partId(edit, kind);
      // A signature stays on its part, so an empty string with a signature does not receive text of other parts.
      if (wire.text !== "" || !signature) edit.text(at, kind, wire, "text");
      if (kind === "reasoning" && signature) {
        edit.note(at, { type: "reasoning", content: "", signature: stringOf(signature) });
      }
      keepSignedText(edit, at, signature, wire, "text");
      edit.rest(`${at}/rest/${this.#parts++}`, wire, ofText);
    } else if (this.#streams && (isJson(code) || isJson(result))) {
      const at = this.#partId(edit, isJson(code) ? "code" : "result");
      edit.note(`${at}/native`, { type: "native", value: wire });
      edit.separateText(at, "arguments", (code ?? result) as Draft, isJson(code) ? "code" : "output");
    } else {
      this.#close(edit);
      edit.wholePart(`${this.#index}/p${this.#parts++}`, partShapes.read(wire), (part) => {
        const other = part === undefined ? [] : [partShapes.write(part, wire)];
        if (other[0] !== undefined) keepSigned(signature, wire, other[0]);
        content.parts = objectsOf(content.parts).flatMap((each) => (each === wire ? other : [each]));
      });
    }
  }

  #partId(edit: Edit, kind: string): string {
    if (this.#open?.kind !== kind) {
      this.#close(edit);
      this.#open = { at: `${this.#index}/${kind}${this.#parts++}`, kind };
    }
    return this.#open.at;
  }

  #close(edit: Edit): void {
    if (this.#open !== undefined) edit.end(this.#open.at);
    this.#open = undefined;
  }
}

const ofText: ReadonlySet<string> = new Set(["text", "thought", "thoughtSignature"]);

/** Replaces the finish reason and the usage of an answer or chunk. */
export function writeFinish(body: Draft, { finishReason, usage }: FinishDelta): void {
  for (const candidate of objectsOf(body.candidates) as Draft[]) {
    if (candidate.finishReason) candidate.finishReason = writeReason(finishReason);
  }
  if (usage !== undefined) body.usageMetadata = { ...jsonOf(body.usageMetadata), ...writeUsage(usage) };
}

/** Appends a part that a layer made. */
export function append(body: Draft, part: Part): void {
  const [candidate] = objectsOf(body.candidates) as Draft[];
  if (candidate === undefined) return;
  const content = jsonOf(candidate.content);
  candidate.content = {
    role: "model",
    ...content,
    parts: [...objectsOf(content.parts), jsonOf(partShapes.write(part))],
  };
}

export const empty = ({ model }: ModelRequest): Draft => ({
  candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP", index: 0 }],
  modelVersion: model,
});
