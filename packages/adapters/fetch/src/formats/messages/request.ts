import { messagesSettings, toMessagesToolChoice } from "@suite/wire";
import { objectsOf } from "../../json.js";
import { schemaIn, settingsIn, toolChoiceIn, toolsIn } from "../../neutral/fields.js";
import type { RequestFormat } from "../../neutral/format.js";
import { roleOfUser } from "../../neutral/request.js";
import { blockShapes } from "./blocks.js";

/** The body of a request of `POST …/v1/messages`. The system prompt is a separate field. */
export const request: RequestFormat = {
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
  // The results of tools are messages of the user.
  write: ({ message: { role, parts }, before, origin }) => [
    {
      role: role === "tool" ? "user" : role,
      content: blockShapes.writeContent(parts, origin, before?.content),
    },
  ],
  tools: toolsIn({ parameters: "input_schema" }),
  toolChoice: toolChoiceIn(toMessagesToolChoice),
  settings: settingsIn(messagesSettings, ["messages", "system", "tools", "tool_choice", "output_config"]),
  outputSchema: schemaIn("output_config", "format", {}, { type: "json_schema" }),
};
