import type { ModelRequest, Part } from "@suite/core";
import type { Draft, Edit } from "@suite/core/editor";
import { responsesFinish, toResponsesUsage } from "@suite/wire";
import { type Json, jsonOf, objectsOf, stringOf } from "../../json.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { newItem, Output } from "./output.js";

const incomplete: Readonly<Record<string, string>> = {
  __proto__: null as never,
  length: "max_output_tokens",
  content_filter: "content_filter",
};

/** The fields of a response that contain text of the model outside its output. */
const exceptError = { has: (name: string): boolean => name !== "error" };

/** Registers a whole response. */
export function answer(edit: Edit): void {
  readResponse(edit, edit.body, new Output());
  edit.rest("extra", edit.body, exceptError);
}

/** Registers a whole response, which may be the last event of a stream. */
export function readResponse(edit: Edit, response: Draft, output: Output): void {
  output.read(edit, response);
  // Some servers repeat the text here.
  const { output_text } = response;
  if (output_text !== textOf(response)) edit.text("output_text", "text", response, "output_text");
  else if (output_text !== "") {
    edit.whenSent(() => {
      if (textOf(response) === output_text) return false;
      response.output_text = textOf(response);
      return true;
    });
  }
  edit.finish(responsesFinish(response), ({ finishReason = "stop", usage }) => {
    const reason = incomplete[finishReason];
    response.status = reason === undefined ? "completed" : "incomplete";
    response.incomplete_details = reason === undefined ? null : { reason };
    if (usage !== undefined) response.usage = { ...jsonOf(response.usage), ...toResponsesUsage(usage) };
  });
}

const textOf = ({ output }: Json): string =>
  objectsOf(output)
    .flatMap(({ content }) => objectsOf(content))
    .map(({ text }) => stringOf(text))
    .join("");

/** Appends a part that a layer made. */
export function append(body: Draft, part: Part): void {
  const output = objectsOf(body.output);
  body.output = [...output, newItem(part, output.length)];
}

export const empty = ({ model }: ModelRequest): Draft => ({
  id: "",
  object: "response",
  created_at: Math.floor(Date.now() / 1000),
  status: "completed",
  error: null,
  incomplete_details: null,
  model,
  output: [],
  usage: null,
});

/** Returns an item as the bodies of a stream's events: its content at its beginning, in one piece, and at its end. */
export function itemEvents(item: Json, output_index: number): readonly Draft[] {
  const at = { item_id: item.id, output_index };
  const contents = item.type === "message" ? objectsOf(item.content) : [];
  const added = item.type === "message" ? { ...item, status: "in_progress", content: [] } : item;
  return [
    { type: "response.output_item.added", output_index, item: added },
    ...contents.flatMap((part, content_index) => {
      const position = { ...at, content_index };
      if (part.type !== "output_text") return [{ type: "response.content_part.added", ...position, part }];
      return [
        { type: "response.content_part.added", ...position, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...position, delta: part.text, logprobs: [] },
        { type: "response.output_text.done", ...position, text: part.text, logprobs: [] },
        { type: "response.content_part.done", ...position, part },
      ];
    }),
    { type: "response.output_item.done", output_index, item },
  ];
}

/** Returns a whole response as the events of a stream. */
export function events(body: Json): readonly ServerEvent[] {
  const started = { ...body, status: "in_progress", output: [], usage: null };
  const ended = body.status === "incomplete" ? "response.incomplete" : "response.completed";
  const steps = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...objectsOf(body.output).flatMap(itemEvents),
    { type: ended, response: body },
  ];
  return steps.map((step, sequence_number) => eventOf({ ...step, sequence_number }, stringOf(step.type)));
}
