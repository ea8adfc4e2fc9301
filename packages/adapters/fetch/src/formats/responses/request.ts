import { responsesSettings, toResponsesToolChoice } from "@suite/wire";
import { objectsOf, stringOf } from "../../json.js";
import { schemaIn, settingsIn, toolChoiceIn, toolsIn } from "../../neutral/fields.js";
import type { RequestFormat } from "../../neutral/format.js";
import { messageOf, writeMessage } from "./items.js";

/** The body of a request of `POST …/responses`. The system prompt is `instructions`, or one of the items. */
export const request: RequestFormat = {
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
    const isString =
      typeof before === "string" && others.length === 0 && role === "user" && typeof content === "string";
    return isString ? content : items;
  },
  tools: toolsIn({ parameters: "parameters", type: "function" }),
  toolChoice: toolChoiceIn(toResponsesToolChoice),
  settings: settingsIn(responsesSettings, ["input", "instructions", "tools", "tool_choice", "text"]),
  outputSchema: schemaIn("text", "format", {}, { type: "json_schema", name: "output" }),
};

const textOfContent = (content: unknown): string =>
  typeof content === "string"
    ? content
    : objectsOf(content)
        .map(({ text }) => stringOf(text))
        .join("");
