import { messagesSettings } from "@suite/wire";
import { isJson, jsonOf, objectsOf } from "../../json.js";
import type { RequestFormat } from "../../neutral/format.js";
import { roleOfUser, schemaAt } from "../../neutral/request.js";
import { blockShapes } from "./blocks.js";

/** The body of a request of `POST …/v1/messages`. The system prompt stands beside the turns. */
export const request: RequestFormat = {
  settings: messagesSettings,
  fields: new Set(["model", "messages", "system", "tools", "tool_choice", "output_config", "stream"]),
  turns: "messages",
  system: {
    fields: ["system"],
    read: (content) => ({ role: "system", content }),
    write(turns) {
      const blocks = turns.flatMap(({ content }) =>
        typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content),
      );
      const [only] = blocks;
      return blocks.length === 1 && only !== undefined && !("cache_control" in only) ? only.text : blocks;
    },
  },
  message({ role, content }, remember) {
    const parts = blockShapes.readContent(content, remember);
    return { role: role === "system" || role === "assistant" ? role : roleOfUser(parts), parts };
  },
  // Tools answer as the user.
  write: ({ message: { role, parts }, before, origin }) => [
    {
      role: role === "tool" ? "user" : role,
      content: blockShapes.writeContent(parts, origin, before?.content),
    },
  ],
  tool: { parameters: "input_schema" },
  outputSchema: ({ output_config }) => schemaAt(jsonOf(output_config).format, "schema"),
  writeOutputSchema(schema, { output_config }) {
    const { format: _, ...rest } = jsonOf(output_config);
    if (!isJson(schema)) return { output_config: Object.keys(rest).length === 0 ? undefined : rest };
    return { output_config: { ...rest, format: { type: "json_schema", schema } } };
  },
};
