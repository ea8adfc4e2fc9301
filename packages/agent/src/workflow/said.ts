import { type Answer, type Message, message, type Reply, textOf } from "@suite/core";
import { isMessage } from "../messages.js";
import { pendingOf } from "../pending/state.js";
import { type AgentResult, type CompletedResult, finalText } from "../result.js";

/** The input of a workflow as its layers see it. A suspended run that goes on has been said before. */
export function messagesOf(input: unknown): readonly Message[] {
  if (typeof input === "string") return [message("user", input)];
  if (isMessage(input)) return [input];
  if (areMessages(input)) return input;
  if (typeof input === "object" && input !== null && "pending" in input) return [];
  const json = jsonOf(input);
  return json === undefined ? [] : [message("user", json)];
}

/** The input with what layers made of it. */
export function inputOf(input: unknown, told: readonly Message[], made: readonly Message[]): unknown {
  if (made === told) return input;
  if (areMessages(input)) return made;
  const last = made.at(-1);
  if (last === undefined || told.length === 0) return input;
  if (isMessage(input)) return last;
  return typeof input === "string" ? textOf(last) : parsed(textOf(last));
}

/** The answer of a workflow as its layers see it. Tokens are told by who used them. */
export function answerOf(output: unknown): Answer<"agent"> {
  if (isResult(output)) {
    if (output.status === "suspended") return { suspended: output.pending.calls.map(pendingOf) };
    return { value: { message: output.message, ...finishOf(output) } };
  }
  const text = typeof output === "string" ? output : jsonOf(output);
  return { value: { message: message("assistant", text ?? []) } };
}

/** The output with what layers made of its message. */
export function outputOf(output: unknown, made: Message): unknown {
  const text = textOf(made);
  if (typeof output === "string") return text;
  return isResult(output) ? { ...output, message: made, text: finalText({ message: made }, 0) } : parsed(text);
}

const finishOf = ({ finishReason }: CompletedResult): Pick<Reply, "finishReason"> =>
  finishReason === undefined ? {} : { finishReason };

const areMessages = (value: unknown): value is readonly Message[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMessage);

/** Whether a value is what an agent gave. */
function isResult(value: unknown): value is AgentResult {
  if (typeof value !== "object" || value === null || !("status" in value) || !("runId" in value)) return false;
  if (value.status === "suspended") return "pending" in value;
  return value.status === "completed" && "message" in value && isMessage(value.message);
}

/** JSON of a value; undefined where it has none. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text, or the text where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
