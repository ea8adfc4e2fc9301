import type { Message, Part } from "@suite/core";
import { toolContentOf } from "@suite/core/messages";
import type { Sizes } from "../count.js";
import { middleOut, textOfValue } from "../text.js";

/** Characters of one part in a transcript at most. */
const mostOfPart = 8000;

/** A conversation as one text, and how many of its oldest messages were left out, since it would have been too large. */
export interface Transcript {
  readonly text: string;
  readonly omitted: number;
}

/**
 * Writes messages as one text for a model to read: calls and results in it are nothing that a provider pairs, and nothing
 * that a model answers. Of more than `maximum` tokens the oldest are left out.
 */
export function transcriptOf(messages: readonly Message[], maximum: number, sizes: Sizes): Transcript {
  const lines: string[] = [];
  let remaining = maximum;
  for (let at = messages.length - 1; at >= 0; at--) {
    const line = lineOf(messages[at] as Message);
    remaining -= sizes.text(line);
    if (remaining < 0) return { text: lines.reverse().join("\n"), omitted: at + 1 };
    lines.push(line);
  }
  return { text: lines.reverse().join("\n"), omitted: 0 };
}

const lineOf = ({ role, parts }: Message): string =>
  parts.map((part) => `${role}: ${middleOut(textOfPart(part), mostOfPart)}`).join("\n");

function textOfPart(part: Part): string {
  switch (part.type) {
    case "text":
      return part.content;
    case "reasoning":
      return "(reasoning)";
    case "tool_call":
      return `(calls ${part.name}) ${textOfValue(part.arguments)}`;
    case "tool_call_response":
      return `(${part.isError === true ? "failure" : "result"}) ${resultIn(part.response)}`;
    case "server_tool_call":
      return `(calls ${part.name}) ${textOfValue(part.serverToolCall)}`;
    case "server_tool_call_response":
      return `(result) ${textOfValue(part.serverToolCallResponse)}`;
    case "compaction":
      return part.content ?? "";
    case "native":
      return textOfValue(part.value);
    default:
      return `(${part.modality})`;
  }
}

const resultIn = (response: unknown): string =>
  toolContentOf(response)?.map(textOfPart).join("\n") ?? textOfValue(response);
