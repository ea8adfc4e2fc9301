import type { Message, Part, Role, TextPart, ToolCallPart, ToolCallResponsePart } from "./message.js";

/** Creates a part of type `text`. */
export const text = (content: string): TextPart => ({ type: "text", content });

/** Creates a tool call part. `args` is parsed JSON. */
export const toolCall = (id: string, name: string, args: unknown): ToolCallPart => ({
  type: "tool_call",
  id,
  name,
  arguments: args,
});

/**
 * Creates the response part for the tool call with this id. With `isError`, `response` is the short error message for
 * the model.
 */
export const toolCallResponse = (
  id: string,
  response: unknown,
  options: { readonly isError?: boolean } = {},
): ToolCallResponsePart => ({ type: "tool_call_response", id, response, ...(options.isError && { isError: true }) });

/**
 * Creates a message from a string or from parts.
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
 * Returns a copy of a request with some fields replaced. Requests are never mutated.
 *
 * @example
 * ```ts
 * invocation.request = override(invocation.request, { toolChoice: "none" });
 * ```
 */
export const override = <R extends object>(request: R, changes: Partial<R>): R => ({ ...request, ...changes });
