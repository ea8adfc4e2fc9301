import type { RuntimeContext } from "@suite/core";
import type { Run } from "@suite/core/adapter";

/** The requests that code in a run has sent and that are not answered yet. */
const open = new WeakMap<RuntimeContext, Set<Promise<unknown>>>();

/** Registers a request with the run that sent it, until it is answered. */
export function noteQuestion(run: Run, answer: Promise<unknown>): void {
  const questions = open.get(run) ?? new Set();
  open.set(run, questions.add(answer));
  const over = (): void => void questions.delete(answer);
  answer.then(over, over);
}

/**
 * Ends the run of a handler that has answered. Without plugins its open requests continue (a task answers immediately
 * and asks its user while it runs), so they continue here: the run ends after them, without blocking the answer. They
 * are bounded by the SDK's request timeout and by the end of the connection.
 */
export function endAnswered(run: Run): Promise<void> | undefined {
  const questions = open.get(run);
  if (questions === undefined || questions.size === 0) return run.finish();
  void endAfter(run, questions);
  return undefined;
}

/** Ends the run after its requests. No request can be added between the last answer and the end. */
async function endAfter(run: Run, questions: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (questions.size > 0) await Promise.allSettled(questions);
  await run.end();
}
