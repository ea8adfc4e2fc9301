import type { Part } from "@suite/core";
import type { Draft, Edit, Place } from "@suite/core/editor";
import type { FinishDelta } from "@suite/core/messages";
import { refused } from "../../errors.js";
import { type Json, jsonOf, objectsOf } from "../../json.js";
import { AnswerEvents } from "../../neutral/answer-events.js";
import { Candidate, callsIn, finishOf, ofBody, writeFinish } from "./answer.js";
import { partShapes } from "./parts.js";

/** The chunks of a streamed answer of Gemini: each is an answer with the next pieces. */
export class GeminiStream extends AnswerEvents {
  readonly joinsAdded = true;
  finish: FinishDelta = { type: "finish" };
  #head: Json = {};
  #called = false;
  readonly #candidates = new Map<number, Candidate>();

  protected readBody(edit: Edit): void {
    const { body } = edit;
    if (body.error) throw refused(200, body);
    const { responseId, modelVersion } = body;
    this.#head = {
      ...this.#head,
      ...(responseId !== undefined && { responseId }),
      ...(modelVersion !== undefined && { modelVersion }),
    };
    const candidates = this.#read(edit, true);
    if (!candidates.some(({ finishReason }) => finishReason) && candidates.length > 0) return;
    edit.finish(this.finish, (finish) => writeFinish(body, finish));
  }

  /** Registers a whole answer. All candidates are parts of one reply. */
  readCompleteBody(edit: Edit): void {
    this.#read(edit, false);
    edit.finish(this.finish, (finish) => writeFinish(edit.body, finish));
  }

  extra({ at, kind, body }: Place, text: string): Draft {
    const [index, name = ""] = at.split("/");
    const parts = objectsOf(body.candidates).flatMap(({ content }) => objectsOf(jsonOf(content).parts));
    const field = name.startsWith("code") ? "executableCode" : "codeExecutionResult";
    const last = jsonOf(parts.findLast((part) => part[field])?.[field]);
    const part =
      kind === "arguments"
        ? { [field]: { ...last, [field === "executableCode" ? "code" : "output"]: text } }
        : { text, ...(kind === "reasoning" && { thought: true }) };
    const isNumbered = objectsOf(body.candidates).some((candidate) => candidate.index !== undefined);
    return this.#chunk(part, isNumbered ? Number(index) : undefined);
  }

  added(part: Part): readonly Draft[] {
    return "content" in part && part.content === "" ? [] : [this.#chunk(jsonOf(partShapes.write(part)), undefined)];
  }

  #chunk(part: Json, index: number | undefined): Draft {
    const content = { role: "model", parts: [part] };
    return { candidates: [{ content, ...(index !== undefined && { index }) }], ...this.#head };
  }

  #read(edit: Edit, streams: boolean): readonly Json[] {
    const { body } = edit;
    this.#called ||= callsIn(body);
    this.finish = { ...this.finish, ...finishOf(body, this.#called) };
    edit.rest("generate_content.chunk", body, ofBody);
    const candidates = objectsOf(body.candidates) as Draft[];
    for (const [position, candidate] of candidates.entries()) {
      const index = typeof candidate.index === "number" ? candidate.index : position;
      const known = this.#candidates.get(index) ?? new Candidate(`${index}`, streams);
      this.#candidates.set(index, known);
      known.read(edit, candidate);
      if (candidate.finishReason) edit.endAll(`${index}/`);
    }
    return candidates;
  }
}
