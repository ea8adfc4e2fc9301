import type { Message, Part } from "@suite/core";
import { messagesSettings } from "@suite/wire";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../../json.js";
import type { Outgoing, Remember, RequestFormat } from "../../neutral/format.js";
import { schemaAt } from "../../neutral/request.js";
import { partOf, writeBlock } from "./blocks.js";

/** The body of a request of `POST …/v1/messages`. The system prompt stands beside the turns. */
export const request: RequestFormat = {
  settings: messagesSettings,
  fields: new Set(["model", "messages", "system", "tools", "tool_choice", "output_config", "stream"]),
  messages: (body, remember) => [
    ...(isSaid(body.system) ? [turnOf({ role: "system", content: body.system }, remember, body.system)] : []),
    ...objectsOf(body.messages).map((turn) => turnOf(turn, remember)),
  ],
  writeMessages(messages, body) {
    const end = messages.findIndex(({ message }) => message.role !== "system");
    const [system, turns] = end < 0 ? [messages, []] : [messages.slice(0, end), messages.slice(end)];
    return {
      system: systemOf(system, body.system),
      messages: turns.map((turn) => turn.same ?? { role: roleOf(turn), content: contentOf(turn) }),
    };
  },
  tool: { parameters: "input_schema" },
  outputSchema: ({ output_config }) => schemaAt(jsonOf(output_config).format, "schema"),
  writeOutputSchema(schema, { output_config }) {
    const { format: _, ...rest } = jsonOf(output_config);
    if (!isJson(schema)) return { output_config: Object.keys(rest).length === 0 ? undefined : rest };
    return { output_config: { ...rest, format: { type: "json_schema", schema } } };
  },
};

const isSaid = (content: unknown): boolean => (typeof content === "string" ? content !== "" : Array.isArray(content));

function turnOf(turn: Json, remember: Remember, origin: unknown = turn): Message {
  const { content } = turn;
  const parts: readonly Part[] =
    typeof content === "string"
      ? [{ type: "text", content }]
      : objectsOf(content).map((block) => remember(partOf(block), block));
  const answers = parts.length > 0 && parts.every(({ type }) => type === "tool_call_response");
  const role = turn.role === "system" || turn.role === "assistant" ? turn.role : answers ? "tool" : "user";
  return remember({ role, parts }, origin);
}

/** Tools answer as the user. */
const roleOf = ({ message: { role } }: Outgoing): string => (role === "tool" ? "user" : role);

function contentOf({ message, before, origin }: Outgoing): unknown {
  const { content } = jsonOf(before);
  const [first, ...others] = message.parts;
  if (typeof content === "string" && first?.type === "text" && others.length === 0) return first.content;
  const blocks = objectsOf(content);
  const inPlace = blocks.length === message.parts.length;
  return message.parts.flatMap(
    (part, index) => origin(part) ?? writeBlock(part, inPlace ? blocks[index] : undefined) ?? [],
  );
}

function systemOf(system: readonly Outgoing[], before: unknown): unknown {
  const [first, ...others] = system;
  if (first === undefined) return undefined;
  if (others.length === 0 && first.same !== undefined) return first.same;
  const blocks = system.flatMap((each) => {
    const content = contentOf({ ...each, before: { content: each.before ?? before } });
    return typeof content === "string" ? { type: "text", text: content } : content;
  });
  const [only] = objectsOf(blocks);
  const plain = blocks.length === 1 && only !== undefined && !("cache_control" in only);
  return plain ? stringOf(only.text) : blocks;
}
