import type { Message, Part, Role, TextPart, ToolCallPart, ToolCallResponsePart } from "./message.js";

/** A text part. */
export const text = (content: string): TextPart => ({ type: "text", content });

/** A tool call part. `args` is parsed JSON. */
export const toolCall = (id: string, name: string, args: unknown): ToolCallPart => ({
  type: "tool_call",
  id,
  name,
  arguments: args,
});

/** The answer to the tool call of this id. `isError`: `response` is the short message that the model is given. */
export const toolCallResponse = (
  id: string,
  response: unknown,
  options: { readonly isError?: boolean } = {},
): ToolCallResponsePart => ({ type: "tool_call_response", id, response, ...(options.isError && { isError: true }) });

/**
 * A message of text, or of these parts.
 *
 * @example
 * ```ts
 * message("user", "Where is my order?");
 * message("tool", [toolCallResponse("call_1", { status: "shipped" })]);
 * ```
 */
export const message = (role: Role, content: string | readonly Part[]): Message => ({
  role,
  parts: typeof content === "string" ? [text(content)] : content,
});

/**
 * A copy of a request with some fields replaced: requests are never mutated.
 *
 * @example
 * ```ts
 * invocation.request = override(invocation.request, { toolChoice: "none" });
 * ```
 */
export const override = <R extends object>(request: R, changes: Partial<R>): R => ({ ...request, ...changes });
