import { RunContext, RunMessageOutputItem, RunResult, RunState } from "@openai/agents";
import { type Reply, textOf } from "@suite/core";
import { type AnyResult, type AnyState, type Item, isState } from "../framework.js";
import { newItem } from "../messages/from-neutral.js";
import { totalOf } from "../messages/usage.js";
import type { Turn } from "./turn.js";

type Message = Extract<Item, { role: "assistant" }>;

/** Returns the number of model answers that a run had when it was resumed. */
export const answersIn = (input: unknown): number => (isState(input) ? input._modelResponses.length : 0);

/** Converts the final output of a run to a reply. Structured output is the JSON string of the model. */
export function replyOf(state: AnyState, before: number): Reply {
  const step = state._currentStep;
  const content = step?.type === "next_step_final_output" ? step.output : "";
  return {
    message: { role: "assistant", parts: [{ type: "text", content }] },
    usage: totalOf(state._modelResponses.slice(before).map(({ usage }) => usage)),
    finishReason: "stop",
  };
}

/** Writes the reply after the layers to a state: to the final output, and to its message. */
export function applyReply(state: AnyState, before: string, after: string): void {
  if (after === before) return;
  state._currentStep = { type: "next_step_final_output", output: after };
  const last = state._generatedItems.findLast((item) => item instanceof RunMessageOutputItem);
  if (last?.rawItem.type === "message" && before.endsWith(textOfMessage(last.rawItem as Message))) {
    last.rawItem = rewritten(last.rawItem as Message, after) as typeof last.rawItem;
  }
  const response = state._modelResponses.at(-1);
  if (response === undefined) return;
  response.output = response.output.map((item) =>
    isMessage(item) && before.endsWith(textOfMessage(item)) ? rewritten(item, after) : item,
  ) as typeof response.output;
  delete response.providerData;
}

export const isMessage = (item: Item): item is Message => "role" in item && item.role === "assistant";

/** Returns the original text of a message. */
export const textOfMessage = ({ content }: Message): string =>
  content
    .map((piece) => (piece.type === "output_text" ? piece.text : piece.type === "refusal" ? piece.refusal : ""))
    .join("");

/** Returns a message with another text and without provider data. */
export function rewritten({ status, content }: Message, text: string): Message {
  const rest = content.filter(({ type }) => type !== "output_text" && type !== "refusal");
  return { type: "message", role: "assistant", status, content: [{ type: "output_text", text }, ...rest] };
}

/** Creates the state of a run that a layer answered instead of the SDK. */
export function createState({ runCall: { input, agent, options } }: Turn): AnyState {
  if (isState(input)) return input;
  const { context, maxTurns = null } = options;
  const runContext = context instanceof RunContext ? context : new RunContext(context);
  return new RunState(runContext, input as string, agent as never, maxTurns) as AnyState;
}

/** Writes the answer of a layer to such a state. */
export function answer(state: AnyState, text: string): void {
  const item = newItem({ type: "text", content: text }) as Message;
  state._generatedItems.push(new RunMessageOutputItem(item, state._currentAgent));
  state._currentStep = { type: "next_step_final_output", output: text };
}

export function createResult(turn: Turn, { message }: Reply): AnyResult {
  const state = createState(turn);
  answer(state, textOf(message));
  return new RunResult(state);
}
