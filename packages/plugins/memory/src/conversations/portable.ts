import type { Message, Part, Redactor } from "@suite/core";
import { type ContentPart, toolContent, toolContentOf } from "@suite/core/messages";

/**
 * Converts messages to the stored form: JSON only, without native framework objects and the system prompt, and redacted
 * if there is a redactor.
 */
export const portable = (messages: readonly Message[], redactor: Redactor | undefined): readonly Message[] =>
  messages
    .filter(({ role }) => role !== "system")
    .map(({ native: _, parts, ...rest }) => ({
      ...rest,
      parts: parts.flatMap((part) => storablePart(part, redactor)),
    }));

function storablePart(part: Part, redactor: Redactor | undefined): readonly Part[] {
  const portablePart = withoutNative(part);
  const clean = redactor === undefined ? portablePart : redacted(portablePart, redactor);
  return clean === undefined ? [] : asJson(clean);
}

function withoutNative(part: Part): Part {
  if (part.type === "native" || !("native" in part)) return part;
  const { native: _, ...rest } = part;
  return rest;
}

/** Redacts a part. Ids and names link calls to results and tools, and file bytes are not text, so they stay. */
function redacted(part: Part, redactor: Redactor): Part | undefined {
  if (part.type === "blob" || part.type === "file") return part;
  const content = part.type === "tool_call_response" ? toolContentOf(part.response) : undefined;
  if (part.type === "tool_call_response" && content !== undefined) {
    const clean = content.flatMap((each) => (redacted(each, redactor) as ContentPart | undefined) ?? []);
    return { ...part, response: toolContent(clean) };
  }
  const { type, ...fields } = part;
  const naming = { ...("id" in part && { id: part.id }), ...("name" in part && { name: part.name }) };
  const clean = { type, ...(redactor.value(fields) as object), ...naming } as Part;
  if (part.type !== "reasoning" || clean.type !== "reasoning" || part.signature === undefined) return clean;
  // A signed part must stay unchanged, otherwise it is dropped.
  return clean.content === part.content && clean.signature === part.signature ? clean : undefined;
}

/** Replaces tool arguments or results that are not JSON. */
const notStored = "(This could not be stored.)";

function asJson(part: Part): readonly Part[] {
  if (isJson(part)) return [part];
  if (part.type === "tool_call") return [{ ...part, arguments: notStored }].filter(isJson);
  if (part.type === "tool_call_response") return [{ ...part, response: notStored }].filter(isJson);
  return [];
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
