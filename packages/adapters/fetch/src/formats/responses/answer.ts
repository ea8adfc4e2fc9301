import type { ModelRequest } from "@suite/core";
import { responsesFinish, toResponsesUsage } from "@suite/wire";
import { type Json, jsonOf, type Known, objectsOf, stringOf } from "../../json.js";
import { extraSlot } from "../../neutral/extra-slot.js";
import type { AnswerView, Draft } from "../../neutral/format.js";
import { eventOf, type ServerEvent } from "../../sse/event.js";
import { itemSlots, newItem } from "./slots.js";

const incomplete: Readonly<Record<string, string>> = { length: "max_output_tokens", content_filter: "content_filter" };

/** The fields in which nothing is said: all but why it failed, and the text once more, as some servers have it. */
const echoes: Known = { has: (name) => name !== "error" && name !== "output_text" };

/** A whole response. */
export function answer(body: Draft): AnswerView {
  const view = outputOf(body);
  return { ...view, slots: [...view.slots, ...extraSlot("extra", body, echoes)] };
}

/** The output of a response, at the end of a stream too. */
export function outputOf(body: Draft): AnswerView {
  const items = objectsOf(body.output);
  return {
    slots: [
      ...items.flatMap((item, index) => [
        ...itemSlots(item as Draft, index, () => {
          body.output = objectsOf(body.output).filter((each) => each !== item);
        }),
      ]),
    ],
    finish: responsesFinish(body),
    append(part) {
      const output = objectsOf(body.output);
      body.output = [...output, newItem(part, output.length)];
    },
    writeFinish({ finishReason = "stop", usage }) {
      const reason = incomplete[finishReason];
      body.status = reason === undefined ? "completed" : "incomplete";
      body.incomplete_details = reason === undefined ? null : { reason };
      if (usage !== undefined) body.usage = { ...jsonOf(body.usage), ...toResponsesUsage(usage) };
    },
  };
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

/** An item as the steps of a stream. What is in it is told at its beginning, in one piece, and at its end. */
export function itemSteps(item: Json, output_index: number): readonly Json[] {
  const at = { item_id: item.id, output_index };
  const contents = item.type === "message" ? objectsOf(item.content) : [];
  const added = item.type === "message" ? { ...item, status: "in_progress", content: [] } : item;
  return [
    { type: "response.output_item.added", output_index, item: added },
    ...contents.flatMap((part, content_index) => {
      const place = { ...at, content_index };
      if (part.type !== "output_text") return [{ type: "response.content_part.added", ...place, part }];
      return [
        { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...place, delta: part.text, logprobs: [] },
        { type: "response.output_text.done", ...place, text: part.text, logprobs: [] },
        { type: "response.content_part.done", ...place, part },
      ];
    }),
    { type: "response.output_item.done", output_index, item },
  ];
}

/** A whole response as a stream would have told it. */
export function events(body: Json): readonly ServerEvent[] {
  const started = { ...body, status: "in_progress", output: [], usage: null };
  const ended = body.status === "incomplete" ? "response.incomplete" : "response.completed";
  const steps = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...objectsOf(body.output).flatMap(itemSteps),
    { type: ended, response: body },
  ];
  return steps.map((step, sequence_number) => eventOf({ ...step, sequence_number }, stringOf(step.type)));
}

/** The event of an error in mid-stream. */
export const failure = (body: unknown): ServerEvent => eventOf(body, stringOf(jsonOf(body).type) || "error");
