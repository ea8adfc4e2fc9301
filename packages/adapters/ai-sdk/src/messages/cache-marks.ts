import type { ModelRequest } from "@suite/core";
import type { CacheMark } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import type { PromptMessage } from "../framework.js";

/**
 * Returns the prompt with the cache marks of a request, in the form of the framework's Anthropic provider. Other
 * providers ignore them.
 */
export function withMarks(
  prompt: readonly PromptMessage[],
  { messages, cacheMarks = [] }: ModelRequest,
): readonly PromptMessage[] {
  if (cacheMarks.length === 0) return prompt;
  const marks = new Map(cacheMarks.map((mark) => [mark.after, mark]));
  return prompt.map((each, index) => {
    const after = messages[index];
    const mark = after === undefined ? undefined : marks.get(after);
    return mark === undefined ? each : marked(each, mark);
  });
}

function marked(message: PromptMessage, { ttl }: CacheMark): PromptMessage {
  const { providerOptions = {} } = message;
  const anthropic = isRecord(providerOptions.anthropic) ? providerOptions.anthropic : {};
  const cacheControl = { type: "ephemeral", ...(ttl !== undefined && { ttl }) };
  return { ...message, providerOptions: { ...providerOptions, anthropic: { ...anthropic, cacheControl } } };
}
