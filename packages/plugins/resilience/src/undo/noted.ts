import { type Invocation, outermost } from "@suite/core";
import { spanOf } from "@suite/core/propagation";
import type { Journal } from "./journal.js";

/** Runs a tool call and records it: before it begins, and with its result before the result is passed on. */
export async function noted(
  journal: Journal,
  invocation: Invocation<"tool">,
  callNext: () => Promise<void>,
): Promise<void> {
  const { request, runtime, call } = invocation;
  const run = outermost(runtime).runId;
  const span = spanOf(call);
  const number = await journal.begin(run, {
    toolCallId: request.id,
    tool: request.tool.name,
    input: request.input,
    state: "begun",
    calledAt: Date.now(),
    ...(span !== undefined && { span }),
  });
  const drop = (): Promise<void> => journal.drop(run, number);
  try {
    await callNext();
  } catch (error) {
    // A tool that was aborted may have done its work. A tool that failed is expected to have cleaned up.
    if (!invocation.signal.aborted) await drop();
    throw error;
  }
  const { result } = invocation;
  // The tool did not run if another layer answered.
  if (result === undefined || result.byLayer === true || result.isError === true) return drop();
  let last: unknown;
  let ended = false;
  invocation.pipe({
    chunk(chunk, emit) {
      last = chunk;
      emit(chunk);
    },
    flush(_emit, suspended) {
      ended = true;
      if (suspended) return drop();
      return journal.change(run, number, {
        state: "done",
        input: invocation.reached?.input ?? request.input,
        result: last,
      });
    },
    async settle({ status }) {
      if (!ended && status === "failed" && !invocation.signal.aborted) await drop();
    },
  });
}
