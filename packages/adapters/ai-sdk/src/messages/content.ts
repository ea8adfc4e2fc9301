import type { Part, Redactor } from "@suite/core";
import type { ReasoningPart, ToolCallPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { Content } from "../framework.js";
import { filePart } from "./file.js";
import { type Annotated, remainingMetadata, unsigned } from "./metadata.js";
import { signatureOf } from "./signature.js";

/** Converts a part of a model's answer to a neutral part. */
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
 * Converts a neutral part to a part of a model's answer.
 *
 * @param source the original part, if a layer has changed it. Its ids and signatures stay. The rest of its metadata
 * passes through the redactor, because it may contain the removed text.
 */
export function contentOf(part: Part, source?: Content, redactor?: Redactor): Content | undefined {
  const metadata = source === undefined ? {} : remainingMetadata(source, redactor);
  switch (part.type) {
    case "text":
      return { type: part.type, text: part.content, ...(source?.type === "text" && metadata) };
    case "reasoning":
      return { type: part.type, text: part.content, ...(source?.type === "reasoning" && signedAs(part, metadata)) };
    case "tool_call":
      return callContent(part, source, metadata);
    case "server_tool_call":
      if (source?.type !== "tool-call") return undefined;
      return { ...source, ...metadata, input: jsonOf(part.serverToolCall.arguments) };
    case "server_tool_call_response":
      if (source?.type !== "tool-result") return undefined;
      return { ...source, ...metadata, result: (part.serverToolCallResponse.result ?? "") as never };
    case "blob":
      return { type: "file", data: part.content as never, mediaType: part.mimeType ?? "application/octet-stream" };
    case "native":
      return isRecord(part.value) && "type" in part.value ? (part.value as unknown as Content) : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the metadata of reasoning. If a layer removed the signature, the signed text has changed, so all signatures
 * are removed.
 */
function signedAs({ signature }: ReasoningPart, metadata: Annotated): Annotated {
  const { providerMetadata } = metadata;
  return signature === undefined && providerMetadata !== undefined
    ? { providerMetadata: unsigned(providerMetadata) }
    : metadata;
}

function callContent(part: ToolCallPart, source: Content | undefined, metadata: Annotated): Content {
  const dynamic = source?.type === "tool-call" && source.dynamic !== undefined ? { dynamic: source.dynamic } : {};
  const input = jsonOf(part.arguments);
  const sourceMetadata = source?.type === "tool-call" ? metadata : {};
  return { type: "tool-call", toolCallId: part.id, toolName: part.name, input, ...dynamic, ...sourceMetadata };
}

/** Parses the arguments that a model wrote. Returns the string itself if it is not JSON. */
export function parsed(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

export const jsonOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "{}"));
