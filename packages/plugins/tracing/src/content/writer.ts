import type { Message, Part, Redactor, Tool } from "@suite/core";
import { toolContentOf } from "@suite/core/messages";
import { cut, type Fitted, fitJson } from "./json.js";

/**
 * Writes content as JSON by the GenAI schemas, since span attributes of the JavaScript SDK cannot hold objects. Content
 * is redacted first and shortened afterwards, so that no partial value escapes the redactor. The result is always valid
 * JSON, and the newest content is kept.
 */
export class ContentWriter {
  /** True if content was left out or shortened. */
  truncated = false;
  readonly #redactor: Redactor | undefined;
  readonly #limit: number;

  constructor(redactor: Redactor | undefined, limit: number) {
    this.#redactor = redactor;
    this.#limit = limit;
  }

  /** `gen_ai.input.messages`, `gen_ai.output.messages`. */
  messages(messages: readonly Message[]): string {
    return this.#newest(messages, messageToOtel);
  }

  /** `gen_ai.system_instructions`: the parts of the system message. */
  instructions(message: Message): string {
    return this.#newest(message.parts, partToOtel);
  }

  /** `gen_ai.tool.definitions`. */
  definitions(tools: readonly Tool[]): string {
    return this.#newest(tools, toolToOtel);
  }

  /** `gen_ai.retrieval.documents`: a JSON list of values, beginning with the first. */
  list(values: readonly unknown[]): string {
    return this.#newest(
      [...values].reverse(),
      (value) => value,
      (items) => items,
    );
  }

  /**
   * `gen_ai.tool.call.arguments`, `gen_ai.tool.call.result`: the schemas require an object, so any other value is
   * wrapped in one.
   */
  object(value: unknown): string {
    const redacted = this.#redacted(resultToOtel(value)) ?? null;
    const direct = fitJson(redacted, this.#limit);
    // The JSON type is known only after serialization: a `toJSON` may return anything.
    const fitted = direct?.json.startsWith("{") ? direct : fitJson({ value: redacted }, this.#limit);
    return this.#note(fitted)?.json ?? "{}";
  }

  /** A value of the suite's custom attributes: a string unchanged, anything else as JSON. */
  text(value: unknown): string {
    const redacted = this.#redacted(value) ?? null;
    if (typeof redacted !== "string") return this.#note(fitJson(redacted, this.#limit))?.json ?? "";
    this.truncated ||= redacted.length > this.#limit;
    return cut(redacted, this.#limit);
  }

  /**
   * Returns a JSON list of the items that fit, starting with the last. It ends at the first item that has to be
   * shortened.
   */
  #newest<T>(
    items: readonly T[],
    toOtel: (item: T) => unknown,
    inOrder = (kept: string[]): string[] => kept.reverse(),
  ): string {
    const kept: string[] = [];
    let remaining = this.#limit - "[]".length;
    for (let i = items.length - 1; i >= 0; i--) {
      const fitted = this.#note(fitJson(this.#redacted(toOtel(items[i] as T)), remaining));
      if (fitted !== undefined) kept.push(fitted.json);
      if (!fitted?.complete) break;
      remaining -= fitted.json.length + ",".length;
    }
    return `[${inOrder(kept).join(",")}]`;
  }

  #note(fitted: Fitted | undefined): Fitted | undefined {
    this.truncated ||= !fitted?.complete;
    return fitted;
  }

  #redacted(value: unknown): unknown {
    return this.#redactor === undefined ? value : this.#redactor.value(value);
  }
}

/**
 * Converts a part of a message to OpenTelemetry's GenAI schemas of messages: field names in snake_case, values
 * unchanged, and without `native`, the framework's object.
 */
function partToOtel(part: Part): Record<string, unknown> {
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
      const fields: Record<string, unknown> = Object.assign(rest, { response: resultToOtel(response) ?? null });
      if (isError) fields.is_error = true;
      return fields;
    }
    case "blob":
    case "uri": {
      const { native: _, mimeType, ...rest } = part;
      return mimeType === undefined ? rest : Object.assign(rest, { mime_type: mimeType });
    }
    case "file": {
      const { native: _, mimeType, fileId, ...rest } = part;
      const fields: Record<string, unknown> = Object.assign(rest, { file_id: fileId });
      if (mimeType !== undefined) fields.mime_type = mimeType;
      return fields;
    }
    case "reasoning":
      // A signature is an opaque proof for the provider. It is useless to a reader, and often large.
      return { type: "reasoning", content: part.content };
    default: {
      if (!("native" in part)) return part as Part & Record<string, unknown>;
      const { native: _, ...rest } = part as Part & { readonly native?: unknown };
      return rest;
    }
  }
}

/** Returns the result of a tool: an object with parts for content, any other value unchanged. */
function resultToOtel(result: unknown): unknown {
  const parts = toolContentOf(result);
  return parts === undefined ? result : { content: parts.map(partToOtel) };
}

/** Converts a message to those schemas. */
const messageToOtel = (message: Message): Record<string, unknown> => ({
  role: message.role,
  parts: message.parts.map(partToOtel),
  ...(message.name !== undefined && { name: message.name }),
});

/**
 * Converts the definition of a tool that was offered to the model: name, description, JSON Schema of its parameters.
 */
const toolToOtel = (tool: Tool): Record<string, unknown> => ({
  type: "function",
  name: tool.name,
  ...(tool.description !== undefined && { description: tool.description }),
  ...(tool.parameters !== undefined && { parameters: tool.parameters }),
});
