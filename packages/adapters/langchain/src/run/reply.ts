import { type BaseMessage, isBaseMessage } from "@langchain/core/messages";
import type { Part, Redactor, Reply, RuntimeContext } from "@suite/core";
import { isRecord } from "@suite/kit";
import { patched } from "../messages/patch.js";
import { toMessage } from "../messages/to-neutral.js";
import { finishOf, notesKey } from "../run-notes.js";
import { checkEnded } from "./ending.js";

/** Converts the final state of an agent to a reply: its last message, and the structured answer. */
export function replyOfState(state: unknown, runtime: RuntimeContext): Reply {
  checkEnded(runtime);
  const last = lastMessage(state);
  const message = last === undefined ? undefined : toMessage(last);
  const structured = structuredPart(state);
  const { reply } = runtime.get(notesKey);
  const replyMessage = message ?? reply?.message ?? { role: "assistant", parts: [] };
  return {
    message: structured === undefined ? replyMessage : { ...replyMessage, parts: [...replyMessage.parts, structured] },
    ...finishOf(runtime),
  };
}

/** Returns the state with the reply after the layers, or the same state if they changed nothing. */
export function withReply(state: unknown, before: Reply, after: Reply, redactor?: Redactor): unknown {
  const last = lastMessage(state);
  if (before === after || last === undefined || !isRecord(state) || !Array.isArray(state.messages)) return state;
  const { parts } = after.message;
  const structured = parts.find(isStructured);
  const changed = { ...after.message, parts: parts.filter((one) => one !== structured) };
  const message = patched(last, changed, { redactor });
  return {
    ...state,
    messages: [...state.messages.slice(0, -1), message],
    ...("structuredResponse" in state && { structuredResponse: structured?.value.structuredResponse }),
  };
}

interface StructuredPart {
  readonly type: "native";
  readonly value: { readonly structuredResponse: unknown };
}

function structuredPart(state: unknown): StructuredPart | undefined {
  if (!isRecord(state) || state.structuredResponse === undefined) return undefined;
  return { type: "native", value: { structuredResponse: state.structuredResponse } };
}

const isStructured = (part: Part): part is StructuredPart =>
  part.type === "native" && isRecord(part.value) && "structuredResponse" in part.value;

function lastMessage(state: unknown): BaseMessage | undefined {
  const last: unknown = isRecord(state) && Array.isArray(state.messages) ? state.messages.at(-1) : undefined;
  return isBaseMessage(last) ? last : undefined;
}
