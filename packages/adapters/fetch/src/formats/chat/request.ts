import { chatSettings } from "@suite/wire";
import { isJson, jsonOf } from "../../json.js";
import type { RequestFormat } from "../../neutral/format.js";
import { schemaAt } from "../../neutral/request.js";
import { messageOf, writeMessage } from "./messages.js";

/** The body of a request of `POST …/chat/completions`. */
export const request: RequestFormat = {
  settings: chatSettings,
  fields: new Set(["model", "messages", "tools", "tool_choice", "response_format", "stream"]),
  turns: "messages",
  message: messageOf,
  write: writeMessage,
  tool: { inside: "function", parameters: "parameters", type: "function" },
  outputSchema: ({ response_format }) => schemaAt(jsonOf(response_format).json_schema, "schema"),
  writeOutputSchema(schema, { response_format }) {
    if (!isJson(schema)) return { response_format: undefined };
    const before = jsonOf(jsonOf(response_format).json_schema);
    return { response_format: { type: "json_schema", json_schema: { name: "output", ...before, schema } } };
  },
};
