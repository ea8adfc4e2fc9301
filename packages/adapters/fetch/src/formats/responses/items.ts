import type { Message, Part } from "@suite/core";
import type { Role } from "@suite/core/messages";
import { otherItemPart } from "@suite/wire";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../../json.js";
import type { Outgoing, Remember } from "../../neutral/format.js";
import { type Shape, Shapes, Slot, shape } from "../../neutral/shapes.js";
import * as slot from "../../neutral/slots.js";

const textOf = (type: string): Shape => shape("text", { type, text: slot.text("content"), logprobs: slot.dropped });

/** The content of messages and of tools' results. */
const contentShapes = new Shapes(
  ...["input_text", "output_text", "text"].map(textOf),
  shape("text", { type: "refusal", refusal: slot.text("content") }),
  shape("file", { type: "input_image", file_id: slot.text("fileId") }, "image"),
  shape("blob", { type: "input_image", image_url: slot.dataAddress }, "image"),
  shape("uri", { type: "input_image", image_url: slot.text("uri") }, "image"),
  shape(
    "blob",
    { type: "input_audio", input_audio: { data: slot.text("content"), format: slot.audioFormat } },
    "audio",
  ),
  shape("file", { type: "input_file", file_id: slot.text("fileId") }, "document"),
  shape("blob", { type: "input_file", filename: slot.unchanged("document"), file_data: slot.dataAddress }, "document"),
  shape("uri", { type: "input_file", file_url: slot.text("uri") }, "document"),
);

/** Returns the content of a part that was changed, or made by a layer. The content of an assistant is output. */
function writeContent(part: Part, fromAssistant: boolean): Json | undefined {
  const written = contentShapes.write(part);
  return fromAssistant && written?.type === "input_text"
    ? { ...written, type: "output_text", annotations: [] }
    : written;
}

/** Returns the message of an item of a history. */
export function messageOf(item: Json, remember: Remember): Message {
  const { type = "message", role, content } = item;
  if (type === "message") {
    const neutralRole: Role =
      role === "developer" || role === "system" ? "system" : role === "assistant" ? role : "user";
    return { role: neutralRole, parts: contentShapes.readContent(content, remember) };
  }
  const part = remember(itemShapes.read(item), item);
  return { role: part.type === "tool_call_response" ? "tool" : "assistant", parts: [part] };
}

/** Reasoning: its text and its encrypted form. */
const reasoning = new Slot(
  (item, part) => {
    if (!isJson(item) || item.type !== "reasoning") return false;
    const texts = [...objectsOf(item.summary), ...objectsOf(item.content)].map(({ text }) => stringOf(text));
    const signature = stringOf(item.encrypted_content);
    Object.assign(part, { content: texts.join("\n"), ...(signature !== "" && { signature }) });
    return true;
  },
  ({ content, signature }, before) => ({
    type: "reasoning",
    ...(isJson(before) && before.id !== undefined && { id: before.id }),
    summary: content === "" ? [] : [{ type: "summary_text", text: content }],
    ...(signature !== undefined && { encrypted_content: signature }),
  }),
);

const serverCall = slot.serverTool("serverToolCall", (item) => {
  const { type, ...part } = otherItemPart(item);
  return type === "server_tool_call" ? part : undefined;
});
const serverResult = slot.serverTool("serverToolCallResponse", () => undefined);

const state = { id: slot.unchanged(), status: slot.unchanged() };
const called = { ...state, call_id: slot.label("id"), name: slot.label("name") };
const answered = { ...state, call_id: slot.label("id"), output: slot.toolResult(() => contentShapes) };

/** The items that are not messages. */
export const itemShapes: Shapes = new Shapes(
  shape("tool_call", { type: "function_call", ...called, arguments: slot.jsonArguments }),
  shape("tool_call", { type: "custom_tool_call", ...called, input: slot.textArguments }),
  shape("tool_call_response", { type: "function_call_output", ...answered }),
  shape("tool_call_response", { type: "custom_tool_call_output", ...answered }),
  shape("reasoning", reasoning),
  shape("server_tool_call", serverCall),
  shape("server_tool_call_response", serverResult),
);

/** Returns the items of a message, in order. Its content is one item, and each other part is another one. */
export function writeMessage({ message, before: wire = {}, origin }: Outgoing): readonly unknown[] {
  const fromAssistant = message.role === "assistant";
  const items: unknown[] = [];
  let content: unknown[] | undefined;
  for (const part of message.parts) {
    const item = isItem(part) ? (origin(part) ?? itemShapes.write(part, wire)) : undefined;
    if (item !== undefined) {
      content = undefined;
      items.push(item);
      continue;
    }
    if (content === undefined) {
      content = [];
      items.push(head(message.role, wire, content));
    }
    content.push(origin(part) ?? writeContent(part, fromAssistant));
  }
  const [only] = items;
  const [first] = message.parts;
  const isString = typeof wire.content === "string" && items.length === 1 && first?.type === "text";
  return isString && message.parts.length === 1 ? [{ ...jsonOf(only), content: first.content }] : items;
}

/** Returns true if a part is a separate item. A native part is one if it is not content. */
const isItem = (part: Part): boolean =>
  part.type === "native"
    ? !contents.test(stringOf(jsonOf(part.value).type))
    : !["text", "blob", "file", "uri", "compaction"].includes(part.type);

const contents = /^(?:input_|output_|refusal)/;

function head(role: Role, wire: Json, content: unknown[]): Json {
  const { id, status, role: originalRole } = wire;
  return {
    type: "message",
    ...(typeof id === "string" && { id }),
    ...(typeof status === "string" && { status }),
    role: typeof originalRole === "string" ? originalRole : role,
    content,
  };
}
