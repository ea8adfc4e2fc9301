import { toolCall } from "@suite/core";
import type { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { isInputRequired } from "../revision.js";
import { sendQuestions, unusable } from "./inputs.js";

/** The methods of a client of version 2 that return questions to their caller, with the option `allowInputRequired`. */
const methods: ReadonlySet<string | symbol> = new Set(["callTool", "getPrompt", "readResource", "request"]);

type Call = (...parameters: readonly unknown[]) => unknown;

/**
 * Wraps a method of a client whose caller answers questions itself: they pass the layers before they are returned. The
 * answers pass the layers with the caller's next request.
 *
 * @throws McpAdapterError `ERR_MCP_INPUT` if a layer answered a question in place of the caller.
 */
export function manually(name: string | symbol, call: Call, runs: FrameworkRuns): Call {
  if (!methods.has(name)) return call;
  return (...parameters) => {
    const answer = call(...parameters);
    const isManual = parameters.some((each) => isRecord(each) && each.allowInputRequired === true);
    return isManual ? Promise.resolve(answer).then((result) => withQuestions(result, runs)) : answer;
  };
}

async function withQuestions(result: unknown, runs: FrameworkRuns): Promise<unknown> {
  if (!isInputRequired(result)) return result;
  const { current, stack } = runs;
  const run = current?.run ?? runs.begin();
  try {
    const about = toolCall(crypto.randomUUID(), "input_required", {});
    const { remaining, answers } = await sendQuestions(result, { stack, within: current ?? { run }, about });
    if (Object.keys(answers).length > 0) throw unusable("the caller of the client answers it itself");
    return { ...result, inputRequests: remaining };
  } finally {
    if (current === undefined) await run.end();
  }
}
