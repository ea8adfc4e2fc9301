import type { FinishDelta, ModelRequest, Part } from "@suite/core";
import { chatFinishReason, chatUsage, toChatFinishReason, toChatUsage } from "@suite/wire";
import { inForm, isJson, isText, type Json, jsonOf, type Known, objectsOf, stringOf, textOfValue } from "../../json.js";
import { extraSlot } from "../../neutral/extra-slot.js";
import type { AnswerView, Draft, Slot } from "../../neutral/format.js";
import { callPart, writeCall } from "./messages.js";

/** The finish mark of a whole completion, or of a chunk. */
export function finishOf(body: Json): FinishDelta {
  const [choice] = objectsOf(body.choices);
  const reason = stringOf(choice?.finish_reason);
  return {
    type: "finish",
    ...(isJson(body.usage) && { usage: chatUsage(body.usage) }),
    ...(reason !== "" && { finishReason: chatFinishReason(reason) }),
    response: {
      ...(typeof body.id === "string" && { id: body.id }),
      ...(typeof body.model === "string" && { model: body.model }),
    },
  };
}

/** Fields that are read, or in which nobody says anything: of a completion or chunk, of a choice, and of what it says. */
export const ofBody: ReadonlySet<string> = new Set([
  ...["id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier"],
]);
const always = (): boolean => true;
const ofAnyChoice = { index: always, finish_reason: always, logprobs: always, content_filter_results: always };
const ofWholeChoice = inForm({ ...ofAnyChoice, message: isJson });
export const ofChoice: Known = inForm({ ...ofAnyChoice, delta: isJson });
export const known: Known = inForm({
  role: always,
  content: isText,
  refusal: isText,
  tool_calls: Array.isArray,
  function_call: isJson,
  reasoning_content: isText,
  reasoning: isText,
});

/** A whole completion. All choices are parts of one reply. */
export function answer(body: Draft): AnswerView {
  return {
    slots: [
      ...objectsOf(body.choices).flatMap((choice, index) => [...slotsOf(choice as Draft, index)]),
      ...extraSlot("extra", body, ofBody),
    ],
    finish: finishOf(body),
    append(part) {
      const message = (objectsOf(body.choices)[0]?.message ?? {}) as Draft;
      if (part.type === "text") message.content = `${stringOf(message.content)}${part.content}`;
      else if (part.type === "reasoning") message.reasoning_content = part.content;
      else if (part.type === "tool_call") message.tool_calls = [...objectsOf(message.tool_calls), writeCall(part)];
    },
    writeFinish({ finishReason, usage }) {
      const [choice] = objectsOf(body.choices) as Draft[];
      if (choice !== undefined) choice.finish_reason = toChatFinishReason(finishReason);
      if (usage !== undefined) body.usage = { ...jsonOf(body.usage), ...toChatUsage(usage) };
    },
  };
}

/** Clears the probabilities of a choice's tokens, which tell the text that was there. */
const written = (choice: Draft): void => {
  if ("logprobs" in choice) choice.logprobs = null;
};

function* slotsOf(choice: Draft, index: number): Generator<Slot> {
  if (isJson(choice.message)) yield* messageSlots(choice.message, choice, index);
  yield* extraSlot(`${index}/choice`, choice, ofWholeChoice);
}

function* messageSlots(message: Draft, choice: Draft, index: number): Generator<Slot> {
  const { reasoning_content: thought, reasoning } = message;
  yield* textSlots(message, choice, `${index}/reasoning_content`, "reasoning");
  // Some servers say the same under both names.
  if (reasoning !== thought) yield* textSlots(message, choice, `${index}/reasoning`, "reasoning");
  yield* textSlots(message, choice, `${index}/content`, "text");
  yield* textSlots(message, choice, `${index}/refusal`, "text");
  for (const slot of callSlots(message, index)) {
    yield {
      ...slot,
      write(part) {
        slot.write(part);
        written(choice);
      },
    };
  }
  yield* extraSlot(`${index}/extra`, message, known);
}

/** The place of a text, which is named by its field. */
function* textSlots(message: Draft, choice: Draft, at: string, type: "text" | "reasoning"): Generator<Slot> {
  const field = fieldAt(at);
  const content = message[field];
  if (!isText(content) || content === "") return;
  const doubled = field === "reasoning_content" && message.reasoning === content;
  yield {
    at,
    part: { type, content },
    write(part) {
      message[field] = part && "content" in part ? part.content : null;
      if (doubled) message.reasoning = message[field];
      written(choice);
    },
  };
}

const fieldAt = (at: string): string => at.split("/")[1] ?? "";

function* callSlots(message: Draft, index: number): Generator<Slot> {
  const old = message.function_call;
  if (isJson(old)) {
    yield {
      at: `${index}/f`,
      part: callPart({ id: old.name, function: old }),
      write(part) {
        if (part?.type === "tool_call") message.function_call = writeCall(part).function;
        else delete message.function_call;
      },
    };
  }
  for (const [number, call] of objectsOf(message.tool_calls).entries()) {
    yield {
      at: `${index}/c${number}`,
      part: callPart(call),
      write(part) {
        const calls = objectsOf(message.tool_calls);
        const other = part?.type === "tool_call" ? [writeCall(part, call.type === "custom")] : [];
        message.tool_calls = calls.flatMap((each) => (each === call ? other : [each]));
      },
    };
  }
}

export const empty = ({ model }: ModelRequest): Draft => ({
  id: "",
  object: "chat.completion",
  created: Math.floor(Date.now() / 1000),
  model,
  choices: [
    { index: 0, message: { role: "assistant", content: null, refusal: null }, logprobs: null, finish_reason: "stop" },
  ],
});

/** A part as a field of a delta of a stream. */
export function deltaOf(part: Part, at: string): Json | undefined {
  const field = fieldAt(at);
  if (part.type === "text") return { [field === "refusal" ? field : "content"]: part.content };
  if (part.type === "reasoning") return { [field === "reasoning" ? field : "reasoning_content"]: part.content };
  return part.type === "native" ? jsonOf(part.value) : { content: textOfValue(part) };
}
