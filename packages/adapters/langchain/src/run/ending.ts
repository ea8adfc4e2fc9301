import { ToolMessage } from "@langchain/core/messages";
import { MiddlewareTermination, type Reply, type RuntimeContext, stateKey } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { notesKey } from "../run-notes.js";

/** The reply of a layer that has ended a run, until the graph receives it. */
interface Ending {
  readonly message: string;
  readonly reply: Reply;
  /** The thrown error. Missing after a suspension. */
  readonly error?: unknown;
}

const endingKey = stateKey<Ending | undefined>("langchain.ending", () => undefined, {
  save: (ending) => ending && { message: ending.message, reply: ending.reply },
  load: (stored) => stored as Ending | undefined,
});

/**
 * Returns the reply of an error that ends an agent's run with one. Returns `undefined` for other errors and outside of
 * an agent.
 */
export function replyIn(error: unknown, run: RuntimeContext): Reply | undefined {
  if (!MiddlewareTermination.is(error) || error.scope !== "run" || error.reply === undefined) return undefined;
  const { finishReason, message, response } = error.reply;
  if (!run.get(notesKey).ofAgent) return undefined;
  return { message, ...(finishReason && { finishReason }), ...(response && { response }) };
}

/**
 * Ends an agent's run with the reply that a tool layer threw. The call counts as stopped, parallel calls finish, and
 * the model is not called in the next turn. So the graph ends normally, with a complete history.
 *
 * @returns the response of the tool call.
 */
export function endByTool(
  run: RuntimeContext,
  error: unknown,
  { id = "", name }: { readonly id?: string | undefined; readonly name: string },
): ToolMessage | undefined {
  const reply = replyIn(error, run);
  if (reply === undefined) return undefined;
  const { message } = error as MiddlewareTermination;
  if (run.get(endingKey) === undefined) run.set(endingKey, { message, reply, error });
  const content = `The call of ${name} was stopped: ${message}`;
  return new ToolMessage({ content, tool_call_id: id, name, status: "error" });
}

/** Returns the reply that ends the run instead of the model's, or `undefined` if the model must be called. */
export function replyOfEndedRun(run: Run): Reply | undefined {
  const ending = run.get(endingKey);
  if (ending === undefined) return undefined;
  run.set(endingKey, undefined);
  run.terminated(ending.error ?? terminationOf(ending));
  return ending.reply;
}

const terminationOf = ({ message, reply }: Ending): MiddlewareTermination =>
  new MiddlewareTermination(message, { reply });

/**
 * @throws MiddlewareTermination if the graph ended without another turn of the model, for example because a tool
 * returns directly.
 */
export function checkEnded(run: RuntimeContext): void {
  const ending = run.get(endingKey);
  if (ending !== undefined) throw ending.error ?? terminationOf(ending);
}
