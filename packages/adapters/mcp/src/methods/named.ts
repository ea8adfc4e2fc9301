import { isRecord } from "@suite/kit";
import { executed, type Method } from "./method.js";

/**
 * Creates the method of requests that fetch something. For layers each is a call of a tool with the method's name,
 * whose input is all parameters but those of the protocol: metadata, the server's state, and answers to its questions.
 */
export const named = (name: string): Method<"tool"> => ({
  kind: "tool",
  request: ({ _meta, inputResponses, requestState, ...input }) => ({
    id: crypto.randomUUID(),
    tool: executed(name),
    input,
  }),
  params: ({ _meta, inputResponses, requestState }, { input }) => ({
    ...(isRecord(input) && input),
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
    ...(_meta !== undefined && { _meta }),
  }),
  final: (result) => result,
  result: (_before, final) => final,
});
