import { type Message, type Part, type Tool, toolContentOf } from "@suite/core";

/** A part of a message as OpenTelemetry's GenAI schemas of messages have it: its own fields in snake_case, what is in them as it is, and without `native`, the framework's own object. */
export function partToOtel(part: Part): Record<string, unknown> {
  switch (part.type) {
    case "server_tool_call": {
      const { native: _, serverToolCall, ...rest } = part;
      return Object.assign(rest, { server_tool_call: serverToolCall });
    }
    case "server_tool_call_response": {
      const { native: _, serverToolCallResponse, ...rest } = part;
      return Object.assign(rest, { server_tool_call_response: serverToolCallResponse });
    }
    case "tool_call_response": {
      const { native: _, response, isError, ...rest } = part;
      // JSON has no `undefined`, and the schema requires the field.
      const said: Record<string, unknown> = Object.assign(rest, { response: resultToOtel(response) ?? null });
      if (isError) said.is_error = true;
      return said;
    }
    case "blob":
    case "uri": {
      const { native: _, mimeType, ...rest } = part;
      return mimeType === undefined ? rest : Object.assign(rest, { mime_type: mimeType });
    }
    case "file": {
      const { native: _, mimeType, fileId, ...rest } = part;
      const said: Record<string, unknown> = Object.assign(rest, { file_id: fileId });
      if (mimeType !== undefined) said.mime_type = mimeType;
      return said;
    }
    case "reasoning":
      // A signature is an opaque proof for the provider: of no use to a reader, and often large.
      return { type: "reasoning", content: part.content };
    default: {
      const { native: _, ...rest } = part as Part & { readonly native?: unknown };
      return rest;
    }
  }
}

/** The result of a tool: of content its parts, as an object, and any other value as it is. */
export function resultToOtel(result: unknown): unknown {
  const parts = toolContentOf(result);
  return parts === undefined ? result : { content: parts.map(partToOtel) };
}

/** A message as those schemas have it, as a plain object. */
export const messageToOtel = (message: Message): Record<string, unknown> => ({
  role: message.role,
  parts: message.parts.map(partToOtel),
  ...(message.name !== undefined && { name: message.name }),
});

/** The definition of a tool as the model was offered it: name, description, JSON Schema of its parameters. */
export const toolToOtel = (tool: Tool): Record<string, unknown> => ({
  type: "function",
  name: tool.name,
  ...(tool.description !== undefined && { description: tool.description }),
  ...(tool.parameters !== undefined && { parameters: tool.parameters }),
});
