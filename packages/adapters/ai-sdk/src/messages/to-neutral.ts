import type { Message, Part } from "@suite/core";
import { rememberConversion } from "@suite/core/adapter";
import type { Role } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { filePart } from "./file.js";
import { signatureOf } from "./signature.js";

/** A message in the form of users or of models. They differ in the type of `content`. */
export interface FrameworkMessage {
  readonly role: string;
  readonly content: unknown;
  readonly providerOptions?: unknown;
}

/** Converts a message to the neutral form. An unchanged message returns the same object as before. */
export const toMessage: (message: FrameworkMessage) => Message = rememberConversion(readMessage, (message) => [
  message.role,
  message.providerOptions,
  ...(Array.isArray(message.content) ? message.content : [message.content]),
]);

/** Converts a message without looking for an earlier result. */
export function readMessage(message: FrameworkMessage): Message {
  const { role, content, providerOptions } = message;
  const parts =
    typeof content === "string"
      ? [{ type: "text" as const, content }]
      : (Array.isArray(content) ? content : []).map((part: unknown) => toPart(part, role));
  return { role: role as Role, parts, ...(providerOptions !== undefined && { native: providerOptions }) };
}

/** Returns the original part, only if it has more fields than the neutral part. */
function nativeOf(part: Readonly<Record<string, unknown>>): { readonly native?: unknown } {
  return part.providerOptions === undefined && part.filename === undefined ? {} : { native: part };
}

function toPart(part: unknown, role: string): Part {
  if (!isRecord(part)) return { type: "native", value: part };
  const native = nativeOf(part);
  const id = String(part.toolCallId);
  switch (part.type) {
    case "text":
      return { type: "text", content: String(part.text), ...native };
    case "reasoning": {
      const signature = signatureOf(part.providerOptions);
      return {
        type: "reasoning",
        content: String(part.text),
        ...(signature !== undefined && { signature }),
        ...native,
      };
    }
    case "image":
      return filePart(part.image, mediaTypeOf(part) ?? "image/*", part);
    case "file":
      return filePart(part.data, mediaTypeOf(part), part);
    case "tool-call":
      if (part.providerExecuted === true) {
        const serverToolCall = { type: String(part.toolName), arguments: part.input };
        return { type: "server_tool_call", id, name: String(part.toolName), serverToolCall, ...native };
      }
      return { type: "tool_call", id, name: String(part.toolName), arguments: part.input, ...native };
    case "tool-result":
      if (role === "assistant") {
        const serverToolCallResponse = { type: String(part.toolName), output: part.output };
        return { type: "server_tool_call_response", id, serverToolCallResponse, ...native };
      }
      return { type: "tool_call_response", id, ...responseOf(part.output), ...native };
    default:
      return { type: "native", value: part };
  }
}

const mediaTypeOf = (part: Readonly<Record<string, unknown>>): string | undefined =>
  typeof part.mediaType === "string" ? part.mediaType : undefined;

/** Returns a tool's response without the framework's envelope. */
function responseOf(output: unknown): { readonly response: unknown; readonly isError?: boolean } {
  if (!isRecord(output)) return { response: output };
  const { type, value, reason } = output;
  if (type === "execution-denied") return { response: reason ?? "Denied.", isError: true };
  return { response: value, ...((type === "error-text" || type === "error-json") && { isError: true }) };
}
