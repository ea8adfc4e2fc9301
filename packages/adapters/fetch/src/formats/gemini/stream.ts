import type { Delta, FinishDelta, Part } from "@suite/core";
import { refused } from "../../errors.js";
import { beside, type Json, jsonOf, numberOf, objectIn, objectsOf, parsed } from "../../json.js";
import { eventOf } from "../../sse/event.js";
import { type ChunkForm, ChunkStream, only, say } from "../chunks/stream.js";
import { callsIn, finishOf, ofBody, ofCandidate, ofContent, writeReason } from "./answer.js";
import { partOf, writePart } from "./parts.js";

const withoutTokens = ({ logprobsResult: _, ...candidate }: Json): Json => candidate;

const form: ChunkForm = {
  ...{ name: "generate_content.chunk", choices: "candidates", reason: "finishReason", tokens: "logprobsResult" },
  ofBody,
  writeReason,
  tellsTokens: ({ logprobsResult }) => logprobsResult !== undefined,
  silent: (candidate) => ({ ...withoutTokens(only(candidate, ofCandidate)), content: { role: "model", parts: [] } }),
  withoutTokens,
};

/** The chunks of a streamed answer of Gemini: each is an answer of its own, with the next pieces. */
export class GeminiStream extends ChunkStream {
  #head: Json = {};
  #called = false;
  #parts = 0;
  /** Calls whose arguments a layer tells in pieces: they go out whole. */
  readonly #calls = new Map<string, { readonly part: Part & { type: "tool_call" }; json: string }>();

  constructor() {
    super(form);
  }

  /** An error in mid-stream may come as bare JSON, and as no event. */
  override cutShort(rest = ""): readonly Delta[] {
    const body = objectIn(rest);
    if (body?.error) throw refused(200, body);
    return super.cutShort();
  }

  protected head(body: Json): FinishDelta {
    const { responseId, modelVersion } = body;
    this.#head = {
      ...this.#head,
      ...(responseId !== undefined && { responseId }),
      ...(modelVersion !== undefined && { modelVersion }),
    };
    this.#called ||= callsIn(body);
    return finishOf(body, this.#called);
  }

  protected last(): void {
    for (const [at, { part, json }] of this.#calls) this.#send(at, { ...part, arguments: parsed(json) });
    this.#calls.clear();
  }

  protected said(candidate: Json): Delta[] {
    const index = numberOf(candidate.index);
    const content = jsonOf(candidate.content);
    const deltas: Delta[] = [];
    for (const wire of objectsOf(content.parts)) {
      const part = partOf(wire);
      if (part.type === "text") deltas.push(...this.places.endReasoning(index));
      const pieces = part.type === "text" || part.type === "reasoning";
      const field = part.type === "text" ? "text" : "reasoning";
      const at = pieces ? this.places.at(index, field, part.type) : `${index}/p${this.#parts++}`;
      deltas.push({ type: "part", at, part });
    }
    say(deltas, `${form.name}/${index}/content`, beside(content, ofContent));
    say(deltas, `${form.name}/${index}/candidate`, beside(candidate, ofCandidate));
    return deltas;
  }

  protected fresh(delta: Delta): void {
    if (delta.type === "event") this.#extra(delta.name.split("/").slice(1), jsonOf(delta.value));
    else if (delta.type === "arguments") {
      const call = this.#calls.get(delta.at);
      if (call !== undefined) call.json += delta.json;
    } else if (delta.type === "part") {
      const { part } = delta;
      const bare = part.type === "tool_call" && Object.keys(jsonOf(part.arguments)).length === 0;
      if (bare) this.#calls.set(delta.at, { part, json: "" });
      else if (!("content" in part) || part.content !== "") this.#send(delta.at, part);
    }
  }

  #send(at: string, part: Part): void {
    const index = numberOf(Number.parseInt(at, 10) || 0);
    const content = { role: "model", parts: [writePart(part)] };
    this.out.push(eventOf({ candidates: [{ content, index }], ...this.#head }));
  }

  #extra([index = "", level]: readonly string[], said: Json): void {
    const candidate = {
      index: Number(index),
      ...(level === "content" ? { content: { role: "model", ...said } } : said),
    };
    this.out.push(eventOf(index === "" ? { ...said, ...this.#head } : { candidates: [candidate], ...this.#head }));
  }
}
