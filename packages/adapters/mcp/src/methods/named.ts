import { isRecord } from "@suite/kit";
import { executed, type Method } from "./method.js";

/**
 * Creates the method of requests that fetch something. For layers each is a call of a tool with the method's name,
 * whose input is all parameters.
 */
export const named = (name: string): Method<"tool"> => ({
  kind: "tool",
  request: ({ _meta, ...input }) => ({ id: crypto.randomUUID(), tool: executed(name), input }),
  params: ({ _meta }, { input }) => ({ ...(isRecord(input) && input), ...(_meta !== undefined && { _meta }) }),
  final: (result) => result,
  result: (_before, final) => final,
});
