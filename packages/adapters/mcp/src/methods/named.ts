import { isRecord } from "../protocol.js";
import { executed, type Method } from "./method.js";

/** Requests that fetch something, as a tool of the method's name does: all parameters are its input. */
export const named = (name: string): Method<"tool"> => ({
  kind: "tool",
  request: ({ _meta, ...input }) => ({ id: crypto.randomUUID(), tool: executed(name), input }),
  params: ({ _meta }, { input }) => ({ ...(isRecord(input) && input), ...(_meta !== undefined && { _meta }) }),
  final: (result) => result,
  result: (_before, final) => final,
});
