import { responsesSettings } from "@suite/wire";
import { isJson, jsonOf, objectsOf, stringOf } from "../../json.js";
import type { RequestFormat } from "../../neutral/format.js";
import { schemaAt } from "../../neutral/request.js";
import { messageOf, writeMessage } from "./items.js";

/** The body of a request of `POST …/responses`. The system prompt is `instructions`, or stands among the items. */
export const request: RequestFormat = {
  settings: responsesSettings,
  fields: new Set(["model", "input", "instructions", "tools", "tool_choice", "text", "stream"]),
  turns: "input",
  system: {
    fields: ["instructions"],
    read: (content) => ({ role: "system", content }),
    write: (items) => items.map(({ content }) => textOfContent(content)).join("\n\n"),
  },
  message: messageOf,
  write: writeMessage,
  writeTurns(items, before) {
    const [{ role, content } = {}, ...others] = items;
    const plain = typeof before === "string" && others.length === 0 && role === "user" && typeof content === "string";
    return plain ? content : items;
  },
  tool: { parameters: "parameters", type: "function" },
  outputSchema: ({ text }) => schemaAt(jsonOf(text).format, "schema"),
  writeOutputSchema(schema, { text }) {
    const { format, ...rest } = jsonOf(text);
    if (!isJson(schema)) return { text: rest };
    return { text: { ...rest, format: { name: "output", ...jsonOf(format), type: "json_schema", schema } } };
  },
};

const textOfContent = (content: unknown): string =>
  typeof content === "string"
    ? content
    : objectsOf(content)
        .map(({ text }) => stringOf(text))
        .join("");
