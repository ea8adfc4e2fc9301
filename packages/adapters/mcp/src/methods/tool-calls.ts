import { toolContentOf } from "@suite/core";
import { isRecord, type Params } from "../protocol.js";
import { resultBlocks } from "./blocks.js";
import { executed, type Method } from "./method.js";

/** A result with `isError`, as the layers see it: a tool that failed. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  /** The conventions' `error.type` for a result with `isError`. */
  readonly code = "tool_error";
  constructor(readonly result: Params) {
    super(textOf(result) || "The tool failed.");
  }
}

/** `tools/call`: the input is its arguments, the answer its result, content and structured content. */
export const toolCalls: Method<"tool"> = {
  kind: "tool",
  request: ({ name, arguments: input }) => ({
    id: crypto.randomUUID(),
    tool: executed(String(name)),
    input: input ?? {},
  }),
  params: (before, { input }) => (input === before.arguments ? before : { ...before, arguments: input }),
  final(result) {
    if (isRecord(result) && result.isError === true) throw new ToolFailure(result);
    return result;
  },
  result: (_before, final) => (isResult(final) ? final : resultOf(final)),
  failed: (result) => ({ ...(result as Params), isError: true }),
};

/** The result of a tool that failed, as the SDK's server tells it. */
export const failedResult = (error: unknown): Params =>
  error instanceof ToolFailure
    ? error.result
    : { ...textResult(error instanceof Error ? error.message : String(error)), isError: true };

/** A result of a layer's own. */
function resultOf(answer: unknown): Params {
  const parts = toolContentOf(answer);
  return parts === undefined ? textResult(answer) : { content: resultBlocks(parts) };
}

function textResult(answer: unknown): Params {
  const text = typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "");
  return { content: [{ type: "text", text }] };
}

/** A task that was begun has no content yet. */
const isResult = (value: unknown): value is Params =>
  isRecord(value) && (Array.isArray(value.content) || "structuredContent" in value || "task" in value);

function textOf({ content }: Params): string {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.flatMap(({ type, text }) => (type === "text" ? String(text) : [])).join("\n");
}
