import type { FinishDelta, Part } from "@suite/core";
import type { Draft, Edit, Place } from "@suite/core/editor";
import { refused } from "../../errors.js";
import { type Json, jsonOf, numberOf, objectsOf } from "../../json.js";
import type { StreamFormat } from "../../neutral/format.js";
import { Candidate, callsIn, finishOf, ofBody, writeFinish } from "./answer.js";
import { partShapes } from "./parts.js";

/** The chunks of a streamed answer of Gemini: each is an answer with the next pieces. */
export class GeminiStream implements StreamFormat {
  readonly joinsAdded = true;
  finish: FinishDelta = { type: "finish" };
  #head: Json = {};
  #called = false;
  readonly #candidates = new Map<number, Candidate>();

  read(edit: Edit): void {
    const { body } = edit;
    if (body.error) throw refused(200, body);
    const { responseId, modelVersion } = body;
    this.#head = {
      ...this.#head,
      ...(responseId !== undefined && { responseId }),
      ...(modelVersion !== undefined && { modelVersion }),
    };
    this.#called ||= callsIn(body);
    this.finish = { ...this.finish, ...finishOf(body, this.#called) };
    edit.rest("generate_content.chunk", body, ofBody);
    const candidates = objectsOf(body.candidates) as Draft[];
    for (const candidate of candidates) {
      const index = numberOf(candidate.index);
      this.#candidateAt(index).read(edit, candidate);
      if (candidate.finishReason) edit.endAll(`${index}/`);
    }
    if (!candidates.some(({ finishReason }) => finishReason) && candidates.length > 0) return;
    edit.finish(this.finish, (finish) => writeFinish(body, finish));
  }

  extra({ at, kind, body }: Place, text: string): Draft {
    const [index, name = ""] = at.split("/");
    const parts = objectsOf(body.candidates).flatMap(({ content }) => objectsOf(jsonOf(content).parts));
    const field = name.startsWith("code") ? "executableCode" : "codeExecutionResult";
    const own = jsonOf(parts.findLast((part) => part[field])?.[field]);
    const part =
      kind === "arguments"
        ? { [field]: { ...own, [field === "executableCode" ? "code" : "output"]: text } }
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

  #candidateAt(index: number): Candidate {
    let candidate = this.#candidates.get(index);
    if (candidate === undefined) {
      candidate = new Candidate(`${index}`, true);
      this.#candidates.set(index, candidate);
    }
    return candidate;
  }
}
