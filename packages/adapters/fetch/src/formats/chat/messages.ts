import { type Message, type Part, type Role, type ToolCallPart, toolContentOf } from "@suite/core";
import { type Json, jsonOf, objectsOf, parsed, stringOf, textOfValue, unknownFields } from "../../json.js";
import type { Outgoing, Remember } from "../../neutral/format.js";
import { contentPart, writeContent } from "./content.js";

const roles: Readonly<Record<string, Role>> = {
  __proto__: null as never,
  system: "system",
  developer: "system",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};

const known: ReadonlySet<string> = new Set([
  ...["role", "content", "name", "refusal", "tool_calls", "tool_call_id", "function_call"],
  ...["reasoning_content", "reasoning"],
]);

/** A message of a history. */
export function messageOf(wire: Json, remember: Remember): Message {
  const extra = unknownFields(wire, known);
  const role = roles[stringOf(wire.role)] ?? "user";
  const parts = role === "tool" ? [answerOf(wire)] : [...saidIn(wire, remember), ...callsIn(wire, remember)];
  return remember(
    {
      role,
      parts,
      ...(typeof wire.name === "string" && role !== "tool" && { name: wire.name }),
      ...(extra && { native: wire }),
    },
    wire,
  );
}

const answerOf = (wire: Json): Part => ({
  type: "tool_call_response",
  id: stringOf(wire.tool_call_id ?? wire.name),
  response: wire.content ?? "",
});

function saidIn(wire: Json, remember: Remember): readonly Part[] {
  const thoughts = new Set([stringOf(wire.reasoning_content), stringOf(wire.reasoning)]);
  const refusal = stringOf(wire.refusal);
  return [
    ...[...thoughts].flatMap((content) => (content === "" ? [] : [{ type: "reasoning", content } as const])),
    ...(typeof wire.content === "string" ? [textPart({ type: "text", text: wire.content }, remember)] : []),
    ...objectsOf(wire.content).map((piece) => remember(contentPart(piece), piece)),
    ...(refusal === "" ? [] : [textPart({ type: "refusal", refusal }, remember)]),
  ];
}

const textPart = (wire: Json, remember: Remember): Part => remember(contentPart(wire), wire);

function callsIn(wire: Json, remember: Remember): readonly Part[] {
  const old = wire.function_call === undefined || wire.function_call === null ? undefined : jsonOf(wire.function_call);
  return [
    ...objectsOf(wire.tool_calls).map((call) => remember(callPart(call), call)),
    ...(old === undefined ? [] : [callPart({ id: old.name, function: old })]),
  ];
}

export const ofCall: ReadonlySet<string> = new Set(["id", "type", "index", "function", "custom"]);

/** A call of a function, or of a custom tool, whose input is text. What it says beside is there for guards to see. */
function callPart(wire: Json): ToolCallPart {
  const { name, arguments: args } = jsonOf(wire.function ?? wire.custom);
  const input = wire.custom === undefined ? parsed(args) : stringOf(jsonOf(wire.custom).input);
  const extra = unknownFields(wire, ofCall) && { native: wire };
  return { type: "tool_call", id: stringOf(wire.id), name: stringOf(name), arguments: input, ...extra };
}

/** The call of a part that was changed, or made by a layer. */
export const writeCall = ({ id, name, arguments: args }: ToolCallPart, custom = false): Json =>
  custom
    ? { id, type: "custom", custom: { name, input: textOfValue(args) } }
    : { id, type: "function", function: { name, arguments: textOfValue(args ?? {}) } };

/** The messages of the wire for one neutral message: several, where several tools answer in it. */
export function writeMessage({ message, same, before, origin }: Outgoing): readonly unknown[] {
  if (same !== undefined) return [same];
  const { role, parts } = message;
  const wire = jsonOf(before);
  const answers = parts.flatMap((part) => (part.type === "tool_call_response" ? [part] : []));
  if (answers.length > 0) {
    const old = wire.role === "function";
    return answers.map(({ id, response }) => {
      const content = Array.isArray(response) ? response : textOfResult(response);
      return old ? { role: "function", name: id, content } : { role: "tool", tool_call_id: id, content };
    });
  }
  const head = {
    role: typeof wire.role === "string" ? wire.role : role,
    ...(message.name !== undefined && { name: message.name }),
  };
  const content = contentOf(parts, origin, Array.isArray(wire.content));
  if (role !== "assistant") return [{ ...head, content: content ?? "" }];
  return [{ ...head, content, ...thoughtOf(parts, wire), ...signedDetails(wire), ...callsOf(parts, origin, wire) }];
}

/** A tool's answer as text, which is all that the API takes of one: of an image or another file it says that there is one. */
const textOfResult = (response: unknown): string =>
  toolContentOf(response)
    ?.map((part) => (part.type === "text" ? part.content : `[${part.mimeType ?? part.modality}]`))
    .join("\n") ?? textOfValue(response);

function contentOf(parts: readonly Part[], origin: Outgoing["origin"], asList: boolean): unknown {
  const said = parts.filter(({ type }) => type !== "tool_call" && type !== "reasoning");
  const [first] = said;
  if (first === undefined) return null;
  const content = said.map((part) => origin(part) ?? writeContent(part));
  if (asList || said.length > 1 || first.type !== "text" || jsonOf(content[0]).type !== "text") return content;
  return first.content;
}

function thoughtOf(parts: readonly Part[], wire: Json): Json {
  const thought = parts.map((part) => (part.type === "reasoning" ? part.content : "")).join("");
  return thought === "" ? {} : { ["reasoning" in wire ? "reasoning" : "reasoning_content"]: thought };
}

/** OpenRouter's details of reasoning, if the provider behind it signed them. */
function signedDetails({ reasoning_details: details }: Json): Json {
  return objectsOf(details).some(({ signature, data }) => signature || data) ? { reasoning_details: details } : {};
}

function callsOf(parts: readonly Part[], origin: Outgoing["origin"], wire: Json): Json {
  const calls = parts.flatMap((part) => (part.type === "tool_call" ? [part] : []));
  if (calls.length === 0) return {};
  const [first] = calls;
  if (wire.function_call && first) return { function_call: writeCall(first).function };
  return { tool_calls: calls.map((part) => origin(part) ?? changedCall(part, wire)) };
}

/** A changed call in its place in the history. One that its provider signed goes back as it was. */
function changedCall(part: ToolCallPart, wire: Json): Json {
  const before = objectsOf(wire.tool_calls).find(({ id }) => id === part.id);
  if (before?.extra_content) return before;
  return { ...before, ...writeCall(part, before?.type === "custom") };
}
