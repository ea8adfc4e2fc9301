import type { Message, Part } from "@suite/core";
import { type Role, type ToolCallPart, toolContentOf } from "@suite/core/messages";
import { chatSettings, toChatToolChoice } from "@suite/wire";
import { isJson, type Json, jsonOf, objectsOf, stringOf, textOfValue, unknownFields } from "../../json.js";
import { schemaIn, settingsIn, toolChoiceIn, toolsIn } from "../../neutral/fields.js";
import type { Outgoing, Remember, RequestFormat } from "../../neutral/format.js";
import { callShapes, contentShapes } from "./content.js";

/** The body of a request of `POST …/chat/completions`. */
export const request: RequestFormat = {
  turns: "messages",
  message: messageOf,
  write: writeMessage,
  tools: toolsIn({ inside: "function", parameters: "parameters", type: "function" }),
  toolChoice: toolChoiceIn(toChatToolChoice),
  settings: settingsIn(chatSettings, ["messages", "tools", "tool_choice", "response_format"]),
  outputSchema: schemaIn("response_format", "json_schema", { type: "json_schema" }, { name: "output" }),
};

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

/** Returns the message of a turn. */
function messageOf(wire: Json, remember: Remember): Message {
  const extra = unknownFields(wire, known);
  const role = roles[stringOf(wire.role)] ?? "user";
  const parts = role === "tool" ? [answerOf(wire)] : [...partsIn(wire, remember), ...callsIn(wire, remember)];
  return {
    role,
    parts,
    ...(typeof wire.name === "string" && role !== "tool" && { name: wire.name }),
    ...(extra && { native: wire }),
  };
}

const answerOf = (wire: Json): Part => ({
  type: "tool_call_response",
  id: stringOf(wire.tool_call_id ?? wire.name),
  response: wire.content ?? "",
});

function partsIn(wire: Json, remember: Remember): readonly Part[] {
  const thoughts = new Set([stringOf(wire.reasoning_content), stringOf(wire.reasoning)]);
  return [
    ...[...thoughts].flatMap((content) => (content === "" ? [] : [{ type: "reasoning", content } as const])),
    ...contentShapes.readContent(contentOf(wire), remember),
  ];
}

/** The content of a message as a list. */
const contentOf = ({ content, refusal }: Json): readonly Json[] => [
  ...(typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content)),
  ...(stringOf(refusal) === "" ? [] : [{ type: "refusal", refusal }]),
];

function callsIn(wire: Json, remember: Remember): readonly Part[] {
  const { function_call: old } = wire;
  return [
    ...objectsOf(wire.tool_calls).map((call) => remember(callShapes.read(call), call)),
    ...(isJson(old) ? [callShapes.read({ id: old.name, function: old })] : []),
  ];
}

/** Returns the turns of a message. It has several if it contains the results of several tools. */
function writeMessage({ message, before: wire = {}, origin }: Outgoing): readonly unknown[] {
  const { role, parts } = message;
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
  const content = writeContent(parts, origin, wire);
  if (role !== "assistant") return [{ ...head, content: content ?? "" }];
  return [{ ...head, content, ...thoughtOf(parts, wire), ...signedDetails(wire), ...callsOf(parts, origin, wire) }];
}

/** Returns the result of a tool as text, since the API accepts nothing else. Files are replaced by their type. */
const textOfResult = (response: unknown): string =>
  toolContentOf(response)
    ?.map((part) => (part.type === "text" ? part.content : `[${part.mimeType ?? part.modality}]`))
    .join("\n") ?? textOfValue(response);

function writeContent(parts: readonly Part[], origin: Outgoing["origin"], wire: Json): unknown {
  const contentParts = parts.filter(({ type }) => type !== "tool_call" && type !== "reasoning");
  if (contentParts.length === 0) return null;
  const written = contentShapes.writeContent(contentParts, origin, contentOf(wire));
  const [only] = objectsOf(written);
  return !Array.isArray(wire.content) && contentParts.length === 1 && only?.type === "text" ? only.text : written;
}

function thoughtOf(parts: readonly Part[], wire: Json): Json {
  const thought = parts.map((part) => (part.type === "reasoning" ? part.content : "")).join("");
  return thought === "" ? {} : { ["reasoning" in wire ? "reasoning" : "reasoning_content"]: thought };
}

/** Returns OpenRouter's details of reasoning if the model's provider signed them. */
function signedDetails({ reasoning_details: details }: Json): Json {
  return objectsOf(details).some(({ signature, data }) => signature || data) ? { reasoning_details: details } : {};
}

function callsOf(parts: readonly Part[], origin: Outgoing["origin"], wire: Json): Json {
  const called = parts.filter(({ type }) => type === "tool_call") as ToolCallPart[];
  const [first] = called;
  if (first === undefined) return {};
  if (wire.function_call) return { function_call: jsonOf(callShapes.write(first)).function };
  const before = objectsOf(wire.tool_calls);
  return {
    tool_calls: called.map((part) =>
      callShapes.rewrite(
        part,
        origin,
        before.find(({ id }) => id === part.id),
      ),
    ),
  };
}
