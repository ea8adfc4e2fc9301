import type { Message, Part, Reply } from "@suite/core";
import { deeperThan, maxDepth } from "../pending/json.js";

/**
 * The reply as it is remembered. Arguments that nest without end would break whatever walks through the history, and a
 * call that was cut off before its first argument looks like one that has none: both become text, which no tool takes.
 */
export function kept(reply: Reply): Reply {
  const { message, finishReason } = reply;
  const last = finishReason === "length" ? message.parts.length - 1 : -1;
  const parts = message.parts.map((part, index) => keptPart(part, index === last));
  if (parts.every((part, index) => part === message.parts[index])) return reply;
  return { ...reply, message: { ...message, parts } satisfies Message };
}

function keptPart(part: Part, cutOff: boolean): Part {
  if (part.type !== "tool_call" || typeof part.arguments !== "object" || part.arguments === null) return part;
  if (cutOff && Object.keys(part.arguments).length === 0) return { ...part, arguments: "" };
  return deeperThan(part.arguments, maxDepth) ? { ...part, arguments: "(nested too deeply)" } : part;
}
