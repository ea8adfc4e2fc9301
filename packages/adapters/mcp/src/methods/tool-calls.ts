import { toolContentOf } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import type { Params } from "../protocol.js";
import { resultBlocks } from "./blocks.js";
import { executed, type Method } from "./method.js";

/** The error that layers see for a result with `isError`: a tool that failed. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  /** The `error.type` that the conventions define for a result with `isError`. */
  readonly code = "tool_error";
  constructor(readonly result: Params) {
    super(textOf(result) || "The tool failed.");
  }
}

/**
 * The method `tools/call`: its arguments are the input, its result, with content and structured content, is the answer.
 */
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

/** Returns the result of a failed tool in the format of the SDK's server. */
export const failedResult = (error: unknown): Params =>
  error instanceof ToolFailure
    ? error.result
    : { ...textResult(error instanceof Error ? error.message : String(error)), isError: true };

/** Returns the result for the answer of a layer. */
function resultOf(answer: unknown): Params {
  const parts = toolContentOf(answer);
  return parts === undefined ? textResult(answer) : { content: resultBlocks(parts) };
}

function textResult(answer: unknown): Params {
  const text = typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "");
  return { content: [{ type: "text", text }] };
}

/** The result of a started task has no content yet. */
const isResult = (value: unknown): value is Params =>
  isRecord(value) &&
  (Array.isArray(value.content) || "structuredContent" in value || "task" in value || "resultType" in value);

function textOf({ content }: Params): string {
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.flatMap(({ type, text }) => (type === "text" ? String(text) : [])).join("\n");
}
