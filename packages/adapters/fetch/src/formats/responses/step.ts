import { beside, isJson, type Json, jsonOf, stringOf } from "../../json.js";

/** The kind of text at a place: pieces of it, and all of it, have their own events. */
export interface Said {
  /** The letter of the place: text of a message, reasoning, its summary, or the arguments of a call. */
  readonly letter: "t" | "r" | "s" | "c";
  /** The field with all that was said; `part` where an object holds it. */
  readonly repeats?: "text" | "refusal" | "arguments" | "input" | "part";
}

const pieces: Readonly<Record<string, Said>> = {
  "response.output_text.delta": { letter: "t" },
  "response.refusal.delta": { letter: "t" },
  "response.reasoning_text.delta": { letter: "r" },
  "response.reasoning_summary_text.delta": { letter: "s" },
  "response.function_call_arguments.delta": { letter: "c" },
  "response.custom_tool_call_input.delta": { letter: "c" },
};

const repeats: Readonly<Record<string, Said>> = {
  "response.output_text.done": { letter: "t", repeats: "text" },
  "response.refusal.done": { letter: "t", repeats: "refusal" },
  "response.reasoning_text.done": { letter: "r", repeats: "text" },
  "response.reasoning_summary_text.done": { letter: "s", repeats: "text" },
  "response.content_part.done": { letter: "t", repeats: "part" },
  "response.reasoning_summary_part.done": { letter: "s", repeats: "part" },
  "response.function_call_arguments.done": { letter: "c", repeats: "arguments" },
  "response.custom_tool_call_input.done": { letter: "c", repeats: "input" },
};

/** The kind of text that an event has a piece of. */
export const pieceOf = (type: string): Said | undefined => pieces[type];

/** The kind of text that an event repeats the whole of. */
export const repeatOf = (type: string): Said | undefined => repeats[type];

/** The place that an event is about. */
export function placeOf({ letter }: Said, { output_index, content_index, summary_index, part }: Json): string {
  if (letter === "c") return `c${output_index}`;
  const own = jsonOf(part).type === "reasoning_text" ? "r" : letter;
  return `${own}${output_index}.${content_index ?? summary_index}`;
}

/** Fields by which an event says what it is about: nobody writes anything in them. */
const protocol: ReadonlySet<string> = new Set([
  ...["type", "item_id", "output_index", "content_index", "summary_index", "annotation_index"],
  ...["partial_image_index", "sequence_number"],
]);

/** An event in two: what it is about, and what it says. */
export function halves(body: Json): readonly [about: Json, said: Json] {
  const entries = Object.entries(body);
  const about = entries.filter(([key]) => protocol.has(key));
  return [Object.fromEntries(about), Object.fromEntries(entries.filter(([key]) => !protocol.has(key)))];
}

/** The fields, by type of item, that are said in pieces, as they stand there before the first of them. */
const unsaid: Readonly<Record<string, Json>> = {
  message: { content: [] },
  reasoning: { content: [], summary: [] },
  function_call: { arguments: "" },
  custom_tool_call: { input: "" },
};

/** The beginning of something, of which nothing may be said yet: what is said goes through the layers. */
export function emptied(body: Json): Json {
  const { part, item, response } = body;
  if (isJson(response)) return silenced(body, "response", response, { output: [], output_text: "" });
  if (isJson(part)) return silenced(body, "part", part, { text: "", refusal: "" });
  return isJson(item) ? silenced(body, "item", item, unsaid[stringOf(item.type)] ?? {}) : body;
}

function silenced(body: Json, name: string, object: Json, nothing: Json): Json {
  const said = Object.entries(nothing).filter(([field]) => beside({ [field]: object[field] }, none) !== undefined);
  return said.length === 0 ? body : { ...body, [name]: { ...object, ...Object.fromEntries(said) } };
}

const none: ReadonlySet<string> = new Set();
