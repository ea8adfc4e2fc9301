import type { Message, Part, Redactor } from "@suite/core";
import { sourcesOf } from "@suite/core/adapter";
import { isRecord } from "@suite/kit";
import { redactedMetadata } from "./metadata.js";
import type { FrameworkMessage } from "./to-neutral.js";

type Fields = Readonly<Record<string, unknown>>;

/** A converted history: its neutral messages, and the framework's original messages. */
export interface ReadHistory {
  readonly originals: readonly FrameworkMessage[];
  readonly messages: readonly Message[];
  /** The run's redactor for provider options of changed messages. */
  readonly redactor?: Redactor | undefined;
}

/**
 * Converts the messages of the layers to the framework's form. A changed message is merged into a copy of the original,
 * if that is known. Its provider options are kept after redaction.
 */
export function fromMessages(history: ReadHistory, changed: readonly Message[]): readonly FrameworkMessage[] {
  const { messages } = history;
  if (changed === messages) return history.originals;
  if (changed.length === messages.length && changed.every((message, index) => message === messages[index])) {
    return history.originals;
  }
  const originals = new Map(history.messages.map((message, index) => [message, history.originals[index]]));
  const aligned = changed.length === history.messages.length;
  const names = toolNames(changed);
  return changed.map((message, index) => {
    const same = originals.get(message);
    if (same !== undefined) return same;
    const before = aligned ? history.messages[index] : undefined;
    const original = before?.role === message.role ? history.originals[index] : undefined;
    return fromMessage(message, original, before, names, history.redactor);
  });
}

function fromMessage(
  message: Message,
  original: FrameworkMessage | undefined,
  before: Message | undefined,
  names: ReadonlyMap<string, string>,
  redactor: Redactor | undefined,
): FrameworkMessage {
  const { role, parts } = message;
  const providerOptions = original?.providerOptions;
  const options =
    providerOptions === undefined
      ? {}
      : { providerOptions: providerOptions === message.native ? providerOptions : redacted(providerOptions, redactor) };
  if (role === "system") {
    return { role, content: parts.map((part) => (part.type === "text" ? part.content : "")).join(""), ...options };
  }
  const list = Array.isArray(original?.content) ? (original.content as readonly unknown[]) : [];
  const read = new Map(before?.parts.map((part, index) => [part, list[index]]));
  const sources = sourcesOf(parts, before?.parts ?? []);
  const content = parts.map((part, index) => {
    const was = sources[index];
    const source = was === undefined ? undefined : read.get(was);
    if (part === was && source !== undefined) return source;
    return fromPart(part, isRecord(source) ? source : {}, names, redactor);
  });
  return { role, content, ...options };
}

/** Converts a part, based on the original. */
function fromPart(part: Part, source: Fields, names: ReadonlyMap<string, string>, redactor?: Redactor): unknown {
  if ("native" in part && part.native !== undefined && part.native === source) return source;
  const { providerOptions } = source;
  const options = providerOptions === undefined ? {} : { providerOptions: redacted(providerOptions, redactor) };
  switch (part.type) {
    case "text":
    case "reasoning":
      return { ...options, type: part.type, text: part.content };
    case "tool_call":
      return { ...options, type: "tool-call", toolCallId: part.id, toolName: part.name, input: part.arguments };
    case "tool_call_response": {
      const toolName = names.get(part.id) ?? String(source.toolName ?? "unknown");
      const output = outputOf(part.response, part.isError === true, isRecord(source.output) ? source.output : {});
      return { ...options, type: "tool-result", toolCallId: part.id, toolName, output };
    }
    case "server_tool_call":
      return { ...source, ...options, input: part.serverToolCall.arguments };
    case "server_tool_call_response":
      return { ...source, ...options, output: part.serverToolCallResponse.output };
    case "blob":
      return { ...options, type: "file", data: part.content, mediaType: part.mimeType ?? "application/octet-stream" };
    case "uri":
      return {
        ...options,
        type: "file",
        data: new URL(part.uri),
        mediaType: part.mimeType ?? "application/octet-stream",
      };
    case "native":
      return part.value;
    default:
      return { type: "text", text: part.type === "compaction" ? (part.content ?? "") : "" };
  }
}

/** Returns a tool's result in its original envelope, if that still fits. */
function outputOf(response: unknown, isError: boolean, before: Fields): unknown {
  const { type } = before;
  if (type === "execution-denied") return { ...before, reason: textOf(response) };
  if (type === "content" && Array.isArray(response)) return { ...before, value: response };
  if (type === "json" || type === "error-json") return { ...before, value: response ?? null };
  if (typeof response !== "string") return { type: isError ? "error-json" : "json", value: response ?? null };
  return { type: isError ? "error-text" : "text", value: response };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));

/** Redacts provider options. Signatures and encrypted values stay unchanged. */
const redacted = (value: unknown, redactor: Redactor | undefined): unknown =>
  isRecord(value)
    ? redactedMetadata<{ readonly providerMetadata: unknown }>({ providerMetadata: value }, redactor).providerMetadata
    : value;

function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { parts } of messages)
    for (const part of parts) if (part.type === "tool_call") names.set(part.id, part.name);
  return names;
}
