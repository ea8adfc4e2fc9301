import type { Part } from "@suite/core";
import type { Draft, Edit, Place } from "@suite/core/editor";
import type { FinishDelta, ToolCallPart } from "@suite/core/messages";
import { refused } from "../../errors.js";
import { isJson, type Json, jsonOf, objectsOf, stringOf, textOfValue } from "../../json.js";
import { AnswerEvents } from "../../neutral/answer-events.js";
import { clearCopies } from "../../neutral/edits.js";
import { fieldsOfPart, finishOf, ofBody, ofChoice, readMessage, writeFinish } from "./answer.js";
import { Calls } from "./calls.js";

/** The chunks of a streamed completion, of `chat/completions` and of the older `completions`. */
export class ChatStream extends AnswerEvents {
  readonly joinsAdded = true;
  finish: FinishDelta = { type: "finish" };
  /** The fields that each chunk repeats. */
  readonly #head: Draft = {};
  #added = 0;
  /** The id and the model in the finish mark. Chunks that report nothing else do not change the mark. */
  #marked: Json | undefined;
  readonly #calls = new Calls();
  readonly #roleSent = new Set<number>();

  protected readBody(edit: Edit): void {
    const { body } = edit;
    if (body.error) throw refused(200, body);
    for (const field of headFields) {
      const value = body[field];
      if (value !== undefined && value !== this.#head[field]) this.#head[field] = value;
    }
    const choices = this.#read(edit);
    const ended = choices.some(({ finish_reason }) => finish_reason);
    if (!ended && (choices.length > 0 || !isJson(body.usage))) return;
    edit.finish(this.finish, ({ usage, ...finish }) =>
      writeFinish(body, body.usage && usage ? { ...finish, usage } : finish),
    );
  }

  /** Registers a whole completion. All choices are parts of one reply. */
  readCompleteBody(edit: Edit): void {
    this.#read(edit);
    edit.finish(this.finish, (finish) => writeFinish(edit.body, finish));
  }

  extra({ at, kind, body }: Place, text: string): Draft {
    const [number = "0", field = ""] = at.split("/");
    const index = Number(number);
    if (kind === "arguments") return this.#chunk(index, this.#calls.piece(at, text));
    if (objectsOf(body.choices).some((choice) => typeof choice.text === "string")) {
      return { ...this.#head, choices: [{ index, text, logprobs: null, finish_reason: null }] };
    }
    if (field === "audio") return this.#chunk(index, { audio: { transcript: text } });
    if (field === "reasoning_details") {
      return this.#chunk(index, { reasoning_details: [{ type: "reasoning.text", text }] });
    }
    if (field === "thinking") {
      return this.#chunk(index, { content: [{ type: "thinking", thinking: [{ type: "text", text }] }] });
    }
    return this.#chunk(index, { [field]: text });
  }

  added(part: Part): readonly Draft[] {
    const fields = part.type === "tool_call" ? this.#addedCall(part) : fieldsOfPart(part);
    const delta = this.#roleSent.has(0) || fields === undefined ? fields : { role: "assistant", ...fields };
    this.#roleSent.add(0);
    return delta === undefined ? [] : [this.#chunk(0, delta)];
  }

  #read(edit: Edit): readonly Json[] {
    const { body } = edit;
    const choices = objectsOf(body.choices) as Draft[];
    const { id, model } = body;
    const isNew = id !== this.#marked?.id || model !== this.#marked?.model || this.#marked === undefined;
    if (isNew || isJson(body.usage) || choices.some(({ finish_reason }) => finish_reason)) {
      this.finish = { ...this.finish, ...finishOf(body) };
      this.#marked = { id, model };
    }
    edit.rest("chat.completion.chunk", body, ofBody);
    for (const [position, choice] of choices.entries()) {
      this.#choice(edit, choice, typeof choice.index === "number" ? choice.index : position);
    }
    return choices;
  }

  #choice(edit: Edit, choice: Draft, index: number): void {
    edit.rest(`chat.completion.chunk/${index}/choice`, choice, ofChoice);
    for (const message of [choice.delta, choice.message]) {
      if (!isJson(message)) continue;
      if (message.role) this.#roleSent.add(index);
      readMessage(edit, message as Draft, `${index}`, this.#calls);
    }
    edit.text(`${index}/content`, "text", choice, "text");
    clearCopies(edit, `${index}/`, choice, "logprobs", null);
    if (choice.finish_reason) edit.endAll(`${index}/`);
  }

  #addedCall({ id, name, arguments: args }: ToolCallPart): Json {
    const call = { id, type: "function", function: { name, arguments: textOfValue(args ?? {}) } };
    return { tool_calls: [{ index: this.#calls.count + this.#added++, ...call }] };
  }

  #chunk(index: number, delta: Json): Draft {
    return { ...this.#head, choices: [{ index, delta, logprobs: null, finish_reason: null }] };
  }
}

const headFields = ["id", "object", "created", "model", "system_fingerprint", "service_tier"] as const;

/** Returns a whole completion as the chunks of a stream. */
export function chunksOf(body: Json): readonly Json[] {
  const { choices, usage, ...head } = body;
  const chunk = (more: Json): Json => ({ ...head, object: "chat.completion.chunk", ...more });
  return [
    ...objectsOf(choices).flatMap(({ index, message, finish_reason }) => {
      const { tool_calls, ...fields } = jsonOf(message);
      const calls = objectsOf(tool_calls).map((call, number) => ({ index: number, ...call }));
      const delta = { ...fields, ...(calls.length > 0 && { tool_calls: calls }) };
      return [
        chunk({ choices: [{ index, delta, logprobs: null, finish_reason: null }] }),
        chunk({ choices: [{ index, delta: {}, logprobs: null, finish_reason: stringOf(finish_reason) || "stop" }] }),
      ];
    }),
    ...(usage ? [chunk({ choices: [], usage })] : []),
  ];
}
