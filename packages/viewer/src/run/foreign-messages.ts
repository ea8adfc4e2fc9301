import { isRecord } from "@suite/kit";
import type { ChatMessage, MessagePart, Parts } from "./message.js";
import type { Attributes, Span } from "./span.js";

/** The attributes of other senders for the input of a model, as JSON. */
const inputs = [
  "ai.prompt.messages",
  "ai.prompt",
  "gen_ai.prompt",
  "langfuse.observation.input",
  "pydantic_ai.all_messages",
  "gcp.vertex.agent.llm_request",
  "input.value",
  "traceloop.entity.input",
];
/** The attributes of other senders for the output of a model, as JSON or as plain text. */
const outputs = [
  "gen_ai.completion",
  "langfuse.observation.output",
  "gcp.vertex.agent.llm_response",
  "output.value",
  "traceloop.entity.output",
];
/** The prefixes of messages that are written as one attribute per field: `llm.input_messages.0.message.role`. */
const flatInputs = ["llm.input_messages.", "gen_ai.prompt."];
const flatOutputs = ["llm.output_messages.", "gen_ai.completion."];

/** The most messages, and the deepest nesting, that are read from one span. */
const MOST_MESSAGES = 2000;
const DEEPEST = 8;

type Json = Readonly<Record<string, unknown>>;

/** Returns the messages of a span whose sender uses custom attribute names for them. */
export function foreignParts({ attributes, events }: Span): Parts {
  const input = firstOf([
    ...flatInputs.map((prefix) => () => flatMessages(attributes, prefix)),
    ...inputs.map((key) => () => messagesIn(attributes[key], "user")),
    () => eventMessages(events, /^gen_ai\.(system|user|assistant|tool)\.message$/),
  ]);
  const output = firstOf([
    ...flatOutputs.map((prefix) => () => flatMessages(attributes, prefix)),
    () => answerOfSdk(attributes),
    ...outputs.map((key) => () => messagesIn(attributes[key], "assistant")),
    () => eventMessages(events, /^gen_ai\.choice$/),
  ]);
  return { input: input.slice(0, MOST_MESSAGES), output: output.slice(0, MOST_MESSAGES) };
}

