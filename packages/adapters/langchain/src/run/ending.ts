import { ToolMessage } from "@langchain/core/messages";
import { MiddlewareTermination, type Reply, type RuntimeContext, stateKey } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { notesKey } from "../run-notes.js";

/** A reply with which a layer has ended a run, until the graph has it. */
interface Ending {
  readonly message: string;
  readonly reply: Reply;
  /** The error that was thrown; not there behind a suspension. */
  readonly error?: unknown;
}

const endingKey = stateKey<Ending | undefined>("langchain.ending", () => undefined, {
  save: (ending) => ending && { message: ending.message, reply: ending.reply },
  load: (stored) => stored as Ending | undefined,
});

/** The reply of an error that ends the run of an agent with one; undefined for any other, and where there is no agent. */
export function replyIn(error: unknown, run: RuntimeContext): Reply | undefined {
  if (!MiddlewareTermination.is(error) || error.scope !== "run" || error.reply === undefined) return undefined;
  const { finishReason, message, response } = error.reply;
  if (!run.get(notesKey).ofAgent) return undefined;
  return { message, ...(finishReason && { finishReason }), ...(response && { response }) };
}

/**
 * Ends the run of an agent with the reply that a layer of a tool threw: the call counts as stopped, its siblings end, and the
 * model, whose turn it is then, is not asked. So the graph ends as it does by itself, its history whole.
 *
 * @returns what the tool's call is told.
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

/** The reply that ends a run in the place of what the model would say; undefined where it is the model's turn. */
export function endInPlaceOfModel(run: Run): Reply | undefined {
  const ending = run.get(endingKey);
  if (ending === undefined) return undefined;
  run.set(endingKey, undefined);
  run.terminated(ending.error ?? terminationOf(ending));
  return ending.reply;
}

const terminationOf = ({ message, reply }: Ending): MiddlewareTermination =>
  new MiddlewareTermination(message, { reply });

/** @throws MiddlewareTermination where the graph came to its end and never to its model: a tool of it returns directly, say. */
export function checkEnded(run: RuntimeContext): void {
  const ending = run.get(endingKey);
  if (ending !== undefined) throw ending.error ?? terminationOf(ending);
}
