import type { RuntimeContext } from "@suite/core";
import type { Run } from "@suite/core/adapter";

/** The requests that code in a run has sent, and that are not answered yet. */
const open = new WeakMap<RuntimeContext, Set<Promise<unknown>>>();

/** Keeps a request as one of the run that it was sent in, until it is over. */
export function noteQuestion(run: Run, answer: Promise<unknown>): void {
  const questions = open.get(run) ?? new Set();
  open.set(run, questions.add(answer));
  const over = (): void => void questions.delete(answer);
  answer.then(over, over);
}

/**
 * Ends the run of a handler that has answered. What it has asked goes on without plugins (a task answers at once, and asks
 * its user while it runs), so it does here: the run ends behind that, and nobody waits for it. The SDK's time limit of a
 * request and the end of the connection bound it.
 */
export function endAnswered(run: Run): Promise<void> | undefined {
  const questions = open.get(run);
  if (questions === undefined || questions.size === 0) return run.finish();
  void behind(run, questions);
  return undefined;
}

/** Ends the run behind its questions: nothing can join it between the last answer and its end. */
async function behind(run: Run, questions: ReadonlySet<Promise<unknown>>): Promise<void> {
  while (questions.size > 0) await Promise.allSettled(questions);
  await run.end();
}