function firstOf(reads: readonly (() => readonly ChatMessage[])[]): readonly ChatMessage[] {
  for (const read of reads) {
    const found = read();
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the answer of the AI SDK 6: its text, its tool calls, or its object. */
function answerOfSdk(attributes: Attributes): readonly ChatMessage[] {
  const text = attributes["ai.response.text"] ?? attributes["ai.response.object"];
  const calls = parsed(attributes["ai.response.toolCalls"]);
  const parts = [
    ...(typeof text === "string" && text !== "" ? [textPart(text)] : []),
    ...(Array.isArray(calls) ? calls.filter(isRecord).map(callPart) : []),
  ];
  return parts.length === 0 ? [] : [{ role: "assistant", parts }];
}

/** Reads events of the first GenAI conventions: one message each. */
function eventMessages(events: Span["events"], name: RegExp): readonly ChatMessage[] {
  return events.flatMap(({ name: eventName, attributes }) => {
    const [, role = "assistant"] = name.exec(eventName) ?? [];
    if (!name.test(eventName)) return [];
    return messagesIn(attributes.message ?? { ...attributes, role }, role);
  });
}

/** Reads messages from attributes such as `PREFIX0.message.role`, `PREFIX0.content`, `PREFIX0.tool_calls.0.name`. */
function flatMessages(attributes: Attributes, prefix: string): readonly ChatMessage[] {
  const messages: Json[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(prefix)) continue;
    const [index = "", ...path] = key.slice(prefix.length).split(".");
    if (!/^\d{1,4}$/.test(index) || Number(index) >= MOST_MESSAGES) continue;
    messages[Number(index)] ??= {};
    setAt(messages[Number(index)] as Record<string, unknown>, path[0] === "message" ? path.slice(1) : path, value);
  }
  return messages.filter(isRecord).flatMap((message) => messageIn(message, ""));
}

/**
 * Sets a value at a path in objects. `tool_call` and `message_content` are wrappers without meaning and are skipped.
 */
function setAt(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const steps = path.filter((step) => step !== "tool_call" && step !== "message_content").slice(0, DEEPEST);
  let at = into;
  for (const step of steps.slice(0, -1)) {
    const next = Object.hasOwn(at, step) && isRecord(at[step]) ? at[step] : Object.create(null);
    at[step] = next;
    at = next as Record<string, unknown>;
  }
  const last = steps.at(-1);
  if (last !== undefined && last !== "__proto__") at[last] = value;
}

/**
 * Returns the messages in a value: JSON of a list of messages, of a request or response with such a list, or plain
 * text.
 */
function messagesIn(value: unknown, role: string, depth = 0): readonly ChatMessage[] {
  if (depth > DEEPEST) return [];
  const read = parsed(value);
  if (typeof read === "string") return read === "" ? [] : [{ role, parts: [textPart(read)] }];
  if (Array.isArray(read)) return read.slice(0, MOST_MESSAGES).flatMap((each) => messagesIn(each, role, depth + 1));
  if (!isRecord(read)) return [];
  const system = typeof read.system === "string" ? [{ role: "system", parts: [textPart(read.system)] }] : [];
  for (const list of ["messages", "contents", "choices", "generations", "candidates"])
    if (Array.isArray(read[list])) return [...system, ...messagesIn(read[list], role, depth + 1)];
  for (const member of ["message", "content", "kwargs"])
    if (isRecord(read[member]) && !Array.isArray(read[member]))
      return messagesIn({ ...(member === "kwargs" && { role: roleIn(read) }), ...read[member] }, role, depth + 1);
  if (typeof read.prompt === "string") return [...system, { role, parts: [textPart(read.prompt)] }];
  return messageIn(read, role);
}

const roles: Readonly<Record<string, string>> = {
  human: "user",
  ai: "assistant",
  model: "assistant",
  HumanMessage: "user",
  AIMessage: "assistant",
  AIMessageChunk: "assistant",
  SystemMessage: "system",
  ToolMessage: "tool",
};

/** Returns the role of a message, or the role that its LangChain class or type implies. */
function roleIn({ role, type, id }: Json): string | undefined {
  const named = typeof role === "string" ? role : Array.isArray(id) ? id.at(-1) : type;
  if (typeof named !== "string" || (named !== role && !Object.hasOwn(roles, named) && named !== "system"))
    return undefined;
  return Object.hasOwn(roles, named) ? roles[named] : named;
}

function messageIn(message: Json, role: string): readonly ChatMessage[] {
  const parts = [
    ...contentParts(message.parts ?? message.contents ?? message.content ?? message.text),
    ...callsOf(message),
  ];
  const call = message.tool_call_id ?? message.toolCallId;
  const messageRole = roleIn(message) ?? role;
  if (typeof call === "string" && messageRole === "tool") {
    const response = parts.map(({ content }) => content).join("\n");
    return [{ role: messageRole, parts: [{ type: "tool_call_response", id: call, response }] }];
  }
  return parts.length === 0 ? [] : [{ role: messageRole, parts }];
}

const callsOf = ({ tool_calls: calls }: Json): readonly MessagePart[] =>
  (Array.isArray(calls) ? calls : isRecord(calls) ? Object.values(calls) : []).filter(isRecord).map(callPart);

function contentParts(content: unknown): readonly MessagePart[] {
  const read = typeof content === "string" && content.startsWith("[") ? parsed(content) : content;
  if (typeof read === "string") return read === "" ? [] : [textPart(read)];
  const list = Array.isArray(read) ? read : isRecord(read) ? Object.values(read) : [];
  return list.slice(0, MOST_MESSAGES).map((part) => (isRecord(part) ? partOf(part) : textPart(String(part))));
}

/** Converts a part to the form of the conventions. A part of an unknown kind is returned unchanged. */
function partOf(part: Json): MessagePart {
  const { type, text } = part;
  if (typeof text === "string") return type === "reasoning" ? { type, content: text } : textPart(text);
  if (type === "tool-call" || type === "tool_use") return callPart(part);
  if (type === "tool-result" || type === "tool_result") {
    const response = part.output ?? part.result ?? part.content;
    return { type: "tool_call_response", id: part.toolCallId ?? part.tool_use_id, response };
  }
  return part;
}

function callPart(call: Json): MessagePart {
  const of = isRecord(call.function) ? call.function : call;
  return {
    type: "tool_call",
    id: call.id ?? call.toolCallId,
    name: of.name ?? of.toolName,
    arguments: parsed(of.arguments ?? of.input ?? of.args),
  };
}

const textPart = (content: string): MessagePart => ({ type: "text", content });

/** Parses a string that is JSON of a list or an object. Returns any other value unchanged. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
