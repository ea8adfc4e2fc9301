import type { Part, ToolCallPart } from "@suite/core";
import { type Content, isRecord } from "../framework.js";
import { filePart } from "./file.js";
import { signatureOf } from "./signature.js";

/** A part of a model's answer, as it is read. */
export function partOf(content: Content): Part {
  const native = content.providerMetadata === undefined ? {} : { native: content };
  switch (content.type) {
    case "text":
      return { type: "text", content: content.text, ...native };
    case "reasoning": {
      const signature = signatureOf(content.providerMetadata);
      return { type: "reasoning", content: content.text, ...(signature !== undefined && { signature }), ...native };
    }
    case "file":
      return filePart(content.data, content.mediaType, content);
    case "tool-call": {
      const { toolCallId: id, toolName: name, input } = content;
      if (content.providerExecuted !== true)
        return { type: "tool_call", id, name, arguments: parsed(input), ...native };
      return {
        type: "server_tool_call",
        id,
        name,
        serverToolCall: { type: name, arguments: parsed(input) },
        ...native,
      };
    }
    case "tool-result": {
      const { toolCallId: id, toolName, result } = content;
      const serverToolCallResponse = { type: toolName, result };
      return { type: "server_tool_call_response", id, serverToolCallResponse, ...native };
    }
    default:
      return { type: "native", value: content };
  }
}

/**
 * A part as a model would have answered it.
 *
 * @param source what it was read from, where a layer has changed it: its metadata may hold what was taken out, so only what
 *   names things is kept of it.
 */
export function contentOf(part: Part, source?: Content): Content | undefined {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.content };
    case "tool_call":
      return callContent(part, source);
    case "server_tool_call":
      if (source?.type !== "tool-call") return undefined;
      return { ...plain(source), input: jsonOf(part.serverToolCall.arguments) };
    case "server_tool_call_response":
      if (source?.type !== "tool-result") return undefined;
      return { ...plain(source), result: (part.serverToolCallResponse.result ?? "") as never };
    case "blob":
      return { type: "file", data: part.content as never, mediaType: part.mimeType ?? "application/octet-stream" };
    case "native":
      return isRecord(part.value) && "type" in part.value ? (part.value as unknown as Content) : undefined;
    default:
      return undefined;
  }
}

function callContent(part: ToolCallPart, source: Content | undefined): Content {
  const dynamic = source?.type === "tool-call" && source.dynamic !== undefined ? { dynamic: source.dynamic } : {};
  const input = jsonOf(part.arguments);
  return { type: "tool-call", toolCallId: part.id, toolName: part.name, input, ...dynamic };
}

function plain<T extends Content>(content: T): Omit<T, "providerMetadata"> {
  const { providerMetadata: _, ...rest } = content;
  return rest;
}

/** The arguments that a model wrote, parsed; a text that is no JSON stays that text. */
export function parsed(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

export const jsonOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "{}"));
