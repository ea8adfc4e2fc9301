import { textOf } from "@suite/core";
import { responsesSettings } from "@suite/wire";
import { isJson, jsonOf, objectsOf } from "../../json.js";
import type { RequestFormat } from "../../neutral/format.js";
import { schemaAt } from "../../neutral/request.js";
import { messageOf, writeMessage } from "./items.js";

/** The body of a request of `POST …/responses`. The system prompt is `instructions`, or stands among the items. */
export const request: RequestFormat = {
  settings: responsesSettings,
  fields: new Set(["model", "input", "instructions", "tools", "tool_choice", "text", "stream"]),
  messages({ instructions, input }, remember) {
    const system = typeof instructions === "string" && instructions !== "" ? instructions : undefined;
    const items = typeof input === "string" ? [{ role: "user", content: input }] : objectsOf(input);
    return [
      ...(system === undefined
        ? []
        : [remember({ role: "system", parts: [{ type: "text", content: system }] } as const, system)]),
      ...items.map((item) => messageOf(item, remember)),
    ];
  },
  writeMessages(messages, { input }) {
    const [first] = messages;
    const beside = first !== undefined && first.message.role === "system" && !isJson(first.same ?? first.before);
    const items = (beside ? messages.slice(1) : messages).flatMap(writeMessage);
    const [only] = items;
    const plain = typeof input === "string" && items.length === 1 ? jsonOf(only) : {};
    return {
      instructions: beside ? textOf(first.message) : undefined,
      input: plain.role === "user" && typeof plain.content === "string" ? plain.content : items,
    };
  },
  tool: { parameters: "parameters", type: "function" },
  outputSchema: ({ text }) => schemaAt(jsonOf(text).format, "schema"),
  writeOutputSchema(schema, { text }) {
    const { format, ...rest } = jsonOf(text);
    if (!isJson(schema)) return { text: rest };
    return { text: { ...rest, format: { name: "output", ...jsonOf(format), type: "json_schema", schema } } };
  },
};
