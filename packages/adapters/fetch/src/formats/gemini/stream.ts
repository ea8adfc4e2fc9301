import type { Delta, FinishDelta, Part } from "@suite/core";
import { refused } from "../../errors.js";
import { beside, type Json, jsonOf, numberOf, objectsOf, parsed } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { jsonIn } from "../../sse/json-event.js";
import { ChoicePlaces } from "../chat/places.js";
import { ChunkLine } from "../chunks.js";
import type { StreamFormat } from "../format.js";
import { callsIn, finishOf, ofBody, ofCandidate, ofContent, writeReason } from "./answer.js";
import { partOf, writePart } from "./parts.js";

/** The chunks of a streamed answer: each is an answer of its own, with the next pieces. */
export class GeminiStream implements StreamFormat {
  readonly out: ServerEvent[] = [];
  begun = false;
  readonly finished = false;
  #head: Json = {};
  #finish: FinishDelta = { type: "finish" };
  #told = false;
  #called = false;
  #parts = 0;
  readonly #places = new ChoicePlaces();
  /** Calls whose arguments a layer tells in pieces: they go out whole. */
  readonly #calls = new Map<string, { readonly part: Part & { type: "tool_call" }; json: string }>();
  readonly #line = new ChunkLine<undefined>({
    pass: (event) => this.out.push(event),
    fresh: (delta) => this.#fresh(delta),
  });

  read(event: ServerEvent): readonly Delta[] {
    this.begun = true;
    const body = jsonIn(event);
    if (body.error) throw refused(200, body);
    const { responseId, modelVersion } = body;
    this.#head = {
      ...this.#head,
      ...(responseId !== undefined && { responseId }),
      ...(modelVersion !== undefined && { modelVersion }),
    };
    const candidates = objectsOf(body.candidates);
    this.#called ||= callsIn(body);
    const { type, ...told } = finishOf(body, this.#called);
    this.#finish = { ...this.#finish, ...told };
    const deltas: Delta[] = candidates.flatMap((candidate) => this.#said(candidate));
    say(deltas, "", beside(body, ofBody));
    const said = deltas.length > 0;
    const ended = candidates.filter(({ finishReason }) => finishReason);
    if (ended.length > 0) {
      for (const { index } of ended) deltas.push(...this.#places.close(numberOf(index)));
      deltas.push(this.#finish);
      this.#told = true;
      this.#line.add(event, undefined, deltas, {
        event: said ? undefined : event,
        silent: () => eventOf(silent(body)),
      });
    } else if (said) this.#line.add(event, undefined, deltas);
    else this.out.push(event);
    return deltas;
  }

  cutShort(): readonly Delta[] {
    return this.begun && !this.#told ? [this.#finish] : [];
  }

  write(delta: Delta): void {
    if (delta !== this.#finish || this.#told) this.#line.write(delta);
  }

  end(): void {
    const waiting = this.#line.end();
    for (const [at, { part, json }] of this.#calls) this.#send(at, { ...part, arguments: parsed(json) });
    this.#calls.clear();
    const reason = this.#line.changed?.finishReason;
    const changed = reason !== undefined && reason !== this.#finish.finishReason;
    const ended = this.#line.untouched ? waiting : waiting.map(withoutTokens);
    this.out.push(...(changed ? ended.map((event) => withReason(event, writeReason(reason))) : ended));
  }

  #said(candidate: Json): Delta[] {
    const index = numberOf(candidate.index);
    const content = jsonOf(candidate.content);
    const deltas: Delta[] = [];
    for (const wire of objectsOf(content.parts)) {
      const part = partOf(wire);
      if (part.type === "text") deltas.push(...this.#places.endReasoning(index));
      const pieces = part.type === "text" || part.type === "reasoning";
      const field = part.type === "text" ? "text" : "reasoning";
      const at = pieces ? this.#places.at(index, field, part.type) : `${index}/p${this.#parts++}`;
      deltas.push({ type: "part", at, part });
    }
    say(deltas, `${index}/content`, beside(content, ofContent));
    say(deltas, `${index}/candidate`, beside(candidate, ofCandidate));
    return deltas;
  }

  #fresh(delta: Delta): void {
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

/** What a chunk says beside what the neutral model has a place for. */
function say(deltas: Delta[], where: string, extra: Json | undefined): void {
  if (extra !== undefined) deltas.push({ type: "event", name: `generate_content.chunk/${where}`, value: extra });
}

const only = (object: Json, known: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => known.has(name)));

/** The end of a chunk without what it says, which goes through the layers. */
const silent = (body: Json): Json => ({
  ...only(body, ofBody),
  candidates: objectsOf(body.candidates).map((candidate) => {
    const { logprobsResult: _, ...rest } = only(candidate, ofCandidate);
    return { ...rest, content: { role: "model", parts: [] } };
  }),
});

/** A chunk with its candidates changed. */
const rewritten = (event: ServerEvent, change: (candidate: Json) => Json): ServerEvent => {
  const body = jsonIn(event);
  return eventOf({ ...body, candidates: objectsOf(body.candidates).map(change) });
};

const withoutTokens = (event: ServerEvent): ServerEvent =>
  event.data.includes('"logprobsResult"') ? rewritten(event, ({ logprobsResult: _, ...rest }) => rest) : event;

const withReason = (event: ServerEvent, finishReason: string): ServerEvent =>
  rewritten(event, (candidate) => (candidate.finishReason ? { ...candidate, finishReason } : candidate));
