import { stringOf } from "../../json.js";
import { type Shape, Shapes, Slot, shape } from "../../neutral/shapes.js";
import * as slot from "../../neutral/slots.js";

const cached = { cache_control: slot.unchanged() };

const serverCall = slot.serverTool("serverToolCall", ({ type, id, name }) =>
  type === "server_tool_use" || type === "mcp_tool_use" ? { id: stringOf(id), name: stringOf(name) } : undefined,
);
const serverResult = slot.serverTool("serverToolCallResponse", ({ tool_use_id: id }) =>
  typeof id === "string" ? { id } : undefined,
);
const sealed = new Slot(
  (value, part) => Boolean(Object.assign(part, { content: "", signature: stringOf(value) })),
  (part) => part.signature,
);

const files = (type: "image" | "document"): readonly Shape[] => [
  shape(
    "blob",
    { type, source: { type: "base64", media_type: slot.text("mimeType"), data: slot.text("content") }, ...cached },
    type,
  ),
  shape("uri", { type, source: { type: "url", url: slot.text("uri") }, ...cached }, type),
  shape("file", { type, source: { type: "file", file_id: slot.text("fileId") }, ...cached }, type),
];

/** The blocks of a message. Reasoning that is not signed has none. */
export const blockShapes: Shapes = new Shapes(
  shape("text", { type: "text", text: slot.text("content"), ...cached }),
  shape("reasoning", { type: "thinking", thinking: slot.text("content"), signature: slot.signature }),
  shape("reasoning", { type: "redacted_thinking", data: sealed }),
  shape("tool_call", {
    type: "tool_use",
    id: slot.label("id"),
    name: slot.label("name"),
    input: slot.objectArguments,
    caller: slot.unchanged(),
    ...cached,
  }),
  shape("tool_call_response", {
    type: "tool_result",
    tool_use_id: slot.label("id"),
    content: slot.toolResult(() => blockShapes),
    is_error: slot.optional("isError"),
    ...cached,
  }),
  shape("server_tool_call", serverCall),
  shape("server_tool_call_response", serverResult),
  ...files("image"),
  ...files("document"),
);
