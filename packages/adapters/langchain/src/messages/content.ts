import type { MessageContent } from "@langchain/core/messages";
import { type Part, textOf, toolCallsOf } from "@suite/core";
import { toolContentOf } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { blockOf } from "./blocks.js";
import { type Metadata, nativeFormOf } from "./metadata.js";

/** Converts parts to content: a string if there is only text, otherwise blocks. */
export function contentOf(parts: readonly Part[]): MessageContent {
  const content = parts.filter((part) => blockOf(part) !== undefined && !isMetadata(part));
  const textOnly = content.every((part) => part.type === "text" && !("block" in nativeFormOf(part)));
  return textOnly ? textOf(content) : (content.map(blockOf) as MessageContent);
}

/** Returns the tool calls of an answer as LangChain's two lists. */
export function callFieldsOf(parts: readonly Part[]) {
  const calls = toolCallsOf(parts);
  const invalid = calls.filter((call) => !isRecord(call.arguments));
  return {
    tool_calls: calls.flatMap(({ id, name, arguments: args }) =>
      isRecord(args) ? { type: "tool_call" as const, id, name, args } : [],
    ),
    invalid_tool_calls: invalid.map(({ id, name, arguments: args }) => ({
      type: "invalid_tool_call" as const,
      id,
      name,
      args: typeof args === "string" ? args : JSON.stringify(args),
      error: "The arguments are not a JSON object.",
    })),
  };
}

/** Returns the metadata of a message's parts. Returns `undefined` if a layer removed it, or if it is absent. */
export function metadataIn([first]: readonly Part[]): Metadata | undefined {
  if (first === undefined) return undefined;
  const { metadata } = isMetadata(first) ? first.value : nativeFormOf(first);
  return isRecord(metadata) ? metadata : undefined;
}

type MetadataPart = Part & { readonly type: "native"; readonly value: { readonly metadata: unknown } };

/** True if the part contains only metadata. */
export const isMetadata = (part: Part): part is MetadataPart =>
  part.type === "native" && isRecord(part.value) && "metadata" in part.value && Object.keys(part.value).length === 1;

/** Returns the content of a tool's message as LangChain itself creates it. Content parts become blocks. */
export function toolMessageContent(response: unknown): string | MessageContent {
  if (typeof response === "string") return response;
  const parts = toolContentOf(response);
  if (parts !== undefined) return contentOf(parts);
  const blocks =
    Array.isArray(response) && response.length > 0 && response.every((item) => isRecord(item) && "type" in item);
  return blocks ? (response as MessageContent) : (JSON.stringify(response) ?? "");
}
